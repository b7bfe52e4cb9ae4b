"""Dice against a value, modifiers of the value, and distances in tiles."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from emlia3d.battle.dice import Dice
from emlia3d.field.hexes import steps_between
from emlia3d.rules.rulebook import rule

FACES = 6


@rule("epic.core.d6")
def roll(dice: Dice, purpose: str, count: int) -> tuple[int, ...]:
    """Return the faces of six-sided dice."""
    return dice.roll(purpose, count, FACES)


@rule("epic.core.roll-under", "epic.core.no-automatic")
def succeeds(face: int, value: int) -> bool:
    """Return whether a die succeeds, at or below the value, without automatic results."""
    return face <= value


def chance(value: int) -> Fraction:
    """Return the probability that a die succeeds at a value."""
    return Fraction(min(max(value, 0), FACES), FACES)


def hits(faces: Iterable[int], value: int) -> int:
    """Return the dice that succeed."""
    return sum(succeeds(face, value) for face in faces)


@rule("epic.core.modifier-direction")
def modified(value: int, *modifiers: int) -> int:
    """Return a value plus its modifiers; -1 makes success less probable."""
    return value + sum(modifiers)


@rule("epic.core.distance")
def tiles_apart(tiles: Any, others: Any) -> Any:
    """Return the minimum number of steps between tiles, (...,) int64."""
    return steps_between(tiles, others)
