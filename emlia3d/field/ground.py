"""The ground: an elevation raster over the field, and the one surface that it stands for.

Heights are given at cell centres, row 0 in the north, the first centre half a cell inside the
field's north-west corner. Between centres the surface is triangulated: each square of four
centres is split along its south-west to north-east diagonal. Beyond the outermost centres the
height goes on unchanged. Sight, footing and the finest drawing all use this surface.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.field.georeference import Georeference
from emlia3d.field.resampling import ALIKE, MOST_CELLS, cut, resampled, rows_and_columns
from emlia3d.field.scale import Scale
from emlia3d.geometry.ground_surface import all_finite, blocks_of, read_only, triangulated

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """An elevation raster in square cells that covers a field.

    elevation_m : (rows, columns) float64, metres, kept read-only; copied unless it is so already
    size : east and north, GSU; the field runs from (0, 0) to `size`
    cell : GSU from one centre to the next, the same both ways
    georeference : the field's position on the earth; None if unknown

    The raster covers the field; at the east and south edges it may reach past it by less than
    one cell.

    Raises
    ------
    ValueError
        Not a two-dimensional raster of finite values, or one that does not cover the field.
    """

    elevation_m: Floats
    size: tuple[float, float]
    cell: float
    georeference: Georeference | None = None
    _level_m: float | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        raster = _without_minus_zero(read_only(self.elevation_m))
        if raster.ndim != 2 or raster.size == 0:
            raise ValueError("an elevation raster has rows and columns")
        if not all_finite(raster):
            raise ValueError("an elevation raster holds finite numbers of metres only")
        if not all(math.isfinite(length) and length > 0 for length in (*self.size, self.cell)):
            raise ValueError("a field's size and its cells are numbers of GSU above 0")
        wanted = rows_and_columns(self.size, self.cell)
        if raster.shape != wanted:
            raise ValueError(
                f"cells of {self.cell:g} GSU on a field of {self.size[0]:g} x {self.size[1]:g} "
                f"need {wanted[0]} rows and {wanted[1]} columns, not {raster.shape[0]} and "
                f"{raster.shape[1]}"
            )
        object.__setattr__(self, "elevation_m", raster)
        # Level ground, on which much is played, is asked about as often as any other.
        level = all(
            bool((raster[first:end] == raster[0, 0]).all())
            for first, end in blocks_of(*raster.shape)
        )
        object.__setattr__(self, "_level_m", float(raster[0, 0]) if level else None)

    @classmethod
    def flat(cls, size: tuple[float, float]) -> Ground:
        """Level ground at 0 m."""
        cell = max(min(size) / 2, max(size) / MOST_CELLS)
        return cls(elevation_m=np.zeros(rows_and_columns(size, cell)), size=size, cell=cell)

    @classmethod
    def stretched(
        cls, elevation_m: ArrayLike, size: tuple[float, float], *, overwrite: bool = False
    ) -> Ground:
        """Return a raster of any shape, stretched over the whole field.

        If its cells become oblong, it is resampled to square cells of the finer spacing, within
        the limit `MOST_CELLS`.

        overwrite : whether *elevation_m* may be overwritten, to save memory
        """
        raster = _given(elevation_m, overwrite=overwrite)
        if raster.ndim != 2 or raster.size == 0:
            raise ValueError("an elevation raster has rows and columns")
        east, north = size[0] / raster.shape[1], size[1] / raster.shape[0]
        cell = east
        if abs(east - north) > ALIKE * east:
            cell = max(min(east, north), max(size) / MOST_CELLS)
            raster = resampled(raster, (east, north), size, cell, overwrite=overwrite)
        raster.flags.writeable &= not overwrite
        return cls(elevation_m=raster, size=size, cell=cell)

    @classmethod
    def laid(
        cls,
        elevation_m: ArrayLike,
        size: tuple[float, float],
        cell: float,
        georeference: Georeference | None = None,
        *,
        corner: tuple[float, float] = (0.0, 0.0),
        overwrite: bool = False,
    ) -> Ground:
        """Return a raster with cells of a known size, cut to the field.

        The field's south-west corner lies on the raster's, or as far east and north of it as
        `corner` states; the part of the raster outside the field is cut.

        corner : east and north, GSU; the raster is resampled if they are not whole cells
        overwrite : whether *elevation_m* may be overwritten, to save memory

        Raises
        ------
        ValueError
            The raster does not cover the field.
        """
        raster = _given(elevation_m, overwrite=overwrite)
        rows, columns = raster.shape
        if min(columns * cell / size[0], rows * cell / size[1]) < 1 - ALIKE:
            raise ValueError(
                f"the raster covers {columns * cell:g} x {rows * cell:g} GSU, "
                f"less than the field's {size[0]:g} x {size[1]:g}"
            )
        west, south = corner
        beyond = max(west + size[0] - columns * cell, south + size[1] - rows * cell)
        if min(west, south, -beyond) < -ALIKE * max(columns, rows) * cell:
            raise ValueError(
                f"the field of {size[0]:g} x {size[1]:g} GSU, {west:g} GSU east and {south:g} "
                f"north of the raster's south-west corner, reaches past the raster of "
                f"{columns * cell:g} x {rows * cell:g} GSU"
            )
        spare, left = rows - (south + size[1]) / cell, west / cell
        if max(abs(spare - round(spare)) / rows, abs(left - round(left)) / columns) > ALIKE:
            raster = resampled(raster, (cell, cell), size, cell, corner=corner, overwrite=overwrite)
        else:
            wanted = rows_and_columns(size, cell)
            top, first = max(round(spare), 0), round(left)
            kept = slice(top, min(rows, top + wanted[0]))
            across = slice(first, min(columns, first + wanted[1]))
            raster = cut(raster, kept, across, overwrite=overwrite)
        raster.flags.writeable &= not overwrite
        return cls(elevation_m=raster, size=size, cell=cell, georeference=georeference)

    @property
    def is_level(self) -> bool:
        """True if all elevations are equal."""
        return self._level_m is not None

    @property
    def low_m(self) -> float:
        """Minimum elevation, metres."""
        return float(self.elevation_m.min())

    @property
    def high_m(self) -> float:
        """Maximum elevation, metres."""
        return float(self.elevation_m.max())

    @property
    def digest(self) -> str:
        """SHA-256 of rows, columns (int64) and the elevations (float64), all little-endian."""
        told = hashlib.sha256(np.array(self.elevation_m.shape, dtype="<i8").tobytes())
        for first, end in blocks_of(*self.elevation_m.shape):
            told.update(self.elevation_m[first:end].astype("<f8").tobytes())
        return told.hexdigest()

    def elevations_m(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """Return elevations of the surface at points, metres, in the broadcast shape of x and y."""
        if self._level_m is not None:
            return np.full(np.broadcast_shapes(np.shape(x), np.shape(y)), self._level_m)
        return triangulated(self.elevation_m, *self._cells(x, y))

    def slopes(self, x: ArrayLike, y: ArrayLike, scale: Scale) -> Floats:
        """Return slopes at points, rise over run of the triangle there; 0 is level."""
        east, north = self._rises(x, y, scale)
        return np.sqrt(east * east + north * north)

    def normals(self, x: ArrayLike, y: ArrayLike, scale: Scale) -> Floats:
        """Return unit normals of the surface (east, north, up); (..., 3). For pictures."""
        east, north = self._rises(x, y, scale)
        upright = np.stack([-east, -north, np.ones_like(east)], axis=-1)
        return upright / np.sqrt(east * east + north * north + 1)[..., None]

    def _cells(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Return how far points are east and south of the north-west centre, in cells."""
        half = self.cell / 2
        right = (np.asarray(x, dtype=np.float64) - half) / self.cell
        return right, (self.size[1] - half - np.asarray(y, dtype=np.float64)) / self.cell

    def _rises(self, x: ArrayLike, y: ArrayLike, scale: Scale) -> tuple[Floats, Floats]:
        """Rise to the east and to the north, as ratios; 0 across where the height just goes on."""
        place = _placed(self.elevation_m.shape, *np.broadcast_arrays(*self._cells(x, y)))
        (north_west, north_east), (south_west, south_east) = _corners(self.elevation_m, place)
        upper = (place.right + place.down <= 1) & (place.right < 1) & (place.down < 1)
        run = self.cell * scale.metres_per_gsu
        east = np.where(upper, north_east - north_west, south_east - south_west) / run
        north = np.where(upper, north_west - south_west, north_east - south_east) / run
        return np.where(place.sibling_path, 0.0, east), np.where(place.beyond, 0.0, north)


