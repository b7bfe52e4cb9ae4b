"""Running away from contact, and routs."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, set_cells
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Edge, Setup
from emlia3d.rulekit.situation.field_edges import distance_from
from emlia3d.rulekit.situation.walks import Walk
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.base_paths import Spot, moved, start_walk, waded, way_round
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import (
    entry_of,
    is_mindless,
    models_of,
    replace_leader,
)
from emlia3d.rules.runolfsson.core import SLACK
from emlia3d.rules.runolfsson.damage import destroyed, is_stopped_by_critical
from emlia3d.rules.runolfsson.events import LeftTable
from emlia3d.rules.runolfsson.individual import check_individually
from emlia3d.rules.runolfsson.unit_set import Entry

_ACROSS: dict[Edge, tuple[Edge, Edge]] = {
    "south": ("west", "east"), "north": ("west", "east"),
    "west": ("south", "north"), "east": ("south", "north"),
}  # fmt: skip


def edges_of(setup: Setup, unit: int) -> tuple[Edge, ...]:
    """Return the edges to which a model can run: its friendly edge and the two flank edges."""
    own = setup.lines_of(unit)
    assert isinstance(own, str), "the system refuses other lines"
    return own, *_ACROSS[own]


def foot_on(moment: Moment, unit: int, edge: Edge) -> tuple[Spot, float]:
    """Return the point beyond an edge, perpendicular to it, and the distance from the base."""
    spot, (east, north) = models_of(moment).spot(unit), moment.setup.field.size
    (x, y), radius = spot, float(models_of(moment).radius[unit])
    goals = {
        "south": (x, -radius), "north": (x, north + radius),
        "west": (-radius, y), "east": (east + radius, y),
    }  # fmt: skip
    return goals[edge], distance_from(edge, spot, (east, north)) - radius


# Running away


@rule("runolfsson.run.all-types")
def type_may_run(entry: Entry) -> bool:
    """Return whether a type of model can run away; a fearless one only if it is a machine."""
    return entry.grade != "fearless" or entry.has("machine")


@rule("runolfsson.run.pinned", "runolfsson.run.once")
def may_run(moment: Moment, unit: int) -> bool:
    """Return whether a model that an enemy has moved into contact with may run away."""
    units, entry = moment.state.units, entry_of(moment.setup, unit)
    if units.value("ran", unit) or is_mindless(moment, unit):
        return False
    if is_stopped_by_critical(moment, unit):
        return False
    pinned = units.integer("marker", unit) == Marker.PINNED
    return not pinned and entry.move > 0 and type_may_run(entry)


@rule("runolfsson.run.when")
def run_away(battle: Battle, unit: int, rate: float) -> Procedure[None]:
    """Ask whether a model runs away from contact, and move it.

    rate : inches of its full move
    """
    edges = edges_of(battle.setup, unit)
    runs = (Order(verb="run away", unit=unit, words=edge) for edge in edges)
    options = (Order(verb="stand", unit=unit), *runs)
    order = yield decision_of(battle, unit, "runolfsson.run.when", options)
    if order.verb == "run away":
        edge = next(edge for edge in edges if edge == order.words)
        yield from run_to(battle, unit, edge, rate)


@rule("runolfsson.run.move", "runolfsson.run.limits")
def run_to(battle: Battle, unit: int, edge: Edge, rate: float) -> Procedure[None]:
    """Move a model by its full move straight to an edge; afterwards it can only fire."""
    entry = entry_of(battle.setup, unit)
    goal, off = foot_on(battle, unit, edge)
    done = yield from waded(battle, unit, [goal], rate, entry.flight, leaving=True)
    if done.length >= off - SLACK:
        yield left_table(unit, "runolfsson.run.move")
        yield from replace_leader(battle, unit)
        return
    event = moved(battle, unit, done, "runs away", "runolfsson.run.move")
    yield Event(
        facts=event.facts, unit=unit, gesture=event.gesture, because=event.because,
        changes=(*event.changes, *set_cells("unit", unit, ran=1)),
    )  # fmt: skip
    yield from checked_after_running(battle, unit)


@rule("runolfsson.run.morale")
def checked_after_running(battle: Battle, unit: int) -> Procedure[None]:
    """Check the morale of a model that ran away, except machines, without further movement."""
    if not entry_of(battle.setup, unit).has("machine"):
        yield from check_individually(battle, unit, "runolfsson.run.morale")


@rule("runolfsson.run.contactor-continues")
def left_after_contact(touched: bool, touches: bool, left: float) -> float:
    """Return the remaining inches of a mover after models that it touched could run."""
    return left if touched and not touches else 0.0


@rule("runolfsson.run.may-fire")
def attacks_in_moving_phase_only(ran: bool) -> bool:
    """Return whether a model attacks in the moving attack phase, and not in the stationary one."""
    return ran


def left_table(unit: int, slug: str) -> Event:
    """Return the event of a model that leaves the table."""
    return Event(
        facts=LeftTable(),
        unit=unit,
        gesture="vanish",
        because=(slug,),
        changes=(Leave(unit=unit),),
    )


# Routs


@rule("runolfsson.rout.move")
def rout_edge(moment: Moment, unit: int) -> Edge:
    """Return the edge to which a model routs: its own, or a nearer flank edge."""
    return min(edges_of(moment.setup, unit), key=lambda edge: foot_on(moment, unit, edge)[1])


@rule("runolfsson.rout.deviate")
def rout_path(moment: Moment, unit: int, goal: Spot, rate: float) -> list[Spot]:
    """Return the path of a rout: straight, or around enemies and impassable terrain."""
    is_stopped = start_walk(moment, unit, rate, leaving=True).along([goal]).is_stopped
    return (is_stopped and way_round(moment, unit, goal, 2 * rate)) or [goal]


@rule("runolfsson.rout.off-table")
def leaves_table(done: Walk, goal: Spot) -> bool:
    """Return whether a rout leads off the table."""
    return abs(done.end[0] - goal[0]) + abs(done.end[1] - goal[1]) < 2 * SLACK


@rule("runolfsson.rout.stationary")
def is_stationary(entry: Entry) -> bool:
    """Return whether a model cannot move at all, so that it is destroyed if it routs."""
    return entry.move == 0


def rout(battle: Battle, unit: int, rate: float) -> Procedure[None]:
    """Move a routed model at full speed.

    rate : inches of its full move
    """
    entry = entry_of(battle.setup, unit)
    if is_stationary(entry):
        yield destroyed(battle, unit, "runolfsson.rout.stationary")
        yield from replace_leader(battle, unit)
        return
    goal, _ = foot_on(battle, unit, rout_edge(battle, unit))
    path = rout_path(battle, unit, goal, rate) if entry.flight == "ground" else [goal]
    done = yield from waded(battle, unit, path, rate, entry.flight, leaving=True)
    if leaves_table(done, goal):
        yield left_table(unit, "runolfsson.rout.off-table")
        yield from replace_leader(battle, unit)
    elif done.length > SLACK:
        yield moved(battle, unit, done, "routs", "runolfsson.rout.move")
