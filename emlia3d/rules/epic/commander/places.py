"""Worth of positions to a formation, by the objectives that it would hold or contest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Columns, Each
from emlia3d.battle.moment import Moment
from emlia3d.field.hexes import Tiles
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.formations import enemies_of, is_broken, units_of
from emlia3d.rules.epic.unit_set import game_of
from emlia3d.rules.epic.victory import HOLDS_WITHIN

OBJECTIVE = 150.0
"""Points of an objective at the end of the battle."""

SECOND = 0.1
"""Proportion of that at an objective with another formation of the side."""

APPROACH = 4.0
"""Points per tile on the way to the goal."""

CROWD = 6
"""Extra distance to a goal without another formation, tiles."""


def objective_now(moment: Moment) -> float:
    """Return the current worth of an objective, which increases with the rounds."""
    return OBJECTIVE / (1 + max(moment.setup.turns - moment.state.turn, 0))


def presence(moment: Moment, leader: int) -> NDArray[np.float64]:
    """Return (objectives,) the worth of a formation's presence near each, points.

    At an objective without another formation of its side, it holds the objective or denies it to
    the enemy.
    """
    find = partial(_find_presence, moment, leader)
    return _PRESENCE.entry(moment, (moment.state.turn, leader), find)


_PRESENCE: Each[tuple[int, int], NDArray[np.float64]] = Each(units_of, Columns("morale"))
"""The worth of presence near objectives, by round and formation."""


def _find_presence(moment: Moment, leader: int) -> NDArray[np.float64]:
    units = units_of(moment)
    friends = [
        row
        for other in units.formations(int(units.side[leader]))
        if other != leader and not is_broken(moment, other)
        for row in units.of_formation(other)
    ]
    gaps = tiles_apart(_objectives(moment)[:, None, :], units.tile[friends][None, :, :])
    shared = (gaps <= HOLDS_WITHIN).any(axis=1)
    worth: NDArray[np.float64] = np.where(shared, SECOND, 1.0) * objective_now(moment)
    return worth


def _objectives(moment: Moment) -> Tiles:
    """Return (objectives, 2) the tiles of the objectives."""
    return np.array(game_of(moment.setup).objectives, dtype=np.int64).reshape(-1, 2)


def freed(moment: Moment, target: int) -> float:
    """Return the worth of an enemy formation leaving the objectives near it, points."""
    if is_broken(moment, target):
        return 0.0
    units = units_of(moment)
    here = units.tile[units.of_formation(target)]
    return float(_near(moment, here) @ presence(moment, target))


def _near(moment: Moment, tiles: Tiles) -> NDArray[np.float64]:
    """Return (..., objectives) 1 if a tile is near an objective, more for several tiles.

    tiles : (..., tiles, 2)
    """
    near = tiles_apart(tiles[..., None, :], _objectives(moment)) <= HOLDS_WITHIN
    found: NDArray[np.float64] = near.any(axis=-2) * (1 + near.mean(axis=-2) / 10)
    return found


def worth_of_ends(
    moment: Moment, first: int, ends: Tiles, threats: Iterable[tuple[int, int, float]]
) -> NDArray[np.float64]:
    """Return the worth of each end of a move of a whole formation, points.

    first : a unit of it
    ends : (ends, 2) tiles on which that unit can end; the others follow
    threats : enemies with their charge distances, tiles, and the expected cost, points
    """
    units = units_of(moment)
    leader = int(units.leader[first])
    own = units.tile[units.of_formation(leader)]
    tiles = own + (ends - units.tile[first])[:, None, :]
    way = tiles_apart(tiles, goal_of(moment, leader)).min(axis=1)
    worth: NDArray[np.float64] = _near(moment, tiles) @ presence(moment, leader)
    worth -= APPROACH * np.maximum(way - 1, 0)
    for foe, reach, danger in threats:
        others = units.tile[units.of_formation(foe)]
        gaps = tiles_apart(tiles[:, :, None, :], others).min(axis=(1, 2))
        worth -= danger * (gaps <= reach)
    return worth


def goal_of(moment: Moment, leader: int) -> tuple[int, int]:
    """Return the tile of a formation's goal: an objective, or the nearest enemy.

    Objectives are distributed, so that each is the goal of formations near it.
    """
    units = units_of(moment)
    side = int(units.side[leader])
    objectives = game_of(moment.setup).objectives
    if not objectives:
        here = _middle(units.tile[units.of_formation(leader)])
        foes = enemies_of(moment, side)
        near = min(foes, key=lambda row: (int(tiles_apart(units.tile[row], here)), row))
        q, r = units.tile[near].tolist()
        return q, r
    taken: list[int] = []
    for each in units.formations(side):
        middle = _middle(units.tile[units.of_formation(each)])
        gaps = tiles_apart(np.array(objectives), middle).tolist()
        crowd = [taken.count(at) * CROWD for at in range(len(objectives))]
        taken.append(min(range(len(objectives)), key=lambda at: (gaps[at] + crowd[at], at)))
        if each == leader:
            break
    return objectives[taken[-1]]


def _middle(tiles: Tiles) -> Tiles:
    middle: Tiles = tiles.mean(axis=0).round().astype(np.int64)
    return middle
