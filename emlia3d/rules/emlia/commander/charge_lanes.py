"""Straight moves from which a unit has a free run at an enemy, to charge it in the same activation.

This module approximates bodies by rectangles; the reach of a charge is computed exactly later.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.rules.emlia.commander.vantage import are_seen, inside
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to, speed_of
from emlia3d.rules.emlia.play.situation.contact import is_ranked
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import ranked_turn_cost

Floats = NDArray[np.float64]
Polygons = NDArray[np.object_]

_WAYS, _STEPS = 24, 6
"""Number of directions of the move, the first one straight ahead, and of steps in each."""

_EDGE = 2.0
"""Minimum distance from the edge of the field, GSU."""

_NARROWER = 0.5
"""Tolerance for overlaps at the edges of a lane, GSU."""

_SAME = 1e-9
"""Tolerance for equal angles, difference of cosines."""

_STRAIGHT = 1 - _SAME
"""Cosine from which a unit need not turn."""

_BEFORE, _BEHIND = 0.64, -0.64
"""Cosines of the angles from an enemy's front that limit its front and its rear."""

_WORTH = (1.0, 1.5, 2.0)
"""The worth of a charge at a ranked enemy from before it, beside it and behind it."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Straight moves of a unit without obstacles.

    facings : (n,) directions, 64ths of a degree
    far : (n,) distances, GSU
    spots : (n, 2) centres after the move, GSU
    """

    facings: NDArray[np.int64]
    far: Floats
    spots: Floats


def run_ups(ai: AiContext, unit: int, foe: int, moves: Moves) -> list[tuple[int, float]]:
    """Return facings and distances of moves to positions with a free run at an enemy.

    Moves to its rear and flanks come first, then the shortest.
    """
    battle, pose = ai.battle, pose_of(ai.battle, foe)
    facings, far, spots = moves.facings, moves.far, moves.spots
    if not len(far):
        return []
    run, is_open = _runs(ai, unit, foe, _ahead(facings), spots)
    good = np.flatnonzero(is_open)
    target = np.broadcast_to(pose.middle, (len(good), 2))
    good = good[are_seen(battle, spots[good], target)]
    looks = unit_vector(pose.facing)
    worth = _worths(looks, run) if is_ranked(battle, foe) else np.ones(len(far))
    order = sorted(good.tolist(), key=lambda one: (-worth[one], far[one], int(facings[one])))
    return [(int(facings[one]), float(far[one])) for one in order]


