"""Rasters of elevations as files, in a reference system of metres."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emlia3d.dem import ElevationModel, open_dem

WEST, NORTH, CELL = 500_000.0, 5_000_000.0, 10.0

Write = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write heights as a GeoTIFF; cells of 10 m if not said otherwise."""
    rasterio = pytest.importorskip("rasterio")

    def write(heights: Any, name: str = "dem.tif", size=(CELL, CELL), **profile: Any) -> Path:
        heights = np.asarray(heights, dtype=profile.pop("dtype", "float32"))
        path = tmp_path / name
        options = {"crs": "EPSG:32632", "driver": "GTiff", "count": 1, **profile}
        transform = rasterio.Affine(size[0], 0, WEST, 0, -size[1], NORTH)
        rows, columns = heights.shape
        with rasterio.open(
            path, "w", height=rows, width=columns, dtype=heights.dtype, transform=transform,
            **options,
        ) as file:  # fmt: skip
            file.write(heights, 1)
        return path

    return write


@pytest.fixture
def hills(written: Write) -> ElevationModel:
    """Broken ground of 60 x 50 cells with one decimal of a metre."""
    rng = np.random.default_rng(4)
    heights = np.round(rng.normal(0, 1.2, (60, 50)).cumsum(0).cumsum(1) * 4) / 8
    return open_dem(written(heights - heights.min()))


def place_of(column: float, row: float) -> tuple[float, float]:
    """The coordinates of a place counted in cells from the first centre."""
    return WEST + (column + 0.5) * CELL, NORTH - (row + 0.5) * CELL
