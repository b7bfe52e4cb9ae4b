"""Lines of sight between tiles: features are counted, and obstructing tiles stop them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.battle.derived import Derived
from emlia3d.battle.moment import Moment
from emlia3d.field.hexes import TileLines, TileSight, lines_between, sight_over_tiles
from emlia3d.rules.epic.formations import kind_of, units_of
from emlia3d.rules.epic.terrain import TileTerrain, terrain_of
from emlia3d.rules.rulebook import rule

EYE, ENGINE_EYE = 0.5, 1.5
"""Levels of eyes above the ground: of units, and of War Engines."""

FEATURE_TOP, OBSTRUCTING_TOP = 1, 2
"""Heights of features, and of obstructing tiles and War Engines, levels above the ground."""

MOST_FEATURES = 1
"""Maximum number of features on a clear line of sight."""


@rule("epic.los.line")
def tiles_between(start: ArrayLike, end: ArrayLike) -> TileLines:
    """Return the tiles between the ends of lines of sight; both of two that are equally near."""
    return lines_between(start, end)


@rule("epic.los.elevation", "epic.los.war-engine")
def tops(
    terrain: TileTerrain, engines: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the heights at which each tile obstructs lines and counts as a feature, levels.

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
    """Return whether lines are clear: at most one feature between, and no obstruction."""
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
    """Return the obstacles of lines of sight, without the tiles at their ends.

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
    """Return the obstacles of lines of sight between units; see `sight_on`."""
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
    if not len(rows) or not len(others):
        return np.zeros((len(rows), len(others)), dtype=np.bool_)
    clear = _clear_without_engines(moment, rows, others)
    beside = clear & _may_pass_engine(moment, rows, others)
    if beside.any():
        units = units_of(moment)
        one, other = (
            np.array(each)[at] for each, at in zip((rows, others), beside.nonzero(), strict=True)
        )
        tiles, eyes = units.tile, (eyes_of(moment, one.tolist()), eyes_of(moment, other.tolist()))
        sight = sight_between(moment, tiles[one], tiles[other], eyes)
        clear[beside] = is_clear(sight.features, sight.obstructions)
    return clear


_CLEAR_LINES: Derived[dict[tuple[int, int, float, float], bool]] = Derived(
    make=lambda _: {}, same=lambda *_: False
)
"""Cache of lines over terrain alone, by tiles and levels of eyes; true if clear.

Terrain does not change, so a battle and its forks share the cache.
"""


def _clear_without_engines(
    moment: Moment, rows: Sequence[int], others: Sequence[int]
) -> NDArray[np.bool_]:
    """Return whether the terrain leaves lines of sight clear, (rows, others)."""
    units, known = units_of(moment), _CLEAR_LINES(moment)
    ends, starts = (
        [*zip(units.number[[*each]].tolist(), eyes_of(moment, each).tolist(), strict=True)]
        for each in (others, rows)
    )
    lines = [(start, end, eye, to) for start, eye in starts for end, to in ends]
    if new := [*{line: None for line in lines if line not in known}]:
        start, end, eye, to = (np.array(column) for column in zip(*new, strict=True))
        tiles = units.board.tiles
        sight = sight_on(terrain_of(moment), (), tiles[start], tiles[end], (eye, to))
        clear = is_clear(sight.features, sight.obstructions)
        known.update(zip(new, clear.tolist(), strict=True))
    return np.array([known[line] for line in lines]).reshape(len(rows), len(others))


def _may_pass_engine(
    moment: Moment, rows: Sequence[int], others: Sequence[int]
) -> NDArray[np.bool_]:
    """Return whether lines can pass a War Engine: its tile is on a shortest path."""
    units = units_of(moment)
    engines = [
        row for row in np.flatnonzero(units.there).tolist() if kind_of(moment, row).is_engine
    ]
    to, on = units.gaps(rows, engines)[:, None, :], units.gaps(others, engines)[None, :, :]
    passes: NDArray[np.bool_] = np.less_equal(to + on, units.gaps(rows, others)[:, :, None])
    passes &= np.greater(to, 0)
    passes &= np.greater(on, 0)
    found: NDArray[np.bool_] = np.any(passes, axis=2)
    return found


@rule("epic.geometry.primitives")
def is_between(
    moment: Moment, starts: ArrayLike, ends: ArrayLike, tiles: set[tuple[int, int]]
) -> bool:
    """Return whether any line passes through any of some tiles, counting both of equal tiles."""
    lines = tiles_between(starts, ends)
    return any((q, r) in tiles for q, r in lines.tiles.reshape(-1, 2).tolist())
