"""Ways that surely lead nowhere are left out before they are worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.field import Scale
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.rules.emlia.play.retreat import fallback_goals, retreat_path
from emlia3d.rules.emlia.play.retreat.fallback_goals import Starts, friends_for, nearest_friends
from emlia3d.rules.emlia.play.situation.allowance import has_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.free_places import TakenPlaces
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turned

Build = Callable[..., Battle]
OPEN = {"members": 12, "files": 4, "formation": "open"}
RANKED = {"members": 8, "files": 4, "formation": "ranked"}


def crowd(build: Build, seed: int, **unit: Any) -> Battle:
    """Return a battle of a unit amid friends, some in open and some in ranked formation."""
    draws = np.random.default_rng(seed)
    friends = [
        {
            "at": (100 + x + draws.uniform(-1, 1), 100 + y + draws.uniform(-1, 1)),
            "facing": int(draws.integers(360)),
            **(RANKED if draws.random() < 0.2 else OPEN),
        }
        for x in range(-21, 22, 7)
        for y in range(-21, 22, 7)
        if (x, y) != (0, 0) and draws.random() < 0.8
    ]
    foe = {"at": (100, 190), "side": "Bob", "facing": 180}
    return build({"at": (100, 100), "put": {"morale": -1}, **unit}, foe, *friends)


@pytest.mark.parametrize("unit", [OPEN, RANKED], ids=["open", "ranked"])
def test_a_way_is_barred_at_its_start_only_if_the_unit_gets_nowhere(
    unit: dict[str, Any], field_of_battle: Build
) -> None:
    told, nowhere = 0, 0
    for seed in range(4):
        battle = crowd(field_of_battle, seed, **unit)
        starts, pose, speed = Starts(battle, 0), pose_of(battle, 0), speed_of(battle, 0)
        for way in range(0, FULL_CIRCLE, FULL_CIRCLE // 48):
            facing = turned(pose, way)
            distance = straight(battle, 0, facing, way, speed, speed).distance
            barred = starts.are_barred(facing, speed, 1.0)
            assert not (barred and distance >= 1.0)
            told, nowhere = told + barred, nowhere + (distance < 1.0)
    assert 0 < told <= nowhere < 4 * 48


def barred_and_gap(battle: Battle) -> tuple[bool, float]:
    """Whether the way ahead counts as barred within a GSU, and how far it really leads."""
    pose, speed = pose_of(battle, 0), speed_of(battle, 0)
    distance = straight(battle, 0, pose, pose.facing, speed, speed).distance
    return Starts(battle, 0).are_barred(pose, speed, 1.0), distance


@pytest.mark.parametrize("ahead", [0.4, 0.9, 1.1, 3.0])
@pytest.mark.parametrize("east", [-0.9, -0.4, 0.0, 0.4, 0.9])
@pytest.mark.parametrize("member", [1.5, 4.5])
@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_a_post_bars_the_start_of_a_way_if_a_member_meets_it_within_a_gsu(
    field_of_battle: Build, facing: int, member: float, east: float, ahead: float
) -> None:
    """Four men abreast in open order, 3 GSU apart; the post stands before one of them."""
    turn = np.exp(-1j * np.radians(facing))
    spot = complex(100, 100) + complex(member + east, 0.55 + ahead) * turn
    post = {"kind": "rock", "outline": shapely.Point(spot.real, spot.imag).buffer(0.05)}
    four = {"members": 4, "files": 4, "formation": "open", "facing": facing}
    foe = {"at": (10, 10), "side": "Bob"}
    battle = field_of_battle({"at": (100, 100), **four}, foe, terrain=[post])

    barred, distance = barred_and_gap(battle)

    assert (distance < 1.0) is (abs(east) < 0.5 and ahead < 1)
    assert barred is (distance < 1.0)


@pytest.mark.parametrize("base", [(4.0, 2.0), (2.0, 4.0)])
@pytest.mark.parametrize(
    ("east", "barred"), [(-1.1, False), (-0.8, True), (0.8, True), (1.1, False)]
)
def test_on_a_long_base_a_member_takes_the_room_of_a_circle_around_its_length(
    field_of_battle: Build, base: tuple[float, float], east: float, barred: bool
) -> None:
    post = {"kind": "rock", "outline": shapely.Point(100 + east, 101).buffer(0.05)}
    man = {"at": (100, 100), "formation": "open", "base": base}
    battle = field_of_battle(man, {"at": (10, 10), "side": "Bob"}, terrain=[post])

    told, distance = barred_and_gap(battle)

    assert (told, distance < 1) == (barred, barred)


@pytest.mark.parametrize(("height", "barred"), [(8, False), (1, True)])
def test_small_men_bar_the_start_of_no_giants_way(
    field_of_battle: Build, height: float, barred: bool
) -> None:
    giant = {"at": (100, 100), "formation": "open", "size": 1, "height": height}
    men = {"at": (100, 101.5), "formation": "close"}
    battle = field_of_battle(giant, men, {"at": (10, 10), "side": "Bob"})

    told, distance = barred_and_gap(battle)

    assert (told, distance < 1) == (barred, barred)


@pytest.mark.parametrize(("altitude", "barred"), [(0, False), (5, False), (9, True)])
def test_only_units_at_its_height_bar_the_start_of_a_flight(
    field_of_battle: Build, altitude: float, barred: bool
) -> None:
    bird = {"at": (100, 100), "formation": "open", "on_height": 9, "movement": "15F"}
    other = {**bird, "at": (100, 101.5), "formation": "close", "on_height": altitude}
    rock = {"kind": "rock", "box": (90, 100.7, 110, 104), "height": 20}
    battle = field_of_battle(bird, other, {"at": (10, 10), "side": "Bob"}, terrain=[rock])

    told, distance = barred_and_gap(battle)

    assert (told, distance < 1) == (barred, barred)


@pytest.mark.parametrize(("gap", "barred"), [(0.99, True), (1.0, False), (1.01, False)])
def test_a_rock_exactly_as_far_off_as_the_way_must_lead_does_not_bar_it(
    field_of_battle: Build, gap: float, barred: bool
) -> None:
    rock = {"kind": "rock", "box": (90, 100.5 + gap, 110, 104)}
    unit = {"at": (100, 100), "members": 4, "files": 4, "formation": "ranked"}
    battle = field_of_battle(unit, {"at": (10, 10), "side": "Bob"}, terrain=[rock])

    told, distance = barred_and_gap(battle)

    assert (told, distance < 1) == (barred, barred)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(("gap", "goes"), [(1.03, 1.03), (1.2, 1.2), (1.0, 0.0), (0.97, 0.0)])
def test_a_unit_in_retreat_goes_a_gsu_and_any_more_that_it_has(
    field_of_battle: Build, gap: float, goes: float
) -> None:
    line = {"members": 40, "files": 40, "formation": "ranked", "facing": 180}
    battle = field_of_battle(
        {"at": (100, 100), **line},
        {"at": (100, 190), "side": "Bob", "facing": 180},
        {"at": (100, 99 - gap), **line},
    )

    end, leaves = retreat_path.flight(battle, 0, 1, routed=False)

    assert not leaves
    assert 100 - end.middle[1] == pytest.approx(goes, abs=0.01)


@pytest.mark.rule("emlia.morale.lines")
def test_a_slow_unit_takes_a_way_aside_that_leads_farther_than_the_straight_one(
    field_of_battle: Build,
) -> None:
    """It goes 1.8 GSU; a post bars the straight way after 0.95, and none at 40 degrees."""
    post = {"kind": "rock", "outline": shapely.Point(100, 98.5).buffer(0.05)}
    man = {"at": (100, 100), "formation": "open", "movement": "1.8G", "facing": 180}
    foe = {"at": (100, 190), "side": "Bob", "facing": 180}
    battle = field_of_battle(man, foe, terrain=[post])

    end, _ = retreat_path.flight(battle, 0, 1, routed=False)

    assert 100 - end.middle[1] == pytest.approx(1.8 * np.cos(np.radians(40)), abs=0.01)


def test_figures_smaller_than_any_clearance_are_never_barred_beyond_their_march(
    field_of_battle: Build,
) -> None:
    four = {"members": 4, "files": 4, "formation": "open", "base": (0.1, 0.1)}
    rock = {"kind": "rock", "box": (90, 100.3, 110, 103)}
    foe = {"at": (10, 10), "side": "Bob"}
    battle = field_of_battle({"at": (100, 100), **four}, foe, terrain=[rock], scale=Scale(10.0))

    barred, distance = barred_and_gap(battle)

    assert not (barred and distance >= 1)


def test_a_unit_in_a_crowd_marches_only_towards_friends_it_may_get_nearer(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = crowd(field_of_battle, 0, **OPEN)
    marches: list[int] = []

    def counted(*of_the_way: Any) -> Any:
        marches.append(of_the_way[3])
        return straight(*of_the_way)

    monkeypatch.setattr(fallback_goals, "straight", counted)
    found = [*friends_for(battle, 0)]

    assert 0 < len(found) <= len(marches) < 0.8 * len(nearest_friends(battle, 0))


def test_a_unit_in_flight_looks_for_free_places_only_where_they_lead_it_nearer_home(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[float] = []

    def looked(battle: Battle, unit: int, end: Pose) -> bool:
        home = {"north": 1, "south": -1}[battle.setup.lines_of(unit)]
        places.append(home * (end.middle[1] - pose_of(battle, unit).middle[1]))
        return has_room(battle, unit, end)

    monkeypatch.setattr(retreat_path, "has_room", looked)
    for seed in range(4):
        retreat_path.flight(crowd(field_of_battle, seed, **OPEN), 0, 1, routed=True)

    assert places
    assert min(places) > 1.0


def test_a_place_is_surely_taken_only_if_the_unit_has_no_room_there(
    field_of_battle: Build,
) -> None:
    taken, free = 0, 0
    for seed in range(2):
        battle = crowd(field_of_battle, seed, **OPEN)
        pose, steps = pose_of(battle, 0), [*np.arange(0.0, 30.0, 1.5)]
        about = TakenPlaces(battle, 0, pose, 30.0)
        for way in range(0, FULL_CIRCLE, FULL_CIRCLE // 12):
            start = turned(pose, way)
            told = about.surely_taken(start, way, steps)
            rooms = [has_room(battle, 0, gone(start, way, step)) for step in steps]
            assert not (told & rooms).any()
            taken, free = taken + int(told.sum()), free + sum(rooms)
    assert taken > 0
    assert free > 0
