"""Dice: the same on every machine, fair, and spent to the last by tests."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.dice import FixedDice, SeededDice, face_counts, odds, thrown

WORDS = 2**64


class Words:
    """Stands where the generator stands, and gives these raw words."""

    def __init__(self, *words: int) -> None:
        self._words: Iterator[int] = iter(words)

    def random_raw(self, count: int) -> np.ndarray:
        return np.array([next(self._words) for _ in range(count)], dtype=np.uint64)


def dice_of(*words: int) -> SeededDice:
    """Real dice over a generator that gives these words."""
    dice = SeededDice(0, 0)
    dice._source = Words(*words)
    return dice


def philox(counter: tuple[int, int, int, int], key: int) -> list[int]:
    """Four words of Philox4x64-10, from the paper: Salmon et al. 2011, section 3.3."""
    a, b, c, d = counter
    left, right = key, 0
    for _ in range(10):
        ac, cc = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
        a, b, c, d = cc >> 64 ^ b ^ left, cc % WORDS, ac >> 64 ^ d ^ right, ac % WORDS
        left = (left + 0x9E3779B97F4A7C15) % WORDS
        right = (right + 0xBB67AE8584CAA73B) % WORDS
    return [a, b, c, d]


@given(st.integers(0, WORDS - 1), st.integers(0, 2**40), st.integers(0, 2**20))
def test_faces_are_words_of_philox_at_the_place_of_the_stretch(
    seed: int, stretch: int, purpose: int
) -> None:
    words = [
        word for block in (1, 2, 3) for word in philox((block, 0, purpose, stretch), seed)
    ]  # as NumPy counts, from 1

    faces = SeededDice(seed, stretch, purpose).roll("tin", 12, 2)

    assert faces == tuple(word % 2 + 1 for word in words)


def test_the_first_faces_of_a_seed_are_these_on_every_machine() -> None:
    assert SeededDice(7, 0).roll("tin", 10, 6) == (1, 6, 5, 3, 1, 3, 3, 4, 3, 3)
    assert SeededDice(7, 1).roll("tin", 10, 6) == (6, 6, 6, 3, 5, 6, 1, 3, 1, 2)


@given(
    st.integers(0, 2**63), st.integers(0, 2**40), st.lists(st.integers(0, 9)), st.integers(1, 100)
)
def test_one_roll_of_many_dice_shows_the_faces_of_many_rolls(
    seed: int, stretch: int, blocks: list[int], sides: int
) -> None:
    in_blocks, at_once = SeededDice(seed, stretch), SeededDice(seed, stretch)

    faces = [face for count in blocks for face in in_blocks.roll("tin", count, sides)]

    assert tuple(faces) == at_once.roll("tin", sum(blocks), sides)
    assert all(1 <= face <= sides for face in faces)


def test_dice_that_are_thrown_away_are_thrown_away_in_blocks_too() -> None:
    unfair = WORDS - 1
    one_by_one = dice_of(unfair, 0, unfair, unfair, 1, 2, 3)

    assert [one_by_one.roll("tin", 1, 6) for _ in range(3)] == [(1,), (2,), (3,)]
    assert dice_of(unfair, 0, unfair, unfair, 1, 2, 3).roll("tin", 3, 6) == (1, 2, 3)


@given(st.lists(st.integers(0, 90), max_size=6), st.integers(1, 100))
def test_a_column_of_dice_shows_the_faces_of_one_after_another(
    counts: list[int], sides: int
) -> None:
    one_by_one, at_once = SeededDice(3, 8), SeededDice(3, 8)

    faces = [one_by_one.roll("tin", 1, sides)[0] for _ in range(sum(counts))]

    assert [int(face) for n in counts for face in thrown(at_once, "tin", n, sides)] == faces


def test_dice_that_are_thrown_away_are_thrown_away_in_a_column_too() -> None:
    unfair = WORDS - 1

    faces = thrown(dice_of(unfair, 0, unfair, unfair, 1, 2, 3), "tin", 3, 6)

    assert faces.tolist() == [1, 2, 3]


def test_laid_out_dice_are_thrown_as_they_lie_and_must_be_enough() -> None:
    dice = FixedDice([3, 1, 6])

    assert thrown(dice, "tin", 2, 6).tolist() == [3, 1]
    with pytest.raises(AssertionError, match=r"tin: needs 2 dice, 1 are left"):
        thrown(dice, "tin", 2, 6)


def test_seeds_stretches_and_purposes_have_dice_of_their_own() -> None:
    streams = [
        SeededDice(seed, stretch, purpose).roll("tin", 64, 20)
        for seed in (0, 1, 2**63)
        for stretch in (0, 1, 2)
        for purpose in (0, 1, 2)
    ]

    assert len(set(streams)) == 27


@given(st.integers(2, 1000))
def test_a_word_is_thrown_away_only_where_it_would_favour_low_faces(sides: int) -> None:
    fair = WORDS - WORDS % sides

    assert dice_of(fair - 1).roll("tin", 1, sides) == (sides,), "the last of the fair words"
    if fair < WORDS:
        assert dice_of(fair, 0).roll("tin", 1, sides) == (1,)
        assert dice_of(WORDS - 1, 1).roll("tin", 1, sides) == (2,)


@given(st.integers(1, 64), st.integers(0, 40))
def test_as_many_fair_words_lead_to_each_face(sides: int, block: int) -> None:
    in_a_row = range(block * sides, (block + 1) * sides)

    faces = dice_of(*in_a_row).roll("tin", sides, sides)

    assert face_counts(faces, sides) == (1,) * sides


@pytest.mark.parametrize("sides", [2, 6, 12, 20])
def test_a_great_many_dice_show_each_face_as_often_as_any(sides: int) -> None:
    faces = SeededDice(1813, 4).faces(12_000 * sides, sides)

    # Pearson's chi-squared, as great once in a thousand times.
    found = np.array(face_counts(faces, sides))
    greatest = {2: 10.83, 6: 20.52, 12: 31.26, 20: 43.82}[sides]
    assert ((found - 12_000) ** 2 / 12_000).sum() < greatest


def test_fixed_dice_show_what_was_laid_out() -> None:
    dice = FixedDice([3, 1, 6])

    assert dice.roll("tin", 2, 6) == (3, 1)
    with pytest.raises(AssertionError, match=r"dice not rolled: \[6\]"):
        dice.assert_spent()
    assert dice.roll("tin", 1, 6) == (6,)
    dice.assert_spent()


def test_fixed_dice_say_which_rule_wanted_one_more() -> None:
    with pytest.raises(AssertionError, match=r"tin\.bump: needs 2 dice, 1 are left"):
        FixedDice([3]).roll("tin.bump", 2, 6)


@pytest.mark.parametrize("face", [0, 7])
def test_fixed_dice_have_no_faces_that_the_die_has_not(face: int) -> None:
    with pytest.raises(AssertionError, match=r"tin\.bump"):
        FixedDice([face]).roll("tin.bump", 1, 6)


def test_the_odds_of_two_dice_are_exact() -> None:
    assert odds(lambda dice: sum(dice.roll("tin", 2, 6)) >= 10) == {
        True: Fraction(6, 36),
        False: Fraction(30, 36),
    }


def test_the_odds_of_dice_that_hang_on_others_are_exact() -> None:
    def six_or_again(dice) -> bool:
        first, *_ = dice.roll("tin", 1, 6)
        return first == 6 or dice.roll("tin", 1, 4) == (4,)

    assert odds(six_or_again) == {True: Fraction(3, 8), False: Fraction(5, 8)}


def test_what_needs_no_die_is_certain() -> None:
    assert odds(lambda dice: "rain") == {"rain": Fraction(1)}


@given(st.lists(st.integers(1, 6)))
def test_counts_of_faces_are_of_all_dice(faces: list[int]) -> None:
    counts = face_counts(tuple(faces), 6)

    assert counts == tuple(faces.count(face) for face in range(1, 7))
