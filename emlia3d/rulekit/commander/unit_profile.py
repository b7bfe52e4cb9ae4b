"""The facts about a unit that a commander uses, under any rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING, Any, Literal

from shapely import Polygon

from emlia3d.force.facing import unit_vector
from emlia3d.rulekit.commander.frame import Frame

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Role = Literal["line", "skirmish", "cavalry", "guns", "leader"]


@dataclass(frozen=True, kw_only=True)
class UnitProfile:
    """A unit on the field.

    unit : its row
    role : such as infantry or cavalry
    x, y : its centre, GSU
    facing : 64ths of a degree
    width, depth : of its formation, GSU
    speed : distance of a normal move in a turn, GSU
    reach : distance from which it can charge in one turn, GSU
    bands : ranges at which it shoots, nearest first, GSU; () if it does not shoot
    worth : army value of its remaining members
    is_fit : neither disordered nor shaken
    is_broken : retreating or routed
    is_engaged : in close combat
    holds_formation : whether it is in ranks
    """

    unit: int
    role: Role
    x: float
    y: float
    facing: int
    width: float
    depth: float
    speed: float
    reach: float
    bands: tuple[float, ...] = ()
    worth: float
    is_fit: bool = True
    is_broken: bool = False
    is_engaged: bool = False
    holds_formation: bool = True

    @cached_property
    def outline(self) -> Polygon:
        """The rectangle that it occupies."""
        frame = Frame(self.facing)
        across, along = frame.of(self.x, self.y)
        side, end = self.width / 2, self.depth / 2
        corners = ((-side, -end), (side, -end), (side, end), (-side, end))
        return Polygon([frame.on_field(across + a, along + b) for a, b in corners])

    @property
    def front(self) -> tuple[float, float]:
        """The centre of its front."""
        frame = Frame(self.facing)
        across, along = frame.of(self.x, self.y)
        return frame.on_field(across, along + self.depth / 2)

    def apart(self, other: UnitProfile) -> float:
        """Return the distance to the centre of another unit, GSU."""
        return hypot(self.x - other.x, self.y - other.y)


def standing(moment: Moment, unit: int, **traits: Any) -> UnitProfile:
    """Return the profile of a unit in its current position.

    traits : the attributes that depend on the rules: all except position, facing and size
    """
    units, drill = moment.state.units, moment.state.roster.drill(unit)
    facing = units.integer("facing", unit)
    east, north = unit_vector(facing)
    return UnitProfile(
        unit=unit,
        x=float(units.value("x", unit)) - drill.length / 2 * east,
        y=float(units.value("y", unit)) - drill.length / 2 * north,
        facing=facing,
        width=drill.frontage,
        depth=drill.length,
        **traits,
    )
