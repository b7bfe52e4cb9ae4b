"""Limits of distance, direction and angle to the view of an observer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.dem.model import ElevationModel, Part, Station
from emlia3d.errors import Error

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Limits(NamedTuple):
    """The part of the ground that counts; the rest is as if hidden.

    min_m, max_m : horizontal distance from the observer
    sector : first and last bearing, degrees clockwise from north; it may pass north
    pitch : lowest and highest angle above the observer's horizontal, degrees
    """

    min_m: float = 0.0
    max_m: float = math.inf
    sector: tuple[float, float] | None = None
    pitch: tuple[float, float] | None = None

    def check(self) -> None:
        """Raise Error for limits that leave nothing."""
        if not 0 <= self.min_m < self.max_m:
            raise Error(
                "expected a minimum distance from 0 up to the maximum distance, got "
                f"{self.min_m:g} and {self.max_m:g} m"
            )
        if self.sector is not None and not _is_sector(*self.sector):
            first, last = self.sector
            raise Error(
                "sector: expected two different bearings FROM,TO, clockwise, from -360 to 360 "
                f"degrees, got {first:g},{last:g}"
            )
        if self.pitch is not None and not -90 <= self.pitch[0] < self.pitch[1] <= 90:
            low, high = self.pitch
            raise Error(f"pitch: expected LOW,HIGH from -90 up to 90 degrees, got {low:g},{high:g}")

    def part_of(self, model: ElevationModel, eye: Station) -> Part:
        """Return the rows and columns within the maximum distance."""
        east, north = model.spacing_m
        rows, columns = model.shape
        return (
            _range(eye.row, self.max_m / north, rows),
            _range(eye.column, self.max_m / east, columns),
        )

    def mask(
        self, model: ElevationModel, eye: Station, part: Part, angles: Callable[[], Floats]
    ) -> Mask | None:
        """Return which centres of a part count; None if all do.

        angles : called for the angles above the horizontal of the points there, degrees
        """
        masks = list(self._masks(offsets_m(model, eye, part), angles))
        return np.logical_and.reduce(masks) if masks else None

    def _masks(
        self, offsets: tuple[Floats, Floats], angles: Callable[[], Floats]
    ) -> Iterator[Mask]:
        east, north = offsets
        if self.min_m > 0 or self.max_m < math.inf:
            squared = east**2 + north**2
            yield (squared >= self.min_m**2) & (squared <= self.max_m**2)
        if self.sector is not None:
            first, last = self.sector
            bearings = np.degrees(np.arctan2(*np.broadcast_arrays(east, north)))
            yield (bearings - first) % 360 <= ((last - first) % 360 or 360)
        if self.pitch is not None:
            found = angles()
            yield (found >= self.pitch[0]) & (found <= self.pitch[1])


def offsets_m(model: ElevationModel, eye: Station, part: Part) -> tuple[Floats, Floats]:
    """Return metres east, (1, columns), and north, (rows, 1), from an eye to a part's centres."""
    rows, columns = part
    across = np.arange(columns.start, columns.stop, dtype=np.float64)
    along = np.arange(rows.start, rows.stop, dtype=np.float64)
    east = (across - eye.column) * model.spacing_m[0]
    north = (eye.row - along) * model.spacing_m[1]
    return east[None, :], north[:, None]


def _range(middle: float, reach: float, count: int) -> slice:
    first = 0 if reach >= middle else math.ceil(middle - reach)
    end = count if reach >= count - 1 - middle else math.floor(middle + reach) + 1
    return slice(min(first, count), max(end, 0))


def _is_sector(first: float, last: float) -> bool:
    return all(-360 <= end <= 360 for end in (first, last)) and first != last
