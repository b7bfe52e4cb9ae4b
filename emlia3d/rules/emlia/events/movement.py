"""Events of movement, formation and posture (`emlia.move`, `emlia.charge`, `emlia.form`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point
from emlia3d.battle.plain_values import Number, Whole


class OrderedMove(Facts, frozen=True, kw_only=True):
    """Base of moves by order.

    path : corners of the path, GSU
    cost : movement that it used, GSU
    """

    path: tuple[Point, ...]
    cost: Number


class Moved(OrderedMove, frozen=True):
    """A unit moves by order of its player."""


class DoublePaced(OrderedMove, frozen=True):
    """A unit moves at Double Pace."""


class RolledOn(Facts, frozen=True, kw_only=True):
    """A vehicle without a driver rolls on.

    path : the point at which it stops, GSU
    speed : distance that it rolls, GSU
    """

    path: tuple[Point, ...]
    speed: Number


class DroppedDown(Facts, frozen=True):
    """A unit lies down."""


class StoodUp(Facts, frozen=True):
    """A unit stands up."""


class TookCover(Facts, frozen=True):
    """A unit takes cover."""


class LeftCover(Facts, frozen=True):
    """A unit leaves its cover."""


class Declared(Facts, frozen=True, kw_only=True):
    """The player names the formation of a unit.

    formation : name of the formation
    """

    formation: str


class FoundNoWayOff(Facts, frozen=True):
    """A unit cannot leave the field, because another unit is in its way."""


class LeftTheField(Facts, frozen=True, kw_only=True):
    """A unit leaves the field, by order or in retreat.

    edge : the edge across which it leaves by order
    counts : its status afterwards, "retreated" or "destroyed"
    state : morale state in which it retreats
    path : corners of its path in retreat, GSU
    """

    edge: str | None = None
    counts: str | None = None
    state: str | None = None
    path: tuple[Point, ...] | None = None


class Arrived(Facts, frozen=True):
    """A unit enters the field."""


class Charge(Facts, frozen=True, kw_only=True):
    """Base of charges.

    reached : whether it reaches its target
    feature : name of the terrain feature that is the target, if one is
    """

    reached: bool
    feature: str | None = None


class Charged(Charge, frozen=True):
    """A unit charges and reaches its target."""


class ChargeFellShort(Charge, frozen=True):
    """A unit charges and does not reach its target."""


class Aligned(Facts, frozen=True, kw_only=True):
    """A ranked unit turns about its centre to face the unit that engages it.

    side : the side on which the enemy was
    modifier : modifier of its blows
    """

    side: str
    modifier: Whole


class Flight(Facts, frozen=True, kw_only=True):
    """Base of moves in retreat.

    state : morale state of the unit
    path : corners of the path, GSU
    """

    state: str
    path: tuple[Point, ...]


class FellBack(Flight, frozen=True):
    """A retreating unit moves back."""


class Fled(Flight, frozen=True):
    """A routed unit flees."""


class DidNotGetAway(Facts, frozen=True):
    """A retreating unit cannot break free from its enemies."""


EVENTS: tuple[type[Facts], ...] = (
    Moved, DoublePaced, RolledOn, DroppedDown, StoodUp, TookCover, LeftCover, Declared,
    FoundNoWayOff, LeftTheField, Arrived, Charged, ChargeFellShort, Aligned, FellBack, Fled,
    DidNotGetAway,
)  # fmt: skip
"""The kinds of event of this module."""
