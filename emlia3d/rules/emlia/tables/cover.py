"""Emlia, chapter 19.4: cover.

Holds `emlia.cover.source`, `emlia.cover.per-attack`, `emlia.cover.not-solid` and
`emlia.cover.taking-cover`.
"""

from __future__ import annotations

from emlia3d.rules.rulebook import rule

NEAR_OBSTACLE = 5.0
"""GSU from the obstacle behind which a unit takes cover."""


@rule("emlia.cover.source", "emlia.cover.not-solid")
def stops(hits: int | None, solid: bool, base_damage: int) -> bool:
    """Return whether an entity stops an attack: the base damage is below its hits.

    An indestructible entity (hits None) stops every attack if solid, and none if sparse.

    base_damage : with falloff at range applied
    """
    return solid if hits is None else base_damage < hits


@rule("emlia.cover.taking-cover", "emlia.cover.prone-and-cover", "emlia.move.taking-cover-effects")
def gives_taking_cover(distance: float, top: float, height: float) -> bool:
    """Return whether an obstacle conceals a unit that takes cover, whatever the other's height.

    It must be within 5 GSU, with its top at least half of the unit's height above the unit's base
    elevation; both limits are inclusive.

    top : of the obstacle, height units above the unit's footing
    height : the unit's own, posture included
    """
    return distance <= NEAR_OBSTACLE and 2 * top >= height
