"""Figures as they are handed over, against the same in plain numpy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.view.moment.scene import Figures
from emlia3d.view.panda.troops.packing import bounds_of, pack

HEIGHTS = np.array([1.9, 2.6, 4.2], np.float32)


def figures_of(seed, count, moved):
    """Figures anywhere on a large field, some of them too large or too high to be told apart."""
    dice = np.random.default_rng(seed)

    def floats(low, high):
        return dice.uniform(low, high, count).astype(np.float32)

    def whole(beyond):
        return dice.integers(0, beyond, count).astype(np.uint8)

    return Figures(
        x_m=floats(-10, 8200),
        y_m=floats(-10, 8200),
        facing_deg=floats(-360, 720),
        team=whole(16),
        model=whole(len(HEIGHTS)),
        pose=whole(4),
        shade=whole(16),
        size=floats(0, 80),
        lift_m=floats(-1, 300),
        was_x_m=floats(-10, 8200) if moved else None,
        was_y_m=floats(-10, 8200) if moved else None,
        was_facing_deg=floats(-360, 720) if moved else None,
        was_pose=whole(4) if moved else None,
    )


def plainly(figures):
    """What `pack` writes, column by column."""

    def before(was, now):
        return now if was is None else was

    radian = np.float32(np.pi / 180)
    rows = np.empty((len(figures), 8), np.float32)
    rows[:, 0], rows[:, 1] = figures.x_m, figures.y_m
    rows[:, 2] = figures.facing_deg * radian
    rows[:, 4] = before(figures.was_x_m, figures.x_m)
    rows[:, 5] = before(figures.was_y_m, figures.y_m)
    rows[:, 6] = before(figures.was_facing_deg, figures.facing_deg) * radian
    own = np.arange(len(figures), dtype=np.uint32) * np.uint32(2654435761)
    flags = (own >> np.uint32(24)).astype(np.int64) << 16
    flags |= figures.team.astype(np.int64) | figures.pose.astype(np.int64) << 4
    flags |= before(figures.was_pose, figures.pose).astype(np.int64) << 6
    rows[:, 3] = flags | figures.shade.astype(np.int64) << 8 | figures.model.astype(np.int64) << 12
    half = np.float32(0.5)
    large = np.clip(figures.size * np.float32(64) + half, 1, 4095).astype(np.int64)
    high = np.clip(figures.lift_m * np.float32(16) + half, 0, 4095).astype(np.int64)
    rows[:, 7] = large | high << 12
    return rows


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 200), moved=st.booleans())
def test_figures_are_packed_as_plain_numpy_packs_them(seed, count, moved):
    figures = figures_of(seed, count, moved)
    rows = np.full((count, 8), np.nan, np.float32)
    tall = pack(figures, HEIGHTS, rows)
    assert np.array_equal(rows, plainly(figures))
    assert np.array_equal(tall, HEIGHTS[figures.model] * figures.size)


@given(
    seed=st.integers(0, 2**32 - 1),
    runs=st.lists(st.integers(1, 70), min_size=1, max_size=5),
    moved=st.booleans(),
)
def test_the_bounds_of_a_run_are_those_of_its_figures_now_and_a_tick_before(seed, runs, moved):
    figures = figures_of(seed, sum(runs), moved)
    tall = figures.size * np.float32(1.9)
    starts = np.cumsum([0, *runs[:-1]]).astype(np.int32)
    bounds = bounds_of(figures, tall, starts)
    for run, (start, count) in enumerate(zip(starts, runs, strict=True)):
        own = slice(start, start + count)
        east, north = figures.x_m[own], figures.y_m[own]
        if moved:
            east = np.append(east, figures.was_x_m[own])
            north = np.append(north, figures.was_y_m[own])
        assert bounds[:, run].tolist() == [
            east.min(), east.max(), north.min(), north.max(), figures.lift_m[own].max(),
            tall[own].min(), tall[own].max(),
        ]  # fmt: skip
