"""What all commands share: help, and one line for each mistake of whoever types them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_without_a_command_the_commands_are_listed(run) -> None:
    told = run([])

    assert told.status == 0
    for command in ("battle", "view", "check", "scenarios", "rules", "doctor"):
        assert f"\n  {command} " in told.out


def test_the_version_is_told(run) -> None:
    import emlia3d

    assert run(["--version"]).out == f"emlia3d {emlia3d.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["march"], id="a command that there is not"),
        pytest.param(["battle", "--sed", "7"], id="an option that there is not"),
        pytest.param(["battle", "--seed", "seven"], id="a seed that is no number"),
        pytest.param(["battle", "--seed", "-1"], id="a seed below 0"),
        pytest.param(["battle", "--turns", "0"], id="no turns at all"),
        pytest.param(["view", "duel", "--turn-seconds", "nan"], id="what is not a number"),
        pytest.param(["view", "duel", "--ground", "moon"], id="a ground that there is not"),
        pytest.param(["battle", "a", "b"], id="two scenarios"),
        pytest.param(["battle", "no-such-battle"], id="a scenario that does not ship"),
        pytest.param(["battle", "", "--headless"], id="a scenario without a name"),
        pytest.param(["battle", "ridge", "--resume", "x.battle.jsonl"], id="resume and a scenario"),
        pytest.param(
            ["battle", "--resume", "x.battle.jsonl"], id="a battle file that is not there"
        ),
        pytest.param(["view"], id="nothing to view"),
        pytest.param(["view", "no-such-file"], id="a file that is not there"),
        pytest.param(["view", "ridge", "--size", "wide"], id="a size that is none"),
        pytest.param(["view", "ridge", "--size", "99999x10"], id="a size beyond all pictures"),
        pytest.param(["view", "ridge", "--camera", "drone"], id="a camera that there is not"),
        pytest.param(["view", "ridge", "--at", "2"], id="a moment without a picture"),
        pytest.param(["view", "duel", "--picture", "duel"], id="a picture of no kind"),
        pytest.param(["view", "duel", "--picture", "duel.gif"], id="a picture of another kind"),
        pytest.param(["view", "duel", "--picture", ""], id="a picture without a name"),
        pytest.param(["view", "duel", "--picture", "."], id="a folder for a picture"),
        pytest.param(["view", "duel", "--picture", "no/duel.png"], id="a picture in no folder"),
        pytest.param(
            ["battle", "duel", "--headless", "--save", "a.jsonl", "--picture", "no/duel.png"],
            id="a battle's picture in no folder",
        ),
        pytest.param(["battle", "duel", "--headless", "--save", ""], id="a save without a name"),
        pytest.param(["battle", "duel", "--headless", "--save", "duel.toml"], id="not for battles"),
        pytest.param(["play", "duel", "--text", "--save", "duel.txt"], id="not for games"),
        pytest.param(["check"], id="nothing to check"),
        pytest.param(["check", "no-such-file.toml"], id="nothing there to check"),
        pytest.param(["check", "."], id="a folder to check"),
        pytest.param(["battle", "bandits", "--headless", "--save", "no/x.jsonl"], id="no folder"),
    ],
)
def test_a_mistake_is_one_line_and_status_two(run, words: list[str]) -> None:
    told = run(words)

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.out == ""


@pytest.mark.skipif(os.name != "posix", reason="a device stands under a name of its own")
@pytest.mark.parametrize(
    "words",
    [
        ["battle", "--resume", "/dev/null"],
        ["sight", "bandits", "archers", "bandits", "--verify", "/dev/null"],
        ["sight", "/dev/null", "archers", "bandits"],
        ["check", "/dev/null"],
        ["check", "null.battle.jsonl"],
        ["check", "null.marks.jsonl"],
        ["view", "null.battle.jsonl", "--picture", "null.png"],
        ["report", "null.battle.jsonl"],
    ],
)
def test_what_is_no_regular_file_is_not_read(run, tmp_path: Path, words: list[str]) -> None:
    """As a device or a pipe might have no end."""
    for name in ("null.battle.jsonl", "null.marks.jsonl"):
        (tmp_path / name).symlink_to("/dev/null")

    told = run(words)

    assert told.status == 2
    assert [line.endswith("this is not a regular file") for line in told.complaints] == [True]


@pytest.mark.parametrize(
    ("words", "where"),
    [(["march"], "emlia3d --help"), (["odds", "duel"], "emlia3d odds --help")],
)
def test_a_command_given_wrongly_is_told_where_its_words_are_listed(
    run, words: list[str], where: str
) -> None:
    assert f"(see {where})" in run(words).err


def test_the_nearest_name_is_offered(run) -> None:
    told = run(["battle", "bandit"])

    assert "bandits" in told.err


def test_the_nearest_command_is_offered(run) -> None:
    assert "'viewshed'" in run(["viewshd"]).err


def test_a_number_that_is_refused_is_named_with_its_range(run) -> None:
    assert "'--turns': 0 is not in the range 1<=x<=1000." in run(["battle", "--turns", "0"]).err
    assert "'--seed': 'x' is not a valid integer." in run(["battle", "--seed", "x"]).err


@pytest.mark.skipif(os.name != "posix", reason="pipes break otherwise there")
def test_a_reader_that_reads_no_more_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "emlia3d", "rules", "emlia", "--untested"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()

    _, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (1, "")


def test_ctrl_c_is_one_line_and_status_130(tmp_path: Path) -> None:
    if os.name != "posix":
        pytest.skip("signals are sent otherwise there")
    file = tmp_path / "cut.battle.jsonl"
    words = ["battle", "ridge", "--headless", "--save", str(file)]
    # Who runs the tests in the background may have told them, and so their children, to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "emlia3d", *words],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    while process.poll() is None and not (file.exists() and file.stat().st_size):
        time.sleep(0.02)

    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (130, "emlia3d: interrupted\n")
