"""Procedures of combat: contact, the fight and pushback."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import unit_vector
from emlia3d.rules.oathmark.activation import counted_as_activated
from emlia3d.rules.oathmark.blocks import Block, Spot, blocks_of, figures_by_slot, put
from emlia3d.rules.oathmark.combat import (
    BlockAttack,
    can_be_pushed,
    flush,
    hits,
    may_push_from_works,
    met_first,
    pools_of,
    room_to_make,
    ways_to_part,
    who_steps_back,
    winner,
)
from emlia3d.rules.oathmark.core import INCH, SLACK, TOUCH, BlockSide, DicePool, roll
from emlia3d.rules.oathmark.events import Charged, CombatEnded, Fought, PushedBack
from emlia3d.rules.oathmark.losses import lose, loss_tests, spread_panic
from emlia3d.rules.oathmark.movement import StraightMove, stretches_on
from emlia3d.rules.oathmark.terrain import terrain_of

_LEAST_CONTACT = 1.0
"""Minimum contact along a facing of an attacker that slides, mm."""


def placement(moment: Moment, unit: int, foe: int, block: Block, side: BlockSide) -> Block | None:
    """Return the position of an attacker after the minimum slide along the facing; or None.

    If two positions are equally far, it takes the one on its right.

    block : where its move met the enemy
    """
    defender = blocks_of(moment).of[foe]
    start = flush(block, defender, side)
    right = start.facing_of(BlockSide.RIGHT)
    (east, north), ((x, y), length) = unit_vector(right), defender.line_of(side)
    beside = (start.x - x) * east + (start.y - y) * north
    most = (length + start.frontage) / 2 - _LEAST_CONTACT
    for slide in _slides(moment, unit, foe, start):
        placed = start.shifted(east * slide, north * slide)
        if abs(beside + slide) <= most and _is_free(moment, unit, foe, placed):
            return placed
    return None


def _slides(moment: Moment, unit: int, foe: int, start: Block) -> Iterator[float]:
    """Yield possible slides of an attacker to its right, mm: 0, or past other units."""
    yield 0.0
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    shapes: list[BaseGeometry] = [*terrain.obstacles, terrain.beyond]
    for row, block in blocks.of.items():
        if row not in {unit, foe}:
            # It must touch only one enemy.
            radius = 2 * TOUCH if row in blocks.enemies(unit) else 0.0
            shapes += [Polygon(part).buffer(radius) for part in block.footprints.corners()]
    stretches = stretches_on(start, start.facing_of(BlockSide.RIGHT), shapes)
    yield from sorted(chain(*stretches), key=lambda slide: (abs(slide), -slide))


def _is_free(moment: Moment, unit: int, foe: int, placed: Block) -> bool:
    """Return whether an attacker at a block touches only its enemy and is in a legal position."""
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    gaps = blocks.gaps(placed, inner=True)
    return (
        all(gap > 0 for row, gap in gaps.items() if row not in {unit, foe})
        and all(gaps[row] > TOUCH for row in blocks.enemies(unit) if row != foe)
        and terrain.is_on_table(placed)
        and terrain.is_clear(placed)
    )


def attacks(moment: Moment, walk: StraightMove) -> Iterator[tuple[int, float, Block]]:
    """Yield the enemies that a forward move touches, with the distance and the end.

    If it touches several at the same moment, the player chooses one.
    """
    for distance, foe in met_first(walk.contacts):
        side = walk.blocks.of[foe].arc(walk.start.officer)
        placed = placement(moment, walk.unit, foe, walk.at(distance), side)
        if placed is not None:
            yield foe, distance, placed


# The fight


def charge(battle: Battle, attack: BlockAttack, placed: Block) -> Procedure[None]:
    """Fight the combat of a unit that has moved into contact at a block."""
    unit = attack.attacker
    yield Event(
        facts=Charged(facing=attack.struck.name.lower(), inches=round(attack.moved / INCH, 2)),
        unit=unit,
        target=attack.defender,
        gesture="march",
        because=("oathmark.combat.trigger", "oathmark.combat.flush", "oathmark.combat.facing"),
        changes=put(unit, placed, figures_by_slot(battle.state, unit)),
    )
    yield from fight(battle, attack)


def fight(battle: Battle, attack: BlockAttack) -> Procedure[None]:
    """Fight a combat: dice, casualties, morale, panic and pushback."""
    pair = attack.attacker, attack.defender
    scored = []
    for place, pool in enumerate(pools_of(battle, attack)):
        unit, foe = pair[place], pair[1 - place]
        faces = roll(battle.dice, "oathmark.combat.simultaneous", pool.dice)
        scored.append(hits(faces, pool.target))
        yield fought(unit, foe, pool, faces, scored[-1])
    lost = []
    for place in (0, 1):
        gone = yield from lose(
            battle, pair[place], scored[1 - place], "oathmark.combat.simultaneous"
        )
        lost.append((pair[place], gone))
    failed, fled = yield from loss_tests(battle, lost, 0)
    yield from spread_panic(battle, fled)
    units = battle.state.units
    best = winner(scored[0], scored[1])
    if all(units.value("present", row) for row in pair):
        yield from after_combat(battle, attack, best, attack.defender in failed)
    yield Event(
        facts=CombatEnded(winner=None if best is None else battle.setup.units[pair[best]].name),
        unit=attack.attacker,
        target=attack.defender,
        because=("oathmark.combat.winner", "oathmark.activation.combat-counts"),
        changes=tuple(counted_as_activated(pair)),
        part_of_last=True,
    )


def fought(unit: int, foe: int, pool: DicePool, faces: tuple[int, ...], scored: int) -> Event:
    """Return the event of a unit's dice in a combat."""
    return Event(
        facts=Fought(
            dice=pool.dice,
            modifier=sum(value for _, value in pool.rows),
            successes=scored,
            figures=tuple(value for _, value in pool.rows),
            faces=faces,
            target_number=pool.target,
        ),
        unit=unit,
        target=foe,
        gesture="strike",
        because=(
            "oathmark.combat.simultaneous",
            "oathmark.combat.target-number",
            *(slug for slug, _ in pool.rows),
        ),
    )


