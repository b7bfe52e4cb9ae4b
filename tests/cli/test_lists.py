"""The commands that list: scenarios, rules, doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emlia3d.rules.catalogue import SYSTEMS, catalogue

NOTICE = Path(__file__).parents[2] / "NOTICE"


def test_the_scenarios_are_listed_within_80_columns(run) -> None:
    told = run(["scenarios"])

    lines = told.out.splitlines()
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert told.status == 0
    assert max(map(len, lines)) <= 80
    assert names[0] == "ridge"
    assert {"bandits", "duel"} <= set(names)


def test_a_scenario_is_listed_with_its_rules_its_size_and_what_it_is_about(run) -> None:
    listed = run(["scenarios"]).out.splitlines()

    (row,) = [row for row, line in enumerate(listed) if line.startswith("duel ")]
    assert listed[row].split(maxsplit=1) == ["duel", "Four warriors and a dragon"]
    assert listed[row + 1].strip() == "emlia, 5 figures in 5 units, 15 turns, 180 x 140 m"
    assert listed[row + 2].strip().startswith("Four heroes")
    assert listed[1].endswith("1.5 x 1.5 km")


def test_the_list_of_scenarios_is_one_document_too(run) -> None:
    listed = json.loads(run(["scenarios", "--json"]).out)

    assert listed[0]["name"] == "ridge"
    (duel,) = [entry for entry in listed if entry["name"] == "duel"]
    assert duel.pop("summary").startswith("Four heroes")
    assert duel == {
        "name": "duel", "title": "Four warriors and a dragon", "rules": "emlia", "figures": 5,
        "units": 5, "turns": 15, "size_m": [180, 140],
    }  # fmt: skip


def test_the_findings_of_doctor_are_one_document_too(run) -> None:
    found = json.loads(run(["doctor", "--json"]).out)
    lines = run(["doctor"]).out.splitlines()

    assert all(isinstance(each, str) for findings in found.values() for each in findings)
    assert {line.split()[0] for line in lines} == set(found)
    assert found["numpy"] == [next(line for line in lines if line.startswith("numpy"))[10:]]


def test_the_rules_are_counted_for_all_five_systems(run) -> None:
    told = run(["rules", "--json"])

    counts = json.loads(told.out)
    listed = {system: len(catalogue(system)) for system in SYSTEMS}
    assert {system: count["catalogue"] for system, count in counts.items()} == listed
    assert min(listed.values()) > 100
    for count in counts.values():
        assert set(count) == {"catalogue", "implemented", "tested"}
        assert 0 <= count["implemented"] <= count["catalogue"]
        assert 0 <= count["tested"] <= count["catalogue"]


def test_a_table_of_the_rules_says_the_same(run) -> None:
    counts = json.loads(run(["rules", "--json"]).out)

    rows = [line.split() for line in run(["rules"]).out.splitlines()[1:]]

    assert rows == [
        [system, str(count["catalogue"]), str(count["implemented"]), str(count["tested"])]
        for system, count in counts.items()
    ]


def test_the_rules_of_a_system_are_told_by_chapter(run) -> None:
    counts = json.loads(run(["rules", "emlia", "--json"]).out)["emlia"]

    (book,) = json.loads(run(["rules", "emlia", "--status", "--json"]).out).values()
    told = run(["rules", "emlia", "--status"]).out.splitlines()

    assert [row["chapter"] for row in book] == list(range(25))
    for key in ("catalogue", "implemented", "tested"):
        assert sum(row[key] for row in book) == counts[key]
    assert book[20]["title"] == "Awareness, hiding, detection"
    assert book[20]["catalogue"] == 34
    assert len(told) == 26
    assert told[21].split()[0] == "20"
    assert told[21].split()[-3] == "34"


def test_a_hit_belongs_to_its_chapter_and_what_becomes_of_it_to_another(run) -> None:
    (book,) = json.loads(run(["rules", "emlia", "--status", "--json"]).out).values()

    assert book[16]["catalogue"] == 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_source_of_the_rules_of_a_system_is_credited_as_in_the_notice(run, system) -> None:
    told = run(["rules", system]).out.split("\n\n", 1)[1]
    notice = " ".join(NOTICE.read_text("utf-8").split())

    assert len(told.split()) > 10
    assert " ".join(told.split()) in notice


def test_counts_of_all_systems_and_in_json_have_no_credits(run) -> None:
    assert "wiki" in run(["rules", "epic"]).out
    assert "wiki" not in run(["rules"]).out
    assert list(json.loads(run(["rules", "epic", "--json"]).out)) == ["epic"]


def test_the_untested_rules_can_be_listed(run) -> None:
    counts = json.loads(run(["rules", "oathmark", "--json"]).out)["oathmark"]

    told = run(["rules", "oathmark", "--untested"]).out.split()

    assert len(told) == counts["catalogue"] - counts["tested"]
    assert all(slug.startswith("oathmark.") for slug in told)


def test_an_untested_rule_of_emlia_is_listed_with_the_reason(run) -> None:
    counts = json.loads(run(["rules", "emlia", "--json"]).out)["emlia"]

    told = run(["rules", "emlia", "--untested"]).out.splitlines()

    assert len(told) == counts["catalogue"] - counts["tested"]
    assert any(line.startswith("emlia.caveman.hits: Data: armies/emlia.toml") for line in told)


def test_a_system_that_there_is_not_is_told_in_a_line(run) -> None:
    told = run(["rules", "emlai"])

    assert told.status == 2
    assert told.err == 'unknown rule system "emlai"; did you mean emlia?\n'


def test_two_questions_about_rules_are_not_asked_at_once(run) -> None:
    told = run(["rules", "emlia", "--status", "--untested"])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert "--status and --untested exclude each other" in told.err


def test_the_doctor_names_what_draws_and_what_computes(run) -> None:
    told = run(["doctor"])

    assert told.status == 0
    for topic in ("emlia3d", "python", "kernels", "numpy", "shapely", "panda3d", "picture"):
        assert f"\n{topic} " in f"\n{told.out}"
