"""The battles of a study, and statistics of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from emlia3d.studies.battles.design import Variant
from emlia3d.studies.battles.estimates import Estimate, Rating, paired_difference, ratings
from emlia3d.studies.battles.tally import Proportion, score, share

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """The results of a study.

    battles : Arrow table with a row for each battle, by variant and run
    variants : variants in the order of their numbers
    sides : names of the sides
    commanders : commanders of the sides, for each variant
    """

    battles: pa.Table
    variants: tuple[Variant, ...]
    sides: tuple[str, ...]
    commanders: tuple[tuple[str, ...], ...]

    def is_swapped(self, variant: int = 0) -> bool:
        """Return whether a variant was also played with exchanged commanders."""
        return any(row["swapped"] for row in self._rows[variant])

    def commander_rates(self, variant: int = 0) -> dict[str, Proportion]:
        """Return the proportion of battles that each commander won, on either side."""
        rows, led = self._rows[variant], self.commanders[variant]
        numbers = {side: number for number, side in enumerate(self.sides)}
        winners = [
            led[(numbers[row["winner"]] + row["swapped"]) % len(led)]
            for row in rows
            if row["winner"] is not None
        ]
        return {name: share(winners.count(name), len(rows)) for name in led}

    def battles_of(self, variant: int) -> int:
        """Return the number of battles of a variant."""
        return len(self._rows[variant])

    def win_rates(self, variant: int = 0) -> dict[str, Proportion]:
        """Return the proportion of battles that each side won, with Wilson intervals."""
        winners = [row["winner"] for row in self._rows[variant]]
        return {side: share(winners.count(side), len(winners)) for side in self.sides}

    def widest_interval(self) -> float:
        """Return half the width of the widest interval of a win rate."""
        numbers = range(len(self.variants))
        rates = [rate for number in numbers for rate in self.win_rates(number).values()]
        return max(rate.reach for rate in rates)

    def draws(self, variant: int = 0) -> Proportion:
        """Return the proportion of battles that no side won."""
        winners = [row["winner"] for row in self._rows[variant]]
        return share(winners.count(None), len(winners))

    def difference(self, side: str, variant: int, base: int = 0) -> Estimate:
        """Return the mean difference between two variants in a side's score, seed by seed.

        A win scores 1 and a draw 0.5. Only runs of both variants count.
        """
        ones, others = self._scores(side, base), self._scores(side, variant)
        runs = sorted(ones.keys() & others.keys())
        return paired_difference([ones[run] for run in runs], [others[run] for run in runs])

    def ratings(self) -> list[Rating]:
        """Return Elo ratings of the commanders that played against each other."""
        scores = {}
        for number, variant in enumerate(self.variants):
            one, other = (variant.commanders[side] for side in self.sides)
            rows = self._rows[number]
            points = sum(score(row["winner"], self.sides[row["swapped"]]) for row in rows)
            scores[one, other] = (points, len(rows))
        return ratings(scores)

    @cached_property
    def _rows(self) -> list[list[dict[str, Any]]]:
        """The battles of each variant."""
        found: list[list[dict[str, Any]]] = [[] for _ in self.variants]
        for row in self.battles.select(["variant", "run", "swapped", "winner"]).to_pylist():
            found[row["variant"]].append(row)
        return found

    def _scores(self, side: str, variant: int) -> dict[int, float]:
        """Return the mean score of a side in each run of a variant."""
        found: dict[int, list[float]] = {}
        for row in self._rows[variant]:
            found.setdefault(row["run"], []).append(score(row["winner"], side))
        return {run: sum(points) / len(points) for run, points in found.items()}
