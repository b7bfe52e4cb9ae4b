"""Figures of a study against known coins and known strengths."""

from __future__ import annotations

import math

import numpy as np
import pytest

from emlia3d.studies.battles.estimates import (
    deviation_p_value,
    holm,
    paired_difference,
    ratings,
    shared_luck_p_value,
    variance_parts,
)  # fmt: skip
from emlia3d.studies.battles.tally import share


@pytest.mark.parametrize("part", [0.1, 0.35, 0.5, 0.8])
def test_wilson_intervals_cover_a_known_coin_19_times_in_20(part: float) -> None:
    # Exact, not simulated: each number of heads counts with its probability. The coverage of one
    # number of throws jumps, so it is the mean over several.
    from scipy.stats import binom  # slow to load, so not for each collection

    covered = []
    for throws in range(80, 121):
        chances = binom.pmf(np.arange(throws + 1), throws, part)
        holds = [
            (rate := share(count, throws)).low <= part <= rate.high for count in range(throws + 1)
        ]
        covered.append(float(chances[holds].sum()))

    assert 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.parametrize(
    ("one", "other", "luck"),
    [(0.4, 0.55, 0.0), (0.4, 0.55, 0.3), (0.1, 0.3, 0.0), (0.5, 0.95, 0.1)],
)
@pytest.mark.parametrize("pairs", [20, 60, 200])
def test_paired_intervals_cover_a_known_difference_19_times_in_20(
    one: float, other: float, luck: float, pairs: int
) -> None:
    # Two coins that share the luck of a seed.
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(4000):
        seeds = luck * (rng.random(pairs) - 0.5)
        first, second = rng.random(pairs) < one + seeds, rng.random(pairs) < other + seeds
        found = paired_difference(first.astype(float).tolist(), second.astype(float).tolist())
        covered += found.low <= other - one <= found.high

    assert 0.93 <= covered / 4000 <= 0.97


@pytest.mark.parametrize("pairs", [1, 2, 5, 20])
def test_pairs_that_hardly_ever_differ_have_an_interval_that_holds_a_small_difference(
    pairs: int,
) -> None:
    rng, covered = np.random.default_rng(7), 0
    for _ in range(2000):
        gaps = (rng.random(pairs) < 0.05).astype(float).tolist()
        found = paired_difference([0.0] * pairs, gaps)
        covered += found.low <= 0.05 <= found.high

    assert covered / 2000 >= 0.93


def test_what_seeds_share_narrows_a_paired_interval() -> None:
    rng = np.random.default_rng(6)
    luck = rng.random(200)
    one, other = (luck < 0.4).astype(float), (luck < 0.5).astype(float)
    together = paired_difference(one.tolist(), other.tolist())
    apart = paired_difference(one.tolist(), rng.permutation(other).tolist())

    assert together.high - together.low < 0.7 * (apart.high - apart.low)


def test_one_pair_says_little() -> None:
    found = paired_difference([0.0], [1.0])

    assert (found.count, found.mean, found.high) == (1, 1.0, 1.0)
    assert found.low < -0.4


def test_ratings_recover_known_strengths() -> None:
    strengths = {"a": 4.0, "b": 2.0, "c": 1.0}
    games = 100_000
    scores = {
        (one, other): (games * strengths[one] / (strengths[one] + strengths[other]), games)
        for one, other in (("a", "b"), ("a", "c"), ("c", "b"))
    }

    found = {one.commander: one for one in ratings(scores)}

    assert found["a"].elo - found["b"].elo == pytest.approx(400 * math.log10(2), abs=0.5)
    assert found["a"].elo - found["c"].elo == pytest.approx(400 * math.log10(4), abs=0.5)
    assert sum(one.elo for one in found.values()) == pytest.approx(0, abs=1e-6)
    assert found["a"].battles == 2 * games
    assert all(one.low < one.elo < one.high for one in found.values())


def test_a_commander_that_wins_all_has_a_rating_with_a_wide_interval() -> None:
    best, worst = ratings({("strong", "weak"): (10.0, 10)})

    assert (best.commander, best.score, worst.score) == ("strong", 1.0, 0.0)
    assert best.elo == -worst.elo > 200
    assert best.high - best.low > 300


def test_rating_intervals_cover_a_known_difference() -> None:
    rng, covered = np.random.default_rng(8), 0
    truth = 400 * math.log10(0.6 / 0.4) / 2
    for wins in rng.binomial(100, 0.6, size=1000):
        found = {one.commander: one for one in ratings({("a", "b"): (float(wins), 100)})}
        covered += found["a"].low <= truth <= found["a"].high

    assert 0.93 <= covered / 1000 <= 0.98


def test_p_values_are_corrected_step_by_step() -> None:
    # Holm's own procedure: the least times 3, the next times 2, never less than one before it.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_variance_is_shared_out_to_main_effects() -> None:
    values = {"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]}

    assert variance_parts([0, 0, 1, 1], values) == {"a": 1.0, "b": 0.0}
    assert variance_parts([0, 1, 1, 2], values) == pytest.approx({"a": 0.5, "b": 0.5})
    assert variance_parts([1, 1, 1, 1], values) == {"a": 0.0, "b": 0.0}


def test_a_factor_without_shared_values_explains_what_a_line_over_it_does() -> None:
    # A Latin hypercube: each variant has a value of its own, and only `a` matters.
    rng = np.random.default_rng(3)
    values = {"a": rng.permutation(40), "b": rng.permutation(40)}
    scores = (values["a"] / 40 + 0.05 * rng.random(40)).tolist()

    found = variance_parts(scores, {key: list(map(str, value)) for key, value in values.items()})

    assert found["a"] > 0.95
    assert found["b"] < 0.2
    lone = variance_parts([1, 2, 3], {"a": ["1", "2", "3"], "b": ["5", "5", "5"]})
    assert lone == pytest.approx({"a": 1.0, "b": 0.0})


@pytest.mark.parametrize("away", [-3.0, 0.0, 1.5])
def test_the_p_value_of_a_sum_is_that_of_the_normal_distribution(away: float) -> None:
    from scipy.stats import norm

    assert deviation_p_value(away, 4.0) == pytest.approx(2 * norm.sf(abs(away), scale=2.0))
    assert deviation_p_value(away, 0.0) == 1.0


@pytest.mark.parametrize("shared", [True, False])
def test_p_values_of_luck_hold_if_battles_share_their_dice(shared: bool) -> None:
    rng, seeds, battles = np.random.default_rng(5), 30, 4
    found = []
    for _ in range(2000):
        gaps = rng.normal(size=(seeds, 1 if shared else battles)) * np.ones((1, battles))
        found.append(shared_luck_p_value([[(gap, 1.0) for gap in row] for row in gaps.tolist()]))

    share_below = np.mean(np.array(found) < 0.05)

    assert 0.04 < share_below < 0.06 if shared else share_below < 0.01
