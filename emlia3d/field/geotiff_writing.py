"""Rasters as GeoTIFF, as other programs show them well."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import numpy as np
from numpy.typing import NDArray

from emlia3d.atomic_write import atomic_write
from emlia3d.errors import FileError, MissingExtraError

_BITS = {1: 1, 2: 1, 3: 2, 4: 2}
_TRANSPARENT = 0, 0, 0, 0


class Category(NamedTuple):
    """The meaning of a value of a raster, and its red, green and blue, 0 to 255."""

    name: str
    colour: tuple[int, int, int]


def write_geotiff(  # noqa: PLR0913  what a GeoTIFF has, each by its name
    path: Path,
    bands: NDArray[Any],
    *,
    crs: str | None,
    transform: Sequence[float],
    names: Sequence[str],
    tags: Mapping[str, str],
    unit: str | None = None,
    nodata: float | None = None,
    categories: Sequence[Category] = (),
    cloud_optimized: bool = False,
) -> None:
    """Write rasters as the bands of one GeoTIFF, in one atomic write.

    Parameters
    ----------
    path
    bands : (n, rows, columns) array
        Row 0 north.
    crs
        Well-known text; None for no reference system.
    transform
        The six numbers a to f of the affine transform of cells' corners.
    names
        Of the bands, which other programs show.
    tags
        Metadata of the file.
    unit
        Of the values of all bands.
    nodata
        The value of cells without data.
    categories
        Of the values 0, 1, 2... of one band of uint8, at most three; `nodata` is then the next
        value. Their names go into ``FILE.aux.xml``, which GDAL and QGIS read beside the file.
    cloud_optimized
        Write tiles and overviews, for reading parts over a network.

    Raises
    ------
    FileError
        It cannot be written there.
    MissingExtraError
        rasterio is not installed.
    """
    path, rasterio = Path(path), _rasterio("writing a GeoTIFF")
    count, rows, columns = bands.shape
    profile: dict[str, Any] = {
        "driver": "COG" if cloud_optimized else "GTiff",
        "count": count, "height": rows, "width": columns,
        "dtype": bands.dtype.name, "compress": "deflate", "nodata": nodata,
        "transform": rasterio.Affine(*transform),
    }  # fmt: skip
    if crs is not None:
        profile["crs"] = rasterio.crs.CRS.from_wkt(crs)
    if categories:
        # A colour table is as long as the bits of a cell allow, and what is left over is black.
        profile["nbits"] = _BITS[len(categories) + (nodata is not None)]
    try:
        with warnings.catch_warnings(), atomic_write(path) as fresh:
            warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
            with rasterio.open(fresh, "w", **profile) as target:
                target.write(np.ascontiguousarray(bands))
                for band, name in enumerate(names, start=1):
                    target.set_band_description(band, name)
                if unit is not None:
                    target.units = [unit] * count
                target.update_tags(**tags)
                if categories:
                    target.write_colormap(1, _colours(categories, nodata))
    except rasterio.errors.RasterioError as fault:
        raise FileError(f"{path}: cannot be written: {fault}") from fault
    if categories:
        _name_categories(path, categories)


def can_write_geotiff() -> None:
    """Raise MissingExtraError if no GeoTIFF can be written here."""
    _rasterio("writing a GeoTIFF")


def _colours(
    categories: Sequence[Category], nodata: float | None
) -> dict[int, tuple[int, int, int, int]]:
    colours = {value: (*category.colour, 255) for value, category in enumerate(categories)}
    return colours if nodata is None else {**colours, int(nodata): _TRANSPARENT}


def _name_categories(path: Path, categories: Sequence[Category]) -> None:
    """Write the names of a band's values where GDAL looks for them."""
    root = Xml.Element("PAMDataset")
    names = Xml.SubElement(Xml.SubElement(root, "PAMRasterBand", band="1"), "CategoryNames")
    for category in categories:
        Xml.SubElement(names, "Category").text = category.name
    with atomic_write(path.with_name(f"{path.name}.aux.xml")) as fresh:
        Xml.ElementTree(root).write(fresh, encoding="utf-8")


def _rasterio(purpose: str) -> Any:
    try:
        importlib.import_module("rasterio.errors")
        return importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError(purpose, "geo") from fault
