"""Emlia, chapters 6, 10 and 21.3 in play: what a mixed unit suffers, and who leads it then."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.play.morale.allocation import markers_by_row
from emlia3d.rules.emlia.play.morale.leading import leader_of, leader_place
from emlia3d.rules.emlia.play.situation.parts import (
    leading_part,
    members_of_all,
    on_field,
    parts_of,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.timing import begin_turn

FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 10, "at": (60, 120)}


def block(name: str, members: int, x: float, **other: Any) -> dict[str, Any]:
    """So many men at *x*, tough enough to be hit often."""
    return {"name": name, "members": members, "formation": "close", "at": (x, 40), "hits": 99,
            **other}  # fmt: skip


def hit(battle, *groups: tuple[int, int], subject: int = 0, focused: int = 0, by: int = -1):
    """Put hits of (how many, base damage) on a unit, by the last unit of the battle."""
    attacker = len(battle.state.units) + by
    rows = [
        {"subject": subject, "attacker": attacker, "base_damage": damage, "hits": count,
         "party": -1, "focused": focused}
        for count, damage in groups
    ]  # fmt: skip
    battle.happen(
        Event(
            facts=Unread(event="hit"),
            changes=tuple(Append(table="marker", row=row) for row in rows),
        )
    )


def markers(play, battle, answers=()) -> dict[int, Any]:
    """The markers of each subunit or plain unit."""
    found: dict[int, Any] = {}

    def asked():
        found.update((yield from markers_by_row(battle)))

    play(battle, asked(), answers=answers)
    return found


def taken(play, battle, answers=()) -> dict[str, dict[int, int]]:
    """Who takes how many hits of which base damage."""
    found = markers(play, battle, answers)
    out: dict[str, dict[int, int]] = {}
    for row in sorted(found):
        counts = out.setdefault(battle.setup.units[row].name, {})
        for marker in found[row]:
            counts[marker.base_damage] = counts.get(marker.base_damage, 0) + marker.hits
    return out


@pytest.mark.rule("emlia.hits.direct-subunit")
@pytest.mark.parametrize(("by", "whose"), [(-1, -1), (0, 1), (1, 1), (2, 2)])
def test_the_hits_of_a_subunit_are_those_of_its_unit(field_of_battle, play, by, whose):
    battle = field_of_battle(
        block("guards", 2, 60, group="line"), block("line", 8, 40), {**FOE, "hits": 99}
    )
    row = {"subject": 2, "attacker": by, "base_damage": 1, "hits": 3, "party": -1, "focused": 0}
    battle.happen(Event(facts=Unread(event="hit"), changes=(Append(table="marker", row=row),)))

    found = markers(play, battle)

    assert [(marker.attacker, marker.hits) for marker in found[2]] == [(whose, 3)]


@pytest.mark.rule("emlia.hits.example-three", "emlia.hits.groups", "emlia.hits.group-order")
@pytest.mark.rule("emlia.hits.subunit-quota", "emlia.hits.allocate")
def test_fifteen_hits_on_eight_two_and_one(field_of_battle, play):
    battle = field_of_battle(
        block("A", 8, 40), block("B", 2, 50, group="A"), block("C", 1, 55, group="A"), FOE
    )
    hit(battle, (10, 1), (4, 5), (1, 4))

    assert taken(play, battle) == {"A": {1: 8, 5: 3, 4: 1}, "B": {1: 2}, "C": {5: 1}}


@pytest.mark.rule("emlia.hits.example-two", "emlia.hits.subunit-ties", "emlia.hits.group-order")
@pytest.mark.parametrize(
    ("second", "result"),
    [
        (1, {"A": {0: 3, 1: 1, 4: 2}, "B": {0: 2, 1: 2, 4: 1}}),
        (4, {"A": {0: 3, 1: 2, 4: 1}, "B": {0: 2, 1: 1, 4: 2}}),
    ],
)
def test_the_controller_chooses_between_equal_subunits_and_equal_groups(
    field_of_battle, play, second, result
):
    # The book calls the first marker that A takes one of base damage 1; it is one of 0.
    battle = field_of_battle(block("A", 4, 40), block("B", 4, 50, group="A"), FOE)
    hit(battle, (5, 0), (3, 1), (3, 4))

    def by_damage(decision):
        return next(option for option in decision.options if option.number == second)

    assert taken(play, battle, ["hit-first", by_damage]) == result


@pytest.mark.rule("emlia.hits.subunit-ties")
def test_the_controller_may_have_the_other_of_two_equals_hit_first(field_of_battle, play):
    battle = field_of_battle(block("A", 4, 40), block("B", 4, 50, group="A"), FOE)
    hit(battle, (3, 0))

    other = taken(play, battle, [lambda decision: decision.options[1]])

    assert other == {"A": {0: 1}, "B": {0: 2}}


@pytest.mark.rule("emlia.hits.subunit-ties")
def test_nobody_is_asked_where_the_order_makes_no_difference(field_of_battle, play):
    battle = field_of_battle(block("A", 4, 40), block("B", 4, 50, group="A"), FOE)
    hit(battle, (4, 0))

    assert taken(play, battle) == {"A": {0: 2}, "B": {0: 2}}


@pytest.mark.rule("emlia.hits.direct-subunit", "emlia.hits.marker")
def test_focused_hits_go_to_their_subunit_and_are_not_allocated(field_of_battle, play):
    battle = field_of_battle(block("A", 8, 40), block("B", 2, 50, group="A"), FOE)
    hit(battle, (5, 2), subject=1, focused=1)
    hit(battle, (3, 2), subject=0, focused=1)
    hit(battle, (5, 0))

    assert taken(play, battle) == {"A": {0: 4, 2: 3}, "B": {0: 1, 2: 5}}


@settings(max_examples=40, deadline=None)
@given(
    members=st.lists(st.integers(1, 9), min_size=2, max_size=4),
    groups=st.lists(st.tuples(st.integers(1, 12), st.integers(0, 4)), min_size=1, max_size=4),
)
@pytest.mark.rule("emlia.hits.allocate")
def test_no_hit_is_lost_or_made_by_allocation(field_of_battle, members, groups):
    parts = [
        block(f"part {row}", count, 30 + 15 * row, **({"group": "part 0"} if row else {}))
        for row, count in enumerate(members)
    ]
    battle = field_of_battle(*parts, FOE)
    hit(battle, *groups)

    procedure, answer = markers_by_row(battle), None
    while True:
        try:
            answer = procedure.send(answer).options[-1]
        except StopIteration as end:
            found = end.value
            break

    total: dict[int, int] = {}
    for markers in found.values():
        for marker in markers:
            total[marker.base_damage] = total.get(marker.base_damage, 0) + marker.hits
    wanted: dict[int, int] = {}
    for count, damage in groups:
        wanted[damage] = wanted.get(damage, 0) + count
    assert total == wanted


@pytest.mark.rule("emlia.mixed.morale-value")
def test_a_mixed_unit_starts_with_the_morale_of_its_largest_subunit(field_of_battle):
    battle = field_of_battle(
        block("few", 2, 40, morale=5), block("many", 9, 50, morale=1, group="few"), FOE, turn=0
    )

    assert battle.state.units.integer("morale", 0) == 1


@pytest.mark.rule("emlia.mixed.morale-value")
def test_casualties_count_over_the_whole_unit(field_of_battle, play):
    halves = block("A", 10, 40, hits=1), block("B", 10, 55, hits=1, group="A")
    mixed = field_of_battle(*halves, FOE)
    plain = field_of_battle(block("A", 20, 40, hits=1), FOE)
    half = field_of_battle(block("A", 10, 40, hits=1), FOE)
    hit(mixed, (5, 0), subject=1, focused=1)
    hit(plain, (5, 0))
    hit(half, (5, 0))

    for battle in (mixed, plain, half):
        play(battle, phase.resolve(battle))

    assert [mixed.state.units.integer("members", row) for row in (0, 1)] == [10, 5]
    morale = [battle.state.units.integer("morale", 0) for battle in (mixed, plain, half)]
    assert morale[0] == morale[1] > morale[2]


@pytest.mark.rule("emlia.mixed.acts-as-one", "emlia.damage.step", "emlia.damage.unit-destroyed")
def test_the_head_stands_for_its_unit_until_the_last_of_its_subunits_is_gone(field_of_battle, play):
    battle = field_of_battle(block("A", 2, 40, hits=1), block("B", 3, 55, hits=1, group="A"), FOE)
    hit(battle, (2, 0), subject=0, focused=1)
    play(battle, phase.resolve(battle))

    assert parts_of(battle, 0) == (1,)
    assert on_field(battle) == [0, 2]
    assert members_of_all(battle, 0) == 3
    assert situation_of(battle).outline(0).equals(situation_of(battle).outline(1))

    hit(battle, (3, 0))
    play(battle, phase.resolve(battle))

    assert on_field(battle) == [2]


@pytest.mark.rule("emlia.lead.leader.choice", "emlia.mixed.origins")
def test_the_leader_is_of_the_subunit_with_the_best_leadership_then_of_the_highest_value(
    field_of_battle,
):
    skilled = {"skills": {"leadership": "3"}}
    battle = field_of_battle(
        block("men", 8, 40),
        block("sergeant", 1, 46, group="men", **skilled),
        block("captain", 1, 48, group="men", army_value=3, **skilled),
        FOE,
    )

    assert leading_part(battle, 0) == 2
    assert leader_of(battle, 0) == 0
    assert leader_place(battle, 0).equals(situation_of(battle).outline(2))


@pytest.mark.rule("emlia.lead.leader.casualty-order", "emlia.lead.leader.loss")
def test_a_leader_who_is_a_subunit_may_be_picked_out_and_lost(field_of_battle, play):
    battle = field_of_battle(
        block("men", 8, 40, hits=1),
        block("captain", 1, 48, group="men", hits=1, skills={"leadership": "3"}),
        FOE,
    )
    hit(battle, (1, 0), subject=1, focused=1)

    play(battle, phase.resolve(battle))

    units = battle.state.units
    assert units.integer("leader", 0) == LOST
    assert units.integer("disordered", 0) == 1
    assert leader_of(battle, 0) is None


@pytest.mark.rule("emlia.lead.leader.casualty-order")
def test_men_who_fall_beside_their_leader_cost_the_unit_no_leader(field_of_battle, play):
    battle = field_of_battle(
        block("men", 8, 40, hits=1),
        block("captain", 1, 48, group="men", hits=1, skills={"leadership": "3"}),
        FOE,
    )
    hit(battle, (7, 0), subject=0, focused=1)

    play(battle, phase.resolve(battle))

    assert leader_of(battle, 0) == 0
    assert leading_part(battle, 0) == 1


@pytest.mark.rule("emlia.lead.leader.casualty-order", "emlia.lead.leader.loss")
def test_a_subunit_that_falls_beside_the_leader_s_costs_the_unit_no_leader(field_of_battle, play):
    battle = field_of_battle(
        block("captain", 8, 40, hits=1, skills={"leadership": "3"}),
        block("scout", 1, 48, group="captain", hits=1),
        FOE,
    )
    hit(battle, (1, 0), subject=1, focused=1)

    play(battle, phase.resolve(battle))

    assert battle.state.units.integer("members", 1) == 0
    assert leader_of(battle, 0) == 0


@pytest.mark.rule("emlia.mixed.timing")
def test_the_next_turn_is_of_those_who_are_left(field_of_battle, play):
    battle = field_of_battle(
        block("men", 8, 40, timing=2, hits=1), block("scout", 1, 48, group="men", timing=5, hits=1),
        FOE,
    )  # fmt: skip
    hit(battle, (1, 0), subject=1, focused=1)
    play(battle, phase.resolve(battle))

    play(battle, begin_turn(battle))

    assert battle.state.units.integer("timing", 0) == 2
