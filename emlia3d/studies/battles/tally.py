"""Statistics of many battles: wins, levels, lengths and losses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

LEVELS = ("massacre", "major victory", "victory", "minor victory", "draw")
_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleResult:
    """The result of one battle.

    winner : name of the side that won; None for a draw
    lost : number of figures that each side lost, by name
    digest : digest of all its events
    """

    seed: int
    turns: int
    winner: str | None
    level: str
    lost: Mapping[str, int]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A proportion with its 95% Wilson interval."""

    count: int
    share: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Minimum, quartiles, maximum and mean of some numbers."""

    least: float
    lower: float
    median: float
    mean: float
    upper: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The statistics of many battles.

    won : wins by side
    undecided : number of draws
    levels : number of results at each level, the highest first, by side; "" for draws
    lost : lost figures, by side
    shortest, bloodiest : seeds of the first shortest battle, and of the battle with the most losses
    """

    battles: int
    won: dict[str, Proportion]
    undecided: Proportion
    levels: dict[str, dict[str, int]]
    turns: Summary
    lost: dict[str, Summary]
    shortest: int
    bloodiest: int


def tally(battles: Sequence[BattleResult], sides: Sequence[str]) -> Tally:
    """Return the statistics of one or more *battles* of these sides."""
    count = len(battles)
    winners = [ended.winner for ended in battles]
    return Tally(
        battles=count,
        won={side: share(winners.count(side), count) for side in sides},
        undecided=share(winners.count(None), count),
        levels={
            side or "": _levels([e.level for e in battles if e.winner == side])
            for side in (*sides, None)
        },
        turns=spread([ended.turns for ended in battles]),
        lost={side: spread([ended.lost[side] for ended in battles]) for side in sides},
        shortest=min(battles, key=lambda ended: (ended.turns, ended.seed)).seed,
        bloodiest=min(battles, key=lambda ended: (-sum(ended.lost.values()), ended.seed)).seed,
    )


def score(winner: str | None, side: str) -> float:
    """Return the score of a side in a battle: 1 for a win, 0.5 for a draw, 0 for a defeat."""
    return 0.5 if winner is None else float(winner == side)


def share(count: int, of: int) -> Proportion:
    """Return *count* out of *of* as a proportion with the interval of Wilson (1927).

    Unlike the normal interval, it is valid for proportions near 0 and 1, and never beyond them.
    """
    z2, part = _NORMAL_95**2, count / of
    middle = (part + z2 / (2 * of)) / (1 + z2 / of)
    reach = _NORMAL_95 * math.sqrt(part * (1 - part) / of + z2 / (4 * of**2)) / (1 + z2 / of)
    low = 0.0 if count == 0 else middle - reach
    high = 1.0 if count == of else middle + reach
    return Proportion(count=count, share=part, low=low, high=high)


def spread(numbers: Sequence[float]) -> Summary:
    """Return the quartiles of one or more numbers, with linear interpolation."""
    least, lower, median, upper, most = np.percentile(numbers, (0, 25, 50, 75, 100)).tolist()
    mean = float(np.mean(numbers))
    return Summary(least=least, lower=lower, median=median, mean=mean, upper=upper, most=most)


def _levels(levels: Sequence[str]) -> dict[str, int]:
    known = (*LEVELS, *sorted(set(levels) - set(LEVELS)))
    return {level: levels.count(level) for level in known if level in levels}
