"""What the modules of the rules answer about a moment of a battle, subject by subject, as text.

Each subject is a folder or a part of one, so that a change of its text tells where to look. The
words of an answer are left out, so that other words change no record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.area import Observer
from emlia3d.force import Formation
from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.acting import actions, checks, declaring, triggers
from emlia3d.rules.emlia.play.charges import charging, preparing, shelter, structures
from emlia3d.rules.emlia.play.combat import (
    close_combat,
    concentrated,
    disengage,
    free_strike,
    melee_orders,
    scenery,
    shooting,
    targets,
    volley,
)
from emlia3d.rules.emlia.play.engagement import (
    enveloping,
    follow_up,
    pressing,
    pushes,
    ranks,
    shoves,
)
from emlia3d.rules.emlia.play.free_actions import dividing, hiding, joining, rally
from emlia3d.rules.emlia.play.morale import leading, losses, morale_update
from emlia3d.rules.emlia.play.morale.friends_in_view import noted_by
from emlia3d.rules.emlia.play.movement import (
    closeness,
    driving,
    leaving,
    manoeuvre,
    shortest_paths,
    sidesteps,
)
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.movement.reachable_area import extents
from emlia3d.rules.emlia.play.questions.answer import answer
from emlia3d.rules.emlia.play.retreat import (
    compulsion,
    fallback_goals,
    leave_skirmish,
    retreat_path,
)
from emlia3d.rules.emlia.play.retreat.forced import opened_pose
from emlia3d.rules.emlia.play.sight import awareness, covering
from emlia3d.rules.emlia.play.sight.area import level_at, sight_area
from emlia3d.rules.emlia.play.situation import (
    allowance,
    arms,
    blast,
    contact,
    fights,
    flight,
    going,
    pose,
    reach,
)
from emlia3d.rules.emlia.play.situation.free_space import FreeSpace
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, initiative, objectives, timing
from tests.rules.emlia.as_text import text

Answers = Iterator[object]
Subject = Callable[[Battle, int, Sequence[int]], Answers]

BEARINGS = (0, 40 * 64, 135 * 64, 270 * 64)
AROUND = ((0.0, 3.0), (2.5, -6.0), (-14.0, 1.0))
"""Places round a unit, GSU."""


def units_of(battle: Battle) -> list[int]:
    """The units on the field that are part of no other."""
    units = battle.state.units
    present = [row for row in range(len(units)) if units.value("present", row)]
    return [row for row in present if head_of(battle, row) == row]


def answers_of(battle: Battle, subject: Subject, most: int | None = None) -> str:
    """All that the rules answer on a subject, unit by unit, as text; of so many units at most."""
    units = units_of(battle)
    rest = {unit: [other for other in units if other != unit] for unit in units}
    lines = [
        f"{unit}: {text(a)}" for unit in units[:most] for a in subject(battle, unit, rest[unit])
    ]
    return "\n".join(lines)


def ground(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Speed, ground that slows or bars, room to stand, what is over and beside the unit."""
    here = pose.pose_of(battle, unit)
    modes = going.modes_of(battle, unit)
    yield modes, going.mode_of(battle, unit) if modes else ""
    yield from (allowance.speed_of(battle, unit, mode) for mode in modes)
    for mode in modes:
        found = going.going_of(battle, unit, mode)
        yield found.slow, found.barred
    yield going.brinks_of(battle, unit)
    yield [allowance.may_form(battle, unit, form) for form in Formation]
    yield allowance.obstacles_to(battle, unit), flight.landing_barred(battle, unit, 2.0)
    room = FreeSpace(battle, unit)
    centre = situation_of(battle).centre(unit)
    for east, north in AROUND:
        end = here.at(here.x + east, here.y + north, here.facing)
        yield room.holds(end.outline), room.side_effects(end.outline)
        yield allowance.no_room(battle, unit, end), allowance.has_room(battle, unit, end)
        yield flight.flight_cost(battle, here, end), flight.foot_at(battle, end)
        place = centre[0] + east, centre[1] + north
        yield blast.struck_within(battle, place, 4.0), blast.overhead_at(battle, place, 2)
    for way in BEARINGS:
        march = allowance.straight(battle, unit, here, way, 20.0, 15.0)
        yield march.distance, march.cost
        yield from (pose.turned(here, way), pose.wheeled(here, way), pose.turn_cost(here, way, 15))
    for form in Formation:
        yield pose.reformed(here, form, max(here.drill.files - 1, 1)).outline
    yield opened_pose(battle, unit, BEARINGS[1]), flight.can_fly(battle, unit)


