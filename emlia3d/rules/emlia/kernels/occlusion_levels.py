"""The concealment that all bodies in sight corridors give together, for many corridors.

Facts come as columns: heights, sizes, distances, fractions of a corridor. The rules behind the
levels are in `emlia3d.rules.emlia.tables.sight`, which states each of them in words; the caller
gives the thresholds for half, for reach and for taking cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext.emlia import occlusion_levels as _kernel
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.threads import in_chunks

Flags = NDArray[np.bool_]
Octets = NDArray[np.uint8]
Starts = NDArray[np.intp]

NOTHING, TALL, HALF, SHADOW, FROM_SHADOW = range(5)
"""The class of a body by heights above the lower base: none that counts; as tall as
both ends; lower than both and at least half the taller; overlooked by the observer alone;
overlooked by the observed alone."""

T = TypeVar("T", bound=np.generic)

_QUESTIONS_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The borders of the comparisons; each border counts.

    half : the smallest share of a corridor's width that counts as half
    slack : GSU by which a distance may be over a reach and be within it
    crouch : GSU from an obstacle behind which a unit may take cover
    """

    half: float
    slack: float
    crouch: float


@dataclass(frozen=True, kw_only=True)
class Ends:
    """One end of n corridors, in columns.

    footing, height, size : (n,) float64, height units
    reach : (n,) float64, GSU, own combat range
    crouched : (n,) bool, takes cover
    perched : (n,) bool, stands on something that could be seen by itself
    """

    footing: Floats
    height: Floats
    size: Floats
    reach: Floats
    crouched: NDArray[np.bool_]
    perched: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.footing)

    @cached_property
    def figures(self) -> Floats:
        """(n, 4) float64: footing, height, size and reach, as the kernel takes them."""
        out = np.empty((len(self), 4))
        for place, column in enumerate((self.footing, self.height, self.size, self.reach)):
            out[:, place] = _column(column, len(self))
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Occluders:
    """The bodies in the corridors, a row for each body in each corridor.

    top : (k,) float64, height units, from where footings are measured
    solid : (k,) bool, False for sparse
    fraction : (k,) float64, of the corridor's width
    to_observer, to_observed : (k,) float64, GSU between nearest edges
    observer_depth, observed_depth : (k,) float64, GSU to the end that must lie in its shadow;
        NaN if it is not behind the body
    to_perch : (k,) float64, GSU to the body that the observed stands on
    """

    top: Floats
    solid: NDArray[np.bool_]
    fraction: Floats
    to_observer: Floats
    to_observed: Floats
    observer_depth: Floats
    observed_depth: Floats
    to_perch: Floats

    def columns(
        self,
    ) -> tuple[Floats, Octets, Floats, Floats, Floats, Floats, Floats, Floats]:
        """Return the columns as the kernel takes them; ValueError where one has another length."""
        count = len(self.top)
        return (
            _column(self.top, count), _octets(self.solid, count), _column(self.fraction, count),
            _column(self.to_observer, count), _column(self.to_observed, count),
            _column(self.observer_depth, count), _column(self.observed_depth, count),
            _column(self.to_perch, count),
        )  # fmt: skip


def height_cases(starts: ArrayLike, observers: Ends, observed: Ends, tops: ArrayLike) -> Octets:
    """(k,) uint8: what each body is to its corridor, by heights alone.

    One of NOTHING, TALL, HALF, SHADOW, FROM_SHADOW. It says which of the other facts count: of a
    TALL body its substance alone, of one that is HALF the distances to both ends, of one that
    casts a SHADOW the observer's distance and the observed's depth, FROM_SHADOW the reverse.

    starts : (n + 1,) int, corridor q has the rows starts[q] to starts[q + 1]
    tops : (k,) float, height units, from where footings are measured

    Raises ValueError where the columns do not go together.

    Source: emlia.sight.case, emlia.sight.datum.
    """
    heights = np.ascontiguousarray(tops, dtype=np.float64)
    rows = _starts(starts, len(observers), len(heights))
    out = np.empty(len(heights), dtype=np.uint8)
    _kernel.cases(rows, observers.figures, observed.figures, heights, out)
    return out


def occlusion_levels(
    starts: ArrayLike,
    observers: Ends,
    observed: Ends,
    standing: Occluders,
    ground: ArrayLike,
    limits: Thresholds,
) -> Octets:
    """(n,) uint8: how much of each observed is taken from sight; 0 nothing, 1 part, 2 the whole.

    The same as `emlia3d.rules.emlia.tables.sight.conceal` finds for each corridor alone, to the
    last bit. Facts that `height_cases` says do not count are not looked at, and may be NaN.

    Parameters
    ----------
    starts : (n + 1,) int
        Corridor q has the rows starts[q] to starts[q + 1].
    observers, observed : Ends
        Of n corridors.
    standing : Standing
        Of k rows.
    ground : (n, 2) float
        The fractions in which the ground rises above the line to the top of the observed, and
        above that to half its height; 0 on a flat board.
    limits : Thresholds

    Raises
    ------
    ValueError
        Columns that do not go together.

    Notes
    -----
    Source: emlia.sight.case, emlia.sight.shadow, emlia.sight.from-shadow, emlia.sight.group-level,
    emlia.sight.raster-ground, emlia.cover.taking-cover.
    """
    count = len(observers)
    rows = _starts(starts, count, len(standing.top))
    shares = np.ascontiguousarray(ground, dtype=np.float64)
    if shares.shape != (count, 2):
        raise ValueError(f"ground: needs {count} rows of two shares, not {shares.shape}")
    out = np.empty(count, dtype=np.uint8)
    seers, seen = observers.figures, observed.figures
    crouched, perched = _octets(observed.crouched, count), _octets(observed.perched, count)
    top, solid, *measures = standing.columns()
    fraction, near, far, near_depth, far_depth, perch = measures
    borders = np.array([limits.half, limits.slack, limits.crouch])

    def settle(begin: int, end: int) -> None:
        _kernel.levels(
            rows, seers, seen, crouched, perched, shares,
            top, solid, fraction, near, far, near_depth, far_depth, perch,
            borders, begin, end, out,
        )  # fmt: skip

    in_chunks(settle, count, _QUESTIONS_AT_ONCE)
    return out


def _starts(starts: ArrayLike, count: int, rows: int) -> Starts:
    offsets = np.ascontiguousarray(starts, dtype=np.intp)
    if offsets.shape != (count + 1,) or offsets[0] != 0 or offsets[-1] != rows:
        raise ValueError(f"starts: needs {count + 1} offsets from 0 to {rows}")
    if (np.diff(offsets) < 0).any():
        raise ValueError("starts: offsets must not fall")
    return offsets


def _octets(flags: NDArray[np.bool_], count: int) -> Octets:
    return _column(np.asarray(flags, dtype=np.bool_).view(np.uint8), count)


def _column(values: NDArray[T], count: int) -> NDArray[T]:
    column = np.ascontiguousarray(values)
    if column.shape != (count,):
        raise ValueError(f"a column needs {count} values, not the shape {column.shape}")
    return column
