"""Movement: models, distances and paths; jumps and teleports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, inf

import shapely
from shapely import LineString

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import OpenValidator, Order, Procedure, Refusal, decision_of
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import snapped
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.base_paths import (
    Spot,
    centre,
    leg_to,
    may_end,
    moved,
    start_walk,
    waded,
)
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import (
    entry_of,
    models_of,
    speed_in_command,
    touching,
)
from emlia3d.rules.runolfsson.core import SLACK, may_by_specials
from emlia3d.rules.runolfsson.damage import is_stopped_by_critical
from emlia3d.rules.runolfsson.events import StoodStill
from emlia3d.rules.runolfsson.individual import is_held
from emlia3d.rules.runolfsson.opportunity import fired_at_while_moving, in_flight
from emlia3d.rules.runolfsson.running import left_after_contact, may_run, run_away
from emlia3d.rules.runolfsson.unit_set import Entry, Gait

SPEED_LIMIT = 18.0
"""The longest single move of a model, inches."""

_NEAR = 1 / 64
"""Tolerance for the end of a move, because positions are on a grid, inches."""


@rule("runolfsson.move.who")
def may_move(moment: Moment, unit: int) -> bool:
    """Return whether a model may move in its movement phase."""
    units = moment.state.units
    if is_held(Marker(units.integer("marker", unit))):
        return False
    entry = entry_of(moment.setup, unit)
    if is_stopped_by_critical(moment, unit, teleporting=entry.has("teleport")):
        return False
    return not units.value("ran", unit) and entry.move > 0 and not touching(moment, unit)


@rule("runolfsson.move.speed-limit")
def limited(entry: Entry) -> float:
    """Return the inches of a model's move, which has a limit unless a special breaks it."""
    breaks = (entry.has(s) for s in ("jump", "hover", "fly", "teleport", "breaks speed limit"))
    return entry.move if may_by_specials(False, breaks, ()) else min(entry.move, SPEED_LIMIT)


def allowance(moment: Moment, unit: int, *, to_the_leader: bool = False) -> float:
    """Return the inches that a model may move in its movement phase."""
    in_command = bool(moment.state.units.value("in_command", unit))
    return speed_in_command(limited(entry_of(moment.setup, unit)), in_command, to_the_leader)


def gait_of(entry: Entry) -> Gait:
    """Return how a model moves if it does not jump."""
    return "ground" if entry.flight == "jump" else entry.flight


def leads_to_leader(moment: Moment, unit: int, path: list[Spot]) -> bool:
    """Return whether a path lies on the line between the centres of a model and its leader."""
    leader = moment.state.units.integer("leader", unit)
    if leader < 0 or not models_of(moment).there[leader]:
        return False
    line = LineString([models_of(moment).spot(unit), models_of(moment).spot(leader)])
    off = shapely.distance(line, shapely.points(path))
    return bool((off <= _NEAR).all())


