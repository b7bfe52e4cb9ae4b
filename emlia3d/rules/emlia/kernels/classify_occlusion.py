"""Distances of obstacles in many sight corridors from their ends, and the sight that they take.

Results that rounding could decide are marked open for the caller to settle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emlia3d._ext.emlia import classify_occlusion as _kernel
from emlia3d.geometry.arrays import Floats, Rows
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.threads import in_chunks
from emlia3d.rules.emlia.kernels.corridor_obstacles import SOLID, CorridorHits, Obstacles
from emlia3d.rules.emlia.kernels.occlusion_levels import (
    Ends,
    Flags,
    Occluders,
    Octets,
    Thresholds,
    occlusion_levels,
)

# The results of `occlusion_levels` for hidden bodies.
_WHOLLY = 2
_QUESTIONS_AT_ONCE = 1 << 12


@dataclass(frozen=True, slots=True)
class UnitHulls:
    """The ends of corridors, in columns for u of them.

    corners : (k, 2) float64, GSU, members' positions, one of which is the farthest from
        anything convex; starts : (u + 1,) int32, where each unit's begin
    radii : (u,) float64, GSU, from the middle of a member's footprint to its edge
    """

    corners: Floats
    starts: Rows
    radii: Floats


@dataclass(frozen=True, slots=True)
class Occlusion:
    """The concealment of each observed, as far as the kernel can decide.

    levels : (n,) uint8, as of `occlusion_levels`
    measures : (5, k) float64, GSU: to_observer, to_observed, observer_depth, observed_depth and
        to_perch of `Occluders`, the last as to_observed; NaN where they do not count
    unsure : (k,) bool, rows of which rounding could decide whether the shorter is behind it, or
        that are not convex and before many: their depth is NaN
    is_open : whether any is unsure, or whether it is solid is UNCERTAIN
    """

    levels: Octets
    measures: Floats
    unsure: Flags
    is_open: bool


def classify_occlusion(  # noqa: PLR0913  columns that belong together
    bodies: Bodies,
    obstacles: Obstacles,
    found: CorridorHits,
    ranks: UnitHulls,
    ground: Floats,
    limits: Thresholds,
    *,
    every: bool = False,
) -> Occlusion:
    """Return how much of each observed body the obstacles and the ground conceal.

    found : result of `corridor_obstacles`; the function writes into it whether a row is solid
    ground : (n, 2) float64, as in `occlusion_levels`
    every : also measure rows that the level does not depend on

    Source: emlia.sight.shadow, emlia.sight.from-shadow, emlia.sight.half, emlia.sight.sparse-solid.
    """
    asked, rows = found.asked, len(found.rows)
    levels, unsure = np.empty(len(asked), np.uint8), np.empty(rows, np.bool_)
    measures, room = np.empty((5, rows)), 8 * bodies.widest + 8
    borders = np.array([limits.half, limits.slack, limits.crouch])
    left: list[int] = []

    def settle(begin: int, stop: int) -> None:
        left.append(_kernel.levels(
            *obstacles.columns(bodies), np.empty(room), obstacles.convex.view(np.uint8),
            asked.ends, asked.observers, asked.observed, asked.units,
            asked.alone.view(np.uint8), asked.crouched.view(np.uint8),
            asked.perched.view(np.uint8), ranks.corners, ranks.starts, ranks.radii, ground, borders,
            found.starts, found.rows, found.fraction, found.which, found.hidden.view(np.uint8),
            found.solid, every, begin, stop, measures, unsure.view(np.uint8), levels,
        ))  # fmt: skip

    in_chunks(settle, len(asked), _QUESTIONS_AT_ONCE)
    return Occlusion(levels, measures, unsure, any(left))


def reclassify(
    obstacles: Obstacles,
    found: CorridorHits,
    measures: Floats,
    ground: Floats,
    limits: Thresholds,
) -> Octets:
    """(n,) uint8: the same levels once what was open has been settled.

    found : with SOLID or NOT_SOLID instead of UNCERTAIN
    measures : of `Occlusion`, with what was unsure, and to_perch, put right
    """
    asked = found.asked
    to_observer, to_observed, observer_depth, observed_depth, to_perch = measures
    observers, observed = (
        Ends(
            footing=figures[:, 0], height=figures[:, 1], size=figures[:, 2], reach=figures[:, 3],
            crouched=asked.crouched, perched=asked.perched,
        )
        for figures in (asked.observers, asked.observed)
    )  # fmt: skip
    facts = Occluders(
        top=obstacles.tops[found.rows],
        solid=found.solid == SOLID,
        fraction=found.fraction,
        to_observer=to_observer,
        to_observed=to_observed,
        observer_depth=observer_depth,
        observed_depth=observed_depth,
        to_perch=to_perch,
    )
    levels = occlusion_levels(found.starts, observers, observed, facts, ground, limits)
    levels[found.hidden] = _WHOLLY
    return levels
