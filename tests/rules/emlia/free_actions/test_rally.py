"""Chapter 10 as play: leaders put heart into units and bring them back to order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.free_actions import rally
from emlia3d.rules.emlia.play.morale import leading
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
LEADER: dict[str, Any] = {"at": (50, 50), "skills": {"leadership": "3"}, "army_value": 5}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def offered(battle: Battle, unit: int = 0) -> list[tuple[str, int | None]]:
    return [(order.verb, order.target) for order in rally.rally_options(battle, unit)]


def improve(target: int, verb: str = "improve-morale-primary") -> Order:
    return Order(verb=verb, unit=0, target=target)


@pytest.mark.rule("emlia.lead.improve")
def test_each_success_raises_morale_by_one_in_the_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"morale": -1}}, BOB)

    events = play(battle, rally.rally(battle, 0, improve(1)), dice=[5, 4, 12])
    before = battle.state.units.integer("morale", 1)
    play(battle, phase.resolve(battle))

    assert events[-1].facts.successes == 2
    assert before == -1
    assert battle.state.units.integer("morale", 1) == 1


@pytest.mark.rule("emlia.lead.improve", "emlia.lead.reorder")
def test_a_unit_whose_morale_rises_stays_disordered(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"disordered": 1}}, BOB)

    play(battle, rally.rally(battle, 0, improve(1)), dice=[12, 12, 12])
    play(battle, phase.resolve(battle))

    assert battle.state.units.integer("morale", 1) > 2
    assert battle.state.units.integer("disordered", 1) == 1


@pytest.mark.rule("emlia.lead.improve")
def test_a_failure_changes_nothing_but_counts_as_a_try(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"morale": 0}}, BOB)

    play(battle, rally.rally(battle, 0, improve(1)), dice=[1, 2, 4])
    tried = rally.may_improve(battle, 1)
    play(battle, phase.resolve(battle))

    assert battle.state.units.integer("morale", 1) == 0
    assert tried is not None


@pytest.mark.rule("emlia.lead.improve")
def test_a_unit_may_be_worked_on_again_after_it_has_activated(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"morale": 0}}, BOB)
    play(battle, rally.rally(battle, 0, improve(1)), dice=[1, 2, 4])

    play(battle, activate(battle, 1), answers=[...])

    assert rally.may_improve(battle, 1) is None


@pytest.mark.rule("emlia.lead.improve")
def test_it_is_a_move_and_again_a_primary_action_on_two_units(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50)}, {"at": (45, 50)}, BOB)

    answers = [improve(1, "improve-morale"), improve(2)]
    events = play(battle, activate(battle, 0), dice=[1, 1, 1, 2, 2, 2], answers=[*answers, ...])

    assert [event.target for event in events if event.name == "encouraged"] == [1, 2]
    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (1, 1)


@pytest.mark.rule("emlia.lead.improve")
def test_who_has_no_leadership_may_improvise(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 50)}, {"at": (55, 50), "put": {"morale": 0}}, BOB)

    assert ("improve-morale-primary", 1) in offered(battle)
    events = play(battle, rally.rally(battle, 0, improve(1)), dice=[9])

    assert events[-1].facts.modifier == -4
    assert events[-1].facts.successes == 1


@pytest.mark.rule("emlia.lead.improve")
def test_hearts_may_be_raised_above_their_start_up_to_seven(field_of_battle: Build) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50)}, {"at": (45, 50), "put": {"morale": 7}}, BOB)

    assert ("improve-morale-primary", 1) in offered(battle)
    assert ("improve-morale-primary", 2) not in offered(battle)


@pytest.mark.rule("emlia.lead.reorder")
def test_one_success_of_reorder_ends_disorder_in_the_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"disordered": 1}}, BOB)
    order = Order(verb="reorder", unit=0, target=1)

    play(battle, rally.rally(battle, 0, order), dice=[1, 5, 1])
    before = battle.state.units.value("disordered", 1)
    play(battle, phase.resolve(battle))

    assert before == 1
    assert battle.state.units.value("disordered", 1) == 0


@pytest.mark.rule("emlia.lead.reorder")
def test_a_failed_reorder_leaves_disorder(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"disordered": 1}}, BOB)

    play(battle, rally.rally(battle, 0, Order(verb="reorder", unit=0, target=1)), dice=[1, 2, 4])
    play(battle, phase.resolve(battle))

    assert battle.state.units.value("disordered", 1) == 1


@pytest.mark.rule("emlia.lead.reorder")
def test_reorder_is_a_free_action_that_is_taken_once(field_of_battle: Build, play: Play) -> None:
    lost = {"put": {"disordered": 1}}
    battle = field_of_battle(LEADER, {"at": (55, 50), **lost}, {"at": (45, 50), **lost}, BOB)

    play(battle, rally.rally(battle, 0, Order(verb="reorder", unit=0, target=1)), dice=[5, 5, 5])

    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (0, 0)
    assert not [verb for verb, _ in offered(battle) if verb == "reorder"]


@pytest.mark.rule("emlia.lead.reorder")
def test_only_an_ordered_commander_with_the_skill_reorders(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    unskilled = {"at": (50, 45)}
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"disordered": 1}}, unskilled, BOB)

    assert ("reorder", 1) in offered(battle)
    assert ("reorder", 1) not in offered(battle, 2)
    put(battle, 0, disordered=1, leftover=1)
    assert ("reorder", 1) not in offered(battle)
    assert ("improve-morale-primary", 1) in offered(battle)


@pytest.mark.rule("emlia.lead.range")
@pytest.mark.parametrize(("x", "reached"), [(71.0, True), (71.1, False)])
def test_leaders_reach_20_gsu_between_nearest_edges(
    x: float, reached: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(
        {**LEADER, "base": (2.0, 2.0), "formation": "ranked"},
        {"at": (x, 50), "base": (2.0, 2.0), "formation": "ranked"},
        BOB,
    )

    assert (1 in leading.subjects_of(battle, 0)) is reached


@pytest.mark.rule("emlia.lead.range")
def test_the_reach_is_that_of_the_leader_and_not_of_the_end_of_his_line(
    field_of_battle: Build,
) -> None:
    line = {**LEADER, "members": 21, "files": 21, "formation": "ranked"}
    near, far = {"at": (71, 50)}, {"at": (29.5, 50)}

    battle = field_of_battle(line, near, {"at": (74, 50)}, far, BOB)

    assert leading.subjects_of(battle, 0) == [0, 1, 3]


@pytest.mark.rule("emlia.lead.friendly")
def test_a_leader_rallies_his_own_unit_and_friends_but_no_enemy(field_of_battle: Build) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50)}, {**BOB, "at": (50, 60)})

    assert leading.subjects_of(battle, 0) == [0, 1]


@pytest.mark.rule("emlia.lead.rows")
def test_within_one_unit_nothing_is_concealed_unaware_or_above(field_of_battle: Build) -> None:
    company = {**LEADER, "members": 8, "files": 4, "formation": "ranked", "on_height": 3}
    battle = field_of_battle(company, BOB)

    appeal = leading.appeal_of(battle, 0, 0)

    assert not any((appeal.subject_unaware, appeal.partial, appeal.total, appeal.higher))
    assert appeal.ranked
    assert not appeal.value_lower


@pytest.mark.rule("emlia.lead.rows")
def test_a_leader_behind_a_wall_is_neither_seen_nor_known(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "box": (52, 0, 54, 100), "height": 20}
    battle = field_of_battle(LEADER, {"at": (58, 50)}, BOB, terrain=[wall])

    appeal = leading.appeal_of(battle, 0, 1)

    assert appeal.subject_unaware
    assert (appeal.partial, appeal.total) == (False, True)


@pytest.mark.rule("emlia.lead.rows")
def test_army_values_are_compared_as_they_are_now(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    battle = field_of_battle({**LEADER, "army_value": 1}, {"at": (55, 50)}, BOB)
    equal = leading.appeal_of(battle, 0, 1).value_lower

    put(battle, 1, morale=4)

    assert not equal
    assert leading.appeal_of(battle, 0, 1).value_lower


@pytest.mark.rule("emlia.lead.rows")
def test_a_leader_on_a_tower_stands_above_his_men(field_of_battle: Build) -> None:
    battle = field_of_battle({**LEADER, "on_height": 2}, {"at": (55, 50)}, BOB)

    assert leading.appeal_of(battle, 0, 1).higher
    assert not leading.appeal_of(battle, 1, 0).higher


@pytest.mark.rule("emlia.lead.rows")
def test_the_formation_counts_only_for_more_than_one(field_of_battle: Build) -> None:
    wide = {"at": (50, 60), "members": 9, "files": 9, "formation": "open"}
    pair = {"at": (60, 50), "members": 2, "files": 2, "formation": "ranked"}
    battle = field_of_battle(LEADER, {"at": (55, 50)}, wide, pair, BOB)

    alone, company, two = (leading.appeal_of(battle, 0, unit) for unit in (1, 2, 3))

    assert (alone.open, alone.ranked) == (False, False)
    assert two.ranked
    assert company.open
    assert company.across == pytest.approx(25.0, abs=0.1)


@pytest.mark.rule("emlia.lead.rows")
def test_a_man_out_of_earshot_is_one_not_within(field_of_battle: Build) -> None:
    line = {"at": (50, 55), "members": 41, "files": 41, "formation": "ranked"}
    longer = {"at": (50, 45), "members": 43, "files": 43, "formation": "ranked"}
    battle = field_of_battle(LEADER, line, longer, BOB)

    assert leading.appeal_of(battle, 0, 1).all_within
    assert not leading.appeal_of(battle, 0, 2).all_within


@pytest.mark.rule("emlia.lead.rows")
@pytest.mark.parametrize(("at", "within"), [(70.5, True), (70.625, False)])
def test_a_man_is_in_earshot_if_any_of_his_base_is(
    field_of_battle: Build, at: float, within: bool
) -> None:
    """The longer side of the base counts, and a reach of 20 GSU is kept to the nearest one."""
    file = {"at": (at, 50), "members": 2, "files": 1, "formation": "ranked", "facing": 90}
    battle = field_of_battle(LEADER, {**file, "base": (1, 2)}, BOB)

    assert leading.appeal_of(battle, 0, 1).all_within is within


@pytest.mark.rule("emlia.lead.rows")
def test_the_ends_of_his_own_long_line_may_be_out_of_the_leaders_earshot(
    field_of_battle: Build,
) -> None:
    line = {**LEADER, "members": 45, "files": 45, "formation": "ranked"}
    battle = field_of_battle(line, BOB)

    assert not leading.appeal_of(battle, 0, 0).all_within


@pytest.mark.rule("emlia.lead.leader", "emlia.disorder.cure")
@pytest.mark.parametrize(
    ("put", "verbs"),
    [
        ({}, {"reorder", "improve-morale-primary", "improve-morale"}),
        ({"leader": 1}, set()),
        ({"leader": -2}, set()),
        ({"primary_used": 1}, {"reorder", "improve-morale"}),
        ({"primary_used": 1, "move_used": 1}, {"reorder"}),
    ],
    ids=["its own", "of another unit", "lost", "has acted", "has done both"],
)
def test_a_unit_rallies_by_its_own_leader_with_the_actions_that_are_left(
    field_of_battle: Build, put: dict[str, int], verbs: set[str]
) -> None:
    friend = {"at": (55, 50), "put": {"disordered": 1, "morale": -1}}
    battle = field_of_battle({**LEADER, "put": put}, friend, BOB)

    assert {verb for verb, target in offered(battle) if target == 1} == verbs
