"""Questions about two units of a scenario: sight and the odds of an attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from emlia3d.battle.facts import facts_of
from emlia3d.battle.spare_rows import used_rows
from emlia3d.battle.unit_outlines import places_of
from emlia3d.errors import Error, RuleSystemError
from emlia3d.scenario.messages import nearest, no_unit, not_yet, shown
from emlia3d.scenario.systems import ALL, TRUE, answer_of, taken_over

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import AnyAnswer
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.scenario.scenario import Scenario


def sight_of_pair(
    scenario: Scenario,
    pair: tuple[str, str],
    rules: str | None,
    damage: int,
    *,
    what_if: bool,
    refused: Callable[[RuleSystemError], None] | None,
) -> AnyAnswer | dict[str, AnyAnswer]:
    """Return the answer of `Scenario.sight`."""
    name, setup = scenario.name, scenario.setup
    wanted = setup.rules if rules is None else rules
    known = [setup.rules, *(each for each in scenario.systems if each != setup.rules)]
    if wanted not in {*known, TRUE, ALL}:
        near = nearest(wanted, [*known, TRUE, ALL])
        raise Error(f"{name}: unknown rule system {shown(wanted)}; {near}")
    moment = scenario.position()
    rows = row_of(scenario, moment, pair[0]), row_of(scenario, moment, pair[1])
    if rows[0] == rows[1]:
        raise Error(f"{name}: expected two different units, got {pair[0]} twice")
    if _stands_for(moment, rows[0]) == _stands_for(moment, rows[1]):
        raise Error(f"{name}: {pair[0]} and {pair[1]} are parts of one unit")
    if damage < 0:
        raise Error(f"{name}: base damage: expected a whole number from 0, got {damage}")
    if what_if and wanted != setup.rules:
        told = f"expected the scenario's own rules, {setup.rules}, got another system"
        raise Error(f"{name}: {told}")
    if wanted != ALL:
        return _asked(scenario, moment, wanted, rows, damage, what_if=what_if)
    answers: dict[str, AnyAnswer] = {}
    for each in (*known, TRUE):
        try:
            answers[each] = _asked(scenario, moment, each, rows, damage)
        except RuleSystemError as fault:
            if refused is None:
                raise
            refused(fault)
    return answers


def as_taken_by(scenario: Scenario, rules: str) -> Moment:
    """Return the scenario's position, converted for the rule system that answers.

    Raises
    ------
    RuleSystemError
        If the system cannot be loaded, or gives no answer.
    """
    moment = scenario.position()
    if rules == scenario.setup.rules:
        return moment
    return taken_over(scenario.systems, rules, facts_of(moment)) or moment


def odds_of_pair(
    scenario: Scenario, pair: tuple[str, str], action: str | None, weapon: str | None
) -> Odds:
    """Return the answer of `Scenario.odds`."""
    battle = scenario.position()
    rows = row_of(scenario, battle, pair[0]), row_of(scenario, battle, pair[1])
    one, other = (battle.state.units.integer("side", row) for row in rows)
    if not battle.setup.hostile(one, other):
        raise Error(f"{scenario.name}: {pair[0]} and {pair[1]} are not enemies")
    try:
        return battle.system.odds(battle, *rows, action, weapon)
    except Error as flaw:
        raise Error(f"{scenario.name}: {flaw}") from None


def row_of(scenario: Scenario, moment: Moment, name: str) -> int:
    """Return the row of a unit that is on the field.

    Raises
    ------
    Error
        There is no such unit, it arrives later, or it is not on the field.
    """
    scenario.require_units()
    units = moment.setup.units
    row = next((row for row in used_rows(moment) if units[row].name == name), None)
    if row is None:
        raise Error(f"{scenario.name}: {no_unit(scenario.setup, name)}")
    if not is_there(moment, row):
        raise Error(f"{scenario.name}: {absent(moment, row)}")
    return row


def is_there(moment: Moment, row: int) -> bool:
    """Return whether members of a unit, or of the units that are part of it, are on the field."""
    whole = [row, *(r for r, unit in enumerate(moment.setup.units) if unit.muster.parent == row)]
    return any(len(places_of(moment.state, each)) for each in whole)


def absent(moment: Moment, row: int) -> str:
    """Return the reason why no member of a unit is on the field."""
    unit = moment.setup.units[row]
    if unit.arrives > moment.state.turn:
        return not_yet(unit)
    if not unit.muster.members:
        return _memberless(unit.name)
    longer = "no longer" if unit.placed else "not"
    return f"{unit.name} is {longer} on the field"


def _memberless(name: str) -> str:
    return f"{name} has no members of its own; ask about one of its units"


def _stands_for(moment: Moment, row: int) -> int:
    """Return the row of the unit that a row is part of, or itself."""
    parent = moment.setup.units[row].muster.parent
    return row if parent < 0 else parent


def _asked(
    scenario: Scenario,
    moment: Moment,
    rules: str,
    rows: tuple[int, int],
    damage: int,
    *,
    what_if: bool = False,
) -> AnyAnswer:
    """Return the answer of one rule system, or of geometry."""
    observer, target = (moment.setup.units[row].name for row in rows)
    if rules == scenario.setup.rules:
        return scenario.system.sight(moment, *rows, damage, what_if)
    for row, name in zip(rows, (observer, target), strict=True):
        if not len(places_of(moment.state, row)):
            raise Error(f"{scenario.name}: {_memberless(name)}")
    if rules == TRUE:
        from emlia3d.battle.plain_geometry.geometric_sight import (  # noqa: PLC0415  for this only
            true_answer,
        )

        return true_answer(moment, *rows)
    return answer_of(scenario.systems, rules, facts_of(moment), (observer, target), damage)
