"""The choice of moves, by fire, danger, command and goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.rules.runolfsson.attack import average_hits
from emlia3d.rules.runolfsson.base_paths import Spot, centre
from emlia3d.rules.runolfsson.commander.expected_losses import prices_of, removed
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.core import SLACK
from emlia3d.rules.runolfsson.fire_line import FireLineEnds, ends_at, ends_of
from emlia3d.rules.runolfsson.opportunity import in_flight, may_fire
from emlia3d.rules.runolfsson.terrain import terrain_of
from emlia3d.rules.runolfsson.victory import condition_of, markers

FEAR = 1.2
"""Weight of a model's own losses, relative to the losses that it causes."""

PULL = 0.12
"""Points per inch on the way to a goal, at the start of the battle."""

HOLD = 4.0
"""Points of a model on a marker at the end of the last turn; less before."""

SNAP = 0.8
"""Weight of fire at a moving model, which enemies can hold."""

NEXT_TURN = 0.5
"""Weight of fire by enemies that have attacked in this turn."""

STEADY = 1.2
"""Weight of fire by a model that stays, because its effects come before other fire."""


def places_of(moment: Moment, decision: Decision) -> list[Order]:
    """Return the moves, the best first, by fire, danger, command and distance to a goal."""
    unit = decision.unit
    assert unit is not None
    spots = [_end(moment, unit, order) for order in decision.options]
    gains = gains_at(moment, unit, decision.options, spots)
    goals, reach = goals_of(moment, unit)
    ranked = []
    for order, spot, gain in zip(decision.options, spots, gains.tolist(), strict=True):
        off = min((hypot(spot[0] - x, spot[1] - y) for x, y in goals), default=0.0)
        score = gain + drawn_by(moment, off - reach) - out_of_command(moment, unit, spot)
        # Rounded, so that rounding errors of a root do not decide ties.
        score = round(score + (0.05 if order.verb == "stay" else 0.0), 6)
        ranked.append((score, replace(order, why=f"moves to {score:.1f} points")))
    return [order for _, order in sorted(ranked, key=lambda each: -each[0])]


def _end(moment: Moment, unit: int, order: Order) -> Spot:
    if order.point is not None:
        return order.point
    return centre(moment, unit, order.legs[-1]) if order.legs else models_of(moment).spot(unit)


def goals_of(moment: Moment, unit: int) -> tuple[list[Spot], float]:
    """Return the goals of a model, and the distances at which it has reached them.

    If markers decide the battle, they are markers that its side does not hold without it; otherwise
    enemies.
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
    """Return the points of a position by its distance from a goal, inches; more in later turns."""
    if condition_of(moment.setup) != "objectives":
        return -PULL * max(off, 0.0)
    urgency = 1.0 / (max(moment.setup.turns - moment.state.turn, 0) + 1)
    return (HOLD if off <= 0 else 0.0) * urgency - PULL * (1 + 7 * urgency) * max(off, 0.0)


def out_of_command(moment: Moment, unit: int, spot: Spot) -> float:
    """Return the cost for a unit if a model is out of command at a position, points."""
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


def gains_at(moment: Moment, unit: int, orders: Sequence[Order], spots: Sequence[Spot]) -> Floats:
    """Return (orders,) the points that a model can remove after moves, minus its own losses.

    orders, spots : its moves and their ends; the first is to stay, so that it fires before models
        that move
    """
    models = models_of(moment)
    foes = np.array(models.foes(unit), dtype=np.int64)
    if not len(foes):
        return np.zeros(len(spots))
    count = len(spots)
    there, ends = _points_of(moment, unit, orders, spots), ends_of(moment)
    at, who = np.repeat(np.arange(count), len(foes)), np.tile(foes, count)
    hits = average_hits(moment, there, at, ends, who)
    gains = removed(moment, who, hits).reshape(count, -1).max(axis=1)
    gains[0] *= STEADY
    at, who = np.repeat(np.arange(len(there)), len(foes)), np.tile(foes, len(there))
    threats = average_hits(moment, ends, who, there, at)
    end, *way = threats.reshape(-1, count, len(foes))
    jumps = np.array([[order.verb == "jump"] for order in orders])
    # Enemies fire at a moving model if it was more exposed on its way, and at any jumper.
    best = np.maximum(np.where(jumps, 0.0, end[0]), np.maximum(*way))
    able = np.array([may_fire(moment, foe) for foe in foes.tolist()])
    fire = np.where((jumps | (end < best - SLACK)) & able, best, 0.0)
    fire[0] = 0.0
    # Enemies also have other targets, and enemies that have fired are no danger until the next
    # turn.
    share = 3.0 / max(len(models.of_side(int(models.side[unit]))), 3)
    later = np.where(fire > 0, 0.0, end) * np.where(able, 1.0, NEXT_TURN)
    on_the_way = SNAP * fire.sum(axis=1)
    losses = removed(moment, unit, on_the_way + share * later.sum(axis=1))
    survives = 1.0 - removed(moment, unit, on_the_way) / prices_of(moment)[unit]
    return np.asarray(gains * survives - FEAR * losses)


def _points_of(
    moment: Moment, unit: int, orders: Sequence[Order], spots: Sequence[Spot]
) -> FireLineEnds:
    """Return the ends of moves, and then the points at a third and two thirds of each."""
    start, stops = np.array(models_of(moment).spot(unit)), np.array(spots)
    on_foot = np.array([[order.verb != "teleport"] for order in orders])
    points = [stops, *(np.where(on_foot, start + (stops - start) * k / 3, stops) for k in (1, 2))]
    count = len(spots) * len(points)
    radius = np.full(count, models_of(moment).radius[unit])
    ends = ends_at(terrain_of(moment), np.concatenate(points), radius, unit=[unit] * count)
    for number, order in enumerate(orders):
        if order.verb == "jump":
            aloft = [number + len(spots), number + 2 * len(spots)]
            ends.level[aloft], ends.aloft[aloft] = in_flight(moment, unit, spots[number]), True
    return ends
