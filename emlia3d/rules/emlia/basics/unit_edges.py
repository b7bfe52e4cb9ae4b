"""The four sides of a ranked unit's rectangle.

Holds `emlia.align.cost`.
"""

from __future__ import annotations

from enum import Enum

from emlia3d.rules.rulebook import rule, rule_rows


class UnitEdge(Enum):
    """Side of a ranked unit, from the point of view of its members."""

    FRONT = "front"
    LEFT = "left flank"
    RIGHT = "right flank"
    REAR = "rear"

    @property
    def is_flank(self) -> bool:
        """True if it is one of the two short sides."""
        return self in {UnitEdge.LEFT, UnitEdge.RIGHT}


ALIGN_COST = {UnitEdge.FRONT: 0, UnitEdge.LEFT: -1, UnitEdge.RIGHT: -1, UnitEdge.REAR: -2}


@rule("emlia.align.cost")
@rule_rows("emlia.align.cost.front", "emlia.align.cost.flank", "emlia.align.cost.rear")
def align_cost(side: UnitEdge) -> int:
    """Return the modifier to all skill checks of a unit that turned to an enemy on a side."""
    return ALIGN_COST[side]
