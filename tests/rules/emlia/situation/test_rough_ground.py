"""Rough ground costs little: its steep cells are found once, and united in one pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation import going
from emlia3d.rules.emlia.play.situation.going import going_of

Build = Callable[..., Battle]


def rough(rows: int, columns: int) -> np.ndarray:
    """Return heights in metres; about half of the cells are steep."""
    return np.random.Generator(np.random.PCG64(1)).normal(0, 1.5, (rows, columns))


def shapes_in(given: object) -> int:
    return sum(len(shapely.get_parts(one)) for one in np.atleast_1d(np.array(given, dtype=object)))


def test_three_turns_on_rough_ground_find_and_unite_its_cells_once(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = field_of_battle(
        {"at": (100, 60)}, {"at": (100, 140), "side": "Bob"}, elevation_m=rough(60, 60), turns=3
    )
    united, found = [0], [0]
    union_all, make = shapely.union_all, going._STEEP.make

    def counted(given, *rest, **options):
        united[0] += shapes_in(given)
        return union_all(given, *rest, **options)

    def once(moment):
        found[0] += 1
        return make(moment)

    monkeypatch.setattr(shapely, "union_all", counted)
    monkeypatch.setattr(going._STEEP, "make", once)

    events = list(battle.run())

    assert len(events) > 20
    assert found == [1]
    # Far fewer than the 1,700 steep cells, which were united three times for each side.
    assert united[0] < 900


@pytest.mark.parametrize("columns", [40, 60, 67])
def test_steep_cells_are_united_without_gaps_between_neighbours(
    field_of_battle: Build, columns: int
) -> None:
    heights = rough(columns, columns)
    battle = field_of_battle({"at": (100, 60)}, elevation_m=heights)
    field, cell = battle.setup.field, battle.setup.field.ground.cell
    middles = np.arange(cell / 2, field.size[0], cell)
    slopes = field.ground.slopes(middles, middles[:, None], field.scale)

    for factor, area in going_of(battle, 0).slow:
        steep = slopes >= 0.7 if factor == going.VERY_ROUGH else (slopes >= 0.35) & (slopes < 0.7)
        assert area.area == pytest.approx(steep.sum() * cell**2, rel=1e-9)
        assert len(shapely.get_parts(area)) == islands(steep)


def islands(cells: np.ndarray) -> int:
    """Count the groups of cells that share an edge."""
    left, count = {(int(row), int(column)) for row, column in np.argwhere(cells)}, 0
    while left:
        count, edge = count + 1, [left.pop()]
        while edge:
            row, column = edge.pop()
            for near in (
                (row + 1, column),
                (row - 1, column),
                (row, column + 1),
                (row, column - 1),
            ):
                if near in left:
                    left.remove(near)
                    edge.append(near)
    return count


def test_a_wood_on_rough_ground_slows_no_less_and_a_road_frees_its_cells(
    field_of_battle: Build,
) -> None:
    heights, forest, road = rough(40, 40), shapely.box(30, 30, 72, 51), shapely.box(0, 99, 200, 104)
    terrain = [
        {"kind": "forest", "box": (30, 30, 72, 51)},
        {"kind": "road", "box": (0, 99, 200, 104)},
    ]
    bare = dict(going_of(field_of_battle({"at": (9, 9)}, elevation_m=heights), 0).slow)
    found = dict(
        going_of(field_of_battle({"at": (9, 9)}, elevation_m=heights, terrain=terrain), 0).slow
    )

    for factor, steep in bare.items():
        wood = forest if factor == going.VERY_ROUGH else shapely.Polygon()
        expected = shapely.difference(shapely.union(steep, wood), road)
        assert found[factor].symmetric_difference(expected).area < 1e-9
        assert found[factor].is_valid
