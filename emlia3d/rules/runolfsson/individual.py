"""The individual morale check of a model, and its markers."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import models_of, morale_command_modifier, replace_leader
from emlia3d.rules.runolfsson.core import TOUCH, is_within
from emlia3d.rules.runolfsson.events import MoraleChecked
from emlia3d.rules.runolfsson.unit_set import game_of


@rule("runolfsson.indiv.die")
def roll_individual(battle: Battle) -> int:
    """Roll the die of an individual check: a D10, because the good result needs 9.

    The table [game] of a scenario can select the D6 of the rulebook.
    """
    sides = game_of(battle.setup).individual_die
    (face,) = battle.dice.roll("runolfsson.indiv.die", 1, sides)
    return face


@rule("runolfsson.indiv.modifiers")
def individual_modifier(moment: Moment, unit: int) -> int:
    """Return the modifier of a model's individual check."""
    units, models = moment.state.units, models_of(moment)
    leader = units.integer("leader", unit)
    led = leader >= 0 and bool(models.there[leader])
    # A leader has a negative gap to itself, so it counts as in contact.
    near = led and is_within(models.gap(unit, leader), TOUCH)
    return morale_command_modifier(bool(units.value("in_command", unit))) + int(near)


@rule("runolfsson.indiv.table")
def individual_result(face: int, modifier: int) -> Marker:
    """Return the marker that a model has after its check."""
    if face == 10 or (face != 1 and face + modifier >= 9):
        return Marker.NONE
    return Marker.ROUTED if face == 1 or face + modifier <= 2 else Marker.PINNED


@rule("runolfsson.rally.free", "runolfsson.rally.transitions")
def transition(before: Marker, after: Marker) -> str:
    """Return the marker after a check: replaced, or removed if the model rallies."""
    if after is not Marker.NONE:
        return after.name.lower()
    return "rallied" if before is not Marker.NONE else "unaffected"


@rule("runolfsson.pinned.effect")
def is_held(marker: Marker) -> bool:
    """Return whether a marker prevents moves in movement phases."""
    return marker is not Marker.NONE


def check_individually(battle: Battle, unit: int, slug: str) -> Procedure[Marker]:
    """Check the morale of a single model; return its new marker."""
    face, modifier = roll_individual(battle), individual_modifier(battle, unit)
    before = Marker(battle.state.units.integer("marker", unit))
    after = individual_result(face, modifier)
    yield Event(
        facts=MoraleChecked(face=face, modifier=modifier, result=transition(before, after)),
        unit=unit,
        gesture="rally" if after is Marker.NONE else "waver",
        because=(slug, "runolfsson.indiv.table"),
        changes=set_cells("unit", unit, marker=after, checked=battle.state.turn),
    )
    if after is not Marker.NONE:
        yield from replace_leader(battle, unit)
    return after
