"""Figures as they are handed over, read again as shaders read them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.view.moment.scene import STANDING, Figures
from emlia3d.view.panda.troops.packing import LATTICE_M, pack, ranks_of

HEIGHTS = np.array([1.9, 2.6, 4.2], np.float32)
WIDTHS = np.array([0.6, 1.1, 2.0], np.float32)


def figures_of(seed, units, moved, within=8200.0):
    """Units of so many figures each, anywhere on a large field."""
    dice = np.random.default_rng(seed)
    count, unit = sum(units), np.repeat(np.arange(len(units)), units)

    def floats(low, high):
        return dice.uniform(low, high, count).astype(np.float32)

    def whole(beyond):
        return dice.integers(0, beyond, count).astype(np.uint8)

    def places():
        middle = dice.uniform(-10, within, len(units))[unit]
        return (middle + dice.uniform(-40, 40, count)).astype(np.float32)

    return Figures(
        x_m=places(),
        y_m=places(),
        facing_deg=floats(-360, 720),
        team=dice.integers(0, 16, len(units)).astype(np.uint8)[unit],
        model=dice.integers(0, len(HEIGHTS), len(units)).astype(np.uint8)[unit],
        pose=whole(4),
        shade=whole(16),
        size=dice.uniform(0.5, 80, len(units)).astype(np.float32)[unit],
        lift_m=dice.choice(np.float32([0, 0, 300, -1]), len(units))[unit],
        was_x_m=places() if moved else None,
        was_y_m=places() if moved else None,
        was_facing_deg=floats(-360, 720) if moved else None,
        was_pose=whole(4) if moved else None,
    )


def packed(figures):
    rows = np.full((len(figures), 4), -1, np.int32)
    return rows, pack(figures, HEIGHTS, rows)


def read(rows, runs):
    """What a shader makes of it, by the name of the column."""
    words = rows.view(np.uint32).astype(np.int64)
    run = words[:, 3] & 0xFFFFFF
    shared = runs.rows[run].astype(np.int64)
    halves = np.stack([words & 0xFFFF, words >> 16], axis=2)
    now, was = ((shared[:, k : k + 2] + halves[:, k // 2]) / 512 for k in (0, 2))
    return {
        "run": run,
        "x_m": now[:, 0],
        "y_m": now[:, 1],
        "was_x_m": was[:, 0],
        "was_y_m": was[:, 1],
        "facing_deg": halves[:, 2, 0] * 360 / 65536,
        "was_facing_deg": halves[:, 2, 1] * 360 / 65536,
        "pose": words[:, 3] >> 24 & 3,
        "was_pose": words[:, 3] >> 26 & 3,
        "shade": words[:, 3] >> 28,
        "team": shared[:, 4] & 15,
        "model": shared[:, 4] >> 4,
        "size": runs.rows[run, 5].view(np.float32),
        "lift_m": runs.rows[run, 6].view(np.float32),
    }


units_of_any_size = st.lists(st.integers(1, 150), max_size=6)


@given(seed=st.integers(0, 2**32 - 1), units=units_of_any_size, moved=st.booleans())
def test_a_shader_reads_of_each_figure_what_it_is(seed, units, moved):
    figures = figures_of(seed, units, moved)
    found = read(*packed(figures))
    for name in ("team", "model", "pose", "shade", "size", "lift_m"):
        assert np.array_equal(found[name], getattr(figures, name)), name
    before = "was_" if moved else ""
    assert np.array_equal(found["was_pose"], getattr(figures, f"{before}pose"))
    for name in ("x_m", "y_m"):
        for packed_name, own in ((name, name), (f"was_{name}", before + name)):
            off = np.abs(found[packed_name] - getattr(figures, own).astype(np.float64))
            assert off.max(initial=0.0) <= LATTICE_M / 2
    for packed_name, own in (
        ("facing_deg", "facing_deg"),
        ("was_facing_deg", f"{before}facing_deg"),
    ):
        off = (found[packed_name] - getattr(figures, own) + 180) % 360 - 180
        assert np.abs(off).max(initial=0.0) < 0.003


@given(seed=st.integers(0, 2**32 - 1), units=units_of_any_size, moved=st.booleans())
def test_a_run_is_of_figures_that_follow_one_another_and_are_alike(seed, units, moved):
    figures = figures_of(seed, units, moved)
    rows, runs = packed(figures)
    counts = np.diff(runs.starts, append=len(figures))
    assert ((counts > 0) & (counts <= 64)).all()
    assert np.array_equal(read(rows, runs)["run"], np.repeat(np.arange(len(counts)), counts))
    assert np.array_equal(runs.models, figures.model[runs.starts])
    assert np.array_equal(runs.lifts_m, figures.lift_m[runs.starts])
    assert len(runs.starts) <= sum(-(-unit // 64) + 1 for unit in units)


def greedy_starts(figures):
    """Where runs begin, one figure after another."""
    shared = (figures.team, figures.model, figures.size, figures.lift_m)
    columns = (figures.x_m, figures.y_m, figures.was_x_m, figures.was_y_m)
    counted = [each / np.float32(LATTICE_M) for each in columns]
    steps = [np.trunc(each + np.copysign(np.float32(0.5), each)) for each in counted]
    starts = []
    for k in range(len(figures)):
        first = starts[-1] if starts else 0
        apart = any(np.ptp(column[first : k + 1]) > 0xFFFF for column in steps)
        unlike = any(column[k] != column[first] for column in shared)
        if not starts or k - first == 64 or apart or unlike:
            starts.append(k)
    return starts


@given(
    seed=st.integers(0, 2**32 - 1),
    units=st.lists(st.sampled_from([1, 1, 2, 3, 9, 130]), max_size=12),
    within=st.sampled_from([5.0, 100.0, 8200.0]),
)
def test_a_run_ends_only_where_the_next_figure_cannot_be_in_it(seed, units, within):
    figures = figures_of(seed, units, moved=True, within=within)
    _, runs = packed(figures)
    assert runs.starts.tolist() == greedy_starts(figures)


@given(seed=st.integers(0, 2**32 - 1), units=units_of_any_size, moved=st.booleans())
def test_the_circle_of_a_run_holds_its_figures_now_and_a_tick_before(seed, units, moved):
    figures = figures_of(seed, units, moved)
    rows, runs = packed(figures)
    found = read(rows, runs)
    x, y, reach, tall = runs.circles[found["run"]].T
    for before in ("", "was_"):
        away = np.hypot(found[f"{before}x_m"] - x, found[f"{before}y_m"] - y)
        assert (away <= reach + 1e-3).all()
    assert np.array_equal(tall, HEIGHTS[figures.model] * figures.size)


def test_figures_far_from_one_another_share_no_run_and_are_no_less_exact():
    figures = figures_of(1, [1] * 200, moved=True)
    found = read(*packed(figures))
    for name in ("x_m", "y_m", "was_x_m", "was_y_m"):
        assert found[name] == pytest.approx(getattr(figures, name), abs=LATTICE_M / 2)


def test_who_stands_among_those_who_move_is_where_he_was_to_the_last_bit():
    figures = figures_of(2, [60], moved=True)
    figures.was_x_m[::2], figures.was_y_m[::2] = figures.x_m[::2], figures.y_m[::2]
    found = read(*packed(figures))
    assert np.array_equal(found["x_m"][::2], found["was_x_m"][::2])
    assert np.array_equal(found["y_m"][::2], found["was_y_m"][::2])


def formed(seed, count):
    """Figures about a metre apart, most of them in line, nearly all of whom look the same way."""
    dice = np.random.default_rng(seed)

    def seldom(usual, odd):
        return np.where(dice.random(count) < 0.9, usual, odd)

    facing = seldom(dice.choice([0.0, 90.0, 33.0]), 45.0)
    steps = np.cumsum(seldom(1.0, dice.choice([-1.0, 3.0, 5.0])))
    away = np.radians(facing[0])
    return Figures(
        x_m=np.float32(100 + steps * np.cos(away) + seldom(0.0, 0.5)),
        y_m=np.float32(900 - steps * np.sin(away)),
        facing_deg=facing.astype(np.float32),
        team=np.zeros(count, np.uint8),
        model=np.repeat(dice.integers(0, 3, 1), count).astype(np.uint8),
        pose=seldom(STANDING, dice.integers(1, 4)).astype(np.uint8),
        shade=seldom(0, 5).astype(np.uint8),
        size=np.ones(count, np.float32),
        lift_m=np.zeros(count, np.float32),
    )


def plain_ranks(figures, starts):
    """First and last of each line, one figure after another."""
    lines, before, steps = [], None, []
    for k in np.flatnonzero(figures.pose == STANDING).tolist():
        joined, step = False, 0.0
        run = np.searchsorted(starts, k, "right")
        if before is not None and run == np.searchsorted(starts, before, "right"):
            turn = np.radians(float(figures.facing_deg[k]))
            east, north = (float(row[k]) - float(row[before]) for row in (figures.x_m, figures.y_m))
            step = east * np.cos(turn) - north * np.sin(turn)
            joined = (
                figures.facing_deg[k] == figures.facing_deg[before]
                and figures.shade[k] == figures.shade[before]
                and abs(east * np.sin(turn) + north * np.cos(turn)) < 0.3 * abs(step)
                and abs(step) < min(2.6 * WIDTHS[figures.model[k]], 4.0)
                and not (steps and steps[-1] * step < 0)
            )
        if joined:
            lines[-1][1] = k
            steps.append(step)
        else:
            lines.append([k, k])
            steps = []
        before = k
    return lines


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 140))
def test_ranks_are_those_that_one_finds_going_from_man_to_man(seed, count):
    figures = formed(seed, max(count, 1))
    _, runs = packed(figures)
    ranks = ranks_of(figures, runs.starts, WIDTHS)
    assert ranks.ends.tolist() == plain_ranks(figures, runs.starts)
    assert ranks.lying.tolist() == np.flatnonzero(figures.pose != STANDING).tolist()
    of_rows = np.repeat(np.arange(len(runs.starts)), np.diff(runs.starts, append=len(figures)))
    assert np.array_equal(ranks.run, of_rows[ranks.ends[:, 0]])
    assert np.array_equal(ranks.lying_run, of_rows[ranks.lying])
