"""Dice: the D10, modifiers, multipliers of dice, and hits that saving dice cancel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, prod
from typing import Any

import numpy as np

from emlia3d.rulekit.odds import chance_of_die
from emlia3d.rules.rulebook import rule

TOUCH = 0.05
"""Models that are no farther apart are in contact, inches."""

SLACK = 1e-6
"""Lengths that differ by less are equal: places are on a grid, products of them are rounded."""


@rule("runolfsson.core.d10", "runolfsson.core.natural-one", "runolfsson.core.natural-ten")
def succeeds(face: int, modifier: int = 0) -> bool:
    """Return whether a D10 succeeds: on 5 or more when modified; never on 1, always on 10."""
    return face == 10 or (face != 1 and face + modifier >= 5)


def chance(modifier: int) -> Fraction:
    """Return the probability that a D10 succeeds."""
    return chance_of_die(10, 5 - modifier, succeed=(10,), fail=(1,))


@rule("runolfsson.core.round-down")
def whole(dice: float) -> int:
    """Return how many whole dice a product of multipliers gives."""
    return floor(dice + SLACK)


@rule("runolfsson.core.measure")
def is_within(distance: float, limit: float) -> bool:
    """Return whether a distance, from edge to edge, is within a limit; equal is."""
    return distance <= limit + SLACK


@rule("runolfsson.core.terms-fire", "runolfsson.core.terms-close")
def is_close_attack(gap: Any) -> Any:
    """Return whether attacks over gaps, inches, are close attacks; the others are fire."""
    return gap <= TOUCH + SLACK


@rule("runolfsson.core.special-attributes")
def may_by_specials(usual: bool, permissions: Iterable[bool], prohibitions: Iterable[bool]) -> bool:
    """Return whether something is allowed: a special beats a rule, a prohibition a permission."""
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
    """Return the sum of modifiers, of which the positive ones come to +2 at most."""
    modifiers = tuple(modifiers)
    return min(sum(max(m, 0) for m in modifiers), 2) + sum(min(m, 0) for m in modifiers)


@rule("runolfsson.mod.marker")
def marker_modifier(marker: int) -> int:
    """Return the modifier of an attack by a model with this marker; 0 is none."""
    return -2 if marker else 0


@rule("runolfsson.dice.multipliers")
def multiplier(factors: Iterable[Any]) -> Any:
    """Return what several multipliers come to: a quarter at least, twice at most.

    factors : numbers, or arrays that broadcast
    """
    return np.clip(prod(factors), 0.25, 2.0)


def fraction(dice: float) -> float:
    """Return the part of a die beyond the whole ones; 0 if rounding alone makes it."""
    part = dice - whole(dice)
    return part if part > SLACK else 0.0


@rule("runolfsson.dice.fractions")
def joined(pools: Sequence[tuple[float, int]]) -> tuple[int, int]:
    """Return the dice that the fractions of several models make together, and their modifier.

    pools : the dice and the modifier of each model
    """
    parts = [(fraction(dice), modifier) for dice, modifier in pools]
    worst = min((modifier for part, modifier in parts if part), default=0)
    return whole(sum(part for part, _ in parts)), worst


@rule("runolfsson.dice.no-shot")
def has_a_shot(pools: Sequence[tuple[float, int]]) -> bool:
    """Return whether models together have any whole die, by themselves or joined."""
    return any(whole(dice) for dice, _ in pools) or joined(pools)[0] > 0


@rule("runolfsson.close.divide")
def shares_of(dice: float) -> range:
    """Return the dice that a model may use on one of several targets, as it likes."""
    return range(1, whole(dice) + 1)


@rule("runolfsson.contact.fire-divided")
def divided_fire(dice: int, in_contact: int) -> tuple[int, ...]:
    """Return how fire at a model in a melee is divided: the target's share, and of each other."""
    share = dice // (in_contact + 1)
    return (dice - share * in_contact, *[share] * in_contact)
