"""The least heights that eyes see over centres, against whole numbers and the viewshed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from emlia3d.geometry import (
    Surface,
    min_visible_height,
    min_visible_heights,
    viewshed,
    visible_counts,
)
from tests.geometry.grounds import broken_ground, eye_above, scenes, surface_of

GRID = 1024


def exact_least(heights, row, col, eye):
    """The least heights over all centres but the eye's own as fractions: numerators, denominators.

    heights, eye : whole numbers of 1/1024; the eye is over a centre

    Each line is walked from bend to bend of the ground in whole numbers.
    """
    rows, cols = np.indices(heights.shape)
    down, right = rows - row, cols - col
    top, bottom = heights - eye, np.ones_like(heights)
    for steps, others, first, other, diagonal in (
        (right, down, col, row, False),
        (down, right, row, col, False),
        (right + down, right, row + col, col, True),
    ):
        length, side = np.abs(steps), np.sign(steps)
        for k in range(1, int(length.max())):
            crossed = length > k
            run, sign, along = length[crossed], side[crossed], others[crossed]
            # Whole and broken part of where the line is on the bend.
            whole, rest = np.divmod(other * run + along * k, run)
            bend = first + sign * k
            if diagonal:
                near, far = (bend - whole, whole), (bend - whole - 1, whole + 1)
            elif steps is right:
                near, far = (whole, bend), (whole + 1, bend)
            else:
                near, far = (bend, whole), (bend, whole + 1)
            low, high = (
                heights[
                    np.clip(at[0], 0, heights.shape[0] - 1), np.clip(at[1], 0, heights.shape[1] - 1)
                ]
                for at in (near, far)
            )
            ground = low * (run - rest) + high * rest - eye * run
            # The line rises to the ground there after k of `run` steps.
            over, under = ground * run, run * k
            higher = over * bottom[crossed] > top[crossed] * under
            top[crossed] = np.where(higher, over, top[crossed])
            bottom[crossed] = np.where(higher, under, bottom[crossed])
    return top - (heights - eye) * bottom, bottom


@pytest.mark.parametrize(
    ("kind", "row", "col", "up"),
    [
        ("broken", 100, 60, 2048),
        ("broken", 3, 215, 40 * GRID),
        ("steps", 110, 110, 1700),
        ("steps", 200, 40, 0),
    ],
)
def test_least_heights_are_those_of_a_walk_in_whole_numbers(kind, row, col, up) -> None:
    shape = (220, 230)
    if kind == "broken":
        heights = np.round(broken_ground(shape, seed=row) * GRID).astype(np.int64)
    else:
        # Large level steps: most lines touch a level or an edge.
        low = np.random.default_rng(col).integers(0, 3, (22, 23))
        heights = np.kron(low, np.ones((10, 10), dtype=np.int64)) * GRID
    eye = heights[row, col] + up
    top, bottom = exact_least(heights, row, col, eye)
    surface = Surface(heights=heights / GRID, cell=1.0, west=0.0, north=0.0)

    found = min_visible_heights(surface, [col, -row, eye / GRID])[0]

    found[row, col] = top[row, col] = 0
    assert np.array_equal(found == 0, top <= 0)
    np.testing.assert_allclose(found, np.maximum(top, 0) / bottom / GRID, rtol=1e-9, atol=1e-12)
    assert np.count_nonzero(top == 0) > (100 if kind == "steps" else 0)


@given(scenes())
@settings(max_examples=300)
def test_a_target_is_seen_exactly_where_its_height_is_no_less_than_the_least(scene) -> None:
    surface, eye, target_height = scene

    found = min_visible_heights(surface, eye, target_height)

    assert np.array_equal(found <= target_height, viewshed(surface, eye, target_height).identity)
    ground = min_visible_heights(surface, eye)
    assert np.array_equal(ground == 0, viewshed(surface, eye).identity)


@given(scenes())
@settings(max_examples=100)
def test_least_heights_are_those_at_each_place(scene) -> None:
    surface, eye, _ = scene
    row, col = np.indices(surface.heights.shape)
    x, y = surface.west + surface.cell * col, surface.north - surface.cell * row

    found = min_visible_heights(surface, eye)[0]

    expected = min_visible_height(surface, eye, x, y) - surface.heights
    assert np.array_equal(np.isinf(found), np.isinf(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_centres_outside_the_area_have_no_least_height() -> None:
    surface = surface_of(broken_ground((30, 40), seed=2))
    eye = eye_above(surface, 12.5, 8, 2)
    whole = min_visible_heights(surface, eye)[0]

    found = min_visible_heights(surface, eye, area=(5, 10, 20, 25))[0]

    inside = np.zeros((30, 40), dtype=bool)
    inside[4:20, 5:21] = True
    assert np.array_equal(found[inside], whole[inside])
    assert np.isinf(found[~inside]).all()


def test_a_target_below_the_ground_has_no_least_height() -> None:
    with pytest.raises(ValueError, match="target_height of 0 or more"):
        min_visible_heights(surface_of(np.zeros((3, 3))), [1, 1, 1], -0.5)


def test_counts_are_those_of_all_viewsheds_together() -> None:
    surface = surface_of(broken_ground((60, 50), seed=9))
    eyes = [eye_above(surface, u, v, 2) for u, v in ((3, 4), (20.5, 30), (49, 59), (20.5, 30))]
    told: list[float] = []

    found = visible_counts(surface, eyes, 1.5, progress=told.append)

    assert np.array_equal(found, viewshed(surface, eyes, 1.5).counts)
    assert told == sorted(told)
    assert told[-1] == 1
