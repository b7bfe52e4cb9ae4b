"""A surface below all ground about each of its places."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.geometry import Surface, lowest_within


@pytest.mark.parametrize(("rows", "columns"), [(23, 31), (1, 12), (9, 1), (2, 2)])
@pytest.mark.parametrize("distance", [0.0, 1.0, 4.9, 13.0])
def test_no_ground_within_the_distance_is_lower(rows: int, columns: int, distance: float) -> None:
    rng = np.random.default_rng(rows * columns)
    ground = Surface(heights=rng.normal(size=(rows, columns)), cell=2.0, west=3.0, north=50.0)

    lowered = Surface(heights=lowest_within(ground, distance), cell=2.0, west=3.0, north=50.0)

    x, y = rng.uniform(3, 3 + 2 * columns, 400), rng.uniform(50 - 2 * rows, 50, 400)
    away, turn = distance * np.sqrt(rng.uniform(size=400)), rng.uniform(0, 2 * np.pi, 400)
    about = ground.heights_at(x + away * np.cos(turn), y + away * np.sin(turn))
    assert (lowered.heights_at(x, y) <= about).all()


def test_only_ground_near_by_lowers_it() -> None:
    heights = np.zeros((21, 21))
    heights[10, 10] = -5.0
    ground = Surface(heights=heights, cell=1.0, west=0.0, north=0.0)

    lowered = lowest_within(ground, 3.0)

    assert np.argwhere(lowered < 0).min(axis=0).tolist() == [5, 5]
    assert np.argwhere(lowered < 0).max(axis=0).tolist() == [15, 15]


@pytest.mark.parametrize("distance", [-1.0, float("nan"), float("inf")])
def test_a_distance_is_a_number_from_0(distance: float) -> None:
    ground = Surface(heights=np.zeros((3, 3)), cell=1.0, west=0.0, north=0.0)

    with pytest.raises(ValueError, match="expected a finite distance of 0 or more"):
        lowest_within(ground, distance)
