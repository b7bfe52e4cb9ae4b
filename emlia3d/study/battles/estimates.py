"""Figures of a study: win rates, differences between variants in pairs, ratings of commanders."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emlia3d.geometry.arrays import Floats

_ELO = 400 / math.log(10)
"""Elo points of a unit of the logistic scale."""


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
    """Return the mean of *others* less *ones*, pair by pair, by Student's t.

    Pairs share the seed of a battle, so the luck of that seed weighs less in their difference.

    ones, others : equally many scores, one of each for a seed
    """
    gaps = np.asarray(others, dtype=float) - np.asarray(ones, dtype=float)
    count, mean = len(gaps), float(np.mean(gaps))
    if count < 2:
        return Estimate(count=count, mean=mean, low=-math.inf, high=math.inf)
    reach = student_95(count - 1) * float(np.std(gaps, ddof=1)) / math.sqrt(count)
    return Estimate(count=count, mean=mean, low=mean - reach, high=mean + reach)


def student_95(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t, to 1 part in 1,000 (Abramowitz and Stegun, 26.7.5).

    freedom : degrees of freedom, 1 or more
    """
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824}
    if freedom in exact:
        return exact[freedom]
    z = 1.959963984540054
    n = float(freedom)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n**power for power, term in enumerate(terms, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A commander's Elo rating against the mean of all, with its 95% confidence interval."""

    commander: str
    battles: int
    score: float
    elo: float
    low: float
    high: float


def ratings(scores: Mapping[tuple[str, str], tuple[float, int]]) -> list[Rating]:
    """Return the ratings of commanders by the model of Bradley and Terry, the best first.

    scores : by pair of commanders, the points that the first made and the number of battles; a
        win is one point, a draw half a point

    One drawn battle is added to each pair, so that a commander that has won all has a rating.
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
    elo, reach = _ELO * (logs - logs.mean()), 1.959963984540054 * _ELO * errors
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
    """Return strengths by Hunter's algorithm (2004), their geometric mean 1."""
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


def variance_parts(
    scores: Sequence[float], values: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the part of the variance of scores that the main effect of each factor explains.

    values : for each factor, its value in each battle
    """
    all_scores = np.asarray(scores, dtype=float)
    total = float(((all_scores - all_scores.mean()) ** 2).sum())
    parts = {}
    for key, column in values.items():
        between = 0.0
        for value in dict.fromkeys(column):
            group = all_scores[[one == value for one in column]]
            between += len(group) * float(group.mean() - all_scores.mean()) ** 2
        parts[key] = between / total if total else 0.0
    return parts
