"""The horizon kernel beside a compiled walk to every centre, xarray-spatial and GDAL.

Each group is one ground and one eye. The walk does the same work, which the checksums show;
xarray-spatial interpolates otherwise between centres and GDAL does so from row to row, and
`agrees` says how often they come to the same. A line at the end says how many times as fast as
each the kernel is. GDAL is a program, timed with its start and its reading and writing of files.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.geometry import Surface, viewshed
from emlia3d.study.baselines.ground import viewshed_by_walk

TARGET = 1.5
nanoseconds: dict[tuple[str, str], float] = {}

Way = Callable[[Surface, NDArray[np.float64]], Callable[[], NDArray[np.bool_]]]


def by_xrspatial(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        xarray = pytest.importorskip("xarray")
        xrspatial = pytest.importorskip("xrspatial")
    rows, cols = surface.heights.shape
    raster = xarray.DataArray(
        surface.heights,
        coords={
            "y": surface.north - surface.cell * np.arange(rows),
            "x": surface.cell * np.arange(cols),
        },
        dims=("y", "x"),
    )
    up = float(eye[2] - surface.heights_at(eye[0], eye[1]))

    def look() -> NDArray[np.bool_]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = xrspatial.viewshed(
                raster, x=eye[0], y=eye[1], observer_elev=up, target_elev=TARGET
            )
        return np.asarray(found.values >= 0)

    return look


def by_gdal(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    rasterio = pytest.importorskip("rasterio")
    program = shutil.which("gdal_viewshed")
    if program is None:
        pytest.skip("gdal_viewshed is not installed")
    folder = Path(tempfile.mkdtemp(prefix="viewshed"))
    rows, cols = surface.heights.shape
    half = surface.cell / 2
    corner = rasterio.Affine(surface.cell, 0, -half, 0, -surface.cell, surface.north + half)
    with rasterio.open(
        folder / "ground.tif", "w", driver="GTiff", height=rows, width=cols, count=1,
        dtype="float32", transform=corner, crs="EPSG:32633",
    ) as raster:  # fmt: skip
        raster.write(surface.heights.astype(np.float32), 1)
    up = float(eye[2] - surface.heights_at(eye[0], eye[1]))
    wish = {"-ox": eye[0], "-oy": eye[1], "-oz": up, "-tz": TARGET, "-md": 0, "-cc": 0}
    words = [str(word) for pair in wish.items() for word in pair]

    def look() -> NDArray[np.bool_]:
        files = [str(folder / "ground.tif"), str(folder / "seen.tif")]
        subprocess.run([program, "-q", *words, *files], check=True)
        with rasterio.open(folder / "seen.tif") as raster:
            return np.asarray(raster.read(1) > 0)

    return look


def by_kernel(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    return lambda: viewshed(surface, eye, TARGET).identity[0]


LEAST_AGREED = {viewshed_by_walk: 0.99999, by_xrspatial: 0.8, by_gdal: 0.9, by_kernel: 1.0}


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("way", [viewshed_by_walk, by_xrspatial, by_gdal, by_kernel])
@pytest.mark.parametrize("up", [2.0, 40.0], ids=["eye at 2", "eye at 40"])
def test_all_that_an_eye_sees(benchmark, ground, up: float, way: Way, ratio_lines) -> None:
    name, surface = ground
    rows, cols = surface.heights.shape
    x, y = surface.cell * round(0.42 * cols), surface.north - surface.cell * round(0.444 * rows)
    eye = np.array([x, y, float(surface.heights_at(x, y)) + up])
    expected = viewshed(surface, eye, TARGET).identity[0]
    if way is viewshed_by_walk:
        pytest.importorskip("numba")
    look = viewshed_by_walk(surface, eye, TARGET) if way is viewshed_by_walk else way(surface, eye)
    agrees = float(np.mean(look() == expected))
    assert agrees >= LEAST_AGREED[way]
    scene = f"all of {name}, an eye {up:g} up"
    benchmark.group = scene

    seen = benchmark.pedantic(look, rounds=5 if way is by_kernel else 2)

    info = benchmark.extra_info
    info["checksum"] = int(seen.sum())
    info["agrees"] = round(agrees, 6)
    if benchmark.stats is not None:
        nanoseconds[way.__name__, scene] = 1e9 * benchmark.stats.stats.min / seen.size
        info["nanoseconds_per_centre"] = round(nanoseconds[way.__name__, scene], 1)
        baselines = [name for name, of in nanoseconds if of == scene and name != "by_kernel"]
        if way is by_kernel and baselines:
            own = nanoseconds["by_kernel", scene]
            times = {name: round(nanoseconds[name, scene] / own, 1) for name in baselines}
            info["ratio"] = times
            words = ", ".join(f"{ratio} times {name}" for name, ratio in times.items())
            ratio_lines.append(f"{scene}: {words}, seen {seen.mean():.3f}")
