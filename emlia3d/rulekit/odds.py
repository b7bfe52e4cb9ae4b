"""Exact probabilities of dice as fractions: pools, highest dice, sums and differences.

A `Spread` maps each possible value to its probability. Internally, probabilities are integers over
a common denominator, so that pools of many dice need no fraction for each step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd, lcm

from emlia3d.battle.questions.odds import Spread

Weights = Mapping[int, int]
"""Integers by value, proportional to the probabilities."""


def chance_of_die(
    sides: int, need: int, succeed: Collection[int] = (), fail: Collection[int] = ()
) -> Fraction:
    """Return the probability that one die succeeds.

    Parameters
    ----------
    sides
        Of the die; its faces are 1 to *sides*.
    need
        The lowest face that succeeds, with modifiers; it can be beyond the faces.
    succeed, fail
        Faces that always succeed or always fail; a face in both fails.
    """
    good = sum(
        face not in fail and (face >= need or face in succeed) for face in range(1, sides + 1)
    )
    return Fraction(good, sides)


@lru_cache(maxsize=4096)
def binomial(dice: int, successes: int, chance: Fraction) -> Fraction:
    """Return the probability of exactly this number of successes among *dice*."""
    return comb(dice, successes) * chance**successes * (1 - chance) ** (dice - successes)


@lru_cache(maxsize=1024)
def _pool(dice: int, chance: Fraction) -> tuple[tuple[int, Fraction], ...]:
    good, bad, whole = chance.numerator, chance.denominator - chance.numerator, chance.denominator
    weights = {
        count: comb(dice, count) * good**count * bad ** (dice - count) for count in range(dice + 1)
    }
    return tuple(_spread(weights, whole**dice).items())


def successes(dice: int, chance: Fraction) -> Spread:
    """Return the probability of each number of successes among *dice*, each with *chance*.

    Raises
    ------
    ValueError
        If *dice* is negative, or *chance* is not from 0 to 1.
    """
    if dice < 0 or not 0 <= chance <= 1:
        raise ValueError(f"expected dice from 0 and a chance from 0 to 1, got {dice} at {chance}")
    return dict(_pool(dice, chance))


def die(sides: int) -> Spread:
    """Return the probability of each face of one die."""
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


def highest(dice: int, sides: int, keep: int = 1) -> Spread:
    """Return the probability of each sum of the *keep* highest of *dice*; {0: 1} without dice.

    Dice are counted face by face from the highest, so that no permutation counts twice.
    """
    by_used: dict[tuple[int, int], int] = {(0, 0): 1}
    for face in range(sides, 0, -1):
        found: dict[tuple[int, int], int] = {}
        for (used, total), ways in by_used.items():
            for more in range(dice - used + 1):
                counted = max(min(more, keep - used), 0)
                place = used + more, total + counted * face
                found[place] = found.get(place, 0) + ways * comb(dice - used, more)
        by_used = found
    weights = {total: ways for (used, total), ways in by_used.items() if used == dice}
    return _spread(weights, sides**dice)


def added(*spreads: Spread) -> Spread:
    """Return the probability of each sum of independent values."""
    weights: Weights = {0: 1}
    whole = 1
    for spread in spreads:
        own, each = _weights(spread)
        weights, whole = _convolved(weights, each), whole * own
    return _spread(weights, whole)


def times(spread: Spread, count: int) -> Spread:
    """Return the probability of each sum of *count* independent values with the same spread."""
    own, each = _weights(spread)
    found: Weights = {0: 1}
    power, left = each, count
    while left:
        if left & 1:
            found = _convolved(found, power)
        left >>= 1
        if left:
            power = _convolved(power, power)
    return _spread(found, own**count)


def difference(one: Spread, other: Spread) -> Spread:
    """Return the probability of each difference of two independent values."""
    return added(one, {-value: chance for value, chance in other.items()})


def mapped(spread: Spread, of: Callable[[int], int]) -> Spread:
    """Return the probability of each value of a function, such as a score with a maximum."""
    whole, weights = _weights(spread)
    found: dict[int, int] = {}
    for value, weight in weights.items():
        found[of(value)] = found.get(of(value), 0) + weight
    return _spread(found, whole)


def then(spread: Spread, follows: Callable[[int], Spread]) -> Spread:
    """Return the probability of each value that depends on another, such as saves after hits.

    follows : returns the spread of the second value for a value of the first
    """
    whole, firsts = _weights(spread)
    seconds = {value: _weights(follows(value)) for value in firsts}
    common = lcm(*(own for own, _ in seconds.values()))
    found: dict[int, int] = {}
    for first, weight in firsts.items():
        own, each = seconds[first]
        share = weight * (common // own)
        for value, chance in each.items():
            found[value] = found.get(value, 0) + share * chance
    return _spread(found, whole * common)


def at_least(spread: Spread, need: int) -> Fraction:
    """Return the probability of a value of at least *need*."""
    whole, weights = _weights(spread)
    return Fraction(sum(weight for value, weight in weights.items() if value >= need), whole)


def compared(one: Spread, other: Spread) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities that a value is below, equal to and above another one."""
    whole, weights = _weights(difference(one, other))
    below = sum(weight for value, weight in weights.items() if value < 0)
    equal = weights.get(0, 0)
    return Fraction(below, whole), Fraction(equal, whole), Fraction(whole - below - equal, whole)


def _weights(spread: Spread) -> tuple[int, Weights]:
    """Return a common denominator, and the numerator of each probability."""
    whole = lcm(*(chance.denominator for chance in spread.values()))
    return whole, {
        value: chance.numerator * (whole // chance.denominator) for value, chance in spread.items()
    }


def _spread(weights: Weights, whole: int) -> dict[int, Fraction]:
    """Return weights as probabilities, the lowest value first, without impossible values."""
    divisor = gcd(whole, *weights.values())
    return {
        value: Fraction(weights[value] // divisor, whole // divisor)
        for value in sorted(weights)
        if weights[value]
    }


def _convolved(one: Weights, other: Weights) -> Weights:
    found: dict[int, int] = {}
    for value, weight in one.items():
        for more, ways in other.items():
            found[value + more] = found.get(value + more, 0) + weight * ways
    return found
