"""The horizon kernel beside a compiled walk to every centre, xarray-spatial and GDAL.

Each group is one ground and one eye. The walk does the same work, which the checksums show;
xarray-spatial interpolates otherwise between centres and GDAL does so from row to row, and
`agrees` says how often they come to the same. A line at the end says how many times as fast as
each the kernel is. GDAL is a program: `by_gdal` is the whole process, `by_gdal less start` is that
less a process on a raster of 2 by 2. First use prepares a new surface, too.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.geometry import Surface, min_visible_heights, viewshed, visible_counts
from emlia3d.studies.baselines.rays import viewshed_by_walk

TARGET = 1.5
nanoseconds: dict[tuple[str, str], float] = {}
gdal_starts_s: dict[int, float] = {}

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
    rows = len(surface.heights)
    half = surface.cell / 2
    corner = rasterio.Affine(surface.cell, 0, -half, 0, -surface.cell, surface.north + half)
    up = float(eye[2] - surface.heights_at(eye[0], eye[1]))
    tiny = np.zeros((2, 2))
    at_corner = np.array([0.0, surface.north, 0.0])
    for name, heights in (("ground", surface.heights), ("tiny", tiny)):
        with rasterio.open(
            folder / f"{name}.tif", "w", driver="GTiff", height=len(heights),
            width=heights.shape[1], count=1, dtype="float32", transform=corner, crs="EPSG:32633",
        ) as raster:  # fmt: skip
            raster.write(heights.astype(np.float32), 1)

    def process(name: str, place: NDArray[np.float64]) -> Path:
        wish = {"-ox": place[0], "-oy": place[1], "-oz": up, "-tz": TARGET, "-md": 0, "-cc": 0}
        words = [str(word) for pair in wish.items() for word in pair]
        files = [str(folder / f"{name}.tif"), str(folder / f"{name} seen.tif")]
        subprocess.run([program, "-q", *words, *files], check=True)
        return Path(files[1])

    def start_s() -> float:
        begin = time.perf_counter()
        process("tiny", at_corner)
        return time.perf_counter() - begin

    gdal_starts_s[rows] = min(start_s() for _ in range(5))

    def look() -> NDArray[np.bool_]:
        with rasterio.open(process("ground", eye)) as raster:
            return np.asarray(raster.read(1) > 0)

    return look


def by_kernel(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    return lambda: viewshed(surface, eye, TARGET).identity[0]


def by_first_use(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    return lambda: viewshed(replace(surface), eye, TARGET).identity[0]


def by_least_heights(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    return lambda: min_visible_heights(surface, eye, TARGET)[0] <= TARGET


LEAST_AGREED = {viewshed_by_walk: 0.99999, by_xrspatial: 0.8, by_gdal: 0.8}

OWN = [by_first_use, by_least_heights, by_kernel]
WAYS = [viewshed_by_walk, by_xrspatial, by_gdal, *OWN]


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("way", WAYS)
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
    assert agrees >= LEAST_AGREED.get(way, 1.0)
    scene = f"all of {name}, an eye {up:g} up"
    benchmark.group = scene

    seen = benchmark.pedantic(look, rounds=5 if way in OWN else 2)

    info = benchmark.extra_info
    info["checksum"] = int(seen.sum())
    info["agrees"] = round(agrees, 6)
    if benchmark.stats is not None:
        nanoseconds[way.__name__, scene] = 1e9 * benchmark.stats.stats.min / seen.size
        info["nanoseconds_per_centre"] = round(nanoseconds[way.__name__, scene], 1)
        if way is by_gdal:
            less = nanoseconds["by_gdal", scene] - 1e9 * gdal_starts_s[rows] / seen.size
            nanoseconds["by_gdal less start", scene] = max(less, 0.0)
        baselines = [name for name, of in nanoseconds if of == scene and name != "by_kernel"]
        if way is by_kernel and baselines:
            own = nanoseconds["by_kernel", scene]
            times = {name: round(nanoseconds[name, scene] / own, 1) for name in baselines}
            info["ratio"] = times
            words = ", ".join(f"{ratio} times {name}" for name, ratio in times.items())
            ratio_lines.append(f"{scene}: {words}, seen {seen.mean():.3f}")


OBSERVERS = 100


@pytest.mark.parametrize("threads", ["1", "2"])
def test_how_many_of_a_hundred_observers_see(
    benchmark, ground, threads: str, ratio_lines, monkeypatch
) -> None:
    monkeypatch.setenv("EMLIA3D_THREADS", threads)
    name, surface = ground
    rows, cols = surface.heights.shape
    x, y = (
        surface.cell * np.random.default_rng(5).uniform(0, (cols - 1, rows - 1), (OBSERVERS, 2)).T
    )
    eyes = np.stack([x, y, surface.heights_at(x, y) + 2], axis=-1)
    begin = time.perf_counter()
    alone = sum(viewshed(surface, eye, TARGET).counts for eye in eyes)
    alone_s = time.perf_counter() - begin
    benchmark.group = f"{OBSERVERS} observers on {name}"

    counts = benchmark.pedantic(visible_counts, (surface, eyes, TARGET), rounds=2)

    assert np.array_equal(counts, alone)
    if benchmark.stats is not None:
        ratio = benchmark.stats.stats.min / alone_s
        benchmark.extra_info["of single passes"] = round(ratio, 2)
        ratio_lines.append(f"{benchmark.group}, {threads} threads: {ratio:.2f} of single passes")
