"""Emlia, chapters 11 to 13: how far a unit gets, how fast, and what stands in its way.

Where the legs of an order lead is in `emlia3d.rules.emlia.play.movement.legs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Refusal
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import FORMATIONS, GRID, Formation
from emlia3d.geometry.lane import Barring
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE
from emlia3d.rules.emlia.play.situation import flight
from emlia3d.rules.emlia.play.situation.footing import (
    OPEN,
    among,
    bars,
    bodies_of,
    meet,
    men_of,
    others_than,
)
from emlia3d.rules.emlia.play.situation.free_places import to_free_places
from emlia3d.rules.emlia.play.situation.going import going_of, mode_of
from emlia3d.rules.emlia.play.situation.march import (
    ROUNDED,
    UNLIMITED,
    March,
    MarchWay,
    Mover,
    first_contact,
    march,
)
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    gone,
    pose_of,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import march_factor
from emlia3d.rules.emlia.tables.modes import FLYING, fastest
from emlia3d.rules.emlia.unit_sets.abilities import allows, speed_share
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_STRAIGHT = REACH_TOLERANCE
"""Distance from its line within which the end of a straight leg may lie, GSU."""

_DOUBT = 1e-6
"""GSU within which rounding could decide whether bodies meet."""

CREEP = 4 / GRID
"""GSU that rounding may put a block over an edge or into a neighbour."""


@rule("emlia.mixed.speed")
@rule("emlia.move.take-cover.speed", "emlia.move.speed-stack")
def speed_of(moment: Moment, unit: int, mode: str | None = None) -> float:
    """Return how far a Normal Move goes on open ground, GSU: half while Taking Cover.

    What formation and terrain halve besides is paid for on the way. A mixed unit goes as fast as
    the slowest of its subunits, one with gears no faster than in the gear above its last.

    mode : one that all have; its usual one where none is given
    """
    situation, units = situation_of(moment), moment.state.units
    mode = mode or mode_of(moment, unit)
    last = float(units.value("last_speed", unit))
    speeds = [
        (fastest(movement.gears, last) if movement.gears else movement.speed)
        * float(units.value("speed_share", part))
        * speed_share(situation.entry(part).all_abilities, formation_of(moment, part))
        for part in situation.parts(unit)
        if (movement := situation.entry(part).by_mode(mode))
    ]
    speed = min(speeds) if len(speeds) == len(situation.parts(unit)) else 0.0
    return speed * 0.5 if units.value("taking_cover", unit) else speed


def formation_of(moment: Moment, unit: int) -> str:
    """Return the name of the formation that a unit is in."""
    return FORMATIONS[moment.state.units.integer("formation", unit)]


def may_form(moment: Moment, unit: int, formation: Formation) -> Refusal | None:
    """Nothing in the abilities of any of its subunits forbids it the formation."""
    name, situation = formation.name.lower(), situation_of(moment)
    if all(allows(situation.entry(part).all_abilities, name) for part in situation.parts(unit)):
        return None
    return Refusal("emlia.ability.catch-all", f"it cannot use {name} formation")


def obstacles_to(  # noqa: PLR0913  the unit, what it ignores, how it moves and where
    moment: Moment,
    unit: int,
    through: Sequence[int] = (),
    mode: str | None = None,
    poses: Sequence[Pose] = (),
    within: BaseGeometry | None = None,
    *,
    passing: bool = False,
) -> NDArray[np.object_]:
    """Outlines that a unit may not enter: barriers and other units, except units in *through*.

    Two open units may mingle, as there is room between their members. A unit above another
    is not in its way.

    passing : only what bars its way. A unit passes over units of up to a quarter of its height,
        but does not halt on them.
    poses : its poses on the way, which give its height and whether it stays open; where it
        stands without them
    within : the only place that it comes to: obstacles far from it are left out, and open units are
        met member by member; without it every obstacle counts
    """
    situation, others = situation_of(moment), others_than(moment, unit, through, within)
    formations = moment.state.units.ints("formation")
    if formations[unit] == OPEN and all(p.drill.formation is Formation.OPEN for p in poses):
        others = others[formations[others] != OPEN]
    if passing:
        others = others[bars(moment, unit, others)]
    others = _at_its_height(moment, unit, others, poses)
    going = going_of(moment, unit, mode)
    if within is None:
        return np.concatenate([going.barred, situation.outlines(others)])
    if not len(others):
        return going.barred_near(within)
    loose = others[formations[others] == OPEN]
    met = (
        loose[shapely.intersects(situation.outlines(loose), within)].tolist() if len(loose) else []
    )
    whole = situation.outlines(others[formations[others] != OPEN])
    return np.concatenate([going.barred_near(within), whole, *(men_of(moment, m) for m in met)])


def _at_its_height(
    moment: Moment, unit: int, others: NDArray[np.intp], poses: Sequence[Pose]
) -> NDArray[np.intp]:
    """Return the units of *others* that it can meet at its height on the way."""
    high = others.tolist()
    if not flight.can_fly(moment, unit):
        raised = others[moment.state.units["on_height"][others] != 0].tolist()
        high = [other for other in raised if flight.is_aloft(moment, other)]
    if not high:
        return others
    met = flight.met_between(moment, unit, high, poses or (pose_of(moment, unit),))
    return others[~np.isin(others, high) | np.isin(others, met)]


def straight(  # noqa: PLR0913  unit, start, direction, distance, budget and bodies passed
    moment: Moment,
    unit: int,
    pose: Pose,
    way: int,
    distance: float,
    budget: float = UNLIMITED,
    *,
    through: Sequence[int] = (),
    forced: bool = False,
    mode: str | None = None,
) -> March:
    """Return how far a unit gets from *pose* straight towards facing *way*, and what that costs.

    A tight formation goes at half speed wherever it does not face (`emlia.form.close.speed`,
    `emlia.form.ranked.translate`), but not when it is *forced*. A flyer stays at its altitude.
    """
    mode = mode or mode_of(moment, unit)
    if mode == FLYING and not forced:
        return _flown(moment, unit, pose, way, distance, budget, through)
    course = MarchWay.towards(way)
    swept = course.swept(pose.outline, distance)
    slow = going_of(moment, unit, mode).slow_near(swept)
    mover = mover_of(pose, way, forced, on_open_ground=not slow)
    obstacles = obstacles_to(moment, unit, through, mode, within=swept, passing=True)
    run = march(mover, course, distance, budget, slow, obstacles)
    free = to_free_places(moment, unit, pose, way, run.distance, through, forced=forced)
    if free == run.distance:
        return run
    if not free:
        return March(0.0, 0.0, "obstacle")
    short = march(mover, course, free, budget, slow, obstacles)
    return replace(short, blocked_by="obstacle")


def mover_of(pose: Pose, way: int, forced: bool = False, *, on_open_ground: bool = False) -> Mover:
    """Return a unit at a pose as it goes towards facing *way*.

    on_open_ground : no slow terrain is near, so that no member pays more than another
    """
    is_block = pose.drill.formation is Formation.RANKED or on_open_ground
    tight = pose.drill.formation is not Formation.OPEN and not forced
    return Mover(
        outline=pose.outline,
        bodies=partial(bodies_of, pose) if pose.drill.formation is Formation.OPEN else None,
        members=None if is_block else pose.places,
        slowness=march_factor(way == pose.facing) if tight else 1.0,
    )


def gap_ahead(pose: Pose, way: int, outline: BaseGeometry) -> float:
    """Return how far a unit goes straight on before it touches *outline*, a lower bound.

    By halving; what is clear from where a block meets it is asked of no shapes.
    """
    step, body = np.array(unit_vector(way)), shapely.get_coordinates(pose.outline)
    reach = float(pose.outline.distance(outline))
    spots = shapely.get_coordinates(outline)
    low, high = reach, reach + float(np.abs(spots - (pose.x, pose.y)).sum(axis=1).max())
    clear, met = _contact(pose, way, outline, high) if reach > _DOUBT else (-inf, inf)
    for _ in range(24):
        middle = (low + high) / 2
        meets = middle >= met
        if clear < middle < met:
            swept = shapely.multipoints(np.concatenate([body, body + middle * step]))
            meets = bool(shapely.intersects(shapely.convex_hull(swept), outline))
        low, high = (low, middle) if meets else (middle, high)
    return low


def _contact(pose: Pose, way: int, outline: BaseGeometry, most: float) -> tuple[float, float]:
    """Return how far a block surely goes clear, and from where it surely meets, at most *most*.

    Unbounded, (-inf, inf), for bodies that are no block that moves straight ahead.
    """
    square_on = pose.drill.formation is Formation.RANKED and way == pose.facing
    if pose.parts or not square_on or not isinstance(outline, Polygon):
        return -inf, inf
    course = MarchWay.towards(way)
    left, _, right, front = course.bounds(np.array([pose.outline]))[0].tolist()
    # Lanes a little wider and a little narrower than the block: its own is between them.
    lanes = [(left - doubt, front, right + doubt, front + most + 1) for doubt in (_DOUBT, -_DOUBT)]
    barring = Barring(np.array([outline]))
    wide, narrow = barring.first_met(np.array(lanes), course.east, course.north).tolist()
    return wide - front - _DOUBT, narrow - front + _DOUBT


def _flown(  # noqa: PLR0913, PLR0917  as `straight`
    moment: Moment,
    unit: int,
    pose: Pose,
    way: int,
    distance: float,
    budget: float,
    through: Sequence[int],
) -> March:
    """Return a straight flight at one altitude."""
    mover = mover_of(pose, way)
    path = pose, gone(pose, way, distance)
    obstacles = obstacles_to(moment, unit, through, FLYING, path, passing=True)
    free = first_contact(MarchWay.towards(way), mover.outline, obstacles, distance)
    share = budget / mover.slowness
    end, cost = flight.glide(moment, pose, way, free, pose.altitude, share)
    went = float(np.floor(np.sqrt((end.x - pose.x) ** 2 + (end.y - pose.y) ** 2) * GRID) / GRID)
    ended = "obstacle" if free < distance - ROUNDED else ""
    if went < free - 2 * ROUNDED:
        ended = "movement"
    return March(min(went, free), cost * mover.slowness, ended)


@rule("emlia.gloss.battlefield")
@rule("emlia.move.leave")
def over_edge(moment: Moment, pose: Pose) -> Refusal | None:
    """Refused if any part of the unit would be over the edge of the field."""
    west, south, east, north = pose.outline.bounds
    size = moment.setup.field.size
    if west < -CREEP or south < -CREEP or east > size[0] + CREEP or north > size[1] + CREEP:
        return Refusal("emlia.move.leave", "that is beyond the edge of the field")
    return None


def no_room(
    moment: Moment, unit: int, end: Pose, through: Sequence[int] = (), mode: str | None = None
) -> Refusal | None:
    """Refused where the unit would end inside something or over the edge."""
    over = over_edge(moment, end)
    if over is None and not has_room(moment, unit, end, through, mode):
        return Refusal("emlia.terrain.impassable-by-height", "there is no room there")
    return over


def has_room(
    moment: Moment, unit: int, end: Pose, through: Sequence[int] = (), mode: str | None = None
) -> bool:
    """Return whether a unit would be inside nothing that it may not be in, wherever the edge is."""
    mode = mode or mode_of(moment, unit)
    obstacles = obstacles_to(moment, unit, through, mode, (end,), end.outline)
    if mode == FLYING:
        barred = flight.landing_barred(moment, unit, end.altitude)
        obstacles = np.concatenate([obstacles, barred])
    near = np.concatenate([obstacles, among(moment, unit, end, through)])
    return not len(near) or not meet(bodies_of(end), near)
