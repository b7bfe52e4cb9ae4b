"""How far a unit can act: its weapons' ranges, its arm's length, its move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from shapely.geometry.base import BaseGeometry

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


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


@runtime_checkable
class Ranger(Protocol):
    """A rule system that knows how far units can act."""

    def ranges(self, battle: Battle, unit: int) -> tuple[Range, ...]:
        """Everything that a unit has a range for, what reaches farthest first."""
        ...

    def grounds(self, battle: Battle, unit: int) -> Iterator[BaseGeometry]:
        """The ground on which the middle of a unit may end a move, GSU.

        Found out little by little, each time a little more; the last is all of it.
        """
        ...
