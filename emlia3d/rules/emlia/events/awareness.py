"""Events of hiding and detection (`emlia.aware`)."""

from __future__ import annotations

from typing import ClassVar

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Whole


class Hiding(Rolled, frozen=True, kw_only=True):
    """Base of attempts to hide.

    intent : purpose of hiding
    """

    intent: str


class Hid(Hiding, frozen=True):
    """A unit hides."""


class FailedToHide(Hiding, frozen=True):
    """A unit fails to hide."""


class Detected(Rolled, frozen=True, kw_only=True):
    """A unit detects a hidden enemy.

    needed : number of successes that are necessary
    """

    needed: Whole


class Searched(Rolled, frozen=True, kw_only=True):
    """A unit searches for a hidden enemy and does not detect it.

    needed : number of successes that are necessary
    """

    needed: Whole


class LookedAbout(Facts, frozen=True):
    """A unit searches for hidden enemies, and there is none that it could detect."""

    kind = "searched"
    routine: ClassVar[bool] = True


class Pointing(Rolled, frozen=True, kw_only=True):
    """Base of attempts to pass awareness of an enemy.

    friends : names of the friendly units
    """

    friends: tuple[str, ...]


class PassedAwareness(Pointing, frozen=True):
    """A unit passes its awareness of an enemy to friends."""


class WasNotUnderstood(Pointing, frozen=True):
    """A unit fails to pass its awareness of an enemy."""


class Spotted(Facts, frozen=True, kw_only=True):
    """A hidden unit is in plain view, and enemies notice it without a search.

    by : names of the enemies that notice it
    """

    by: tuple[str, ...]


EVENTS: tuple[type[Facts], ...] = (
    Hid, FailedToHide, Detected, Searched, LookedAbout, PassedAwareness, WasNotUnderstood, Spotted,
)  # fmt: skip
"""The kinds of event of this module."""
