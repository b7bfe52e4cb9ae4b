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
    """An objective on the field.

    name, text : the two lines of its tag
    at : its position, GSU
    holder : row of the side that holds it; None for none
    """

    name: str
    text: str
    at: Place
    holder: int | None = None


class NamesObjectives:
    """Base of rule systems: the objectives of the sides."""

    def objectives(self, moment: Moment) -> Sequence[ObjectivePlace]:
        """Return the objectives at a moment; () without objectives."""
        return ()
