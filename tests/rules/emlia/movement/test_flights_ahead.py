"""Where a flight straight on leads that nothing bars: as far, as high and as long as it may."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.movement.manoeuvre import fly
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]


@pytest.mark.parametrize(
    ("at", "height", "degrees", "most", "altitude", "gone"),
    [
        ((50, 50), 6.0, 0, 20.0, 6.0, (0, 20)),
        ((50, 50), 6.0, 0, 10.0, 6.0, (0, 10)),
        ((50, 20), 6.0, 0, 90.0, 6.0, (0, 30)),
        ((50, 50), 6.0, 90, 20.0, 6.0, (20, 0)),
        ((50, 50), 6.0, 180, 20.0, 6.0, (0, -20)),
        ((50, 50), 0.0, 0, 20.0, 10.0, (0, 20)),
        ((50, 50), 10.0, 270, 20.0, 0.0, (-20, 0)),
        # No part of a flyer of 1 GSU comes over an edge of a field of 100 x 80.
        ((50, 70), 6.0, 0, 20.0, 6.0, (0, 9.5)),
        ((50, 10), 6.0, 180, 20.0, 6.0, (0, -9.5)),
        ((90, 50), 6.0, 90, 20.0, 6.0, (9.5, 0)),
        ((10, 50), 6.0, 270, 20.0, 6.0, (-9.5, 0)),
    ],
)
def test_a_flight_leads_straight_on_to_its_altitude(
    field_of_battle: Build,
    at: tuple[float, float],
    height: float,
    degrees: int,
    most: float,
    altitude: float,
    gone: tuple[float, float],
) -> None:
    flyer = {"at": at, "movement": "30F", "formation": "open", "on_height": height}
    battle = field_of_battle(flyer, size=(100.0, 80.0))

    order = fly(battle, 0, 64 * degrees, 30.0, "move", most, altitude)

    assert order is not None
    assert (order.verb, order.unit) == ("move", 0)
    steps = [leg.step for leg in order.legs]
    assert steps == (["turn", "march"] if degrees else ["march"])
    last = order.legs[-1]
    # A leg is told by the middle of the front, half a GSU ahead.
    east, north = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}[degrees]
    end = (at[0] + gone[0] + east / 2, at[1] + gone[1] + north / 2)
    assert (last.x, last.y) == pytest.approx(end, abs=0.02)
    assert (last.altitude, last.facing) == (altitude, 64 * degrees)


@pytest.mark.parametrize(
    ("height", "altitude", "legs"),
    [
        # It rises where it stands, and then flies on over the giant.
        (0.0, 10.0, [(50, 10.0), (65, 10.0)]),
        (4.0, 8.0, [(50, 8.0), (65, 8.0)]),
        # High enough already, it sinks on its way alone.
        (10.0, 7.0, [(65, 7.0)]),
    ],
)
def test_a_flight_over_a_giant_begins_high_enough(
    field_of_battle: Build, height: float, altitude: float, legs: list[tuple[float, float]]
) -> None:
    giant = {"side": "Bob", "at": (50, 56), "height": 6, "formation": "close"}
    flyer = {"at": (50, 50), "movement": "30F", "formation": "open", "on_height": height}
    battle = field_of_battle(flyer, giant)

    order = fly(battle, 0, 0, 30.0, "move", 15.0, altitude)

    assert order is not None
    found = [(leg.y - 0.5, leg.altitude) for leg in order.legs]
    assert found == [pytest.approx(leg, abs=0.05) for leg in legs]
    assert {leg.x for leg in order.legs} == {50.0}


@pytest.mark.parametrize("up", [True, False])
def test_a_flight_is_as_long_as_the_movement_with_its_rise_or_fall(
    field_of_battle: Build, up: bool
) -> None:
    low, high = (0.0, 10.0) if up else (10.0, 0.0)
    flyer = {"at": (50, 50), "movement": "30F", "formation": "open", "on_height": low}
    battle = field_of_battle(flyer)

    order = fly(battle, 0, 0, 10.0, "move", 20.0, high)

    assert order is not None
    far, rise = order.legs[-1].y - pose_of(battle, 0).y, (order.legs[-1].altitude or 0.0) - low
    assert hypot(far, rise) == pytest.approx(10, abs=0.05)
    assert (rise > 0) is up


@pytest.mark.parametrize(("budget", "most"), [(0.0, 20.0), (30.0, 0.0)])
def test_a_flight_that_leads_nowhere_is_none(
    field_of_battle: Build, budget: float, most: float
) -> None:
    flyer = {"at": (50, 50), "movement": "30F", "formation": "open", "on_height": 6.0}
    battle = field_of_battle(flyer)

    assert fly(battle, 0, 0, budget, "move", most, 6.0) is None