# Pushback


def after_combat(
    battle: Battle, attack: BlockAttack, best: int | None, defender_failed: bool
) -> Procedure[None]:
    """Move units back by the result of a combat, if both are still there."""
    pair = attack.attacker, attack.defender
    if best is None:
        yield from both_step_back(battle, attack)
        return
    won, beaten = pair[best], pair[1 - best]
    free = best == 1 or may_push_from_works(in_works=attack.over_works, failed=defender_failed)
    options = pushback_options(battle, attack, won, free=free)
    order = yield decision_of(battle, won, "oathmark.combat.pushback", options)
    if order.verb == "withdraw":
        yield from step_back(battle, attack, won, "oathmark.combat.pushback")
    else:
        way = away(battle, attack, beaten)
        assert order.number is not None
        moved = pushed(battle, beaten, way, order.number * INCH, (won,))
        yield from _carry(battle, moved, way, beaten, "is pushed back")


def pushback_options(
    moment: Moment, attack: BlockAttack, won: int, *, free: bool
) -> tuple[Order, ...]:
    """Return the choices of a winner: withdraw 1 inch, or push the enemy back 1 or 6 inches.

    If the enemy cannot be moved by 1 inch, the winner steps back.

    free : whether it can push the enemy back
    """
    beaten = attack.enemy_of(won)
    withdraw = Order(verb="withdraw", unit=won, target=beaten)
    room = pushed(moment, beaten, away(moment, attack, beaten), INCH, (won,))[beaten]
    return tuple(
        Order(verb="push back", unit=won, target=beaten, number=inches) if inches else withdraw
        for inches in ways_to_part(free=free and can_be_pushed(room))
    )


def away(moment: Moment, attack: BlockAttack, unit: int) -> Spot:
    """Return the direction in which a unit moves back: across the shared edge."""
    east, north = blocks_of(moment).of[attack.attacker].ahead
    return (east, north) if unit == attack.defender else (-east, -north)


def pushed(
    moment: Moment, unit: int, way: Spot, distance: float, ignored: tuple[int, ...]
) -> dict[int, float]:
    """Return how far each unit moves when one is pushed, mm; units behind it move away too.

    ignored : units that it moves away from
    """
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    far = distance + sum(terrain.field.size)
    step = way[0] * far, way[1] * far
    limits: dict[int, float] = {}
    while distance > SLACK:
        found, queue = {unit: distance}, [unit]
        while queue:
            row = queue.pop(0)
            block = blocks.of[row]
            for other in blocks.of:
                if other in {row, *ignored}:
                    continue
                others = [u for u in blocks.of if u != other]
                gap, _ = blocks.travel(block, step, others)
                need = room_to_make(found[row], gap)
                if need > found.get(other, 0.0):
                    found[other] = need
                    queue.append(other)
        for row in found:
            if row not in limits:
                limits[row], _ = blocks.travel(
                    blocks.of[row], step, [*blocks.of], walls=terrain.stops
                )
        excess = max(found[row] - limits[row] for row in found)
        if excess <= SLACK:
            return found
        distance -= excess
    return {unit: 0.0}


def step_back(battle: Battle, attack: BlockAttack, unit: int, slug: str) -> Procedure[None]:
    """Move a unit back by 1 inch from its enemy, or as far as possible."""
    way = away(battle, attack, unit)
    moved = pushed(battle, unit, way, INCH, (attack.enemy_of(unit),))
    yield from _carry(battle, moved, way, unit, "steps back", slug)


def both_step_back(battle: Battle, attack: BlockAttack) -> Procedure[None]:
    """Move both units of a tied combat back by 1 inch."""
    for unit in who_steps_back(attack):
        yield from step_back(battle, attack, unit, "oathmark.combat.tie")


def _carry(
    battle: Battle,
    moved: dict[int, float],
    way: Spot,
    first: int,
    how: str,
    slug: str = "oathmark.combat.pushback",
) -> Procedure[None]:
    blocks = blocks_of(battle)
    for row, distance in sorted(moved.items(), key=lambda item: -item[1]):
        if distance:
            placed = blocks.of[row].shifted(way[0] * distance, way[1] * distance)
            yield Event(
                facts=PushedBack(
                    how=how if row == first else "makes room", inches=round(distance / INCH, 2)
                ),
                unit=row,
                gesture="march",
                because=(slug if row == first else "oathmark.combat.pushback-chain",),
                changes=put(row, placed, figures_by_slot(battle.state, row)),
            )
