"""Events of losses, morale and leaders (`emlia.damage`, `emlia.morale`, `emlia.lead`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Number, Whole


class Losses(Facts, frozen=True, kw_only=True):
    """Base of losses.

    points : damage that is resolved now
    lost : members that fall
    left : members that are left
    faces : each die for a vital hit
    vital : what each of them does, in words
    """

    points: Number
    lost: Whole
    left: Whole
    faces: tuple[Whole, ...] | None = None
    vital: tuple[str, ...] | None = None


class Suffered(Losses, frozen=True):
    """A unit has taken damage."""


class Destroyed(Losses, frozen=True):
    """The last members of a unit have fallen."""


class MoraleUpdated(Facts, frozen=True, kw_only=True):
    """Base of morale updates.

    before, after : morale value
    state : name of the morale state that the unit is in now
    """

    before: Whole
    after: Whole
    state: str


class Heartened(MoraleUpdated, frozen=True):
    """The morale of a unit has risen."""


class Shaken(MoraleUpdated, frozen=True):
    """The morale of a unit has sunk."""


class Held(MoraleUpdated, frozen=True):
    """The morale of a unit is as it was."""

    routine: ClassVar[bool] = True


class Reordered(Rolled, frozen=True):
    """A leader has tried to reorder a disordered unit."""


class Encouraged(Rolled, frozen=True):
    """A leader has tried to raise the morale of a unit."""


class Steadied(Rolled, frozen=True):
    """A leader has tried to keep a unit from retreat."""


class TookCommand(Rolled, frozen=True):
    """A leader has tried to take command of a unit."""


class Regrouped(Rolled, frozen=True, kw_only=True):
    """Base of attempts to join or split units.

    units : names of the units that join
    part : name of the new unit
    """

    units: tuple[str, ...] | None = None
    part: str | None = None


class Joined(Regrouped, frozen=True):
    """Two units have become one mixed unit."""


class FailedToJoin(Regrouped, frozen=True):
    """A leader has failed to join two units."""


class Split(Regrouped, frozen=True):
    """A unit has been split in two."""


class FailedToSplit(Regrouped, frozen=True):
    """A leader has failed to split a unit."""


EVENTS: tuple[type[Facts], ...] = (
    Suffered, Destroyed, Heartened, Shaken, Held, Reordered, Encouraged, Steadied, TookCommand,
    Joined, FailedToJoin, Split, FailedToSplit,
)  # fmt: skip
"""The kinds of event of this module."""
