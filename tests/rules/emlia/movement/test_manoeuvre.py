"""Chapter 11 as play: what a unit may be ordered to do with its move action, and how it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.rules.emlia.play.free_actions import rally
from emlia3d.rules.emlia.play.movement.manoeuvre import (
    MoveValidator,
    change_posture,
    may_move,
    may_take_cover,
    move,
    move_options,
    posture_options,
    short_of_edge,
)
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
ROCKS = {"name": "Rocks", "base_damage": 1, "range": (40, 80, 200), "use": ["aimed fire"]}


def ahead(distance: float, verb: str = "move", unit: int = 0, start: float = 50.5) -> Order:
    """A march due north of a single human at (50, 50), whose front is half a GSU ahead of him."""
    leg = Leg(step="march", x=50, y=start + distance, facing=0)
    return Order(verb=verb, unit=unit, legs=(leg,))


def slug_of(battle: Battle, order: Order) -> str | None:
    refusal = MoveValidator(battle, 0).refusal(order)
    return refusal.slug if refusal else None


@pytest.mark.rule("emlia.move.normal")
@pytest.mark.parametrize(("distance", "refused"), [(15, None), (15.1, "emlia.move.normal")])
def test_a_normal_move_goes_up_to_the_speed(
    distance: float, refused: str | None, field_of_battle: Build
) -> None:
    battle = field_of_battle(ALICE, BOB)

    assert slug_of(battle, ahead(distance)) == refused


@pytest.mark.rule("emlia.move.normal")
def test_a_move_follows_any_path_of_legs_and_pays_for_all_of_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, BOB)
    there = Leg(step="march", x=50, y=57.5, facing=0)
    far = Leg(step="march", x=50, y=49.5, facing=0)
    back = Leg(step="march", x=50, y=50.5, facing=0)

    assert slug_of(battle, Order(verb="move", unit=0, legs=(there, far))) is None
    assert slug_of(battle, Order(verb="move", unit=0, legs=(there, far, back))) == (
        "emlia.move.normal"
    )
    (moved,) = play(battle, move(battle, 0, Order(verb="move", unit=0, legs=(there, back))))
    assert moved.facts.cost == 14
    assert moved.facts.path == ((50, 57.5), (50, 50.5))


@pytest.mark.parametrize(
    ("leg", "height"),
    [
        (Leg(step="march", x=50, y=51.5, facing=0), 0),
        (Leg(step="turn", x=0, y=0, facing=90 * 64), 8),
    ],
)
def test_who_walks_off_a_tower_comes_down_and_who_turns_on_it_stays(
    leg: Leg, height: float, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**ALICE, "on_height": 8}, BOB)

    play(battle, move(battle, 0, Order(verb="move", unit=0, legs=(leg,))))

    assert battle.state.units.value("on_height", 0) == height


@pytest.mark.rule("emlia.move.normal")
def test_the_unit_stands_where_its_order_says(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ALICE, BOB)

    play(battle, move(battle, 0, ahead(12)))

    assert situation_of(battle).centre(0) == pytest.approx((50, 62))


@pytest.mark.rule("emlia.move.own-power")
def test_moving_takes_no_check_and_uses_the_move_action_up(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, BOB)

    play(battle, move(battle, 0, ahead(1)), dice=[])

    refusal = may_move(battle, 0, "double-pace")
    assert refusal is not None
    assert refusal.slug == "emlia.activate.two-actions"
    assert not move_options(battle, 0)


@pytest.mark.rule("emlia.move.double-pace")
@pytest.mark.parametrize(("distance", "refused"), [(30, None), (30.1, "emlia.move.normal")])
def test_at_double_pace_a_unit_moves_twice_its_speed(
    distance: float, refused: str | None, field_of_battle: Build
) -> None:
    battle = field_of_battle(ALICE, BOB)

    assert slug_of(battle, ahead(distance, "double-pace")) == refused


@pytest.mark.rule("emlia.move.double-pace")
def test_double_pace_weighs_on_the_checks_that_follow(field_of_battle: Build, play: Play) -> None:
    thrower = {**ALICE, "skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(thrower, BOB)

    answers = [ahead(10, "double-pace"), "fire"]
    events = play(battle, activate(battle, 0), dice=[12], answers=[*answers, ...])

    fired = next(event for event in events if event.name == "fired")
    assert fired.facts.modifier == -4 - 2 - 2 - 2
    assert battle.state.units.value("double_paced", 0) == 1


@pytest.mark.rule("emlia.move.double-pace")
def test_double_pace_is_declared_before_the_first_check(field_of_battle: Build, play: Play) -> None:
    leader = {**ALICE, "skills": {"leadership": "1"}}
    battle = field_of_battle(leader, {"at": (55, 50), "put": {"disordered": 1}}, BOB)
    before = slug_of(battle, ahead(20, "double-pace"))

    play(battle, rally.rally(battle, 0, Order(verb="reorder", unit=0, target=1)), dice=[1])

    assert before is None
    assert slug_of(battle, ahead(20, "double-pace")) == "emlia.move.double-pace"
    assert slug_of(battle, ahead(15)) is None


@pytest.mark.rule("emlia.move.double-pace")
def test_no_double_pace_follows_a_primary_action(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    battle = field_of_battle(ALICE, BOB)

    put(battle, 0, primary_used=1)

    assert slug_of(battle, ahead(20, "double-pace")) == "emlia.move.double-pace"


@pytest.mark.rule("emlia.move.drop-down", "emlia.move.prone-effects")
def test_the_prone_have_half_their_size_and_height(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**ALICE, "size": 4, "height": 3}, BOB)

    play(battle, change_posture(battle, 0, "drop-down"))

    situation = situation_of(battle)
    assert (situation.size(0), situation.height(0)) == (2, 1.5)
    assert battle.state.units.value("move_used", 0)


@pytest.mark.rule("emlia.move.stand-up")
def test_standing_up_is_a_move_action_that_ends_it(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**ALICE, "height": 3, "states": ["prone"]}, BOB)
    lying = situation_of(battle).height(0)

    play(battle, change_posture(battle, 0, "stand-up"))

    assert (lying, situation_of(battle).height(0)) == (1.5, 3)
    assert battle.state.units.value("move_used", 0)


@pytest.mark.rule("emlia.move.drop-down")
@pytest.mark.rule("emlia.move.stand-up")
def test_who_stands_may_lie_down_and_who_lies_may_stand_up(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    battle = field_of_battle(ALICE, BOB)
    standing = {order.verb for order in posture_options(battle, 0)}

    put(battle, 0, posture=1)
    lying = {order.verb for order in posture_options(battle, 0)}

    assert standing & {"drop-down", "stand-up"} == {"drop-down"}
    assert lying & {"drop-down", "stand-up"} == {"stand-up"}


@pytest.mark.rule("emlia.disorder.effect")
def test_a_disordered_unit_is_offered_no_change_of_posture(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    battle = field_of_battle(ALICE, BOB)
    ordered = posture_options(battle, 0)

    put(battle, 0, disordered=1)

    assert ordered
    assert posture_options(battle, 0) == []


@pytest.mark.rule("emlia.move.take-cover")
@pytest.mark.parametrize(
    ("north", "height", "may"),
    [
        pytest.param(5.0, 0.5, True, id="5 GSU away and half as tall"),
        pytest.param(5.1, 0.5, False, id="farther than 5 GSU"),
        pytest.param(5.0, 0.45, False, id="less than half as tall"),
    ],
)
def test_cover_is_taken_within_5_gsu_of_what_is_half_as_tall(
    north: float, height: float, may: bool, field_of_battle: Build
) -> None:
    edge = 50.5 + north
    wall = {"kind": "wall", "box": (40, edge, 60, edge + 1), "height": height}
    battle = field_of_battle(ALICE, BOB, terrain=[wall])

    assert (may_take_cover(battle, 0) is None) is may


@pytest.mark.rule("emlia.move.take-cover")
def test_what_stands_lower_than_the_unit_gives_it_no_cover(field_of_battle: Build) -> None:
    wall = {"kind": "wall", "box": (40, 52, 60, 53), "height": 0.5}

    battle = field_of_battle({**ALICE, "on_height": 1}, BOB, terrain=[wall])

    assert may_take_cover(battle, 0) is not None


@pytest.mark.rule("emlia.move.take-cover")
def test_the_hill_that_one_stands_on_gives_no_cover(field_of_battle: Build) -> None:
    hill = {"kind": "hill", "box": (0, 0, 100, 100)}

    battle = field_of_battle(ALICE, BOB, terrain=[hill])

    assert may_take_cover(battle, 0) is not None


@pytest.mark.rule("emlia.move.take-cover")
def test_another_unit_may_be_cover(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB, {"at": (53, 50)})

    assert may_take_cover(battle, 0) is None


@pytest.mark.rule("emlia.move.take-cover")
def test_taking_cover_is_a_move_action_without_a_check(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "wall", "box": (40, 52, 60, 53)}
    battle = field_of_battle(ALICE, BOB, terrain=[wall])

    answers = ["take-cover", ...]
    play(battle, activate(battle, 0), dice=[], answers=answers)

    units = battle.state.units
    assert (units.value("taking_cover", 0), units.value("move_used", 0)) == (1, 2)


@pytest.mark.rule("emlia.move.take-cover.end")
@pytest.mark.parametrize(("south", "keeps"), [(4.0, 1), (4.1, 0)])
def test_it_ends_where_the_unit_has_moved_farther_than_5_gsu(
    south: float, keeps: int, field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (40, 51.5, 60, 53)}
    battle = field_of_battle({**ALICE, "states": ["taking cover"]}, BOB, terrain=[wall])

    play(battle, move(battle, 0, ahead(-south)))

    assert battle.state.units.value("taking_cover", 0) == keeps


@pytest.mark.rule("emlia.move.take-cover.end")
def test_it_ends_when_the_unit_says_so_at_no_cost(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "wall", "box": (40, 51.5, 60, 53)}
    battle = field_of_battle({**ALICE, "states": ["taking cover"]}, BOB, terrain=[wall])
    assert speed_of(battle, 0) == 7.5

    play(battle, activate(battle, 0), answers=["leave-cover", ...])

    assert speed_of(battle, 0) == 15
    assert may_move(battle, 0, "move") is None


@pytest.mark.rule("emlia.morale.not-closer")
@pytest.mark.parametrize("morale", [0, -1, -7])
def test_a_unit_of_low_morale_does_not_go_nearer_to_the_enemy(
    morale: int, field_of_battle: Build
) -> None:
    battle = field_of_battle({**ALICE, "put": {"morale": morale}}, BOB)

    assert slug_of(battle, ahead(1)) == "emlia.morale.not-closer"
    assert slug_of(battle, ahead(-1)) is None


@pytest.mark.rule("emlia.morale.not-closer")
def test_a_unit_of_morale_1_goes_where_it_likes(field_of_battle: Build) -> None:
    battle = field_of_battle({**ALICE, "put": {"morale": 1}}, BOB)

    assert slug_of(battle, ahead(1)) is None


@pytest.mark.rule("emlia.morale.not-closer")
def test_the_shaken_may_go_nearer_to_an_enemy_whom_they_do_not_know(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (0, 100, 200, 102), "height": 20}
    battle = field_of_battle({**ALICE, "put": {"morale": 0}}, BOB, terrain=[rock])

    assert slug_of(battle, ahead(1)) is None


def test_a_move_meets_an_enemy_whom_nobody_knew_of_and_stops_there(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "rock", "box": (0, 55, 200, 56), "height": 20}
    flyer = {**ALICE, "formation": "close", "movement": "30F"}
    battle = field_of_battle(
        flyer, {"at": (50, 60), "side": "Bob", "formation": "close"}, terrain=[wall]
    )

    refused = slug_of(battle, ahead(20))
    (moved,) = play(battle, move(battle, 0, ahead(20)))

    assert refused is None
    assert battle.state.units.value("y", 0) == pytest.approx(59.5, abs=0.02)
    assert moved.facts.cost == pytest.approx(9, abs=0.02)


def test_a_move_through_an_enemy_in_plain_sight_is_refused(field_of_battle: Build) -> None:
    flyer = {**ALICE, "formation": "close", "movement": "30F"}
    battle = field_of_battle(flyer, {"at": (50, 60), "side": "Bob", "formation": "close"})

    assert slug_of(battle, ahead(20)) == "emlia.move.blocked-by-object"


def test_lying_down_before_an_engaged_enemy_gives_him_a_free_strike(
    field_of_battle: Build, question: Callable[..., Decision]
) -> None:
    battle = field_of_battle(ALICE, {**BOB, "at": (50, 51.5)})

    asked = question(battle, change_posture(battle, 0, "drop-down"))

    assert (asked.asks, asked.unit) == ("emlia.freestrike.who", 1)


def test_no_order_on_offer_gives_away_an_enemy_that_nobody_has_seen(
    field_of_battle: Build,
) -> None:
    trees = {"kind": "orchard", "box": (30, 51, 70, 63), "height": 5}
    lurking = {**BOB, "at": (50, 66), "formation": "close"}
    away, there = (field_of_battle(ALICE, foe, terrain=[trees]) for foe in (BOB, lurking))

    assert unknown_to(there, 0) == (1,)
    assert move_options(there, 0) == move_options(away, 0)


@pytest.mark.rule("emlia.move.leave")
@pytest.mark.parametrize("formation", ["open", "close", "ranked"])
@pytest.mark.parametrize("degrees", [0, 37, 90, 200, 315])
@pytest.mark.parametrize("distance", [3.0, 60.0, 130.0, 400.0])
def test_a_way_ends_where_any_part_would_come_over_the_edge(
    field_of_battle: Build, formation: str, degrees: int, distance: float
) -> None:
    body = {"at": (120, 90), "members": 8, "files": 4, "formation": formation, "facing": degrees}
    battle = field_of_battle(body)
    pose, size = pose_of(battle, 0), battle.setup.field.size
    field = box(0, 0, *size)

    far = short_of_edge(pose, pose.facing, distance, size)

    assert field.covers(gone(pose, pose.facing, far).outline)
    assert far == distance or not field.covers(gone(pose, pose.facing, far + 1 / 64).outline)
