"""Emlia, chapter 19.5: shooting up and down.

Holds `emlia.elev`.
"""

from __future__ import annotations

from emlia3d.rules.rulebook import rule

GSU_PER_HEIGHT = 1.0
"""Rules that add heights to distances take a height unit as a GSU (`emlia.meta.height-gsu`)."""


@rule("emlia.elev.dh")
def height_difference(source_footing: float, target_footing: float) -> float:
    """Return the absolute difference of base elevation between source and target, GSU.

    A mount is a footing of its own height.
    """
    return abs(source_footing - target_footing) * GSU_PER_HEIGHT


@rule("emlia.elev.uphill")
@rule("emlia.meta.height-gsu")
def effective_distance(distance: float, source_footing: float, target_footing: float) -> float:
    """Return the distance used for range bands: shooting upward adds the difference."""
    if target_footing > source_footing:
        return distance + height_difference(source_footing, target_footing)
    return distance


@rule("emlia.elev.downhill")
def extra_range(source_footing: float, target_footing: float) -> float:
    """Return what shooting downward adds to the maximum range; other bands do not change."""
    if source_footing > target_footing:
        return height_difference(source_footing, target_footing)
    return 0.0


def elevation_because(
    source_footing: float, target_footing: float, *, beyond: bool
) -> tuple[str, ...]:
    """Return the rules by which a difference of height changed the distance or the range.

    beyond : whether the target is beyond the weapon's printed maximum range
    """
    if target_footing > source_footing:
        return "emlia.elev.dh", "emlia.meta.height-gsu", "emlia.elev.uphill"
    if source_footing > target_footing and beyond:
        return "emlia.elev.dh", "emlia.meta.height-gsu", "emlia.elev.downhill"
    return ()
