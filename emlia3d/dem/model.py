"""A raster of elevations, and places on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import Error, FileError
from emlia3d.field.elevation_rasters import fill_holes, read_raster
from emlia3d.field.raster import RasterFormatError
from emlia3d.geometry.ground_surface import Surface

EARTH_RADIUS_M = 6_371_008.8
"""Mean radius of the earth (IUGG)."""

HAIR_M = 2.0**-20
"""Metres between the ground and a point that stands on it."""

Transform = tuple[float, float, float, float, float, float]

Part = tuple[slice, slice]
"""Rows and columns of a raster."""


class Curvature(NamedTuple):
    """The drop of the ground below the level plane through an observer.

    refraction : share of the earth's curvature that the bending of light makes up for; 0.13 is
        usual for light by day
    """

    refraction: float = 0.13

    def drop(self, spacing_m: tuple[float, float]) -> tuple[float, float]:
        """Return metres of drop for each squared cell to the east and to the north."""
        metre = (1 - self.refraction) / (2 * EARTH_RADIUS_M)
        return metre * spacing_m[0] ** 2, metre * spacing_m[1] ** 2


class Station(NamedTuple):
    """A point over the ground: an observer's eye, or a target.

    x, y : in the CRS of the raster
    column, row : the same place in cells from the centre of the north-west cell
    ground, z : elevation of the ground there and of the point, metres
    """

    x: float
    y: float
    column: float
    row: float
    ground: float
    z: float

    @property
    def height(self) -> float:
        """Metres above the ground."""
        return self.z - self.ground

    @property
    def point(self) -> tuple[float, float, float]:
        """The point in the coordinates of `ElevationModel.surface`.

        A point on the ground is a hair above it, because the ground between centres is rounded.
        """
        return self.column, -self.row, max(self.z, self.ground + HAIR_M)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElevationModel:
    """A raster of elevations that is asked about as it is, without resampling.

    Sight does not change if the plane is stretched. So `surface` is in cells, whatever lengths
    these have to the east and to the north, and only distances are in metres.

    name : of the file
    surface : elevations in metres; x is the column and y the negative row of a centre
    holes : (rows, columns) bool, where the file has no data; None if it has all. The surface is
        filled there from the edges of the holes.
    spacing_m : metres between centres, east and north
    transform : from column and row of a cell's corner to the CRS, as affine transforms are written
    crs : well-known text; None if the file names none
    notes : what was assumed about the file, a line each
    """

    name: str
    surface: Surface
    holes: NDArray[np.bool_] | None
    spacing_m: tuple[float, float]
    transform: Transform
    crs: str | None
    notes: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.surface.heights.shape
        return rows, columns

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east and north of the outer corners, in the CRS."""
        rows, columns = self.shape
        west, north = self.place_of(-0.5, -0.5)
        east, south = self.place_of(columns - 0.5, rows - 0.5)
        return west, south, east, north

    def place_of(self, column: float, row: float) -> tuple[float, float]:
        """Return the place in the CRS of cells counted from the first centre."""
        a, _, c, _, e, f = self.transform
        return c + (column + 0.5) * a, f + (row + 0.5) * e

    def station(
        self, place: tuple[float, float], height: float, *, absolute: bool = False
    ) -> Station:
        """Return the point at a height over a place.

        Parameters
        ----------
        place : x and y in the CRS
        height : metres above the ground
        absolute : the height is metres above the zero of the raster's elevations instead

        Raises
        ------
        Error
            The place is off the raster or in a hole, or the point is under the ground.
        """
        x, y = place
        told = f"{x:.10g},{y:.10g}"
        a, _, c, _, e, f = self.transform
        column, row = (x - c) / a - 0.5, (y - f) / e - 0.5
        rows, columns = self.shape
        if not (-0.5 <= column <= columns - 0.5 and -0.5 <= row <= rows - 0.5):
            west, south, east, north = self.bounds
            raise Error(
                f"{self.name}: {told} is off the raster, which covers x from {west:.10g} to "
                f"{east:.10g} and y from {south:.10g} to {north:.10g}"
            )
        cell = min(max(round(row), 0), rows - 1), min(max(round(column), 0), columns - 1)
        if self.holes is not None and self.holes[cell]:
            raise Error(f"{self.name}: {told} has no elevation: the raster has no data there")
        ground = float(self.surface.heights_at(column, -row))
        z = height if absolute else ground + height
        if not math.isfinite(z) or z < ground:
            raise Error(
                f"{self.name}: {told}: expected a height on or above the ground, which is "
                f"{ground:.10g} m there, got {height:g} m"
            )
        return Station(x, y, column, row, ground, z)

    def metres_between(self, a: Station, b: Station) -> float:
        """Return the horizontal distance."""
        east, north = self.spacing_m
        return math.hypot((b.column - a.column) * east, (b.row - a.row) * north)

    def seen_from(
        self, eye: Station, curvature: Curvature | None, part: Part | None = None
    ) -> Surface:
        """Return the surface as it lies against the level plane through an eye.

        part : rows and columns to return, those around the eye included; all of them if None.
            Ground outside cannot block a line between two places of a rectangle.
        """
        rows, columns = (slice(0, count) for count in self.shape) if part is None else part
        heights = self.surface.heights[rows, columns]
        if curvature is None:
            if heights.shape == self.shape:
                return self.surface
        else:
            east, north = curvature.drop(self.spacing_m)
            across = east * (np.arange(columns.start, columns.stop) - eye.column) ** 2
            along = north * (np.arange(rows.start, rows.stop) - eye.row) ** 2
            heights = heights - across - along[:, None]
        return Surface(heights=heights, cell=1.0, west=columns.start, north=-rows.start)


def open_dem(
    file: str | Path,
    *,
    band: int | None = None,
    unit: str | None = None,
    nodata: float | None = None,
    cell_m: float | None = None,
) -> ElevationModel:
    """Read a raster of elevations.

    Parameters
    ----------
    file
        What rasterio reads, or a NumPy array; see ``docs/map-files.md``.
    band, unit, nodata
        Number of the band, unit of the elevations and value of cells without data, if the file
        does not state them or is wrong.
    cell_m
        Metres between centres, for a file that does not say.

    Raises
    ------
    FileError
        The file cannot be used, or it does not say how long its cells are.
    MissingExtraError
        rasterio is needed and not installed.
    """
    path = Path(file)
    raster = read_raster(path, band=band, unit=unit, nodata=nodata)
    missing = np.isnan(raster.elevation_m)
    holes = missing if missing.any() else None
    try:
        if holes is not None:
            fill_holes(raster.elevation_m)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault
    spacing_m = raster.spacing_m
    if spacing_m is None:
        if cell_m is None:
            raise FileError(f"{path}: does not say how long its cells are; state --cell METRES")
        spacing_m = cell_m, cell_m
    elif cell_m is not None:
        raise FileError(f"{path}: says how long its cells are; leave --cell out")
    raster.elevation_m.flags.writeable = False
    rows = len(raster.elevation_m)
    own = spacing_m[0], 0.0, 0.0, 0.0, -spacing_m[1], rows * spacing_m[1]
    return ElevationModel(
        name=str(path),
        surface=Surface(heights=raster.elevation_m, cell=1.0, west=0.0, north=0.0),
        holes=holes,
        spacing_m=spacing_m,
        transform=raster.transform or own,
        crs=raster.crs,
        notes=raster.notes,
    )
