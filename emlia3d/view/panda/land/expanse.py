"""Space as the ground below ships: dark, with nebulae and a grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.panda.noise import clouds, fraction

DEEP, DUST, GLOW = (7.0, 10.0, 22.0), (34.0, 26.0, 58.0), (20.0, 52.0, 70.0)
LINE, FIFTH = (46.0, 78.0, 118.0), (74.0, 116.0, 160.0)
STARS = 0.0006  # part of all spots as large as a star
STAR_M = 0.5


def between_the_stars(
    shape: tuple[int, int], texel: tuple[float, float], grid_m: float
) -> NDArray[np.uint8]:
    """Return nebulae, stars and a grid, (rows, columns, 3), row 0 south.

    texel : size of a texel, metres east and north
    grid_m : spacing of lines; every fifth line is stronger
    """
    wide = clouds(shape, 120.0 / texel[0], seed=41)[..., None]
    fine = clouds(shape, 34.0 / texel[0], seed=43)[..., None]
    veil = np.clip((0.65 * wide + 0.35 * fine - 0.46) * 3.4, 0, 1)
    other = np.clip((clouds(shape, 90.0 / texel[0], seed=47)[..., None] - 0.55) * 3.0, 0, 1)
    colour = np.array(DEEP) + np.array(DUST) * veil + np.array(GLOW) * other * 0.6
    colour += _stars(shape, texel)[..., None] * np.array((255.0, 244.0, 226.0))
    for axis, (number, size) in enumerate(zip(shape[::-1], texel, strict=True)):
        place = (np.arange(number) + 0.5) * size
        for step, ink, width in ((grid_m, LINE, 0.28), (5 * grid_m, FIFTH, 0.45)):
            away = np.abs((place / step + 0.5) % 1.0 - 0.5) * step
            on = np.clip((width + 0.5 * size - away) / size, 0, 1)
            along = on[None, :, None] if axis == 0 else on[:, None, None]
            colour = colour + (np.array(ink) - colour) * along * 0.62
    return np.asarray(np.clip(colour, 0, 255), np.uint8)


def _stars(shape: tuple[int, int], texel: tuple[float, float]) -> NDArray[np.float64]:
    """Return the brightness of stars at each texel, 0 to 1: few are bright, most are dim."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    east, north = (columns * texel[0] / STAR_M).astype(int), (rows * texel[1] / STAR_M).astype(int)
    there = fraction(east, north, 53) < STARS
    return np.where(there, 0.2 + 0.8 * fraction(east, north, 59) ** 3, 0.0)
