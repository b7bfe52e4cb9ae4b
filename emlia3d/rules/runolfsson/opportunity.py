"""Opportunity fire at a moving model, at the most exposed point of its path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, inf

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.situation.walks import sampled
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson import elevation
from emlia3d.rules.runolfsson.attack import (
    PossibleShot,
    apply_effects,
    dice_left,
    judged,
    may_attack,
    shots_of,
    worth,
)
from emlia3d.rules.runolfsson.attack_phase import strike
from emlia3d.rules.runolfsson.base_paths import Spot, moved, start_walk
from emlia3d.rules.runolfsson.columns import Turn
from emlia3d.rules.runolfsson.contacts import is_mindless, models_of
from emlia3d.rules.runolfsson.core import SLACK
from emlia3d.rules.runolfsson.fire_line import ends_at, ends_of
from emlia3d.rules.runolfsson.terrain import terrain_of

STEP = 0.25
"""Distance between judged points of a path, inches."""


@rule("runolfsson.op.trigger")
def is_worse_at_end(best: float, end: float) -> bool:
    """Return whether a target is worth less at the end of its move than at a point before."""
    return end < best - SLACK


@rule("runolfsson.op.own-model-exception")
def end_value(as_it_is: float, without_own_models: float) -> float:
    """Return the value at the end of a path, regardless of the firer's own models."""
    return max(as_it_is, without_own_models)


@rule("runolfsson.op.point")
def points_of(path: Sequence[Spot]) -> list[Spot]:
    """Return the points of a move at which fire is judged."""
    return sampled(path, STEP)


@rule("runolfsson.op.once")
def may_fire(moment: Moment, unit: int) -> bool:
    """Return whether a model can still use opportunity fire in this turn."""
    if moment.state.battle.integer("kind", 0) == Turn.RUSH:
        return False
    return may_attack(moment, unit) and not is_mindless(moment, unit)


@rule("runolfsson.op.jump-height")
def flight_level(take_off: int, tops: Sequence[int]) -> int:
    """Return the level of a jumper in flight, from the tops of all that it clears."""
    return max(take_off, *tops) + 1 if tops else take_off + 1


def in_flight(moment: Moment, unit: int, end: Spot) -> int:
    """Return the level of a jumper in flight between two positions."""
    terrain, models = terrain_of(moment), models_of(moment)
    start, there = models.spots[[unit]], np.array([end])
    pieces = terrain.outlines.crossed(start, there).through[0]
    hills = terrain.contours.crossed(start, there).through[0]
    ends = ends_of(moment).level
    length = max(hypot(*(there - start)[0]), SLACK)
    way = (there - start)[0] / length
    x, y = (models.spots - start[0]).T
    along, off = x * way[0] + y * way[1], np.abs(y * way[0] - x * way[1])
    under = models.there & (off < models.radius) & (along > 0) & (along < length)
    under[unit] = False
    tops = [
        *terrain.tops[pieces],
        *terrain.levels[hills],
        *(ends[under] + elevation.height_of("model")),
    ]
    return flight_level(int(ends[unit]), [int(top) for top in tops])


Values = dict[int, list[tuple[int, float, PossibleShot]]]
"""Points at which firers have shots, with their values."""


def values_along(
    moment: Moment, unit: int, firers: Sequence[int], path: Sequence[Spot], flight: int | None,
    *, own_models: bool = True,
) -> Values:  # fmt: skip
    """Return the values of shots at points of a path: whole dice times probability to hit."""
    models, spots = models_of(moment), np.array(path)
    there = ends_at(terrain_of(moment), spots, np.full(len(path), models.radius[unit]))
    if flight is not None:
        there.level[1:-1], there.aloft[1:-1] = flight, True
    one = np.repeat(firers, len(path)).astype(np.int64)
    points = np.tile(np.arange(len(path)), len(firers))
    lines, at = judged(moment, ends_of(moment), one, there, points, own_models=own_models)
    found: Values = {}
    for shot in shots_of(lines, one[at], points[at]):
        point, aimed = shot.target, replace(shot, target=unit)
        value = worth(moment, aimed)
        if value > 0:
            found.setdefault(shot.attacker, []).append((point, value, aimed))
    return found


@rule("runolfsson.op.jump-los")
def points_to_fire(
    shots: Sequence[tuple[int, float, PossibleShot]], last: int, end: float, flight: int | None
) -> list[tuple[int, float, PossibleShot]]:
    """Return the possible shots of a firer, the best first; at a jumper, any shot.

    shots : points, values and shots
    last, end : the point at the end of the path, and its value
    """
    fire = [each for each in shots if not each[2].close]
    if flight is None:
        fire = [each for each in fire if each[0] < last and is_worse_at_end(each[1], end)]
    return sorted(fire, key=lambda each: (-each[1], each[0]))


def chances_to_fire(moment: Moment, unit: int, path: Sequence[Spot], flight: int | None) -> Values:
    """Return the models that can fire at a moving model, and the points."""
    models, last = models_of(moment), len(path) - 1
    firers = [row for row in models.foes(unit) if may_fire(moment, row)]
    ends = values_along(moment, unit, firers, path[-1:], None, own_models=False)
    at_end = {row: value for row, ((_, value, _),) in ends.items()}
    if flight is None:
        # No shot is worth more than twice a model's dice without modifiers.
        firers = [row for row in firers if at_end.get(row, 0.0) < _most(moment, row) - SLACK]
    found = values_along(moment, unit, firers, path, flight)
    fire: Values = {}
    for row, shots in found.items():
        here = next((value for point, value, _ in shots if point == last), 0.0)
        open_to = points_to_fire(shots, last, end_value(here, at_end.get(row, 0.0)), flight)
        if open_to:
            fire[row] = open_to
    return fire


def _most(moment: Moment, unit: int) -> float:
    """Return the value of a model's best shot at a target in the open."""
    clear = PossibleShot(unit, -1, 2.0 if len(terrain_of(moment).streams) else 1.0, 0, False, ())
    return worth(moment, clear)


@rule("runolfsson.op.immediate")
def fired_at_while_moving(
    battle: Battle, unit: int, path: Sequence[Spot], flight: int | None, how: str
) -> Procedure[bool]:
    """Let enemies fire at a moving model; return whether it survives.

    path : of the move
    flight : the level of a jumper in flight
    how : kind of move in words
    """
    points = path if how == "teleports" else points_of(path)
    declared: dict[int, list[PossibleShot]] = {}
    for firer, shots in chances_to_fire(battle, unit, points, flight).items():
        hold = Order(verb="hold fire", unit=firer, target=unit)
        fire = (Order(verb="fire", unit=firer, target=unit, number=p) for p, _, _ in shots)
        order = yield decision_of(battle, firer, "runolfsson.op.trigger", (hold, *fire))
        if order.number is not None:
            shot = next(shot for point, _, shot in shots if point == order.number)
            declared.setdefault(order.number, []).append(shot)
    for point, volley in sorted(declared.items()):
        if point:
            done = start_walk(battle, unit, inf).straight(points[point])
            yield moved(battle, unit, done, how, "runolfsson.op.point")
        dice = [(shot, dice_left(battle, shot.attacker)) for shot in volley]
        yield from strike(battle, dice, "runolfsson.op.immediate")
        yield from apply_effects(battle)
        if not battle.state.units.value("present", unit):
            return False
    return True
