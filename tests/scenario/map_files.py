"""An elevation model and vector maps that the tests write."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import shapely

from tests.field.elevation_files import georeferenced

WEST, SOUTH = 500_000, 4_999_000

ROW, COLUMN = np.indices((100, 120))
HILLS = (40 * np.sin(COLUMN / 9) * np.cos(ROW / 7) + 0.8 * ROW + 60).astype(np.float32)


def hills(folder: Path, heights: np.ndarray = HILLS) -> Path:
    """An elevation model of 1200 x 1000 m in cells of 10 m."""
    return georeferenced(folder / "hills.tif", heights)


def mapped(path: Path, shapes: list[object], crs: str | None = "EPSG:32632", **columns) -> Path:
    """A vector map; without a reference system if `crs` is None."""
    import pyogrio.raw

    with warnings.catch_warnings(action="ignore"):
        pyogrio.raw.write(
            path,
            shapely.to_wkb(np.array(shapes)),
            [
                np.array(values, None if isinstance(values[0], float) else object)
                for values in columns.values()
            ],
            list(columns),
            geometry_type="Unknown",
            crs=crs,
            layer=columns and "map",
            append=path.exists(),
        )
    return path


def at(east: float, north: float, shape: object) -> object:
    """A shape that is moved to metres from the raster's south-west corner."""
    return shapely.transform(shape, lambda xy: xy + np.array([WEST + east, SOUTH + north]))
