"""The horizon kernel beside a compiled walk to every centre, and beside xarray-spatial.

Each group is one form of ground and one eye. The walk does the same work, which the checksums
show; xarray-spatial interpolates otherwise between centres, and `agrees` says how often it comes
to the same. `ratio` in the kernel's row is how many times as fast as the walk it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.geometry import Surface, viewshed

TARGET = 1.5
nanoseconds: dict[tuple[str, str], float] = {}

Way = Callable[[Surface, NDArray[np.float64]], Callable[[], NDArray[np.bool_]]]


def walk(heights, row, col, z, lift, out) -> None:
    """Look at every bend of the ground between the eye and each centre, and stop where it hides."""
    rows, cols = heights.shape
    for i in range(rows):
        for j in range(cols):
            end = heights[i, j] + lift
            down, across = i - row, j - col
            seen = True
            if down != 0:
                step = 1 if down > 0 else -1
                k = row + step
                while seen and k != i:
                    part = (k - row) / down
                    x = col + part * across
                    c = min(int(x), cols - 2)
                    ground = heights[k, c] + (x - c) * (heights[k, c + 1] - heights[k, c])
                    seen = ground <= z + part * (end - z)
                    k += step
            if across != 0:
                step = 1 if across > 0 else -1
                k = col + step
                while seen and k != j:
                    part = (k - col) / across
                    y = row + part * down
                    r = min(int(y), rows - 2)
                    ground = heights[r, k] + (y - r) * (heights[r + 1, k] - heights[r, k])
                    seen = ground <= z + part * (end - z)
                    k += step
            run = down + across
            if run != 0:
                step = 1 if run > 0 else -1
                k = row + col + step
                while seen and k != i + j:
                    part = (k - row - col) / run
                    x = col + part * across
                    c = min(max(int(x), k - rows + 1), min(k, cols - 1) - 1)
                    near, far = heights[k - c, c], heights[k - c - 1, c + 1]
                    seen = near + (x - c) * (far - near) <= z + part * (end - z)
                    k += step
            out[i, j] = seen


def by_walk(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    numba = pytest.importorskip("numba")
    compiled = numba.njit(walk)
    out = np.zeros(surface.heights.shape, dtype=np.bool_)
    col, row = int(eye[0]), int(surface.north - eye[1])

    def look() -> NDArray[np.bool_]:
        compiled(surface.heights, row, col, eye[2], TARGET, out)
        return out

    return look


def by_xrspatial(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        xarray = pytest.importorskip("xarray")
        xrspatial = pytest.importorskip("xrspatial")
    rows, cols = surface.heights.shape
    raster = xarray.DataArray(
        surface.heights,
        coords={"y": surface.north - np.arange(float(rows)), "x": np.arange(float(cols))},
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


def by_kernel(surface: Surface, eye) -> Callable[[], NDArray[np.bool_]]:
    return lambda: viewshed(surface, eye, TARGET).identity[0]


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("way", [by_walk, by_xrspatial, by_kernel])
@pytest.mark.parametrize("up", [2.0, 40.0], ids=["eye at 2", "eye at 40"])
def test_all_that_an_eye_sees(benchmark, ground, up: float, way: Way) -> None:
    name, surface = ground
    eye = np.array([420.0, 555.0, float(surface.heights_at(420, 555)) + up])
    expected = viewshed(surface, eye, TARGET).identity[0]
    look = way(surface, eye)
    agrees = float(np.mean(look() == expected))
    assert agrees > (0.8 if way is by_xrspatial else 0.99999)
    benchmark.group = f"{surface.heights.size} centres of {name} ground, an eye {up:g} above it"

    seen = benchmark.pedantic(look, rounds=5 if way is by_kernel else 2)

    info = benchmark.extra_info
    info["checksum"] = int(seen.sum())
    info["agrees"] = round(agrees, 6)
    if benchmark.stats is not None:
        scene = f"{name} {up}"
        nanoseconds[way.__name__, scene] = 1e9 * benchmark.stats.stats.min / seen.size
        info["nanoseconds_per_centre"] = round(nanoseconds[way.__name__, scene], 1)
        if way is by_kernel and ("by_walk", scene) in nanoseconds:
            info["ratio"] = round(
                nanoseconds["by_walk", scene] / nanoseconds["by_kernel", scene], 1
            )
