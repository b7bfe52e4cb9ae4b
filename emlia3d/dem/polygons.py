"""Seen and hidden ground as polygons, for maps."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import shapely
import shapely.geometry

from emlia3d.dem.categories import LEVELS
from emlia3d.dem.viewshed_kinds import NO_DATA
from emlia3d.dem.visible_ground import DemViewshed
from emlia3d.errors import MissingExtraError
from emlia3d.field.vector_files import write_vectors


def polygons_of(found: DemViewshed) -> tuple[Any, Any]:
    """Return the areas of one level each, along the borders of cells.

    found : a viewshed of levels

    Returns
    -------
    shapes : (n,) array of shapely polygons
        In the CRS of the raster. Areas of one level do not share a border.
    levels : (n,) uint8

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    try:
        rasterio: Any = importlib.import_module("rasterio")
        features: Any = importlib.import_module("rasterio.features")
    except ImportError as fault:
        raise MissingExtraError("polygons of a viewshed", "geo") from fault
    levels = found.values[0]
    pairs = features.shapes(
        levels, mask=levels != NO_DATA, transform=rasterio.Affine(*found.model.transform)
    )
    shapes, values = zip(*pairs, strict=True)
    return (
        np.array([shapely.geometry.shape(shape) for shape in shapes], dtype=object),
        np.array(values, dtype=np.uint8),
    )


def write_polygons(path: Path, found: DemViewshed) -> None:
    """Write the areas of a viewshed of levels as GeoPackage or GeoJSON, by the ending of *path*.

    Each has columns ``level`` (0, 1 or 2), ``name`` and ``area_m2``.
    """
    shapes, levels = polygons_of(found)
    transform = found.model.transform
    cell_m2 = found.model.spacing_m[0] * found.model.spacing_m[1]
    columns = {
        "level": levels.astype(np.int32),
        "name": np.array([LEVELS[level].name for level in levels.tolist()], dtype=object),
        "area_m2": shapely.area(shapes) * cell_m2 / abs(transform[0] * transform[4]),
    }
    write_vectors(path, shapes, columns, found.model.crs)
