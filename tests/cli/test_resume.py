"""A battle that was killed goes on from its file and ends as an unbroken one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEED = "7"


@dataclass(frozen=True, slots=True)
class Unbroken:
    """The file of a battle that nothing broke, and its digest."""

    scenario: str
    whole: bytes
    digest: str


@pytest.fixture(scope="module", params=["bandits", "duel"])
def unbroken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Unbroken:
    file = tmp_path_factory.mktemp("unbroken") / "whole.battle.jsonl"
    words = ["battle", request.param, "--seed", SEED, "--headless", "--json", "--save", str(file)]
    played = subprocess.run(
        [sys.executable, "-m", "emlia3d", *words], cwd=ROOT, capture_output=True, check=True
    )
    return Unbroken(request.param, file.read_bytes(), json.loads(played.stdout)["digest"])


def assert_played_to_the_same_end(run, file: Path, unbroken: Unbroken) -> None:
    told = run(["battle", "--resume", file, "--headless", "--json"])

    assert told.status == 0, told.err
    assert json.loads(told.out)["digest"] == unbroken.digest
    assert file.read_bytes() == unbroken.whole


@pytest.mark.long
@pytest.mark.parametrize("share", [0.0, 0.13, 0.61, 0.999, 1.0])
def test_a_file_that_ends_anywhere_is_played_to_the_same_end(
    run, tmp_path: Path, unbroken: Unbroken, share: float
) -> None:
    header = unbroken.whole.index(b"\n") + 1
    file = tmp_path / "torn.battle.jsonl"
    file.write_bytes(unbroken.whole[: header + round(share * (len(unbroken.whole) - header))])

    assert_played_to_the_same_end(run, file, unbroken)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is of POSIX")
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_a_battle_that_is_killed_is_played_to_the_same_end(
    run, tmp_path: Path, unbroken: Unbroken, share: float
) -> None:
    file = tmp_path / "killed.battle.jsonl"
    words = ["battle", unbroken.scenario, "--seed", SEED, "--headless", "--save", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "emlia3d", *words], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    while process.poll() is None and not (
        file.exists() and file.stat().st_size > share * len(unbroken.whole)
    ):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert_played_to_the_same_end(run, file, unbroken)


def test_a_battle_that_goes_otherwise_than_it_is_written_is_told_with_its_line(
    run, tmp_path: Path, unbroken: Unbroken
) -> None:
    lines = unbroken.whole.splitlines(keepends=True)
    boundaries = [row for row, line in enumerate(lines) if line.startswith(b'{"boundary"')]
    events = [row for row, line in enumerate(lines) if b'"event"' in line]
    changed = next(row for row in events if row > boundaries[len(boundaries) // 2])
    body = json.loads(lines[changed])
    body["event"] = "rained"
    lines[changed] = json.dumps(body, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    file = tmp_path / "other.battle.jsonl"
    before = b"".join(lines[: changed + 1])
    file.write_bytes(before)

    told = run(["battle", "--resume", file, "--headless", "--json"])

    assert told.status == 2
    assert told.complaints[0].startswith(f"{file}:{changed + 1}: ")
    assert file.read_bytes() == before


def test_a_whole_battle_file_is_right(run, tmp_path: Path, unbroken: Unbroken) -> None:
    (tmp_path / "whole.battle.jsonl").write_bytes(unbroken.whole)

    told = run(["check", "whole.battle.jsonl"])

    assert (told.status, told.out) == (0, "whole.battle.jsonl: OK\n")


def test_a_header_with_an_odd_figure_is_one_mistake_without_its_control_characters(
    run, bandits: Path, tmp_path: Path
) -> None:
    file = tmp_path / "odd.battle.jsonl"
    run(["battle", bandits, "--headless", "--turns", "1", "--save", file])
    header, rest = file.read_text("utf-8").split("\n", 1)
    body = json.loads(header)
    body["numbers"]["cells"] = "\x1b[2J"
    file.write_text(json.dumps(body) + "\n" + rest, "utf-8")

    told = run(["battle", "--resume", file, "--headless"])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert r"odd.battle.jsonl:1: the battle file's header has numbers" in told.err
    assert r"\x1b[2J" in told.complaints[0]
    assert told.complaints[0].isprintable()
