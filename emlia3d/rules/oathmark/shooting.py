"""Shooting: range, priority, dice, target numbers and artillery."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.rules.oathmark.artillery import (
    artillery_dice,
    counts_as_shooting,
    mod_unit_of_one,
    ranks_for_bonus,
)
from emlia3d.rules.oathmark.blocks import Block, blocks_of, dice_figures, entry_of, ranks_now
from emlia3d.rules.oathmark.combat import at_least_one, front_dice, hits
from emlia3d.rules.oathmark.core import (
    SLACK,
    BlockSide,
    DicePool,
    Rows,
    counts_full_ranks,
    is_within,
    majority,
    roll,
    total,
)
from emlia3d.rules.oathmark.events import Shot
from emlia3d.rules.oathmark.losses import lose, loss_tests, spread_panic
from emlia3d.rules.oathmark.morale import disordered_target
from emlia3d.rules.oathmark.terrain import Cover, cover_from, terrain_of
from emlia3d.rules.rulebook import rule

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Aim:
    """A target that a unit may shoot at.

    side : the facing that it shoots at
    distance : from the officer's base to the nearest base of that facing, mm
    """

    target: int
    side: BlockSide
    distance: float


_RANGES: Mapping[str, float] = {
    "bow": 20, "elf bow": 22, "sling": 12, "light catapult": 32, "heavy catapult": 40,
    "ballista": 30, "fire breath": 12,
}  # fmt: skip
"""Maximum ranges of weapons, inches."""


@rule("oathmark.shoot.range-table")
def maximum_range(weapon: str) -> float:
    """Return the maximum range of a weapon, inches."""
    return _RANGES[weapon]


@rule("oathmark.shoot.range")
def in_range(distance: float, weapon: str) -> bool:
    """Return whether a distance, mm, is at most the range of a weapon."""
    return is_within(distance, maximum_range(weapon))


# Lines of sight


@rule("oathmark.shoot.los-half")
def sees_half(seen: int, of: int) -> bool:
    """Return whether at least half of the figures of a facing are seen, rounded up."""
    return majority(seen, of)


@rule("oathmark.shoot.los-arc")
def is_in_front(shooter: Block, spots: Floats) -> Bools:
    """Return (spots,) whether points are in a unit's front arc."""
    return np.array([shooter.arc((x, y)) is BlockSide.FRONT for x, y in spots.tolist()])


@rule("oathmark.shoot.los-facing")
def facings_to_try(shooter: Block, target: Block) -> list[BlockSide]:
    """Return the facings towards an officer, that of its arc first."""
    sides = dict.fromkeys((target.arc(shooter.officer), *BlockSide))
    return [side for side in sides if target.is_outside(shooter.officer, side)]


@rule("oathmark.shoot.los-blockers")
def unit_blocks(*, over: bool, friendly: bool, height: float, indirect: bool) -> bool:
    """Return whether a unit of a height, inches, can stop a line.

    over : whether the shooter fires over friends that are neither Large nor Enormous
    """
    return not (indirect or (over and friendly and height <= 1.0))


@rule("oathmark.shoot.priority")
def by_priority(aims: list[Aim], *, free: bool) -> list[Aim]:
    """Return the legal targets; without Aimed Fire, these are the nearest.

    aims : all targets in sight, the nearest first
    free : whether the unit has Aimed Fire
    """
    return [aim for aim in aims if free or aim.distance <= aims[0].distance + SLACK]


# Dice


@rule("oathmark.shoot.dice")
def shooting_dice(combat_dice: int, front: int) -> int:
    """Return the dice of shooters, by their front rank, from one to five."""
    return at_least_one(front_dice(combat_dice, front))


@rule("oathmark.shoot.shielding")
def shielded_dice(dice: int, shielding: int, side: BlockSide) -> int:
    """Return the dice after Shielding, which helps against shots at the front or a flank."""
    return dice if side is BlockSide.REAR else at_least_one(dice - shielding)


# Target numbers


@rule("oathmark.shoot.mod-ranks")
def mod_ranks(full: int, *, unit_of_one: bool) -> int:
    """-1 for each complete rank of the shooters after the first."""
    return -counts_full_ranks(unit_of_one=unit_of_one, full=full)


@rule("oathmark.shoot.mod-action")
def mod_action(actions: int) -> int:
    """+1 if the unit used any action before."""
    return 1 if actions else 0


@rule("oathmark.shoot.mod-disordered")
def mod_disordered(*, disordered: bool) -> int:
    """+1 if the shooting unit is disordered."""
    return disordered_target(disordered=disordered)


