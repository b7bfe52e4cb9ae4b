"""Events among units that are engaged (`emlia.push`, `emlia.forced`, `emlia.mixedeng`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point
from emlia3d.battle.plain_values import Number, Whole


class ForcedMove(Facts, frozen=True, kw_only=True):
    """Base of moves that others force on a unit.

    distance : how far it goes, GSU
    wanted : how far it would go if there was room, GSU
    """

    distance: Number
    wanted: Number


class PushedBack(ForcedMove, frozen=True):
    """The target pushes a unit back."""


class BorneAlong(ForcedMove, frozen=True):
    """A unit moves with the engagement that it is in."""


class HeldItsGround(Facts, frozen=True, kw_only=True):
    """A unit takes hits instead of being pushed back.

    hits : how many
    back : how far it would have been pushed, GSU
    """

    hits: Whole
    back: Number


class TurnedToPush(Facts, frozen=True, kw_only=True):
    """A unit turns towards the enemy that it pushes.

    side : the side of it that the enemy was on
    """

    side: str


class FollowedUp(Facts, frozen=True, kw_only=True):
    """A unit follows an enemy that was pushed back or is in a skirmish.

    distance : how far it goes after one that it pushed, GSU
    """

    distance: Number | None = None


class Pressed(Facts, frozen=True, kw_only=True):
    """A unit is pressed against another, and both take hits.

    hits : how many
    base_damage : of one hit
    """

    hits: Whole
    base_damage: Whole


class ForcedIntoAnEnemy(Facts, frozen=True):
    """A unit is forced into an enemy, and is engaged with it."""


class ForcedIntoAFriend(Facts, frozen=True):
    """A unit is forced into a friend, and both are disordered."""


class RanTogether(Facts, frozen=True):
    """A unit and the target have become one mixed unit."""


class DrawnIntoTheFight(Facts, frozen=True):
    """A unit is drawn into the engagement of the target."""


class BrokeApart(Facts, frozen=True):
    """The target parts from its mixed unit, and both become disordered in the resolution."""


class BrokeRanks(Facts, frozen=True):
    """A ranked unit has become an open one."""


class Enveloped(Facts, frozen=True, kw_only=True):
    """Members of a unit envelop an enemy.

    members : how many
    """

    members: Whole


class CameBack(Facts, frozen=True, kw_only=True):
    """A unit goes back to an enemy that it was parted from.

    distance : how far it goes, GSU
    """

    distance: Number


class SlippedAway(Facts, frozen=True, kw_only=True):
    """A unit has left a skirmish.

    path : corners of its way, GSU
    """

    path: tuple[Point, ...]


EVENTS: tuple[type[Facts], ...] = (
    PushedBack, BorneAlong, HeldItsGround, TurnedToPush, FollowedUp, Pressed, ForcedIntoAnEnemy,
    ForcedIntoAFriend, RanTogether, DrawnIntoTheFight, BrokeApart, BrokeRanks, Enveloped, CameBack,
    SlippedAway,
)  # fmt: skip
"""The kinds of event of this module."""
