"""Points and victory: costs, armies, sudden death, position, objectives."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, hypot

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.entries import Hired
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Setup
from emlia3d.rulekit.two_sided import result_for
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.events import MarkersPlaced
from emlia3d.rules.runolfsson.morale import graded
from emlia3d.rules.runolfsson.terrain import terrain_of
from emlia3d.rules.runolfsson.unit_set import Entry, game_of

MARGIN = 12.0
"""Distance of objective markers from the edges of the table and from each other, inches."""

MARKER = 0.5
"""Radius of an objective marker, inches."""

TURNS = 8
"""Default number of turns of a battle."""

Spot = tuple[float, float]


@rule("runolfsson.units.cost")
def cost(entry: Entry) -> int:
    """Return the points of a model: double if fearless, half if cowardly."""
    base = 3 * (entry.attack + entry.save) + 4 * (entry.hits - 1)
    return graded(base + floor(entry.move / 2) + floor(entry.range / 6), entry.grade)


@rule("runolfsson.units.sample", "runolfsson.units.sample-armies")
def force_cost(force: Sequence[Hired]) -> int:
    """Return the points of models together."""
    return sum(cost(hired.entry) for hired in force if isinstance(hired.entry, Entry))


@rule("runolfsson.victory.choice")
def condition_of(setup: Setup) -> str:
    """Return the victory condition that was chosen before play."""
    return game_of(setup).victory


@rule("runolfsson.victory.sudden-death")
def has_lost(models: int, lost: int) -> bool:
    """Return whether an army has lost, by the count of its models on the table."""
    return lost * 2 >= models


@rule("runolfsson.victory.position")
def quadrants_held(points: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the quadrants that each side holds, from the points of both sides in each."""
    return sum(one > other for one, other in points), sum(other > one for one, other in points)


@rule("runolfsson.victory.objectives")
def may_place_marker(spot: Spot, size: Spot, others: Sequence[Spot]) -> bool:
    """Return whether an objective marker can have its centre at a point."""
    far = all(hypot(spot[0] - x, spot[1] - y) - 2 * MARKER >= MARGIN for x, y in others)
    return far and all(
        at - MARKER >= MARGIN and at + MARKER <= length - MARGIN
        for at, length in zip(spot, size, strict=True)
    )


def winner_of(moment: Moment) -> Result | None:
    """Return the result of a battle at the end of a turn; None if it continues."""
    condition, last = condition_of(moment.setup), moment.state.turn >= moment.setup.turns
    models = models_of(moment)
    sides = [
        [row for row, one in enumerate(models.side.tolist()) if one == side] for side in (0, 1)
    ]
    left = [[row for row in rows if models.there[row]] for rows in sides]
    if condition == "sudden death":
        lost = [has_lost(len(a), len(a) - len(b)) for a, b in zip(sides, left, strict=True)]
        if any(lost):
            return _result(moment, (lost[1], lost[0]), "half of the other army is lost")
    for side in (0, 1):
        if not left[side]:
            return _result(moment, (side, 1 - side), "no model of the other army is left")
    if not last:
        return None
    if condition == "position":
        return _result(moment, quadrants_held(_points_by_quadrant(moment)), "quadrants held")
    if condition == "objectives":
        return _result(moment, _markers_held(moment), "objective markers held")
    points = tuple(sum(cost(entry_of(moment.setup, row)) for row in rows) for rows in left)
    return _result(moment, (points[0], points[1]), "points left")


def _result(moment: Moment, scores: tuple[int, int], reason: str) -> Result:
    one, other = scores
    if one == other:
        return result_for(moment.setup, None, f"Equal: {reason}.")
    won = int(other > one)
    return result_for(moment.setup, won, f"{moment.setup.sides[won].name} won: {reason}.")


def _points_by_quadrant(moment: Moment) -> list[tuple[int, int]]:
    """Return the points of both sides in each quadrant; routed models count nothing."""
    models, size = models_of(moment), moment.setup.field.size
    points = [[0, 0] for _ in range(4)]
    for row, there in enumerate(models.there.tolist()):
        if there and moment.state.units.integer("marker", row) != Marker.ROUTED:
            x, y = models.spot(row)
            quadrant = points[(x >= size[0] / 2) + 2 * (y >= size[1] / 2)]
            quadrant[int(models.side[row])] += cost(entry_of(moment.setup, row))
    return [(one, other) for one, other in points]


def markers(moment: Moment) -> list[Spot]:
    """Return the centres of the objective markers."""
    rows = moment.state.lists["marker"]
    return list(zip(rows.floats("x").tolist(), rows.floats("y").tolist(), strict=True))


def _markers_held(moment: Moment) -> tuple[int, int]:
    """Return the markers on which each side has more models than the other."""
    models, held = models_of(moment), [0, 0]
    for x, y in markers(moment):
        on = [0, 0]
        for row, there in enumerate(models.there.tolist()):
            u, v = models.spot(row)
            if there and hypot(u - x, v - y) < float(models.radius[row]) + MARKER:
                on[int(models.side[row])] += 1
        held[0] += on[0] > on[1]
        held[1] += on[1] > on[0]
    return held[0], held[1]


# Objective markers before the first turn


def _places(moment: Moment) -> list[Spot]:
    """Return points for the next marker: on a grid of 4 inches, or on a finer one."""
    return next(filter(None, (_places_on_grid(moment, step) for step in (4.0, 0.5))), [])


def _places_on_grid(moment: Moment, step: float) -> list[Spot]:
    (east, north), others = moment.setup.field.size, markers(moment)
    spots = [
        (x * step, y * step) for x in range(int(east / step)) for y in range(int(north / step))
    ]
    return [
        spot
        for spot in spots
        if may_place_marker(spot, (east, north), others) and not terrain_of(moment).is_water(spot)
    ]


def place_markers(battle: Battle) -> Procedure[None]:
    """Ask the sides to place two markers each; the winner of a roll starts."""
    faces = (0, 0)
    while faces[0] == faces[1]:
        one, other = battle.dice.roll("runolfsson.victory.objectives", 2, 10)
        faces = one, other
    first = int(faces[1] > faces[0])
    for side in (first, first, 1 - first, 1 - first):
        spots = _places(battle)
        if not spots:
            return
        order = yield Decision(
            side=side,
            asks="runolfsson.victory.objectives",
            options=tuple(Order(verb="place marker", point=spot) for spot in spots),
        )
        assert order.point is not None
        x, y = order.point
        yield Event(
            facts=MarkersPlaced(side=battle.setup.sides[side].name, at=order.point),
            because=("runolfsson.victory.objectives",),
            changes=(Append(table="marker", row={"x": x, "y": y}),),
        )
