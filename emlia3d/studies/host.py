"""Synthetic armies of any size for benchmarks, and the definition of tasks.

The same figures, ground and seed give the same work and the same result on any machine; the
checksum verifies it. This module uses no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.dice import SeededDice
from emlia3d.geometry import Bodies, Surface
from emlia3d.scenario import Scenario
from emlia3d.scenario.synthetic_armies import FEWEST, MOST, armies

Result: TypeAlias = tuple[NDArray[Any], ...]

UNIT = 100
"""Mean number of figures of a unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Another implementation of the same result.

    needs : its library; None for the program's own dependencies
    count : its amount of work, in the task's units
    make : prepares and compiles it; ImportError without its library
    agrees : whether its result equals the kernel's
    keeps : whether it caches results, so that each timing prepares it again
    """

    name: str
    needs: str | None
    count: int
    make: Callable[[], Callable[[], Any]]
    agrees: Callable[[Any, Result], bool]
    keeps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Work that can be repeated.

    counted, count : the unit of work, and the amount
    fresh : makes the argument of `laps` before each run, unmeasured
    laps : does the work, and yields the result so far after each lap; the longest lap counts
    """

    counted: str
    count: int
    laps: Callable[[Any], Iterator[Result]]
    fresh: Callable[[], Any] = lambda: None
    baselines: tuple[Baseline, ...] = ()

    def work(self, given: Any) -> Result:
        """Run all laps; return the last result."""
        *_, result = self.laps(given)
        return result

    def once(self) -> Result:
        """Run the work once from the start."""
        return self.work(self.fresh())


def one_lap(work: Callable[[Any], Result]) -> Callable[[Any], Iterator[Result]]:
    """Return work that is measured as a whole, in the form of laps."""

    def laps(given: Any) -> Iterator[Result]:
        yield work(given)

    return laps


def checksum(result: Result) -> str:
    """Return a checksum of sixteen digits of a result."""
    digest = hashlib.sha256()
    for column in result:
        digest.update(f"{column.dtype.str}{column.shape}".encode())
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()[:16]


class SyntheticArmies:
    """Two armies with any number of figures, and data that several tasks share.

    unit : mean number of figures of a unit, if it gives at least two units of valid size
    """

    def __init__(self, figures: int, *, hills: bool, seed: int = 0, unit: int = UNIT) -> None:
        self.figures = figures
        self.units = min(max(figures // unit, 2), figures // FEWEST)
        self.units = max(self.units, -(-figures // MOST))
        self.hills = hills
        self.dice = SeededDice(seed, figures, purpose=7)
        self.seed = seed

    @cached_property
    def scenario(self) -> Scenario:
        """The armies at the start of a battle."""
        return armies(self.figures, self.units, ground=self.hills, seed=self.seed)

    @cached_property
    def bodies(self) -> Bodies:
        """The boundaries of all units, followed by all other possible obstacles."""
        setup = self.scenario.setup
        outlines = [unit.starts_in for unit in setup.units]
        outlines += [feature.outline for feature in setup.field.features]
        count = len(outlines)
        return Bodies(outlines, np.zeros(count), np.ones(count), np.ones(count, dtype=np.bool_))

    @cached_property
    def sides(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The units of either side, by number."""
        side = np.array([unit.muster.side for unit in self.scenario.setup.units])
        blue, red = (np.flatnonzero(side == which).astype(np.int32) for which in (0, 1))
        return blue, red

    @cached_property
    def surface(self) -> Surface:
        """The ground under them."""
        return self.scenario.setup.field.surface()

    def whole(self, low: int, high: int, count: int) -> NDArray[np.int32]:
        """Return *count* integers from low to high."""
        return (self.dice.faces(count, high - low + 1) + (low - 1)).astype(np.int32)

    def shares(self, count: int) -> NDArray[np.float64]:
        """Return *count* numbers from 0 to 1."""
        return self.dice.faces(count, 2**30) / 2.0**30

    def places(self, count: int, up: float) -> NDArray[np.float64]:
        """Return (count, 3) random points, *up* height units above the ground."""
        rows, columns = self.surface.heights.shape
        x = self.surface.west + self.shares(count) * (columns - 1) * self.surface.cell
        y = self.surface.north - self.shares(count) * (rows - 1) * self.surface.cell
        return np.column_stack([x, y, self.surface.heights_at(x, y) + up])
