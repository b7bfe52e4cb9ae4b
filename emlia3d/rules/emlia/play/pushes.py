"""Emlia, chapter 15.5 as play: who is pushed, how far and which way, and what he does about it.

The figures are in `emlia3d.rules.emlia.pushing`. Nothing is moved here but a ranked unit that
turns to face; press hits are in `emlia3d.rules.emlia.play.pressing`, moves in
`emlia3d.rules.emlia.play.forced`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play.contact import (
    block_of,
    engaged_by,
    engagement_of,
    engages,
    in_reach_of,
    is_ranked,
    reach_of,
    side_towards,
)
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.movement import speed_of
from emlia3d.rules.emlia.play.pose import QUARTER, pose_of, turned
from emlia3d.rules.emlia.play.ranks import broken_pose
from emlia3d.rules.emlia.pushing import Vector, net_push, push_direction, summed
from emlia3d.rules.emlia.sides import Side
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

GIVE_WAY, HOLD, BREAK_RANKS = "give-way", "hold", "break-ranks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pusher:
    """What one enemy's successes do to the unit that it pushes.

    net : successes that are left after the other's
    way : unit vector of the push
    distance : GSU that it would push alone
    presses : the share of its press hits that it may inflict: 1, a half, or none
    """

    unit: int
    net: int
    way: Vector
    distance: float
    presses: float


@dataclass(frozen=True, slots=True)
class Push:
    """All that pushes one unit in this resolution, and what it has chosen to do."""

    unit: int
    by: tuple[Pusher, ...]
    choice: str = GIVE_WAY

    @property
    @rule("emlia.push.sum")
    def whole(self) -> Vector:
        """All pushes on the unit as one straight move."""
        return summed((one.way[0] * one.distance, one.way[1] * one.distance) for one in self.by)

    @property
    def distance(self) -> float:
        """Length of the summed move, GSU."""
        east, north = self.whole
        return sqrt(east * east + north * north)


T = TypeVar("T")


def in_order(battle: Battle, items: Iterable[T], unit_of: Callable[[T], int]) -> list[T]:
    """In the order in which players choose: whose last activation lies furthest back is first.

    Source: emlia.push.sequence.
    """
    state = battle.state

    def key(item: T) -> tuple[int, int, int]:
        side = state.units.integer("side", unit_of(item))
        return state.sides.integer("last_activation", side), side, unit_of(item)

    return sorted(items, key=key)


def pushes(battle: Battle) -> Procedure[list[Push]]:
    """Who is pushed across each contact by the net of the successes, and which way.

    A ranked unit whose net is against an enemy at its flank or rear is asked what it makes of it.
    """
    rows = battle.state.lists["push"]
    scored: dict[tuple[int, int], int] = {}
    for row in range(len(rows)):
        pair = rows.integer("attacker", row), rows.integer("subject", row)
        scored[pair] = scored.get(pair, 0) + rows.integer("successes", row)
    nets = {
        (attacker, subject): net
        for attacker, subject in sorted(scored)
        if (net := net_push(scored[attacker, subject], scored.get((subject, attacker), 0)))
        and may_shift(battle, attacker, subject)
    }
    askew = [pair for pair in nets if not pushes_ahead(battle, *pair)]
    turned_about: dict[tuple[int, int], Pusher | None] = {}
    for pair in in_order(battle, askew, lambda pair: pair[0]):
        turned_about[pair] = yield from _not_facing(battle, *pair, nets[pair])
    out: dict[int, list[Pusher]] = {}
    for (attacker, subject), net in nets.items():
        if (attacker, subject) in turned_about:
            pusher = turned_about[attacker, subject]
        else:
            way = direction(battle, subject, attacker)
            pusher = Pusher(unit=attacker, net=net, way=way, distance=net, presses=1)
        if pusher is not None:
            out.setdefault(subject, []).append(pusher)
    return [Push(unit, tuple(out[unit])) for unit in sorted(out)]


@rule("emlia.melee.no-shift")
def may_shift(battle: Battle, attacker: int, subject: int) -> bool:
    """Only units that still engage shift, and only where all in the combat can move themselves."""
    lie = lie_of(battle)
    if not (engages(lie, attacker, subject) or engages(lie, subject, attacker)):
        return False
    return all(speed_of(battle, unit) for unit in engagement_of(battle, attacker))


@rule("emlia.push.straight-ahead")
def pushes_ahead(battle: Battle, attacker: int, subject: int) -> bool:
    """A ranked unit pushes straight ahead alone: not an enemy at its flank or rear."""
    return side_towards(battle, attacker, subject) in {None, Side.FRONT}


def direction(battle: Battle, unit: int, pusher: int) -> Vector:
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


_TURNS = {Side.LEFT: -QUARTER, Side.RIGHT: QUARTER, Side.REAR: 2 * QUARTER}


@rule("emlia.push.not-facing")
def _not_facing(battle: Battle, unit: int, foe: int, net: int) -> Procedure[Pusher | None]:
    """What a ranked unit makes of successes against an enemy at its flank or rear.

    It may put him 1 GSU out of its reach, without press hits; or, if it is engaged with nobody
    else, turn to face him and push half as far, with half the press hits; or leave him there.
    """
    thrust = Order(verb="thrust-out", unit=unit, target=foe)
    face = Order(verb="face-and-push", unit=unit, target=foe)
    alone = not {*engaged_by(battle, unit), *in_reach_of(battle, unit)} - {foe}
    choice = yield Decision(
        side=battle.state.units.integer("side", unit),
        asks="emlia.push.not-facing",
        unit=unit,
        options=(*((face,) if alone else ()), thrust, Order(verb="stand", unit=unit)),
    )
    side = side_towards(battle, unit, foe)
    assert side is not None
    if choice.verb == "thrust-out":
        # The far way from the side on which he stands is the way out.
        east, north = push_direction(side, block_of(battle, unit).ahead)
        lie = lie_of(battle)
        far = reach_of(lie, unit) + 1 - lie.distance(unit, foe)
        return Pusher(unit=unit, net=net, way=(-east, -north), distance=far, presses=0)
    if choice.verb == "face-and-push":
        pose = pose_of(battle, unit)
        yield Event(
            name="turned to push", unit=unit, target=foe, gesture="march",
            facts={"side": side.value}, because=("emlia.push.not-facing",),
            changes=turned(pose, pose.facing + _TURNS[side]).changes(unit), part_of_last=True,
        )  # fmt: skip
        way = direction(battle, foe, unit)
        return Pusher(unit=unit, net=net, way=way, distance=net / 2, presses=0.5)
    return None


@rule("emlia.push.choices")
def choose(battle: Battle, found: list[Push]) -> Procedure[list[Push]]:
    """Each ranked unit that is about to be pushed gives way, holds, or breaks its ranks."""
    chosen = {one.unit: one for one in found}
    for one in in_order(battle, found, lambda one: one.unit):
        if not is_ranked(battle, one.unit) or one.distance <= 0:
            continue
        verbs = [GIVE_WAY, HOLD]
        if broken_pose(battle, one.unit) is not None:
            verbs.append(BREAK_RANKS)
        choice = yield Decision(
            side=battle.state.units.integer("side", one.unit),
            asks="emlia.push.choices",
            unit=one.unit,
            options=tuple(Order(verb=verb, unit=one.unit) for verb in verbs),
        )
        chosen[one.unit] = replace(one, choice=choice.verb)
    return list(chosen.values())
