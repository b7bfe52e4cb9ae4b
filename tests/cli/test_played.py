"""`emlia3d rules --played`: which rules the events of recorded battles cite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.rules.catalogue import catalogue

Run = Callable[[list[str | Path]], Any]


@pytest.fixture
def recorded(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "duel.battle.jsonl"
    assert run(["battle", "duel", "--headless", "--turns", "2", "--save", file]).status in {0, 1}
    return file


def cited(file: Path) -> set[str]:
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {slug for line in lines for slug in line.get("because", ())}


def test_it_counts_each_entry_that_an_event_cites(run: Run, recorded: Path) -> None:
    told = run(["rules", "emlia", "--played", recorded, "--json"])

    document = json.loads(told.out)
    counts = document["cited"]
    assert document["battles"] == 1
    assert list(counts) == list(catalogue("emlia"))
    assert {slug for slug, count in counts.items() if count} == cited(recorded) & counts.keys()
    lines = recorded.read_text("utf-8").splitlines()
    assert counts["emlia.time.turn"] == sum('"emlia.time.turn"' in line for line in lines)


def test_it_adds_up_several_battles_by_chapter(run: Run, recorded: Path) -> None:
    one = run(["rules", "emlia", "--played", recorded]).out.splitlines()
    two = run(["rules", "emlia", "--played", recorded, recorded]).out.splitlines()

    some, whole = len(cited(recorded)), len(catalogue("emlia"))
    assert one[0] == f"emlia: {some} of {whole} entries are cited in 1 battle"
    assert two[0] == f"emlia: {some} of {whole} entries are cited in 2 battles"
    assert one[1:] == two[1:]
    assert sum(int(line.split()[-3]) for line in one[1:-1]) == some


@pytest.mark.parametrize(
    "words", [["rules", "emlia", "--played"], ["rules", "emlia", "x.battle.jsonl"]]
)
def test_files_and_the_option_go_together(run: Run, words: list[str | Path]) -> None:
    told = run(words)

    assert told.status == 2
    assert "--played" in told.err
    assert len(told.err.splitlines()) == 1


def test_a_battle_by_other_rules_is_one_line(run: Run, recorded: Path) -> None:
    told = run(["rules", "oathmark", "--played", recorded])

    assert told.status == 2
    assert told.err == f"{recorded}:1: expected a battle by the rules oathmark, got emlia\n"


def test_a_file_that_is_no_battle_is_one_line(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.battle.jsonl"
    other.write_text("nothing\n", encoding="utf-8")

    told = run(["rules", "emlia", "--played", other])

    assert told.status == 2
    assert told.err.startswith(f"{other}:1: ")