@dataclass(frozen=True, slots=True)
class ModelMoves(OpenValidator):
    """Validator of moves of a model: paths on the ground, jumps and teleports.

    left : remaining inches of the move
    """

    unit: int
    left: float = inf

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is not allowed; None if it is."""
        entry, moment = entry_of(self.moment.setup, self.unit), self.moment
        if order.unit != self.unit or order.target is not None or order.number is not None:
            return Refusal("runolfsson.move.who", "another model is moving")
        if order.verb == "teleport" and entry.has("teleport") and order.point is not None:
            return _teleport_refusal(moment, self.unit, order.point, self.left)
        if is_stopped_by_critical(moment, self.unit):
            return Refusal("runolfsson.crit.table", "after a critical hit it can only teleport")
        if order.verb == "jump" and entry.has("jump"):
            return jump_refusal(moment, self.unit, order, self.left)
        if order.verb == "move" and order.legs and order.point is None:
            return path_refusal(moment, self.unit, order, self.left)
        return Refusal("runolfsson.move.who", "it has no such move")


@rule("runolfsson.move.free-path")
def path_refusal(moment: Moment, unit: int, order: Order, left: float = inf) -> Refusal | None:
    """Return why a path on the ground is illegal; None if it is legal."""
    path = [centre(moment, unit, leg) for leg in order.legs]
    if any(leg.step != "march" for leg in order.legs):
        return Refusal("runolfsson.move.free-path", "a path consists of straight segments")
    entry = entry_of(moment.setup, unit)
    most = allowance(moment, unit, to_the_leader=leads_to_leader(moment, unit, path))
    done = start_walk(moment, unit, min(most, left), by=gait_of(entry)).along(path)
    if hypot(done.end[0] - path[-1][0], done.end[1] - path[-1][1]) > _NEAR:
        return Refusal("runolfsson.move.free-path", "the path is too long or blocked")
    return None


@rule("runolfsson.jump.over", "runolfsson.jump.straight")
def jump_refusal(moment: Moment, unit: int, order: Order, left: float = inf) -> Refusal | None:
    """Return why a jump is illegal; None if it is legal."""
    if len(order.legs) != 1 or order.legs[0].step != "march":
        return Refusal("runolfsson.jump.straight", "a jump is one straight line")
    spot, start = centre(moment, unit, order.legs[0]), models_of(moment).spot(unit)
    straight = leads_to_leader(moment, unit, [spot])
    most = min(allowance(moment, unit, to_the_leader=straight), left)
    if hypot(spot[0] - start[0], spot[1] - start[1]) > most + _NEAR:
        return Refusal("runolfsson.jump.straight", f"its jump is at most {most:g} inches at most")
    return _landing(moment, unit, spot)


def _teleport_refusal(moment: Moment, unit: int, point: Spot, left: float) -> Refusal | None:
    start = models_of(moment).spot(unit)
    far = hypot(point[0] - start[0], point[1] - start[1])
    if far > min(allowance(moment, unit), left):
        return Refusal("runolfsson.special.core-set", "it is too far away")
    return _landing(moment, unit, point)


def _landing(moment: Moment, unit: int, spot: Spot) -> Refusal | None:
    free = may_end(moment, unit, spot)
    return None if free else Refusal("runolfsson.jump.straight", "the position is not free")


def moves(moment: Moment, unit: int, left: float = inf) -> Iterator[Order]:
    """Yield a shortlist: to stay, towards enemies and the leader, and in twelve directions."""
    yield Order(verb="stay", unit=unit)
    models, reach = models_of(moment), ModelMoves(moment, unit, left)
    start = models.spot(unit)
    gaps, rate = models.gaps(unit), min(allowance(moment, unit), left)
    foes = sorted(models.foes(unit), key=lambda foe: (gaps[foe], foe))[:3]
    leader = moment.state.units.integer("leader", unit)
    goals = [models.spot(row) for row in (*foes, *((leader,) if leader not in {-1, unit} else ()))]
    for step in range(12):
        east, north = unit_vector(step * 30 * 64)
        goals += [(start[0] + east * f * rate, start[1] + north * f * rate) for f in (1.0, 0.5)]
    seen = set[str]()
    for goal in goals:
        for order in towards(moment, unit, goal, left):
            x, y = order.point or (order.legs[-1].x, order.legs[-1].y)
            label = f"{order.verb} {x:.2f} {y:.2f}"
            if label not in seen and reach.refusal(order) is None:
                seen.add(label)
                yield order


def towards(moment: Moment, unit: int, goal: Spot, left: float) -> Iterator[Order]:
    """Yield the orders that lead a model straight towards a point, as far as possible."""
    entry, (x, y) = entry_of(moment.setup, unit), models_of(moment).spot(unit)
    straight = leads_to_leader(moment, unit, [goal])
    rate = min(allowance(moment, unit, to_the_leader=straight), left)
    share = min((rate - _NEAR) / max(hypot(goal[0] - x, goal[1] - y), SLACK), 1.0)
    spot = snapped(x + (goal[0] - x) * share), snapped(y + (goal[1] - y) * share)
    if entry.has("teleport"):
        yield Order(verb="teleport", unit=unit, point=spot)
        return
    done = start_walk(moment, unit, rate, by=gait_of(entry)).along([goal])
    if done.length > 0.25:
        yield Order(verb="move", unit=unit, legs=(leg_to(moment, unit, done.end),))
    if entry.has("jump"):
        yield Order(verb="jump", unit=unit, legs=(leg_to(moment, unit, spot),))


# Moves as they happen


def make_move(battle: Battle, unit: int) -> Procedure[None]:
    """Move a model, and continue if the models that it touched run away."""
    left, slug = inf, "runolfsson.move.free-path"
    while True:
        options, reach = tuple(moves(battle, unit, left)), ModelMoves(battle, unit, left)
        order = yield decision_of(battle, unit, slug, options, reach)
        if order.verb == "stay":
            yield Event(facts=StoodStill(), unit=unit, changes=set_cells("unit", unit, done=1))
            return
        left = yield from carry_out(battle, unit, order, left)
        if left < 0.25:
            return
        slug = "runolfsson.run.contactor-continues"


def carry_out(battle: Battle, unit: int, order: Order, left: float) -> Procedure[float]:
    """Carry out a move; return the remaining inches if the touched models are gone."""
    path = [order.point] if order.point else [centre(battle, unit, leg) for leg in order.legs]
    straight = order.verb != "teleport" and leads_to_leader(battle, unit, path)
    rate = min(allowance(battle, unit, to_the_leader=straight), left)
    if order.verb == "move":
        gait = gait_of(entry_of(battle.setup, unit))
        done = yield from waded(battle, unit, path, rate, gait)
    else:
        done = start_walk(battle, unit, rate).straight(path[0])
    flight = in_flight(battle, unit, done.end) if order.verb == "jump" else None
    how = {"move": "moves", "jump": "jumps"}.get(order.verb, "teleports")
    alive = yield from fired_at_while_moving(battle, unit, done.path, flight, how)
    if not alive:
        return 0.0
    slug = "runolfsson.jump.over" if how == "jumps" else "runolfsson.move.who"
    yield moved(battle, unit, done, how, slug)
    touched = touching(battle, unit)
    yield from contacts(battle, touched)
    return left_after_contact(bool(touched), bool(touching(battle, unit)), done.left)


@rule("runolfsson.move.contact")
def contacts(battle: Battle, touched: list[int]) -> Procedure[None]:
    """Ask models whether they run away from an enemy that moved into contact."""
    for foe in touched:
        if may_run(battle, foe):
            yield from run_away(battle, foe, limited(entry_of(battle.setup, foe)))
