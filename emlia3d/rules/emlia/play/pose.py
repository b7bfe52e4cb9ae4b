"""Where a unit stands, and where it would after a move, a turn, a wheel or a change of formation.

Shapes of chapter 13; what they cost and whether there is room is in
`emlia3d.rules.emlia.play.movement`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.changes import Place
from emlia3d.battle.decisions import Leg
from emlia3d.force.facing import FULL_CIRCLE, turn_between, unit_vector
from emlia3d.force.formation import (
    Drill,
    Formation,
    boundary,
    centre,
    front_of,
    places,
    snapped,
)
from emlia3d.rules.emlia.formation import close_turn_cost, ranked_turn_cost

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

QUARTER = FULL_CIRCLE // 4


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a unit stands: the middle of its front line, its facing, how it is drawn up."""

    x: float
    y: float
    facing: int
    drill: Drill

    @property
    def outline(self) -> Polygon:
        """Its boundary there."""
        return _outline(self)

    @property
    def places(self) -> NDArray[np.float64]:
        """Where its members stand there."""
        return places(self.drill, self.x, self.y, self.facing)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its rectangle."""
        return centre(self.drill, self.x, self.y, self.facing)

    def change(self, unit: int) -> Place:
        """The change that puts a unit there."""
        return Place(
            unit=unit, x=self.x, y=self.y, facing=self.facing,
            formation=int(self.drill.formation), files=self.drill.files,
        )  # fmt: skip

    def leg(self, step: str) -> Leg:
        """The leg of an order that ends here."""
        form = step == "form"
        return Leg(
            step=step,  # type: ignore[arg-type]  # one of the four, by its callers
            x=self.x, y=self.y, facing=self.facing,
            formation=int(self.drill.formation) if form else -1,
            files=self.drill.files if form else -1,
        )  # fmt: skip


@functools.lru_cache(maxsize=1024)
def _outline(pose: Pose) -> Polygon:
    """The boundary at a pose, which the checks of one move ask for again and again."""
    return boundary(pose.drill, pose.x, pose.y, pose.facing, pose.places)


def pose_of(battle: Battle, unit: int) -> Pose:
    """Where a unit stands now."""
    units = battle.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    return Pose(x, y, units.integer("facing", unit), battle.state.roster.drill(unit))


def gone(pose: Pose, way: int, distance: float) -> Pose:
    """The pose *distance* further towards facing *way*."""
    east, north = unit_vector(way)
    return replace(pose, x=snapped(pose.x + distance * east), y=snapped(pose.y + distance * north))


def turned(pose: Pose, facing: int) -> Pose:
    """The pose after turning in place.

    By a multiple of 90 degrees each man of a ranked block turns where he stands, and its sides
    swap their roles; by any other angle the block turns on its centre (`emlia.form.ranked.turn`).
    """
    drill = pose.drill
    quarter_turns, rest = divmod(facing - pose.facing, QUARTER)
    if drill.formation is Formation.RANKED and not rest and quarter_turns % 2:
        drill = replace(drill, files=drill.ranks)
    return _about(pose.middle, facing, drill)


def turned_on_centre(pose: Pose, facing: int) -> Pose:
    """The block rotated about its centre as a body, whatever the angle (`emlia.align`)."""
    return _about(pose.middle, facing, pose.drill)


def _about(middle: tuple[float, float], facing: int, drill: Drill) -> Pose:
    """The pose of which this is the middle."""
    x, y = front_of(drill, *middle, facing)
    return Pose(x, y, facing % FULL_CIRCLE, drill)


def wheeled(pose: Pose, facing: int) -> Pose:
    """The pose after one end of the front line has swung round the other.

    A wheel to the right pivots on the right end.
    """
    turn = turn_between(pose.facing, facing)
    half = pose.drill.frontage / 2 * (1 if turn > 0 else -1)
    east, north = unit_vector(pose.facing)
    pivot_x, pivot_y = pose.x + half * north, pose.y - half * east
    east, north = unit_vector(facing)
    return replace(
        pose,
        x=snapped(pivot_x - half * north),
        y=snapped(pivot_y + half * east),
        facing=facing % FULL_CIRCLE,
    )


def turn_cost(pose: Pose, facing: int, speed: float) -> float:
    """Movement that turning in place costs, by formation; nothing in open formation."""
    angle = abs(turn_between(pose.facing, facing)) / 64
    match pose.drill.formation:
        case Formation.RANKED:
            return ranked_turn_cost(angle, speed)
        case Formation.CLOSE:
            return close_turn_cost(angle)
        case Formation.OPEN:
            return 0.0


def reformed(pose: Pose, formation: Formation, files: int) -> Pose:
    """The pose in another formation, the middle of the front line where it was."""
    return replace(pose, drill=replace(pose.drill, formation=formation, files=files))
