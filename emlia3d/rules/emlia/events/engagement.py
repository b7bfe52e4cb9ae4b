"""Events of engaged units (`emlia.push`, `emlia.forced`, `emlia.mixedeng`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point
from emlia3d.battle.plain_values import Number, Whole


class ForcedMove(Facts, frozen=True, kw_only=True):
    """Base of moves that other units force on a unit.

    distance : length of the move, GSU
    wanted : length of the move if there was room, GSU
    """

    distance: Number
    wanted: Number


class PushedBack(ForcedMove, frozen=True):
    """The target pushes a unit back."""


class BorneAlong(ForcedMove, frozen=True):
    """A unit moves together with its engagement."""


class HeldItsGround(Facts, frozen=True, kw_only=True):
    """A unit takes hits and is not pushed back.

    hits : number of hits
    back : distance of the push that it resists, GSU
    """

    hits: Whole
    back: Number


class TurnedToPush(Facts, frozen=True, kw_only=True):
    """A unit turns towards the enemy that it pushes.

    side : the side on which the enemy was
    """

    side: str


class FollowedUp(Facts, frozen=True, kw_only=True):
    """A unit follows an enemy that was pushed back or is in a skirmish.

    distance : length of the move after an enemy that it pushed, GSU
    """

    distance: Number | None = None


class Pressed(Facts, frozen=True, kw_only=True):
    """A unit is pressed against another, and both take hits.

    hits : number of hits
    base_damage : base damage of a hit
    """

    hits: Whole
    base_damage: Whole


class ForcedIntoAnEnemy(Facts, frozen=True):
    """A unit is forced into an enemy and becomes engaged with it."""


class ForcedIntoAFriend(Facts, frozen=True):
    """A unit is forced into a friend, and both become disordered."""


class RanTogether(Facts, frozen=True):
    """A unit and the target become one mixed unit."""


class DrawnIntoTheFight(Facts, frozen=True):
    """A unit is drawn into the engagement of the target."""


class BrokeApart(Facts, frozen=True):
    """The target parts from its mixed unit, and both become disordered in the resolution."""


class BrokeRanks(Facts, frozen=True):
    """A ranked unit changes to open formation."""


class Enveloped(Facts, frozen=True, kw_only=True):
    """Members of a unit envelop an enemy.

    members : number of members
    """

    members: Whole


class CameBack(Facts, frozen=True, kw_only=True):
    """A unit moves back to an enemy from which it was separated.

    distance : length of the move, GSU
    """

    distance: Number


class SlippedAway(Facts, frozen=True, kw_only=True):
    """A unit leaves a skirmish.

    path : corners of the path, GSU
    """

    path: tuple[Point, ...]


EVENTS: tuple[type[Facts], ...] = (
    PushedBack, BorneAlong, HeldItsGround, TurnedToPush, FollowedUp, Pressed, ForcedIntoAnEnemy,
    ForcedIntoAFriend, RanTogether, DrawnIntoTheFight, BrokeApart, BrokeRanks, Enveloped, CameBack,
    SlippedAway,
)  # fmt: skip
"""The kinds of event of this module."""
