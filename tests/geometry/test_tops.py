"""The highest ground of tiles and rectangles against a look at every centre."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.geometry import Surface
from emlia3d.geometry.tops import highest_of_tiles, tops_of

SHAPES = [(1, 1), (1, 40), (32, 32), (33, 20), (65, 64), (130, 7), (300, 257)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_highest_of_a_tile_is_of_its_borders_too(shape) -> None:
    heights = np.random.default_rng(3).uniform(-5, 5, shape)

    highest = highest_of_tiles(heights, 8)

    assert highest.shape == tuple((count - 1) // 8 + 1 for count in shape)
    for (row, col), top in np.ndenumerate(highest):
        assert top == heights[8 * row : 8 * row + 9, 8 * col : 8 * col + 9].max()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_top_of_a_rectangle_is_the_least_single_that_no_ground_is_above(shape) -> None:
    heights = np.random.default_rng(4).uniform(-5, 5, shape)

    tops = tops_of(Surface(heights=heights, cell=1.0, west=0.0, north=0.0))

    tile = round(1 / tops.tiles)
    rows, cols = ((count - 1) // tile + 1 for count in shape)
    assert max(rows, cols) <= 32
    for (i, j, row, col), top in np.ndenumerate(tops.highest.reshape(6, 6, 32, 32)):
        if row < rows and col < cols:
            below = heights[tile * row : tile * (row + 2**i) + 1]
            ground = below[:, tile * col : tile * (col + 2**j) + 1].max()
            assert np.nextafter(top, np.float32(-np.inf)) < ground <= top


def test_ground_that_single_precision_cannot_hold_has_no_top() -> None:
    heights = np.array([[1e300, 0.0], [-1e300, 0.0]])

    tops = tops_of(Surface(heights=heights, cell=1.0, west=0.0, north=0.0))

    assert tops.highest.reshape(6, 6, 32, 32)[0, 0, 0, 0] == np.inf
    assert tops.highest.reshape(6, 6, 32, 32)[0, 0, 1, 0] == 0
