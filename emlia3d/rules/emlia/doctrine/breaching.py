"""Breaking obstacles between the commander's units and their objective.

A unit that can break a gate soon does so first; no unit attacks what it cannot harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.odds import binomial
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.manoeuvring import MoveGoal, go
from emlia3d.rules.emlia.doctrine.places import holds, on_objective
from emlia3d.rules.emlia.play.charges.structures import named_by, shots_at
from emlia3d.rules.emlia.play.combat.scenery import blows_at, destructible, hewers
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.damage import damage_points, need
from emlia3d.rules.emlia.tables.skills import success_chance
from emlia3d.rules.emlia.tables.terrain import kind_of
from emlia3d.rules.emlia.unit_sets.roles import declared_role

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_GATE = "gate"

_SOON = 4
"""Blows within which a unit must be able to break a gate to prefer it to anything else."""

_WORTH_A_BLOW = Fraction(1, 4)
"""Damage points that a blow must promise."""

_LEADS_TO = 5.0
"""GSU from a gate to what lies behind it."""


def harm(moment: Moment, unit: int, row: int, able: Mapping[int, int]) -> Fraction:
    """Return the damage points that a feature may expect if a unit hews at it.

    able : members that take part, by subunit
    """
    hits = moment.setup.field.features[row].hits
    if hits is None:
        return Fraction(0)
    return sum(
        (
            _points(blow.dice, blow.modifier.total, need(hits, blow.weapon.base_damage))
            for blow in blows_at(moment, unit, able)
        ),
        Fraction(0),
    )


def _points(dice: int, modifier: int, needed: int) -> Fraction:
    """Return the expected damage points of one check at *needed* hits for a point."""
    chance = success_chance(modifier)
    return sum(
        (
            damage_points(successes, needed) * binomial(dice, successes, chance)
            for successes in range(needed, dice + 1)
        ),
        Fraction(0),
    )


def at_work(ai: AiContext, unit: int, wanted: int | None) -> int | None:
    """Return the feature in reach that bars the unit's way and that it can harm.

    wanted : its `gate`, which it breaks wherever it stands
    """
    battle = ai.battle
    objective = battle.setup.sides[ai.side].objective
    breakable = destructible(battle)
    if objective is None or not breakable:
        return None
    situation, goal = situation_of(battle), battle.setup.area(objective).centroid
    way = shapely.linestrings([situation.centre(unit), (goal.x, goal.y)])
    barred = going_of(battle, unit).barred
    for row in breakable:
        outline = battle.setup.field.features[row].outline
        able = hewers(battle, unit, row)
        if not able:
            continue
        bars = outline.intersects(way) and _is_among(outline, barred)
        if (bars or row == wanted) and harm(battle, unit, row, able) >= _WORTH_A_BLOW:
            return row
    return None


def _is_among(outline: Polygon, barred: NDArray[np.object_]) -> bool:
    """Return whether a feature is one of the barred outlines, or part of one."""
    return bool((shapely.area(shapely.intersection(barred, outline)) > 0).any())


def gate(ai: AiContext, unit: int) -> int | None:
    """Return the gate to the objective that a unit can break soonest; None without one."""
    if on_objective(ai, unit):
        return None
    battle, features = ai.battle, ai.battle.setup.field.features
    parts = situation_of(battle).parts(unit)
    members = {part: battle.state.units.integer("members", part) for part in parts}
    blows = {
        row: (features[row].damage_limit - battle.state.features.integer("damage", row)) / points
        for row in _gates(ai)
        for points in (harm(battle, unit, row, members),)
        if points >= _WORTH_A_BLOW
    }
    soonest = min(blows, key=lambda row: (blows[row], row), default=None)
    return soonest if soonest is not None and blows[soonest] <= _SOON else None


def _gates(ai: AiContext) -> list[int]:
    """Return the gates that lead to the side's objective; none if it holds that already."""
    battle = ai.battle
    side, features = battle.setup.sides[ai.side], battle.setup.field.features
    if side.objective is None or holds(ai):
        return []
    area = battle.setup.area(side.objective)
    return [
        row
        for row in destructible(battle)
        if kind_of(features[row]) == _GATE and features[row].outline.distance(area) <= _LEADS_TO
    ]


def shoot(ai: AiContext, by_verb: Mapping[str, list[Order]]) -> Order | None:
    """Return the best shot of an idle unit at a gate to the objective; None if none is worth it."""
    battle, gates = ai.battle, _gates(ai)
    if not gates:
        return None
    shots = [
        (harm_by_shot(battle, order), order)
        for verb in ("aim-feature", "fire-feature")
        for order in by_verb.get(verb, ())
        if named_by(battle, order) in gates
    ]
    points, order = max(shots, key=lambda shot: shot[0], default=(Fraction(0), None))
    if order is None or points < _WORTH_A_BLOW:
        return None
    return replace(order, why=f"aimed fire at {order.words}: {float(points):.1f} points expected")


def harm_by_shot(moment: Moment, order: Order) -> Fraction:
    """Return the damage points that an order to shoot at a feature promises."""
    row = named_by(moment, order)
    assert row is not None
    assert order.unit is not None
    hits = moment.setup.field.features[row].hits
    assert hits is not None
    shots = shots_at(moment, order.unit, row, order.number or 0, still=order.verb == "aim-feature")
    return sum(
        (
            _points(tried.dice, modifier.total, need(hits, base_damage))
            for _, base_damage, tried, modifier in shots.values()
        ),
        Fraction(0),
    )


def is_spent(ai: AiContext, unit: int, wanted: int | None) -> bool:
    """Return whether a ram has no gate left to break; it is no weapon against units.

    wanted : its `gate`
    """
    return wanted is None and declared_role(situation_of(ai.battle).entry(unit)) == "ram"


def order(
    ai: AiContext,
    decision: Decision,
    unit: int,
    by_verb: Mapping[str, list[Order]],
    wanted: int | None,
) -> Order | None:
    """Return the order to break an obstacle or to go to a gate; None without either.

    wanted : the unit's `gate`
    """
    features = ai.battle.setup.field.features
    row = at_work(ai, unit, wanted) if "hew" in by_verb else None
    hews = [one for one in by_verb.get("hew", []) if one.number == row]
    if row is not None and hews:
        return replace(hews[0], why=f"attacks {features[row].name}, which blocks the way")
    if wanted is None or ai.battle.state.units.value("move_used", unit):
        return None
    if engaged_by(ai.battle, unit):
        return None
    situation, outline = situation_of(ai.battle), features[wanted].outline
    (x, y), there = situation.centre(unit), outline.centroid
    away = float(situation.outline(unit).distance(outline))
    why = f"moves to {features[wanted].name} ({away:.0f} GSU away), to break it"
    return go(ai, decision, unit, MoveGoal(facing_towards(there.x - x, there.y - y), away, why))
