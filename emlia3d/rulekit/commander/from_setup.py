"""The parts of an outlook that are the same under all rules, from the setup of a battle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.setup import Setup
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.outlook import Brigade, Objective, Outlook
from emlia3d.rulekit.commander.plan_record import MISSIONS, plan_of
from emlia3d.rulekit.commander.unit_profile import UnitProfile

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

AHEAD_OF: Mapping[str, int] = {
    edge: facing_of_degrees(degrees)
    for edge, degrees in (("north", 180), ("east", 270), ("south", 0), ("west", 90))
}
"""The facing away from a side's own edge of the field."""


def brigades_by_section(
    setup: Setup, side: int, usual: Callable[[int], str] = lambda row: "Army"
) -> tuple[Brigade, ...]:
    """Return a side's brigades as mustered, in the order of the setup.

    A brigade is a section of the scenario, without parts of divided units.

    usual : returns the brigade of a unit without a section, by its row
    """
    groups: dict[str, list[int]] = {}
    for row, unit in enumerate(setup.units):
        if unit.muster.side != side or max(unit.muster.parent, unit.muster.spare_for) >= 0:
            continue
        name = unit.section[0] if unit.section else usual(row)
        groups.setdefault(name, []).append(row)
    return tuple(Brigade(name=name, units=tuple(rows)) for name, rows in groups.items())


def with_units(
    setup: Setup, brigades: Iterable[Brigade], units: Collection[int]
) -> tuple[Brigade, ...]:
    """Return the brigades with their current units; a part belongs to the brigade of its unit."""

    def whole(unit: int) -> int:
        row = setup.deployed_as(unit)
        above = setup.units[row].muster.parent
        return row if above < 0 else whole(above)

    return tuple(
        Brigade(name=each.name, units=tuple(unit for unit in units if whole(unit) in each.units))
        for each in brigades
    )


def objectives_of(setup: Setup, side: int, levels: Sequence[str]) -> tuple[Objective, ...]:
    """Return the positions in victory conditions of a side or of its enemies.

    levels : the levels of victory, the lowest first
    """
    worth: dict[str, float] = {}
    takes: set[str] = set()
    for aim in setup.aims:
        other = setup.side_of(aim.side)
        mine, hostile = other == side, setup.hostile(side, other)
        if not (mine or hostile):
            continue
        for name in aim.controls if mine else (*aim.controls, *aim.denied):
            worth[name] = worth.get(name, 0.0) + 1 + levels.index(aim.level)
            if mine:
                takes.add(name)
    named = setup.sides[side].objective
    if named is not None:
        worth[named] = worth.get(named, 0.0) + 1
        takes.add(named)
    return tuple(
        Objective(name=name, outline=setup.area(name), worth=worth[name], takes=name in takes)
        for name in worth
    )


def outlines_of(setup: Setup) -> dict[str, BaseGeometry]:
    """Return the outlines of named areas and features; for equal names, that of the area."""
    features = {each.name: each.outline for each in setup.field.features if each.name}
    return {**features, **{area.name: setup.area(area.name) for area in setup.areas}}


def outlook_of(
    moment: Moment,
    side: int,
    brigades: Iterable[Brigade],
    bodies: Iterable[UnitProfile],
    levels: Sequence[str] = (),
    **other: Any,
) -> Outlook:
    """Return the outlook of a side, with the positions, terrain and turns of the setup.

    brigades : as mustered
    bodies : each unit that the side knows of, its own included
    levels : the levels of victory, the lowest first; () if no place decides the victory
    other : attributes of the outlook that the rules replace, such as its frame
    """
    setup, sides = moment.setup, moment.state.units.ints("side").tolist()
    known, lines, mustered = tuple(bodies), setup.sides[side].lines, tuple(brigades)
    names = tuple(each.name for each in mustered)
    own = tuple(body for body in known if sides[body.unit] == side)
    given = Outlook(
        own=own,
        foes=tuple(body for body in known if setup.hostile(side, sides[body.unit])),
        brigades=with_units(setup, mustered, [body.unit for body in own]),
        objectives=objectives_of(setup, side, levels) if levels else (),
        frame=Frame(AHEAD_OF[lines] if isinstance(lines, str) else own[0].facing if own else 0),
        turn=moment.state.turn,
        turns=setup.turns,
        holds=setup.sides[side].stance == "hold",
        size=setup.field.size,
        rough=Polygon(),
        places=outlines_of(setup),
        stands=plan_of(moment, side, names) if MISSIONS in moment.state.lists else None,
    )
    return replace(given, **other)
