"""Who is drawn how from where: by batches, and in ranks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.scene import FALLEN, STANDING, Camera, Figures, flat, no_figures
from emlia3d.view.panda.troops.batches import (
    FAR,
    MIDDLE,
    NEAR,
    RANKED,
    UNSEEN,
    batches_of,
    choose,
)
from emlia3d.view.panda.troops.packing import pack, ranks_of

HEIGHTS = np.array([1.95] * 5, np.float32)


def figures_at(x, y, model=0, pose=STANDING):
    """Figures in one size, all looking north."""
    count = len(x)
    return Figures(
        x_m=np.asarray(x, np.float32),
        y_m=np.asarray(y, np.float32),
        facing_deg=np.zeros(count, np.float32),
        team=np.zeros(count, np.uint8),
        model=np.broadcast_to(np.asarray(model, np.uint8), count),
        pose=np.full(count, pose, np.uint8),
        shade=np.zeros(count, np.uint8),
        size=np.ones(count, np.float32),
        lift_m=np.zeros(count, np.float32),
    )


def regiment(files, ranks=3):
    """Men a metre apart, who look north."""
    right, back = np.meshgrid(np.arange(files), np.arange(ranks))
    x, y = 500 + right.ravel(), 500 - back.ravel()
    return figures_at(x, y)


def in_batches(figures):
    """The batches of figures on level ground."""
    runs = pack(figures, HEIGHTS, np.empty((len(figures), 4), np.int32))
    return batches_of(runs, len(figures), flat((1000.0, 1000.0)))


def ranks_in(figures, wide):
    """The lines in which figures of such a width stand."""
    return ranks_of(figures, in_batches(figures).starts, np.array([wide] * 5, np.float32))


def drawn(figures, camera, near_px=34.0):
    """How each figure is drawn, (n,)."""
    choice = choose(in_batches(figures), figures, near_px, eyesight(camera, (1280, 720)))
    looks = np.full(len(figures), UNSEEN)
    for look in (RANKED, FAR, MIDDLE, NEAR):
        rows = choice.rows(look)
        assert (looks[rows] == UNSEEN).all(), "nobody is drawn twice"
        looks[rows] = look
    return looks


@pytest.mark.parametrize(
    ("metres", "look"), [(10, NEAR), (120, MIDDLE), (400, FAR), (900, RANKED), (-30, UNSEEN)]
)
def test_the_farther_off_a_figure_is_the_plainer_it_is_drawn(metres, look):
    figures = regiment(files=5)
    eye = (502, 499 - metres, 2.0)
    looks = drawn(figures, Camera(eye=eye, look_at=(502, eye[1] + 10, 2.0)))
    assert set(looks) == {look}


def test_in_a_batch_that_lies_partly_nearer_each_figure_is_asked():
    figures = regiment(files=20, ranks=30)
    camera = Camera(eye=(510, 415, 3), look_at=(510, 500, 1))
    looks = drawn(figures, camera)
    away = np.hypot(figures.x_m - 510, figures.y_m - 415)
    tall_px = 1.95 * eyesight(camera, (1280, 720)).pixels_a_radian / np.hypot(away, 3)
    seen = looks != UNSEEN
    assert {NEAR, MIDDLE} <= set(looks)
    assert (looks[seen] == NEAR)[np.abs(tall_px[seen] - 34) > 1].tolist() == (tall_px[seen] > 34)[
        np.abs(tall_px[seen] - 34) > 1
    ].tolist()


@given(
    seed=st.integers(0, 2**32 - 1),
    high=st.floats(1.0, 900.0),
    turn=st.floats(0.0, 6.28),
)
def test_nobody_who_is_in_the_picture_is_left_out(seed, high, turn):
    dice = np.random.default_rng(seed)
    count = 500
    figures = figures_at(
        dice.uniform(0, 1000, count),
        dice.uniform(0, 1000, count),
        model=np.sort(dice.integers(0, 5, count)),
    )
    camera = Camera(
        eye=(500, 500, high), look_at=(500 + 100 * np.cos(turn), 500 + 100 * np.sin(turn), 0)
    )
    chests = np.column_stack([figures.x_m, figures.y_m, np.full(count, 1.0)])
    pixels = eyesight(camera, (1280, 720)).project(chests)
    inside = ((pixels > 0) & (pixels < [1280, 720])).all(axis=1)
    assert (drawn(figures, camera)[inside] != UNSEEN).all()


def test_a_rank_is_a_line_from_its_first_man_to_its_last():
    figures = regiment(files=20, ranks=3)
    ranks = ranks_in(figures, wide=0.6)
    assert ranks.ends.tolist() == [[0, 19], [20, 39], [40, 59]]


def test_who_lies_breaks_no_rank_and_who_stands_alone_is_one():
    figures = regiment(files=10, ranks=1)
    figures.pose[4] = FALLEN
    figures.x_m[9] += 40
    ranks = ranks_in(figures, wide=0.8)
    assert ranks.ends.tolist() == [[0, 8], [9, 9]]
    assert ranks.lying.tolist() == [4]


def test_an_empty_field_has_nobody_to_draw():
    figures = no_figures()
    assert len(ranks_in(figures, wide=0.6).ends) == 0
    assert drawn(figures, Camera(eye=(0, 0, 2), look_at=(0, 9, 2))).tolist() == []
