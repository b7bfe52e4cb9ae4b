"""The knowledge of a side under Emlia's rules, in the form that its commander plans with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from shapely import Polygon, union_all
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Derived
from emlia3d.force.formation import Formation
from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.bodies import Role as BodyRole
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.outlook import Brigade, Objective, Outlook
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.places import AHEAD_OF, axis_of, holds
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.march import Way
from emlia3d.rules.emlia.play.situation.parts import members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.aims import LEVELS
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


def outlook_of(mind: Mind) -> Outlook:
    """Return what the side knows now."""
    moment = mind.battle
    return Outlook(
        own=tuple(body_of(moment, unit) for unit in mind.own),
        foes=tuple(body_of(moment, unit) for unit in mind.known),
        brigades=_brigades(mind),
        objectives=tuple(_objectives(moment, mind.side)),
        frame=frame_of(mind),
        turn=moment.state.turn,
        turns=moment.setup.turns,
        holds=holds(mind),
        size=moment.setup.field.size,
        rough=_ROUGH(moment),
        places=_PLACES(moment),
        personality=mind.manner,
    )


def _places(moment: Moment) -> dict[str, BaseGeometry]:
    """Return the outline of every area and feature with a name; an area goes before a feature."""
    setup = moment.setup
    features = {each.name: each.outline for each in setup.field.features if each.name}
    return {**features, **{area.name: setup.area(area.name) for area in setup.areas}}


_PLACES = Derived(make=_places)


def _rough(moment: Moment) -> BaseGeometry:
    """Return the areas that cost mounted units more than their length in movement."""
    slow = [
        feature.outline
        for feature in moment.setup.field.features
        if EFFECTS[feature.kind].ground is not MovementClass.OPEN or EFFECTS[feature.kind].barrier
    ]
    return union_all(slow)


_ROUGH = Derived(make=_rough)


def _brigades(mind: Mind) -> tuple[Brigade, ...]:
    """Return the brigades with their units of now; a part belongs to the brigade of its whole."""
    setup = mind.battle.setup

    def whole(unit: int) -> int:
        row = setup.mustered_as(unit)
        above = setup.units[row].muster.parent
        return row if above < 0 else whole(above)

    return tuple(
        Brigade(name=each.name, units=tuple(unit for unit in mind.own if whole(unit) in each.units))
        for each in brigades_of(mind.battle, mind.side)
    )


def frame_of(mind: Mind) -> Frame:
    """Return the frame of a side's advance: square to its own edge, else towards its goal."""
    lines = mind.battle.setup.sides[mind.side].lines
    return Frame(AHEAD_OF[lines] if isinstance(lines, str) else axis_of(mind))


def body_of(moment: Moment, unit: int) -> Body:
    """Return a unit as its commander sees it."""
    situation, units = situation_of(moment), moment.state.units
    x, y = situation.centre(unit)
    drill, facing = situation.drill(unit), units.integer("facing", unit)
    width, depth = drill.frontage, drill.length
    if len(situation.parts(unit)) > 1:
        left, rear, right, front = _bounds(situation.outline(unit), facing)
        width, depth = right - left, front - rear
    entry = situation.entry(unit)
    ranges = [weapon.range for weapon in entry.ranged_weapons if weapon.range]
    bands = tuple(float(max(each[band] for each in ranges)) for band in range(3)) if ranges else ()
    speed = speed_of(moment, unit)
    morale = units.integer("morale", unit)
    whole = max(sum(units.integer("strength", part) for part in parts_of(moment, unit)), 1)
    left = members_of_all(moment, unit) / whole
    return Body(
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
        is_engaged=bool(engaged_by(moment, unit)),
        holds_formation=drill.formation is Formation.RANKED,
    )


def _bounds(outline: Polygon, facing: int) -> tuple[float, float, float, float]:
    """Return how far an outline reaches to the left, rear, right and front, seen its own way."""
    left, rear, right, front = Way.towards(facing).bounds(np.array([outline]))[0].tolist()
    return left, rear, right, front


def _objectives(moment: Moment, side: int) -> list[Objective]:
    """Return the places that decide victory conditions of the side or of its enemies."""
    setup = moment.setup
    worth: dict[str, float] = {}
    takes: set[str] = set()
    for aim in setup.aims:
        other = setup.side_of(aim.side)
        mine, hostile = other == side, setup.hostile(side, other)
        if not (mine or hostile):
            continue
        for name in aim.controls if mine else (*aim.controls, *aim.denied):
            worth[name] = worth.get(name, 0.0) + 1 + LEVELS.index(aim.level)
            if mine:
                takes.add(name)
    named = setup.sides[side].objective
    if named is not None:
        worth[named] = worth.get(named, 0.0) + 1
        takes.add(named)
    return [
        Objective(name=name, outline=setup.area(name), worth=worth[name], takes=name in takes)
        for name in worth
    ]
