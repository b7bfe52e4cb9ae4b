"""The slope about a centre bounds how far the ground near it may rise or fall."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.geometry import Surface, centre_cells, steepest_within

CELL, WEST, NORTH = 2.0, 30.0, 50.0


def surface(heights: np.ndarray) -> Surface:
    return Surface(heights=heights, cell=CELL, west=WEST, north=NORTH)


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (2, 2), (7, 9), (40, 30)])
@pytest.mark.parametrize("cells", [0.0, 0.3, 1.0, 1.5])
def test_ground_within_reach_keeps_to_the_slope(shape: tuple[int, int], cells: float) -> None:
    rng, reach = np.random.default_rng(3), cells * CELL
    ground = surface(rng.normal(size=shape))
    places = rng.uniform(-3, CELL * max(shape) + 3, (3000, 2)) * (1, -1) + (WEST, NORTH)
    turns, away = rng.uniform(0, 7, 3000), rng.uniform(0, reach, 3000)
    others = places + away[:, None] * np.column_stack((np.cos(turns), np.sin(turns)))

    steepest = steepest_within(ground, reach)

    bound = surface(steepest).heights_at(*places.T) * away
    rise = np.abs(ground.heights_at(*others.T) - ground.heights_at(*places.T))
    assert steepest.shape == shape
    assert (rise <= bound + 1e-12).all()


@pytest.mark.parametrize("cells", [0.0, 0.3, 1.0, 1.5])
def test_ground_about_a_centre_keeps_to_its_own_slope(cells: float) -> None:
    rng, reach = np.random.default_rng(4), cells * CELL
    ground = surface(rng.normal(size=(20, 30)))
    rows, cols = rng.integers(0, (20, 30), (3000, 2)).T
    turns, away = rng.uniform(0, 7, 3000), rng.uniform(0, reach, 3000)
    x, y = WEST + CELL * cols + away * np.cos(turns), NORTH - CELL * rows + away * np.sin(turns)

    steepest = steepest_within(ground, reach, of_centres=True)

    rise = np.abs(ground.heights_at(x, y) - ground.heights[rows, cols])
    assert (rise <= steepest[rows, cols] * away + 1e-12).all()
    assert (steepest <= steepest_within(ground, reach)).all()


def test_an_even_slope_is_as_steep_as_it_is_everywhere() -> None:
    down, right = np.mgrid[0:8, 0:9]

    steepest = steepest_within(surface(6.0 * right - 8.0 * down), 1.0)

    # 6 and 8 to the cell of 2 GSU: 3 and 4, 5 in all.
    assert steepest == pytest.approx(np.full((8, 9), 5.0))


def test_a_peak_is_felt_as_far_as_its_sides_are_within_reach() -> None:
    heights = np.zeros((1, 12))
    heights[0, 5] = 4.0

    steepest = steepest_within(surface(heights), CELL)

    assert steepest[0].tolist() == [0, 0, 0, 2, 2, 2, 2, 2, 0, 0, 0, 0]


@pytest.mark.parametrize("reach", [-1.0, np.nan, np.inf])
def test_a_reach_that_is_none_is_refused(reach: float) -> None:
    with pytest.raises(ValueError, match="steepest_within"):
        steepest_within(surface(np.zeros((2, 2))), reach)


def test_places_are_told_as_centres_where_all_of_them_are() -> None:
    ground = surface(np.zeros((3, 4)))
    centres = np.array([[30.0, 50.0], [36.0, 46.0], [32.0, 48.0]])

    found = centre_cells(ground, centres)

    assert found is not None
    assert [column.tolist() for column in found] == [[0, 2, 1], [0, 3, 1]]
    assert centre_cells(ground, np.add(centres, (0.0, 0.001))) is None
    assert centre_cells(ground, np.add(centres, (2.0, 0.0))) is None
    assert centre_cells(ground, np.add(centres, (-2.0, 0.0))) is None
