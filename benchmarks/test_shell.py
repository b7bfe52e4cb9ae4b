"""Whole commands about rasters beside `gdal_viewshed`, start-up and writing of files included.

A line at the end prints the wall time of each and their ratio; the best of several runs counts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from emlia3d.geometry import Surface, viewshed

ROUNDS = 5
CELL, EAST, NORTH = 10.0, 400_000.0, 5_200_000.0


def written(folder: Path, size: int) -> tuple[Path, np.ndarray]:
    """Fractal hills of so many cells a side as a GeoTIFF."""
    rasterio = pytest.importorskip("rasterio")
    rng, heights = np.random.default_rng(1), np.zeros((size, size))
    cells, tall = 4, 200.0
    while cells < size:
        steps = rng.normal(size=(cells + 2, cells + 2))
        at = np.linspace(0, cells, size)
        low = at.astype(int)
        part = (at - low) ** 2 * (3 - 2 * (at - low))
        rows = steps[low] * (1 - part[:, None]) + steps[low + 1] * part[:, None]
        heights += tall * (rows[:, low] * (1 - part) + rows[:, low + 1] * part)
        cells, tall = 2 * cells, tall / 1.9
    heights = (heights - heights.min()).astype(np.float32)
    path = folder / f"hills{size}.tif"
    with rasterio.open(
        path, "w", driver="GTiff", height=size, width=size, count=1, dtype="float32",
        crs="EPSG:32633", transform=rasterio.Affine(CELL, 0, EAST, 0, -CELL, NORTH),
    ) as file:  # fmt: skip
        file.write(heights, 1)
        file.units = ("m",)
    return path, heights


COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""So that commands find their modules compiled, as `pip install` leaves them."""


def seconds(command: Sequence[object]) -> float:
    begin = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, capture_output=True, env=COMPILED)
    return time.perf_counter() - begin


def took_beside(
    benchmark, own: Sequence[object], rival: Sequence[object]
) -> tuple[float, float] | None:
    """Return the best times of two commands, seconds; None where nothing is measured."""
    seconds(own)
    best = min(seconds(rival) for _ in range(ROUNDS))
    benchmark.pedantic(seconds, args=(own,), rounds=ROUNDS)
    return None if benchmark.stats is None else (benchmark.stats.stats.min, best)


@pytest.mark.parametrize("size", [1000, 2000])
def test_a_viewshed_from_the_shell(benchmark, size: int, tmp_path: Path, ratio_lines) -> None:
    program = shutil.which("gdal_viewshed")
    if program is None:
        pytest.skip("gdal_viewshed is not installed")
    raster, _ = written(tmp_path, size)
    x, y = EAST + 0.42 * size * CELL, NORTH - 0.44 * size * CELL
    gdal = [
        program, "-q", "-ox", x, "-oy", y, "-oz", 1.7, "-tz", 1.7, "-md", 0, "-cc", 0, raster,
        tmp_path / "gdal.tif",
    ]  # fmt: skip
    own = [
        sys.executable, "-m", "emlia3d", "viewshed", raster, "--from", f"{x},{y}", "--out",
        tmp_path / "own.tif",
    ]  # fmt: skip
    took = took_beside(benchmark, own, gdal)
    if took is not None:
        ratio_lines.append(
            f"viewshed of {size} x {size} from the shell: {took[0]:.2f} s, gdal_viewshed "
            f"{took[1]:.2f} s, {took[0] / took[1]:.1f} times"
        )


SCENARIO = """\
format = 1
title = "Six battalions on hills"
rules = "emlia"
turns = 1

[field]
size = [5000, 5000]
metres_per_gsu = 2.0
ground = "hills1000.tif"

[[side]]
name = "Red"
lines = "south"

[[side]]
name = "Blue"
lines = "north"
"""
UNIT = """
[[unit]]
name = "{name}"
side = "{side}"
type = "blackpowder/line"
at = [{x}, {y}]
"""
BATTALIONS = [(-126, -126), (14, 28), (84, -56), (14, 154), (154, 28), (-161, 84)]
"""GSU from the observer: six battalions about it, at 30 to 190 GSU."""


@pytest.mark.parametrize("rules", ["emlia", "true"])
def test_a_viewshed_with_units_between_from_the_shell(
    benchmark, rules: str, tmp_path: Path, ratio_lines
) -> None:
    """By the sight rules, or by straight lines, over 1,000 x 1,000 cells of a scenario."""
    program = shutil.which("gdal_viewshed")
    if program is None:
        pytest.skip("gdal_viewshed is not installed")
    raster, _ = written(tmp_path, 1000)
    x, y = 2100.0, 2200.0
    units = [
        UNIT.format(name=f"Battalion {row}", side="Red" if row < 3 else "Blue", x=x + e, y=y + n)
        for row, (e, n) in enumerate(BATTALIONS)
    ]
    scenario = tmp_path / "hills.toml"
    scenario.write_text("".join([SCENARIO, *units]))
    east, north = EAST + 2 * x, NORTH - 1000 * CELL + 2 * y
    gdal = [
        program, "-q", "-ox", east, "-oy", north, "-oz", 1.83, "-tz", 1.83, "-md", 0, "-cc", 0,
        raster, tmp_path / "gdal.tif",
    ]  # fmt: skip
    own = [
        sys.executable, "-m", "emlia3d", "viewshed", scenario, f"{x},{y}", "--rules", rules,
        "--cell", 5, "--out", tmp_path / "own.tif",
    ]  # fmt: skip
    took = took_beside(benchmark, own, gdal)
    if took is not None:
        ratio_lines.append(
            f"viewshed of a scenario, rules {rules}, 1000 x 1000, from the shell: {took[0]:.2f} s, "
            f"{took[0] / took[1]:.1f} times gdal_viewshed, which knows no units"
        )


def test_a_thousand_observers_from_the_shell(benchmark, tmp_path: Path, ratio_lines) -> None:
    size, count = 1000, 1000
    raster, heights = written(tmp_path, size)
    rng = np.random.default_rng(2)
    places = rng.integers(10, size - 10, (count, 2))
    rows = [f"{EAST + (c + 0.5) * CELL},{NORTH - (r + 0.5) * CELL}" for r, c in places.tolist()]
    (tmp_path / "posts.csv").write_text("\n".join(["x,y", *rows, ""]))
    own = [
        sys.executable, "-m", "emlia3d", "viewshed", raster, "--observers",
        tmp_path / "posts.csv", "--show", "counts", "--out", tmp_path / "own.tif",
    ]  # fmt: skip
    surface = Surface(heights=heights.astype(np.float64), cell=1.0, west=0.0, north=0.0)
    eyes = [(c, -r, float(heights[r, c]) + 1.7) for r, c in places.tolist()]
    viewshed(surface, eyes[0], 1.7)
    begin = time.perf_counter()
    for eye in eyes:
        viewshed(surface, eye, 1.7)
    single = time.perf_counter() - begin

    benchmark.pedantic(seconds, args=(own,), rounds=2)

    if benchmark.stats is not None:
        took = benchmark.stats.stats.min
        ratio_lines.append(
            f"{count} observers from the shell: {took:.1f} s, {took / single:.2f} times as long as "
            "their single passes"
        )
