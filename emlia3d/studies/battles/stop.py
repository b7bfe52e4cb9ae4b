"""The condition for the end of a study: narrow intervals of all win rates."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from emlia3d.studies.battles.design import Trial
from emlia3d.studies.battles.tally import share

FIRST_RUNS = 16
"""Number of runs of each variant before the first test of the intervals."""


class Stop:
    """The condition that ends a study: a maximum width of intervals.

    The intervals are tested after fixed numbers of runs, when all battles of these runs are
    ready. A study therefore ends after the same run, whatever the order of its battles.

    Parameters
    ----------
    until
        maximum half width of an interval, as a proportion
    runs
        the most
    swaps
        for each variant, whether a run has two battles of it
    sides
        names

    Attributes
    ----------
    runs
        number after which the intervals are narrow enough; None if they are not
    planned
        estimated number of battles after which they will be
    """

    def __init__(
        self, until: float, runs: int, swaps: Sequence[bool], sides: Sequence[str]
    ) -> None:
        self.until, self.most, self.sides = until, runs, tuple(sides)
        self.runs: int | None = None
        self._ends = list(_looks(runs))
        self._in_a_run = sum(1 + both for both in swaps)
        sizes = [end - begin for begin, end in zip([0, *self._ends], self._ends, strict=False)]
        self._missing = [size * self._in_a_run for size in sizes]
        self._fresh: list[list[Counter[str | None]]] = [[] for _ in sizes]
        self._won: list[Counter[str | None]] = [Counter() for _ in swaps]
        self._look = 0
        most = 0.25 * (1.96 / until) ** 2 / min(1 + both for both in swaps)
        self.planned = self._battles(math.ceil(most))

    def add(self, trial: Trial, winner: str | None) -> None:
        """Count a battle, without duplicates."""
        at = bisect_right(self._ends, trial.run)
        if at == len(self._ends) or self.runs is not None:
            return
        self._fresh[at] = self._fresh[at] or [Counter() for _ in self._won]
        self._fresh[at][trial.variant][winner] += 1
        self._missing[at] -= 1
        while self.runs is None and self._look < len(self._ends) and not self._missing[self._look]:
            self._inspect(self._look)
            self._look += 1

    def _inspect(self, at: int) -> None:
        """Test the intervals when all battles up to a test are available."""
        for won, fresh in zip(self._won, self._fresh[at], strict=True):
            won.update(fresh)
        widest = max(
            share(won[side], won.total()).reach for won in self._won for side in self.sides
        )
        end = self._ends[at]
        if widest <= self.until:
            self.runs = end
        self.planned = self._battles(math.ceil(end * max((widest / self.until) ** 2, 1)))

    def _battles(self, runs: int) -> int:
        """Return the number of battles in some runs, at most in all."""
        return min(runs, self.most) * self._in_a_run


def _looks(runs: int) -> Iterator[int]:
    """Yield the numbers of runs after which intervals are tested, each 25% larger."""
    end = FIRST_RUNS
    while end < runs:
        yield end
        end += max(end // 4, 1)
    yield runs
