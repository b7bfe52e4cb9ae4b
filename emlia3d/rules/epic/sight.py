"""Lines of sight from tile to tile: features are counted, and obstructing tiles stop them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.battle.moment import Moment
from emlia3d.field.hexes import TileLines, TileSight, lines_between, sight_over_tiles
from emlia3d.rules.epic.formations import kind_of, units_of
from emlia3d.rules.epic.terrain import TileTerrain, terrain_of
from emlia3d.rules.rulebook import rule

EYE, ENGINE_EYE = 0.5, 1.5
"""Levels of eyes above the ground: of units, and of War Engines."""

FEATURE_TOP, OBSTRUCTING_TOP = 1, 2
"""Levels above the ground that features, and obstructing tiles and War Engines, are high."""

MOST_FEATURES = 1
"""Features between that leave a line of sight clear."""


@rule("epic.los.line")
def tiles_between(start: ArrayLike, end: ArrayLike) -> TileLines:
    """Return the tiles between the ends of lines of sight; both of two that are equally near."""
    return lines_between(start, end)


@rule("epic.los.elevation", "epic.los.war-engine")
def tops(
    terrain: TileTerrain, engines: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how high each tile obstructs lines, and how high it is a feature, in levels.

    engines : numbers of the tiles on which War Engines stand
    """
    levels = terrain.levels.astype(np.float64)
    obstructs = terrain.is_sight("obstructing")
    obstructs[np.asarray(engines, dtype=np.int64)] = True
    obstructing = levels + np.where(obstructs, OBSTRUCTING_TOP, 0)
    hindering = np.where(terrain.is_sight("feature"), levels + FEATURE_TOP, -np.inf)
    return obstructing, hindering


@rule("epic.los.features", "epic.los.obstructing")
def is_clear(features: ArrayLike, obstructions: ArrayLike) -> NDArray[np.bool_]:
    """Return whether lines are clear: with one feature between at most, and no obstruction."""
    clear: NDArray[np.bool_] = np.less_equal(features, MOST_FEATURES) & np.equal(obstructions, 0)
    return clear


@rule("epic.los.ends", "epic.geometry.los-algorithm", "epic.geometry.los-vectors")
def sight_on(
    terrain: TileTerrain,
    engines: ArrayLike,
    starts: ArrayLike,
    ends: ArrayLike,
    eyes: tuple[ArrayLike, ArrayLike] = (EYE, EYE),
) -> TileSight:
    """Return what hinders lines of sight; the tiles at their ends never do.

    engines : numbers of the tiles on which War Engines stand
    eyes : levels of the eyes above the ground at both ends
    """
    board = terrain.board
    obstructing, hindering = tops(terrain, engines)
    grounds = [terrain.levels[board.numbers(tiles)] for tiles in (starts, ends)]
    return sight_over_tiles(
        board,
        starts,
        ends,
        eyes=(grounds[0] + np.asarray(eyes[0]), grounds[1] + np.asarray(eyes[1])),
        obstructing=obstructing,
        hindering=hindering,
    )


def sight_between(
    moment: Moment,
    starts: ArrayLike,
    ends: ArrayLike,
    eyes: tuple[ArrayLike, ArrayLike] = (EYE, EYE),
) -> TileSight:
    """Return what hinders lines of sight among the units as they stand; see `sight_on`."""
    units = units_of(moment)
    engines = [
        int(units.number[row])
        for row in np.flatnonzero(units.there).tolist()
        if kind_of(moment, row).is_engine
    ]
    return sight_on(terrain_of(moment), engines, starts, ends, eyes)


def eyes_of(moment: Moment, rows: Sequence[int]) -> NDArray[np.float64]:
    """Return the levels of the eyes of units above the ground."""
    return np.array([ENGINE_EYE if kind_of(moment, row).is_engine else EYE for row in rows])


@rule("epic.los.unit-pairs")
def sees(moment: Moment, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.bool_]:
    """Return whether each unit sees each of others, (rows, others)."""
    units = units_of(moment)
    one, other = np.repeat([*rows], len(others)), np.tile([*others], len(rows))
    if not len(one):
        return np.zeros((len(rows), len(others)), dtype=np.bool_)
    sight = sight_between(
        moment,
        units.tile[one],
        units.tile[other],
        (eyes_of(moment, one.tolist()), eyes_of(moment, other.tolist())),
    )
    return is_clear(sight.features, sight.obstructions).reshape(len(rows), len(others))


@rule("epic.geometry.primitives")
def is_between(
    moment: Moment, starts: ArrayLike, ends: ArrayLike, tiles: set[tuple[int, int]]
) -> bool:
    """Return whether any line passes through any of some tiles; of two that are equal, either."""
    lines = tiles_between(starts, ends)
    return any((q, r) in tiles for q, r in lines.tiles.reshape(-1, 2).tolist())
