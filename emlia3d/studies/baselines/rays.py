"""Sight over ground with Embree's rays, and with a compiled walk to each centre."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry import Surface

Floats: TypeAlias = NDArray[np.float64]


def lines_by_embree(surface: Surface, a: Floats, b: Floats) -> Callable[[], NDArray[np.bool_]]:
    """Return which lines from a to b, (n, 3), are clear, by Embree in single precision."""
    from embreex import mesh_construction, rtcore_scene  # noqa: PLC0415  may be missing

    rows, cols = surface.heights.shape
    row, col = np.indices((rows, cols))
    x, y = surface.west + surface.cell * col, surface.north - surface.cell * row
    corners = np.stack([x, y, surface.heights], axis=-1).reshape(-1, 3)
    first = (np.arange(rows - 1)[:, None] * cols + np.arange(cols - 1)).ravel()
    triangles = np.concatenate([
        np.stack([first, first + cols, first + 1], axis=-1),
        np.stack([first + 1, first + cols, first + cols + 1], axis=-1),
    ])  # fmt: skip
    scene = rtcore_scene.EmbreeScene()
    mesh_construction.TriangleMesh(scene, corners.astype(np.float32), triangles.astype(np.int32))
    origins, runs = a.astype(np.float32), (b - a).astype(np.float32)

    def ask() -> NDArray[np.bool_]:
        far = np.ones(len(origins), dtype=np.float32)
        return np.asarray(scene.run(origins, runs, dists=far, query="OCCLUDED") < 0)

    return ask


def walk(heights: Any, row: int, col: int, z: float, lift: float, out: Any) -> None:
    """Check every mesh edge between the eye and each centre, up to the first that hides it."""
    rows, cols = heights.shape
    for i in range(rows):
        for j in range(cols):
            rise = heights[i, j] + lift - z
            down, across = i - row, j - col
            run = down + across
            seen = True
            if down != 0:
                step, part = (1 if down > 0 else -1), 1 / abs(down)
                for n in range(1, abs(down)):
                    k, x = row + n * step, col + n * (across * part)
                    c = min(int(x), cols - 2)
                    ground = heights[k, c] + (x - c) * (heights[k, c + 1] - heights[k, c])
                    if ground > z + n * (rise * part):
                        seen = False
                        break
            if seen and across != 0:
                step, part = (1 if across > 0 else -1), 1 / abs(across)
                for n in range(1, abs(across)):
                    k, y = col + n * step, row + n * (down * part)
                    r = min(int(y), rows - 2)
                    ground = heights[r, k] + (y - r) * (heights[r + 1, k] - heights[r, k])
                    if ground > z + n * (rise * part):
                        seen = False
                        break
            if seen and run != 0:
                step, part = (1 if run > 0 else -1), 1 / abs(run)
                for n in range(1, abs(run)):
                    k, x = row + col + n * step, col + n * (across * part)
                    c = min(max(int(x), k - rows + 1), min(k, cols - 1) - 1)
                    near, far = heights[k - c, c], heights[k - c - 1, c + 1]
                    if near + (x - c) * (far - near) > z + n * (rise * part):
                        seen = False
                        break
            out[i, j] = seen


def viewshed_by_walk(surface: Surface, eye: Floats, lift: float) -> Callable[[], NDArray[np.bool_]]:
    """Return which centres, *lift* above the ground, an eye over one of them sees; by numba."""
    import numba  # noqa: PLC0415  may be missing

    compiled: Any = numba.njit(walk)
    out = np.zeros(surface.heights.shape, dtype=np.bool_)
    col = round((eye[0] - surface.west) / surface.cell)
    row = round((surface.north - eye[1]) / surface.cell)

    def look() -> NDArray[np.bool_]:
        compiled(surface.heights, row, col, eye[2], lift, out)
        return out

    return look
