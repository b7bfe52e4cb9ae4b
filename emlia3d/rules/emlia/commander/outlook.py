"""The knowledge of a side under Emlia's rules, in the form for planning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from shapely import Polygon, union_all
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Columns, Derived, Rows
from emlia3d.force.formation import Formation
from emlia3d.rulekit.commander import from_setup
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.unit_profile import Role as BodyRole
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.basics.victories import LEVELS
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.places import axis_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.situation import SITUATION, Situation, situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS
from emlia3d.rules.emlia.tables.terrain import EFFECTS, MovementClass

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_ROLES: dict[Role, BodyRole] = {
    Role.LINE: "line",
    Role.SKIRMISH: "skirmish",
    Role.CAVALRY: "cavalry",
    Role.GUNS: "guns",
    Role.GENERAL: "leader",
}


def outlook_of(ai: AiContext) -> Outlook:
    """Return the current outlook of the side."""
    moment = ai.battle
    return from_setup.outlook_of(
        moment,
        ai.side,
        brigades_of(moment, ai.side),
        [body_of(moment, unit) for unit in (*ai.own, *ai.known)],
        LEVELS,
        frame=frame_of(ai),
        rough=_ROUGH(moment),
        places=_PLACES(moment),
        personality=ai.personality,
    )


_PLACES = Derived(make=lambda moment: from_setup.outlines_of(moment.setup))


def _rough(moment: Moment) -> BaseGeometry:
    """Return the areas with extra movement cost for mounted units."""
    slow = [
        feature.outline
        for feature in moment.setup.field.features
        if EFFECTS[feature.kind].ground is not MovementClass.OPEN or EFFECTS[feature.kind].barrier
    ]
    return union_all(slow)


_ROUGH = Derived(make=_rough)


def frame_of(ai: AiContext) -> Frame:
    """Return the frame of a side's advance: perpendicular to its own edge, or towards its goal."""
    lines = ai.battle.setup.sides[ai.side].lines
    return Frame(from_setup.AHEAD_OF[lines] if isinstance(lines, str) else axis_of(ai))


def body_of(moment: Moment, unit: int) -> UnitProfile:
    """Return the profile of a unit."""
    profiles, is_engaged = _PROFILES(moment), bool(engaged_by(moment, unit))
    found = profiles.get(unit)
    if found is None:
        found = _profile(moment, unit, is_engaged)
    elif found.is_engaged != is_engaged:
        found = replace(found, is_engaged=is_engaged)
    profiles[unit] = found
    return found


def _profile(moment: Moment, unit: int, is_engaged: bool) -> UnitProfile:
    situation, units = situation_of(moment), moment.state.units
    x, y = situation.centre(unit)
    width, depth = _extent(situation, unit)
    drill, facing = situation.drill(unit), units.integer("facing", unit)
    entry = situation.entry(unit)
    ranges = [weapon.range for weapon in entry.ranged_weapons if weapon.range]
    bands = tuple(float(max(each[band] for each in ranges)) for band in range(3)) if ranges else ()
    speed = speed_of(moment, unit)
    morale = units.integer("morale", unit)
    whole = max(sum(units.integer("strength", part) for part in parts_of(moment, unit)), 1)
    left = members_of_all(moment, unit) / whole
    return UnitProfile(
        unit=unit,
        role=_ROLES[role_of(moment, unit)],
        x=x,
        y=y,
        facing=facing,
        width=width,
        depth=depth,
        speed=speed,
        reach=2 * speed,
        bands=bands,
        worth=entry.army_value * left,
        is_fit=morale > 0 and not units.value("disordered", unit),
        is_broken=morale <= RETREATS,
        is_engaged=is_engaged,
        holds_formation=drill.formation is Formation.RANKED,
    )


class Footprint(NamedTuple):
    """The position of a unit: its centre and its width, GSU."""

    x: float
    y: float
    width: float


def standing_of(moment: Moment, unit: int) -> Footprint:
    """Return the position and width of a unit."""
    found = _STANDING(moment)
    if unit not in found:
        situation = situation_of(moment)
        found[unit] = Footprint(*situation.centre(unit), _extent(situation, unit)[0])
    return found[unit]


def _forget(found: dict[int, Any], moment: Moment, rows: Sequence[int]) -> None:
    for unit in rows:
        found.pop(unit, None)
        found.pop(head_of(moment, unit), None)


_PROFILES = Rows(
    SITUATION,
    Columns("morale", "disordered", "strength", "last_speed", "speed_share"),
    start=lambda _: dict[int, UnitProfile](),
    renew=_forget,
)
"""Cache of unit profiles, by row, because the commander reads them often."""


_STANDING = Rows(SITUATION, start=lambda _: dict[int, Footprint](), renew=_forget)
"""Cache of unit positions, by row."""


def _extent(situation: Situation, unit: int) -> tuple[float, float]:
    """Return the width and the depth of a unit, GSU."""
    if len(situation.parts(unit)) < 2:
        drill = situation.drill(unit)
        return drill.frontage, drill.length
    facing = situation.moment.state.units.integer("facing", unit)
    left, rear, right, front = _bounds(situation.outline(unit), facing)
    return right - left, front - rear


def _bounds(outline: Polygon, facing: int) -> tuple[float, float, float, float]:
    """Return the extent of an outline to the left, rear, right and front."""
    left, rear, right, front = MarchWay.towards(facing).bounds(np.array([outline]))[0].tolist()
    return left, rear, right, front
