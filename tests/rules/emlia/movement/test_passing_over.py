"""A unit passes over units of up to a quarter of its height, and halts on none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapely import Point

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.rules.emlia.play.charges.charging import foreseen
from emlia3d.rules.emlia.play.movement.legs import plan
from emlia3d.rules.emlia.play.movement.manoeuvre import fly
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.movement.reachable_area import extents
from emlia3d.rules.emlia.play.movement.shortest_paths import corners_round, follow, way_round
from emlia3d.rules.emlia.play.situation.allowance import has_room, straight
from emlia3d.rules.emlia.play.situation.footing import bars
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of

Build = Callable[..., Battle]
Put = Callable[..., None]

# A giant 1 GSU across on a base of its own, and a rank of men across its whole way, y 54.5 to 55.5.
GIANT: dict[str, Any] = {"at": (50, 50), "formation": "close", "size": 1, "height": 8}
MEN: dict[str, Any] = {"at": (50, 55), "members": 40, "files": 40, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def refusal(battle: Battle, *ends: tuple[float, float]) -> str | None:
    legs = tuple(Leg(step="march", x=x, y=y, facing=0) for x, y in ends)
    planned = plan(battle, 0, Order(verb="move", unit=0, legs=legs))
    return planned.slug if isinstance(planned, Refusal) else None


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize("formation", ["ranked", "close", "open"])
@pytest.mark.parametrize(
    ("mover", "men", "passes"),
    [(8, 1, True), (4, 1, True), (3.9, 1, False), (1, 1, False), (2, 0.5, True), (1, 0.5, False)],
)
def test_a_unit_bars_the_way_only_above_a_quarter_of_the_movers_height(
    mover: float, men: float, passes: bool, formation: str, field_of_battle: Build
) -> None:
    rank = {**MEN, "at": (51.5, 55), "height": men, "formation": formation}
    battle = field_of_battle({**GIANT, "height": mover}, rank, BOB)

    found = refusal(battle, (50, 62))

    assert found == (None if passes else "emlia.move.blocked-by-object")


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_each_of_several_units_is_compared_by_its_own_height(field_of_battle: Build) -> None:
    others = [{"at": (60 + x, 50), "height": h} for x, h in ((0, 1), (5, 2), (10, 2.5), (15, 8))]
    battle = field_of_battle(GIANT, *others, BOB)

    assert bars(battle, 0, np.arange(1, 5)).tolist() == [False, False, True, True]
    assert bars(battle, 1, np.array([0, 2])).tolist() == [True, True]


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("y", "free"), [(53.9, True), (54.2, False), (55.9, False), (56.2, True)])
def test_a_giant_does_not_halt_on_the_men_that_it_passes_over(
    y: float, free: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(GIANT, MEN, BOB)
    end = gone(pose_of(battle, 0), 0, y - 50)

    assert has_room(battle, 0, end) is free
    assert (refusal(battle, (50, y + 0.5)) is None) is free


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize("forced", [False, True])
def test_a_giant_whose_movement_ends_over_men_halts_before_them(
    forced: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(GIANT, MEN, BOB)
    pose = pose_of(battle, 0)

    over = straight(battle, 0, pose, 0, 10.0, forced=forced)
    onto = straight(battle, 0, pose, 0, 5.0, forced=forced)

    assert (over.distance, over.blocked_by) == (10, "")
    assert (onto.distance, onto.blocked_by) == (4, "obstacle")


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("prone", "passes"), [(0, False), (1, True)])
def test_prone_men_bar_with_half_of_their_height(
    prone: int, passes: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle({**GIANT, "height": 2}, {**MEN, "put": {"posture": prone}}, BOB)

    assert (refusal(battle, (50, 62)) is None) is passes


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("prone", "passes"), [(0, True), (1, False)])
def test_a_prone_mover_counts_with_half_of_its_height(
    prone: int, passes: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle({**GIANT, "height": 4, "put": {"posture": prone}}, MEN, BOB)

    assert (refusal(battle, (50, 62)) is None) is passes


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_a_rock_bars_an_ogre_as_soon_as_it_is_prone(field_of_battle: Build, put: Put) -> None:
    rock = {"kind": "rock", "box": (40, 60, 60, 62), "height": 0.5}
    battle = field_of_battle({**GIANT, "height": 2}, BOB, terrain=[rock])

    upright = len(going_of(battle, 0).barred)
    put(battle, 0, posture=1)

    assert (upright, len(going_of(battle, 0).barred)) == (0, 1)


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "reached"), [(8, True), (1, False)])
def test_a_charge_goes_over_small_men_and_is_stopped_by_others(
    height: float, reached: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle({**GIANT, "height": height}, MEN, {**BOB, "at": (50, 62)})

    end, home = foreseen(battle, 0, 2)

    assert (home, end.y > 58) == (reached, reached)


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_the_ground_in_reach_goes_on_behind_small_men_without_that_on_which_they_stand(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(GIANT, MEN, BOB)

    *_, reached = extents(battle, 0, 15.0)

    assert [reached.contains(Point(50, y)) for y in (53, 55, 58, 64)] == [True, False, True, True]


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "straight_on"), [(8, True), (1, False)])
def test_a_way_leads_straight_over_small_men_and_round_others(
    height: float, straight_on: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle({**GIANT, "height": height}, MEN, BOB)

    path = way_round(battle, 0, (50.0, 64.0))

    assert path is not None
    assert (len(path) == 1) is straight_on
    order = follow(battle, 0, path, 15.0, "move")
    assert order is not None
    assert not isinstance(plan(battle, 0, order), Refusal)


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "listed"), [(8, False), (1, True)])
def test_a_giant_needs_no_way_round_small_men(
    height: float, listed: bool, field_of_battle: Build
) -> None:
    few = {**MEN, "members": 4, "files": 4}
    battle = field_of_battle({**GIANT, "height": height}, few, BOB)

    assert bool(list(corners_round(battle, 0, 15.0))) is listed


@pytest.mark.rule("emlia.terrain.impassable-by-height", "emlia.mode.flying.altitude")
@pytest.mark.parametrize(("height", "passes"), [(8, True), (1, False)])
@pytest.mark.parametrize("altitude", [4.0, 4.5])
def test_a_great_flyer_passes_small_ones_at_its_height(
    height: float, passes: bool, altitude: float, field_of_battle: Build
) -> None:
    """It goes level with the others, or climbs past them."""
    bird = {"at": (50, 50), "formation": "close", "on_height": 4, "movement": "20F", "size": 1}
    small = {**bird, "at": (50, 55), "height": 1}
    battle = field_of_battle({**bird, "height": height}, small, BOB)
    leg = Leg(step="march", x=50, y=62.5, facing=0, altitude=altitude)

    planned = plan(battle, 0, Order(verb="move", unit=0, legs=(leg,)))

    assert isinstance(planned, Refusal) is not passes


@pytest.mark.rule("emlia.terrain.impassable-by-height", "emlia.charge.move")
@pytest.mark.parametrize(("height", "reached"), [(8, True), (1, False)])
def test_a_charge_in_the_air_goes_past_small_flyers_and_is_stopped_by_others(
    height: float, reached: bool, field_of_battle: Build
) -> None:
    bird = {"at": (50, 50), "formation": "close", "on_height": 4, "movement": "20F", "size": 1}
    small = {**bird, "at": (50, 55), "height": 1}
    foe = {**BOB, **bird, "at": (50, 62)}
    battle = field_of_battle({**bird, "height": height}, small, {**foe, "side": "Bob"})

    end, home = foreseen(battle, 0, 2)

    assert (home, end.y > 58) == (reached, reached)


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "passes"), [(8, True), (1, False)])
def test_a_flight_straight_on_passes_small_flyers(
    height: float, passes: bool, field_of_battle: Build
) -> None:
    bird = {"at": (50, 50), "formation": "close", "on_height": 4, "movement": "20F", "size": 1}
    small = {**bird, "at": (50, 55), "height": 1}
    battle = field_of_battle({**bird, "height": height}, small, BOB)

    run = straight(battle, 0, pose_of(battle, 0), 0, 12.0)
    order = fly(battle, 0, 0, 20.0, "move", 12.0, 4.0)

    assert (run.distance, run.blocked_by) == ((12, "") if passes else (4, "obstacle"))
    assert order is not None
    assert order.legs[-1].y == pytest.approx(62.5 if passes else 54.5, abs=0.01)
    climbs = fly(battle, 0, 0, 20.0, "move", 12.0, 4.5)
    assert climbs is not None
    assert len(climbs.legs) == (1 if passes else 2), "straight up first only if it is barred"


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "room"), [(8, 15.0), (1, 4.0)])
def test_small_men_leave_a_giant_in_ranks_all_its_room(
    height: float, room: float, field_of_battle: Build
) -> None:
    battle = field_of_battle({**GIANT, "formation": "ranked", "height": height}, MEN, BOB)

    found = NearbyBodies(battle, 0).room_before(pose_of(battle, 0), 15.0)

    assert found == pytest.approx(room, abs=0.01)
