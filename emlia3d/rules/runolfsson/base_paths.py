"""Paths of single bases: their length, cost and legal ends."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
import shapely
from shapely import Point

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place, set_cells
from emlia3d.battle.decisions import Leg, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force import formation
from emlia3d.force.facing import facing_towards
from emlia3d.force.formation import front_of
from emlia3d.rulekit.situation.base_shapes import standing_of
from emlia3d.rulekit.situation.detours import shortest_way
from emlia3d.rulekit.situation.walks import Walk, WalkConditions
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.core import TOUCH
from emlia3d.rules.runolfsson.events import MetStream, Moved
from emlia3d.rules.runolfsson.terrain import (
    left_after_stream,
    may_pass_through,
    stream_result,
    terrain_of,
)
from emlia3d.rules.runolfsson.unit_set import Gait

Spot = tuple[float, float]

CLEARANCE = 1 / 64
"""Tolerance for overlaps with terrain, because positions are on a grid, inches."""


def start_walk(
    moment: Moment,
    unit: int,
    left: float,
    *,
    by: Gait = "ground",
    leaving: bool = False,
    die: Callable[[], float] | None = None,
) -> Walk:
    """Return a walk of a model before its first step.

    by : kind of movement; terrain does not affect a model in the air, and a jump also passes over
        models
    leaving : whether it can leave the table
    die : rolls for each stream; None to ignore streams
    """
    models, terrain = models_of(moment), terrain_of(moment)
    side, radius = int(models.side[unit]), float(models.radius[unit])

    free = [by == "jump" or may_pass_through(side, other) for other in (0, 1)]
    passed = np.flatnonzero(np.array(free)[models.side])

    def ends(spot: Spot) -> bool:
        gone = leaving and not on_table(moment, spot, radius)
        return gone or may_end(moment, unit, spot)

    way = WalkConditions(
        passed=passed.tolist(),
        outlines=terrain.outlines_for(by != "ground", leaving),
        slow=terrain.slow if by == "ground" else Point(),
        areas=terrain.waters if by == "ground" else (),
        share=die,
        may_end=ends,
    )
    return Walk(standing_of(moment), unit, left, way)


def may_end(moment: Moment, unit: int, spot: Spot) -> bool:
    """Return whether a base can end at a point."""
    models, terrain = models_of(moment), terrain_of(moment)
    radius = float(models.radius[unit])
    if not on_table(moment, spot, radius):
        return False
    gaps = models.gaps(unit, spot)
    gaps[unit] = inf
    if (gaps[models.there] < -CLEARANCE).any():
        return False
    off = terrain.no_standing.distance(np.array([spot]), radius)
    return not (off < radius - CLEARANCE).any()


def on_table(moment: Moment, spot: Spot, radius: float) -> bool:
    """Return whether a base at a point is completely on the table."""
    size, edge = moment.setup.field.size, radius - CLEARANCE
    return all(edge <= at <= length - edge for at, length in zip(spot, size, strict=True))


def way_round(moment: Moment, unit: int, goal: Spot, reach: float) -> list[Spot]:
    """Return the shortest path to a point around obstacles; [] if there is none.

    reach : maximum distance of obstacles, inches
    """
    models = models_of(moment)
    radius, start = float(models.radius[unit]), models.spot(unit)
    foes = [
        Point(models.spot(foe)).buffer(radius + float(models.radius[foe]) + TOUCH * 2, quad_segs=4)
        for foe in models.foes(unit)
        if models.gap(unit, foe) <= reach
    ]
    walls = terrain_of(moment).obstacles
    near = [wall.buffer(radius) for wall in walls if wall.distance(Point(start)) <= reach + radius]
    shut = shapely.union_all([*foes, *near]).difference(Point(start).buffer(TOUCH * 3))
    return shortest_way(start, goal, shut)


# Moves as they happen


def place(moment: Moment, unit: int, spot: Spot, facing: int | None = None) -> Place:
    """Return the change that puts the centre of a base at a point."""
    if facing is None:
        x, y = models_of(moment).spot(unit)
        facing = facing_towards(spot[0] - x, spot[1] - y)
    x, y = front_of(moment.state.roster.drill(unit), *spot, facing)
    return Place(unit=unit, x=x, y=y, facing=facing, formation=0, files=1)


def centre(moment: Moment, unit: int, leg: Leg) -> Spot:
    """Return the centre of the base at the end of a leg."""
    return formation.centre(moment.state.roster.drill(unit), leg.x, leg.y, leg.facing)


def leg_to(moment: Moment, unit: int, spot: Spot) -> Leg:
    """Return the leg that leads the centre of a base straight to a point."""
    pose = place(moment, unit, spot)
    return Leg(step="march", x=pose.x, y=pose.y, facing=pose.facing)


def waded(
    battle: Battle, unit: int, path: list[Spot], rate: float, by: Gait, *, leaving: bool = False
) -> Procedure[Walk]:
    """Walk a path, and roll for the streams in it; see `start_walk`."""
    faces: list[int] = []

    def die() -> float:
        faces.extend(battle.dice.roll("runolfsson.stream.when", 1, 10))
        return left_after_stream(faces[-1], 1.0)

    done = start_walk(battle, unit, rate, by=by, leaving=leaving, die=die).along(path)
    for face in faces:
        yield Event(
            facts=MetStream(face=face, result=stream_result(face)),
            unit=unit,
            because=("runolfsson.stream.when", "runolfsson.stream.table"),
        )
    return done


def moved(moment: Moment, unit: int, done: Walk, how: str, slug: str) -> Event:
    """Return the event of a move by the rule *slug*."""
    bend = done.path[-2:][0]
    facing = None
    if bend != done.end:
        facing = facing_towards(done.end[0] - bend[0], done.end[1] - bend[1])
    return Event(
        facts=Moved(how=how, inches=round(done.length, 2)),
        unit=unit,
        gesture="march",
        because=(slug,),
        changes=(place(moment, unit, done.end, facing), *set_cells("unit", unit, moved=1, done=1)),
    )
