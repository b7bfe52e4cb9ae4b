"""Roles, brigades and points of units, for the commander."""

from __future__ import annotations

from emlia3d.battle.moment import Moment
from emlia3d.rulekit.commander.from_setup import brigades_by_section
from emlia3d.rulekit.commander.outlook import Brigade
from emlia3d.rulekit.commander.unit_profile import Role
from emlia3d.rules.oathmark.blocks import entry_of
from emlia3d.rules.oathmark.odds import DISORDER


def brigades_of(moment: Moment, side: int) -> tuple[Brigade, ...]:
    """Return the brigades of a side: its sections, or its units by role."""
    setup = moment.setup
    names = {"line": "Infantry", "skirmish": "Shooters", "cavalry": "Cavalry",
             "guns": "Engines", "leader": "Leaders"}  # fmt: skip
    return brigades_by_section(setup, side, lambda row: names[role_of(moment, row)])


def role_of(moment: Moment, unit: int) -> Role:
    """Return the role of a unit."""
    entry = entry_of(moment.setup, unit)
    if entry.level("command"):
        return "leader"
    if entry.level("artillery"):
        return "guns"
    if "cavalry" in entry.tags:
        return "cavalry"
    return "skirmish" if entry.weapon and entry.shoot > entry.fight else "line"


def points_left(moment: Moment, unit: int) -> float:
    """Return the points of a unit's remaining figures, reduced for wounds and disorder."""
    entry, units = entry_of(moment.setup, unit), moment.state.units
    if not units.value("present", unit):
        return 0.0
    wounds = entry.points * units.integer("wounds", unit) / entry.health
    left = units.integer("members", unit) * entry.points - wounds
    if entry.crew:
        left *= units.integer("crew", unit) / entry.crew
    return left * (1 - DISORDER if units.value("disordered", unit) else 1.0)
