"""Events of losses, morale and leaders (`emlia.damage`, `emlia.morale`, `emlia.lead`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Number, Whole


class Losses(Facts, frozen=True, kw_only=True):
    """Base of losses.

    points : damage that is resolved now
    lost : number of members that fall
    left : number of members that are left
    faces : results of the dice for vital hits
    vital : effect of each vital hit, in words
    """

    points: Number
    lost: Whole
    left: Whole
    faces: tuple[Whole, ...] | None = None
    vital: tuple[str, ...] | None = None


class Suffered(Losses, frozen=True):
    """A unit takes damage."""


class Destroyed(Losses, frozen=True):
    """The last members of a unit fall."""


class MoraleUpdated(Facts, frozen=True, kw_only=True):
    """Base of morale updates.

    before, after : morale values before and after the update
    state : name of the new morale state
    """

    before: Whole
    after: Whole
    state: str


class Heartened(MoraleUpdated, frozen=True):
    """The morale of a unit rises."""


class Shaken(MoraleUpdated, frozen=True):
    """The morale of a unit falls."""


class Held(MoraleUpdated, frozen=True):
    """The morale of a unit stays the same."""

    routine: ClassVar[bool] = True


class Reordered(Rolled, frozen=True):
    """A leader tries to reorder a disordered unit."""


class Encouraged(Rolled, frozen=True):
    """A leader tries to improve the morale of a unit."""


class Steadied(Rolled, frozen=True):
    """A leader tries to make a unit ignore its initiative conditions."""


class TookCommand(Rolled, frozen=True):
    """A leader tries to take command of a unit."""


class Regrouped(Rolled, frozen=True, kw_only=True):
    """Base of attempts to join or split units.

    units : names of the units that join
    part : name of the new unit
    """

    units: tuple[str, ...] | None = None
    part: str | None = None


class Joined(Regrouped, frozen=True):
    """Two units join and become one mixed unit."""


class FailedToJoin(Regrouped, frozen=True):
    """A leader fails to join two units."""


class Split(Regrouped, frozen=True):
    """A unit splits into two."""


class FailedToSplit(Regrouped, frozen=True):
    """A leader fails to split a unit."""


EVENTS: tuple[type[Facts], ...] = (
    Suffered, Destroyed, Heartened, Shaken, Held, Reordered, Encouraged, Steadied, TookCommand,
    Joined, FailedToJoin, Split, FailedToSplit,
)  # fmt: skip
"""The kinds of event of this module."""
