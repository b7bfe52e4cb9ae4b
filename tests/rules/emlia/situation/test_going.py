"""What the ground is like to move over for each kind of troops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]
MAN: dict[str, Any] = {"at": (10, 10)}


def slow(battle: Battle, unit: int = 0) -> dict[float, float]:
    """The area of what slows the unit, by what a GSU costs there."""
    return {factor: area.area for factor, area in going_of(battle, unit).slow}


@pytest.mark.rule("emlia.terrain.rough")
@pytest.mark.rule("emlia.terrain.very-rough")
def test_scrub_is_rough_and_forest_very_rough(field_of_battle: Build) -> None:
    terrain = [
        {"kind": "scrub", "box": (0, 50, 10, 60)},
        {"kind": "forest", "box": (50, 50, 70, 60)},
    ]

    assert slow(field_of_battle(MAN, terrain=terrain)) == {2.0: 100.0, 4.0: 200.0}


@pytest.mark.rule("emlia.terrain.impassable")
@pytest.mark.rule("emlia.mode.ground")
def test_a_river_bars_the_way_but_for_its_bridge(field_of_battle: Build) -> None:
    river = {"kind": "river", "box": (0, 50, 200, 60)}
    bridge = {"kind": "bridge", "box": (90, 45, 110, 65)}

    barred = going_of(field_of_battle(MAN, terrain=[river]), 0).barred
    parted = going_of(field_of_battle(MAN, terrain=[river, bridge]), 0).barred

    assert [shape.area for shape in barred] == [2000.0]
    assert sorted(shape.bounds for shape in parted) == [(0, 50, 90, 60), (110, 50, 200, 60)]


@pytest.mark.rule("emlia.terrain.rough")
def test_who_fords_a_river_wades(field_of_battle: Build) -> None:
    river = {"kind": "river", "box": (0, 50, 200, 60)}
    ford = {"kind": "ford", "box": (90, 45, 110, 65)}
    battle = field_of_battle(MAN, terrain=[river, ford])

    assert slow(battle) == {2.0: 400.0}
    assert sorted(shape.bounds for shape in going_of(battle, 0).barred) == [
        (0, 50, 90, 60),
        (110, 50, 200, 60),
    ]


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_a_rock_bars_the_way_of_those_less_than_four_times_its_height(
    field_of_battle: Build,
) -> None:
    rock = {"kind": "rock", "box": (50, 50, 60, 60), "height": 1}
    giant = {"at": (20, 10), "size": 8, "height": 4}
    battle = field_of_battle(MAN, giant, terrain=[rock])

    assert len(going_of(battle, 0).barred) == 1
    assert len(going_of(battle, 1).barred) == 0


@pytest.mark.rule("emlia.mode.flying")
def test_who_flies_heeds_no_ground(field_of_battle: Build) -> None:
    terrain = [
        {"kind": "river", "box": (0, 50, 200, 60)},
        {"kind": "forest", "box": (0, 70, 200, 80)},
    ]
    battle = field_of_battle({**MAN, "movement": "30F"}, terrain=terrain)

    going = going_of(battle, 0)

    assert (going.slow, len(going.barred)) == ((), 0)


def test_steep_ground_is_rough_and_steeper_very_rough(field_of_battle: Build) -> None:
    climb = np.zeros((10, 10))
    climb[:, 5:] = 50.0 * np.arange(1, 6)
    battle = field_of_battle(MAN, {**MAN, "movement": "30F"}, elevation_m=climb)

    assert set(slow(battle)) >= {4.0}
    assert slow(battle, 1) == {}


def test_of_slow_ground_near_a_shape_nothing_is_left_out_that_it_meets(
    field_of_battle: Build,
) -> None:
    climb = np.zeros((10, 10))
    climb[::3, ::3] = 50.0
    woods = [{"kind": "forest", "box": (x, 50, x + 5, 60)} for x in (0, 20, 40)]
    going = going_of(field_of_battle(MAN, elevation_m=climb, terrain=woods), 0)

    for shape in (shapely.box(0, 0, 200, 200), shapely.box(3, 30, 25, 58), shapely.Point(70, 80)):
        near = dict(going.slow_near(shape))
        for cost, area in going.slow:
            kept = near.get(cost, shapely.MultiPolygon())
            assert kept.intersection(shape).equals(area.intersection(shape))
            assert all(piece.envelope.intersects(shape) for piece in shapely.get_parts(kept))


def test_a_feature_that_is_gone_bars_no_one(field_of_battle: Build) -> None:
    battle = field_of_battle(MAN, terrain=[{"kind": "rock", "box": (50, 50, 60, 60)}])
    before = len(going_of(battle, 0).barred)

    gone = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="broken"), changes=(gone,)))

    assert (before, len(going_of(battle, 0).barred)) == (1, 0)


@pytest.mark.rule("emlia.terrain.standing-on")
def test_a_man_on_a_hill_of_10_is_11_high(field_of_battle: Build) -> None:
    battle = field_of_battle(MAN, terrain=[{"kind": "hill", "box": (0, 0, 50, 50)}])

    situation = situation_of(battle)

    assert situation.footing(0) + situation.height(0) == 11


@pytest.mark.rule("emlia.terrain.depression")
def test_a_man_in_a_river_bed_is_1_below_the_map(field_of_battle: Build) -> None:
    battle = field_of_battle(MAN, terrain=[{"kind": "river", "box": (0, 0, 50, 50)}])

    situation = situation_of(battle)

    assert situation.footing(0) + situation.height(0) == -1


@pytest.mark.rule("emlia.terrain.occupancy")
@pytest.mark.parametrize(("east", "footing"), [(50, 0), (51, 10)])
def test_a_units_footing_is_the_median_of_its_members(
    east: float, footing: float, field_of_battle: Build
) -> None:
    company = {"at": (50, 50), "members": 5, "files": 5, "formation": "ranked"}
    hill = {"kind": "hill", "box": (0, 0, east - 0.5, 100)}
    battle = field_of_battle(company, terrain=[hill])

    assert situation_of(battle).footing(0) == footing


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(("height", "barred"), [(2, 0), (1, 1)])
def test_a_rock_of_half_a_height_bars_a_man_and_not_an_ogre(
    field_of_battle: Build, height: int, barred: int
) -> None:
    rock = {"kind": "rock", "box": (50, 50, 60, 60), "height": 0.5}
    battle = field_of_battle({**MAN, "size": height, "height": height}, terrain=[rock])

    assert len(going_of(battle, 0).barred) == barred


@pytest.mark.rule("emlia.terrain.slow-size-limit")
@pytest.mark.parametrize(("size", "slowed"), [(2, {2.0: 100.0}), (3, {})])
def test_scrub_of_half_a_size_slows_no_more_than_four_times_its_own(
    field_of_battle: Build, size: int, slowed: dict[float, float]
) -> None:
    scrub = {"kind": "scrub", "size": 0.5, "box": (40, 50, 50, 60)}
    battle = field_of_battle({**MAN, "size": size}, terrain=[scrub])

    assert slow(battle) == slowed
