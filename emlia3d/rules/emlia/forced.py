"""Emlia, chapters 15.5 and 21.2 as play: pushes move the losers of a ranked combat.

The figures are in `emlia3d.rules.emlia.pushing`. What a unit forced into another one suffers,
press hits of a push, breaking ranks under a push and the shifting of skirmishes are not played
yet: a push ends at the first contact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.contact import block_of, engaged_by, is_ranked, side_towards
from emlia3d.rules.emlia.lie import lie_of
from emlia3d.rules.emlia.movement import gone, pose_of, straight
from emlia3d.rules.emlia.pushing import Vector, hold_hits, net_push, push_direction, summed
from emlia3d.rules.emlia.resolve_morale import Outlook
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


@rule("emlia.push.choices", "emlia.push.sequence", "emlia.forced.vector-sum")
def push(battle: Battle, outlook: Outlook) -> Procedure[None]:
    """Net pushes are added up, ranked units choose to give way or hold, then all moves are made."""
    pushes = _pushes(battle)
    held: list[Push] = []
    for one in pushes:
        if is_ranked(battle, one.unit) and (yield from _holds(battle, one)):
            held += [one]
    for one in held:
        yield _hold(battle, one)
    moved: list[Push] = []
    for one in pushes:
        if one not in held and (yield from _give_way(battle, one, outlook)):
            moved += [one]
    for one in moved:
        yield from _follow(battle, one, moved)


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
    """Only units that can move by themselves shift, and only while they are still in contact.

    A ranked unit pushes straight ahead alone: not an enemy at its flank or rear.
    """
    lie = lie_of(battle)
    if not (lie.entry(attacker).speed and lie.entry(subject).speed):
        return False
    side = side_towards(battle, attacker, subject)
    return side in {None, Side.FRONT}


def _direction(battle: Battle, unit: int, pusher: int) -> Vector:
    """Straight back from the side attacked; any other unit as a ranked pusher faces, or away."""
    side = side_towards(battle, unit, pusher)
    if side is not None:
        return push_direction(side, block_of(battle, unit).ahead)
    if is_ranked(battle, pusher):
        return block_of(battle, pusher).ahead
    lie = lie_of(battle)
    (ax, ay), (bx, by) = lie.centre(pusher), lie.centre(unit)
    length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
    return (bx - ax) / length, (by - ay) / length


def _sum(battle: Battle, one: Push) -> Vector:
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


@rule("emlia.forced.simultaneous")
def _hold(battle: Battle, one: Push) -> Event:
    """It stands; for each GSU one hit at base damage 0, half as many on pushers at its front."""
    east, north = _sum(battle, one)
    front = [
        (pusher, net)
        for pusher, net in one.by
        if side_towards(battle, one.unit, pusher) is Side.FRONT
    ]
    taken, back = hold_hits((east * east + north * north) ** 0.5, [net for _, net in front])
    hits = [(one.by[0][0], one.unit, taken)]
    hits += [(one.unit, pusher, count) for (pusher, _), count in zip(front, back, strict=True)]
    changes: list[Change] = [
        Append(
            table="marker",
            row={"subject": subject, "attacker": attacker, "base_damage": 0, "hits": count,
                 "armour": 1, "party": -1},
        )
        for attacker, subject, count in hits
        if count
    ]  # fmt: skip
    return Event(
        name="held its ground", unit=one.unit, target=one.by[0][0], gesture="strike",
        facts={"hits": taken, "back": sum(back)}, because=("emlia.push.hold",),
        changes=tuple(changes), part_of_last=True,
    )  # fmt: skip


@rule("emlia.push.sum", "emlia.forced.terrain", "emlia.forced.collision-order")
def _give_way(battle: Battle, one: Push, outlook: Outlook) -> Procedure[bool]:
    """It is moved straight, as far as terrain and others let it; tells whether it moved."""
    east, north = _sum(battle, one)
    distance = (east * east + north * north) ** 0.5
    if distance < 1 / 16:
        return False
    pose = pose_of(battle, one.unit)
    way = facing_towards(east, north)
    run = straight(battle, one.unit, pose, way, distance, distance, forced=True)
    if run.blocked_by == "obstacle":
        outlook.terrain_stopped.add(one.unit)
    end = gone(pose, way, run.distance)
    if run.distance <= 0 or _over_edge(battle, end.outline.bounds):
        return False
    yield Event(
        name="pushed back", unit=one.unit, target=one.by[0][0], gesture="march",
        facts={"distance": round(run.distance, 2), "wanted": round(distance, 2)},
        because=("emlia.melee.success", "emlia.push.net", "emlia.push.direction"),
        changes=(end.change(one.unit),), part_of_last=True,
    )  # fmt: skip
    return True


def _over_edge(battle: Battle, bounds: tuple[float, float, float, float]) -> bool:
    west, south, east, north = bounds
    size = battle.setup.field.size
    return west < 0 or south < 0 or east > size[0] or north > size[1]


@rule("emlia.push.follow")
def _follow(battle: Battle, one: Push, moved: list[Push]) -> Procedure[None]:
    """A pusher that was not moved itself goes after its enemy to keep contact.

    A ranked one only if no other enemy engages it.
    """
    lie = lie_of(battle)
    for pusher, net in one.by:
        others = [foe for foe in engaged_by(battle, pusher) if foe != one.unit]
        if any(other.unit == pusher for other in moved):
            continue
        if not battle.state.units.value("present", pusher) or (
            is_ranked(battle, pusher) and others
        ):
            continue
        pose = pose_of(battle, pusher)
        gap = lie.distance(pusher, one.unit)
        east, north = _direction(battle, one.unit, pusher)
        way = pose.facing if is_ranked(battle, pusher) else facing_towards(east, north)
        wanted = min(float(net), max(gap - 1 / 4, 0.0))
        run = straight(battle, pusher, pose, way, wanted, wanted, forced=True)
        if run.distance > 0:
            end = gone(pose, way, run.distance)
            yield Event(
                name="followed up", unit=pusher, target=one.unit, gesture="march",
                facts={"distance": round(run.distance, 2)}, because=("emlia.push.follow",),
                changes=(end.change(pusher),), part_of_last=True,
            )  # fmt: skip
