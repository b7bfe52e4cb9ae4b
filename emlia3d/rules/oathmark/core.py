"""Dice, inches, ranks and arcs: the rules that all chapters share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from emlia3d.battle.dice import Dice, Faces
from emlia3d.rules.rulebook import rule

INCH = 25.4
"""Millimetres; a GSU is a millimetre."""

TOUCH = 0.1
"""Maximum gap of bases in contact, mm."""

SLACK = 1e-3
"""Tolerance for equal lengths, because positions are on a grid, mm."""

Rows = tuple[tuple[str, int], ...]
"""Rows of a modifier table: slugs and values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool:
    """The dice of a combat or of a shooting attack.

    target : number that a die needs for a hit
    rows : its modifiers
    """

    dice: int
    target: int
    rows: Rows


STATS = ("A", "M", "F", "S", "D", "CD", "H")
"""Activation, Move, Fight, Shoot, Defence, Combat Dice and Health."""

MOST_DICE = 5
"""Maximum number of dice in combat and in shooting, without those from abilities."""


@rule("oathmark.core.die-d10")
def roll(dice: Dice, why: str, count: int) -> Faces:
    """Return the faces of ten-sided dice."""
    return dice.roll(why, count, 10)


@rule("oathmark.core.inches")
def mm(inches: float) -> float:
    """Return inches in millimetres, exact."""
    return inches * INCH


@rule("oathmark.core.distance")
def is_within(gap: float, inches: float) -> bool:
    """Return whether a gap between bases, mm, is at most a distance."""
    return gap <= mm(inches) + SLACK


@rule("oathmark.core.separation")
def keeps_distance(gap: float, before: float) -> bool:
    """Return whether a unit can end a move at a gap from an enemy, mm: 1 inch, or as before."""
    return gap >= min(INCH, before) - SLACK


@rule("oathmark.core.stats")
def stat_line(values: Mapping[str, float]) -> str:
    """Return the seven values of a unit in the form that unit sets print: "A5 M6 F2 ..."."""
    return " ".join(f"{name}{values[name]:g}" for name in STATS)


class BlockSide(IntEnum):
    """A side of a block: an arc or a facing."""

    FRONT = 0
    LEFT = 1
    RIGHT = 2
    REAR = 3

    @property
    def is_flank(self) -> bool:
        """True for the left and the right side."""
        return self in {BlockSide.LEFT, BlockSide.RIGHT}


@rule("oathmark.core.arcs")
def arc_of(x: float, y: float, half_width: float, half_depth: float) -> BlockSide:
    """Return the arc of a point from its offset from the centre of a block.

    x, y : to the right and forward, mm
    """
    dx, dy = abs(x) - half_width, abs(y) - half_depth
    if dy >= dx - SLACK and y:
        return BlockSide.FRONT if y > 0 else BlockSide.REAR
    return BlockSide.LEFT if x < 0 else BlockSide.RIGHT


# Ranks


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of a unit: the numbers of complete ranks and of all ranks."""

    full: int
    all: int


@rule("oathmark.core.rank-width")
def rank_width(base: tuple[float, float]) -> int:
    """Return the figures of a complete rank, by the width and depth of a base, mm."""
    widths: dict[tuple[float, float], int] = {(25, 25): 5, (25, 50): 5, (50, 50): 3}
    return widths.get(base, 1)


@rule("oathmark.core.full-ranks")
def ranks_of(figures: int, width: int, *, alone: bool = False) -> Ranks:
    """Return the ranks of figures; a unit-of-one and a crew are always one complete rank."""
    return Ranks(1, 1) if alone else Ranks(figures // width, -(-figures // width))


@rule("oathmark.core.block")
def files_of_last(figures: int, width: int) -> tuple[int, ...]:
    """Return the files of the figures in the last rank, from the left.

    They fill the rank from the centre outwards, left before right. A single rank fills its own
    files.
    """
    last = figures - (-(-figures // width) - 1) * width
    if figures <= width:
        return tuple(range(last))
    centre = width // 2
    order = sorted(range(width), key=lambda file: (abs(file - centre), file))
    return tuple(sorted(order[:last]))


@rule("oathmark.core.officer")
def officer_file(figures: int, width: int) -> int:
    """Return the file of the officer in the front rank: the centre one, or the left of two."""
    return (min(figures, width) - 1) // 2


def figure_places(figures: int, width: int) -> list[tuple[int, int]]:
    """Return the ranks and files of all figures, from the left of the front rank."""
    last = -(-figures // width) - 1
    filled = [(rank, file) for rank in range(last) for file in range(width)]
    return filled + [(last, file) for file in files_of_last(figures, width)]


@rule("oathmark.core.facings")
def facing_places(figures: int, width: int) -> dict[BlockSide, tuple[tuple[int, int], ...]]:
    """Return the ranks and files of the figures that compose each facing, from the left."""
    filled, front = figure_places(figures, width), min(figures, width)
    rear = [max(place for place in filled if place[1] == file) for file in range(front)]
    return {
        BlockSide.FRONT: tuple((0, file) for file in range(front)),
        BlockSide.REAR: tuple(rear),
        BlockSide.LEFT: tuple(place for place in filled if place[1] == 0),
        BlockSide.RIGHT: tuple(place for place in filled if place[1] == front - 1),
    }


@rule("oathmark.core.unit-of-one")
def counts_full_ranks(*, unit_of_one: bool, full: int) -> int:
    """Return the number of complete ranks after the first; a unit-of-one has none."""
    return 0 if unit_of_one else max(full - 1, 0)


def reaches(face: int, modifier: int, need: int) -> bool:
    """Return whether a die with its modifier reaches a value; a 10 always does."""
    return face == 10 or face + modifier >= need


def majority(seen: int, of: int) -> bool:
    """Return whether a count is at least half of some figures, rounded up."""
    return of > 0 and seen >= (of + 1) // 2


def larger(one: float, other: float) -> Literal[0, 1] | None:
    """Return the index of the larger of two values; None if they are equal."""
    return None if one == other else 0 if one > other else 1


def total(rows: Rows) -> int:
    """Return the sum of the rows of a modifier table."""
    return sum(value for _, value in rows)
