"""Chapter 10: what makes leading easy or hard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.tables.leadership import (
    TABLES,
    LeadershipCheck,
    joined_morale,
    lead_modifier,
)

PLAIN = LeadershipCheck(source_morale=2, subject_morale=2, subject_start=2)

SHARED: tuple[tuple[str, dict[str, Any], dict[str, Any], int], ...] = (
    ("source-m4", {"source_morale": -4}, {"source_morale": -3}, -5),
    ("subject-m4", {"subject_morale": -4}, {"subject_morale": -3}, -2),
    ("av-lower", {"value_lower": True}, {}, -1),
    ("subject-unaware", {"subject_unaware": True}, {}, -5),
    ("source-partial", {"partial": True}, {}, -1),
    ("source-total", {"total": True}, {}, -3),
    ("source-higher", {"higher": True}, {}, +1),
    ("ranked", {"ranked": True}, {}, +1),
    ("open-wide", {"open": True, "across": 20.5}, {"open": True, "across": 20.0}, -2),
    ("not-all-within", {"all_within": False}, {}, -5),
)


BUT_WHERE: dict[str, dict[str, int | None]] = {
    "improve": {},
    "reorder": {},
    "ignore": {},
    "join": {"ranked": None},
    "split": {"ranked": None},
    "take-command": {"av-lower": -4},
}
"""Where a table's modifier is another than that of most, or the row is not in it."""

ACTIONS = {
    "improve": "improve morale",
    "reorder": "reorder",
    "ignore": "ignore initiative",
    "join": "join units",
    "split": "split unit",
    "take-command": "take command",
}


def modifier(key: str, appeal: LeadershipCheck) -> Modified:
    return lead_modifier(appeal, TABLES[ACTIONS[key]])


def cases() -> list[Any]:
    """The rows that most tables have, each with the mark of its own slug."""
    found = []
    for table, others in BUT_WHERE.items():
        for key, holds, just_not, usual in SHARED:
            value = others.get(key, usual)
            slug = f"emlia.lead.{table}.mod.{key}"
            if value is not None:
                mark = pytest.mark.rule(slug)
                found.append(pytest.param(table, slug, holds, just_not, value, id=slug, marks=mark))
    return found


@pytest.mark.parametrize(("table", "slug", "holds", "just_not", "value"), cases())
def test_a_row_of_a_leadership_table_counts_where_it_holds(
    table: str, slug: str, holds: dict[str, Any], just_not: dict[str, Any], value: int
) -> None:
    assert modifier(table, replace(PLAIN, **holds)) == (value, (slug,), (value,))
    assert modifier(table, replace(PLAIN, **just_not)).total == 0


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            table,
            marks=pytest.mark.rule(
                f"emlia.lead.{table}.mod.source-m7", f"emlia.lead.{table}.mod.subject-m7"
            ),
        )
        for table in BUT_WHERE
    ],
)
def test_the_routed_are_the_worst_to_lead_and_to_be_led_by(table: str) -> None:
    assert modifier(table, replace(PLAIN, source_morale=-7)).total == -10
    assert modifier(table, replace(PLAIN, source_morale=-6)).total == -5
    assert modifier(table, replace(PLAIN, subject_morale=-7)).total == -5
    assert modifier(table, replace(PLAIN, subject_morale=-6)).total == -2


@pytest.mark.parametrize(
    ("table", "value"),
    [
        pytest.param(
            "improve", -5, marks=pytest.mark.rule("emlia.lead.improve.mod.subject-over-start")
        ),
        pytest.param(
            "ignore", -5, marks=pytest.mark.rule("emlia.lead.ignore.mod.subject-over-start")
        ),
        ("reorder", 0),
        ("join", 0),
        ("split", 0),
        ("take-command", 0),
    ],
)
def test_hearts_above_their_start_are_hard_to_raise_or_steady(table: str, value: int) -> None:
    over = replace(PLAIN, subject_morale=3)

    assert modifier(table, over).total == value
    assert modifier(table, replace(PLAIN, subject_morale=2)).total == 0


@pytest.mark.rule("emlia.lead.join.mod.one-ranked")
def test_ranks_and_a_crowd_are_hard_to_join() -> None:
    assert modifier("join", replace(PLAIN, one_ranked=True)).total == -1
    assert modifier("split", replace(PLAIN, one_ranked=True)).total == 0


@pytest.mark.rule("emlia.lead.join.morale")
@pytest.mark.parametrize(("one", "other", "both"), [(4, 4, 4), (4, 2, 3), (-2, 3, 2)])
def test_units_that_join_take_the_higher_morale_less_one_if_the_other_is_lower(
    one: int, other: int, both: int
) -> None:
    assert joined_morale(one, other) == both


@pytest.mark.rule("emlia.lead.ignore")
def test_the_books_two_leaders_who_call_on_men_to_stand() -> None:
    ranks = replace(PLAIN, source_morale=3, subject_morale=-5, subject_start=2, ranked=True)
    routed = replace(PLAIN, source_morale=-7, subject_morale=-7)

    assert modifier("ignore", ranks).total == -1
    assert modifier("ignore", routed).total == -15


def test_rows_add_up() -> None:
    appeal = replace(PLAIN, subject_morale=-4, ranked=True, higher=True)

    assert modifier("improve", appeal).total == 0
    assert len(modifier("improve", appeal).because) == 3
