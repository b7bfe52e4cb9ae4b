"""Smoothing of ground with coarse cells, only for the picture."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PIL import Image

from emlia3d.field import Ground
from emlia3d.field.resampling import rows_and_columns

COARSE_M = 8.0
"""Maximum length of cells that are not smoothed, metres."""

MOST_CELLS = 1536
"""Maximum number of cells of smoothed ground along its longer side."""


def drawn_smooth(ground: Ground, metres_per_gsu: float) -> Ground:
    """Return the ground with finer cells, curved instead of triangulated.

    Rules and lines of sight use the stated surface of triangles between the raster's centres. The
    result passes through the same centres by cubic convolution. Between them, it differs from that
    surface, for example by a few metres on mountains with cells of 100 m. Ground with cells up to
    `COARSE_M` long, or with more than `MOST_CELLS` cells, is unchanged.
    """
    cell_m, (rows, columns) = ground.cell * metres_per_gsu, ground.elevation_m.shape
    # An odd number of new cells for each old one, so that one of them has the same centre.
    finer = min(math.ceil(cell_m / COARSE_M), MOST_CELLS // max(rows, columns))
    finer -= 1 - finer % 2
    if finer < 3 or ground.is_level:
        return ground
    low = ground.low_m
    heights = Image.fromarray((ground.elevation_m - low).astype(np.float32))
    curved = heights.resize((columns * finer, rows * finer), Image.Resampling.BICUBIC)
    cell = ground.cell / finer
    down, right = rows_and_columns(ground.size, cell)
    elevation_m = np.asarray(curved, np.float64)[:down, :right] + low
    return replace(ground, elevation_m=elevation_m, cell=cell)
