"""``emlia3d study`` on the command line: tables, documents, bad input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--vary", "unit.nobody.hits=1,2"], "there is no 'nobody'"),
        (["--vary", "unit.dragon.hitz=1,2"], "duel.toml:75: unknown key hitz"),
        (["--vary", "unit.dragon.hits=1,x"], "whole number of hits"),
        (["--vary", "unit.dragon.hits=1:3"], "lhs:N"),
        (["--vary", "turns=1,2", "--vary", "turns=3,4"], "varies twice"),
        (["--design", "lhs:3"], "--vary"),
        (["--design", "star"], "expected grid"),
        (["--against", "doctrine"], "two different commanders"),
        (["--against", "doctrine,nonsense"], 'unknown commander "nonsense"'),
        (["--until", "70%"], "expected a percentage"),
        (["--scheduler", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
        (["--out", ""], "the name is empty"),
        (["--vary", "unit=1,2"], "'unit' names a table"),
        (["--vary", "unit.dragon.at=[50,50],[52"], "dragon"),
        (["--vary", "turns=1,2", "--design", "lhs:10001"], "a study has 1 to 10,000"),
        (["--vary", "turns=0,2"], "from 1 to 1000, got 0"),
        (["--runs", "1000000", "--vary", "turns=1,2"], "2,000,000 battles; a study has 1 to"),
        (["--runs", "1000000000"], "1000000000 is not in the range"),
        (["--commander", "Dragon=human"], "human plays one battle"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_line_and_nothing_is_written(
    run: Run, tmp_path: Path, words: list[str], told: str
) -> None:
    ran = run(["study", "duel", "--runs", "1", "--out", tmp_path / "kept", *words])

    assert ran.status == 2
    assert told in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not (tmp_path / "kept").exists()


def test_a_page_without_its_library_is_told_before_a_battle_is_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "emlia3d.cli.records.study_charts", None)

    ran = run(
        ["study", "duel", "--runs", "1", "--out", tmp_path / "kept", "--page", tmp_path / "x.html"]
    )

    assert (ran.status, len(ran.complaints)) == (1, 1)
    assert "pip install 'emlia3d[plots]'" in ran.err
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("out", ["file", "file/kept", "closed/kept", "closed", "gone/kept"])
def test_a_folder_that_cannot_be_made_is_told_before_a_battle_is_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    (tmp_path / "file").write_text("notes", encoding="utf-8")
    (tmp_path / "closed").mkdir()
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    # The administrator's account may write to read-only folders.
    monkeypatch.setattr(os, "access", lambda place, _: Path(place).name != "closed")
    monkeypatch.setattr(
        "emlia3d.studies.battles.study_run.in_processes", lambda *_: pytest.fail("a battle")
    )

    ran = run(["study", "duel", "--runs", "1", "--out", tmp_path / out])

    assert (ran.status, len(ran.complaints)) == (2, 1)
    assert str(tmp_path / out) in ran.err


@pytest.mark.long
def test_the_command_prints_tables_and_documents(run: Run) -> None:
    words = ["study", "duel", "--runs", "2", "--turns", "1", "--vary", "unit.dragon.hits=2,3"]

    table = run(words).out
    document = json.loads(run([*words, "--json"]).out)

    assert "score of Warriors, less that of the first variant" in table
    assert "unit.dragon.hits=3" in table
    assert document["battles"] == 4
    assert [one["settings"] for one in document["variants"]] == [
        {"unit.dragon.hits": "2"}, {"unit.dragon.hits": "3"},
    ]  # fmt: skip
    rated = run(["study", "duel", "--runs", "1", "--turns", "1", "--against", "doctrine,random"])
    assert "Elo" in rated.out


def test_a_page_needs_a_folder(run: Run, tmp_path: Path) -> None:
    refused = run(["study", "duel", "--runs", "1", "--page", tmp_path / "x.html"])

    assert (refused.status, len(refused.complaints)) == (2, 1)
    assert "--out" in refused.err


def test_a_study_that_ends_before_its_aim_says_so(run: Run) -> None:
    ran = run(["study", "duel", "--runs", "1", "--turns", "1", "--until", "2%"])

    assert "not 2.0%, because --runs ended the study." in ran.out
