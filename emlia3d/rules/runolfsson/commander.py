"""The doctrine: orders that are sensible by expected losses, for each question of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, inf

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.rulekit.answering import Answering
from emlia3d.rules.runolfsson.attack import (
    PossibleShot,
    dice_left,
    modifier,
    open_shots,
    shots_of,
    standing_shots,
    worth,
)
from emlia3d.rules.runolfsson.base_paths import Spot, centre
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import entry_of, models_of, touching
from emlia3d.rules.runolfsson.core import chance, whole
from emlia3d.rules.runolfsson.fire_line import ends_at, ends_of, judge
from emlia3d.rules.runolfsson.terrain import terrain_of
from emlia3d.rules.runolfsson.victory import condition_of, cost, markers

SAVES = 0.6
"""Proportion of saving dice that succeed."""

FEAR = 1.2
"""Weight of a model's own losses at a place, against the losses that it causes."""

PULL = 0.12
"""Points that an inch on the way to a goal is worth, with the whole battle before the model."""

HOLD = 4.0
"""Points that a model on a marker is worth as the last turn ends; less before."""

STEADY = 1.2
"""Weight of fire by a model that stays, because its effects come before others fire."""


def removed(moment: Moment, target: int, hits: float) -> float:
    """Return the points that hits remove from a model on average, roughly."""
    units = moment.state.units
    left, save = units.integer("hits_left", target), units.integer("save", target)
    through = hits * hits / (hits + SAVES * save) if hits else 0.0
    return min(through / max(left, 1), 1.0) * price(moment, target)


def price(moment: Moment, row: int) -> float:
    """Return what a model is worth to its side: its points, or an equal part where models count."""
    setup, models = moment.setup, models_of(moment)
    own = float(cost(entry_of(setup, row)))
    if condition_of(setup) != "sudden death":
        return own
    army = np.flatnonzero(models.side == models.side[row]).tolist()
    return own / 2 + sum(cost(entry_of(setup, each)) for each in army) / (2 * len(army))


# Movement


def _mover(moment: Moment, decision: Decision) -> Order:
    """Move leaders before their followers, and the model nearest to an enemy first."""
    models, leaders = models_of(moment), moment.state.units.ints("leader")

    def rank(order: Order) -> tuple[bool, float, int]:
        assert order.unit is not None
        gaps, foes = models.gaps(order.unit), models.foes(order.unit)
        near = min((float(gaps[foe]) for foe in foes), default=inf)
        return bool(leaders[order.unit] != order.unit), near, order.unit

    return min(decision.of("choose"), key=rank)


def _place(moment: Moment, decision: Decision) -> Order:
    """Go to the best place."""
    return _places(moment, decision)[0]


def _places(moment: Moment, decision: Decision) -> list[Order]:
    """Return the moves, the best first: much fire, little harm, in command, nearer to a goal."""
    unit = decision.unit
    assert unit is not None
    spots = [_end(moment, unit, order) for order in decision.options]
    gains = gains_at(moment, unit, spots)
    goals, reach = goals_of(moment, unit)
    ranked = []
    for order, spot, gain in zip(decision.options, spots, gains.tolist(), strict=True):
        off = min((hypot(spot[0] - x, spot[1] - y) for x, y in goals), default=0.0)
        score = gain + drawn_by(moment, off - reach) - out_of_command(moment, unit, spot)
        # Rounded, so that no last bit of a root decides between equals.
        score = round(score + (0.05 if order.verb == "stay" else 0.0), 6)
        ranked.append((score, replace(order, why=f"comes to {score:.1f} points")))
    return [order for _, order in sorted(ranked, key=lambda each: -each[0])]


def _end(moment: Moment, unit: int, order: Order) -> Spot:
    if order.point is not None:
        return order.point
    return centre(moment, unit, order.legs[-1]) if order.legs else models_of(moment).spot(unit)


def goals_of(moment: Moment, unit: int) -> tuple[list[Spot], float]:
    """Return the places that draw a model, and how near to them it may be content.

    They are markers that its side does not hold without it, if markers win the battle;
    otherwise enemies.
    """
    models = models_of(moment)
    if condition_of(moment.setup) == "objectives":
        others = [row for row in models.of_side(int(models.side[unit])) if row != unit]
        foes = models.foes(unit)
        open_to = [
            (x, y)
            for x, y in markers(moment)
            if _on_marker(moment, others, (x, y)) <= _on_marker(moment, foes, (x, y))
        ]
        if open_to:
            return open_to, 0.4
    reach = entry_of(moment.setup, unit).range
    return [models.spot(foe) for foe in models.foes(unit)], reach * 0.55


