"""Events of hiding and finding (`emlia.aware`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Whole


class Hiding(Rolled, frozen=True, kw_only=True):
    """Base of attempts to hide.

    intent : what it hides for
    """

    intent: str


class Hid(Hiding, frozen=True):
    """A unit has hidden."""


class FailedToHide(Hiding, frozen=True):
    """A unit has failed to hide."""


class Detected(Rolled, frozen=True, kw_only=True):
    """A unit has found a hidden enemy.

    needed : successes that it took
    """

    needed: Whole


class Searched(Rolled, frozen=True, kw_only=True):
    """A unit has looked for a hidden enemy and not found it.

    needed : successes that it would have taken
    """

    needed: Whole


class LookedAbout(Facts, frozen=True):
    """A unit has looked for hidden enemies where there is none to be found."""

    kind = "searched"
    routine: ClassVar[bool] = True


class Pointing(Rolled, frozen=True, kw_only=True):
    """Base of attempts to pass awareness of an enemy.

    friends : names of their units
    """

    friends: tuple[str, ...]


class PassedAwareness(Pointing, frozen=True):
    """A unit has pointed out an enemy to friends."""


class WasNotUnderstood(Pointing, frozen=True):
    """A unit has failed to pass awareness of an enemy."""


class Spotted(Facts, frozen=True, kw_only=True):
    """A hidden unit is in plain view, and is noticed without a search.

    by : names of the units that notice it
    """

    by: tuple[str, ...]


EVENTS: tuple[type[Facts], ...] = (
    Hid, FailedToHide, Detected, Searched, LookedAbout, PassedAwareness, WasNotUnderstood, Spotted,
)  # fmt: skip
"""The kinds of event of this module."""
