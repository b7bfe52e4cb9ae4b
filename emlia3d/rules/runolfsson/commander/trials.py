"""The commander "search": orders that are worth a trial, and the worth of moments."""

from __future__ import annotations

from math import hypot

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.commander.rehearse import Until, to_end_of_turn
from emlia3d.rulekit.commander.search import MOST_ORDERS, Search
from emlia3d.rules.runolfsson.attack import may_attack, standing_shots, worth
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.commander.destinations import (
    STEADY,
    drawn_by,
    goals_of,
    out_of_command,
    places_of,
)
from emlia3d.rules.runolfsson.commander.doctrine import DOCTRINE, targets_of
from emlia3d.rules.runolfsson.commander.expected_losses import enough_hits, removed
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.victory import cost


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial."""
    match decision.asks:
        case "runolfsson.move.free-path" | "runolfsson.run.contactor-continues":
            return places_of(picture.battle, decision)[:MOST_ORDERS]
        case "runolfsson.attack.alternate":
            return targets_of(picture.battle, decision)[:4]
        case "runolfsson.op.trigger":
            return list(decision.options[:2])
        case "runolfsson.run.when":
            return list(decision.options)
    return []


def onward(battle: Battle, decision: Decision, number: int) -> Order:
    """Return the answer in a trial: no other model moves; otherwise that of the doctrine."""
    if decision.asks == "runolfsson.move.who":
        return decision.of("no more")[0]
    return DOCTRINE.decide(decision, OpenPicture(battle, decision.side), battle.dice)


def near_end(battle: Battle) -> Until:
    """Return a function that ends a trial after one model's move, or at the end of the turn.

    After a move, `standing` includes expected fire, whose dice would vary.
    """
    if battle.state.battle.integer("phase", 0) in {Phase.FIRST_MOVE, Phase.SECOND_MOVE}:
        last = battle.state.stretch
        return lambda scene: scene.state.stretch > last
    return to_end_of_turn(battle)


def fire_to_come(moment: Moment, side: int) -> float:
    """Return the mean points that a side's remaining attacks in this turn remove."""
    hits = np.zeros((len(moment.setup.units),) * 2)
    for shot in standing_shots(moment, side):
        if may_attack(moment, shot.attacker):
            moved = moment.state.units.value("moved", shot.attacker)
            hits[shot.attacker, shot.target] = worth(moment, shot) * (1.0 if moved else STEADY)
    total, every = 0.0, np.arange(len(hits))
    while True:
        gains = removed(moment, every, hits.sum(axis=0))
        target = int(gains.argmax())
        if not gains[target]:
            return total
        total += float(gains[target])
        need = enough_hits(moment, target)
        for attacker in np.argsort(-hits[:, target], kind="stable").tolist():
            if need <= 0:
                break
            need -= hits[attacker, target]
            hits[attacker] = 0.0
        hits[:, target] = 0.0


def standing(moment: Moment, side: int) -> float:
    """Return the value of a moment for a side, in points.

    It includes points left, hits, markers, distances to goals, command, and expected fire.
    """
    units, models = moment.state.units, models_of(moment)
    total = fire_to_come(moment, side) - fire_to_come(moment, 1 - side)
    for row in np.flatnonzero(models.there).tolist():
        entry, marker = entry_of(moment.setup, row), units.integer("marker", row)
        value = cost(entry) * (0.4 + 0.6 * units.integer("hits_left", row) / entry.hits)
        value *= (1.0, 0.7, 0.4)[marker]
        goals, reach = goals_of(moment, row)
        x, y = models.spot(row)
        off = min((hypot(x - u, y - v) for u, v in goals), default=0.0)
        value += drawn_by(moment, off - reach) - out_of_command(moment, row, (x, y))
        total += value if models.side[row] == side else -value
    result = moment.system.result(moment)
    if result is not None and result.winner is not None:
        total += 1000.0 if moment.setup.sides[side].name == result.winner else -1000.0
    return total


TRIES = 4
"""Number of trials of each order for the commander "search"."""

SEARCH = Search(DOCTRINE, proposals, tries=TRIES, until=near_end, answer=onward)
"""The commander "search"."""
