"""Combat: the dice of both units, their target numbers, and the winner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from emlia3d.battle.moment import Moment
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.force.formation import snapped
from emlia3d.rules.oathmark.artillery import crew_dice
from emlia3d.rules.oathmark.blocks import Block, block_at, dice_figures, entry_of, ranks_now
from emlia3d.rules.oathmark.core import (
    INCH,
    MOST_DICE,
    SLACK,
    TOUCH,
    BlockSide,
    DicePool,
    Rows,
    counts_full_ranks,
    larger,
    total,
)
from emlia3d.rules.oathmark.morale import disordered_target
from emlia3d.rules.oathmark.terrain import is_behind_works, terrain_of
from emlia3d.rules.rulebook import rule

LOWER = 0.5
"""Minimum difference of heights for lower ground, inches."""


@rule("oathmark.combat.facing")
def struck_facing(defender: Block, attacker: Block) -> BlockSide:
    """Return the attacked facing: that of the arc with the officer at the start of its move."""
    return defender.arc(attacker.officer)


# Dice


@rule("oathmark.combat.dice-front")
def front_dice(combat_dice: int, front: int) -> int:
    """Return the dice of a unit that fights to its front, at most five."""
    return min(combat_dice * front, MOST_DICE)


@rule("oathmark.combat.dice-flank")
def flank_dice(combat_dice: int, full: int) -> int:
    """Return the dice of a unit that is attacked in flank or rear, by its complete ranks."""
    return min(combat_dice * full, MOST_DICE)


@rule("oathmark.combat.dice-character")
def ordinary_dice(figures: Iterable[tuple[int, bool]]) -> int:
    """Return the Combat Dice of one ordinary figure; a lone character uses its own.

    figures : Combat Dice, and whether it is a character
    """
    dice, _ = min(figures, key=lambda figure: figure[1])
    return dice


@rule("oathmark.combat.dice-min")
def at_least_one(dice: int) -> int:
    """Return the number of dice, at least one."""
    return max(dice, 1)


@rule("oathmark.combat.shielding")
def shielded(dice: int, shielding: int, struck: BlockSide) -> int:
    """Return the attacker's dice after Shielding, which only helps against frontal attacks."""
    return at_least_one(dice - shielding) if struck is BlockSide.FRONT else dice


def charge_dice(charge: int, brace: int, struck: BlockSide, moved: float) -> int:
    """Return the extra dice of a charge beyond the limit.

    Brace reduces a charge at the unit's front by one level.
    """
    if moved < INCH:
        return 0
    return max(charge - (brace if struck is BlockSide.FRONT else 0), 0)


