"""Chapter 10: what makes leading easy or hard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from emlia3d.rules.emlia.leadership import Appeal, improve_modifier, reorder_modifier
from emlia3d.rules.emlia.levels import Level

PLAIN = Appeal(source_morale=2, subject_morale=2, subject_start=2)

SHARED: tuple[tuple[str, dict[str, Any], dict[str, Any], int], ...] = (
    ("source-m4", {"source_morale": -4}, {"source_morale": -3}, -5),
    ("subject-m4", {"subject_morale": -4}, {"subject_morale": -3}, -2),
    ("av-lower", {"value_lower": True}, {}, -1),
    ("subject-unaware", {"subject_unaware": True}, {}, -5),
    ("source-partial", {"concealment": Level.PARTIAL}, {}, -1),
    ("source-total", {"concealment": Level.TOTAL}, {}, -3),
    ("source-higher", {"higher": True}, {}, +1),
    ("ranked", {"ranked": True}, {}, +1),
    ("open-wide", {"open": True, "across": 20.5}, {"open": True, "across": 20.0}, -2),
    ("not-all-within", {"all_within": False}, {}, -5),
)


def rows_of(table: str) -> list[Any]:
    """The rows that both tables have, each with the mark of its own slug."""
    return [
        pytest.param(f"{table}.mod.{row[0]}", *row[1:], id=row[0],
                     marks=pytest.mark.rule(f"{table}.mod.{row[0]}"))
        for row in SHARED
    ]  # fmt: skip


@pytest.mark.parametrize(("slug", "holds", "just_not", "modifier"), rows_of("emlia.lead.improve"))
def test_a_row_of_improve_morale_counts_where_it_holds(
    slug: str, holds: dict[str, Any], just_not: dict[str, Any], modifier: int
) -> None:
    found = improve_modifier(replace(PLAIN, **holds))

    assert found == (modifier, (slug,))
    assert improve_modifier(replace(PLAIN, **just_not)).total == 0


@pytest.mark.parametrize(("slug", "holds", "just_not", "modifier"), rows_of("emlia.lead.reorder"))
def test_a_row_of_reorder_counts_where_it_holds(
    slug: str, holds: dict[str, Any], just_not: dict[str, Any], modifier: int
) -> None:
    found = reorder_modifier(replace(PLAIN, **holds))

    assert found == (modifier, (slug,))
    assert reorder_modifier(replace(PLAIN, **just_not)).total == 0


@pytest.mark.rule("emlia.lead.improve.mod.source-m7")
@pytest.mark.rule("emlia.lead.improve.mod.subject-m7")
def test_the_routed_are_the_worst_to_lead_and_to_be_led_by() -> None:
    assert improve_modifier(replace(PLAIN, source_morale=-7)).total == -10
    assert improve_modifier(replace(PLAIN, source_morale=-6)).total == -5
    assert improve_modifier(replace(PLAIN, subject_morale=-7)).total == -5
    assert improve_modifier(replace(PLAIN, subject_morale=-6)).total == -2


@pytest.mark.rule("emlia.lead.reorder.mod.source-m7")
@pytest.mark.rule("emlia.lead.reorder.mod.subject-m7")
def test_a_rout_is_the_worst_to_bring_to_order() -> None:
    assert reorder_modifier(replace(PLAIN, source_morale=-7)).total == -10
    assert reorder_modifier(replace(PLAIN, source_morale=-6)).total == -5
    assert reorder_modifier(replace(PLAIN, subject_morale=-7)).total == -5
    assert reorder_modifier(replace(PLAIN, subject_morale=-6)).total == -2


@pytest.mark.rule("emlia.lead.improve.mod.subject-over-start")
def test_hearts_above_their_start_are_hard_to_raise_further() -> None:
    over = replace(PLAIN, subject_morale=3)

    assert improve_modifier(over) == (-5, ("emlia.lead.improve.mod.subject-over-start",))
    assert improve_modifier(replace(PLAIN, subject_morale=2)).total == 0
    assert reorder_modifier(over).total == 0


def test_rows_add_up() -> None:
    appeal = replace(PLAIN, subject_morale=-4, ranked=True, higher=True)

    assert improve_modifier(appeal).total == 0
    assert len(improve_modifier(appeal).because) == 3
