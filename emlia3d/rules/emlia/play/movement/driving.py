"""Emlia, chapter 12 as play: gears, and turns that require a run before them.

The values are in `emlia3d.rules.emlia.tables.modes`. The speed of a unit with gears in its last
move is in the column "last_speed": GSU, negative in reverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Leg, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, turn_between, unit_vector
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE
from emlia3d.rules.emlia.events.movement import RolledOn
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.situation.allowance import over_edge, straight
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, placed, pose_of, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import (
    TURN,
    Movement,
    may_go_at,
    reverse_of,
    run_before_turn,
    slowest,
)

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_STRAIGHT = REACH_TOLERANCE
_SLANT = 1 / 64
"""Sideways drift allowed for each GSU of a march, because facings are in 1/64 of a degree."""

Path: TypeAlias = Sequence[tuple[Leg, Pose]]

_SHIFTS = {"move": 1, "double-pace": 2}


def driven_by(moment: Moment, unit: int, mode: str | None = None) -> Movement | None:
    """Return the unit's movement in a mode, if it has gears or its turns are limited; else None.

    mode : its usual one where none is given
    """
    movement = situation_of(moment).entry(unit).by_mode(mode or mode_of(moment, unit))
    return movement if movement and (movement.gears or movement.turns) else None


def last_speed(moment: Moment, unit: int) -> float:
    """Return its speed in its last move, GSU; negative in reverse."""
    return float(moment.state.units.value("last_speed", unit))


def speed_of_drive(
    moment: Moment, unit: int, movement: Movement, path: Path, cost: float, shifts: int
) -> float | Refusal:
    """Return the speed of a drive, negative in reverse, if it keeps to its gears and turns.

    path : the legs, and where each ends; what they cost together is the speed
    shifts : gears that it may shift, 2 at Double Pace
    """
    start = pose_of(moment, unit)
    refused = _askew(movement, start, path)
    if refused is not None:
        return refused
    speed = _settled(movement, -cost if _is_reverse(start, path) else cost)
    most = movement.speed * (1 if movement.gears else shifts)
    if abs(speed) > most:
        return Refusal("emlia.move.normal", f"the move costs {cost:.1f} GSU, there are {most:g}")
    if movement.gears and not may_go_at(movement.gears, last_speed(moment, unit), speed, shifts):
        return Refusal("emlia.mode.accel", f"none of its available gears has the speed {speed:g}")
    kept = max(-movement.speed, min(speed, movement.speed))
    return _turns_early(start, path, run_before_turn(movement, kept)) or speed


def _steps(start: Pose, path: Path) -> Iterator[tuple[Leg, Pose, Pose]]:
    """Each leg with where it begins and ends."""
    ends = [start, *(pose for _, pose in path)]
    for (leg, _), (before, after) in zip(path, pairwise(ends), strict=True):
        yield leg, before, after


def _gone_ahead(before: Pose, after: Pose) -> tuple[float, float]:
    """Return how far a march led along the facing at its end, and how far aside of that; GSU."""
    east, north = unit_vector(after.facing)
    (ax, ay), (bx, by) = before.middle, after.middle
    dx, dy = bx - ax, by - ay
    return dx * east + dy * north, abs(dx * north - dy * east)


def _is_reverse(start: Pose, path: Path) -> bool:
    return any(
        leg.step == "march" and _gone_ahead(before, after)[0] < 0
        for leg, before, after in _steps(start, path)
    )


def _askew(movement: Movement, start: Pose, path: Path) -> Refusal | None:
    """Refused unless each march goes along its facing, all forward or all in reverse."""
    ways = set()
    for leg, before, after in _steps(start, path):
        if leg.step != "march":
            continue
        if movement.turns and before.facing != after.facing:
            return Refusal(
                "emlia.mode.turn-limited", "it can only turn between straight segments, after a run"
            )
        ahead, aside = _gone_ahead(before, after)
        if aside > _STRAIGHT + abs(ahead) * _SLANT:
            return Refusal("emlia.mode.accel", "it can only move straight ahead or in reverse")
        ways.add(ahead >= 0)
    if len(ways) > 1:
        return Refusal("emlia.mode.accel.reverse", "a move is either forward or in reverse")
    return None


def _turns_early(start: Pose, path: Path, run: float) -> Refusal | None:
    """Refused where a turn is sharper than 45 degrees, or comes before its run."""
    since = 0.0
    for leg, before, after in _steps(start, path):
        if leg.step == "march":
            since += abs(_gone_ahead(before, after)[0])
        elif leg.step == "turn" and run:
            if abs(turn_between(before.facing, after.facing)) > TURN * 64:
                return Refusal("emlia.mode.turn-limited", "a turn is at most 45 degrees")
            if since < run - _STRAIGHT:
                return Refusal("emlia.mode.turn-limited", f"it must run {run:g} GSU before a turn")
            since = 0.0
    return None


def _settled(movement: Movement, speed: float) -> float:
    """Return a speed that rounding has put just above the top of a gear, at that top."""
    tops = (*movement.gears, *(-top for top in reverse_of(movement.gears)), movement.speed)
    return next((top for top in tops if abs(speed - top) <= _STRAIGHT), speed)


def noted(moment: Moment, unit: int, speed: float) -> tuple[Change, ...]:
    """Return the change that keeps what a unit with gears has gone at; none for others."""
    movement = driven_by(moment, unit)
    if movement is None or not movement.gears:
        return ()
    kept = _settled(movement, max(-movement.speed / 2, min(speed, movement.speed)))
    return (Set(table="unit", row=unit, column="last_speed", value=round(kept, 3)),)


def coast(battle: Battle, unit: int) -> Procedure[None]:
    """Move a unit with gears that has not moved straight on at its lowest speed.

    As far as it can; where that is 0, it has come to a halt.
    """
    movement, last = driven_by(battle, unit), last_speed(battle, unit)
    moved = battle.state.units.value("moved", unit)
    if movement is None or not movement.gears or moved or not last:
        return
    speed = slowest(movement.gears, last)
    pose = pose_of(battle, unit)
    way = (pose.facing + (FULL_CIRCLE // 2 if speed < 0 else 0)) % FULL_CIRCLE
    run = straight(battle, unit, pose, way, abs(speed), abs(speed))
    end = gone(pose, way, run.distance)
    if over_edge(battle, end) is not None:
        end = pose
    yield from free_strike.provoked(battle, unit, end)
    if not battle.state.units.value("present", unit):
        return
    yield Event(
        facts=RolledOn(path=((end.x, end.y),), speed=speed),
        unit=unit,
        gesture="march",
        because=("emlia.mode.accel.must-move",),
        changes=(*placed(battle, unit, end), *noted(battle, unit, speed)),
    )


def drives(moment: Moment, unit: int, verb: str) -> Iterator[Order]:
    """Yield a shortlist of drives: top of each gear and lowest speed, straight or turning.

    Not all of them are allowed where the unit stands.
    """
    movement = driven_by(moment, unit)
    if movement is None:
        return
    shifts, last = _SHIFTS[verb], last_speed(moment, unit)
    if movement.gears:
        wanted = {slowest(movement.gears, last, shifts), *movement.gears}
        wanted |= {-top for top in reverse_of(movement.gears)}
        speeds = [s for s in wanted if s and may_go_at(movement.gears, last, s, shifts)]
    else:
        speeds = [movement.speed * shifts]
    for speed in sorted(speeds, reverse=True):
        for degrees in (0.0, TURN, -TURN):
            order = _drive(moment, unit, movement, verb, speed, degrees)
            if order is not None:
                yield order


def _drive(
    moment: Moment, unit: int, movement: Movement, verb: str, speed: float, degrees: float
) -> Order | None:
    """Return a run at a speed, with one turn as soon as it may be made."""
    pose, legs = pose_of(moment, unit), []
    kept = min(speed, movement.speed)
    first = run_before_turn(movement, kept) if degrees else abs(speed)
    if first >= abs(speed) and degrees:
        return None
    for distance, turn in ((first, degrees), (abs(speed) - first, 0.0)):
        way = (pose.facing + (FULL_CIRCLE // 2 if speed < 0 else 0)) % FULL_CIRCLE
        if distance:
            pose = gone(pose, way, distance)
            legs.append(pose.leg("march"))
        if turn:
            pose = turned(pose, (pose.facing + facing_of_degrees(turn)) % FULL_CIRCLE)
            legs.append(pose.leg("turn"))
    return Order(verb=verb, unit=unit, legs=tuple(legs))
