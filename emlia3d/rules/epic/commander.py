"""A commander: objectives first, Shock before bodies, assaults that it is likely to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.answering import Answering
from emlia3d.rules.epic.actions import action_named
from emlia3d.rules.epic.core import chance, tiles_apart
from emlia3d.rules.epic.formations import (
    capacity_left,
    enemies_of,
    is_broken,
    kind_of,
    shock_of,
    strength,
    units_of,
)
from emlia3d.rules.epic.shooting import expected_fire, guns_at
from emlia3d.rules.epic.transport.boarding import END
from emlia3d.rules.epic.unit_set import game_of
from emlia3d.rules.epic.victory import HOLDS_WITHIN, held

OBJECTIVE = 150.0
"""Points that an objective is worth."""

MOST_TRIED = 3
"""Orders that the commander "search" tries at a decision."""

SHOCK = 8.0
"""Points that a Shock is worth."""

BREAKING = 60.0
"""Points that a break is worth beside the Shock."""

APPROACH = 3.0
"""Points that a formation's way to its goal costs, each tile."""

FIGHTS_WITHIN = 12
"""Tiles from an enemy at which carried units dismount, the longest range of infantry."""

FAR = 99
"""Tiles to an enemy if there is none."""

CLOSE_ENOUGH = 3
"""Tiles from an objective at which a formation stays."""


def standing(moment: Moment, side: int) -> float:
    """Return how well a side stands, in points: objectives, units, and Shock."""
    counts = held(moment)
    found = OBJECTIVE * (counts[side] - counts[1 - side])
    units = units_of(moment)
    for own, sign in ((side, 1), (1 - side, -1)):
        for row in units.with_carried(units.of_side(own)):
            entry = kind_of(moment, row)
            found += sign * entry.points * capacity_left(moment, row) / entry.dc
        for leader in units.formations(own):
            found -= sign * APPROACH * _way_off(moment, leader)
            found -= sign * SHOCK * shock_of(moment, leader)
            found -= sign * BREAKING * is_broken(moment, leader)
    return found


def _way_off(moment: Moment, leader: int) -> int:
    """Return how many tiles a formation is from holding its goal."""
    own = units_of(moment).tile[units_of(moment).of_formation(leader)]
    return max(int(tiles_apart(own, goal_of(moment, leader)).min()) - HOLDS_WITHIN, 0)


def expected_hits(moment: Moment, leader: int, target: int, modifier: int) -> float:
    """Return the points that a formation's fire at another is expected to be worth."""
    fire = expected_fire(moment, leader, target, modifier)
    if not fire.eligible:
        return 0.0
    hits = sum(gun.weapon.shots * float(chance(need)) for gun, need in fire.guns)
    entries = [kind_of(moment, row) for row in fire.eligible]
    lost = sum(float(1 - chance(entry.save)) for entry in entries) / len(entries)
    points = sum(entry.points / entry.dc for entry in entries) / len(entries)
    fallen = hits * lost
    shock = shock_of(moment, target) + 1 + fallen
    left = strength(moment, units_of(moment).of_formation(target)) - fallen
    breaks = BREAKING if shock >= left and not is_broken(moment, target) else 0.0
    return fallen * (points + SHOCK) + SHOCK + breaks


def best_target(moment: Moment, leader: int, modifier: int) -> tuple[float, int | None]:
    """Return the worth of the best fire of a formation, and its target; 0 and None without one."""
    side = int(units_of(moment).side[leader])
    foes = units_of(moment).formations(1 - side)
    worth = [(expected_hits(moment, leader, foe, modifier), -foe) for foe in foes]
    found, foe = max(worth, default=(0.0, 0))
    return (found, -foe) if found else (0.0, None)


def assault_edge(moment: Moment, leader: int, target: int) -> float:
    """Return by how much a formation is expected to win an assault, in units."""
    units = units_of(moment)
    own, foes = units.of_formation(leader), units.of_formation(target)

    def force(rows: Sequence[int], others: Sequence[int], *, charges: bool) -> float:
        saves = sum(float(1 - chance(kind_of(moment, row).save)) for row in others) / len(others)
        values = [kind_of(moment, row) for row in rows]
        best = [max(e.cc, e.ff) if charges else (e.cc + e.ff) / 2 for e in values]
        return sum(best) / 6 * saves

    won, lost = force(own, foes, charges=True), force(foes, own, charges=False)
    left = strength(moment, own) - lost, strength(moment, foes) - won
    shock = shock_of(moment, leader), shock_of(moment, target)
    bonus = (left[0] > left[1]) - (left[0] < left[1]) + (not shock[0]) - (not shock[1])
    return won - lost + bonus + (1 if is_broken(moment, target) else 0)


