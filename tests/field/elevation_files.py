"""Files of elevation that the tests write."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

RAMP = np.arange(12.0).reshape(3, 4)


def saved(path: Path, array: np.ndarray) -> Path:
    np.save(path, array)
    return path


def painted(path: Path, greys: np.ndarray) -> Path:
    Image.fromarray(greys).save(path)
    return path


def georeferenced(path: Path, band: np.ndarray, **profile: object) -> Path:
    rasterio = pytest.importorskip("rasterio")
    rows, columns = band.shape
    west, north, east_step, north_step = profile.pop("grid", (500_000, 5_000_000, 10, -10))
    transform = rasterio.Affine(east_step, 0, west, 0, north_step, north)
    profile = {"crs": "EPSG:32632", "transform": transform, "dtype": band.dtype} | profile
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, **profile
    ) as file:
        file.write(band, 1)
    return path
