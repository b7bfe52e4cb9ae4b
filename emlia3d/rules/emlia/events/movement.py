"""Events of movement, formation and posture (`emlia.move`, `emlia.charge`, `emlia.form`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point
from emlia3d.battle.plain_values import Number, Whole


class OrderedMove(Facts, frozen=True, kw_only=True):
    """Base of moves by order.

    path : corners of its way, GSU
    cost : how much of its movement it took, GSU
    """

    path: tuple[Point, ...]
    cost: Number


class Moved(OrderedMove, frozen=True):
    """A unit has moved as its controller ordered."""


class DoublePaced(OrderedMove, frozen=True):
    """A unit has moved at double pace."""


class RolledOn(Facts, frozen=True, kw_only=True):
    """A vehicle without a driver rolls on.

    path : where it comes to rest, GSU
    speed : how far it still rolls, GSU
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
    """The controller of a unit has named the formation that it is in.

    formation : by name
    """

    formation: str


class FoundNoWayOff(Facts, frozen=True):
    """A unit cannot leave the field, as another bars its way."""


class LeftTheField(Facts, frozen=True, kw_only=True):
    """A unit has left the field, by order or in retreat.

    edge : the edge that it was ordered to leave by
    counts : what it counts as afterwards: "retreated" or "destroyed"
    state : the morale state in which it went back
    path : corners of its way in retreat, GSU
    """

    edge: str | None = None
    counts: str | None = None
    state: str | None = None
    path: tuple[Point, ...] | None = None


class Arrived(Facts, frozen=True):
    """A unit comes onto the field."""


class Charge(Facts, frozen=True, kw_only=True):
    """Base of charges.

    reached : whether it reached its target
    feature : name of the terrain feature that it charged, if that was its target
    """

    reached: bool
    feature: str | None = None


class Charged(Charge, frozen=True):
    """A unit has charged and reached its target."""


class ChargeFellShort(Charge, frozen=True):
    """A unit has charged and not reached its target."""


class Aligned(Facts, frozen=True, kw_only=True):
    """A ranked unit has turned on its centre to face the unit that engages it.

    side : the side of it that the enemy was on
    modifier : what that adds to its blows
    """

    side: str
    modifier: Whole


class Flight(Facts, frozen=True, kw_only=True):
    """Base of moves in retreat.

    state : its morale state
    path : corners of its way, GSU
    """

    state: str
    path: tuple[Point, ...]


class FellBack(Flight, frozen=True):
    """A unit in retreat has gone back."""


class Fled(Flight, frozen=True):
    """A routed unit has fled."""


class DidNotGetAway(Facts, frozen=True):
    """A unit in retreat could not break free of its enemies."""


EVENTS: tuple[type[Facts], ...] = (
    Moved, DoublePaced, RolledOn, DroppedDown, StoodUp, TookCover, LeftCover, Declared,
    FoundNoWayOff, LeftTheField, Arrived, Charged, ChargeFellShort, Aligned, FellBack, Fled,
    DidNotGetAway,
)  # fmt: skip
"""The kinds of event of this module."""
