"""The view of the main fight: a camera that shows many figures, large enough to recognise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.camera.framing import (
    EYE_HEIGHT_M,
    back_off,
    line_of_advance,
    overview,
    rooms_of,
    to_the_enemy,
    with_heads,
)
from emlia3d.view.moment.scene import FALLEN, HIDES, Camera, DrawnGround, Scene

MOST_LOOKED_AT = 400  # maximum number of figures; an army is thinned to this
HOT_M = 20.0  # from the enemy
REACHES_M = (30.0, 50.0, 80.0, 120.0, 180.0, 270.0, 400.0)  # about the middle of the fight
BEARINGS_DEG = range(-75, 90, 15)  # off the line of advance
STEEP_DEG = (14.0, 20.0, 27.0)
HIGH_PX = 720  # such a picture
TALL_ENOUGH_PX = 28.0  # maximum useful size of a figure
CELLS = (16, 9)  # part of the picture; names and sky have the top third
STEPS = 24
COVER_CELLS = 512


def thick(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """Return the view of the main fight; the whole fight if no nearer camera shows more.

    The candidates show the figures around the point where most are close to the enemy, from all
    bearings behind the first side. They are rated by how much of the fight they show, how large it
    is, and how well it fills the picture.
    """
    up = np.flatnonzero(scene.figures.pose != FALLEN)
    whole = overview(scene, aspect)
    if not len(up):
        return whole
    stage = _Stage(scene, up[:: -(-len(up) // MOST_LOOKED_AT)])
    return max([whole, *stage.cameras(aspect)], key=lambda camera: stage.worth(camera, aspect))


class _Stage:
    """Some figures, the intensity of the fight around each, and the cover that hides them."""

    def __init__(self, scene: Scene, chosen: NDArray[np.intp]) -> None:
        self._scene = scene
        self._places = rooms_of(scene, chosen)
        x, y = self._places[:, 0], self._places[:, 1]
        self._hot = 1.0 / (HOT_M + to_the_enemy(x, y, scene.figures.team[chosen]))
        self._cover = _Cover(scene.terrain)

    def cameras(self, aspect: float) -> Iterator[Camera]:
        """Yield cameras that show the most intense point, from several distances."""
        x, y = self._places[:, 0], self._places[:, 1]
        apart = np.hypot(x[:, None] - x, y[:, None] - y)
        advance = line_of_advance(self._scene)
        for reach in REACHES_M:
            middle = int(np.argmax((self._hot * (apart < reach)).sum(axis=1)))
            points = with_heads(self._places[apart[middle] < reach])
            for off in BEARINGS_DEG:
                for steep in STEEP_DEG:
                    bearing = advance + np.radians(off)
                    yield back_off(self._scene, points, bearing, np.radians(steep), aspect)

    def worth(self, camera: Camera, aspect: float) -> float:
        """Return the visible intensity, weighted by size, times the root of the filled part."""
        sight = eyesight(camera, (round(HIGH_PX * aspect), HIGH_PX))
        heads = self._places[:, :3] + np.array([0.0, 0.0, EYE_HEIGHT_M])
        spots = sight.project(heads)
        seen = np.flatnonzero(((spots >= 0) & (spots < sight.size)).all(axis=1))
        seen = seen[~self._cover.hides(sight.eye, heads[seen] - sight.eye)]
        away = np.linalg.norm(heads[seen] - sight.eye, axis=1)
        tall = self._places[seen, 4] * sight.pixels_a_radian / away
        shown = self._hot[seen] * np.minimum(tall / TALL_ENOUGH_PX, 1.0)
        share = float(shown.sum() / self._hot.sum())
        return share * float(np.sqrt(_filled(spots[seen], sight.size)))


def _filled(spots: NDArray[np.float64], size: tuple[int, int]) -> float:
    """Return the proportion of the picture's cells with figures, below its names."""
    wide, high = CELLS
    column, row = (spots / size * CELLS).astype(np.intp).T
    cells = np.zeros((high, wide), np.bool_)
    cells[row, column] = True
    return float(cells[high // 3 :].mean())


class _Cover:
    """The height of the ground and of solid bodies, on a grid over the whole field."""

    def __init__(self, terrain: DrawnGround) -> None:
        self._cell = np.array(terrain.size_m) / COVER_CELLS
        x, y = ((np.arange(COVER_CELLS) + 0.5) * size for size in self._cell)
        east, north = (part.ravel() for part in np.meshgrid(x, y))
        tops = terrain.heights(east, north)
        self._tops = tops.copy()
        for patch in terrain.patches:
            if patch.kind in HIDES:
                under = _under(patch.outline_m[0], x, y)
                self._tops[under] = np.maximum(self._tops[under], tops[under] + patch.height_m)

    def hides(self, eye: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether an obstacle hides each of n points from the eye, (n,)."""
        share = (np.arange(STEPS) / STEPS)[:, None, None]
        spots = eye + ways * share
        column, row = np.moveaxis(spots[..., :2] / self._cell, -1, 0).astype(np.intp)
        there = np.clip(row, 0, COVER_CELLS - 1) * COVER_CELLS + np.clip(column, 0, COVER_CELLS - 1)
        return np.asarray((spots[..., 2] < self._tops[there]).any(axis=0))


def _under(
    outline: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the cells of the grid whose centres are inside an outline."""
    columns, rows = (
        np.flatnonzero((middles >= low) & (middles <= high))
        for middles, low, high in zip((x, y), outline.min(axis=0), outline.max(axis=0), strict=True)
    )
    row, column = (part.ravel() for part in np.meshgrid(rows, columns, indexing="ij"))
    inside = shapely.contains_xy(shapely.Polygon(outline), x[column], y[row])
    return np.asarray((row * len(x) + column)[inside])
