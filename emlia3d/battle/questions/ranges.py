"""The distances that a unit can act at: weapons' ranges, arm's length, its move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The reach of one of a unit's actions from its boundary, GSU.

    what : in words; limits : the ends of its bands, the nearest first
    arc_deg : the arc from the unit's centre, half of it to each side
    sighted : whether it reaches only visible targets
    over_ground : whether it is a path over the ground, which obstacles may shorten
    """

    what: str
    limits: tuple[float, ...]
    arc_deg: float = 360.0
    sighted: bool = True
    over_ground: bool = False
