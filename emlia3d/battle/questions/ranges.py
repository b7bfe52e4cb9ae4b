"""How far a unit can act: its weapons' ranges, its arm's length, its move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """How far something that a unit does reaches from its boundary, GSU.

    what : in words; limits : where its bands end, the nearest first
    arc_deg : that it may be turned to from the unit's middle, half of it to each side
    sighted : whether only what the unit sees can be reached
    over_ground : whether it is a way over the ground, which that and others on it may shorten
    """

    what: str
    limits: tuple[float, ...]
    arc_deg: float = 360.0
    sighted: bool = True
    over_ground: bool = False
