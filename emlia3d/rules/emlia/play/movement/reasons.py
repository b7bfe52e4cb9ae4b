"""Emlia, chapters 11 to 13 and 18 as play: which rules shaped a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Leg
from emlia3d.force.facing import facing_towards, turn_between
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.actions import listing
from emlia3d.rules.emlia.play.movement.driving import driven_by, last_speed
from emlia3d.rules.emlia.play.situation.going import mode_of, modes_of
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import FLYING, medium_of
from emlia3d.rules.emlia.tables.terrain import (
    EFFECTS,
    PRINTED,
    MovementClass,
    blocks,
    is_slowed,
    movement_cost,
    own_size,
)
from emlia3d.rules.emlia.unit_sets.abilities import eased

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.movement.legs import MovePlan

_MODES = {"G": "ground", "F": "flying", "B": "boat", "H": "hover"}
_FORMATIONS = {
    Formation.OPEN: "emlia.form.open",
    Formation.CLOSE: "emlia.form.close",
    Formation.RANKED: "emlia.form.ranked",
}
_ASKEW = 1
"""Steps of facing by which a leg may miss straight ahead."""


def move_because(
    moment: Moment, unit: int, planned: MovePlan, legs: Sequence[Leg], *, doubled: bool
) -> tuple[str, ...]:
    """Return the rules of a move that is about to be made: its mode, its legs, and the terrain.

    doubled : whether it is made at Double Pace
    """
    start = pose_of(moment, unit)
    usual = mode_of(moment, unit)
    modes = [leg.mode or usual for leg in legs]
    because = ["emlia.move.double-pace" if doubled else "emlia.move.normal"]
    because.append(listing("double pace" if doubled else "normal move"))
    for mode in dict.fromkeys(modes):
        because += _mode_because(moment, unit, mode)
    because += _drive_because(moment, unit, planned, modes[0], doubled=doubled)
    because += ["emlia.mixed.speed"] if is_mixed(moment, unit) else []
    halved = bool(moment.state.units.value("taking_cover", unit))
    because += ["emlia.move.take-cover.speed"] if halved else []
    slowed: list[str] = []
    for leg, before, after in zip(legs, (start, *planned.poses), planned.poses, strict=False):
        slowed += _leg_because(leg, before, after)
        if leg.step == "march" and (leg.mode or usual) != FLYING:
            slowed += terrain_because(moment, unit, before, after, leg.mode or usual)
        elif leg.step == "march" and before.altitude != after.altitude:
            slowed.append("emlia.mode.flying.path-length")
    slow = {"emlia.form.close.speed", "emlia.form.ranked.translate", "emlia.terrain.rough",
            "emlia.terrain.very-rough"}  # fmt: skip
    if len(slow.intersection(slowed)) + halved > 1:
        slowed.append("emlia.move.speed-stack")
    return tuple(dict.fromkeys([*because, *slowed]))


def _mode_because(moment: Moment, unit: int, mode: str) -> Iterator[str]:
    """Yield the rules of one mode, and that it was one of several."""
    if len(modes_of(moment, unit)) > 1:
        yield "emlia.attr.movement"
    if mode in _MODES:
        yield f"emlia.mode.{_MODES[mode]}"


def _drive_because(
    moment: Moment, unit: int, planned: MovePlan, mode: str, *, doubled: bool
) -> Iterator[str]:
    """Yield the rules of gears and of limited turns."""
    movement = driven_by(moment, unit, mode)
    if movement is None or planned.drive is None:
        return
    if movement.gears:
        yield "emlia.mode.accel"
        if doubled:
            yield "emlia.mode.accel.double-pace"
        if planned.drive < 0:
            yield "emlia.mode.accel.reverse"
        if moment.state.turn == 1 and not last_speed(moment, unit):
            yield "emlia.mode.accel.start"
    if movement.turns and len({pose.facing for pose in planned.poses}) > 1:
        yield "emlia.mode.turn-limited"


def _leg_because(leg: Leg, before: Pose, after: Pose) -> Iterator[str]:
    """Yield the rules of formation for one leg."""
    formation = before.drill.formation
    match leg.step:
        case "turn" if formation is Formation.CLOSE:
            yield "emlia.form.close.turn"
        case "turn" if formation is Formation.RANKED:
            yield "emlia.form.ranked.turn"
        case "wheel":
            yield "emlia.form.ranked.wheel"
        case "form":
            yield "emlia.form.change"
            yield _FORMATIONS[after.drill.formation]
            if after.drill.formation is Formation.RANKED:
                yield "emlia.form.ranked.facing"
        case "march" if formation is not Formation.OPEN:
            east, north = after.x - before.x, after.y - before.y
            if (east or north) and not _is_ahead(before, facing_towards(east, north)):
                ranked = formation is Formation.RANKED
                yield "emlia.form.ranked.translate" if ranked else "emlia.form.close.speed"


def _is_ahead(pose: Pose, way: int) -> bool:
    """Return whether a way is the facing of a pose, but for rounding."""
    return abs(turn_between(pose.facing, way)) <= _ASKEW


def terrain_because(
    moment: Moment, unit: int, before: Pose, after: Pose, mode: str
) -> Iterator[str]:
    """Yield the rules of the terrain that one straight leg crosses, of a unit that does not fly."""
    medium, features = medium_of(mode), moment.setup.field.features
    if not features:
        return
    situation = situation_of(moment)
    swept = shapely.convex_hull(shapely.union(before.outline, after.outline))
    outlines = np.array([feature.outline for feature in features], dtype=object)
    standing = moment.state.features.ints("present") != 0
    entry = situation.entry(unit)
    for row in np.flatnonzero(standing & shapely.intersects(outlines, swept)).tolist():
        feature = features[row]
        effect = EFFECTS[feature.kind]
        cost = movement_cost(feature, mode=mode, size=entry.size, height=entry.height)
        if cost is None:
            continue
        ground = effect.ground if medium.land else effect.water
        if cost > 1:
            rough = ground is MovementClass.ROUGH
            yield "emlia.terrain.rough" if rough else "emlia.terrain.very-rough"
            if eased(cost, feature.kind, entry.all_abilities) != cost:
                yield "emlia.ability.example-city-fighters"
        elif effect.barrier and not blocks(feature.height, entry.height):
            yield "emlia.terrain.impassable-by-height"
        elif not is_slowed(entry.size, own_size(feature), effect):
            yield "emlia.terrain.slow-size-limit"
        else:
            continue
        if feature.kind in PRINTED:
            yield f"emlia.terrain.examples.{feature.kind}"
