"""Where a leader stands: near those that need it, and out of the enemy's fire and reach."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.doctrine import lurking
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.places import axis_of, middle
from emlia3d.rules.emlia.doctrine.ways import best_way
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS

_MARGIN = 1.05
"""By how much a leader keeps farther off than an enemy shoots or runs."""

_FAR = 200.0
"""GSU beyond which a friend is equally out of reach."""

_BEHIND = 30.0
"""GSU behind the line at which a leader stands when nothing calls it elsewhere."""


def order(mind: Mind, decision: Decision, unit: int, offered: Offered) -> Order:
    """Return the leader's move to where it is wanted and safe, or what else it does."""
    battle = mind.battle
    if not battle.state.units.value("move_used", unit):
        move = _move(mind, decision, unit)
        if move is not None:
            return move
    return lurking.look(mind, offered) or decision.of("done")[0]


def danger(mind: Mind, x: float, y: float) -> float:
    """Return how far a place is within the enemy's effective fire or run, GSU; 0 if it is safe."""
    worst = 0.0
    for foe in mind.standing:
        body = body_of(mind.battle, foe)
        if body.role == "leader":
            continue
        gap = hypot(body.x - x, body.y - y) - max(body.width, body.depth) / 2 - 3
        far = 0.0
        if body.bands:
            far = body.bands[0] if body.role == "guns" else body.bands[1]
        run = 0.0 if body.role == "guns" else 1.3 * body.speed
        worst = max(worst, _MARGIN * max(far, run) - gap)
    return worst


def _need(mind: Mind, unit: int) -> float:
    """Return how much a unit wants a leader: disorder most, and what is worth more."""
    units = mind.battle.state.units
    body = body_of(mind.battle, unit)
    return (1.0 if units.value("disordered", unit) else 0.5) * min(body.worth, 2.0)


def _move(mind: Mind, decision: Decision, unit: int) -> Order | None:
    battle, situation = mind.battle, situation_of(mind.battle)
    others = [one for one in mind.own if role_of(battle, one) is not Role.GENERAL]
    if not others:
        return None
    x, y = situation.centre(unit)
    units = battle.state.units
    reach = 0.8 * numbers_of(battle).command_range
    troubled = [
        one
        for one in others
        if (units.value("disordered", one) or units.integer("morale", one) <= 1)
        and units.integer("morale", one) > RETREATS
    ]
    line = [one for one in others if role_of(battle, one) is Role.LINE] or others
    mx, my = middle(battle, line)
    frame = Frame(axis_of(mind))
    across, along = frame.of(mx, my)
    home = frame.on_field(across, along - _BEHIND)
    speed = 2 * speed_of(battle, unit)

    outlines = situation.outlines(troubled)
    weights = np.array([_need(mind, one) for one in troubled])

    def price(spot: tuple[float, float]) -> float:
        here = danger(mind, *spot)
        gaps = shapely.distance(outlines, shapely.Point(spot)) - reach
        need = float((weights * np.clip(gaps, 0.0, _FAR)).max(initial=0.0))
        return 4 * here + need + 0.2 * hypot(spot[0] - home[0], spot[1] - home[1])

    width, height = battle.setup.field.size
    spots = [(x, y), home]
    for ring in (20, 45, 80, 120, 160):
        for step in range(12):
            facing = Frame((axis_of(mind) + step * 1920) % 23040)
            dx, dy = facing.on_field(0.0, float(ring))
            spots.append((x + dx, y + dy))
    inside = [
        s
        for s in spots
        if 4 < s[0] < width - 4 and 4 < s[1] < height - 4 and hypot(s[0] - x, s[1] - y) <= speed
    ]
    best = min(enumerate(inside), key=lambda each: (price(each[1]), each[0]))[1]
    away = hypot(best[0] - x, best[1] - y)
    if away < 6 or price(best) > price((x, y)) - 3:
        return None
    why = "keeps out of the enemy's fire, near its troops"
    if troubled and danger(mind, *best) == 0:
        gaps = shapely.distance(outlines, shapely.Point(best)).tolist()
        nearest = min(zip(gaps, troubled, strict=True))[1]
        why = f"rides to {mind.name(nearest)}, which needs it"
    verb = "double-pace" if away > speed / 2 else "move"
    way = facing_towards(best[0] - x, best[1] - y)
    found = best_way(battle, decision, unit, way, verb, away, why)
    return found and replace(found, why=why)
