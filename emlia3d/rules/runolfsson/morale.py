"""The morale phases: checks of units, then of models."""

from __future__ import annotations

from math import floor

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Attacks, Marker, Phase, Turn
from emlia3d.rules.runolfsson.contacts import (
    entry_of,
    is_character,
    is_foe_within,
    members_of,
    models_of,
    unit_of,
)
from emlia3d.rules.runolfsson.events import UnitChecked
from emlia3d.rules.runolfsson.individual import check_individually
from emlia3d.rules.runolfsson.movement import limited
from emlia3d.rules.runolfsson.running import rout
from emlia3d.rules.runolfsson.unit_set import Grade, game_of

NEAR_ENEMY = 6.0
"""Maximum distance of an enemy for checks of cowards, inches."""

_DICE = (2, 3, 4, 6, 8, 10, 12, 20)


@rule("runolfsson.morale.grade")
def graded(base: int, grade: Grade) -> int:
    """Return the points of a model by its grade, if an average one costs *base*."""
    return {"fearless": base * 2, "average": base, "cowardly": base // 2}[grade]


@rule("runolfsson.morale.fearless", "runolfsson.character.fearless")
def never_checks(grade: Grade) -> bool:
    """Return whether a grade never checks."""
    return grade == "fearless"


@rule("runolfsson.morale.average")
def average_unit_checks(original: int, lost: int, was_hit: bool) -> bool:
    """Return whether an average unit checks, from its absorbable hits and those destroyed."""
    return was_hit and lost >= max(1, floor(original * 0.5))


@rule("runolfsson.morale.cowardly")
def cowardly_unit_checks(original: int, lost: int, attacked: bool, enemy_near: bool) -> bool:
    """Return whether a cowardly unit checks, from its absorbable hits and those destroyed."""
    return (attacked or enemy_near) and lost >= max(1, original * 3 // 10)


@rule("runolfsson.character.average")
def average_character_checks(dice: int, save: int) -> bool:
    """Return whether an average character checks, from the attack dice against it in a phase."""
    return dice > save


@rule("runolfsson.character.cowardly")
def cowardly_character_checks(attacked: bool, enemy_near: bool) -> bool:
    """Return whether a cowardly character checks."""
    return attacked or enemy_near


@rule("runolfsson.morale.once-per-turn")
def may_check(checked: int, turn: int) -> bool:
    """Return whether a unit or a model can check, by the turn of its last check."""
    return checked != turn


@rule("runolfsson.unitcheck.die")
def unit_die(models: int) -> int | None:
    """Return the sides of a unit's die, by its original models; None for one model."""
    return max((sides for sides in _DICE if sides <= models), default=None)


@rule("runolfsson.unitcheck.result", "runolfsson.unitcheck.no-modifiers")
def unit_passes(face: int, left: int) -> bool:
    """Return whether a unit passes, by its remaining models, without modifiers."""
    return face <= left


@rule("runolfsson.unitcheck.fail")
def who_checks_after(passed: bool, members: list[int]) -> list[int]:
    """Return the models that check after the check of their unit."""
    return [] if passed else members


@rule("runolfsson.morale.phase-one", "runolfsson.morale.phase-two")
def marked_models_check(phase: Phase, end_only: bool = False) -> bool:
    """Return whether a morale phase makes models check because of their markers alone.

    end_only : whether it is the only one of its turn
    """
    return end_only or phase is Phase.MORALE_ONE


def morale_phase(battle: Battle) -> Procedure[None]:
    """Check all units and models that must; all models in Wide-spread Panic."""
    state, setup = battle.state, battle.setup
    phase = Phase(state.battle.integer("phase", 0))
    there = [row for row, on in enumerate(models_of(battle).there.tolist()) if on]
    # Each model that must check, with the rule.
    owing: dict[int, str] = {}
    if state.battle.integer("kind", 0) == Turn.WIDE_SPREAD_PANIC:
        owing = dict.fromkeys(there, "runolfsson.super.wide-spread-panic")
    else:
        for row in there:
            if is_character(setup, row) and _character_owes(battle, row):
                owing[row] = f"runolfsson.character.{entry_of(setup, row).grade}"
        for head in dict.fromkeys(setup.leader_of(row) for row in there):
            if not is_character(setup, head) and _unit_owes(battle, head):
                failing = yield from check_unit(battle, head)
                owing |= dict.fromkeys(failing, "runolfsson.unitcheck.fail")
        if marked_models_check(phase, game_of(setup).morale == "end only"):
            marked = (row for row in there if state.units.value("marker", row))
            owing |= dict.fromkeys(marked, "runolfsson.morale.phase-one")
    for row, slug in sorted(owing.items()):
        if not may_check(state.units.integer("checked", row), state.turn):
            continue
        if (yield from check_individually(battle, row, slug)) is Marker.ROUTED:
            yield from rout(battle, row, limited(entry_of(setup, row)))


def _character_owes(moment: Moment, unit: int) -> bool:
    attacks = moment.state.units.integer("attacks", unit)
    match entry_of(moment.setup, unit).grade:
        case "average":
            return average_character_checks(attacks, Attacks.SOME)
        case "cowardly":
            near = is_foe_within(moment, unit, NEAR_ENEMY)
            return cowardly_character_checks(attacks > 0, near)
        case grade:
            return not never_checks(grade)


def _unit_owes(moment: Moment, head: int) -> bool:
    units, setup = moment.state.units, moment.setup
    rows, members = unit_of(setup, head), members_of(moment, head)
    if not may_check(units.integer("unit_checked", head), moment.state.turn):
        return False
    original = sum(entry_of(setup, row).hits for row in rows)
    lost = original - sum(units.integer("hits_left", row) for row in rows)
    match entry_of(setup, head).grade:
        case "average":
            was_hit = any(units.value("was_hit", row) for row in rows)
            return average_unit_checks(original, lost, was_hit)
        case "cowardly":
            attacked = any(units.value("attacks", row) for row in rows)
            near = any(is_foe_within(moment, row, NEAR_ENEMY) for row in members)
            return cowardly_unit_checks(original, lost, attacked, near)
        case grade:
            return not never_checks(grade)


def check_unit(battle: Battle, head: int) -> Procedure[list[int]]:
    """Check a unit; return the models that check after it."""
    members = members_of(battle, head)
    sides = unit_die(len(unit_of(battle.setup, head)))
    face = battle.dice.roll("runolfsson.unitcheck.die", 1, sides)[0] if sides else 0
    passed = unit_passes(face, len(members))
    yield Event(
        facts=UnitChecked(sides=sides or 1, face=face, left=len(members), passed=passed),
        unit=members[0],
        because=("runolfsson.unitcheck.die", "runolfsson.unitcheck.result"),
        changes=set_cells("unit", head, unit_checked=battle.state.turn),
    )
    return who_checks_after(passed, members)
