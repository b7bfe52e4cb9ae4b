"""How far a unit can act: its weapons' ranges, its arm's length, its move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """How far something that a unit does reaches from its boundary, GSU.

    what : in words; limits : where its bands end, the nearest first
    arc_deg : that it may be turned to from the unit's middle, half of it to each side
    sighted : whether only what the unit sees can be reached
    """

    what: str
    limits: tuple[float, ...]
    arc_deg: float = 360.0
    sighted: bool = True


@runtime_checkable
class Ranger(Protocol):
    """A rule system that knows how far units can act."""

    def ranges(self, battle: Battle, unit: int) -> tuple[Range, ...]:
        """Everything that a unit has a range for, what reaches farthest first."""
        ...
