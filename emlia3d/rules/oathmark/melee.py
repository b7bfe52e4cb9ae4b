"""Combat as it happens: contact, the fight, and who moves back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
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
from emlia3d.rules.oathmark.core import INCH, SLACK, BlockSide, DicePool, roll
from emlia3d.rules.oathmark.events import Charged, CombatEnded, Fought, PushedBack
from emlia3d.rules.oathmark.losses import lose, loss_tests, spread_panic
from emlia3d.rules.oathmark.movement import StraightMove
from emlia3d.rules.oathmark.terrain import terrain_of

_SLIDES = 8.0
"""Step of the search for a place along a facing, mm."""


def placement(moment: Moment, unit: int, foe: int, block: Block, side: BlockSide) -> Block | None:
    """Return the place of an attacker, slid along the facing only as far as it must; or None.

    block : where its move met the enemy
    """
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    defender = blocks.of[foe]
    start = flush(block, defender, side)
    (x, y), length = defender.line_of(side)
    along = unit_vector(start.facing + FULL_CIRCLE // 4)
    middle = (start.x - x) * along[0] + (start.y - y) * along[1]
    most = (length + start.frontage) / 2 - 1

    def fits(slide: float) -> Block | None:
        placed = start.shifted(along[0] * slide, along[1] * slide)
        gaps = blocks.gaps(placed, inner=True)
        others = [row for row in blocks.enemies(unit) if row != foe]
        free = all(gap > 0 for row, gap in gaps.items() if row not in {unit, foe})
        alone = all(gaps[row] > 0.1 for row in others)
        ground = terrain.is_on_table(placed) and terrain.is_clear(placed)
        return placed if free and alone and ground else None

    for slide in _slides(ceil(2 * most / _SLIDES)):
        if abs(middle + slide) <= most:
            placed = fits(slide)
            if placed is not None:
                return _nearer(fits, slide) or placed
    return None


def _slides(count: int) -> Iterator[float]:
    yield 0.0
    for step in range(1, count + 1):
        yield from (step * _SLIDES, -step * _SLIDES)


def _nearer(fits: Callable[[float], Block | None], slide: float) -> Block | None:
    """Return the fitting place with the smallest slide in the last step of the search."""
    best, step = None, _SLIDES / 2
    sign = 1.0 if slide > 0 else -1.0
    while slide and step > 1 / 64:
        closer = fits(slide - sign * step)
        if closer is not None:
            best, slide = closer, slide - sign * step
        step /= 2
    return best


def attacks(moment: Moment, walk: StraightMove) -> Iterator[tuple[int, float, Block]]:
    """Yield the enemies that a forward move brings into contact: each with distance and place.

    If bases meet several at the same moment, the player chooses one.
    """
    for distance, foe in met_first(walk.contacts):
        side = walk.blocks.of[foe].arc(walk.start.officer)
        placed = placement(moment, walk.unit, foe, walk.at(distance), side)
        if placed is not None:
            yield foe, distance, placed


# The fight


def charge(battle: Battle, attack: BlockAttack, placed: Block) -> Procedure[None]:
    """Let a unit that has moved into contact fight, from the block that it takes up there."""
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
    """Fight a combat: both roll, then casualties, morale, panic, and who moves back."""
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
    """Let units move back by the result of a combat that both are still in."""
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
        moved = pushed(battle, beaten, way, (order.number or 1) * INCH, (won,))
        yield from _carry(battle, moved, way, beaten, "is pushed back")


def pushback_options(
    moment: Moment, attack: BlockAttack, won: int, *, free: bool
) -> tuple[Order, ...]:
    """Return the choices of a winner: withdraw 1 inch, or push the enemy back by 1 or 6 inches.

    If the enemy cannot be moved by 1 inch, the winner steps back.

    free : whether it may push the enemy back
    """
    beaten = attack.attacker + attack.defender - won
    withdraw = Order(verb="withdraw", unit=won, target=beaten)
    room = pushed(moment, beaten, away(moment, attack, beaten), INCH, (won,))[beaten]
    return tuple(
        Order(verb="push back", unit=won, target=beaten, number=inches) if inches else withdraw
        for inches in ways_to_part(free=free and can_be_pushed(room))
    )


def away(moment: Moment, attack: BlockAttack, unit: int) -> Spot:
    """Return the direction in which a unit of a combat moves back: across the edge they share."""
    east, north = blocks_of(moment).of[attack.attacker].ahead
    return (east, north) if unit == attack.defender else (-east, -north)


def pushed(
    moment: Moment, unit: int, way: Spot, distance: float, ignored: tuple[int, ...]
) -> dict[int, float]:
    """Return how far each unit moves when one is pushed, mm; units behind it move away.

    ignored : units that it moves away from
    """
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    far = distance + 1000 * INCH
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
                gap, met = blocks.travel(block, step, others)
                need = room_to_make(found[row], gap) if met is not None else 0.0
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
    """Let a unit move back 1 inch from its enemy, or as far as it can."""
    way, enemy = away(battle, attack, unit), attack.attacker + attack.defender - unit
    moved = pushed(battle, unit, way, INCH, (enemy,))
    yield from _carry(battle, moved, way, unit, "steps back", slug)


def both_step_back(battle: Battle, attack: BlockAttack) -> Procedure[None]:
    """Let both units of a tied combat move back 1 inch."""
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
        if distance > SLACK:
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