def straight_moves(ai: AiContext, unit: int) -> Moves:
    """Return the straight moves of a unit in all directions without obstacles."""
    battle, pose = ai.battle, pose_of(ai.battle, unit)
    facings = (pose.facing + np.arange(_WAYS) * (FULL_CIRCLE // _WAYS)) % FULL_CIRCLE
    facings, far = _moves(facings, pose.facing, speed_of(battle, unit))
    ways, middle = _ahead(facings), np.array(pose.middle)
    bodies = shapely.STRtree(obstacles_to(battle, unit, unknown_to(battle, unit)))
    half, deep = pose.drill.frontage / 2 - _NARROWER, pose.drill.length / 2
    spots = middle + far[:, None] * ways
    free = are_free(bodies, boxes(middle, ways, half, deep, far))
    free &= inside(battle.setup.field, spots, _EDGE)
    return Moves(facings[free], far[free], spots[free])


def _runs(
    ai: AiContext, unit: int, foe: int, ways: Floats, spots: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return directions of charges, (n, 2), and whether they are open and in reach, (n,).

    A charge follows the line of shortest distance from the unit's position.

    ways : (n, 2) as the unit faces at each place
    """
    battle, situation = ai.battle, situation_of(ai.battle)
    layout, there, speed = situation.drill(unit), situation.outline(foe), speed_of(battle, unit)
    half, deep = layout.frontage / 2 - _NARROWER, layout.length / 2
    lines = shapely.shortest_line(boxes(spots, ways, half, deep, np.zeros(len(spots))), there)
    run = np.diff(shapely.get_coordinates(lines).reshape(-1, 2, 2), axis=1)[:, 0]
    gap = np.hypot(*run.T)
    ahead = run / np.maximum(gap, _SAME)[:, None]
    cost = _turn_costs((ahead * ways).sum(axis=1), speed)
    length = _gap_ahead(spots, ahead, half, deep, there)
    near = (gap > 0) & (length + cost <= speed + reach_of(situation, unit))
    others = shapely.STRtree(obstacles_to(battle, unit, (foe, *unknown_to(battle, unit))))
    lane = boxes(spots, ahead, half, deep, np.maximum(length - 2 * _NARROWER, 0.0))
    return ahead, near & are_free(others, lane)


def _moves(facings: NDArray[np.int64], now: int, speed: float) -> tuple[NDArray[np.int64], Floats]:
    """Return (n,) facings and (n,) distances of straight moves after the cost of turns."""
    cosines = _ahead(facings) @ unit_vector(now)
    left = speed - _turn_costs(cosines, speed)
    steps = np.arange(1, _STEPS + 1) / _STEPS
    return np.repeat(facings, _STEPS), (left[:, None] * steps).ravel()


def _ahead(facings: NDArray[np.int64]) -> Floats:
    """Return (n, 2) unit vectors east and north of facings."""
    return np.array([unit_vector(facing) for facing in facings.tolist()])


def _turn_costs(cosines: Floats, speed: float) -> Floats:
    """Return (n,) the costs of turns for a ranked unit, by the cosine of their angle."""
    none, half, about = (ranked_turn_cost(angle, speed) for angle in (0.0, 90.0, 180.0))
    return np.where(cosines > _STRAIGHT, none, np.where(cosines > -_SAME, half, about))


def boxes(middles: Floats, ways: Floats, half: float, deep: float, far: Floats) -> Polygons:
    """Return (n,) the areas that a unit covers on its way straight ahead.

    middles : its centre before, (2,) or (n, 2)
    half, deep : half of its width and depth, GSU
    """
    side = np.column_stack([ways[:, 1], -ways[:, 0]]) * half
    rear = middles - deep * ways
    front = middles + (deep + far)[:, None] * ways
    corners = np.stack([rear - side, rear + side, front + side, front - side], axis=1)
    return np.asarray(shapely.polygons(corners))


def are_free(bodies: shapely.STRtree, boxes: Polygons) -> NDArray[np.bool_]:
    """Return (n,) whether boxes contain no bodies."""
    free = np.ones(len(boxes), dtype=bool)
    free[bodies.query(boxes, predicate="intersects")[0]] = False
    return free


def _gap_ahead(
    spots: Floats, ways: Floats, half: float, deep: float, there: shapely.Geometry
) -> Floats:
    """Return (n,) how far units can move straight ahead before their fronts meet a body, GSU."""
    corners = shapely.get_coordinates(there)[None] - spots[:, None]
    along = (corners * ways[:, None]).sum(axis=2) - deep
    across = corners[..., 0] * ways[:, None, 1] - corners[..., 1] * ways[:, None, 0]
    along = np.where(np.abs(across) <= half, along, np.inf)
    # The obstacle is the nearest corner in the lane, or an edge that crosses its centre.
    fronts = spots + deep * ways
    edge = shapely.distance(shapely.points(fronts), there)
    gaps: Floats = np.minimum(along.min(axis=1), edge)
    return gaps


def _worths(looks: tuple[float, float], ahead: Floats) -> Floats:
    """Return (n,) the worth of charges at a ranked enemy, by the side that they meet."""
    cosine = -(ahead @ looks)
    return np.where(cosine > _BEFORE, _WORTH[0], np.where(cosine < _BEHIND, _WORTH[2], _WORTH[1]))
