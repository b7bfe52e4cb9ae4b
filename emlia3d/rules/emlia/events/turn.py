"""Events of the turn and its activations (`emlia.time`, `emlia.activate`, `emlia.orders`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts
from emlia3d.battle.plain_values import Whole


class TurnPassed(Facts, frozen=True, kw_only=True):
    """Base of events at the borders of a turn.

    turn : number of the turn, from 1
    """

    turn: Whole


class TurnBegun(TurnPassed, frozen=True):
    """A turn begins."""


class TurnEnded(TurnPassed, frozen=True):
    """A turn ends."""


class StepBegun(Facts, frozen=True, kw_only=True):
    """A timing step of the turn begins.

    timing : number of the step
    """

    routine: ClassVar[bool] = True
    timing: Whole


class FirstDrawn(Facts, frozen=True, kw_only=True):
    """Dice determine the order in which the sides activate units.

    order : names of the sides, beginning with the side that activates a unit first
    faces : results of the dice, in the order of rolling
    """

    order: tuple[str, ...]
    faces: tuple[Whole, ...]


class Declined(Facts, frozen=True, kw_only=True):
    """A side activates no unit in a timing step.

    side : name of the side
    """

    routine: ClassVar[bool] = True
    side: str


class Activated(Facts, frozen=True):
    """A unit is activated."""


class ActivationEnded(Facts, frozen=True):
    """The activation of a unit ends."""


class Delayed(Facts, frozen=True, kw_only=True):
    """A unit waits for a later timing step.

    timing : number of that step
    """

    timing: Whole


class DoublePaceDeclared(Facts, frozen=True):
    """A unit gives up its other actions to move at double pace."""


class ActedOfItself(Facts, frozen=True, kw_only=True):
    """A unit acts on initiative, because one of its initiative conditions is met.

    condition : number of the condition in the unit's list, from 1
    does : name of the action
    """

    condition: Whole
    does: str


class Prepared(Facts, frozen=True, kw_only=True):
    """A unit prepares actions and writes them on a secret note.

    note : text of the note
    """

    note: str


class NoteSeen(Facts, frozen=True, kw_only=True):
    """Base of events in which all sides learn of a note.

    note : text of the note
    does : names of the actions on the note
    """

    note: str
    does: str


class ShowedANote(NoteSeen, frozen=True):
    """A unit shows its note to all sides before the condition is met. The note stays valid."""


class Revealed(NoteSeen, frozen=True):
    """The condition of a note is met, and the unit takes the prepared actions."""


class PreparedActionDue(Facts, frozen=True):
    """The next prepared action of a unit is due."""


class PreparedActionLost(Facts, frozen=True, kw_only=True):
    """A unit cannot take an action that it has prepared.

    does : name of the action
    """

    does: str


class PreparedActionsEnded(Facts, frozen=True):
    """A unit has taken or lost all its prepared actions."""


class Resolved(Facts, frozen=True):
    """The resolution of a timing step ends: hits have become losses, and morale is updated."""


class BattleEnded(Facts, frozen=True, kw_only=True):
    """The battle ends.

    winner : name of the side that wins; null for a draw
    level : level of victory
    reason : the reason in words
    """

    winner: str | None
    level: str
    reason: str


class Captured(Facts, frozen=True):
    """The target captures a unit."""


EVENTS: tuple[type[Facts], ...] = (
    TurnBegun, TurnEnded, StepBegun, FirstDrawn, Declined, Activated, ActivationEnded, Delayed,
    DoublePaceDeclared, ActedOfItself, Prepared, ShowedANote, Revealed, PreparedActionDue,
    PreparedActionLost, PreparedActionsEnded, Resolved, BattleEnded, Captured,
)  # fmt: skip
"""The kinds of event of this module."""
