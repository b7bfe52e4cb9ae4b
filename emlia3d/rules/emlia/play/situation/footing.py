"""Emlia, chapter 2 as play: what of a unit is in another's way, a tight body or its members.

The boundary of an open unit may hold others and their members; only footprints keep each other out.

Holds `emlia.entity.overlap`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Rows
from emlia3d.force.formation import GRID, Formation, footprint_corners
from emlia3d.rules.emlia.play.situation import flight
from emlia3d.rules.emlia.play.situation.parts import stand_for_themselves
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.situation import SITUATION, situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.terrain import blocks
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

SKIN = 8 / GRID
"""GSU that rounding may put one footprint into another."""

OPEN = int(Formation.OPEN)
"""As the columns of units have it."""

Bodies = NDArray[np.object_]


@rule("emlia.entity.overlap")
def bodies_of(pose: Pose) -> Bodies:
    """Return a unit's obstacles at a pose: its members in open formation, else its outline."""
    if pose.drill.formation is not Formation.OPEN:
        return _array([pose.outline])
    corners = footprint_corners(pose.drill, pose.own_places, pose.facing)
    own = np.asarray(shapely.polygons(corners))
    return np.concatenate([own, *(bodies_of(part) for _, part in pose.parts)])


def men_of(moment: Moment, unit: int) -> Bodies:
    """Return a unit's obstacles where it stands now; a drawn body is one."""
    return _FOOTPRINTS(moment).men(unit)


_MEN_KEPT = 2048
"""Largest number of members for which the footprints of several units are cached."""


class _Footprints:
    """The obstacles that units are for others where they stand."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._men: dict[int, Bodies] = {}
        self._amid: dict[tuple[int, int], bool] = {}

    def forked(self, moment: Moment) -> _Footprints:
        """Return a copy for another battle at the same moment."""
        twin = _Footprints(moment)
        twin._men, twin._amid = dict(self._men), dict(self._amid)
        return twin

    def renew(self, moment: Moment, rows: Sequence[int]) -> None:
        """Forget the units that have changed."""
        del moment
        for unit in rows:
            self._men.pop(unit, None)
        changed = set(rows)
        for pair in [pair for pair in self._amid if not changed.isdisjoint(pair)]:
            del self._amid[pair]

    def men(self, unit: int) -> Bodies:
        """Return the members of a unit in open formation, or its outline."""
        if unit not in self._men:
            situation = situation_of(self._moment)
            if not is_open(self._moment, unit) or situation.is_drawn(unit):
                men = situation.outlines([unit])
            else:
                men = np.concatenate(
                    [_own_men(self._moment, part) for part in situation.parts(unit)]
                )
            while sum(map(len, self._men.values())) > _MEN_KEPT:
                del self._men[next(iter(self._men))]
            self._men[unit] = men
        return self._men[unit]

    def is_amid(self, unit: int, other: int) -> bool:
        """Return whether members of a unit stand where members of another do."""
        if (unit, other) not in self._amid:
            own = bodies_of(pose_of(self._moment, unit))
            self._amid[unit, other] = meet(own, self.men(other))
        return self._amid[unit, other]


_FOOTPRINTS = Rows(SITUATION, start=_Footprints, renew=_Footprints.renew, forks=True)


def _own_men(moment: Moment, row: int) -> Bodies:
    situation, drill = situation_of(moment), moment.state.roster.drill(row)
    outline, spots = situation.alone(row)
    if drill.formation is not Formation.OPEN:
        return _array([outline])
    facing = moment.state.units.integer("facing", row)
    return np.asarray(shapely.polygons(footprint_corners(drill, spots, facing)))


def is_open(moment: Moment, unit: int) -> bool:
    """Return whether a unit stands in open formation."""
    return moment.state.units.value("formation", unit) == Formation.OPEN


def others_than(
    moment: Moment, unit: int, through: Sequence[int], within: BaseGeometry | None = None
) -> NDArray[np.intp]:
    """Return the numbers of the units on the field except one and units in *through*.

    within : an outline; only units that may touch it are returned
    """
    here = stand_for_themselves(moment)
    here[[unit, *through]] = False
    if within is not None:
        here &= whereabouts_of(moment).near(within.bounds, SKIN)
    return np.flatnonzero(here)


def bars(moment: Moment, unit: int, others: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of some other units are too high for a unit to pass over, as a mask."""
    situation = situation_of(moment)
    return blocks(situation.heights[others], situation.height(unit))


def low_bodies(moment: Moment, unit: int, through: Sequence[int], within: BaseGeometry) -> Bodies:
    """Return the bodies near a shape that a unit passes over but does not halt on."""
    others = others_than(moment, unit, through, within)
    return men_of_all(moment, others[~bars(moment, unit, others)].tolist())


def among(moment: Moment, unit: int, pose: Pose, through: Sequence[int]) -> Bodies:
    """Return the bodies round a pose that a unit may pass, but whose places are taken.

    They are the members of open units round an open unit, and units that are low enough to pass
    over.
    """
    return men_of_all(moment, passed(moment, unit, pose, through, pose.outline.envelope))


def passed(
    moment: Moment,
    unit: int,
    pose: Pose,
    through: Sequence[int],
    within: BaseGeometry,
    *,
    forced: bool = False,
) -> list[int]:
    """Return the units within some area that may have such bodies.

    A unit that it already stands on, so that one of the two would have to give way, is left out,
    and so is any unit above or below it. A forced unit mingles with open units where it halts.
    """
    mingles = pose.drill.formation is Formation.OPEN and is_open(moment, unit) and not forced
    situation = situation_of(moment)
    if not mingles and blocks(float(situation.heights.min()), situation.height(unit)):
        return []
    near = others_than(moment, unit, through, within)
    low = ~bars(moment, unit, near)
    if mingles:
        low |= moment.state.units.ints("formation")[near] == OPEN
    near = near[low]
    if not len(near):
        return []
    near = near[shapely.intersects(situation.outlines(near), within)]
    others = near.tolist()
    if flight.can_fly(moment, unit) or any(flight.is_aloft(moment, other) for other in others):
        others = flight.met_between(moment, unit, others, (pose,))
    footprints = _FOOTPRINTS(moment)
    return [other for other in others if not footprints.is_amid(unit, other)]


def men_of_all(moment: Moment, units: Sequence[int]) -> Bodies:
    """Return what of some units is in others' way, one unit's after another's."""
    return np.concatenate([_array([]), *(men_of(moment, unit) for unit in units)])


def meet(bodies: Bodies, others: Bodies) -> bool:
    """Return whether any of some bodies is in any of others, by more than rounding does."""
    if not len(others) or not len(bodies):
        return False
    near = others[shapely.intersects(others, shapely.box(*shapely.total_bounds(bodies)))]
    if not len(near):
        return False
    # Whole bodies touch far less often than they are looked at: few need be shrunk.
    own, other = shapely.STRtree(near).query(bodies, predicate="intersects")
    for one in np.unique(own).tolist():
        shrunk = shapely.buffer(bodies[one], -SKIN, join_style="mitre")
        if shapely.intersects(shrunk, near[other[own == one]]).any():
            return True
    return False


def _array(shapes: Sequence[object] | Bodies) -> Bodies:
    out = np.empty(len(shapes), dtype=object)
    out[:] = shapes
    return out
