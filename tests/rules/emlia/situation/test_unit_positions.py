"""Where all units are, in columns, is what each is asked of by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of

Build = Callable[..., Battle]

UNITS: list[dict[str, Any]] = [
    {"at": (20 + 15 * number, 20), "members": 6, "files": 3, "formation": formation, "facing": 30}
    for number, formation in enumerate(("ranked", "open", "close"))
]


def test_each_has_the_box_the_middle_and_the_room_of_its_own(field_of_battle: Build) -> None:
    battle = field_of_battle(*UNITS)

    found, situation = whereabouts_of(battle), situation_of(battle)

    for unit in range(len(UNITS)):
        drill = battle.state.roster.drill(unit)
        assert tuple(found.boxes[unit]) == situation.outline(unit).bounds
        assert tuple(found.centres[unit]) == situation.centre(unit)
        assert tuple(found.rooms[unit]) == (drill.frontage, drill.length)


def test_who_has_left_is_nowhere(field_of_battle: Build) -> None:
    battle = field_of_battle(*UNITS)
    whereabouts_of(battle)

    battle.happen(Event(facts=Unread(event="test"), changes=(Leave(unit=1),)))

    found = whereabouts_of(battle)
    assert np.isnan(found.boxes[1]).all()
    assert np.isnan(found.centres[1]).all()
    assert np.flatnonzero(found.near((-999, -999, 999, 999))).tolist() == [0, 2]


@pytest.mark.parametrize("reach", [0.0, 3.0, 8.0, 20.0])
def test_nobody_within_reach_is_passed_over(field_of_battle: Build, reach: float) -> None:
    battle = field_of_battle(*UNITS)
    spot = shapely.box(30, 14, 31, 15)

    gaps = shapely.distance(situation_of(battle).outlines(range(3)), spot)

    near = whereabouts_of(battle).near(spot.bounds, reach)[: len(UNITS)]
    assert near[gaps <= reach].all()
    assert not near[gaps > reach * np.sqrt(2) + 10].any()


@pytest.mark.parametrize("cells", ["none", "squares", "hexes"])
def test_who_may_be_within_reach_of_a_unit_are_all_who_are(
    field_of_battle: Build, cells: str
) -> None:
    places = [(20.0 + 7.3 * number, 20.0 + 3.1 * (number % 4)) for number in range(8)]
    battle = field_of_battle(*({"at": place} for place in places), house={"cells": cells})
    others = list(range(1, len(places)))

    gaps = situation_of(battle).distances(0, others)

    for reach in (0.0, 5.0, *gaps):
        about = whereabouts_of(battle).about(0, others, reach)
        assert {other for other, gap in zip(others, gaps, strict=True) if gap <= reach} <= {*about}
    assert whereabouts_of(battle).about(0, others, 5.0) == [1]
    assert (whereabouts_of(battle).at_least([0], others)[0] <= gaps).all()
    assert whereabouts_of(battle).at_least([0], others).min() > gaps[0] - 5


@pytest.mark.parametrize("cells", ["none", "squares", "hexes"])
def test_nobody_is_nearer_than_he_is_at_least_wherever_he_lies(
    field_of_battle: Build, cells: str
) -> None:
    round_it = [(100 + 60 * x / 5, 100 + 60 * y / 5) for x in range(-5, 6) for y in (-5, -3, 1, 5)]
    battle = field_of_battle(
        *({"at": at} for at in ((100, 100), *round_it)), house={"cells": cells}
    )
    others = list(range(1, 1 + len(round_it)))

    spare = (
        situation_of(battle).distances(0, others) - whereabouts_of(battle).at_least([0], others)[0]
    )

    assert spare.min() >= 0
    assert spare.max() < 5 or cells == "hexes"


def test_who_just_touches_is_near(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (20, 20)})
    west, south, east, north = situation_of(battle).outline(0).bounds

    assert whereabouts_of(battle).near((east, north, east + 1, north + 1)).tolist() == [True]
    assert whereabouts_of(battle).near((east + 2, south, east + 3, north), 2.0).tolist() == [True]
    assert whereabouts_of(battle).near((west - 3, south, west - 2.1, north), 2.0).tolist() == [
        False
    ]
