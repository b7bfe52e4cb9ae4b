"""The common parts of all readers of elevation rasters: result, window and limits.

A reader checks shape, kind and item size before it reads data, and then reads blocks of rows into
one array, so that reading takes little more memory than the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.field.resampling import MOST_CELLS
from emlia3d.geometry.ground_surface import blocks_of

Window = tuple[int, int, int, int]
"""First column, first row, end column, end row; row 0 in the north, the ends not included."""


class RasterFormatError(ValueError):
    """Error in a file and its correction; the caller that catches it names the file."""


class Raster(NamedTuple):
    """Elevations as in a file.

    elevation_m : (rows, columns) float64, metres, row 0 north; NaN where there are no data
    spacing_m : metres between centres, east and north, at the middle of the raster; None if the
        file does not state it
    transform : affine transform a to f, from column and row of the part that was read, counted
        from its north-west corner, to the coordinates of `crs`; None without georeference
    crs : coordinate reference system as WKT; None if the file does not state it
    notes : one line each about what was converted or assumed
    """

    elevation_m: NDArray[np.float64]
    spacing_m: tuple[float, float] | None
    transform: tuple[float, float, float, float, float, float] | None = None
    crs: str | None = None
    notes: tuple[str, ...] = ()


class Reading(NamedTuple):
    """Properties of a raster that a user states because the file does not, or states wrongly.

    band : number of the band with elevation, from 1; None for the only one
    unit : word for the unit of height; None for the file's own
    nodata : value of a cell without data, as it is in the file; None for the file's own
    """

    band: int | None = None
    unit: str | None = None
    nodata: float | None = None


LOWEST_LAND_M = -450.0
"""No land on the earth is lower: a lower height without a nodata value is probably no height."""


class RasterWindow(NamedTuple):
    """The part of a raster that is read, by rows and columns."""

    rows: slice
    columns: slice

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the part."""
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the first and end row of blocks of the part, counted from its first row."""
        yield from blocks_of(*self.shape)


def part_of(shape: tuple[int, ...], window: Window | None, *, whole: bool = False) -> RasterWindow:
    """Return the part of a raster of this shape that a window selects.

    whole : whether the reader must decode the whole raster

    Raises
    ------
    RasterFormatError
        If the raster is not two-dimensional, or the window does not fit, is too small or too large.
    """
    if len(shape) != 2:
        raise RasterFormatError(f"has {len(shape)} dimensions; elevation needs rows and columns")
    rows, columns = shape
    first, top, end, bottom = window or (0, 0, columns, rows)
    if not (0 <= first < end <= columns and 0 <= top < bottom <= rows):
        raise RasterFormatError(
            f"window {[first, top, end, bottom]} does not lie in its {columns} columns and "
            f"{rows} rows; it is [first column, first row, end column, end row]"
        )
    if min(end - first, bottom - top) < 2:
        raise RasterFormatError("elevation: expected at least 2 rows and 2 columns")
    if max(shape if whole else (end - first, bottom - top)) > MOST_CELLS:
        raise RasterFormatError(too_large())
    return RasterWindow(slice(top, bottom), slice(first, end))


def too_large() -> str:
    """Return the message for a raster with too many cells."""
    return f"too large; at most {MOST_CELLS} rows and columns are read, so cut a window first"
