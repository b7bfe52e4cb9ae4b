"""Bounds of the ground only save looks at it: shares stay what they are without them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from emlia3d.geometry import Bodies, Surface, blocked_fractions
from emlia3d.geometry.tops import bounds_of

HALF = 0.5


def rough(seed: int, rows: int = 75, cols: int = 90) -> np.ndarray:
    """Hills some tens of cells wide, with bumps on them, on a binary grid."""
    rng = np.random.default_rng(seed)
    down, right = np.mgrid[0:rows, 0:cols]
    waves = np.sin(down / rng.uniform(5, 15)) + np.cos(right / rng.uniform(5, 15) + down / 30)
    return np.round((6 * waves + rng.normal(size=(rows, cols)) * 0.4) * 1024) / 1024


def wider(heights: np.ndarray, north: int, west: int) -> Surface:
    """Return the same ground with more centres, which repeat the height of the nearest edge."""
    more = np.pad(heights, ((north, 5), (west, 3)), mode="edge")
    return Surface(heights=more, cell=1.0, west=-float(west), north=74.0 + north)


def corridors(seed: int) -> tuple[Bodies, np.ndarray, np.ndarray, np.ndarray]:
    """Men and wide lines about the ground, some over its edge, and lines between their heads."""
    rng = np.random.default_rng(100 + seed)
    shapes = []
    for _ in range(40):
        x, y = np.round(rng.uniform((-3, -3), (92, 77)) * 1024) / 1024
        wide, deep = rng.choice([1.0, 1.0, 12.0, 30.0]), rng.choice([1.0, 3.0])
        turned = shapely.affinity.rotate(shapely.box(x, y, x + wide, y + deep), rng.uniform(0, 180))
        shapes.append(shapely.set_precision(turned, 1 / 1024))
    pairs = rng.integers(0, 40, (300, 2))
    plain = np.zeros(40)
    heights = rng.uniform(-9, 16, (300, 3))
    return Bodies(shapes, plain, plain, plain), pairs, heights[:, 0], heights[:, 1:]


@pytest.mark.parametrize("seed", range(6))
def test_a_share_does_not_turn_on_where_tiles_begin(seed: int) -> None:
    heights = rough(seed)
    bodies, pairs, eyes, marks = corridors(seed)

    shares = blocked_fractions(wider(heights, 0, 0), bodies, pairs, eyes, marks)

    for north, west in ((1, 0), (5, 11), (15, 2), (8, 15)):
        moved = blocked_fractions(wider(heights, north, west), bodies, pairs, eyes, marks)
        assert moved == pytest.approx(shares, abs=1e-9)
    assert (shares == 0).any()
    assert ((shares > 0) & (shares < 1)).any()
    assert (shares == 1).any()


@pytest.mark.parametrize("seed", range(6))
def test_a_share_that_is_enough_is_so_without_a_look_at_all_of_it(seed: int) -> None:
    ground = wider(rough(seed), 0, 0)
    bodies, pairs, eyes, marks = corridors(seed)

    hasty = blocked_fractions(ground, bodies, pairs, eyes, marks[:, 0], enough=HALF)

    shares = blocked_fractions(ground, bodies, pairs, eyes, marks[:, 0])
    assert ((hasty >= HALF) == (shares >= HALF)).all()
    assert (hasty <= shares).all()
    less = shares < HALF
    assert hasty[less].tolist() == shares[less].tolist()
    assert 0.1 < less.mean() < 0.9


def test_bounds_hold_the_ground_of_their_tiles_and_of_the_patches_about() -> None:
    heights = rough(1, 37, 50)

    bounds = bounds_of(Surface(heights=heights, cell=1.0, west=0.0, north=0.0))

    assert bounds.tops.shape == (3, 4)
    assert bounds.lows.shape == (10, 13)
    for row, col in np.ndindex(3, 4):
        assert bounds.tops[row, col] == heights[16 * row :, 16 * col :][:17, :17].max()
    for row, col in np.ndindex(10, 13):
        north, west = max(4 * row - 4, 0), max(4 * col - 4, 0)
        about = heights[north : 4 * row + 9, west : 4 * col + 9]
        assert bounds.lows[row, col] == about.min()
