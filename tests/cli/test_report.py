"""``report``: battles in plain words."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from emlia3d.cli import main

BATTLE = ["battle", "bandits", "--headless", "--seed", "7", "--turns", "2"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle file of two turns and its end."""
    path = tmp_path_factory.mktemp("played") / "x.battle.jsonl"
    assert main([*BATTLE, "--save", str(path)]) == 0
    return path


@pytest.fixture
def recorded(played: Path, tmp_path: Path) -> Path:
    """A copy of it to do what one likes with."""
    return Path(shutil.copy(played, tmp_path))


def test_a_scenario_is_played_and_told(run) -> None:
    told = run(["report", "bandits", "--seed", "3"])

    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("Bandits behind the rock\n=====")
    assert "\nTurn 1\n------\n\nTiming 3\n\n  Militia. " in told.out
    assert "\nAt the end of turn 1\n\n  - The Militia: " in told.out
    assert "\nThe end\n-------\n\n  A victory for the Bandits. " in told.out
    assert max(map(len, told.out.splitlines())) <= 92


def test_a_recorded_battle_is_told_as_it_was_when_it_was_played(run, recorded: Path) -> None:
    header = recorded.read_text("utf-8")
    seen = run(BATTLE)

    told = run(["report", recorded])

    assert told.status == 0
    assert "Turn 2\n" in told.out
    assert "Turn 3\n" not in told.out
    result = seen.out.splitlines()[1].split(". ", 1)[1]
    assert result in " ".join(told.out.split())
    assert recorded.read_text("utf-8") == header


def test_one_turn_can_be_told_alone(run, recorded: Path) -> None:
    whole = run(["report", recorded]).out
    told = run(["report", recorded, "--turn", "1"]).out

    assert told.startswith("Turn 1\n------\n")
    assert "At the end of turn 1" in told
    assert "Turn 2\n" not in told
    assert told in whole


def test_dice_are_told_only_where_they_are_asked_for(run, recorded: Path) -> None:
    plain, with_dice = (run(["report", recorded, *more]).out for more in ([], ["--dice"]))

    assert "dice at" not in plain
    assert " dice at " in with_dice


def test_a_report_may_be_markdown(run, recorded: Path) -> None:
    told = run(["report", recorded, "--markdown"]).out.splitlines()

    assert told[0] == "# Bandits behind the rock"
    assert "## Turn 1" in told
    assert "### At the end of turn 1" in told
    first = told.index("## Turn 1")
    assert [line[:2] for line in told[1:first]] == ["", *["- "] * 4, "", "Th", ""]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["report", "x.battle.jsonl", "--seed", "3"], "a battle file has its seed"),
        (["report", "x.battle.jsonl", "--turn", "9"], "--turn 9: the battle has 2 turns"),
        (["report", "nowhere"], "no such file or bundled scenario"),
        (["report", "gone.battle.jsonl"], "gone.battle.jsonl: cannot be read"),
    ],
)
def test_what_cannot_be_told_is_one_line(
    run, recorded: Path, words: list[str], complaint: str
) -> None:
    del recorded

    told = run(words)

    assert told.status == 2
    assert len(told.complaints) == 1
    assert complaint in told.err
    assert told.out == ""


def test_a_file_that_was_meddled_with_is_one_line_with_its_place(run, recorded: Path) -> None:
    lines = recorded.read_text("utf-8").splitlines()
    place = next(number for number, line in enumerate(lines) if '"event":"fired"' in line)
    lines[place] = lines[place].replace('"fired"', '"sniped"')
    recorded.write_text("\n".join([*lines, ""]), encoding="utf-8")

    told = run(["report", recorded])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.err.startswith(f"{recorded}:")
    assert "digest differs" in told.err


def test_a_file_that_is_cut_off_is_told_as_far_as_it_goes(run, recorded: Path) -> None:
    lines = recorded.read_text("utf-8").splitlines()
    recorded.write_text("\n".join([*lines[: len(lines) // 2], '{"event": "mo']), encoding="utf-8")

    told = run(["report", recorded])

    assert told.status == 0
    assert "The battle continues\n" in told.out


def test_a_report_is_one_document_of_passages_too(run, recorded: Path) -> None:
    passages = json.loads(run(["report", recorded, "--turn", "2", "--json"]).out)
    text = run(["report", recorded, "--turn", "2"]).out

    assert {passage["turn"] for passage in passages} == {2}
    assert passages[0] == {"rank": "turn", "text": "Turn 2", "turn": 2}
    words = " ".join(re.sub(r"^-{3,}$|^  - ", " ", text, flags=re.MULTILINE).split())
    assert " ".join(passage["text"] for passage in passages) == words
    assert run(["report", recorded, "--turn", "9", "--json"]).status == 2
