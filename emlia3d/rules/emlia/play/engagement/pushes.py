"""Emlia, chapter 15.5 as play: pushes, their distance and direction, and the reply to them.

The values are in `emlia3d.rules.emlia.tables.pushing`. Nothing is moved here but a ranked unit
that turns to face; press hits are in `emlia3d.rules.emlia.play.engagement.pressing`, moves in
`emlia3d.rules.emlia.play.retreat.forced`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

from emlia3d.battle.decisions import Decision, LazyOptions, OptionGroup, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.events.engagement import TurnedToPush
from emlia3d.rules.emlia.play.engagement.ranks import broken_pose
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import (
    block_of,
    boundary_of,
    engaged_by,
    engagement_of,
    in_reach_of,
    is_ranked,
    side_towards,
    side_towards_body,
    skirmish_of,
)
from emlia3d.rules.emlia.play.situation.pose import QUARTER, pose_of, turned
from emlia3d.rules.emlia.play.situation.reach import engages, reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.pushing import Vector, net_push, push_direction, summed
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

GIVE_WAY, HOLD, BREAK_RANKS = "give-way", "hold", "break-ranks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pusher:
    """The effect of one enemy's successes on the unit that it pushes.

    net : successes left after subtracting the other's
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
    """All pushes on a unit, or on a whole skirmish, in this resolution, and its choice.

    body : the unit alone, or all of its skirmish, which are moved as one
    by : enemies that push it
    shifts : displacements by units within a skirmish, GSU
    """

    body: tuple[int, ...]
    by: tuple[Pusher, ...] = ()
    shifts: tuple[Vector, ...] = ()
    choice: str = GIVE_WAY

    @property
    def unit(self) -> int:
        """The unit, or one that stands for all."""
        return self.body[0]

    @property
    @rule("emlia.push.sum")
    def whole(self) -> Vector:
        """All pushes on the unit as one straight move."""
        pushes = [(one.way[0] * one.distance, one.way[1] * one.distance) for one in self.by]
        return summed([*pushes, *self.shifts])

    @property
    def distance(self) -> float:
        """Length of the summed move, GSU."""
        east, north = self.whole
        return sqrt(east * east + north * north)


T = TypeVar("T")


def in_order(moment: Moment, items: Iterable[T], unit_of: Callable[[T], int]) -> list[T]:
    """In the order in which players choose: whose last activation lies furthest back is first.

    Source: emlia.push.sequence.
    """
    state = moment.state

    def key(item: T) -> tuple[int, int, int]:
        side = state.units.integer("side", unit_of(item))
        return state.sides.integer("last_activation", side), side, unit_of(item)

    return sorted(items, key=key)


@dataclass(frozen=True, slots=True)
class _Scores:
    """Successes across each contact: between two bodies, by the unit that struck."""

    of: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, int]]

    def net(self, by: tuple[int, ...], on: tuple[int, ...]) -> int:
        taken, inflicted = self.of[by, on], self.of.get((on, by), {})
        return net_push(sum(taken.values()), sum(inflicted.values()))


def pushes(moment: Moment) -> Procedure[list[Push]]:
    """Find the pushes across each contact by the net of the successes.

    A ranked unit with a net against an enemy at its flank or rear chooses its effect,
    and a unit that moves its skirmish chooses the direction.
    """
    rows = moment.state.lists["push"]
    scores = _Scores({})
    for row in range(len(rows)):
        attacker, subject = rows.integer("attacker", row), rows.integer("subject", row)
        by, on = body_of(moment, attacker), body_of(moment, subject)
        if by != on and not rows.value("shift", row):
            scored = scores.of.setdefault((by, on), {})
            scored[attacker] = scored.get(attacker, 0) + rows.integer("successes", row)
    nets = {
        (by, on): net
        for by, on in sorted(scores.of)
        if (net := scores.net(by, on)) and may_shift(moment, by, on)
    }
    askew = [pair for pair in nets if not pushes_ahead(moment, *pair)]
    turned_about: dict[tuple[tuple[int, ...], tuple[int, ...]], Pusher | None] = {}
    for pair in in_order(moment, askew, lambda pair: pair[0][0]):
        turned_about[pair] = yield from _not_facing(moment, pair[0][0], pair[1], nets[pair])
    out: dict[tuple[int, ...], list[Pusher]] = {}
    for (by, on), net in nets.items():
        if (by, on) in turned_about:
            pusher = turned_about[by, on]
        else:
            scored = scores.of[by, on]
            first = min(scored, key=lambda unit: (-scored[unit], unit))
            way = direction(moment, on, scored)
            pusher = Pusher(unit=first, net=net, way=way, distance=net, presses=1)
        if pusher is not None:
            out.setdefault(on, []).append(pusher)
    borne = yield from shifts(moment)
    bodies = sorted({*out, *borne})
    return [Push(one, tuple(out.get(one, ())), tuple(borne.get(one, ()))) for one in bodies]


