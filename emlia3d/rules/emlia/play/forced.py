"""Emlia, chapters 15.5 and 21.2 as play: pushes move the losers of a ranked combat.

The figures are in `emlia3d.rules.emlia.pushing`. What a unit forced into another one suffers,
press hits of a push, breaking ranks under a push and the shifting of skirmishes are not played
yet: a push ends at the first contact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.rules.emlia.play.contact import (
    block_of,
    engaged_by,
    engagement_of,
    engages,
    is_ranked,
    side_towards,
)
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.morale_update import Outlook
from emlia3d.rules.emlia.play.movement import speed_of, straight
from emlia3d.rules.emlia.play.pose import Pose, gone, pose_of
from emlia3d.rules.emlia.pushing import Vector, hold_hits, net_push, push_direction, summed
from emlia3d.rules.emlia.sides import Side
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@dataclass(slots=True)
class Push:
    """What pushes one unit in this resolution.

    by : (pusher, net GSU)
    """

    unit: int
    by: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Shove:
    """Where pushes take a unit.

    wanted, distance : of the summed push, and as far as it goes, GSU
    by_terrain : terrain ended it
    """

    end: Pose
    wanted: float
    distance: float
    by_terrain: bool


@rule("emlia.forced.simultaneous")
def push(battle: Battle, outlook: Outlook) -> Procedure[None]:
    """Net pushes are added up, ranked units choose to give way or hold, then all moves are made."""
    pushes = _pushes(battle)
    held: list[Push] = []
    for one in pushes:
        if is_ranked(battle, one.unit) and (yield from _holds(battle, one)):
            held += [one]
    for one in held:
        yield _hold(battle, one)
    moved = yield from _give_way(battle, [one for one in pushes if one not in held], outlook)
    for one, shove in moved:
        yield from _follow(battle, one, shove, {other.unit for other, _ in moved})


def _pushes(battle: Battle) -> list[Push]:
    """Who is pushed, across each contact by the net of the successes."""
    rows = battle.state.lists["push"]
    scored: dict[tuple[int, int], int] = {}
    for row in range(len(rows)):
        pair = rows.integer("attacker", row), rows.integer("subject", row)
        scored[pair] = scored.get(pair, 0) + rows.integer("successes", row)
    out: dict[int, Push] = {}
    for attacker, subject in sorted(scored):
        net = net_push(scored[attacker, subject], scored.get((subject, attacker), 0))
        if net and may_shift(battle, attacker, subject):
            out.setdefault(subject, Push(subject)).by.append((attacker, net))
    return [out[unit] for unit in sorted(out)]


@rule("emlia.melee.no-shift", "emlia.push.straight-ahead")
def may_shift(battle: Battle, attacker: int, subject: int) -> bool:
    """Only units that still engage shift, and only where all in the combat can move by themselves.

    A ranked unit pushes straight ahead alone: not an enemy at its flank or rear.
    """
    lie = lie_of(battle)
    if not (engages(lie, attacker, subject) or engages(lie, subject, attacker)):
        return False
    if not all(speed_of(battle, unit) for unit in engagement_of(battle, attacker)):
        return False
    return side_towards(battle, attacker, subject) in {None, Side.FRONT}


def _direction(battle: Battle, unit: int, pusher: int) -> Vector:
    """Straight back from the side attacked; any other unit as a ranked pusher faces, or away."""
    side = side_towards(battle, unit, pusher)
    if side is not None:
        return push_direction(side, block_of(battle, unit).ahead)
    if is_ranked(battle, pusher):
        return block_of(battle, pusher).ahead
    lie = lie_of(battle)
    (ax, ay), (bx, by) = lie.centre(pusher), lie.centre(unit)
    east, north = bx - ax, by - ay
    length = max(sqrt(east * east + north * north), 1e-9)
    return east / length, north / length


@rule("emlia.push.sum", "emlia.forced.vector-sum")
def _sum(battle: Battle, one: Push) -> Vector:
    """All pushes on a unit as one straight move."""
    vectors = []
    for pusher, net in one.by:
        east, north = _direction(battle, one.unit, pusher)
        vectors.append((east * net, north * net))
    return summed(vectors)


def _holds(battle: Battle, one: Push) -> Procedure[bool]:
    """The pushed unit's player chooses: it gives way, or holds and takes press hits."""
    choice = yield Decision(
        side=battle.state.units.integer("side", one.unit),
        asks="emlia.push.choices",
        unit=one.unit,
        options=(Order(verb="give-way", unit=one.unit), Order(verb="hold", unit=one.unit)),
    )
    return choice.verb == "hold"