def touch(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Enemies, friends, engagements, the sides of blocks, and the members that reach an enemy."""
    situation = situation_of(battle)
    yield contact.enemies_of(battle, unit), contact.friends_of(battle, unit)
    yield contact.engaged_by(battle, unit), contact.in_reach_of(battle, unit)
    yield contact.engagement_of(battle, unit), contact.skirmish_of(battle, unit)
    yield (
        fights.fight_of(battle, unit),
        fights.kind_of(battle, unit),
        reach.reach_of(situation, unit),
    )
    melee = contact.melee_of(battle, unit)
    yield melee, contact.able_in(battle, unit, melee)
    for other in others:
        body = contact.skirmish_of(battle, other) or (other,)
        yield situation.distance(unit, other), contact.bearing(battle, unit, other)
        yield contact.touches(battle, unit, body), contact.is_neutral(battle, unit, other)
        yield contact.engagement_of(battle, unit, other), fights.fight_of(battle, unit, other)
        yield contact.side_towards(battle, unit, other), contact.side_met(battle, unit, other)
        yield contact.side_towards_body(battle, unit, body), contact.side_met_by(battle, unit, body)
        yield contact.fronts_of(battle, unit, other), contact.able_against(battle, unit, other)
        yield arms.able_for(battle, unit, other, None), arms.reaches(battle, unit, other)


def sight(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Sight, cover and concealment between units, with reasons, and awareness of each other."""
    yield awareness.unknown_to(battle, unit), awareness.remembered(battle, unit)
    for other in others:
        seen = replace(answer(battle, unit, other, 1), text="")
        yield seen, awareness.is_aware(battle, unit, other)
        yield awareness.may_be_subject(battle, unit, other)
        yield [covering.cover_of(battle, unit, other, damage) for damage in (0, 2, 5)]
        yield [
            covering.part_seen_from(battle, unit, p, 1) for p in situation_of(battle).parts(other)
        ]
        yield (
            level_at(battle, unit, situation_of(battle).centre(other)),
            awareness.found(battle, unit, other),
        )


def viewshed(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """What a unit sees of places on the whole field, and what is seen of it from there."""
    width, depth = battle.setup.field.size
    grid = np.meshgrid(np.arange(3, width, 9), np.arange(4, depth, 11))
    spots = np.stack(grid, axis=-1).reshape(-1, 2)
    for post in (Observer(name="", unit=unit), Observer(name="", place=(width / 2, depth / 3))):
        if post.unit is None and others and unit > min(others):
            continue
        for height, reverse in ((1.0, False), (2.5, True)):
            looks = sight_area(battle, post, spots, height, reverse)
            yield looks.levels, sorted(looks.because.items()), sorted(looks.hides.items())


def checked(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Dice, who speaks for a mixed unit, which actions it may take, and what leads it."""
    yield (
        checks.losses_of(battle, unit),
        declaring.fitting(battle, situation_of(battle).parts(unit)),
    )
    yield declaring.orders(battle, unit), triggers.fastest(battle, unit)
    for name in ("detect hidden", "aimed fire", "close combat", "conceal self", "improve morale"):
        yield checks.attempt_of(battle, unit, name), actions.may_take(battle, unit, name)
    yield leading.leader_of(battle, unit), leading.leader_place(battle, unit)
    yield leading.leader_value(battle, unit), leading.subjects_of(battle, unit)
    yield [leading.appeal_of(battle, unit, one) for one in contact.friends_of(battle, unit)]
    yield noted_by(battle, unit), morale_update.value_of(battle, unit)
    here = pose.pose_of(battle, unit)
    yield [losses.poses_after(here, lost) for lost in range(1, min(here.drill.count, 4))]
    side = battle.state.units.integer("side", unit)
    yield morale_update.general_of(battle, side), SYSTEM.ranges(battle, unit)
    yield initiative.conditions_of(battle, unit), [*initiative.calls(battle, unit)]
    yield timing.timing_of(battle, unit), activation.may_delay(battle, unit)


def attacks(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Attacks on offer, what weighs on them, free strikes, and how engaged units may get away."""
    melee = contact.melee_of(battle, unit)
    yield melee_orders.melee_options(battle, unit), close_combat.strengths_of(battle, unit, melee)
    yield close_combat.in_rough(battle, unit), disengage.attempts_of(battle, unit)
    yield disengage.disengage_options(battle, unit), disengage.subjects_of(battle, unit)
    for order in (*shooting.shooting_options(battle, unit), *structures.fire_options(battle, unit)):
        yield order
        yield [*shooting.aims_of(battle, order)] if order.target is not None else ()
    for order in (*volley.area_options(battle, unit), *structures.volley_options(battle, unit)):
        yield order
        if order.point is not None:
            yield volley.lobs_at(battle, unit, order.point, order.number or 0)
    yield concentrated.concentrated_options(battle, unit), scenery.scenery_options(battle, unit)
    yield [scenery.hewers(battle, unit, row) for row in scenery.destructible(battle)]
    here = pose.pose_of(battle, unit)
    for way in BEARINGS:
        path = [pose.gone(here, way, 4.0), pose.gone(here, way, 9.0)]
        yield free_strike.strikers(battle, unit, path[-1], path)
    yield free_strike.barred_of(battle, unit), arms.weapons_of(battle, unit)
    for foe in melee.enemies:
        weapon = arms.weapon_of(battle, unit)
        attack = close_combat.MeleeAttack(
            unit=unit, row=unit, weapon=weapon, melee=melee, occasion=close_combat.PLAIN
        )
        yield close_combat.blow_at(battle, attack, foe)
        yield targets.focus_on(battle, unit, foe)


def pushed(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Pushes, presses, pursuit, breaking ranks, and going round an enemy."""
    body = pushes.body_of(battle, unit)
    yield body, ranks.may_break_ranks(battle, unit), shoves.is_over_brink(battle, unit)
    if contact.is_ranked(battle, unit):
        yield ranks.broken_pose(battle, unit)
    situation, spots = situation_of(battle), pose.by_slot(battle, unit)
    for foe in contact.enemies_of(battle, unit):
        theirs = pushes.body_of(battle, foe)
        if not contact.is_ranked(battle, unit):
            barred = allowance.obstacles_to(battle, unit, (foe,))
            outline, far = situation.outline(foe), reach.reach_of(situation, unit)
            if situation.distance(unit, foe) < 12:
                yield enveloping.surrounding(
                    spots, situation.radius(unit), outline, far, 15.0, barred
                )
            continue
        if unit not in theirs:
            yield pressing.press_of(battle, unit, theirs)
            yield pressing.press_of(battle, unit, theirs, 0.5)
            yield follow_up.pursuit(battle, unit, theirs)
            here = pose.pose_of(battle, unit)
            yield follow_up.realigned(battle, unit, here, theirs)
            yield pushes.pushes_ahead(battle, (unit,), theirs)
    for foe in contact.engaged_by(battle, unit):
        yield pushes.may_shift(battle, (foe,), body), pushes.direction(battle, body, {foe: 2})
    for way in BEARINGS:
        pusher = _pusher(others[0], way)
        push = pushes.Push(body=body, by=(pusher,))
        yield shoves.shoves_of(battle, push, [*body]), shoves.is_pressed_on(battle, push)
    yield shoves.apart(_run_at(battle, unit, others), {row: row for row in (unit, *others)})


def _pusher(foe: int, way: int) -> pushes.Pusher:
    return pushes.Pusher(unit=foe, net=2, way=unit_vector(way), distance=7.5, presses=1.0)


def _run_at(battle: Battle, unit: int, others: Sequence[int]) -> dict[int, shoves.PushedMove]:
    """The moves by which all other units run at a unit that is moved aside."""
    situation = situation_of(battle)
    x, y = situation.centre(unit)
    found = {unit: _shove(pose.pose_of(battle, unit), BEARINGS[1], 6.0)}
    for other in others:
        east, north = situation.centre(other)
        start, way = pose.pose_of(battle, other), facing_towards(x - east, y - north)
        found[other] = _shove(start, way, 8.0 + 4 * other)
    return found


def _shove(start: pose.Pose, way: int, distance: float) -> shoves.PushedMove:
    return shoves.PushedMove(
        start=start,
        way=way,
        wanted=distance + 1,
        distance=distance,
        by_terrain=True,
        outline=start.outline,
    )


def moves(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Moves on offer, ways round, the ground in reach, and the edges it may leave over."""
    yield manoeuvre.posture_options(battle, unit)
    yield closeness.conduct(battle, unit), manoeuvre.may_take_cover(battle, unit)
    yield [leaving.may_leave(battle, unit, edge) for edge in leaving.EDGES]
    yield driving.last_speed(battle, unit), closeness.closer_places(battle, unit)
    here, nearby, hidden = pose.pose_of(battle, unit), NearbyBodies(battle, unit), ()
    speed = allowance.speed_of(battle, unit)
    width, depth = battle.setup.field.size
    for way in BEARINGS:
        facing = pose.turned(here, way)
        end = pose.gone(here, way, 5.0)
        yield nearby.room_before(facing, 12.0), closeness.is_closer(battle, unit, end)
        yield manoeuvre.short_of_edge(facing, way, 40.0, (width, depth))
        yield shortest_paths.is_barred_by_terrain(battle, unit, way, 15.0)
    yield [*islice(shortest_paths.corners_round(battle, unit, 20.0), 2)]
    yield shortest_paths.way_round(battle, unit, (width - 3, depth / 2), hidden)
    for other in others[:1]:
        yield sidesteps.detour(battle, unit, situation_of(battle).outline(other), 30.0, hidden)
    if speed and unit % 2 == 0 and not flight.can_fly(battle, unit):
        yield next(extents(battle, unit, speed))


def charges(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Where charges end, notes that may be prepared, and shelter from enemies."""
    yield [*structures.charge_options(battle, unit)], [*preparing.prepare_options(battle, unit)]
    foes = contact.enemies_of(battle, unit)
    for foe in foes[:2]:
        yield charging.may_charge(battle, unit, foe), charging.goals_of(battle, unit, foe)
        yield charging.charge_pose(battle, unit, foe)
        yield charging.brought_home(battle, unit, foe), charging.aligned_pose(battle, unit, foe)
        yield shelter.is_sheltered(battle, unit, (foe,), cover=True)
    if unit % 3 == 0:
        yield np.array([*shelter.sheltered_places(battle, unit, foes[:1])]).reshape(-1, 2)


def retreats(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Where compulsory moves lead, and the ways out of a skirmish."""
    yield compulsion.is_compelled(battle, unit), compulsion.at_lines_point(battle, unit)
    yield fallback_goals.worst_shooter(battle, unit), [*fallback_goals.friends_for(battle, unit)]
    yield [*fallback_goals.cover_for(battle, unit)], retreat_path.bearing_home(battle, unit)
    if allowance.speed_of(battle, unit):
        yield retreat_path.flight(battle, unit, 1, False)
        yield retreat_path.way_home(battle, unit, 1 + unit % 2, routed=bool(unit % 2))
    yield [*leave_skirmish.slip_out_options(battle, unit)]
    yield [leave_skirmish.way_out(battle, unit, degrees) for degrees in (0, 90, 225)]


def free(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Free actions: hiding, searching, passing on, joining, dividing, improving morale."""
    yield hiding.conceal_options(battle, unit), [*hiding.detect_options(battle, unit)]
    yield hiding.likeliest(battle, unit), [*hiding.pass_options(battle, unit)]
    yield hiding.may_conceal(battle, unit), hiding.shot_at(battle, unit, others)
    for foe in contact.enemies_of(battle, unit):
        yield hiding.search_of(battle, unit, foe), hiding.may_detect(battle, unit, foe)
    yield [*joining.join_options(battle, unit)], joining.split_options(battle, unit)
    yield [joining.may_join(battle, unit, friend) for friend in contact.friends_of(battle, unit)]
    yield rally.rally_options(battle, unit), dividing.may_be_divided(battle, unit)
    plain = dividing.may_be_divided(battle, unit) is None
    for order in (*dividing.ways(battle, unit), *dividing.shares(battle, unit)) if plain else ():
        found = dividing.division(battle, unit, order)
        yield order
        yield () if found is None else (found.stays, found.leaves, found.leaving)
    yield activation.options_of(battle, unit)


def turn(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """What holds of the whole battle; asked once, of the first unit."""
    if any(other < unit for other in others):
        return
    yield timing.waiting_units(battle), timing.players(battle), objectives.control_because(battle)
    yield [objectives.holds(battle, aim) for aim in battle.setup.aims], objectives.ending(battle)
    yield [objectives.controllers(battle, area.outline) for area in battle.setup.areas]
    yield [awareness.known_to(battle, side) for side in range(len(battle.setup.sides))]
    yield contact.contacts(battle), contact.joined_pairs(battle)


SUBJECTS: tuple[Subject, ...] = (
    ground, touch, sight, viewshed, checked, attacks, pushed, moves, charges, retreats, free, turn,
)  # fmt: skip
