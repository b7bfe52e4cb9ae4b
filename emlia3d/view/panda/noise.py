"""Deterministic variety: hashes of positions as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

BAND = 16  # rows of noise that are made at once: they stay in the cache


def fraction(east: ArrayLike, north: ArrayLike, seed: int) -> NDArray[np.float64]:
    """Return a hash in [0, 1) for each pair of integers.

    The result has the broadcast shape, (1,) for a single pair.
    """
    a = np.atleast_1d(np.asarray(east, np.int64)).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    b = np.atleast_1d(np.asarray(north, np.int64)).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    a ^= np.uint64((seed * 0x165667B19E3779F9) & 0xFFFFFFFFFFFFFFFF)
    mixed = np.asarray(a ^ b)
    for shift, factor in ((31, 0xBF58476D1CE4E5B9), (29, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(32)
    return np.asarray((mixed >> np.uint64(11)) / 2.0**53)


def clouds(shape: tuple[int, int], grain: float, seed: int) -> NDArray[np.float32]:
    """Return soft noise over a raster, 0 to 1; `grain` is the size of its largest spots, cells."""
    total = np.zeros(shape, np.float32)
    weight = 0.0
    for octave, share in enumerate((1.0, 0.5, 0.25)):
        step = max(grain / 2**octave, 1.0)
        rows, columns = int(shape[0] / step) + 3, int(shape[1] / step) + 3
        row, column = np.ogrid[:rows, :columns]
        coarse = np.empty((rows, columns), np.float32)
        for first in range(0, rows, BAND):
            some = slice(first, first + BAND)
            coarse[some] = fraction(column, row[some], seed + octave)
        fine = Image.fromarray(coarse).resize(
            (shape[1], shape[0]),
            Image.Resampling.BICUBIC,
            box=(0.5, 0.5, 0.5 + shape[1] / step, 0.5 + shape[0] / step),
        )
        total += share * np.asarray(fine)
        weight += share
    return np.asarray(np.clip(total / np.float32(weight), 0, 1), np.float32)


def grain(side: int, seed: int) -> NDArray[np.uint8]:
    """Return a square of noise that repeats without a seam, (side, side) uint8."""
    row, column = np.indices((side, side))
    total = np.zeros((side, side))
    for octave, share in ((2, 0.45), (4, 0.3), (8, 0.25)):
        coarse = fraction(column[::octave, ::octave], row[::octave, ::octave], seed + octave)
        wrapped = np.pad(coarse, 2, mode="wrap").astype(np.float32)
        smooth = Image.fromarray(wrapped).resize(
            (side, side),
            Image.Resampling.BICUBIC,
            box=(2, 2, 2 + side // octave, 2 + side // octave),
        )
        total += share * np.asarray(smooth)
    low, high = np.percentile(total, [1, 99])
    return np.asarray(np.clip((total - low) / (high - low) * 255, 0, 255), np.uint8)
