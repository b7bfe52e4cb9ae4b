"""Morale: tests with their modifiers, disorder, and panic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emlia3d.battle.moment import Moment
from emlia3d.rules.oathmark.activation import dice_with_command
from emlia3d.rules.oathmark.blocks import Block, blocks_of, commanders_near
from emlia3d.rules.oathmark.core import Ranks, Rows, is_within, reaches
from emlia3d.rules.rulebook import rule

COMMAND, PANIC = 6.0, 8.0
"""Radius of Command, and of panic, inches."""


@rule("oathmark.morale.modifier-table")
def casualty_rows(
    fallen: int, ranks: Ranks, base: tuple[float, float], *, disordered: bool, bonus: int
) -> Rows:
    """Return the modifiers of a test for casualties; ranks are counted after removal.

    bonus : for a test that shooting has caused
    """
    complete = 2 if base == (25, 25) else 1
    rows = [("oathmark.morale.modifier-table", -fallen)]
    if disordered:
        rows += [("oathmark.morale.disordered-minus", disordered_minus(disordered=True))]
    if ranks.full < 1:
        rows += [("oathmark.morale.modifier-table", -1)]
    if ranks.full >= complete:
        rows += [("oathmark.morale.modifier-table", +1)]
    return (*rows, *((("oathmark.shoot.casualties-morale", bonus),) if bonus else ()))


@rule("oathmark.morale.disordered-minus")
def disordered_minus(*, disordered: bool) -> int:
    """Return the modifier of a test of a unit that is disordered."""
    return -1 if disordered else 0


@rule("oathmark.morale.disordered-target-number")
def disordered_target(*, disordered: bool) -> int:
    """Return the modifier of a disordered unit's target numbers, once."""
    return 1 if disordered else 0


@rule("oathmark.morale.unit-of-one")
def rows_for(rows: Rows, *, unit_of_one: bool) -> Rows:
    """Return the modifiers of a test; a unit-of-one never has any."""
    return () if unit_of_one else rows


@rule("oathmark.morale.natural-ten")
def steadies(face: int, modifier: int, activation: int) -> bool:
    """Return whether a die passes a test; a 10 always does."""
    return reaches(face, modifier, activation)


@rule("oathmark.morale.test")
def passes(faces: Iterable[int], modifier: int, activation: int) -> bool:
    """Return whether any die passes a morale test."""
    return any(steadies(face, modifier, activation) for face in faces)


@rule("oathmark.morale.fail", "oathmark.morale.broken")
def after_failure(*, disordered: bool) -> str:
    """Return the result of a failed test: disordered, or broken if it already was disordered."""
    return "breaks" if disordered else "is disordered"


@rule("oathmark.morale.command")
def dice_for(moment: Moment, unit: int) -> int:
    """Return the number of dice of activation rolls and morale tests, by Commands nearby."""
    return dice_with_command(len(commanders_near(moment, unit, COMMAND)))


Fled = tuple[int, Block]
"""A unit that has broken, and its block at that moment."""


@rule("oathmark.morale.panic")
def who_panics(moment: Moment, fled: Fled) -> list[int]:
    """Return the friends within 8 inches of a breaking unit, the nearest first."""
    unit, block = fled
    blocks = blocks_of(moment)
    gaps = blocks.gaps(block)
    near = [row for row in blocks.friends(unit) if is_within(gaps[row], PANIC)]
    return sorted(near, key=lambda row: (gaps[row], row))


@rule("oathmark.morale.panic-chain")
def chained(queue: Sequence[Fled], broken: Sequence[Fled]) -> tuple[Fled, ...]:
    """Return the units whose panic must still spread, in the order in which they broke."""
    return (*queue, *broken)