def _hold(battle: Battle, one: Push) -> Event:
    """It stands; for each GSU one hit at base damage 0, half as many on pushers at its front."""
    east, north = _sum(battle, one)
    front = [
        (pusher, net)
        for pusher, net in one.by
        if side_towards(battle, one.unit, pusher) is Side.FRONT
    ]
    taken, back = hold_hits(sqrt(east * east + north * north), [net for _, net in front])
    hits = [(one.by[0][0], one.unit, taken)]
    hits += [(one.unit, pusher, count) for (pusher, _), count in zip(front, back, strict=True)]
    changes: list[Change] = [
        Append(
            table="marker",
            row={"subject": subject, "attacker": attacker, "base_damage": 0, "hits": count,
                 "party": -1},
        )
        for attacker, subject, count in hits
        if count
    ]  # fmt: skip
    return Event(
        name="held its ground", unit=one.unit, target=one.by[0][0], gesture="strike",
        facts={"hits": taken, "back": sum(back)}, because=("emlia.push.hold",),
        changes=tuple(changes), part_of_last=True,
    )  # fmt: skip


@rule("emlia.forced.collision-order")
def _give_way(
    battle: Battle, givers: list[Push], outlook: Outlook
) -> Procedure[list[tuple[Push, Shove]]]:
    """All summed moves from where everyone stands; tells who moved, and how far.

    Each stops at the first that is not moved itself. Two that would end in one place are moved
    one after the other.
    """
    units = [one.unit for one in givers]
    shoves = {one.unit: _shove(battle, one, units) for one in givers}
    bodies = [shove.end.outline.buffer(-1 / 32, join_style="mitre") for shove in shoves.values()]
    moved: list[tuple[Push, Shove]] = []
    for row, one in enumerate(givers):
        shove = shoves[one.unit]
        others = [body for other, body in enumerate(bodies) if other != row]
        if any(bodies[row].intersects(body) for body in others):
            shove = _shove(battle, one, ())
        if shove.by_terrain:
            outlook.terrain_stopped.add(one.unit)
        if shove.distance <= 0:
            continue
        yield Event(
            name="pushed back", unit=one.unit, target=one.by[0][0], gesture="march",
            facts={"distance": round(shove.distance, 2), "wanted": round(shove.wanted, 2)},
            because=("emlia.melee.success", "emlia.push.net", "emlia.push.direction"),
            changes=shove.end.changes(one.unit), part_of_last=True,
        )  # fmt: skip
        moved += [(one, shove)]
    return moved


@rule("emlia.forced.terrain")
def _shove(battle: Battle, one: Push, through: Sequence[int]) -> Shove:
    """How far a unit is moved: terrain slows it as it would in a move of its own, or stops it.

    through : units that do not stop it
    """
    east, north = _sum(battle, one)
    wanted = sqrt(east * east + north * north)
    pose, way = pose_of(battle, one.unit), facing_towards(east, north)
    room = min(wanted, _to_edge(battle, pose, way))
    everyone = range(len(battle.state.units))
    run, open_run = (
        straight(battle, one.unit, pose, way, room, wanted, through=who, forced=True)
        for who in (through, everyone)
    )
    barred = open_run.blocked_by == "obstacle" and open_run.distance <= run.distance
    distance = run.distance if wanted >= 1 / 16 else 0.0
    return Shove(gone(pose, way, distance), wanted, distance, barred)


def _to_edge(battle: Battle, pose: Pose, way: int) -> float:
    """How far a unit can go before a part of it is over the edge, where a push ends."""
    west, south, east, north = pose.outline.bounds
    width, depth = battle.setup.field.size
    ahead_east, ahead_north = unit_vector(way)
    rooms = [
        room / abs(ahead)
        for ahead, room in (
            (ahead_east, width - east if ahead_east > 0 else west),
            (ahead_north, depth - north if ahead_north > 0 else south),
        )
        if ahead
    ]
    return max(min(rooms), 0.0)


@rule("emlia.push.follow")
def _follow(battle: Battle, one: Push, shove: Shove, moved: set[int]) -> Procedure[None]:
    """A pusher that was not moved itself may go after its enemy to keep contact.

    A ranked one only if no other enemy engages it.
    """
    lie, units = lie_of(battle), battle.state.units
    for pusher, _ in one.by:
        others = [foe for foe in engaged_by(battle, pusher) if foe != one.unit]
        if pusher in moved or (is_ranked(battle, pusher) and others):
            continue
        pose = pose_of(battle, pusher)
        gap = lie.distance(pusher, one.unit)
        east, north = _direction(battle, one.unit, pusher)
        way = pose.facing if is_ranked(battle, pusher) else facing_towards(east, north)
        wanted = min(shove.distance, max(gap - 1 / 4, 0.0))
        run = straight(battle, pusher, pose, way, wanted, wanted, forced=True)
        if run.distance <= 0:
            continue
        choice = yield Decision(
            side=units.integer("side", pusher),
            asks="emlia.push.follow",
            unit=pusher,
            options=(
                Order(verb="follow-up", unit=pusher, target=one.unit),
                Order(verb="stand", unit=pusher),
            ),
        )
        if choice.verb == "follow-up":
            yield Event(
                name="followed up", unit=pusher, target=one.unit, gesture="march",
                facts={"distance": round(run.distance, 2)}, because=("emlia.push.follow",),
                changes=gone(pose, way, run.distance).changes(pusher), part_of_last=True,
            )  # fmt: skip
