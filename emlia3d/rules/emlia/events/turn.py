"""Events of the turn and its activations (`emlia.time`, `emlia.activate`, `emlia.orders`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts
from emlia3d.battle.plain_values import Whole


class TurnPassed(Facts, frozen=True, kw_only=True):
    """Base of events at the borders of a turn.

    turn : counted from 1
    """

    turn: Whole


class TurnBegun(TurnPassed, frozen=True):
    """A turn begins."""


class TurnEnded(TurnPassed, frozen=True):
    """A turn is over."""


class StepBegun(Facts, frozen=True, kw_only=True):
    """A timing step of the turn begins.

    timing : its number
    """

    routine: ClassVar[bool] = True
    timing: Whole


class FirstDrawn(Facts, frozen=True, kw_only=True):
    """Dice have decided in which order the sides activate units.

    order : names of the sides, the first to activate first
    faces : the dice that were rolled, in the order in which they fell
    """

    order: tuple[str, ...]
    faces: tuple[Whole, ...]


class Declined(Facts, frozen=True, kw_only=True):
    """A side activates no unit in a timing step.

    side : its name
    """

    routine: ClassVar[bool] = True
    side: str


class Activated(Facts, frozen=True):
    """A unit is activated."""


class ActivationEnded(Facts, frozen=True):
    """The activation of a unit is over."""


class Delayed(Facts, frozen=True, kw_only=True):
    """A unit waits for a later timing step.

    timing : the step in which it is activated
    """

    timing: Whole


class DoublePaceDeclared(Facts, frozen=True):
    """A unit gives up its other actions to move at double pace."""


class ActedOfItself(Facts, frozen=True, kw_only=True):
    """A unit acts without orders, as its initiative conditions say.

    condition : number of the condition in the unit's list, from 1
    does : the action, by name
    """

    condition: Whole
    does: str


class Prepared(Facts, frozen=True, kw_only=True):
    """A unit has prepared actions, which are written on a secret note.

    note : the note as it is written
    """

    note: str


class NoteSeen(Facts, frozen=True, kw_only=True):
    """Base of events in which all learn of a note.

    note : the note as it is written
    does : the actions on it, by name
    """

    note: str
    does: str


class ShowedANote(NoteSeen, frozen=True):
    """A note was revealed before its condition was met; all know it, and it waits on."""


class Revealed(NoteSeen, frozen=True):
    """The condition of a note is met, and the unit does what it has prepared."""


class PreparedActionDue(Facts, frozen=True):
    """It is time for the next prepared action of a unit."""


class PreparedActionLost(Facts, frozen=True, kw_only=True):
    """A unit cannot do an action that it had prepared.

    does : the action, by name
    """

    does: str


class PreparedActionsEnded(Facts, frozen=True):
    """The prepared actions of a unit are done or lost."""


class Resolved(Facts, frozen=True):
    """The hits of a timing step have become losses, and morale is brought up to date."""


class BattleEnded(Facts, frozen=True, kw_only=True):
    """The battle is over.

    winner : name of the side that has won; None for a draw
    level : how clearly it has won
    reason : why the battle is over
    """

    winner: str | None
    level: str
    reason: str


class Captured(Facts, frozen=True):
    """The target takes a unit prisoner."""


EVENTS: tuple[type[Facts], ...] = (
    TurnBegun, TurnEnded, StepBegun, FirstDrawn, Declined, Activated, ActivationEnded, Delayed,
    DoublePaceDeclared, ActedOfItself, Prepared, ShowedANote, Revealed, PreparedActionDue,
    PreparedActionLost, PreparedActionsEnded, Resolved, BattleEnded, Captured,
)  # fmt: skip
"""The kinds of event of this module."""