def _on_marker(moment: Moment, rows: Sequence[int], marker: Spot) -> int:
    off = np.hypot(*(models_of(moment).spots[list(rows)] - marker).T)
    return int(np.count_nonzero(off < 1.0))


def drawn_by(moment: Moment, off: float) -> float:
    """Return the points of a place that is so far off a goal, inches; it counts more each turn."""
    if condition_of(moment.setup) != "objectives":
        return -PULL * max(off, 0.0)
    urgency = 1.0 / (max(moment.setup.turns - moment.state.turn, 0) + 1)
    return (HOLD if off <= 0 else 0.0) * urgency - PULL * (1 + 7 * urgency) * max(off, 0.0)


def out_of_command(moment: Moment, unit: int, spot: Spot) -> float:
    """Return the points that it costs a unit if a model stands at a place."""
    units, models, setup = moment.state.units, models_of(moment), moment.setup
    leader = units.integer("leader", unit)
    gaps, reach = models.gaps(unit, spot), entry_of(setup, unit).command_radius
    if leader < 0 or not models.there[leader]:
        return 0.0
    if leader != unit:
        return 3.0 if gaps[leader] > reach else 0.0
    led = [
        row for row in models.of_side(int(models.side[unit])) if units.value("leader", row) == unit
    ]
    slack = [entry_of(setup, row).move for row in led]
    return sum(1.0 for row, move in zip(led, slack, strict=True) if gaps[row] > reach + move * 0.8)


def gains_at(moment: Moment, unit: int, spots: Sequence[Spot]) -> Floats:
    """Return (spots,) the points that a model may remove at each place, less its own losses.

    The first place is its own: there it may fire before models that move.
    """
    models = models_of(moment)
    foes = np.array(models.foes(unit), dtype=np.int64)
    if not len(foes):
        return np.zeros(len(spots))
    count = len(spots)
    radius = np.full(count, models.radius[unit])
    there, ends = (
        ends_at(terrain_of(moment), [unit] * count, np.array(spots), radius),
        ends_of(moment),
    )
    at, who = np.repeat(np.arange(count), len(foes)), np.tile(foes, count)
    gains = np.zeros(count)
    rows = np.full(len(at), unit)
    causes = _hits(
        moment, shots_of(moment, judge(moment, there, at, ends, who), rows, np.arange(len(at)))
    )
    for line, hits in causes:
        weight = STEADY if at[line] == 0 else 1.0
        gains[at[line]] = max(gains[at[line]], weight * removed(moment, int(who[line]), hits))
    suffered = np.zeros(count)
    threats = judge(moment, ends, who, there, at)
    for line, hits in _hits(moment, shots_of(moment, threats, who, np.arange(len(at)))):
        suffered[at[line]] += hits
    # Enemies have other targets, too.
    share = 3.0 / max(len(models.of_side(int(models.side[unit]))), 3)
    losses = [removed(moment, unit, hits * share) for hits in suffered.tolist()]
    return np.asarray(gains - FEAR * np.array(losses))


def _hits(moment: Moment, shots: Sequence[PossibleShot]) -> list[tuple[int, float]]:
    """Return the number of each line that gives a shot, and the hits that it gives on average."""
    units, found = moment.state.units, []
    for shot in shots:
        dice = whole(float(units.value("attack", shot.attacker)) * shot.multiplier)
        aimed = replace(shot, target=-1)
        found.append((shot.target, dice * float(chance(modifier(moment, aimed)))))
    return found


# Attacks


def _target(moment: Moment, decision: Decision) -> Order:
    """Pick the best target."""
    return _targets(moment, decision)[0]


def _targets(moment: Moment, decision: Decision) -> list[Order]:
    """Return the orders that pick targets, the one first of which attacks remove most."""
    found = open_shots(moment, decision.side)

    def points(order: Order) -> float:
        target = order.target or 0
        hits = sum(worth(moment, shot) for shot in found.get(target, ()))
        return round(removed(moment, target, hits) + removed(moment, target, hits / 2), 6)

    ranked = sorted(decision.of("attack"), key=lambda order: -points(order))
    why = "may remove {:.1f} points"
    picks = [replace(order, why=why.format(points(order) / 2)) for order in ranked[:4]]
    return [*picks, *decision.of("pass")]


def _attackers(moment: Moment, decision: Decision) -> Order:
    """Let as few models attack as should do; the others have other targets."""
    target = decision.options[0].target
    if target is None:
        return decision.options[0]
    shots = {
        shot.attacker: worth(moment, shot) for shot in open_shots(moment, decision.side)[target]
    }
    units = moment.state.units
    need = units.integer("hits_left", target) + SAVES * units.integer("save", target) + 0.7
    for order in reversed(decision.options):
        if sum(shots[row] for row in order.actors) >= need:
            return order
    return decision.options[0]


