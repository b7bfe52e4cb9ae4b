"""A rectangle of a raster around a place, in square cells that a field takes as they are."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field.elevation_rasters import read_raster
from emlia3d.field.georeference import Georeference
from emlia3d.field.raster import Raster, RasterFormatError, Reading, Window
from emlia3d.field.raster_files import DRIVERS, opened_raster
from emlia3d.field.reference import horizontal_wkt, lengths_at
from emlia3d.field.resampling import MOST_CELLS, resampled

Floats = NDArray[np.float64]
Place = tuple[float, float]

# Spacings that differ by less than this share count as square, as for `read_elevation`.
_SQUARE = 1e-6


class RasterFrame(NamedTuple):
    """A raster's cells and where they lie, without its elevations.

    name : of the file
    shape : rows and columns
    transform : a to f, from column and row of a corner to the coordinates; row 0 north
    crs : well-known text of the reference system; None if coordinates are metres from the
        south-west corner of the raster
    """

    name: str
    shape: tuple[int, int]
    transform: tuple[float, float, float, float, float, float]
    crs: str | None

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east and north."""
        a, _, west, _, e, north = self.transform
        return west, north + self.shape[0] * e, west + self.shape[1] * a, north

    def spacing_m(self, y: float) -> tuple[float, float]:
        """Return metres between centres, east and north, at a northing or latitude.

        Raises
        ------
        FileError
            The reference system has no known unit, or the place is too near to a pole.
        """
        a, e = self.transform[0], self.transform[4]
        if self.crs is None:
            return a, -e
        try:
            lengths = lengths_at(_crs(self.crs), y)
        except RasterFormatError as fault:
            raise FileError(f"{self.name}: {fault}") from fault
        return a * lengths.east_m, -e * lengths.north_m


class RasterCut(NamedTuple):
    """Elevations of a rectangle, in square cells that fill it.

    elevation_m : (rows, columns) float64, metres, row 0 north, without holes
    cell_m : metres between centres
    centre : of the rectangle, in the coordinates of the raster
    georeference : of its south-west corner; its `crs` is "" if the raster has none, and its
        coordinates are then metres from the raster's south-west corner
    resampled : whether the surface was read at new centres
    notes : one line each about what was converted or assumed
    """

    elevation_m: Floats
    cell_m: float
    centre: Place
    georeference: Georeference
    resampled: bool
    notes: tuple[str, ...]

    @property
    def size_m(self) -> tuple[float, float]:
        """Metres from west to east and from south to north."""
        rows, columns = self.elevation_m.shape
        return columns * self.cell_m, rows * self.cell_m

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """The affine transform of its cells."""
        return self.georeference.transform(0.0, self.size_m[1], self.cell_m)


def frame_of(path: Path, reading: Reading, cell_m: float | None = None) -> RasterFrame:
    """Return the cells of a raster.

    cell_m : metres between centres of a raster that does not state them; None if it does

    Raises
    ------
    FileError
        The file cannot be used, or `cell_m` is missing or not wanted.
    MissingExtraError
        The format needs rasterio, which is not installed.
    """
    path = Path(path)
    if path.suffix.lower() in DRIVERS:
        corner = _read(path, reading, (0, 0, 2, 2))
        try:
            with opened_raster(path) as source:
                rows, columns = source.shape
        except RasterFormatError as fault:
            raise FileError(f"{path}: {fault}") from fault
    else:
        corner = _read(path, reading, None)
        rows, columns = corner.elevation_m.shape
    if corner.crs is not None and corner.transform is not None:
        if cell_m is not None:
            raise FileError(f"{path}: states how long its cells are; leave --cell out")
        return RasterFrame(str(path), (rows, columns), corner.transform, corner.crs)
    if cell_m is None:
        raise FileError(f"{path}: does not state how long its cells are; state --cell METRES")
    if not (math.isfinite(cell_m) and cell_m > 0):
        raise FileError(f"{path}: --cell: expected metres above 0, got {cell_m:g}")
    own = cell_m, 0.0, 0.0, 0.0, -cell_m, rows * cell_m
    return RasterFrame(str(path), (rows, columns), own, None)


def cut_around(
    path: Path, frame: RasterFrame, centre: Place, size_m: tuple[float, float], reading: Reading
) -> RasterCut:
    """Return the elevations of a rectangle.

    Parameters
    ----------
    path
        The raster.
    frame
        Its cells, from `frame_of`.
    centre
        Of the rectangle, in the coordinates of the raster.
    size_m
        Metres east and north.
    reading
        Band, unit and nodata value that the user states.

    Raises
    ------
    FileError
        The centre is off the raster, the rectangle reaches past it, has holes or too many cells.
    MissingExtraError
        The format needs rasterio, which is not installed.

    Notes
    -----
    If the cells of the raster are square, the rectangle is moved and its size rounded to whole
    cells, so that the surface remains as it is. Otherwise the surface is read once, in square
    cells of at most the finer spacing.
    """
    west, south, east, north = frame.bounds
    x, y = centre
    told = f"{x:.10g},{y:.10g}"
    if not (west <= x <= east and south <= y <= north):
        raise FileError(
            f"{path}: centre {told} is off the raster, which covers x from {west:.10g} to "
            f"{east:.10g} and y from {south:.10g} to {north:.10g}"
        )
    spacing = frame.spacing_m(y)
    _refuse_large(path, frame, (x, y), size_m, spacing)
    if abs(spacing[0] - spacing[1]) <= _SQUARE * spacing[0]:
        return _in_whole_cells(path, frame, centre, size_m, reading, spacing)
    return _in_new_cells(path, frame, centre, size_m, reading, spacing)


