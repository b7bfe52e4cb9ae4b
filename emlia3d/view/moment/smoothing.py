"""Ground of coarse cells, drawn smooth: for the picture only."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PIL import Image

from emlia3d.field import Ground
from emlia3d.field.resampling import rows_and_columns

COARSE_M = 8.0
"""Cells up to this long are drawn as they are: their edges are no longer than a house."""

MOST_CELLS = 1536
"""Cells that refined ground has along its longer side."""


def drawn_smooth(ground: Ground, metres_per_gsu: float) -> Ground:
    """Return the ground with finer cells, curved instead of in triangles.

    The stated surface, of triangles between the raster's centres, is what the rules and lines of
    sight use. The result passes through the same centres by cubic convolution, and lies above or
    below that surface between them: by a few metres on mountains in cells of 100 m. Cells up to
    `COARSE_M` long stay as they are, and so does ground that would have over `MOST_CELLS`.
    """
    cell_m, (rows, columns) = ground.cell * metres_per_gsu, ground.elevation_m.shape
    # An odd number of new cells for each, so that one of them has the same centre.
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
