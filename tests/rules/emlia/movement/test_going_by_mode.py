"""Chapters 12 and 18 as play: what each mode may enter, and the mode that a unit goes in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import Point, union_all

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.going import going_of, mode_of, modes_of

Build = Callable[..., Battle]

BOB: dict[str, Any] = {"at": (190, 190), "side": "Bob", "facing": 180}
LAKE: dict[str, Any] = {"kind": "lake", "box": (40, 40, 80, 80)}
WOODSMAN = {"effect": "movement", "name": "Woodsman", "terrain": ["forest"], "penalty": 0.5}


def at(battle: Battle, x: float, y: float, mode: str | None = None) -> float | None:
    """What a GSU costs unit 0 at a place; None where it may not be."""
    going, spot = going_of(battle, 0, mode), Point(x, y)
    if union_all([*going.barred]).covers(spot):
        return None
    return max((cost for cost, area in going.slow if area.covers(spot)), default=1.0)


@pytest.mark.parametrize(
    ("movement", "part", "modes"),
    [
        ("15G", None, ("G",)),
        ("15G, 30F", None, ("F", "G")),
        ("30G, 15F, 20S", None, ("G", "S", "F")),
        ("15G, 15S", None, ("G", "S")),
        # A mixed unit has the modes that all have, the fastest of the slowest first.
        ("15G, 30F", "20G", ("G",)),
        ("15G, 30F", "20G, 10F", ("G", "F")),
        ("15G, 30F", "10G, 40F", ("F", "G")),
        ("15G", "20F", ()),
    ],
)
def test_a_unit_has_the_modes_that_all_its_parts_have(
    field_of_battle: Build, movement: str, part: str | None, modes: tuple[str, ...]
) -> None:
    whole = {"name": "whole", "at": (100, 100), "movement": movement}
    parts = [{"name": "part", "group": "whole", "at": (100, 97), "movement": part}] if part else []

    battle = field_of_battle(whole, *parts, BOB)

    assert modes_of(battle, 0) == modes
    assert mode_of(battle, 0) == (modes[0] if modes else "G")


@pytest.mark.parametrize(
    ("movement", "place", "put", "mode"),
    [
        ("15G, 10S", (100, 100), {}, "G"),
        ("15G, 10S", (60, 60), {}, "S"),
        ("10G, 15S", (100, 100), {}, "G"),
        ("10G, 15S", (60, 60), {}, "S"),
        ("10G, 15B, 5H", (60, 60), {}, "B"),
        # Half in the water he may be in neither; then the faster one counts.
        ("10G, 15S", (80, 60), {}, "S"),
        ("15G, 10S", (80, 60), {}, "G"),
        # Who only touches the water stands on land.
        ("15G, 10S", (80.5, 60), {}, "G"),
        ("10G, 15S", (80.5, 60), {}, "G"),
        ("15G, 10F", (100, 100), {}, "G"),
        ("15G, 10F", (100, 100), {"on_height": 2.0}, "F"),
        ("15G, 10S", (100, 100), {"on_height": 2.0}, "G"),
        ("15G, 10F", (60, 60), {}, "F"),
    ],
)
def test_a_unit_goes_in_the_fastest_mode_that_serves_where_it_is(
    field_of_battle: Build, movement: str, place: Any, put: dict[str, float], mode: str
) -> None:
    man = {"at": place, "movement": movement, "put": put}

    assert mode_of(field_of_battle(man, BOB, terrain=[LAKE]), 0) == mode


@pytest.mark.rule("emlia.mode.ground", "emlia.mode.boat", "emlia.mode.hover", "emlia.mode.flying")
@pytest.mark.parametrize(
    ("mode", "land", "water", "under_the_bridge", "rock", "forest"),
    [
        ("G", 1, None, 1, None, 4),
        ("B", None, 4, 4, None, None),
        ("S", None, 4, 4, None, None),
        ("H", 1, 1, 1, None, 4),
        ("F", 1, 1, 1, 1, 1),
    ],
)
def test_each_mode_has_its_ground(
    field_of_battle: Build, mode: str, land: Any, water: Any, under_the_bridge: Any, rock: Any,
    forest: Any,
) -> None:  # fmt: skip
    terrain = [
        LAKE,
        {"kind": "bridge", "box": (38, 50, 82, 54)},
        {"kind": "rock", "box": (60, 60, 64, 64)},
        {"kind": "rock", "box": (120, 60, 124, 64)},
        {"kind": "forest", "box": (140, 60, 160, 80)},
    ]
    battle = field_of_battle({"at": (10, 10), "movement": f"20{mode}"}, BOB, terrain=terrain)

    assert at(battle, 100, 100) == land
    assert at(battle, 50, 70) == water
    assert at(battle, 50, 52) == under_the_bridge
    assert at(battle, 62, 62) == rock
    assert at(battle, 122, 62) == (None if land is None else rock)
    assert at(battle, 150, 70) == forest


@pytest.mark.parametrize(
    ("over", "kind", "cost"),
    [
        ("forest", "road", 1), ("forest", "track", 1), ("marsh", "bridge", 1),
        ("forest", "ford", 2), ("marsh", "ford", 2), ("lake", "ford", 2), ("building", "road", 1),
        ("forest", "field", 4), ("forest", "scrub", 4), ("scrub", "forest", 4),
    ],
)  # fmt: skip
def test_what_leads_over_or_through_other_ground_has_its_own_cost(
    field_of_battle: Build, over: str, kind: str, cost: float
) -> None:
    terrain = [
        {"kind": over, "box": (40, 40, 80, 80)},
        {"kind": kind, "box": (55, 30, 65, 90)},
    ]
    battle = field_of_battle({"at": (10, 10), "movement": "20G"}, BOB, terrain=terrain)

    assert at(battle, 60, 60) == cost


@pytest.mark.rule("emlia.terrain.slow-size-limit")
@pytest.mark.parametrize(
    ("unit", "part", "cost"),
    [
        ({}, None, 4),
        ({"abilities": [WOODSMAN]}, None, 1.6),
        ({"abilities": [WOODSMAN]}, {"abilities": [WOODSMAN]}, 1.6),
        ({"abilities": [WOODSMAN]}, {}, 4),
        ({}, {"abilities": [WOODSMAN]}, 4),
        # Vegetation of size 1 slows no size above 4; the largest of a unit counts.
        ({"size": 5}, None, 1),
        ({}, {"size": 5}, 1),
        ({"size": 5, "put": {"posture": 1}}, None, 4),
    ],
)
def test_what_slows_a_unit_depends_on_all_its_parts(
    field_of_battle: Build, unit: dict[str, Any], part: dict[str, Any] | None, cost: float
) -> None:
    """In a forest three quarters of the speed are lost, by a woodsman half as much: 1 / (5 / 8)."""
    whole = {"name": "whole", "at": (100, 100), **unit}
    parts = (
        [{"name": "part", "group": "whole", "at": (100, 95), **part}] if part is not None else []
    )
    forest = {"kind": "forest", "box": (40, 40, 80, 80), "height": 3, "size": 1}
    battle = field_of_battle(whole, *parts, BOB, terrain=[forest])

    assert at(battle, 60, 60) == cost
