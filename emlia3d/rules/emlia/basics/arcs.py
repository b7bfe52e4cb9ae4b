"""Arcs around an entity with a facing: front, sides and rear.

Holds `emlia.aware.detect.arcs`.
"""

from __future__ import annotations

from enum import Enum

from emlia3d.rules.rulebook import rule


class Arc(Enum):
    """The arc of a direction, relative to a facing."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"


@rule("emlia.aware.detect.arcs")
@rule("emlia.attr.facing")
def arc_of(turn: int, arcs: tuple[float, float, float]) -> Arc:
    """Return the arc in which a direction lies; one on a border belongs to the more forward arc.

    turn : 64ths of a degree from the facing to the direction, to the right or (negative) left
    arcs : front, each side, rear, in degrees; [360, 0, 0] without a facing
    """
    front, side, _ = arcs
    off = 2 * abs(turn)
    if off <= 64 * front:
        return Arc.FRONT
    return Arc.SIDE if off <= 64 * (front + 2 * side) else Arc.REAR
