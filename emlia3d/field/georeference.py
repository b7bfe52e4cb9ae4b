"""The place of a field on the earth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emlia3d.errors import FileError
from emlia3d.field.gdal_files import FORMATS, opened
from emlia3d.field.raster import RasterFormatError, Window
from emlia3d.field.raster_lengths import lengths_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Georeference:
    """Where the south-west corner of a field lies, and how long a metre is there.

    crs : the coordinate reference system, as WKT
    west, south : of the corner, in its units
    east_per_m, north_per_m : its units to a metre on the field
    """

    crs: str
    west: float = 0.0
    south: float = 0.0
    east_per_m: float = 1.0
    north_per_m: float = 1.0

    def transform(
        self, west_m: float, north_m: float, cell_m: float
    ) -> tuple[float, float, float, float, float, float]:
        """The affine transform, a to f, of a raster with its north-west corner at that place.

        west_m, north_m : metres from the field's south-west corner
        cell_m : metres between centres
        """
        east, north = self.east_per_m, self.north_per_m
        return (
            cell_m * east, 0.0, self.west + west_m * east,
            0.0, -cell_m * north, self.south + north_m * north,
        )  # fmt: skip


NOWHERE = Georeference(
    crs='LOCAL_CS["a field",UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'
)
"""The place of a field without one on the earth: metres from its south-west corner."""


def georeference_of(path: Path, window: Window | None = None) -> Georeference | None:
    """Return the place of a raster, or of a window of it; None if the file does not say.

    window : as for `read_elevation`, with which the file has been read

    Raises
    ------
    FileError
        It cannot be read.
    MissingExtraError
        rasterio is needed and not installed.
    """
    if path.suffix.lower() not in FORMATS:
        return None
    try:
        with opened(path) as source:
            return None if source.crs is None else _corner(source, window)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def _corner(source: Any, window: Window | None) -> Georeference:
    grid = source.transform
    first, _, _, bottom = window or (0, 0, source.width, source.height)
    # Row 0 of a window is the northernmost, whichever way the file's own rows run.
    south = grid.f + grid.e * (bottom if grid.e < 0 else source.height - bottom)
    top = 0 if window is None else window[1]
    lengths = lengths_at(source.crs, south + abs(grid.e) * (bottom - top) / 2)
    return Georeference(
        crs=source.crs.to_wkt(),
        west=float(grid.c + first * grid.a),
        south=float(south),
        east_per_m=1 / lengths.east,
        north_per_m=1 / lengths.north,
    )
