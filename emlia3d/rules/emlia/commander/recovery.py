"""The worth of leadership actions: the fitness that they restore, by exact odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Literal

import numpy as np

from emlia3d.battle.decisions import Order
from emlia3d.battle.formatting import percent
from emlia3d.rules.emlia.columns import LOST, MoraleNote
from emlia3d.rules.emlia.commander.currency import fitness, value_when_fit
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.morale.leading import try_of
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import parts_of, starting_morale
from emlia3d.rules.emlia.tables.morale import HIGHEST, state_of
from emlia3d.rules.emlia.tables.skills import success_chance

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Deed = Literal["improve morale", "reorder", "ignore initiative", "take command"]

FREE = ("reorder", "take-command", "ignore-initiative")
"""Verbs of free leadership actions."""

_TURN = 0.1
"""Worth of a unit's turn, relative to its own worth."""

_LOST = 5
"""Number of turns that a disordered unit loses if no leader reorders it now."""

_LEADERS = 0.25
"""Factor for the worth of a leader as a subject, because it does not fight."""

_LEAST = 0.005
"""Minimum worth of an action, army value."""


@dataclass(frozen=True, slots=True)
class Need:
    """A unit as a subject of leadership actions.

    whole : its worth at the best morale and in order, army value
    morale, disordered : its state after the leadership actions of this step
    start : its starting morale; higher values do not count
    """

    whole: float
    morale: int
    disordered: bool
    start: int

    def gain(self, deed: Deed, dice: int, chance: float) -> float:
        """Return the mean worth of an action, army value.

        chance : of success, for each of the dice
        """
        if not dice or chance <= 0:
            return 0.0
        any_success = 1 - (1 - chance) ** dice
        if deed == "improve morale":
            return self.whole * _improved(
                self.morale, self.start, self.disordered, dice, round(chance * 12)
            )
        ordered = fitness(self.morale) - fitness(self.morale, disordered=True)
        if deed == "ignore initiative":
            held = self.disordered or self.morale <= 0
            return self.whole * any_success * _TURN if held else 0.0
        return self.whole * any_success * (ordered + _LOST * _TURN) if self.disordered else 0.0


@cache
def _improved(morale: int, start: int, disordered: bool, dice: int, twelfths: int) -> float:
    """Return the mean gain in fitness if a unit's morale is improved."""
    if morale >= start:
        return 0.0
    chance = twelfths / 12
    before = fitness(morale, disordered=disordered)
    return sum(
        comb(dice, raised)
        * chance**raised
        * (1 - chance) ** (dice - raised)
        * (fitness(min(morale + raised, start), disordered=disordered) - before)
        for raised in range(1, dice + 1)
    )


def need_of(moment: Moment, unit: int) -> Need:
    """Return the current needs of a unit."""
    units, notes = moment.state.units, moment.state.lists["note"]
    morale, disordered = units.integer("morale", unit), bool(units.value("disordered", unit))
    for row in np.flatnonzero(notes.ints("unit") == unit).tolist() if len(notes) else ():
        match notes.integer("what", row):
            case MoraleNote.IMPROVED:
                morale += int(notes.value("amount", row))
            case MoraleNote.REORDERED:
                disordered = False
    share = _LEADERS if role_of(moment, unit) is Role.GENERAL else 1.0
    start = starting_morale(moment.setup, parts_of(moment, unit))
    return Need(share * value_when_fit(moment, unit), min(morale, HIGHEST), disordered, start)


@dataclass(frozen=True, slots=True)
class WorthyOrder:
    """An order for a leadership action, with its mean worth in army value."""

    order: Order
    worth: float


def best_action(ai: AiContext, offered: Offered, verbs: Iterable[str]) -> WorthyOrder | None:
    """Return the most valuable leadership action; None if none is worth enough."""
    found = max(_weighed(ai, offered, verbs), key=_rank, default=None)
    if found is None or found.worth < _LEAST:
        return None
    return replace(found, order=replace(found.order, why=_reason(ai, found.order)))


def _rank(one: WorthyOrder) -> tuple[float, int]:
    return one.worth, -(one.order.target or 0)


def _weighed(ai: AiContext, offered: Offered, verbs: Iterable[str]) -> Iterator[WorthyOrder]:
    """Yield the actions that can have an effect; the odds of others are not computed."""
    battle = ai.battle
    leaders = battle.state.units.ints("leader")
    for verb in verbs:
        orders = [one for one in offered.get(verb, ()) if one.target is not None]
        if verb == "take-command":
            orders = [one for one in orders if leaders[one.target or 0] == LOST]
        subjects = sorted({one.target for one in orders if one.target is not None})
        needs = {subject: need_of(battle, subject) for subject in subjects}
        subjects = [subject for subject in subjects if needs[subject].gain(_DEEDS[verb], 1, 1.0)]
        if not subjects:
            continue
        orders = [one for one in orders if one.target in subjects]
        sources = sorted({one.unit for one in orders if one.unit is not None})
        sight_cache_of(battle).look(subjects, sources)
        for one in orders:
            yield WorthyOrder(one, worth_of(battle, one))


def worth_of(moment: Moment, order: Order) -> float:
    """Return the mean worth of a leadership action, army value."""
    assert order.target is not None
    deed = _DEEDS[order.verb]
    tried = try_of(moment, order)
    chance = float(success_chance(tried.modifier.total))
    return need_of(moment, order.target).gain(deed, tried.tried.dice, chance)


_DEEDS: dict[str, Deed] = {
    "reorder": "reorder",
    "take-command": "take command",
    "ignore-initiative": "ignore initiative",
    "improve-morale": "improve morale",
    "improve-morale-primary": "improve morale",
}


def _reason(ai: AiContext, order: Order) -> str:
    """Return the reason of a leadership action: its subject, and its odds."""
    assert order.target is not None
    name = ai.name(order.target)
    morale = ai.battle.state.units.integer("morale", order.target)
    bearing = f"{name}, {state_of(morale).name.lower()} at morale {morale}"
    tried = try_of(ai.battle, order)
    odds = f"{tried.tried.dice} dice at {percent(float(success_chance(tried.modifier.total)))}"
    match _DEEDS[order.verb]:
        case "reorder":
            return f"reorders {name}: {odds}"
        case "take command":
            return f"takes command of {name}, which has no leader: {odds}"
        case "ignore initiative":
            return f"makes {bearing} ignore initiative: {odds}"
        case _:
            return f"improves morale of {bearing}: {odds}"
