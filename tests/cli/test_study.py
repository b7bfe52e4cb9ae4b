"""``emlia3d study`` on the command line: tables, documents, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--vary", "unit.nobody.hits=1,2"], "nothing is called 'nobody'"),
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
