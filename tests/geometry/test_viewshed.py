"""Viewsheds against a line of sight to every centre."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from emlia3d.geometry import lines_of_sight, min_visible_heights, sweep, threads, viewshed
from tests.geometry.grounds import broken_ground, eye_above, scenes, surface_of

REAL = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"


def seen_one_by_one(surface, eye, target_height):
    row, col = np.indices(surface.heights.shape)
    x, y = surface.west + surface.cell * col, surface.north - surface.cell * row
    targets = np.stack([x, y, surface.heights + target_height], axis=-1).reshape(-1, 3)
    return lines_of_sight(surface, eye, targets).reshape(row.shape)


@given(scenes())
@settings(max_examples=300)
def test_a_centre_is_seen_where_a_line_of_sight_says_so(scene) -> None:
    surface, eye, target_height = scene

    found = viewshed(surface, eye, target_height)

    assert np.array_equal(found.identity[0], seen_one_by_one(surface, eye, target_height))


@pytest.mark.parametrize("up", [1.0, 12.0])
@pytest.mark.parametrize("target_height", [0, 1.7])
@pytest.mark.parametrize(("u", "v"), [(80, 60), (13.25, 99.5), (0, 0), (140.7, 3.1)])
def test_broken_ground_is_seen_as_lines_of_sight_say(u, v, up, target_height) -> None:
    surface = surface_of(broken_ground((120, 150), seed=5))
    eye = eye_above(surface, u, v, up)

    found = viewshed(surface, eye, target_height).identity[0]

    assert found.any()
    assert not found.all()
    assert np.array_equal(found, seen_one_by_one(surface, eye, target_height))


@pytest.mark.skipif(not REAL.exists(), reason="no real elevation beside the checkout")
@pytest.mark.parametrize(("u", "v"), [(100, 120), (211.5, 37.25), (44, 200)])
def test_real_ground_is_seen_as_lines_of_sight_say(u, v) -> None:
    rasterio = pytest.importorskip("rasterio")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(REAL) as source:
            heights = source.read(1, window=((100, 350), (100, 350)))
    surface = surface_of(heights, cell=30.0)
    eye = eye_above(surface, u, v, 2.0)

    found = viewshed(surface, eye, 1.5).identity[0]

    assert found.any()
    assert np.array_equal(found, seen_one_by_one(surface, eye, 1.5))


@pytest.mark.parametrize("up", [0.3, 6.0])
def test_where_the_horizon_is_too_jagged_to_keep_the_walk_goes(up, monkeypatch) -> None:
    surface = surface_of(broken_ground((120, 150), seed=14))
    eye = eye_above(surface, 70.5, 66.25, up)
    expected, least = viewshed(surface, eye, 1).identity, min_visible_heights(surface, eye)
    monkeypatch.setattr(sweep, "_PIECES_A_COLUMN", 0)

    for room in (70, 110, 150):
        monkeypatch.setattr(sweep, "_PIECES_MORE", room)
        assert np.array_equal(viewshed(surface, eye, 1).identity, expected)
        np.testing.assert_allclose(min_visible_heights(surface, eye), least, rtol=1e-9, atol=1e-9)


def test_all_is_seen_from_above_an_even_slope() -> None:
    slope = surface_of(np.add.outer(0.5 * np.arange(30), 0.25 * np.arange(40)))

    assert viewshed(slope, eye_above(slope, 20, 15, 0.0)).seen.all()
    assert viewshed(slope, eye_above(slope, 20.5, 15.25, 1.0)).seen.all()


def test_a_ridge_hides_what_lies_behind_it() -> None:
    heights = np.zeros((3, 9))
    heights[:, 4] = 1
    ridge = surface_of(heights)

    found = viewshed(ridge, [0, 1, 2])

    assert found.seen[1].tolist() == [True] * 5 + [False] * 3 + [True]


def test_what_stands_taller_is_seen_from_further() -> None:
    surface = surface_of(broken_ground((60, 60), seed=2))
    eye = eye_above(surface, 30, 30, 2)

    low, tall = (viewshed(surface, eye, up).identity for up in (0.5, 4))

    assert (low & ~tall).sum() == 0
    assert tall.sum() > low.sum()


def test_under_the_ground_nothing_is_seen() -> None:
    flat = surface_of(np.zeros((5, 5)))

    assert not viewshed(flat, [2, 2, 5], -0.1).seen.any()
    assert not viewshed(flat, [2, 2, -0.1], 3).seen.any()


def test_each_observer_has_a_layer_and_counts_add_them() -> None:
    surface = surface_of(broken_ground((40, 50), seed=3))
    eyes = np.array([eye_above(surface, u, 20, 2) for u in (5, 25.5, 45)])

    found = viewshed(surface, eyes, 1)

    alone = [viewshed(surface, eye, 1).identity[0] for eye in eyes]
    assert np.array_equal(found.identity, alone)
    assert np.array_equal(found.counts, np.sum(alone, axis=0))
    assert np.array_equal(found.seen, np.any(alone, axis=0))


def test_no_observers_see_nothing() -> None:
    found = viewshed(surface_of(np.zeros((3, 4))), np.empty((0, 3)))

    assert found.identity.shape == (0, 3, 4)
    assert not found.counts.any()


def test_only_centres_within_the_area_count() -> None:
    surface = surface_of(broken_ground((40, 50), seed=4))
    eye = eye_above(surface, 44, 30, 6)

    found = viewshed(surface, eye, 1, area=(3.5, 10, 20, 25))

    expected = viewshed(surface, eye, 1).identity[0]
    inside = np.zeros_like(expected)
    inside[14:30, 4:21] = True
    assert expected[inside].any()
    assert np.array_equal(found.identity[0], expected & inside)


def test_a_shift_by_whole_cells_changes_nothing() -> None:
    surface = surface_of(broken_ground((40, 50), seed=6))
    eye = eye_above(surface, 12.5, 30.25, 3)
    moved = replace(surface, west=surface.west + 64, north=surface.north - 32)

    assert np.array_equal(
        viewshed(surface, eye, 1).identity,
        viewshed(moved, eye + np.array([64, -32, 0]), 1).identity,
    )


def test_half_a_turn_turns_what_is_seen() -> None:
    heights = broken_ground((40, 50), seed=8)
    surface, turned = surface_of(heights), surface_of(heights[::-1, ::-1])
    eye = eye_above(surface, 12.5, 30.25, 3)

    other = [49 - eye[0], 39 - eye[1], eye[2]]

    assert np.array_equal(
        viewshed(surface, eye, 1).identity[0], viewshed(turned, other, 1).identity[0][::-1, ::-1]
    )


def test_a_mirror_along_the_diagonal_mirrors_what_is_seen() -> None:
    heights = broken_ground((40, 50), seed=9)
    surface, mirrored = surface_of(heights), surface_of(heights[::-1, ::-1].T)
    eye = eye_above(surface, 12.5, 30.25, 3)

    found = viewshed(mirrored, [eye[1], eye[0], eye[2]], 1).identity[0]

    assert np.array_equal(viewshed(surface, eye, 1).identity[0], found[::-1, ::-1].T)


@pytest.mark.parametrize("observers", [1, 5])
def test_the_number_of_threads_changes_nothing(observers, monkeypatch) -> None:
    surface = surface_of(broken_ground((60, 70), seed=10))
    eyes = [eye_above(surface, 30.3 + place, 30.7, 3) for place in range(observers)]

    monkeypatch.setattr(sweep, "_FEW_CENTRES", 0)
    monkeypatch.setenv("EMLIA3D_THREADS", "1")
    alone = viewshed(surface, eyes, 1).identity
    monkeypatch.setenv("EMLIA3D_THREADS", "4")

    assert np.array_equal(alone, viewshed(surface, eyes, 1).identity)


def test_what_is_seen_of_a_few_centres_is_found_by_one_thread_and_the_same(monkeypatch) -> None:
    surface = surface_of(broken_ground((50, 60), seed=10))
    eyes = [eye_above(surface, 30.3 + place, 30.7, 3) for place in range(3)] + [(-9.0, 5.0, 50.0)]
    monkeypatch.setenv("EMLIA3D_THREADS", "4")
    monkeypatch.setattr(sweep, "_FEW_CENTRES", 0)
    spread = viewshed(surface, eyes, 1).identity
    monkeypatch.setattr(sweep, "_FEW_CENTRES", spread.size)
    monkeypatch.setattr(threads, "_helpers", None)

    found = viewshed(surface, eyes, 1).identity

    assert found.any(axis=(1, 2)).all()
    assert np.array_equal(found, spread)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0, np.nan], 0), "observers: needs finite numbers"),
        (([0, 0], 0), "observers: needs rows"),
        (([0, 0, 1], np.inf), "expected a finite target_height"),
    ],
)
def test_what_is_no_place_or_height_is_refused(arguments, message) -> None:
    with pytest.raises(ValueError, match=message):
        viewshed(surface_of(np.zeros((3, 3))), *arguments)


def test_an_area_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match="expected finite numbers for area"):
        viewshed(surface_of(np.zeros((3, 3))), [0, 0, 1], area=(0, 0, np.nan, 3))


@pytest.mark.parametrize(("u", "v"), [(-0.5, 20.5), (49.75, 39.5), (20, -1), (60, 70)])
def test_an_eye_may_stand_beyond_the_outermost_centres(u, v) -> None:
    surface = surface_of(broken_ground((40, 50), seed=12))
    eye = eye_above(surface, u, v, 6)

    found = viewshed(surface, eye, 1).identity[0]

    assert found.any()
    assert np.array_equal(found, seen_one_by_one(surface, eye, 1))


def test_ground_far_above_the_datum_is_seen_like_ground_near_it() -> None:
    surface = surface_of(broken_ground((40, 50), seed=13))
    eye = eye_above(surface, 25.5, 20.25, 2)
    plateau = replace(surface, heights=surface.heights + 2.0**20)

    assert np.array_equal(
        viewshed(surface, eye, 1).identity,
        viewshed(plateau, eye + np.array([0, 0, 2.0**20]), 1).identity,
    )


@pytest.mark.parametrize(("seed", "at"), [(0, 23.5), (7, 23.5), (8, 39.5), (17, 39.5), (12, 31)])
def test_centres_in_line_with_corners_of_tiles_are_seen_as_lines_of_sight_say(seed, at) -> None:
    # From here tiles have corners straight to the north-east and so on, 24.5 or 49 cells away. The
    # directions to these are rounded, and one over these numbers times themselves is less than 1.
    surface = surface_of(broken_ground((97, 97), seed=seed, layers=4))
    eye = eye_above(surface, at, at, 3.0)

    found = viewshed(surface, eye, 0.5).identity[0]

    assert np.array_equal(found, seen_one_by_one(surface, eye, 0.5))
