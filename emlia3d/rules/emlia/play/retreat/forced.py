"""Emlia, chapter 21.2 as play: forced moves, all at once, and what they run into.

Pushed units and their choices are in `emlia3d.rules.emlia.play.engagement.pushes`, press hits in
`emlia3d.rules.emlia.play.engagement.pressing`.

Holds `emlia.forced`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.changes import Pair, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation, snapped
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.engagement import (
    BorneAlong,
    DrawnIntoTheFight,
    ForcedIntoAFriend,
    ForcedIntoAnEnemy,
    PushedBack,
    RanTogether,
)
from emlia3d.rules.emlia.play.engagement.enveloping import close_round
from emlia3d.rules.emlia.play.engagement.follow_up import blocks_touching, follow, follow_skirmish
from emlia3d.rules.emlia.play.engagement.pressing import (
    apply_broken_ranks,
    held,
    press_of,
    pressed,
    presses,
)
from emlia3d.rules.emlia.play.engagement.pushes import BREAK_RANKS, HOLD, Push, choose, pushes
from emlia3d.rules.emlia.play.engagement.ranks import broken_pose, ranks_broken
from emlia3d.rules.emlia.play.engagement.shoves import (
    SKIN,
    PushedMove,
    apart,
    is_over_brink,
    is_pressed_on,
    shoves_of,
)
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.morale.reasons import shove_because
from emlia3d.rules.emlia.play.situation.contact import (
    engaged_by,
    engagement_of,
    friends_of,
    in_reach_of,
    is_neutral,
    side_towards,
)
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.merging import head_for, joined
from emlia3d.rules.emlia.play.situation.parts import head_of, on_field
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    carried,
    gone,
    placed,
    pose_of,
    reformed,
)
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.leadership import joined_morale
from emlia3d.rules.emlia.tables.pushing import presses_on_meeting
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_PROBE = 1 / 8
"""GSU that a unit would have to go on to be in what stopped it."""


@dataclass(frozen=True, slots=True)
class Collision:
    """A unit that was forced into another one.

    way : of the move
    pushers : the units that moved it
    """

    unit: int
    met: int
    way: int
    pushers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MovedUnit:
    """A unit that was moved, and by what."""

    push: Push
    unit: int
    shove: PushedMove


@rule("emlia.push.sequence")
def push(moment: Moment, outlook: MoraleInputs) -> Procedure[tuple[int, ...]]:
    """Every choice is made on known figures, then hits are laid, then all moves are made at once.

    Pushes are netted and added up; then come the choices, press hits from the places before any
    move, the moves, follow-ups, and what those moved have run into. Gives who was moved.
    """
    found = yield from pushes(moment)
    chosen = yield from choose(moment, found)
    made, following = yield from apply_broken_ranks(moment, chosen, presses(moment, chosen))
    for press in made:
        yield pressed(moment, press)
    for one in chosen:
        if one.choice == HOLD:
            yield held(moment, one)
    givers = [one for one in chosen if one.choice != HOLD]
    bodies = [unit for one in givers for unit in one.body]
    before = {unit: frozenset(_engagers(moment, unit)) for unit in bodies}
    neutral = {one.unit: _neutral_to(moment, one.unit) for one in givers}
    blocks = {one.body: blocks_touching(moment, one.body) for one in givers}
    for unit in [*(one.unit for one in chosen if one.choice == BREAK_RANKS), *following]:
        end = broken_pose(moment, unit)
        if end is not None:
            yield ranks_broken(unit, end, "emlia.push.break-ranks")
    moved = yield from _give_way(moment, givers, outlook)
    friends, enemies = _collisions(moment, moved, before, neutral)
    everyone = {each.unit for each in moved}
    leading = [each for each in moved if each.unit == each.push.unit]
    for each in leading:
        body = each.push.body
        yield from follow(moment, each.push, each.shove.distance, everyone)
        yield from follow_skirmish(moment, body, blocks[body], everyone)
    for each in leading:
        if each.push.choice == BREAK_RANKS:
            enemy = each.push.by[0].unit
            yield from close_round(moment, each.unit, enemy, each.shove.distance)
    for collision in enemies:
        yield from _into_enemy(moment, collision, outlook)
    into = {(collision.unit, collision.met) for collision in friends}
    for collision in friends:
        mutual = (collision.met, collision.unit) in into
        yield _into_friend(moment, collision, outlook, mutual=mutual)
    for each in leading:
        if len(each.push.body) > 1:
            yield from _absorb(moment, each.push.body, moved)
    return tuple(sorted(everyone))


@rule("emlia.forced.simultaneous")
def _give_way(
    moment: Moment, givers: list[Push], outlook: MoraleInputs
) -> Procedure[list[MovedUnit]]:
    """Make all summed moves from the present positions; return the units moved, and how far."""
    movers = [unit for one in givers for unit in one.body]
    shoves: dict[int, PushedMove] = {}
    for one in givers:
        shoves |= shoves_of(moment, one, movers)
    shoves = apart(shoves, {unit: one.unit for one in givers for unit in one.body})
    moved: list[MovedUnit] = []
    for one in givers:
        pushers = tuple(pusher.unit for pusher in one.by)
        move = carried if len(one.body) > 1 else placed
        for unit in one.body:
            shove = shoves[unit]
            if shove.by_terrain:
                outlook.terrain_stopped.add(unit)
            if shove.distance <= 0:
                continue
            yield Event(
                facts=(PushedBack if pushers else BorneAlong)(
                    distance=round(shove.distance, 2), wanted=round(shove.wanted, 2)
                ),
                unit=unit,
                target=pushers[0] if pushers else None,
                gesture="march",
                because=tuple(shove_because(moment, one, unit, shove)),
                part_of_last=True,
                changes=move(moment, unit, shove.end),
            )
            moved.append(MovedUnit(one, unit, shove))
            if is_pressed_on(moment, one) and is_over_brink(moment, unit):
                outlook.swept_away[unit] = pushers
    return moved


def _engagers(moment: Moment, unit: int) -> list[int]:
    """Enemies that engage a unit, or that it engages."""
    return sorted({*engaged_by(moment, unit), *in_reach_of(moment, unit)})


def _neutral_to(moment: Moment, unit: int) -> frozenset[int]:
    return frozenset(other for other in on_field(moment) if is_neutral(moment, unit, other))


def _collisions(
    moment: Moment,
    moved: list[MovedUnit],
    before: Mapping[int, frozenset[int]],
    neutral: Mapping[int, frozenset[int]],
) -> tuple[list[Collision], list[Collision]]:
    """Return the friends and enemies that moved units have been forced into at their ends.

    An enemy is a unit whose combat range they entered and that did not engage them before;
    a friend is a unit that they now overlap, or that stopped them. A skirmish is neither,
    nor is any unit to it.

    before : the units that engaged each unit before the moves
    neutral : the units then in a skirmish that the unit did not belong to
    """
    situation = situation_of(moment)
    friends, enemies = [], []
    for one in moved:
        if len(one.push.body) > 1:
            continue
        unit, shove = one.unit, one.shove
        pushers = tuple(pusher.unit for pusher in one.push.by)
        enemies += [
            Collision(unit, foe, shove.way, pushers)
            for foe in engaged_by(moment, unit)
            if foe not in before[unit] and foe not in neutral[unit]
        ]
        start, end = shove.start.outline, situation.outline(unit)
        stopped = shove.distance < shove.wanted - SKIN
        ahead = gone(shove.end, shove.way, _PROBE).outline
        for friend in whereabouts_of(moment).about(unit, friends_of(moment, unit), _PROBE):
            body = situation.outline(friend).buffer(-SKIN, join_style="mitre")
            new = end.intersects(body) and not start.intersects(body)
            stops = stopped and ahead.intersects(body) and not start.intersects(body)
            if (new or stops) and friend not in neutral[unit]:
                friends.append(Collision(unit, friend, shove.way, pushers))
    return friends, enemies


@rule("emlia.forced.skirmish-absorbs")
def _absorb(moment: Moment, body: tuple[int, ...], moved: list[MovedUnit]) -> Procedure[None]:
    """Let a moved skirmish take in the units that it passed through or came near to.

    Near is within the combat range of one of its units, or of the other.
    """
    situation = situation_of(moment)
    hulls = [
        shapely.convex_hull(shapely.union(one.shove.outline, situation.outline(one.unit)))
        for one in moved
        if one.unit in body
    ]
    passed = shapely.union_all(hulls)
    fight = engagement_of(moment, body[0])
    for other in on_field(moment):
        if other in fight:
            continue
        near = min(body, key=lambda one: (situation.distance(one, other), one))
        reach = max(reach_of(situation, near), reach_of(situation, other))
        through = situation.outline(other).buffer(-SKIN).intersects(passed)
        if through or in_reach(situation.distance(near, other), reach):
            yield Event(
                facts=DrawnIntoTheFight(),
                unit=other,
                target=near,
                because=("emlia.forced.skirmish-absorbs",),
                changes=(Pair(column="joined", a=other, b=near, value=1),),
                part_of_last=True,
            )
            fight = engagement_of(moment, body[0])


@rule("emlia.forced.into-enemy")
def _into_enemy(moment: Moment, met: Collision, outlook: MoraleInputs) -> Procedure[None]:
    """Resolve a unit forced into an enemy's combat range: morale falls, formation stays.

    A ranked enemy presses it, as if it had pushed it too (`emlia.press.into-enemy`).
    """
    units = moment.state.units
    outlook.forced_into_enemy.add(met.unit)
    outlook.enemy_forced_into.add(met.met)
    if not units.value("disordered", met.met):
        outlook.forced_enemy_into_friend |= set(met.pushers)
    yield Event(
        facts=ForcedIntoAnEnemy(),
        unit=met.unit,
        target=met.met,
        gesture="waver",
        because=("emlia.forced.into-enemy",),
        part_of_last=True,
    )
    side = side_towards(moment, met.met, met.unit)
    if presses_on_meeting(side):
        press = press_of(moment, met.met, (met.unit,))
        if press is not None:
            yield pressed(moment, press, "emlia.press.into-enemy")


@rule("emlia.forced.into-friend")
def _into_friend(moment: Moment, met: Collision, outlook: MoraleInputs, *, mutual: bool) -> Event:
    """Resolve a unit forced into a friend: both become open and disordered.

    When the morale of both is settled they will be one (`run_together`).

    mutual : the other was forced into it, too
    """
    outlook.forced_into_friend.add(met.unit)
    outlook.run_into.append((met.unit, met.met))
    if not mutual:
        outlook.friend_forced_into.add(met.met)
    outlook.forced_enemy_into_enemy |= set(met.pushers)
    both = (met.unit, met.met)
    return Event(
        facts=ForcedIntoAFriend(),
        unit=met.unit,
        target=met.met,
        gesture="waver",
        because=(
            "emlia.forced.into-friend",
            "emlia.forced.into-friend.space",
            "emlia.disorder.causes",
        ),
        changes=(
            *placed(moment, met.unit, opened_pose(moment, met.unit, met.way)),
            *placed(moment, met.met, opened_pose(moment, met.met, met.way)),
            *(Set(table="unit", row=unit, column="disordered", value=1) for unit in both),
        ),
        part_of_last=True,
    )


def run_together(moment: Moment, outlook: MoraleInputs) -> Procedure[None]:
    """Units that were forced into each other become one mixed unit, if they are of one side.

    Hits and morale of this resolution were worked for each alone.
    """
    units = moment.state.units
    for pair in outlook.run_into:
        one, other = (head_of(moment, unit) for unit in pair)
        there = units.value("present", one) and units.value("present", other)
        if one == other or not there or units.value("side", one) != units.value("side", other):
            continue
        head = head_for(moment, one, other)
        rest = other if head == one else one
        morale = joined_morale(units.integer("morale", one), units.integer("morale", other))
        yield Event(
            facts=RanTogether(),
            unit=head,
            target=rest,
            because=("emlia.forced.into-friend", "emlia.lead.join.morale"),
            changes=tuple(joined(moment, head, rest, morale)),
            part_of_last=True,
        )


@rule("emlia.forced.into-friend.space")
def opened_pose(moment: Moment, unit: int, way: int) -> Pose:
    """Return where a unit stands that has lost its formation for open.

    It spreads as much to either side and onward, but not back towards what moved it, nor over
    the edge of the field.

    way : facing of the move
    """
    pose = pose_of(moment, unit)
    if pose.drill.formation is Formation.OPEN:
        return pose
    frame, spread = MarchWay.towards(way), reformed(pose, Formation.OPEN, pose.drill.files)
    outlines = np.array([pose.outline, spread.outline], dtype=object)
    (left, rear, right, _), (new_left, new_rear, new_right, _) = frame.bounds(outlines).tolist()
    along, across = rear - new_rear, (left + right - new_left - new_right) / 2
    east, north = frame.east, frame.north
    x, y = spread.x + along * east + across * north, spread.y + along * north - across * east
    end = spread.at(snapped(x), snapped(y), spread.facing)
    west, south, far_east, far_north = end.outline.bounds
    width, depth = moment.setup.field.size
    x = end.x + max(-west, 0.0) - max(far_east - width, 0.0)
    y = end.y + max(-south, 0.0) - max(far_north - depth, 0.0)
    return end.at(snapped(x), snapped(y), end.facing)


Places = tuple[tuple[float, float], ...]


def places_of(moment: Moment) -> Places:
    """Return where all units are, by their rows."""
    units = moment.state.units
    return tuple(zip(units["x"].tolist(), units["y"].tolist(), strict=True))


@rule("emlia.forced.triggers-prepared")
def may_trigger(moment: Moment, before: Places) -> bool:
    """Return whether forced moves may trigger prepared actions: any unit has moved."""
    return places_of(moment) != before
