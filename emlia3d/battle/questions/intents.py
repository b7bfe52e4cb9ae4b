"""The tasks of a side's units in its plan, for pictures and unit cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.questions.options import Place

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """The task of a group of units.

    text : the task in words, with the name of the group
    group : the name of the group
    units : the rows of its units
    line : left and right end of the front line that they should form, from their point of view
    limit : maximum distance beyond that line, GSU; 0 if they stay in it
    goal : position of their target; None without one
    """

    text: str
    group: str
    units: tuple[int, ...]
    line: tuple[Place, Place]
    limit: float = 0.0
    goal: Place | None = None


def intent_rows(moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
    """Return the task of a unit as rows of its card, which only its own side sees."""
    side = moment.state.units.integer("side", unit)
    found = moment.system.intents(moment, side)
    return tuple(("mission", each.text) for each in found if unit in each.units)


def card_seen_by(moment: Moment, unit: int, eyes: int | None) -> tuple[tuple[str, str], ...]:
    """Return the card of a unit, with its task if the viewer may see it.

    eyes : the side of the viewer, which sees only its own tasks; None for all sides
    """
    side = moment.state.units.integer("side", unit)
    own = intent_rows(moment, unit) if eyes in {None, side} else ()
    return (*moment.system.card(moment, unit), *own)