@rule("oathmark.shoot.mod-cover")
def mod_cover(cover: Cover) -> int:
    """+1 for light cover, +2 for heavy cover."""
    return {"none": 0, "light": 1, "heavy": 2}[cover]


@rule("oathmark.shoot.modifier-table")
def shooting_rows(
    full: int, actions: int, cover: Cover, *, disordered: bool, unit_of_one: bool = False
) -> Rows:
    """Return the rows of the shooting table that apply, with their values."""
    rows = (
        ("oathmark.shoot.mod-ranks", mod_ranks(full, unit_of_one=unit_of_one)),
        ("oathmark.shoot.mod-action", mod_action(actions)),
        ("oathmark.shoot.mod-disordered", mod_disordered(disordered=disordered)),
        ("oathmark.shoot.mod-cover", mod_cover(cover)),
    )
    return tuple(row for row in rows if row[1])


@rule("oathmark.shoot.target-number")
def target_number(defence: int, shoot: int, rows: Rows) -> int:
    """Return the target number: the target's Defence minus the shooters' Shoot, with modifiers."""
    return defence - shoot + total(rows)


def volley_of(moment: Moment, unit: int, aim: Aim, actions: int) -> DicePool:
    """Return the dice of a shooting attack; artillery has its own, and no bonus for ranks.

    actions : number that the unit has used in this turn
    """
    own, foe = (entry_of(moment.setup, row) for row in (unit, aim.target))
    artillery = bool(own.level("artillery"))
    blocks, ranks = blocks_of(moment), ranks_now(moment, aim.target)
    cover = cover_from(terrain_of(moment), blocks.of[aim.target], aim.side, blocks.of[unit].officer)
    rows = shooting_rows(
        ranks_for_bonus(ranks_now(moment, unit).full, artillery=artillery),
        actions,
        cover,
        disordered=bool(moment.state.units.value("disordered", unit)),
        unit_of_one=own.is_one,
    )
    if artillery:
        large, enormous = bool(foe.level("large")), bool(foe.level("enormous"))
        dice = artillery_dice(ranks, aim.side, large=large, enormous=enormous)
        lone = mod_unit_of_one(unit_of_one=foe.is_one, large=large or enormous)
        rows = (*rows, *((("oathmark.artillery.unit-of-one", lone),) if lone else ()))
    else:
        dice = shooting_dice(own.combat_dice, dice_figures(moment, unit))
    return DicePool(
        dice=shielded_dice(dice, foe.level("shielding"), aim.side),
        target=target_number(foe.defence, own.shoot, rows),
        rows=rows,
    )


@rule("oathmark.shoot.hit-table")
def shot_hits(faces: Iterable[int], target: int) -> int:
    """Return the hits of dice, by the table of combat."""
    return hits(faces, target)


@rule("oathmark.shoot.casualties-morale")
def bonus_of_shots(*, shooting: bool) -> int:
    """Return the modifier of a test that shots have caused."""
    return 1 if shooting else 0


def bonus_after_shots(moment: Moment, unit: int) -> int:
    """Return the modifier of a test that shots of a unit have caused."""
    artillery = bool(entry_of(moment.setup, unit).level("artillery"))
    return bonus_of_shots(shooting=counts_as_shooting(artillery=artillery))


@rule("oathmark.shoot.sequence")
def shoot(battle: Battle, unit: int, aim: Aim, actions: int) -> Procedure[None]:
    """Carry out a shooting attack: dice, casualties, morale and panic."""
    volley, entry = volley_of(battle, unit, aim, actions), entry_of(battle.setup, unit)
    artillery = bool(entry.level("artillery"))
    assert entry.weapon is not None
    faces = roll(battle.dice, "oathmark.shoot.sequence", volley.dice)
    scored = shot_hits(faces, volley.target)
    yield Event(
        facts=Shot(
            dice=volley.dice,
            modifier=total(volley.rows),
            successes=scored,
            figures=tuple(value for _, value in volley.rows),
            faces=faces,
            weapon=entry.weapon,
            facing=aim.side.name.lower(),
            target_number=volley.target,
        ),
        unit=unit,
        target=aim.target,
        gesture="shoot",
        because=(
            "oathmark.artillery.process" if artillery else "oathmark.shoot.sequence",
            "oathmark.shoot.target-number",
            *(slug for slug, _ in volley.rows),
        ),
    )
    lost = yield from lose(battle, aim.target, scored, "oathmark.shoot.hit-table")
    _, fled = yield from loss_tests(battle, [(aim.target, lost)], bonus_after_shots(battle, unit))
    yield from spread_panic(battle, fled)
