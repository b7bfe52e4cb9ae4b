"""What is kept of bodies when a part of a mixed unit, or a copy of the battle, changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Fall, Leave, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.questions.foreign_battle import size_of
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.situation import (
    Situation,
    situation_after,
    situation_of,
)
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of, within
from tests.rules.emlia.recomputed import recomputed

Build = Callable[..., Battle]
MEN: dict[str, Any] = {"at": (50, 50), "name": "men"}
PART: dict[str, Any] = {"at": (56, 50), "group": "men", "size": 8, "height": 3}
BOB: dict[str, Any] = {"at": (150, 150), "side": "Bob"}


def happen(battle: Battle, *changes: Any) -> None:
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


def moved(battle: Battle, unit: int, east: float, north: float = 0) -> Place:
    units = battle.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    return Place(unit=unit, x=x + east, y=y + north, facing=0, formation=0, files=1)


def fall(battle: Battle, unit: int) -> Fall:
    return Fall(unit=unit, figures=(battle.state.units.integer("first", unit),))


def facts(battle: Battle) -> str:
    """All that is kept of units 0 to 2, as text: units off the field have distances of NaN."""
    situation = situation_of(battle)
    return "\n".join(repr(_facts_of(situation, unit)) for unit in range(3))


def _facts_of(situation: Situation, unit: int) -> tuple[object, ...]:
    everybody, there = [0, 1, 2], len(situation.places(unit)) > 0
    return (
        shapely.to_wkt(situation.outline(unit)),
        situation.places(unit).tolist(),
        there and situation.footing(unit),
        situation.height(unit),
        situation.size(unit),
        situation.parts(unit),
        situation.drill(unit),
        situation.radius(unit),
        shapely.to_wkt(situation.alone(unit)[0]),
        situation.alone(unit)[1].tolist(),
        [situation.gap(unit, other) for other in everybody],
        [situation.apart(unit, other) for other in everybody],
        situation.gaps(unit, everybody),
        situation.distances(unit, everybody),
        situation.corners(unit).tolist(),
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda battle: moved(battle, 0, 3),
        lambda battle: moved(battle, 1, 3),
        lambda battle: moved(battle, 2, 3),
        lambda battle: fall(battle, 0),
        lambda battle: fall(battle, 1),
        lambda battle: Leave(unit=2),
        lambda battle: Set(table="unit", row=0, column="posture", value=1),
        lambda battle: Set(table="unit", row=1, column="on_height", value=2.0),
        lambda battle: Set(table="feature", row=0, column="present", value=0),
    ],
)
def test_a_mixed_unit_and_its_parts_are_as_a_new_battle_finds_them(
    field_of_battle: Build, change: Callable[[Battle], Any]
) -> None:
    hill = {"kind": "hill", "box": (54, 40, 60, 60), "height": 2}
    battle = field_of_battle(MEN, PART, BOB, terrain=[hill])
    before = facts(battle)

    happen(battle, change(battle))

    after = facts(battle)
    assert before != after == facts(battle) == facts(recomputed(battle))


def test_a_head_whose_parts_have_fallen_is_alone_where_the_whole_is(field_of_battle: Build) -> None:
    battle = field_of_battle(MEN, PART, BOB)
    situation = situation_of(battle)
    mixed = situation.alone(0)[0]
    assert not mixed.equals(situation.outline(0))
    assert situation.parts(0) == (0, 1)
    assert (situation.size(0), situation.height(0)) == (8, 3)

    happen(battle, fall(battle, 1))
    happen(battle, moved(battle, 0, 10))

    situation = situation_of(battle)
    assert situation.parts(0) == (0,)
    assert situation.alone(0)[0].equals(situation.outline(0))
    assert situation.outline(0).centroid.x == pytest.approx(60, abs=0.01)
    assert (situation.size(0), situation.height(0)) == (1, 1)
    assert situation.gap(0, 2) == situation.distance(0, 2) == situation.apart(0, 2)


def test_what_a_side_knows_of_a_unit_that_stands_elsewhere_is_worked_out(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle({"at": (50, 50)}, BOB)
    supposed = recomputed(battle)
    situation = situation_of(battle)
    happen(supposed, moved(supposed, 0, 10))

    there = situation_after(situation, supposed)

    assert there.outline(0).centroid.x == pytest.approx(60, abs=0.01)
    assert situation.outline(0).centroid.x == pytest.approx(50, abs=0.01)
    assert there.outline(1) is situation.outline(1)


SQUARE: dict[str, Any] = {"formation": "ranked"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Squares of 1 GSU: 9 to the east, 9 to the north, 9 on a diagonal, 9 east and touching.
        ("none", [7.0, 7.0, 9 * 2**0.5 - 2, 7.0]),
        ("squares", [7.0, 7.0, 7.0, 7.0]),
    ],
)
def test_the_least_distance_is_that_of_the_boxes_less_two_gsu_for_begun_cells(
    field_of_battle: Build, cells: str, expected: list[float]
) -> None:
    places = [(50, 50), (60, 50), (50, 60), (60, 60), (60, 50.5)]
    battle = field_of_battle(*({**SQUARE, "at": at} for at in places), house={"cells": cells})
    mirrored = field_of_battle(
        *({**SQUARE, "at": (100 - x, 100 - y)} for x, y in places), house={"cells": cells}
    )

    for each in (battle, mirrored):
        found = whereabouts_of(each).at_least([0], [1, 2, 3, 4])
        assert found[0].tolist() == pytest.approx(expected)
        assert whereabouts_of(each).at_least([0, 3], [1, 2]).shape == (2, 2)


def test_those_near_a_box_are_found_on_all_sides_up_to_the_reach(field_of_battle: Build) -> None:
    around = [(x, y) for x in (40, 50, 60) for y in (40, 50, 60)]
    battle = field_of_battle(*({**SQUARE, "at": at} for at in around))
    places = whereabouts_of(battle)

    for reach, count in ((8.9, 1), (9.0, 9)):
        assert np.count_nonzero(places.near((49.5, 49.5, 50.5, 50.5), reach)) == count
    assert within(battle, 4, [0, 1, 2, 3, 5], 9.0) == {1: 9.0, 3: 9.0, 5: 9.0}
    assert within(battle, 4, [1, 3], 8.9) == {}


@pytest.mark.parametrize(
    ("height", "size"),
    [
        (1, 1.0), (1.13, 1.0), (1.15, 2.0), (2, 8.0), (3, 27.0), (0.99, 1.0), (0.8, 0.5),
        (0.5, 0.125), (0.25, 1 / 64), (0.63, 0.25),
    ],
)  # fmt: skip
def test_a_body_of_other_rules_has_the_printable_size_nearest_to_its_volume(
    height: float, size: float
) -> None:
    assert size_of(height) == size


@pytest.mark.parametrize("row", [0, 1, 2])
def test_behind_the_feature_that_falls_a_unit_shows(field_of_battle: Build, row: int) -> None:
    """Three walls side by side, and a man behind each."""
    walls = [{"kind": "wall", "box": (x - 8, 80, x + 8, 82), "height": 4} for x in (40, 70, 100)]
    men = [{"at": (x, 90), "side": "Bob"} for x in (40, 70, 100)]
    battle = field_of_battle({"at": (70, 30)}, *men, terrain=walls)
    before = [sight_cache_of(battle).level(0, man) for man in (1, 2, 3)]

    happen(battle, Set(table="feature", row=row, column="present", value=0))

    after = [sight_cache_of(battle).level(0, man) for man in (1, 2, 3)]
    assert before == [Level.TOTAL] * 3
    assert [level is Level.NONE for level in map(Level, after)] == [
        row == each for each in range(3)
    ]


@pytest.mark.parametrize("left", [8, 5, 2])
def test_a_member_that_was_seen_and_has_fallen_is_not_looked_for(
    field_of_battle: Build, left: int
) -> None:
    """Only the east end of a line is seen past a wall, until that falls."""
    line = {"at": (70, 90), "side": "Bob", "members": 8, "files": 8, "formation": "ranked"}
    wall = {"kind": "wall", "box": (40, 86, 73, 87), "height": 4}
    battle = field_of_battle({"at": (70, 30)}, line, terrain=[wall])
    levels = [sight_cache_of(battle).level(0, 1)]
    figures = battle.state.roster.standing(1).tolist()

    happen(battle, Fall(unit=1, figures=tuple(figures[left:])))

    levels.append(sight_cache_of(battle).level(0, 1))
    assert levels[1] == sight_cache_of(recomputed(battle)).level(0, 1)


def test_a_side_is_told_no_entries_about_units_that_it_does_not_know(
    field_of_battle: Build,
) -> None:
    """The first unit of all is the hidden enemy."""
    trees = {"kind": "orchard", "box": (30, 51, 70, 63), "height": 5}
    lurking = {"at": (50, 66), "side": "Bob", "facing": 180, "formation": "close"}
    battle = field_of_battle(lurking, {"at": (50, 45), "formation": "close"}, terrain=[trees])
    rows = [{"unit": unit, "what": 0, "amount": 1.0} for unit in (0, 1)]
    happen(battle, *(Append(table="note", row=row) for row in rows))

    told = [SidePicture(battle, side).battle.state.lists["note"]["unit"].tolist()
            for side in (0, 1)]  # fmt: skip

    assert told == [[1], [0]]
