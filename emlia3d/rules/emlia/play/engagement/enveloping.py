"""Emlia, chapter 15.4 as play: enveloping a ranked enemy, to fight it on several fronts.

Members of a close unit leave their places for this; where the unit is next placed, they take
them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards
from emlia3d.force.formation import GRID, Formation
from emlia3d.rules.emlia.events.engagement import CameBack, Enveloped
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to, straight
from emlia3d.rules.emlia.play.situation.contact import is_ranked
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    by_slot,
    gone,
    placed,
    pose_of,
    reformed,
    standing,
)
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import is_linked
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_SHORT = 1 / 16
"""GSU by which a unit that comes on stops nearer than its reach."""

_HAIR = 1 / 32
"""GSU by which the drawn boundary of a close formation may lie behind its foremost members."""

_LOOSE = 1 / 64
"""GSU that is left between two members that stand side by side round an enemy."""


@rule("emlia.align.envelop")
def envelop(
    moment: Moment,
    unit: int,
    enemy: int,
    left: float | NDArray[np.float64],
    because: str = "emlia.align.envelop",
    *,
    ask: bool = True,
) -> Procedure[None]:
    """Let an unranked unit close up and bring more members round a ranked enemy.

    Each may use what is left to it, and the unit ends in close formation.

    left : GSU that each member may still go, one value for all or one for each, by slot
    ask : whether its player must still be asked
    """
    situation = situation_of(moment)
    if (
        is_ranked(moment, unit)
        or is_mixed(moment, unit)
        or situation.is_drawn(unit)
        or np.max(left) <= 0
    ):
        return
    pose = _closed(moment, unit)
    spots = _now(moment, unit, pose)
    radius, reach = situation.radius(unit), reach_of(situation, unit)
    taken = surrounding(
        spots, radius, situation.outline(enemy), reach, left, obstacles_to(moment, unit, (enemy,))
    )
    moved = int((taken != spots).any(axis=1).sum())
    field = shapely.box(0, 0, *moment.setup.field.size)
    where = shapely.union_all(shapely.buffer(shapely.points(taken), radius))
    if not moved or not field.covers(where):
        return
    if ask and not (yield from _wants_to(moment, unit, enemy)):
        return
    yield Event(
        facts=Enveloped(members=moved),
        unit=unit,
        target=enemy,
        gesture="march",
        because=(because,),
        changes=(
            *placed(moment, unit, pose, members_go=True),
            *standing(moment, unit, taken, pose.places),
        ),
        part_of_last=True,
    )


def _wants_to(moment: Moment, unit: int, enemy: int) -> Procedure[bool]:
    """Its player decides."""
    choice = yield Decision(
        side=moment.state.units.integer("side", unit),
        asks="emlia.align.envelop",
        unit=unit,
        options=(
            Order(verb="envelop", unit=unit, target=enemy),
            Order(verb="stand", unit=unit),
        ),
    )
    return choice.verb == "envelop"


def close_round(moment: Moment, unit: int, enemy: int, left: float) -> Procedure[None]:
    """Move a unit that broke its ranks under a push back to the enemy, and around it.

    left : distance that each member can move, GSU: as far as the unit was pushed
    """
    situation, pose = situation_of(moment), pose_of(moment, unit)
    line = shapely.shortest_line(situation.outline(unit), situation.outline(enemy))
    (ax, ay), (bx, by) = shapely.get_coordinates(line).tolist()
    wanted = float(line.length) - max(reach_of(situation, unit) - _SHORT, 0.0)
    if wanted <= 0:
        yield from envelop(moment, unit, enemy, left, "emlia.push.break-ranks")
        return
    way = facing_towards(bx - ax, by - ay)
    run = straight(moment, unit, pose, way, min(wanted, left + _HAIR), forced=True)
    if run.distance <= 0 or not (yield from _wants_to(moment, unit, enemy)):
        return
    yield Event(
        facts=CameBack(distance=round(run.distance, 2)),
        unit=unit,
        target=enemy,
        gesture="march",
        because=("emlia.push.break-ranks",),
        changes=placed(moment, unit, gone(pose, way, run.distance)),
        part_of_last=True,
    )
    left -= run.distance
    yield from envelop(moment, unit, enemy, left, "emlia.push.break-ranks", ask=False)


def _closed(moment: Moment, unit: int) -> Pose:
    """Return the unit where it stands, in close formation."""
    pose = pose_of(moment, unit)
    if pose.drill.formation is Formation.CLOSE:
        return pose
    return reformed(pose, Formation.CLOSE, pose.drill.files)


def _now(moment: Moment, unit: int, closed: Pose) -> NDArray[np.float64]:
    """Return where members begin to close up: where they stand, if that is close formation."""
    spots = by_slot(moment, unit)
    linked = is_linked(spots, situation_of(moment).radius(unit), Formation.CLOSE)
    return spots if linked else closed.places


def surrounding(
    spots: NDArray[np.float64],
    radius: float,
    enemy: BaseGeometry,
    reach: float,
    left: float | NDArray[np.float64],
    obstacles: Sequence[BaseGeometry] | NDArray[np.object_],
) -> NDArray[np.float64]:
    """Return the positions of members that go round an enemy as far as possible, (members, 2).

    GSU. A member with it in reach stays; others take free places in reach, next to members there
    already, by the shortest way round. All stay linked as in close formation.

    radius : of a member's footprint
    left : GSU that each may go, one value for all or (members,)
    """
    out = spots.copy()
    ring = shapely.get_exterior_ring(enemy.buffer(radius + reach * 3 / 4, quad_segs=8))
    count = int(ring.length // (2 * radius + _LOOSE))
    along = np.arange(count) * ring.length / max(count, 1)
    places = np.round(shapely.get_coordinates(shapely.line_interpolate_point(ring, along)) * GRID)
    places /= GRID
    barred = shapely.union_all(np.asarray(obstacles, dtype=object))
    discs = shapely.buffer(shapely.points(places), radius)
    free = ~shapely.intersects(discs, barred)
    points = np.atleast_1d(np.asarray(shapely.points(spots)))
    near = np.asarray(shapely.distance(points, enemy) <= radius + reach)
    start = np.asarray(shapely.line_locate_point(ring, points))
    off = np.asarray(shapely.distance(points, ring))
    arc = np.abs(start[:, None] - along[None, :])
    cost = off[:, None] + np.minimum(arc, ring.length - arc)
    cost[near, :] = np.inf
    cost[:, ~free] = np.inf
    cost[cost > np.asarray(left)[..., None]] = np.inf
    while True:
        apart = np.sqrt(((places[:, None, :] - out[None, :, :]) ** 2).sum(axis=2))
        crowded = apart < 2 * radius - 1e-9
        # A member that goes blocks no other.
        room = crowded.sum(axis=1)[:, None] == crowded
        beside = (apart[:, near] <= 2 * radius + 1).any(axis=1)
        able = np.where((room & beside[:, None]).T, cost, np.inf)
        best = int(np.argmin(able))
        member, place = divmod(best, max(count, 1))
        if not count or not np.isfinite(able[member, place]):
            return out
        before = out[member].copy()
        out[member] = places[place]
        if is_linked(out, radius, Formation.CLOSE):
            near[member] = True
            cost[member, :] = np.inf
        else:
            out[member] = before
            cost[member, place] = np.inf