class _Place(NamedTuple):
    """The square of centres that holds a point, and where in it the point lies.

    row, column : of the square's north-west centre
    down, right : shares of the square's side, 0..1
    beside, beyond : the point lies outside the outermost centres, east-west and north-south
    """

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    down: Floats
    right: Floats
    sibling_path: NDArray[np.bool_]
    beyond: NDArray[np.bool_]


def _given(elevation_m: ArrayLike, *, overwrite: bool) -> Floats:
    """Return a raster as an array; one that may be overwritten owns its memory."""
    raster = np.asarray(elevation_m, dtype=np.float64)
    mine = raster.base is None and raster.flags.writeable and raster.flags.c_contiguous
    return raster.copy() if overwrite and not mine else raster


def _without_minus_zero(raster: Floats) -> Floats:
    """Return the raster with 0 in place of -0, so that equal grounds have equal digests."""
    for first, end in blocks_of(len(raster), raster[:1].size):
        block = raster[first:end]
        if (np.signbit(block) & (block == 0)).any():
            return read_only(raster + 0.0)
    return raster


def median(heights: Floats) -> float:
    """Return the median of some heights; NaN for none.

    It equals NumPy's median bit by bit, and is ten times as fast for the members of a unit.
    """
    count = len(heights)
    if not count:
        return math.nan
    ranked = np.sort(heights)
    return float((ranked.item((count - 1) // 2) + ranked.item(count // 2)) / 2)


def _placed(shape: tuple[int, ...], right: Floats, down: Floats) -> _Place:
    rows, columns = shape
    sibling_path = (right < 0) | (right >= columns - 1)
    beyond = (down < 0) | (down >= rows - 1)
    right = np.clip(right, 0, columns - 1)
    down = np.clip(down, 0, rows - 1)
    column = np.minimum(right.astype(np.int64), max(columns - 2, 0))
    row = np.minimum(down.astype(np.int64), max(rows - 2, 0))
    return _Place(row, column, down - row, right - column, sibling_path, beyond)


def _corners(raster: Floats, place: _Place) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Heights at the north-west, north-east, south-west and south-east of each square."""
    below = np.minimum(place.row + 1, raster.shape[0] - 1)
    next_column = np.minimum(place.column + 1, raster.shape[1] - 1)
    return (
        (raster[place.row, place.column], raster[place.row, next_column]),
        (raster[below, place.column], raster[below, next_column]),
    )
