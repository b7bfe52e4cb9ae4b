"""Where a GeoTIFF lies, and rasters of a field as GeoTIFF for other programs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field.georeference import Georeference
from emlia3d.field.raster import RasterFormatError, Window
from emlia3d.field.raster_files import metres_per_degree, opened_geotiff


def georeference_of(path: Path, window: Window | None = None) -> Georeference | None:
    """Where a GeoTIFF, or a window of it, lies; None where it does not say, or for other files.

    window : as for `read_elevation`, with which the file has been read

    Raises
    ------
    FileError
        It cannot be read.
    MissingExtraError
        A GeoTIFF without rasterio installed.
    """
    if path.suffix.lower() not in {".tif", ".tiff"}:
        return None
    try:
        with opened_geotiff(path) as source:
            return None if source.crs is None else _corner(source, window)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def _corner(source: Any, window: Window | None) -> Georeference:
    grid = source.transform
    first, _, _, bottom = window or (0, 0, source.width, source.height)
    # Row 0 of a window is the northernmost, whichever way the file's own rows run.
    south = grid.f + grid.e * (bottom if grid.e < 0 else source.height - bottom)
    if source.crs.is_geographic:
        top = 0 if window is None else window[1]
        latitude = south + abs(grid.e) * (bottom - top) / 2
        east, north = metres_per_degree(latitude)
    else:
        east = north = float(source.crs.linear_units_factor[1])
    return Georeference(
        crs=source.crs.to_wkt(),
        west=float(grid.c + first * grid.a),
        south=float(south),
        east_per_m=1 / east,
        north_per_m=1 / north,
    )


def write_geotiff(  # noqa: PLR0913  what a GeoTIFF has, each by its name
    path: Path,
    bands: NDArray[Any],
    place: Georeference,
    transform: Sequence[float],
    *,
    names: Sequence[str],
    tags: Mapping[str, str],
    colours: Mapping[int, tuple[int, int, int]] | None = None,
) -> None:
    """Write rasters of whole numbers as the bands of one GeoTIFF.

    bands : (n, rows, columns) uint8 or uint16, row 0 north
    names : of the bands, which other programs show
    colours : red, green and blue of each value, where there is one band of uint8

    Raises
    ------
    FileError
        It cannot be written there.
    MissingExtraError
        rasterio is not installed.
    """
    rasterio = _rasterio("writing a GeoTIFF")
    count, rows, columns = bands.shape
    profile = {
        "driver": "GTiff", "count": count, "height": rows, "width": columns,
        "dtype": bands.dtype.name, "compress": "deflate",
        "crs": rasterio.crs.CRS.from_wkt(place.crs),
        "transform": rasterio.Affine(*transform),
    }  # fmt: skip
    try:
        with rasterio.open(path, "w", **profile) as target:
            target.write(np.ascontiguousarray(bands))
            for band, name in enumerate(names, start=1):
                target.set_band_description(band, name)
            target.update_tags(**tags)
            if colours is not None:
                target.write_colormap(1, dict(colours))
    except rasterio.errors.RasterioError as fault:
        raise FileError(f"{path}: cannot be written: {fault}") from fault


def can_write_geotiff() -> None:
    """Raise MissingExtraError where a GeoTIFF cannot be written here."""
    _rasterio("writing a GeoTIFF")


def _rasterio(purpose: str) -> Any:
    try:
        importlib.import_module("rasterio.errors")
        return importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError(purpose, "geo") from fault
