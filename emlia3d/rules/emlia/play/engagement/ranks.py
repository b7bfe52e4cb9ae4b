"""Emlia, chapter 13 as play: breaking ranks.

Holds `emlia.form.break-ranks` and `emlia.ranked.enveloped-break`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely
from msgspec import structs
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation, footprint_corners
from emlia3d.rules.emlia.actions import listing
from emlia3d.rules.emlia.events.engagement import BrokeRanks
from emlia3d.rules.emlia.play.acting.actions import Deed, used_by
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.situation.allowance import may_form, obstacles_to
from emlia3d.rules.emlia.play.situation.contact import engaged_by, fronts_of, is_ranked
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, reformed
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


_BACK = 1 / 64
"""GSU that a unit which breaks its ranks keeps from others and from its front line."""

_LEAST_OF_A_DISC = 0.98
"""Of its radius, what a footprint of sixteen sides reaches in every direction."""


def broken_pose(moment: Moment, unit: int) -> Pose | None:
    """Return where a ranked unit stands once it has broken its ranks: in close formation.

    Its front line stays; in as many files as before or, where they would not find room beside
    their neighbours, in fewer. None without room.
    """
    pose = pose_of(moment, unit)
    obstacles = obstacles_to(moment, unit)
    field = shapely.box(0, 0, *moment.setup.field.size)
    for files in range(pose.drill.files, 0, -1):
        end = reformed(pose, Formation.CLOSE, files)
        # Rounding must not carry a member over its front line.
        stands = gone(end, pose.facing, -_BACK)
        if _is_on_men(stands, obstacles):
            continue
        if any(_is_free(body, obstacles, field) for body in _drawn_closer(stands)):
            return end
    return None


def _is_free(body: Polygon, obstacles: NDArray[np.object_], field: Polygon) -> bool:
    """Return whether a body stands on the field and clear of obstacles."""
    within = body.buffer(-_BACK)
    return field.covers(within) and not shapely.intersects(within, obstacles).any()


def _drawn_closer(pose: Pose) -> Iterator[Polygon]:
    """Yield the space that a unit takes up: first the hull of its members, then all of it.

    Where there is room for the hull there is for what it holds.
    """
    corners = [
        footprint_corners(body.drill, body.own_places, body.facing).reshape(-1, 2)
        for body in (pose, *(part for _, part in pose.parts))
    ]
    hull = shapely.convex_hull(shapely.linestrings(np.concatenate(corners)))
    assert isinstance(hull, Polygon), "a footprint has an area"
    yield hull
    yield pose.outline


def _is_on_men(pose: Pose, obstacles: NDArray[np.object_]) -> bool:
    """Return whether an obstacle is so near to a member's place that the unit has no room.

    A fast test before the exact one; False decides nothing.
    """
    drill = pose.drill
    within = max(drill.width, drill.depth) / 2 * _LEAST_OF_A_DISC - 2 * _BACK
    own = shapely.multipoints(pose.own_places)
    return within > 0 and bool(shapely.dwithin(obstacles, own, within).any())


@rule("emlia.form.break-ranks", "emlia.ranked.enveloped-break")
def may_break_ranks(moment: Moment, unit: int) -> Refusal | None:
    """Return a ranked unit with its move action may, engaged or not, where there is room for it."""
    if not is_ranked(moment, unit):
        return Refusal("emlia.form.break-ranks", "it is not in ranks")
    refusal = may_do(moment, unit, "break ranks")
    refusal = refusal or may_form(moment, unit, Formation.CLOSE)
    if refusal is None and broken_pose(moment, unit) is None:
        return Refusal("emlia.form.break-ranks", "there is no room for a more open formation")
    return refusal


def break_ranks_options(moment: Moment, unit: int) -> list[Order]:
    """Break ranks, if it may."""
    if may_break_ranks(moment, unit) is not None:
        return []
    return [Order(verb="break-ranks", unit=unit)]


def break_ranks(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Change the unit to close formation; engaged enemies may make free strikes."""
    end = broken_pose(battle, unit)
    assert end is not None
    yield from free_strike.provoked(battle, unit, end)
    if battle.state.units.value("present", unit):
        foes = engaged_by(battle, unit)
        enveloped = len({side for foe in foes for side in fronts_of(battle, unit, foe)}) > 1
        broken = ranks_broken(
            unit, end, "emlia.form.break-ranks", listing("break ranks"), "emlia.form.close",
            *(("emlia.ranked.enveloped-break",) if enveloped else ()),
        )  # fmt: skip
        costs = used_by(battle, unit, "break ranks")
        yield structs.replace(broken, changes=(*broken.changes, *costs), part_of_last=False)


def ranks_broken(unit: int, end: Pose, *because: str) -> Event:
    """Return a unit gives up its ranks."""
    return Event(
        facts=BrokeRanks(),
        unit=unit,
        gesture="march",
        because=because,
        changes=end.changes(unit),
        part_of_last=True,
    )


BREAK_RANKS = Deed(verbs=("break-ranks",), options=break_ranks_options, perform=break_ranks)
