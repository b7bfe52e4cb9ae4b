"""Two processes that write to one battle file: one does, the other is told so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TOLD = ("there is a file already", "in use by process")


def begun(words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "emlia3d", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def save_twice(run, folder: Path) -> None:
    """Save two battles under one name at the same time; one file is there, and whole."""
    folder.mkdir()
    file = folder / "duel.battle.jsonl"
    words = ["battle", "duel", "--turns", "1", "--headless", "--save", str(file)]
    both = [begun([*words, "--seed", str(seed)]) for seed in range(2)]
    ends = [(process.communicate(timeout=120), process.returncode) for process in both]

    assert sorted(status for _, status in ends) == [0, 2], ends
    ((_, err),) = (said for said, status in ends if status == 2)
    assert err.count("\n") == 1
    assert any(part in err for part in TOLD), err
    assert [one.name for one in folder.iterdir()] == [file.name]
    before = file.read_bytes()
    assert run(["battle", "--resume", file, "--headless"]).status == 0
    assert file.read_bytes() == before


@pytest.mark.long
def test_two_battles_saved_under_one_name_are_one_file(run, tmp_path: Path) -> None:
    for number in range(3):
        save_twice(run, tmp_path / str(number))


@pytest.mark.slow
def test_two_battles_saved_under_one_name_are_one_file_every_time(run, tmp_path: Path) -> None:
    for number in range(100):
        save_twice(run, tmp_path / str(number))


@pytest.mark.long
@pytest.mark.parametrize("words", [["battle", "--headless", "--resume"], ["play", "--text"]])
def test_a_battle_that_is_being_played_cannot_be_played_by_a_second(
    run, tmp_path: Path, words: list[str]
) -> None:
    file = tmp_path / "duel.battle.jsonl"
    words = [*words, str(file)]
    player = subprocess.Popen(
        [sys.executable, "-m", "emlia3d", "play", "duel", "--text", "--save", str(file)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert player.stdin is not None
    assert player.stdout is not None
    while not (seen := player.stdout.readline()).startswith("   1  "):
        assert seen, "the player was asked nothing"
    before = file.read_bytes()

    told = run(words)
    shown = run(["check", file])
    after = file.read_bytes()
    player.stdin.write("quit\n")
    player.communicate(timeout=120)

    assert told.status == 2
    told_line = f"{file}: in use by process {player.pid} (emlia3d play), close it first"
    assert told.complaints == [told_line]
    assert shown.status == 0
    assert after == before
    assert os.listdir(tmp_path) == [file.name]