def net_pushes(moment: Moment, unit: int) -> dict[int, int]:
    """Return how many more successes each enemy has against a unit than it against that enemy."""
    rows, nets = moment.state.lists["push"], dict[int, int]()
    for row in range(len(rows)):
        attacker, subject = rows.integer("attacker", row), rows.integer("subject", row)
        if unit in {attacker, subject}:
            foe, sign = (attacker, 1) if subject == unit else (subject, -1)
            nets[foe] = nets.get(foe, 0) + sign * rows.integer("successes", row)
    return {foe: net for foe, net in nets.items() if net > 0}


def body_of(moment: Moment, unit: int) -> tuple[int, ...]:
    """Return the units that are moved together with one: all of its skirmish, or itself alone."""
    return skirmish_of(moment, unit) or (unit,)


@rule("emlia.melee.no-shift")
def may_shift(moment: Moment, by: Sequence[int], on: Sequence[int]) -> bool:
    """Only units that still engage shift, and only where all in the combat can move themselves."""
    situation = situation_of(moment)
    if not any(engages(situation, a, b) or engages(situation, b, a) for a in by for b in on):
        return False
    return all(speed_of(moment, unit) for unit in engagement_of(moment, by[0]))


@rule("emlia.push.straight-ahead")
def pushes_ahead(moment: Moment, by: Sequence[int], on: Sequence[int]) -> bool:
    """Return a ranked unit pushes straight ahead alone: not an enemy at its flank or rear."""
    return side_towards_body(moment, by[0], on) in {None, UnitEdge.FRONT}


@rule("emlia.mixedeng.move-ranked", "emlia.mixedeng.move-skirmish")
def direction(moment: Moment, on: Sequence[int], scored: Mapping[int, int]) -> Vector:
    """Straight back from the side attacked; any other unit as a ranked pusher faces, or away.

    A skirmish is pushed like one opponent, and pushes a ranked unit from each side on which some
    of it struck, by their successes.
    """
    if is_ranked(moment, on[0]):
        ahead, whole = block_of(moment, on[0]).ahead, sum(scored.values())
        parts = []
        for attacker, successes in sorted(scored.items()):
            side = side_towards(moment, on[0], attacker)
            assert side is not None
            east, north = push_direction(side, ahead)
            parts.append((east * successes / whole, north * successes / whole))
        return summed(parts)
    pusher = min(scored)
    if is_ranked(moment, pusher):
        return block_of(moment, pusher).ahead
    start, end = situation_of(moment).outline(pusher).centroid, boundary_of(moment, on).centroid
    east, north = end.x - start.x, end.y - start.y
    length = max(sqrt(east * east + north * north), 1e-9)
    return east / length, north / length


class AnyWay:
    """Every whole degree, clockwise from north, in which a skirmish may be moved."""

    def __init__(self, unit: int) -> None:
        self._unit = unit

    def for_moment(self, moment: Moment) -> AnyWay:
        """Return the choice of directions, for a unit of the battle as its side knows it."""
        return self

    def refusal(self, order: Order) -> Refusal | None:
        """None if the order names a direction."""
        plain = Order(verb="shift", unit=self._unit, number=order.number)
        if order == plain and order.number is not None and 0 <= order.number < _CIRCLE:
            return None
        return Refusal(
            "emlia.skirmish.shift", "a direction is a whole number of degrees from 0 to 359"
        )


_CIRCLE = 360


