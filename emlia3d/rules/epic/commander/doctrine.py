"""The AI `doctrine`: objectives first, then Shock, and assaults that it will probably win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.answering import Answering
from emlia3d.rules.epic.actions import action_named
from emlia3d.rules.epic.commander.deploying import deploy
from emlia3d.rules.epic.commander.places import goal_of, worth_of_ends
from emlia3d.rules.epic.commander.weighing import (
    SHOCK,
    best_fire,
    fires_of,
    threats_to,
    worth_of_assault,
)
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.formations import enemies_of, kind_of, rows_by_distance, shock_of, units_of
from emlia3d.rules.epic.movement import CHARGE_REACH, MoveEnds, reach_of_unit
from emlia3d.rules.epic.shooting import guns_at
from emlia3d.rules.epic.transport.boarding import END
from emlia3d.rules.epic.victory import HOLDS_WITHIN

IN_REACH = 12.0
"""Points of fire at an enemy that the move brings into range."""

COVERS_WITHIN = 20
"""Maximum distance of an enemy for overwatch, tiles."""

WAITING = 25.0
"""Points of overwatch where the enemy must come."""

MARCHES_NEAR = 30.0
"""Cost of a march that ends near enemies, points."""

MOST_SHOCK = 4
"""Maximum expected Shock that a formation loses when it regroups."""

FIGHTS_WITHIN = 12
"""Distance from an enemy at which carried units dismount, tiles: the range of infantry."""

HAND_TO_HAND, BESIDE_THE_PASSENGERS, FIREFIGHT = 1, 2, 3
"""Distances from the enemy at the end of a charge, tiles: for close combat, with infantry aboard
for close combat, and for a firefight."""

FAR = 99
"""Distance to an enemy if there is none, tiles."""

CLOSE_ENOUGH = 3
"""Distance from an objective at which a formation needs no carriers, tiles."""


def urgency(moment: Moment, order: Order) -> tuple[float, int]:
    """Return the urgency of the formation in an order."""
    assert order.unit is not None
    worth = best_fire(fires_of(moment, order.unit), 0)
    units = units_of(moment)
    rows = units.of_formation(order.unit)
    reach = max(kind_of(moment, row).speed for row in rows) + CHARGE_REACH
    for foe in units.formations(1 - int(units.side[order.unit])):
        if units.gaps(rows, units.of_formation(foe)).min() <= reach:
            worth = max(worth, worth_of_assault(moment, order.unit, foe)[0])
    return worth - 2 * SHOCK * bool(shock_of(moment, order.unit)), -order.unit


def _action(moment: Moment, decision: Decision) -> Order:
    return ranked_actions(moment, decision)[0][1]


def ranked_actions(moment: Moment, decision: Decision) -> list[tuple[float, Order]]:
    """Return the actions with their worth, the best first."""
    leader = decision.unit
    assert leader is not None
    units = units_of(moment)
    own, near = units.of_formation(leader), _enemy_near(moment, leader)
    goal, speed = goal_of(moment, leader), _speed(moment, own)
    places, fires = _Places(moment, leader, speed), fires_of(moment, leader)
    found: list[tuple[float, Order]] = []
    for order in decision.options:
        row = action_named(order.verb)
        shot = 0.0 if row.to_hit is None else best_fire(fires, row.to_hit)
        gain = places.gain(row.moves)
        if order.verb == "engage":
            assert order.target is not None
            worth, won = worth_of_assault(moment, leader, order.target)
            why = f"a chance of {won:.0%} to win the assault"
        elif order.verb == "overwatch":
            worth = WAITING if near <= COVERS_WITHIN and _guns(moment, leader) else 0.0
            why = "the enemy must come"
        elif order.verb == "marshal":
            worth = SHOCK * min(shock_of(moment, leader), MOST_SHOCK) + max(gain, shot)
            why = "to reduce Shock"
        elif row.still:
            worth, why = shot, "fire"
        else:
            if row.to_hit is not None and not shot and near <= speed * row.moves + 8:
                shot = IN_REACH
            worth = shot + gain
            why = f"towards {goal[0]},{goal[1]}" if gain > 0 else "fire"
            if order.verb == "march" and near <= speed * row.moves:
                worth -= MARCHES_NEAR
        found.append((worth, replace(order, why=why)))
    return sorted(found, key=lambda each: -each[0])


class _Places:
    """Points of the positions that a formation can reach as a whole."""

    def __init__(self, moment: Moment, leader: int, speed: int) -> None:
        units = units_of(moment)
        foes = enemies_of(moment, int(units.side[leader]))
        first = rows_by_distance(moment, units.of_formation(leader), foes)[0]
        most = max(action_named(name).moves for name in ("advance", "double", "march"))
        reach = reach_of_unit(moment, first, speed * most, zone=True)
        reached = np.flatnonzero(reach.is_reached)
        self._speed, self._costs = speed, reach.costs[reached]
        ends = units.board.tiles[reached]
        worth = worth_of_ends(moment, first, ends, threats_to(moment, leader))
        self._gains = worth - worth[self._costs == 0].max()

    def gain(self, moves: int) -> float:
        """Return the gain in points of the best position after some moves."""
        # Dangerous tiles cost slightly more than 1.
        return float(self._gains[self._costs < self._speed * moves + 0.5].max())


def _speed(moment: Moment, rows: Sequence[int]) -> int:
    """Return the speed of a formation, mounted if there is room for all its infantry."""
    units, entries = units_of(moment), [kind_of(moment, row) for row in rows]
    room = sum(kind_of(moment, row).carry - len(units.carried_by(row)) for row in rows)
    others = [entry for entry in entries if entry.unit_type != "INF"]
    rides = others and len(entries) - len(others) <= room
    return min(entry.speed for entry in (others if rides else entries))


def _transport(moment: Moment, decision: Decision) -> Order:
    """Mount for a long way without enemies nearby; dismount to hold the goal or to fight."""
    leader = decision.unit
    assert leader is not None
    units = units_of(moment)
    own, near = units.of_formation(leader), _enemy_near(moment, leader)
    gap = int(tiles_apart(units.tile[own], goal_of(moment, leader)).min())
    on_foot = min(kind_of(moment, row).speed for row in own)
    if decision.of(END):
        if near <= FIGHTS_WITHIN:
            return _first(decision, "dismount all", "an enemy is near")
        if gap <= HOLDS_WITHIN:
            return _first(decision, "dismount all", "infantry holds the goal")
    elif gap - CLOSE_ENOUGH > on_foot and near > FIGHTS_WITHIN:
        return _first(decision, "mount all", "the goal is far")
    return decision.options[0]


def _enemy_near(moment: Moment, leader: int) -> int:
    """Return the distance of a formation to the nearest enemy, tiles; `FAR` without one."""
    units = units_of(moment)
    foes = enemies_of(moment, int(units.side[leader]))
    return int(units.gaps(units.of_formation(leader), foes).min()) if foes else FAR


def _first(decision: Decision, verb: str, why: str) -> Order:
    """Return the first order of a verb with its reason; without one, the first option."""
    return next((replace(o, why=why) for o in decision.of(verb)), decision.options[0])


def _guns(moment: Moment, leader: int) -> bool:
    return any(kind_of(moment, row).guns for row in units_of(moment).of_formation(leader))


def _one_of(moment: Moment, decision: Decision) -> Order:
    """Return the best of a move, a shot and regrouping."""
    leader = decision.unit
    assert leader is not None
    modifier = action_named("hold" if decision.asks == "epic.action.fail" else "marshal").to_hit
    assert modifier is not None
    speed = _speed(moment, units_of(moment).of_formation(leader))
    worth = {
        "choose shoot": (best_fire(fires_of(moment, leader), modifier), "a target is in range"),
        "choose move": (_Places(moment, leader, speed).gain(1), "to a better position"),
        "choose regroup": (SHOCK * (shock_of(moment, leader) - 1), "to reduce Shock"),
    }
    best = max(decision.options, key=lambda order: worth[order.verb][0])
    return replace(best, why=worth[best.verb][1])


def _move(moment: Moment, decision: Decision) -> Order:
    """Return the move of all units to the best position in reach."""
    unit, reach = decision.unit, decision.validator
    assert unit is not None
    assert isinstance(reach, MoveEnds)
    units = units_of(moment)
    leader = int(units.leader[unit])
    ends = units.board.tiles[reach.allowed]
    worth = worth_of_ends(moment, unit, ends, threats_to(moment, leader))
    here = reach.allowed == reach.here
    best = int(reach.allowed[np.lexsort((reach.allowed, ~here, -worth))[0]])
    q, r = units.board.tiles[best].tolist()
    if best == reach.here:
        return _first(decision, "all stay" if reach.rest else "stay", "the best position in reach")
    order = reach.to(best, "move all" if reach.rest else "move")
    return replace(order, why=f"to {q},{r}, the best position in reach")


def _charge(moment: Moment, decision: Decision) -> Order:
    """Return the move of a unit that ends nearest to its best distance for fighting."""
    unit, reach = decision.unit, decision.validator
    assert unit is not None
    if not isinstance(reach, MoveEnds):
        return decision.options[-1]
    units, entry = units_of(moment), kind_of(moment, unit)
    wanted = HAND_TO_HAND if entry.cc > entry.ff else FIREFIGHT
    if units.carried_by(unit):
        wanted = BESIDE_THE_PASSENGERS
    gaps = units.tile_gaps(reach.allowed, enemies_of(moment, int(units.side[unit])))
    best = int(reach.allowed[np.lexsort((reach.allowed, abs(gaps - wanted)))[0]])
    return _first(decision, "stay", "fights from here") if best == reach.here else reach.to(best)


def _infantry_is_worth_more(moment: Moment, decision: Decision) -> bool:
    """Return whether most visible enemies are infantry."""
    assert decision.unit is not None
    side = int(units_of(moment).side[decision.unit])
    types = [
        kind_of(moment, row).unit_type
        for foe in units_of(moment).formations(1 - side)
        if guns_at(moment, decision.unit, foe)
        for row in units_of(moment).of_formation(foe)
    ]
    return types.count("INF") >= len(types) / 2


def _select(moment: Moment, decision: Decision) -> Order:
    return max(decision.options, key=lambda order: urgency(moment, order))


def _target(moment: Moment, decision: Decision) -> Order:
    assert decision.unit is not None
    best = max(fires_of(moment, decision.unit), key=lambda fire: fire.worth(0))
    return next((o for o in decision.options if o.target == best.target), decision.options[0])


def _values(moment: Moment, decision: Decision) -> Order:
    return decision.options[0 if _infantry_is_worth_more(moment, decision) else -1]


DOCTRINE = Answering(
    {
        "epic.board.sample": deploy,
        "epic.action.select": _select,
        "epic.action.declare": _action,
        "epic.action.fail": _one_of,
        "epic.act.marshal": _one_of,
        "epic.transport.basic": _transport,
        "epic.move.speed": _move,
        "epic.assault.charge": _charge,
        "epic.assault.countercharge": _charge,
        "epic.shoot.one-target": _target,
        "epic.shoot.choose-value": _values,
    }
)
"""The AI: a function for each question; other questions get their first option."""