def goal_of(moment: Moment, leader: int) -> tuple[int, int]:
    """Return the tile for which a formation makes: an objective, or the nearest enemy.

    Objectives are shared out, so that each is the goal of the formations near it.
    """
    units = units_of(moment)
    side = int(units.side[leader])
    own = units.of_formation(leader)
    objectives = game_of(moment.setup).objectives
    here = units.tile[own].mean(axis=0).round().astype(np.int64)
    if not objectives:
        foes = enemies_of(moment, side)
        near = min(foes, key=lambda row: (int(tiles_apart(units.tile[row], here)), row))
        q, r = units.tile[near].tolist()
        return q, r
    formations = units.formations(side)
    taken: list[int] = []
    for number, each in enumerate(formations):
        middle = units.tile[units.of_formation(each)].mean(axis=0).round().astype(np.int64)
        gaps = tiles_apart(np.array(objectives), middle).tolist()
        crowd = [taken.count(at) * 6 for at in range(len(objectives))]
        best = min(range(len(objectives)), key=lambda at: (gaps[at] + crowd[at], at))
        taken.append(best)
        if each == leader:
            return objectives[taken[number]]
    return objectives[0]


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial: which formation acts, and how."""
    if decision.asks == "epic.action.select":
        return sorted(
            decision.options, key=lambda order: _urgency(picture.battle, order), reverse=True
        )[:MOST_TRIED]
    if decision.asks == "epic.action.declare":
        return [order for _, order in _ranked(picture.battle, decision)[:MOST_TRIED]]
    return []


def _urgency(moment: Moment, order: Order) -> tuple[float, int]:
    """Return how much the formation of an order should act now."""
    assert order.unit is not None
    worth, _ = best_target(moment, order.unit, 0)
    return worth - 2 * SHOCK * bool(shock_of(moment, order.unit)), -order.unit


def _action(moment: Moment, decision: Decision) -> Order:
    return _ranked(moment, decision)[0][1]


def _ranked(moment: Moment, decision: Decision) -> list[tuple[float, Order]]:
    """Return the actions with their worth, the best first."""
    leader = decision.unit
    assert leader is not None
    units = units_of(moment)
    own = units.of_formation(leader)
    goal = goal_of(moment, leader)
    gap = int(tiles_apart(units.tile[own], goal).min())
    speed = _speed(moment, own)
    found: list[tuple[float, Order]] = []
    still, target = best_target(moment, leader, 1)
    foes = enemies_of(moment, int(units.side[leader]))
    near = int(units.gaps(own, foes).min()) if foes else FAR
    for order in decision.options:
        row = action_named(order.verb)
        worth, why = 0.0, ""
        steps = min(gap, speed * row.moves) if gap > CLOSE_ENOUGH else 0
        if order.verb == "engage":
            assert order.target is not None
            edge = assault_edge(moment, leader, order.target)
            worth, why = 40.0 * edge, f"an edge of {edge:.1f} in the assault"
        elif order.verb == "overwatch":
            covers = near <= 20 and gap <= CLOSE_ENOUGH and bool(_guns(moment, leader))
            worth, why = (25.0 if covers else -5.0), "the enemy has to come"
        elif order.verb == "marshal":
            shock = shock_of(moment, leader)
            worth = SHOCK * min(shock, 4) + (4.0 * steps if target is None else still * 0.5)
            why = "Shock has to go"
        else:
            fire = 0.0
            if row.to_hit is not None:
                in_reach = best_target(moment, leader, row.to_hit)[0]
                fire = in_reach or (12.0 if near <= speed * row.moves + 8 else 0.0)
            worth = fire + 4.0 * steps
            why = f"{steps} tiles towards {goal[0]},{goal[1]}" if steps else "fire"
            if order.verb == "march" and near <= 3 * speed:
                worth -= 30.0
        found.append((worth, replace(order, why=why)))
    return sorted(found, key=lambda each: -each[0])


def _speed(moment: Moment, rows: Sequence[int]) -> int:
    """Return the speed of a formation, whose infantry rides if there is room for all of it."""
    units, entries = units_of(moment), [kind_of(moment, row) for row in rows]
    room = sum(kind_of(moment, row).carry - len(units.carried_by(row)) for row in rows)
    others = [entry for entry in entries if entry.unit_type != "INF"]
    rides = others and len(entries) - len(others) <= room
    return min(entry.speed for entry in (others if rides else entries))


def _transport(moment: Moment, decision: Decision) -> Order:
    """Mount for a long way without enemies near it; dismount to hold the goal or to fight."""
    leader = decision.unit
    assert leader is not None
    units = units_of(moment)
    own, foes = units.of_formation(leader), enemies_of(moment, int(units.side[leader]))
    gap = int(tiles_apart(units.tile[own], goal_of(moment, leader)).min())
    near = int(units.gaps(own, foes).min()) if foes else FAR
    on_foot = min(kind_of(moment, row).speed for row in own)
    if decision.of(END):
        if near <= FIGHTS_WITHIN:
            return _first(decision, "dismount all", "an enemy is near")
        if gap <= HOLDS_WITHIN:
            return _first(decision, "dismount all", "infantry holds the goal")
    elif gap - CLOSE_ENOUGH > on_foot and near > FIGHTS_WITHIN:
        return _first(decision, "mount all", "the goal is far")
    return decision.options[0]


def _first(decision: Decision, verb: str, why: str) -> Order:
    """Return the first order of a verb with its reason; without one, the first option."""
    return next((replace(o, why=why) for o in decision.of(verb)), decision.options[0])


def _guns(moment: Moment, leader: int) -> bool:
    return any(kind_of(moment, row).guns for row in units_of(moment).of_formation(leader))


def _hold(moment: Moment, decision: Decision) -> Order:
    assert decision.unit is not None
    by_verb = {order.verb: order for order in decision.options}
    shoots = by_verb.get("choose shoot")
    if shoots is not None:
        return replace(shoots, why="a target is in range")
    regroups = by_verb.get("choose regroup")
    if regroups is not None and shock_of(moment, decision.unit) > 1:
        return replace(regroups, why="Shock has to go")
    return decision.options[0]


def _move(moment: Moment, decision: Decision) -> Order:
    """Return a move to the goal; in a charge, to the nearest enemy."""
    unit, reach = decision.unit, decision.validator
    assert unit is not None
    assert reach is not None
    units = units_of(moment)
    leader = int(units.leader[unit])
    board = units.board
    if decision.asks == "epic.move.speed":
        goal = goal_of(moment, leader)
        own = units.of_formation(leader)
        if int(tiles_apart(units.tile[own], goal).min()) <= 1 and decision.of("all stay"):
            return decision.of("all stay")[0]
        x, y = board.grid.centres(goal).tolist()
        all_go = Order(verb="move all", unit=unit, point=(x, y), why="to the goal")
        if reach.refusal(all_go) is None:
            return all_go
    else:
        foes = enemies_of(moment, int(units.side[unit]))
        near = min(foes, key=lambda row: (int(units.gaps([unit], [row])[0, 0]), row))
        goal = (int(units.tile[near][0]), int(units.tile[near][1]))
    target = np.array(goal)
    return min(decision.options, key=lambda order: _gap_after(moment, order, target))


def _gap_after(moment: Moment, order: Order, goal: object) -> int:
    units = units_of(moment)
    assert order.unit is not None
    if order.point is None:
        return int(tiles_apart(units.tile[order.unit], goal))
    return int(tiles_apart(units.board.grid.tiles_at(order.point), goal))


def _infantry_is_worth_more(moment: Moment, decision: Decision) -> bool:
    """Return whether more of the enemies that are seen are infantry."""
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
    return max(decision.options, key=lambda order: _urgency(moment, order))


def _target(moment: Moment, decision: Decision) -> Order:
    assert decision.unit is not None
    _, foe = best_target(moment, decision.unit, 0)
    return next((o for o in decision.options if o.target == foe), decision.options[0])


def _values(moment: Moment, decision: Decision) -> Order:
    return decision.options[0 if _infantry_is_worth_more(moment, decision) else -1]


def _marshal(moment: Moment, decision: Decision) -> Order:
    return decision.options[-1]


DOCTRINE = Answering(
    {
        "epic.action.select": _select,
        "epic.action.declare": _action,
        "epic.action.fail": _hold,
        "epic.act.marshal": _marshal,
        "epic.transport.basic": _transport,
        "epic.move.speed": _move,
        "epic.assault.charge": _move,
        "epic.assault.countercharge": _move,
        "epic.shoot.one-target": _target,
        "epic.shoot.choose-value": _values,
    }
)
"""The commander: a function for each question; other questions get their first answer."""
