"""Places that the sides fight for, as a picture shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.options import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectivePlace:
    """A place that a side holds or would hold.

    name, text : the two lines of its tag
    at : where it is, GSU
    holder : the side that holds it, by row; None for none
    """

    name: str
    text: str
    at: Place
    holder: int | None = None


class NamesObjectives:
    """The part of a rule system that says which places the sides fight for."""

    def objectives(self, moment: Moment) -> Sequence[ObjectivePlace]:
        """Return the objectives at a moment; none without any."""
        return ()