# Target numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """One of the two units of a combat, before any casualties.

    struck : its own facing in contact
    strikes : the enemy's facing in contact
    active : whether it is the attacker
    full : number of complete ranks
    """

    struck: BlockSide
    strikes: BlockSide
    active: bool
    full: int
    disordered: bool = False
    had_activated: bool = False
    lower: bool = False
    over_works: bool = False
    unit_of_one: bool = False


@rule("oathmark.combat.mod-full-ranks")
def mod_full_ranks(fighter: Fighter) -> int:
    """-1 for each complete rank after the first, while the enemy is in its front arc."""
    later = counts_full_ranks(unit_of_one=fighter.unit_of_one, full=fighter.full)
    return -later if fighter.struck is BlockSide.FRONT else 0


@rule("oathmark.combat.mod-flank-attack")
def mod_flank_attack(fighter: Fighter) -> int:
    """-1 for the active unit when it strikes a flank or the rear."""
    return -1 if fighter.active and fighter.strikes is not BlockSide.FRONT else 0


@rule("oathmark.combat.mod-activated")
def mod_activated(fighter: Fighter) -> int:
    """+1 for the unit that is attacked if it had activated, or fought, in this turn."""
    return 1 if not fighter.active and fighter.had_activated else 0


@rule("oathmark.combat.mod-rear")
def mod_rear(fighter: Fighter) -> int:
    """+1 for a unit that is struck in its rear."""
    return 1 if fighter.struck is BlockSide.REAR else 0


@rule("oathmark.combat.mod-disordered")
def mod_disordered(fighter: Fighter) -> int:
    """+1 for a disordered unit."""
    return disordered_target(disordered=fighter.disordered)


@rule("oathmark.combat.mod-lower")
def is_lower(own: float, other: float) -> bool:
    """Return whether a unit is on lower ground, by mean heights under figures in contact, mm."""
    return other - own > LOWER * INCH


def mod_lower(fighter: Fighter) -> int:
    """+1 for the unit on lower ground."""
    return 1 if fighter.lower else 0


@rule("oathmark.combat.mod-works")
def mod_works(fighter: Fighter) -> int:
    """+1 for the unit that moved into combat with an enemy behind fortifications."""
    return 1 if fighter.active and fighter.over_works else 0


_TABLE = {
    "oathmark.combat.mod-full-ranks": mod_full_ranks,
    "oathmark.combat.mod-flank-attack": mod_flank_attack,
    "oathmark.combat.mod-activated": mod_activated,
    "oathmark.combat.mod-rear": mod_rear,
    "oathmark.combat.mod-disordered": mod_disordered,
    "oathmark.combat.mod-lower": mod_lower,
    "oathmark.combat.mod-works": mod_works,
}


@rule("oathmark.combat.modifier-table")
def combat_rows(fighter: Fighter) -> Rows:
    """Return the rows of the combat table that apply to a unit, with their values."""
    rows = ((slug, modifier(fighter)) for slug, modifier in _TABLE.items())
    return tuple(row for row in rows if row[1])


@rule("oathmark.combat.target-number")
def target_number(defence: int, fight: int, rows: Rows) -> int:
    """Return the target number: the enemy's Defence minus the unit's Fight, with modifiers."""
    return defence - fight + total(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockAttack:
    """An attack at the start of its move.

    struck : the attacked facing of the defender
    moved : forward move of the attacker, mm
    over_works : whether the defender is behind works on that side
    """

    attacker: int
    defender: int
    struck: BlockSide
    moved: float
    over_works: bool

    def enemy_of(self, unit: int) -> int:
        """Return the other unit of the combat."""
        return self.defender if unit == self.attacker else self.attacker


def attack_on(moment: Moment, attacker: int, defender: int, moved: float) -> BlockAttack:
    """Return an attack of a unit from its current position."""
    own, foe = (block_at(moment.state, row) for row in (attacker, defender))
    struck = struck_facing(foe, own)
    works = is_behind_works(terrain_of(moment), foe, struck, own.officer)
    return BlockAttack(
        attacker=attacker, defender=defender, struck=struck, moved=moved, over_works=works
    )


@rule("oathmark.combat.simultaneous", "oathmark.combat.worked-example")
def pools_of(moment: Moment, attack: BlockAttack) -> tuple[DicePool, DicePool]:
    """Return the dice of the attacker and of the defender, before any casualties."""
    rows = attack.attacker, attack.defender
    own, foe = (entry_of(moment.setup, row) for row in rows)
    units, terrain = moment.state.units, terrain_of(moment)
    sides = BlockSide.FRONT, attack.struck
    heights = [
        terrain.mean_height(block_at(moment.state, row).facing_figures(side))
        for row, side in zip(rows, sides, strict=True)
    ]
    fighters = [
        Fighter(
            struck=sides[place],
            strikes=sides[1 - place],
            active=place == 0,
            full=ranks_now(moment, row).full,
            disordered=bool(units.value("disordered", row)),
            had_activated=bool(units.value("activated", row)),
            lower=is_lower(heights[place], heights[1 - place]),
            over_works=attack.over_works,
            unit_of_one=entry_of(moment.setup, row).is_one,
        )
        for place, row in enumerate(rows)
    ]
    tables = [combat_rows(fighter) for fighter in fighters]
    charge = charge_dice(own.level("charge"), foe.level("brace"), attack.struck, attack.moved)
    dice = plain_dice(moment, attack.attacker, BlockSide.FRONT) + charge
    return (
        DicePool(
            dice=shielded(dice, foe.level("shielding"), attack.struck),
            target=target_number(foe.defence, own.fight, tables[0]),
            rows=tables[0],
        ),
        DicePool(
            dice=plain_dice(moment, attack.defender, attack.struck),
            target=target_number(own.defence, foe.fight, tables[1]),
            rows=tables[1],
        ),
    )


def plain_dice(moment: Moment, unit: int, struck: BlockSide) -> int:
    """Return the dice of a unit by its facing in contact."""
    entry = entry_of(moment.setup, unit)
    if entry.crew:
        return at_least_one(crew_dice(entry.combat_dice, dice_figures(moment, unit)))
    if struck is BlockSide.FRONT:
        return at_least_one(front_dice(entry.combat_dice, dice_figures(moment, unit)))
    common = ordinary_dice([(entry.combat_dice, "character" in entry.tags)])
    return at_least_one(flank_dice(common, ranks_now(moment, unit).full))


# Results


@rule("oathmark.combat.hit-table")
def hits_by_table(face: int, target: int) -> int:
    """Return the hits of a die by its table: 1, 2 or 3, the highest row that it reaches."""
    return sum(face >= target + step for step in (0, 5, 10))


@rule("oathmark.combat.natural-ten")
def hits_of(face: int, target: int) -> int:
    """Return the hits of a die, at least 1 on a 10."""
    return max(hits_by_table(face, target), 1 if face == 10 else 0)


def hits(faces: Iterable[int], target: int) -> int:
    """Return the hits of dice against a target number."""
    return sum(hits_of(face, target) for face in faces)


def chances_of_hits(target: int) -> tuple[Fraction, ...]:
    """Return the probabilities that a die scores 0, 1, 2 or 3 hits against a target number."""
    scored = [hits_of(face, target) for face in range(1, 11)]
    return tuple(Fraction(scored.count(count), 10) for count in range(4))


@rule("oathmark.combat.casualties")
def losses_of(hits: int, figures: int, health: int, wounds: int) -> tuple[int, int]:
    """Return the number of figures that fall, and the wounds of the next figure.

    Hits beyond the last figure are lost.

    health, wounds : Health of a figure, and previous wounds of the next figure
    """
    fallen = min((hits + wounds) // health, figures)
    return fallen, (hits + wounds) % health if fallen < figures else 0


@rule("oathmark.combat.morale")
def must_test_after_losses(lost: int, *, present: bool) -> bool:
    """Return whether a unit tests for losses, by figures, or by Health for a unit-of-one."""
    return lost > 0 and present


@rule("oathmark.combat.winner")
def winner(hits: int, enemy_hits: int) -> Literal[0, 1] | None:
    """Return the index of the unit with more hits; None in a tie."""
    return larger(hits, enemy_hits)


@rule("oathmark.combat.pushback-works")
def may_push_from_works(*, in_works: bool, failed: bool) -> bool:
    """Return whether the attacker can push the enemy back; from works, only after a failed test."""
    return failed or not in_works


@rule("oathmark.combat.tie")
def who_steps_back(attack: BlockAttack) -> tuple[int, int]:
    """Return the units that move back by 1 inch after a tie: both."""
    return attack.attacker, attack.defender


@rule("oathmark.combat.pushback")
def ways_to_part(*, free: bool) -> tuple[int, ...]:
    """Return the choices of a winner: inches to push the enemy back, or 0 to step back.

    free : whether the enemy can be pushed back
    """
    return (6, 1, 0) if free else (0,)


@rule("oathmark.combat.pushback-limit")
def can_be_pushed(room: float) -> bool:
    """Return whether a unit can be pushed back by 1 inch before an obstacle or the edge.

    room : mm
    """
    return room >= INCH - SLACK


@rule("oathmark.combat.pushback-chain")
def room_to_make(distance: float, gap: float) -> float:
    """Return how far a unit moves away from one that is pushed towards it, mm.

    distance : of the push, mm
    gap : between the two units in the direction of the push, mm
    """
    return distance - gap + INCH if distance > gap + SLACK else 0.0


# Contact


@rule("oathmark.combat.trigger")
def met_first(contacts: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return the enemies that a move touches first; the player chooses one of them.

    contacts : with distances at which bases touch, the nearest first
    """
    return [met for met in contacts if met[0] <= contacts[0][0] + TOUCH]


@rule("oathmark.combat.flush")
def flush(attacker: Block, defender: Block, side: BlockSide) -> Block:
    """Return the attacker with its front along a facing, turned around the point of contact."""
    (x, y), _ = defender.line_of(side)
    east, north = unit_vector(defender.facing_of(side))
    contact = attacker.nearest_on(defender)
    along = (contact[0] - x) * north - (contact[1] - y) * east
    right = min(max(attacker.offset(contact)[0], -attacker.frontage / 2), attacker.frontage / 2)
    facing = (defender.facing_of(side) + FULL_CIRCLE // 2) % FULL_CIRCLE
    turned = replace(attacker, facing=facing)
    spot = x + along * north, y - along * east
    front = replace(turned, x=spot[0], y=spot[1]).at(-right, 0.0)
    return replace(turned, x=snapped(front[0]), y=snapped(front[1]))
