"""Chapter 12 as play: how far a flyer gets straight on at its altitude, and whom it meets there."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.play.movement.manoeuvre import fly
from emlia3d.rules.emlia.play.situation.allowance import (
    has_room,
    no_room,
    obstacles_to,
    straight,
)
from emlia3d.rules.emlia.play.situation.flight import flight_cost, foot_at, met_between
from emlia3d.rules.emlia.play.situation.march import March
from emlia3d.rules.emlia.play.situation.pose import at_altitude, gone, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]

STEP = 1 / 1024
"""GSU of the grid on which a move ends."""

BIRD: dict[str, Any] = {"at": (60, 40), "movement": "30F", "formation": "close"}
BOB: dict[str, Any] = {"at": (60, 60), "side": "Bob", "formation": "close"}
FAR: dict[str, Any] = {"at": (190, 190), "side": "Bob"}


def flown(
    battle: Battle, distance: float, budget: float, degrees: float = 0, **given: bool
) -> March:
    return straight(
        battle, 0, pose_of(battle, 0), facing_of_degrees(degrees), distance, budget, **given
    )


@pytest.mark.rule("emlia.mode.flying.path-length", "emlia.move.normal")
@pytest.mark.parametrize(
    ("short", "ended"), [(0, ""), (4 * STEP, ""), (5 * STEP, "movement"), (3, "movement")]
)
def test_a_flight_ends_where_the_movement_does(
    field_of_battle: Build, short: float, ended: str
) -> None:
    battle = field_of_battle(BIRD, FAR)

    found = flown(battle, 10, 10 - short)

    assert (found.distance, found.blocked_by) == (10 - short, ended)
    assert found.cost == pytest.approx(10 - short)


@pytest.mark.rule("emlia.mode.flying.path-length")
@pytest.mark.parametrize("degrees", [30, 117, 225, 301])
def test_a_slanting_flight_is_as_long_as_it_is_far(field_of_battle: Build, degrees: float) -> None:
    """Close men pay double for a way that they do not face."""
    battle = field_of_battle({**BIRD, "facing": degrees}, FAR)

    found = flown(battle, 12.3, 9.6, degrees)

    assert found.distance == pytest.approx(9.6, abs=3 * STEP)
    assert found.cost == pytest.approx(9.6, abs=3 * STEP)
    assert flown(battle, 7.5, 30, degrees).distance == pytest.approx(7.5, abs=2 * STEP)


@pytest.mark.rule("emlia.mode.flying.path-length")
@pytest.mark.parametrize("degrees", [0, 45, 90, 101, 180, 225, 270, 322])
def test_a_flight_over_rough_ground_is_taut_over_all_that_is_below_it(
    field_of_battle: Build, degrees: int
) -> None:
    """As long as the upper hull of the ground at a hundred places of each GSU."""
    bumps = np.random.default_rng(degrees).uniform(0, 12, (25, 25))
    hill = {"kind": "hill", "height": 4, "box": (70, 80, 95, 97)}
    man = {"at": (101.3, 98.7), "movement": "90F", "put": {"on_height": 0.5}}
    battle = field_of_battle(man, FAR, elevation_m=bumps, terrain=[hill])
    start = pose_of(battle, 0)
    end = gone(start, facing_of_degrees(degrees), 63.7)

    found = flight_cost(battle, start, end)

    shares = np.linspace(0, 1, 6371)
    (ax, ay), (bx, by) = start.middle, end.middle
    spots = np.column_stack((ax + shares * (bx - ax), ay + shares * (by - ay)))
    heights = situation_of(battle).ground_at(spots)
    heights[[0, -1]] = foot_at(battle, start), foot_at(battle, end)
    along = shares * hypot(bx - ax, by - ay)
    under = np.array([(along[-1], -99.0), (0.0, -99.0)])
    outline = np.vstack((np.column_stack((along, heights)), under))
    hull = shapely.multipoints(outline).convex_hull
    upper = np.array(sorted(corner for corner in hull.exterior.coords[:-1] if corner[1] > -99))
    # One height unit is as long as one GSU.
    taut = np.hypot(*np.diff(upper, axis=0).T).sum()
    assert len(upper) > 2
    assert found == pytest.approx(taut, abs=3e-3)


@pytest.mark.rule("emlia.form.close.speed")
def test_close_flyers_pay_double_aside_unless_they_are_forced(field_of_battle: Build) -> None:
    battle = field_of_battle(BIRD, FAR)

    aside, forced = flown(battle, 20, 12, 90), flown(battle, 20, 12, 90, forced=True)

    assert (aside.distance, aside.cost) == pytest.approx((6, 12))
    assert (forced.distance, forced.cost) == pytest.approx((12, 12))


@pytest.mark.rule("emlia.move.blocked-by-object")
@pytest.mark.parametrize(
    ("distance", "ended"), [(19, ""), (19 + 2 * STEP, ""), (19 + 3 * STEP, "obstacle")]
)
def test_a_flight_is_barred_by_what_it_would_come_into(
    field_of_battle: Build, distance: float, ended: str
) -> None:
    battle = field_of_battle(BIRD, BOB)

    found = flown(battle, distance, 30)

    assert found.distance == pytest.approx(19, abs=3 * STEP)
    assert found.blocked_by == ended


@pytest.mark.rule("emlia.entity.overlap")
def test_a_giant_flies_low_over_men_and_need_not_rise_first(field_of_battle: Build) -> None:
    giant = {**BIRD, "size": 8, "height": 8, "base": (4.0, 4.0)}
    battle = field_of_battle(giant, BOB)

    order = fly(battle, 0, 0, 60, "move", 30, 5.0)

    assert flown(battle, 30, 30).distance == 30
    assert order is not None
    assert [(leg.y, leg.altitude) for leg in order.legs] == [(pose_of(battle, 0).y + 30, 5)]


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(
    ("altitude", "height", "meets"),
    [(0, 1, True), (0.5, 1, True), (1, 1, False), (1.5, 1, False), (1.5, 2, True), (2, 2, False)],
)
def test_who_flies_just_above_another_does_not_meet_it(
    field_of_battle: Build, altitude: float, height: float, meets: bool
) -> None:
    """The flyer passes over the unit, and the unit walks below the flyer."""
    battle = field_of_battle(
        {**BIRD, "on_height": altitude}, {**BOB, "height": height, "movement": "30G"}
    )

    over = flown(battle, 30, 30)
    under = straight(battle, 1, pose_of(battle, 1), facing_of_degrees(180), 30)

    assert (over.distance == 30) is not meets
    assert (under.distance == 30) is not meets
    assert met_between(battle, 0, [1], [pose_of(battle, 0)]) == [1] * meets
    assert len(obstacles_to(battle, 0)) == len(obstacles_to(battle, 1)) == meets


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_a_flyer_below_another_does_not_meet_it(field_of_battle: Build) -> None:
    high = {**BOB, "movement": "30F", "on_height": 3.0}
    battle = field_of_battle({**BIRD, "on_height": 2.0}, high)
    here = pose_of(battle, 0)

    assert met_between(battle, 0, [1], [here]) == []
    assert met_between(battle, 0, [1], [at_altitude(here, 2.5)]) == [1]
    assert met_between(battle, 0, [1], [at_altitude(here, 0), at_altitude(here, 9)]) == [1]
    assert met_between(battle, 0, [1], [at_altitude(here, 4)]) == []


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(
    ("kind", "height", "altitude", "mode", "stands"),
    [
        ("lake", None, 0, None, False),
        ("lake", None, 0, "F", False),
        ("lake", None, 5, None, True),
        ("rock", 4, 3.5, None, False),
        ("rock", 4, 4, None, True),
    ],
)
def test_a_flyer_ends_over_what_it_may_not_stand_in(
    field_of_battle: Build,
    kind: str,
    height: float | None,
    altitude: float,
    mode: str | None,
    stands: bool,
) -> None:
    """In its usual mode, where none is named."""
    water = {"kind": kind, "box": (40, 70, 80, 90)} | ({"height": height} if height else {})
    battle = field_of_battle({**BIRD, "movement": "10G, 30F"}, FAR, terrain=[water])
    end = at_altitude(gone(pose_of(battle, 0), 0, 40), altitude)

    assert has_room(battle, 0, end, (), mode) is stands
    assert not has_room(battle, 0, at_altitude(end, 0), (), "G")


@pytest.mark.rule("emlia.move.leave")
def test_over_the_edge_is_told_before_what_stands_there(field_of_battle: Build) -> None:
    battle = field_of_battle(
        {"at": (60, 190), "formation": "close"},
        {"at": (60, 199), "side": "Bob", "formation": "close"},
    )
    here = pose_of(battle, 0)

    beyond, inside, before = (no_room(battle, 0, gone(here, 0, far)) for far in (9.75, 9.25, 5))

    assert beyond is not None
    assert beyond.slug == "emlia.move.leave"
    assert inside is not None
    assert inside.slug == "emlia.terrain.impassable-by-height"
    assert before is None
