"""The tasks of a side's units by its plan, for pictures and cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.questions.options import Place

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """The task of a group of units.

    text : in words, with the name of the group
    group : that name
    units : their rows
    line : left and right end of the front that they are to form, as they see it
    limit : how far beyond that line they may go, GSU; 0 where they stay in it
    goal : the place of their target; None if they have none
    """

    text: str
    group: str
    units: tuple[int, ...]
    line: tuple[Place, Place]
    limit: float = 0.0
    goal: Place | None = None


def intent_rows(moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
    """Return the task of a unit as rows of its card, for its own side to see."""
    side = moment.state.units.integer("side", unit)
    found = moment.system.intents(moment, side)
    return tuple(("mission", each.text) for each in found if unit in each.units)


def card_seen_by(moment: Moment, unit: int, eyes: int | None) -> tuple[tuple[str, str], ...]:
    """Return the card of a unit, with its task if it is of the side that looks.

    eyes : the side that looks; None for a viewer of all sides
    """
    side = moment.state.units.integer("side", unit)
    own = intent_rows(moment, unit) if eyes in {None, side} else ()
    return (*moment.system.card(moment, unit), *own)
