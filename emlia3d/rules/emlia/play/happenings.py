"""Emlia, chapter 22.1 as play: what happens by itself at the beginning of turns.

Before the first timing step: first those come onto the field who are due.

Holds `emlia.scenario.events`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely
from shapely import Polygon

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation, boundary, places
from emlia3d.rules.emlia.morale import percent_base
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.mixed import on_field, parts_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

# Two blocks that share less than this stand side by side; square GSU.
_TOUCH = 1 / 16


def is_due(battle: Battle, unit: int) -> bool:
    """Whether a unit has still to come onto the field."""
    units = battle.state.units
    return not units.value("present", unit) and units.integer("members", unit) > 0


@rule("emlia.scenario.events.examples.reinforcement")
def arrive(battle: Battle) -> Procedure[None]:
    """Whoever is due comes onto the field in his place, ready to activate.

    A close or ranked unit whose place is taken waits until the next turn.
    """
    turn, units = battle.state.turn, battle.state.units
    for unit, setup in enumerate(battle.setup.units):
        if not setup.arrives or setup.arrives > turn or not is_due(battle, unit):
            continue
        if _is_taken(battle, unit):
            continue
        lie = lie_of(battle)
        base = percent_base(
            members=units.integer("members", unit),
            single=units.integer("strength", unit) == 1,
            limit=lie.entry(unit).damage_limit,
            damage=0,
        )
        timing = max(lie.entry(part).timing or 0 for part in parts_of(battle, unit))
        now = (("present", 1), ("timing", timing), ("strength_now", -1 if base is None else base))
        changes: tuple[Change, ...] = tuple(
            Set(table="unit", row=unit, column=column, value=value) for column, value in now
        )
        yield Event(
            name="arrived",
            unit=unit,
            gesture="march",
            because=("emlia.scenario.events.examples.reinforcement",),
            changes=changes,
        )


def _is_taken(battle: Battle, unit: int) -> bool:
    """Whether somebody stands where a close or ranked unit would."""
    if battle.state.units.integer("formation", unit) == Formation.OPEN:
        return False
    lie, room = lie_of(battle), _room_of(battle, unit)
    return any(
        float(shapely.area(shapely.intersection(room, lie.outline(other)))) > _TOUCH
        for other in on_field(battle)
    )


def _room_of(battle: Battle, unit: int) -> Polygon:
    """The boundary that a unit will have when it is there."""
    drawn = battle.setup.units[unit].outline
    if drawn is not None:
        return drawn
    units, drill = battle.state.units, battle.state.roster.drill(unit)
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    facing = units.integer("facing", unit)
    return boundary(drill, x, y, facing, places(drill, x, y, facing))
