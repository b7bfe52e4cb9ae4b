"""Dice: the D10, modifiers, multipliers of dice, and saving dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, prod
from typing import Any

import numpy as np

from emlia3d.rulekit.odds import chance_of_die
from emlia3d.rules.rulebook import rule

TOUCH = 0.05
"""Maximum gap of models in contact, inches."""

SLACK = 1e-6
"""Tolerance for equal lengths, because positions are on a grid."""


@rule("runolfsson.core.d10", "runolfsson.core.natural-one", "runolfsson.core.natural-ten")
def succeeds(face: int, modifier: int = 0) -> bool:
    """Return whether a D10 succeeds: on 5 or more when modified; never on 1, always on 10."""
    return face == 10 or (face != 1 and face + modifier >= 5)


def chance(modifier: int) -> Fraction:
    """Return the probability that a D10 succeeds."""
    return chance_of_die(10, 5 - modifier, succeed=(10,), fail=(1,))


@rule("runolfsson.core.round-down")
def whole(dice: float) -> int:
    """Return the whole dice of a product of multipliers."""
    return floor(dice + SLACK)


@rule("runolfsson.core.measure")
def is_within(distance: float, limit: float) -> bool:
    """Return whether a distance from edge to edge is at most a limit."""
    return distance <= limit + SLACK


@rule("runolfsson.core.terms-fire", "runolfsson.core.terms-close")
def is_close_attack(gap: Any) -> Any:
    """Return whether attacks over gaps, inches, are close attacks; the others are fire."""
    return gap <= TOUCH + SLACK


@rule("runolfsson.core.special-attributes")
def may_by_specials(usual: bool, permissions: Iterable[bool], prohibitions: Iterable[bool]) -> bool:
    """Return whether something is allowed: specials beat rules, prohibitions beat permissions."""
    return not any(prohibitions) and (any(permissions) or usual)


@rule("runolfsson.hit.roll")
def hits(faces: Iterable[int], modifier: int) -> int:
    """Return how many attack dice hit."""
    return sum(succeeds(face, modifier) for face in faces)


@rule("runolfsson.hit.save")
def unsaved(hits: int, faces: Iterable[int]) -> int:
    """Return the hits that the saving dice leave."""
    return max(hits - sum(map(succeeds, faces)), 0)


@rule("runolfsson.mod.positive-cap", "runolfsson.mod.negative")
def total(modifiers: Iterable[int]) -> int:
    """Return the sum of modifiers, with at most +2 from positive ones."""
    modifiers = tuple(modifiers)
    return min(sum(max(m, 0) for m in modifiers), 2) + sum(min(m, 0) for m in modifiers)


@rule("runolfsson.mod.marker")
def marker_modifier(marker: int) -> int:
    """Return the modifier of an attack by a model with this marker; 0 is none."""
    return -2 if marker else 0


@rule("runolfsson.dice.multipliers")
def multiplier(factors: Iterable[Any]) -> Any:
    """Return the product of multipliers, from a quarter to 2.

    factors : numbers, or arrays that broadcast
    """
    return np.clip(prod(factors), 0.25, 2.0)


def fraction(dice: float) -> float:
    """Return the fraction of a die beyond whole dice; 0 if it is a rounding error."""
    part = dice - whole(dice)
    return part if part > SLACK else 0.0


@rule("runolfsson.dice.fractions")
def joined(pools: Sequence[tuple[float, int]]) -> tuple[int, int]:
    """Return the joined dice from the fractions of several models, and their modifier.

    pools : the dice and the modifier of each model
    """
    parts = [(fraction(dice), modifier) for dice, modifier in pools]
    worst = min((modifier for part, modifier in parts if part), default=0)
    return whole(sum(part for part, _ in parts)), worst


@rule("runolfsson.dice.no-shot")
def has_a_shot(pools: Sequence[tuple[float, int]]) -> bool:
    """Return whether models together have a whole die, separate or joined."""
    return any(whole(dice) for dice, _ in pools) or joined(pools)[0] > 0


@rule("runolfsson.close.divide")
def shares_of(dice: float) -> range:
    """Return the numbers of dice that a model can use on one of several targets."""
    return range(1, whole(dice) + 1)


@rule("runolfsson.contact.fire-divided")
def divided_fire(dice: int, in_contact: int) -> tuple[int, ...]:
    """Return the division of fire at a melee: the dice at the target and at each other model."""
    share = dice // (in_contact + 1)
    return (dice - share * in_contact, *[share] * in_contact)
