"""The commands that list: scenarios, rules, doctor."""

from __future__ import annotations

import json


def test_the_scenarios_are_one_line_each(run) -> None:
    told = run(["scenarios"])

    names = [line.split()[0] for line in told.out.splitlines()]
    assert told.status == 0
    assert names[0] == "ridge"
    assert {"bandits", "duel"} <= set(names)


def test_the_rules_are_counted_for_all_five_systems(run) -> None:
    told = run(["rules", "--json"])

    counts = json.loads(told.out)
    assert {system: count["catalogue"] for system, count in counts.items()} == {
        "emlia": 804,
        "oathmark": 134,
        "dbmm": 1217,
        "epic": 124,
        "runolfsson": 157,
    }
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


def test_the_doctor_names_what_draws_and_what_computes(run) -> None:
    told = run(["doctor"])

    assert told.status == 0
    for topic in ("emlia3d", "python", "kernels", "numpy", "shapely", "panda3d", "picture"):
        assert f"\n{topic} " in f"\n{told.out}"
