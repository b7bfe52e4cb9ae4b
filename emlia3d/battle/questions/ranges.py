"""The distances at which a unit can act: weapon ranges, combat range, moves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The reach of one of a unit's actions from its boundary, GSU.

    what : the action in words
    limits : the ends of its range bands, the nearest first
    arc_deg : the arc from the unit's centre, half of it to each side of the facing
    sighted : whether it reaches only visible targets
    over_ground : whether it is a path over the ground, which obstacles may shorten
    """

    what: str
    limits: tuple[float, ...]
    arc_deg: float = 360.0
    sighted: bool = True
    over_ground: bool = False