def _opportunity(moment: Moment, decision: Decision) -> Order:
    """Fire if a shot that waits for an attack phase would be worth little more."""
    assert decision.unit is not None
    side = moment.state.units.integer("side", decision.unit)
    later = [worth(moment, s) for s in standing_shots(moment, side) if s.attacker == decision.unit]
    dice = whole(dice_left(moment, decision.unit))
    return decision.options[0] if max(later, default=0.0) > 0.5 * dice else decision.options[1]


def _run(moment: Moment, decision: Decision) -> Order:
    """Stand, but for a machine that is outnumbered: running costs others their nerve."""
    unit = decision.unit
    assert unit is not None
    machine = entry_of(moment.setup, unit).has("machine")
    return decision.options[1 if machine and len(touching(moment, unit)) > 1 else 0]


# Command


def _leader(moment: Moment, decision: Decision) -> Order:
    """Name the unmarked model nearest to the others, unless the leader may rally."""
    units, models = moment.state.units, models_of(moment)
    assert decision.unit is not None
    if models.there[decision.unit] and units.integer("marker", decision.unit) != Marker.ROUTED:
        return decision.of("keep leader")[0]

    def rank(order: Order) -> tuple[bool, float]:
        assert order.target is not None
        gaps = models.gaps(order.target)
        others = [other.target for other in decision.of("name leader") if other.target is not None]
        return bool(units.value("marker", order.target)), float(gaps[others].sum())

    return min(decision.of("name leader"), key=rank)


def _free(moment: Moment, decision: Decision) -> Order:
    """Pick the model with most attack dice."""
    return max(
        decision.options, key=lambda order: moment.state.units.value("attack", order.unit or 0)
    )


def _marker(moment: Moment, decision: Decision) -> Order:
    """Place a marker where own models are nearer to it than enemies."""
    models = models_of(moment)

    def rank(order: Order) -> float:
        off = np.hypot(*(models.spots - np.array(order.point)).T)
        own = models.side == decision.side
        return float(off[own].mean() - off[~own].mean())

    return min(decision.options, key=rank)


def _second(_: Moment, decision: Decision) -> Order:
    """Move second, to see where the enemy goes."""
    return decision.options[-1 if decision.options[0].verb == "go first" else 0]


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial."""
    match decision.asks:
        case "runolfsson.move.free-path":
            return _places(picture.battle, decision)[:4]
        case "runolfsson.attack.alternate":
            return _targets(picture.battle, decision)[:4]
        case "runolfsson.op.trigger":
            return list(decision.options[:2])
        case "runolfsson.init.must-move-first" | "runolfsson.super.fail" | "runolfsson.run.when":
            return list(decision.options)
    return []


def onward(battle: Battle, decision: Decision, number: int) -> Order:
    """Return the answer in a trial: no other model moves; all else as the doctrine has it."""
    if decision.asks == "runolfsson.move.who":
        return decision.of("no more")[0]
    return DOCTRINE.decide(decision, OpenPicture(battle, decision.side), battle.dice)


def standing(moment: Moment, side: int) -> float:
    """Return how well a side stands: points left, by hits and markers, and objectives held."""
    units, total = moment.state.units, 0.0
    models = models_of(moment)
    for row in np.flatnonzero(models.there).tolist():
        entry, marker = entry_of(moment.setup, row), units.integer("marker", row)
        value = cost(entry) * (0.4 + 0.6 * units.integer("hits_left", row) / entry.hits)
        value *= (1.0, 0.7, 0.4)[marker]
        goals, reach = goals_of(moment, row)
        x, y = models.spot(row)
        off = min((hypot(x - u, y - v) for u, v in goals), default=0.0)
        value += drawn_by(moment, off - reach)
        total += value if models.side[row] == side else -value
    result = moment.system.result(moment)
    if result is not None and result.winner is not None:
        total += 1000.0 if moment.setup.sides[side].name == result.winner else -1000.0
    return total


DOCTRINE = Answering(
    {
        "runolfsson.move.who": _mover,
        "runolfsson.move.free-path": _place,
        "runolfsson.run.contactor-continues": _place,
        "runolfsson.attack.alternate": _target,
        "runolfsson.attack.declare-all": _attackers,
        "runolfsson.op.trigger": _opportunity,
        "runolfsson.run.when": _run,
        "runolfsson.leader.replace": _leader,
        "runolfsson.special.mindless": _free,
        "runolfsson.super.fail": _second,
        "runolfsson.victory.objectives": _marker,
    }
)
"""The commander called "doctrine"."""
