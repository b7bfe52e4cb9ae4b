"""Estimates of a study: win rates, paired differences between variants, ratings of commanders."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emlia3d.geometry.arrays import Floats

_ELO = 400 / math.log(10)
"""Elo points per unit of the logistic scale."""

_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95% confidence interval.

    count : number of independent observations
    """

    count: int
    mean: float
    low: float
    high: float


def paired_difference(ones: Sequence[float], others: Sequence[float]) -> Estimate:
    """Return the mean difference *others* - *ones* of pairs, with the interval of Agresti and Min.

    Pairs share the seed of a battle, so the luck of that seed has less influence on their
    difference. The interval (2005) adds two pairs, half a pair in each cell of the table of wins
    and defeats. Therefore it is also valid for few pairs, and for pairs that seldom differ.

    ones, others : scores, 0 to 1, one of each for a seed
    """
    gaps = np.asarray(others, dtype=float) - np.asarray(ones, dtype=float)
    count = len(gaps) + 2
    middle = float(gaps.sum()) / count
    variance = (float((gaps**2).sum()) + 1) / count - middle**2
    reach = _NORMAL_95 * math.sqrt(variance / count)
    return Estimate(
        count=len(gaps),
        mean=float(np.mean(gaps)),
        low=max(middle - reach, -1.0),
        high=min(middle + reach, 1.0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A commander's Elo rating relative to the mean of all, with its 95% confidence interval."""

    commander: str
    battles: int
    score: float
    elo: float
    low: float
    high: float


def ratings(scores: Mapping[tuple[str, str], tuple[float, int]]) -> list[Rating]:
    """Return the ratings of commanders by the model of Bradley and Terry, the best first.

    scores : by pair of commanders, the points of the first and the number of battles; a win is one
        point, a draw half a point

    One drawn battle is added to each pair, so that a commander with only wins has a finite rating.
    """
    names = sorted({name for pair in scores for name in pair})
    number = {name: row for row, name in enumerate(names)}
    made = np.zeros((len(names), len(names)))
    for (one, other), (points, battles) in scores.items():
        made[number[one], number[other]] += points + 0.5
        made[number[other], number[one]] += battles - points + 0.5
    played = made + made.T
    strength = _fitted(made, played)
    chances = strength[:, None] / (strength[:, None] + strength)
    information = -played * chances * (1 - chances)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    logs = np.log(strength)
    elo, reach = _ELO * (logs - logs.mean()), _NORMAL_95 * _ELO * errors
    rivals = np.count_nonzero(played, axis=1)
    found = [
        Rating(
            commander=name,
            battles=round(float(played[row].sum() - rivals[row])),
            score=float((made[row].sum() - 0.5 * rivals[row]) / (played[row].sum() - rivals[row])),
            elo=float(elo[row]),
            low=float(elo[row] - reach[row]),
            high=float(elo[row] + reach[row]),
        )
        for row, name in enumerate(names)
    ]
    return sorted(found, key=lambda one: (-one.elo, one.commander))


def _fitted(made: Floats, played: Floats) -> Floats:
    """Return strengths by Hunter's algorithm (2004), with geometric mean 1."""
    strength = np.ones(len(made))
    for _ in range(10_000):
        sums = strength[:, None] + strength
        fresh = made.sum(axis=1) / (played / sums).sum(axis=1)
        fresh /= np.exp(np.log(fresh).mean())
        if np.allclose(fresh, strength, rtol=1e-10, atol=0):
            return np.asarray(fresh)
        strength = fresh
    return strength


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the same order."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    corrected, most = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, p_values[at] * (len(p_values) - rank)))
        corrected[at] = most
    return corrected


def deviation_p_value(away: float, variance: float) -> float:
    """Return the probability that a sum is at least this far *away* from its mean.

    It uses the normal approximation; the result is 1 if the sum cannot vary.
    """
    return math.erfc(abs(away) / math.sqrt(2 * variance)) if variance > 0 else 1.0


def shared_luck_p_value(seeds: Iterable[Sequence[tuple[float, float]]]) -> float:
    """Return the probability of a deviation of a sum of battles that share luck.

    Battles of one seed can roll the same dice, so they count as their mean. Its standard deviation
    is at most the mean of theirs. Therefore the value is exact for equal dice, and conservative for
    others.

    seeds : for each seed, the difference from the mean and the standard deviation of each battle
    """
    away = variance = 0.0
    for battles in seeds:
        away += sum(gap for gap, _ in battles) / len(battles)
        variance += (sum(deviation for _, deviation in battles) / len(battles)) ** 2
    return deviation_p_value(away, variance)


def variance_parts(
    scores: Sequence[float], values: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the part of the variance of scores that each factor explains alone.

    If several variants share each value of a factor, this is its main effect. Otherwise, as in a
    Latin hypercube over ranges, it is the part that a straight line over the factor explains,
    because separate values in each variant would also explain the effects of all other factors.

    values : for each factor, its value in each battle
    """
    rows = list(zip(*values.values(), strict=True))
    all_scores, variants = np.asarray(scores, dtype=float), set(rows)
    parts = {}
    for number, (key, column) in enumerate(values.items()):
        sharing = Counter(variant[number] for variant in variants)
        numbers = _numbers(column) if 1 in sharing.values() and len(sharing) > 2 else None
        parts[key] = (
            _between_groups(all_scores, column)
            if numbers is None
            else _along_line(all_scores, numbers)
        )
    return parts


def _between_groups(scores: Floats, column: Sequence[str]) -> float:
    total, between = float(((scores - scores.mean()) ** 2).sum()), 0.0
    for value in dict.fromkeys(column):
        group = scores[[one == value for one in column]]
        between += len(group) * float(group.mean() - scores.mean()) ** 2
    return between / total if total else 0.0


def _along_line(scores: Floats, numbers: Floats) -> float:
    ups, along = scores - scores.mean(), numbers - numbers.mean()
    both = float((ups**2).sum() * (along**2).sum())
    return float((ups * along).sum()) ** 2 / both if both else 0.0


def _numbers(column: Sequence[str]) -> Floats | None:
    """Return values as numbers; None if one is a word."""
    try:
        return np.array([float(value) for value in column])
    except ValueError:
        return None
