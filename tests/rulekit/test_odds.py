"""Exact chances of dice, beside every way in which a few dice can fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.rulekit.odds import (
    added,
    at_least,
    binomial,
    chance_of_die,
    compared,
    die,
    difference,
    highest,
    mapped,
    successes,
    then,
    times,
)

SIDES = st.integers(1, 6)
FEW = st.integers(0, 4)
SPREADS = st.dictionaries(st.integers(-3, 5), st.integers(1, 9), min_size=1, max_size=4).map(
    lambda weights: {
        value: Fraction(weight, sum(weights.values())) for value, weight in sorted(weights.items())
    }
)


def throws(dice: int, sides: int) -> Iterator[tuple[int, ...]]:
    return product(range(1, sides + 1), repeat=dice)


def by_hand(dice: int, sides: int, of: Callable[[tuple[int, ...]], int]) -> dict[int, Fraction]:
    """The spread of a function of some dice, by all ways in which they fall."""
    found: dict[int, Fraction] = {}
    for faces in throws(dice, sides):
        found[of(faces)] = found.get(of(faces), Fraction(0)) + Fraction(1, sides**dice)
    return dict(sorted(found.items()))


def of_pairs(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction], of: Callable[[int, int], int]
) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for (a, p), (b, q) in product(one.items(), other.items()):
        found[of(a, b)] = found.get(of(a, b), Fraction(0)) + p * q
    return dict(sorted(found.items()))


@pytest.mark.parametrize(
    ("sides", "need", "succeed", "fail", "chance"),
    [
        (10, 5, (), (), Fraction(6, 10)),
        (10, 1, (), (), Fraction(1)),
        (10, 1, (), (1,), Fraction(9, 10)),
        (10, -4, (), (1,), Fraction(9, 10)),
        (10, 11, (), (1,), Fraction(0)),
        (10, 14, (10,), (1,), Fraction(1, 10)),
        (6, 4, (6,), (6,), Fraction(2, 6)),
    ],
)
def test_a_die_succeeds_from_its_need_on_but_for_natural_faces(
    sides: int, need: int, succeed: tuple[int, ...], fail: tuple[int, ...], chance: Fraction
) -> None:
    assert chance_of_die(sides, need, succeed, fail) == chance


@given(FEW, SIDES, st.integers(-1, 8))
def test_successes_are_those_of_every_throw(dice: int, sides: int, need: int) -> None:
    spread = successes(dice, chance_of_die(sides, need))

    assert spread == by_hand(dice, sides, lambda faces: sum(face >= need for face in faces))
    assert list(spread) == sorted(spread)


def test_forty_dice_have_exact_chances() -> None:
    chance = Fraction(7, 10)
    spread = successes(40, chance)

    assert sum(spread.values()) == 1
    assert (
        spread[33] == comb(40, 33) * chance**33 * Fraction(3, 10) ** 7 == binomial(40, 33, chance)
    )
    assert sum(value * each for value, each in spread.items()) == 28


@given(FEW, SIDES, st.integers(0, 4))
def test_the_highest_dice_are_those_of_every_throw(dice: int, sides: int, keep: int) -> None:
    expected = by_hand(dice, sides, lambda faces: sum(sorted(faces, reverse=True)[:keep]))

    assert highest(dice, sides, keep) == expected


def test_the_highest_of_three_dice() -> None:
    """Of 216 throws of three dice of six 91 have a 6, and 125 - 64 = 61 a 5 at most."""
    spread = highest(3, 6)

    assert spread[6] == Fraction(91, 216)
    assert spread[5] == Fraction(61, 216)


@given(SPREADS, SPREADS, SPREADS)
def test_sums_and_differences_are_those_of_every_pair(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction], third: Mapping[int, Fraction]
) -> None:
    both = of_pairs(one, other, lambda a, b: a + b)

    assert added(one, other) == both
    assert added(one, other, third) == of_pairs(both, third, lambda a, b: a + b)
    assert difference(one, other) == of_pairs(one, other, lambda a, b: a - b)
    assert added() == {0: 1}


@given(SPREADS, st.integers(0, 5))
def test_a_sum_of_equals_is_added_one_by_one(one: Mapping[int, Fraction], count: int) -> None:
    assert times(one, count) == added(*[one] * count)


@given(FEW, SIDES)
def test_a_sum_of_dice_is_that_of_every_throw(dice: int, sides: int) -> None:
    assert times(die(sides), dice) == by_hand(dice, sides, sum)


@given(SPREADS, SPREADS)
def test_two_scores_compare_as_every_pair_does(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction]
) -> None:
    expected = of_pairs(one, other, lambda a, b: (a > b) - (a < b))

    assert compared(one, other) == tuple(expected.get(sign, 0) for sign in (-1, 0, 1))


@given(SPREADS, st.integers(-4, 6))
def test_a_chance_of_at_least_adds_all_that_reach(one: Mapping[int, Fraction], need: int) -> None:
    assert at_least(one, need) == sum(chance for value, chance in one.items() if value >= need)


def test_saves_follow_hits() -> None:
    """Two dice hit at 1/2 each, and each hit is saved at 1/3: 1 - (1 - 1/3)^2 is any loss."""
    hits = successes(2, Fraction(1, 2))

    lost = then(hits, lambda count: successes(count, Fraction(2, 3)))

    assert lost == successes(2, Fraction(1, 3))


@given(SPREADS, st.lists(SPREADS, min_size=9, max_size=9))
def test_what_follows_is_weighed_by_what_went_before(
    first: Mapping[int, Fraction], after: list[Mapping[int, Fraction]]
) -> None:
    expected: dict[int, Fraction] = {}
    for value, chance in first.items():
        for more, own in after[value + 3].items():
            expected[more] = expected.get(more, Fraction(0)) + chance * own

    assert then(first, lambda value: after[value + 3]) == expected


@given(SPREADS)
def test_equal_values_of_a_function_are_one(one: Mapping[int, Fraction]) -> None:
    capped = mapped(one, lambda value: min(value, 2))

    assert capped == of_pairs(one, {2: Fraction(1)}, min)
    assert list(capped) == sorted(capped)


@pytest.mark.parametrize(("dice", "chance"), [(-1, Fraction(1)), (2, Fraction(3, 2))])
def test_what_is_no_pool_is_refused(dice: int, chance: Fraction) -> None:
    with pytest.raises(ValueError, match="expected dice from 0 and a chance"):
        successes(dice, chance)
