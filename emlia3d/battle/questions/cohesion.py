"""Formations and their cohesion, and pairs at close quarters, as a picture draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.options import Place


FormationSign: TypeAlias = Literal["", "broken", "watching"]
"""The sign of a formation on the ground: it fights no longer, or it fires at units that move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationTag:
    """A formation in a picture: one tag for all its units, and a marker on the ground.

    units : rows of its units on the field; the tag is above the first
    name, text : the two lines of the tag
    left : proportion of its units that is left, 0 to 1, shown as a bar; None for no bar
    sign : marker on the ground below each unit
    """

    units: tuple[int, ...]
    name: str
    text: str = ""
    left: float | None = None
    sign: FormationSign = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohesion:
    """Links of a formation, and the ground that its enemies control.

    links : pairs of neighbouring units in the chain
    broken : pairs that are too far apart
    zones : outlines of ground that enemies control, GSU
    """

    links: tuple[tuple[int, int], ...] = ()
    broken: tuple[tuple[int, int], ...] = ()
    zones: tuple[tuple[Place, ...], ...] = ()


class JoinsUnits:
    """Base of rule systems: the relations between units that lines on the field show."""

    def contacts(self, moment: Moment) -> Sequence[tuple[int, int]]:
        """Return the pairs in close combat: (unit, enemy that it can attack)."""
        return ()

    def formations(self, moment: Moment) -> Sequence[FormationTag]:
        """Return the formations that have one tag each; none if each unit has its own."""
        return ()

    def cohesion(self, moment: Moment, unit: int) -> Cohesion:
        """Return the cohesion of a unit's formation; an empty one without formations."""
        return Cohesion()
