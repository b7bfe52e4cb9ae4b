"""Batches of about a dozen figures, so that a camera tests batches instead of figures.

A batch is a run of similar figures near each other. Single figures are only tested in batches
across a change of the level of detail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import DrawnGround, Figures
from emlia3d.view.panda.troops.packing import Runs

Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.int32]

UNSEEN, RANKED, FAR, MIDDLE, NEAR = range(5)
RANK_PX, FAR_PX = 3.5, 10.0  # figures lower than that are drawn as ranks, and as cards


@dataclass(frozen=True, slots=True, eq=False)
class Batches:
    """Batches of all figures; b is their number.

    starts, counts : (b,) first row and number of figures; model : (b,) of `MODELS`
    centre : (b, 3) float32, metres; radius : (b,) float32, of the figures' positions, metres
    tall : (b,) float32, height of figures, metres
    """

    starts: Rows
    counts: Rows
    model: NDArray[np.uint8]
    centre: Floats
    radius: Floats
    tall: Floats

    def heights_px(self, sight: Eyesight) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Return which batches can be in view, and their minimum and maximum height, pixels."""
        offset = self.centre - sight.eye.astype(np.float32)
        across, upward, deep = sight.axes.astype(np.float32) @ offset.T
        slack = 2 * (self.radius + self.tall) + 2
        reach_y = np.float32(sight.half) * np.maximum(deep, 0) + slack
        reach_x = np.float32(sight.half * sight.size[0] / sight.size[1]) * np.maximum(deep, 0)
        seen = (deep > -slack) & (np.abs(across) < reach_x + slack) & (np.abs(upward) < reach_y)
        away = np.sqrt((offset * offset).sum(axis=1))
        scale = np.float32(sight.pixels_a_radian)
        nearest = np.maximum(away - self.radius, np.float32(0.5))
        return seen, self.tall * scale / (away + self.radius), self.tall * scale / nearest


def batches_of(runs: Runs, count: int, terrain: DrawnGround) -> Batches:
    """Return batches of *count* figures at their positions."""
    x, y, reach, tall = runs.circles.T
    foot = terrain.heights(x, y) + runs.lifts_m
    return Batches(
        starts=runs.starts,
        counts=np.diff(runs.starts, append=np.int32(count)),
        model=runs.models,
        centre=np.stack([x, y, foot], axis=1).astype(np.float32),
        # Except on cliffs, the ground under a batch varies by at most its width.
        radius=np.float32(1.5) * reach,
        tall=np.ascontiguousarray(tall),
    )


def rows_of(starts: Rows, counts: Rows) -> Rows:
    """Return the rows of these runs, run by run, (counts.sum(),) int32."""
    before = np.cumsum(counts, dtype=np.int32) - counts
    return np.repeat(starts - before, counts) + np.arange(counts.sum(), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class DetailChoice:
    """The level of detail of batches, and of a few single figures.

    looks : (b,) of UNSEEN to NEAR; few : (k,) rows; few_looks : (k,)
    """

    batches: Batches
    looks: NDArray[np.int64]
    few: Rows
    few_looks: NDArray[np.int64]

    def rows(self, look: int) -> Rows:
        """Return the rows with this level of detail."""
        whole, single = self.looks == look, self.few_looks == look
        runs = rows_of(self.batches.starts[whole], self.batches.counts[whole])
        return np.concatenate([runs, self.few[single]])


def choose(
    batches: Batches,
    figures: Figures,
    near_px: float,
    sight: Eyesight,
    most_near: int | None = None,
) -> DetailChoice:
    """Return the level of detail for a camera; near models from *near_px* pixels upward.

    most_near : maximum number of near figures; beyond it, only the nearest batches are near
    """
    seen, least, most = batches.heights_px(sight)
    if most_near is not None:
        near = np.flatnonzero(seen & (most >= near_px))
        near = near[np.argsort(-most[near], kind="stable")]
        beyond = near[np.cumsum(batches.counts[near]) > most_near]
        near_px = float(most[beyond[0]]) if len(beyond) else near_px
    steps = np.array([RANK_PX, FAR_PX, near_px], np.float32)
    high = 1 + np.searchsorted(steps, most, "right")
    low = np.where(high == RANKED, RANKED, np.maximum(1 + np.searchsorted(steps, least), FAR))
    mixed = seen & (low != high)
    counts = batches.counts[mixed]
    few = rows_of(batches.starts[mixed], counts)
    foot, tall = np.repeat(batches.centre[mixed, 2], counts), np.repeat(batches.tall[mixed], counts)
    places = np.stack([figures.x_m[few], figures.y_m[few], foot], axis=1)
    inside, tall_px = sight.heights_px(places, tall)
    looks = np.maximum(1 + np.searchsorted(steps, tall_px, "right"), FAR)
    return DetailChoice(
        batches=batches,
        looks=np.where(seen & ~mixed, high, UNSEEN),
        few=few,
        few_looks=np.where(inside, looks, UNSEEN),
    )
