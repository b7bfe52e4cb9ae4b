"""``report --stats``: statistics of battle files and scenarios."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from emlia3d.cli import main


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle file to its end."""
    path = tmp_path_factory.mktemp("played") / "x.battle.jsonl"
    assert main(["battle", "bandits", "--headless", "--seed", "3", "--save", str(path)]) == 0
    return path


def test_a_recorded_battle_and_its_scenario_have_the_same_statistics(run, played: Path) -> None:
    recorded = run(["report", played, "--stats", "--json"])
    again = run(["report", "bandits", "--seed", "3", "--stats", "--json"])

    assert (recorded.status, recorded.err) == (0, "")
    assert recorded.out == again.out
    assert set(json.loads(recorded.out)) == {
        "units", "turns", "luck", "first_broken", "places",
    }  # fmt: skip


def test_csv_has_the_units_of_the_json_document(run, played: Path) -> None:
    document = json.loads(run(["report", played, "--stats", "--json"]).out)
    table = [*csv.DictReader(io.StringIO(run(["report", played, "--stats", "--csv"]).out))]

    assert [row["name"] for row in table] == ["archers", "bandits", "raiders"]
    for row, unit in zip(table, document["units"], strict=True):
        assert row == {key: "" if told is None else str(told) for key, told in unit.items()}


def test_the_table_names_units_and_luck(run, played: Path) -> None:
    told = run(["report", played, "--stats"])

    assert told.status == 0
    assert told.out.startswith("Bandits behind the rock: statistics\n\nunit     side ")
    assert "expected (standard deviation " in told.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--csv"], "--csv needs --stats"),
        (["--stats", "--csv", "--json"], "--csv and --json exclude each other"),
        (["--stats", "--turn", "1"], "cannot be combined with --turn, --dice"),
    ],
)
def test_options_that_do_not_fit_are_refused(run, words: list[str], complaint: str) -> None:
    told = run(["report", "bandits", *words])

    assert (told.status, told.out) == (2, "")
    assert complaint in told.err


def test_a_damaged_file_is_refused_with_its_line(run, played: Path, tmp_path: Path) -> None:
    lines = played.read_text("utf-8").splitlines()
    bad = tmp_path / "bad.battle.jsonl"
    bad.write_text("\n".join([*lines[:3], '{"event":', *lines[4:]]) + "\n", "utf-8")

    told = run(["report", bad, "--stats"])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert "bad.battle.jsonl:4: " in told.err


def test_an_attack_on_a_unit_that_is_not_there_is_refused(run, played: Path, tmp_path) -> None:
    lines = played.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if json.loads(line).get("event") == "fired")
    lines[at] = json.dumps(json.loads(lines[at]) | {"target": 999})
    bad = tmp_path / "bad.battle.jsonl"
    bad.write_text("\n".join(lines) + "\n", "utf-8")

    told = run(["report", bad, "--stats"])

    assert (told.status, told.out) == (2, "")
    assert f"bad.battle.jsonl:{at + 1}: " in told.err


@pytest.mark.parametrize("number", [-1, 10**18])
def test_impossible_hits_are_refused(run, played: Path, tmp_path: Path, number: int) -> None:
    lines = [json.loads(line) for line in played.read_text("utf-8").splitlines()]
    fired = next(line for line in lines if line.get("event") == "fired")
    fired["facts"]["successes"] = number
    bad = tmp_path / "bad.battle.jsonl"
    bad.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    told = run(["report", bad, "--stats"])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