def _refuse_large(
    path: Path, frame: RasterFrame, centre: Place, size_m: tuple[float, float], spacing: Place
) -> None:
    """Raise FileError if the rectangle reaches past the raster, or has too many cells."""
    a, _, west, _, e, north = frame.transform
    column, row = (centre[0] - west) / a, (centre[1] - north) / e
    half = [
        2 * min(at, count - at) * cell
        for at, count, cell in zip((column, row), frame.shape[::-1], spacing, strict=True)
    ]
    # Half a cell is within the rounding to whole cells.
    if any(size > room + cell for size, room, cell in zip(size_m, half, spacing, strict=True)):
        raise FileError(
            f"{path}: --size: expected at most {_floor(half[0])}x{_floor(half[1])} metres around "
            f"{centre[0]:.10g},{centre[1]:.10g}, got {size_m[0]:.10g}x{size_m[1]:.10g}"
        )
    cells = [math.ceil(size / cell) for size, cell in zip(size_m, spacing, strict=True)]
    if max(cells) > MOST_CELLS:
        most = MOST_CELLS * min(spacing)
        raise FileError(
            f"{path}: --size: expected at most {MOST_CELLS} cells each way, which are "
            f"{_floor(most)} metres, got {cells[0]} x {cells[1]} cells"
        )


def _in_whole_cells(
    path: Path, frame: RasterFrame, centre: Place, size_m: Place, reading: Reading, spacing: Place
) -> RasterCut:
    a, _, west, _, e, north = frame.transform
    rows, columns = frame.shape
    cell = spacing[0]
    wide, tall = (max(round(size / cell), 1) for size in size_m)
    if min(wide, tall) < 2:
        raise FileError(f"{path}: --size: expected at least 2 cells of {cell:g} m each way")
    wide, tall = min(wide, columns), min(tall, rows)
    first = min(max(round((centre[0] - west) / a - wide / 2), 0), columns - wide)
    top = min(max(round((centre[1] - north) / e - tall / 2), 0), rows - tall)
    raster = _whole(path, frame, reading, (first, top, first + wide, top + tall))
    middle = west + (first + wide / 2) * a, north + (top + tall / 2) * e
    corner = west + first * a, north + (top + tall) * e
    cell = frame.spacing_m(middle[1])[0]
    place = _place(frame, corner, a / cell, -e / cell)
    return RasterCut(raster.elevation_m, cell, middle, place, False, raster.notes)


def _in_new_cells(
    path: Path, frame: RasterFrame, centre: Place, size_m: Place, reading: Reading, spacing: Place
) -> RasterCut:
    a, _, west, _, e, north = frame.transform
    rows, columns = frame.shape
    wide = math.ceil(size_m[0] / min(spacing))
    if min(wide, math.ceil(size_m[1] / min(spacing))) < 2:
        raise FileError(f"{path}: --size: expected at least 2 cells of {min(spacing):g} m each way")
    cell = size_m[0] / wide
    tall = max(round(size_m[1] / cell), 2)
    # In cells of the raster, from its north-west corner.
    left = (centre[0] - west) / a - wide * cell / spacing[0] / 2
    above = (centre[1] - north) / e - tall * cell / spacing[1] / 2
    right, below = left + wide * cell / spacing[0], above + tall * cell / spacing[1]
    window = (
        max(math.floor(left) - 1, 0), max(math.floor(above) - 1, 0),
        min(math.ceil(right) + 1, columns), min(math.ceil(below) + 1, rows),
    )  # fmt: skip
    raster = _whole(path, frame, reading, window)
    size = wide * cell, tall * cell
    offset = (left - window[0]) * spacing[0], (window[3] - below) * spacing[1]
    elevation_m = resampled(raster.elevation_m, spacing, size, cell, corner=offset)
    corner = west + left * a, north + below * e
    place = _place(frame, corner, a / spacing[0], -e / spacing[1])
    return RasterCut(elevation_m[:tall, :wide], cell, centre, place, True, raster.notes)


def _place(
    frame: RasterFrame, corner: Place, east_per_m: float, north_per_m: float
) -> Georeference:
    return Georeference(
        crs="" if frame.crs is None else horizontal_wkt(_crs(frame.crs)),
        west=corner[0],
        south=corner[1],
        east_per_m=east_per_m,
        north_per_m=north_per_m,
    )


def _whole(path: Path, frame: RasterFrame, reading: Reading, window: Window) -> Raster:
    """Return a part of a raster; raise FileError if a cell of it has no data."""
    raster = _read(path, reading, window)
    holes = np.argwhere(np.isnan(raster.elevation_m))
    if len(holes):
        a, _, west, _, e, north = frame.transform
        row, column = holes[0].tolist()
        x, y = west + (window[0] + column + 0.5) * a, north + (window[1] + row + 0.5) * e
        raise FileError(
            f"{path}: expected data in every cell of the field, got none in {len(holes)} of "
            f"{raster.elevation_m.size}, such as at {x:.10g},{y:.10g}; choose another --centre or "
            "--size"
        )
    return raster


def _read(path: Path, reading: Reading, window: Window | None) -> Raster:
    return read_raster(
        path, band=reading.band, unit=reading.unit, nodata=reading.nodata, window=window
    )


def _floor(metres: float) -> str:
    return f"{math.floor(max(metres, 0) + 1e-6)}"


def _crs(wkt: str) -> Any:
    try:
        crs: Any = importlib.import_module("rasterio.crs")
    except ImportError as fault:
        raise MissingExtraError("reading a reference system", "geo") from fault
    return crs.CRS.from_wkt(wkt)