@rule("emlia.skirmish.shift")
def shifts(moment: Moment) -> Procedure[dict[tuple[int, ...], list[Vector]]]:
    """Return the displacements of skirmishes by their own strikers, 1 GSU for each success.

    Each striker's player picks the direction, among the eight of the compass or any other.
    """
    rows = moment.state.lists["push"]
    out: dict[tuple[int, ...], list[Vector]] = {}
    for row in in_order(moment, range(len(rows)), lambda row: rows.integer("attacker", row)):
        attacker, subject = rows.integer("attacker", row), rows.integer("subject", row)
        body = skirmish_of(moment, attacker)
        if not rows.value("shift", row) or subject not in body:
            continue
        if not all(speed_of(moment, unit) for unit in engagement_of(moment, attacker)):
            continue
        options = (
            Order(verb="shift", unit=attacker, number=degrees) for degrees in range(0, _CIRCLE, 45)
        )
        choice = yield Decision(
            side=moment.state.units.integer("side", attacker), asks="emlia.skirmish.shift",
            unit=attacker, options=tuple(options), validator=AnyWay(attacker),
        )  # fmt: skip
        assert choice.number is not None
        east, north = unit_vector(facing_of_degrees(choice.number))
        successes = rows.integer("successes", row)
        out.setdefault(body, []).append((east * successes, north * successes))
    return out


_TURNS = {UnitEdge.LEFT: -QUARTER, UnitEdge.RIGHT: QUARTER, UnitEdge.REAR: 2 * QUARTER}


@rule("emlia.push.not-facing")
def _not_facing(
    moment: Moment, unit: int, body: tuple[int, ...], net: int
) -> Procedure[Pusher | None]:
    """Ask a ranked unit how it uses successes against an enemy at its flank or rear.

    It may put it 1 GSU out of its reach, without press hits; or, if it is engaged with none
    else, turn to face it and push half as far, with half the press hits; or leave it there.
    """
    foe = body[0]
    thrust = Order(verb="thrust-out", unit=unit, target=foe)
    face = Order(verb="face-and-push", unit=unit, target=foe)
    alone = not {*engaged_by(moment, unit), *in_reach_of(moment, unit)} - {*body}
    choice = yield Decision(
        side=moment.state.units.integer("side", unit),
        asks="emlia.push.not-facing",
        unit=unit,
        options=(*((face,) if alone else ()), thrust, Order(verb="stand", unit=unit)),
    )
    side = side_towards_body(moment, unit, body)
    assert side is not None
    if choice.verb == "thrust-out":
        # The way out leads away from the enemy's side.
        east, north = push_direction(side, block_of(moment, unit).ahead)
        situation = situation_of(moment)
        gap = float(situation.outline(unit).distance(boundary_of(moment, body)))
        far = reach_of(situation, unit) + 1 - gap
        return Pusher(unit=unit, net=net, way=(-east, -north), distance=far, presses=0)
    if choice.verb == "face-and-push":
        pose = pose_of(moment, unit)
        yield Event(
            facts=TurnedToPush(side=side.value),
            unit=unit,
            target=foe,
            gesture="march",
            because=("emlia.push.not-facing",),
            changes=turned(pose, pose.facing + _TURNS[side]).changes(unit),
            part_of_last=True,
        )
        way = direction(moment, body, {unit: net})
        return Pusher(unit=unit, net=net, way=way, distance=net / 2, presses=0.5)
    return None


@rule("emlia.push.choices")
def choose(moment: Moment, found: list[Push]) -> Procedure[list[Push]]:
    """Each ranked unit that is about to be pushed gives way, holds, or breaks its ranks."""
    chosen = {one.body: one for one in found}
    for one in in_order(moment, found, lambda one: one.unit):
        if not is_ranked(moment, one.unit) or one.distance <= 0:
            continue
        choice = yield Decision(
            side=moment.state.units.integer("side", one.unit),
            asks="emlia.push.choices",
            unit=one.unit,
            options=_choices(moment, one.unit),
        )
        chosen[one.body] = replace(one, choice=choice.verb)
    return list(chosen.values())


def _choices(moment: Moment, unit: int) -> LazyOptions:
    """Return the choices of a unit that is pushed; room to break ranks is sought only on demand."""

    def breaking() -> Iterator[Order]:
        if broken_pose(moment, unit) is not None:
            yield Order(verb=BREAK_RANKS, unit=unit)

    plain = tuple(Order(verb=verb, unit=unit) for verb in (GIVE_WAY, HOLD))
    kinds = (
        OptionGroup(verbs=(GIVE_WAY, HOLD), generate=lambda: plain),
        OptionGroup(verbs=(BREAK_RANKS,), generate=breaking, is_expensive=True),
    )
    return LazyOptions(kinds, by_kind=False)
