"""Georeferences of GeoTIFF files, and GeoTIFF output of a field's rasters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from emlia3d.errors import FileError
from emlia3d.field.georeference import Georeference
from emlia3d.field.raster import RasterFormatError, Window
from emlia3d.field.raster_files import DRIVERS, opened_raster
from emlia3d.field.reference import lengths_at


def georeference_of(path: Path, window: Window | None = None) -> Georeference | None:
    """Return the georeference of a GeoTIFF or a window of it; None without one.

    window : as for `read_elevation`, with which the file has been read

    Raises
    ------
    FileError
        The file cannot be read.
    MissingExtraError
        A GeoTIFF without rasterio installed.
    """
    if path.suffix.lower() not in DRIVERS:
        return None
    try:
        with opened_raster(path) as source:
            return None if source.crs is None else _corner(source, window)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def _corner(source: Any, window: Window | None) -> Georeference:
    grid = source.transform
    first, _, _, bottom = window or (0, 0, source.width, source.height)
    # Row 0 of a window is the northernmost, whichever way the file's own rows run.
    south = grid.f + grid.e * (bottom if grid.e < 0 else source.height - bottom)
    top = 0 if window is None else window[1]
    east, north, _ = lengths_at(source.crs, south + abs(grid.e) * (bottom - top) / 2)
    return Georeference(
        crs=source.crs.to_wkt(),
        west=float(grid.c + first * grid.a),
        south=float(south),
        east_per_m=1 / east,
        north_per_m=1 / north,
    )
