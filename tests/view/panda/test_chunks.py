"""The ground by pieces: all of it, once, near enough to the truth, and without cracks."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emlia3d.field.relief import relief_of
from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.scene import Camera, DrawnGround, flat
from emlia3d.view.panda.land.chunks import MOST_ERROR_PX, STEPS, pieces_of

SIZE = (1280, 720)


def rough(rows, columns, cell=5.0, seed=3):
    """Hills of sixty metres with rough sides."""
    table = {"kind": "fractal", "low_m": 0, "high_m": 60, "feature": 90, "roughness": 0.5}
    ground = relief_of({**table, "seed": seed, "cell": 1.0}).ground((columns, rows))
    return DrawnGround(
        elevation_m=ground.elevation_m.astype(np.float32), size_m=(columns * cell, rows * cell)
    )


def stations(terrain):
    """East of each column of corners and north of each row, as they are drawn."""
    rows, columns = terrain.elevation_m.shape
    east, north = (np.arange(count + 2) - 0.5 for count in (columns, rows))
    return (
        np.clip(east * terrain.cell_m[0], 0, terrain.size_m[0]),
        np.clip(north * terrain.cell_m[1], 0, terrain.size_m[1]),
    )


def heights_drawn(terrain, piece, x, y):
    """Of the drawn mesh of one piece at places within it; NaN outside."""
    east, north = stations(terrain)
    corners = np.pad(terrain.elevation_m[::-1], 1, "edge")
    first_x, first_y, step = piece[:3].astype(int)
    across = np.minimum(first_x + np.arange(STEPS + 1) * step, len(east) - 1)
    up = np.minimum(first_y + np.arange(STEPS + 1) * step, len(north) - 1)
    inside = (x >= east[across[0]]) & (x <= east[across[-1]])
    inside &= (y >= north[up[0]]) & (y <= north[up[-1]])
    column = np.clip(np.searchsorted(east[across], x, "right") - 1, 0, STEPS - 1)
    row = np.clip(np.searchsorted(north[up], y, "right") - 1, 0, STEPS - 1)
    a, b, c, d = across[column], across[column + 1], up[row], up[row + 1]
    u = np.clip((x - east[a]) / np.maximum(east[b] - east[a], 1e-9), 0, 1)
    v = np.clip((y - north[c]) / np.maximum(north[d] - north[c], 1e-9), 0, 1)
    sw, se, nw, ne = corners[c, a], corners[c, b], corners[d, a], corners[d, b]
    below, above = sw + u * (se - sw) + v * (ne - se), sw + v * (nw - sw) + u * (ne - nw)
    return np.where(inside, np.where(u >= v, below, above), np.nan)


def all_drawn(terrain, pieces, x, y):
    """(pieces, places), NaN where a piece is not."""
    drawn = [heights_drawn(terrain, piece, x, y) for piece in pieces]
    return np.array(drawn).reshape(-1, len(x))


@pytest.mark.parametrize("shape", [(2, 2), (30, 47), (64, 64), (130, 97), (200, 333)])
def test_seen_from_high_up_every_place_is_drawn_once(shape):
    terrain = rough(*shape)
    high = 4 * max(terrain.size_m)
    middle = terrain.size_m[0] / 2, terrain.size_m[1] / 2
    sight = eyesight(Camera(eye=(*middle, high), look_at=(*middle, 0)), SIZE)
    dice = np.random.default_rng(5)
    x, y = (dice.uniform(0, side, 400) for side in terrain.size_m)
    drawn = all_drawn(terrain, pieces_of(terrain).seen(sight), x, y)
    assert (np.isfinite(drawn).sum(axis=0) == 1).all()


@settings(max_examples=20)
@given(
    seed=st.integers(0, 99),
    east=st.floats(0.05, 0.95),
    north=st.floats(0.05, 0.95),
    up=st.floats(1.6, 400.0),
    at=st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)),
)
def test_what_is_drawn_lies_within_a_pixel_of_the_ground(seed, east, north, up, at):
    terrain = rough(150, 210, seed=seed)
    x, y = east * terrain.size_m[0], north * terrain.size_m[1]
    eye = np.array([x, y, terrain.height(x, y) + up])
    middle = (at[0] * terrain.size_m[0] + 1.0, at[1] * terrain.size_m[1] + 1.0, 30.0)
    sight = eyesight(Camera(eye=tuple(eye), look_at=middle), SIZE)
    dice = np.random.default_rng(seed)
    x, y = (dice.uniform(0, side, 300) for side in terrain.size_m)
    truth = terrain.heights(x, y)
    places = np.column_stack([x, y, truth])
    pixels = sight.project(places)
    seen = ((pixels > 0) & (pixels < SIZE)).all(axis=1)
    assume(seen.any())
    drawn = all_drawn(terrain, pieces_of(terrain).seen(sight), x, y)[:, seen]
    assert np.isfinite(drawn).any(axis=0).all(), "whatever is in the picture is drawn"
    off = np.abs(np.nanmax(drawn, axis=0) - truth[seen])
    away = np.linalg.norm(places[seen] - eye, axis=1)
    assert (off * sight.pixels_a_radian / away <= MOST_ERROR_PX + 0.05).all()


def test_skirts_reach_below_whatever_lies_beside_a_piece():
    terrain = rough(200, 200)
    sight = eyesight(Camera(eye=(100, 100, 90), look_at=(600, 600, 0)), SIZE)
    pieces = pieces_of(terrain).seen(sight)
    assert len(set(pieces[:, 2])) > 1, "fine and coarse"
    east, north = stations(terrain)
    beside = 0
    for piece in pieces:
        first_x, first_y, step = piece[:3].astype(int)
        y = np.linspace(*north[np.minimum([first_y, first_y + STEPS * step], len(north) - 1)], 200)
        x = np.full(200, east[first_x])
        drawn = all_drawn(terrain, pieces, x, y)
        gap = np.nanmax(drawn, axis=0) - np.nanmin(drawn, axis=0)
        assert (gap <= piece[3]).all()
        beside += bool((np.isfinite(drawn).sum(axis=0) > 1).any())
    assert beside > len(pieces) / 2


def test_the_number_of_pieces_follows_the_picture_and_not_the_ground():
    small, large = rough(257, 257), rough(1025, 1025)
    counts = []
    for terrain in (small, large):
        camera = Camera(eye=(640, 300, 120), look_at=(640, 900, 0))
        counts.append(len(pieces_of(terrain).seen(eyesight(camera, SIZE))))
    assert counts[1] < 4 * counts[0]
    assert counts[1] * 2 * STEPS**2 < 1025 * 1025


def test_level_ground_is_one_piece():
    sight = eyesight(Camera(eye=(50, 10, 30), look_at=(50, 60, 0)), SIZE)
    assert len(pieces_of(flat((100.0, 100.0))).seen(sight)) == 1


def test_the_sun_sees_the_ground_about_a_place_and_no_more():
    terrain = rough(300, 300)
    pieces = pieces_of(terrain).about((400.0, 500.0), 150.0, 0.5)
    dice = np.random.default_rng(1)
    x, y = 400 + dice.uniform(-100, 100, 200), 500 + dice.uniform(-100, 100, 200)
    drawn = all_drawn(terrain, pieces, x, y)
    assert np.isfinite(drawn).any(axis=0).all()
    assert np.abs(np.nanmax(drawn, axis=0) - terrain.heights(x, y)).max() <= 0.55
    east, north = np.array([1450.0]), np.array([1450.0])
    assert np.isnan(all_drawn(terrain, pieces, east, north)).all()
