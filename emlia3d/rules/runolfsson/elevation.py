"""Levels, contour edges and obstacles: tests of many fire lines at once.

Levels are whole numbers. Distances run along the fire line from the near edges of the two bases.
All functions take numbers or arrays that broadcast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.outline_crossings import Bools, Outlines
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.core import SLACK, TOUCH

Ints = NDArray[np.int64]

HEIGHTS = {"rock": 1, "tree": 3, "wall": 1, "bush": 1, "smoke": 3, "stream": 0, "model": 1}
"""Heights of objects, levels; a contour is one level high."""


@rule("runolfsson.elevation.heights")
def height_of(kind: str) -> int:
    """Return the height of an object, levels; 0 for a kind that is no obstacle."""
    return HEIGHTS.get(kind, 0)


@rule("runolfsson.elevation.level")
def level_at(contours: Outlines, spots: Floats) -> Ints:
    """Return (spots,) the number of contours that contain each point."""
    levels: Ints = contours.holds(spots).sum(axis=1)
    return levels


@rule("runolfsson.elevation.top")
def stands_high_enough(attacker: Any, target: Any, top: Any) -> Any:
    """Return whether the higher of two models stands at or above the top of a piece."""
    return np.maximum(attacker, target) >= top


@rule("runolfsson.elevation.both-higher")
def both_higher(attacker: Any, target: Any, top: Any) -> Any:
    """Return whether both models stand at or above the top of a piece."""
    return np.minimum(attacker, target) >= top


@rule("runolfsson.elevation.fire-down")
def over_downhill(attacker_to_far: Any, target_to_far: Any) -> Any:
    """Return whether fire from a higher level passes over a piece, by its far edge."""
    return target_to_far >= attacker_to_far / 2 - SLACK


@rule("runolfsson.elevation.fire-up")
def over_uphill(attacker_to_near: Any, target_to_near: Any) -> Any:
    """Return whether fire from a lower level passes over a piece, by its near edge."""
    return target_to_near >= attacker_to_near / 2 - SLACK


@rule("runolfsson.elevation.over-units", "runolfsson.elevation.not-over")
def over(attacker: Any, target: Any, top: Any, near: tuple[Any, Any], far: tuple[Any, Any]) -> Any:
    """Return whether fire passes over a piece of terrain or a model.

    attacker, target : levels
    top : the level of the ground of the piece, and its height
    near, far : distances of its edges from the attacker and from the target, inches

    Other pieces act as if everything were on one level.
    """
    by_distance = np.where(
        np.greater(attacker, target),
        over_downhill(*far),
        np.less(attacker, target) & over_uphill(*near),
    )
    return both_higher(attacker, target, top) | (
        stands_high_enough(attacker, target, top) & by_distance
    )


@rule("runolfsson.elevation.ground-between")
def blocked_by_ground(through: Bools, holds: Bools, higher: Any, level: Any, shot_over: Any) -> Any:
    """Return whether ground between two models blocks fire.

    through : whether the fire line goes through the contour
    holds : whether the contour contains one of the models
    higher : level of the higher model
    level : of the contour
    shot_over : whether fire passes over the contour as over a piece
    """
    return through & ((level > higher) | (~holds & ~shot_over))


@rule("runolfsson.contour.touch")
def touches(distance: Any) -> Any:
    """Return whether a base touches an edge, from the distance between them."""
    return distance <= TOUCH + SLACK


@rule("runolfsson.contour.down", "runolfsson.contour.fired-upon")
def at_its_edge(touching: Any, to_crossing: Any) -> Any:
    """Return whether a model on a higher level can fire down and be fired at.

    touching : whether it touches the edge of its own level
    to_crossing : distance from its base to the crossing of the fire line with that edge
    """
    return touching & (to_crossing <= 0.5 + SLACK)


@rule("runolfsson.contour.foot")
def at_the_foot(lower: Any, higher: Any, touching: Any) -> Any:
    """Return whether a model sees the whole next level, because it touches the foot of its slope.

    lower, higher : levels of the two models
    touching : whether the lower model touches the edge of the level of the higher model
    """
    return touching & (higher == lower + 1)


@rule("runolfsson.contour.cases")
def may_fire_across(attacker: Any, target: Any, at_edge: Any, at_foot: Any) -> Any:
    """Return whether contour edges allow fire between two levels."""
    return np.equal(attacker, target) | at_edge | at_foot


@rule("runolfsson.contour.many")
def is_terrace(attacker: Any, target: Any, level: Any) -> Any:
    """Return whether the edge of a contour is strictly between the levels of two models."""
    return (level > np.minimum(attacker, target)) & (level < np.maximum(attacker, target))


@rule("runolfsson.contour.minus-one")
def edge_modifier(attacker: Any, target: Any, target_touches: Any) -> Any:
    """Return the modifier of fire through a contour edge at a model that touches that edge."""
    return np.where(np.not_equal(attacker, target) & target_touches, -1, 0)


@rule("runolfsson.contour.contact")
def uphill_modifier(attacker: Any, target: Any) -> Any:
    """Return the modifier of a close attack across a contour edge."""
    return np.where(np.greater(target, attacker), -1, 0)
