"""How much of a path is in view, and the path with the least in view."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from emlia3d.dem import Curvature, line_of_sight, open_dem
from emlia3d.dem.paths import exposure, marks_by_halving, visible_m
from emlia3d.dem.routes import route
from emlia3d.errors import Error
from tests.dem.conftest import place_of

TARGET = 1.0


def test_a_path_behind_a_wall_is_seen_before_and_after_it(written) -> None:
    heights = np.zeros((21, 41))
    heights[10, 15:26] = 50
    model = open_dem(written(heights))
    eye = model.station(place_of(20, 2), 2.0)

    found = exposure(model, np.array([place_of(0, 18), place_of(40, 18)]), [eye], TARGET)

    assert found.length_m == 400
    assert [run.visible for run in found.together] == [True, False, True]
    assert found.first is not None
    assert found.first.distance_m == 0
    # The line from 2 m to 1 m is 1.5 m up over the wall, half way. The wall's ends fall from 50 m
    # to 0 within 10 m: they hide to 60 m - 0.3 m aside there, and twice as far on the path.
    assert found.together[0].end_m == pytest.approx(200 - 2 * 59.7, abs=10 / 1024)
    # The other end falls along the diagonals of its cells too, and hides a little more.
    assert 200 + 2 * 59.7 < found.together[2].start_m < 200 + 2 * 70
    assert found.share == pytest.approx(visible_m(found.each[0]) / 400)


@pytest.mark.parametrize("curvature", [None, Curvature(0.0)])
def test_exposure_is_that_of_a_plain_walk(hills, curvature) -> None:
    path = np.array([place_of(3, 5), place_of(30, 8.5), place_of(44, 57)])
    eyes = [hills.station(place_of(*at), 2.0) for at in ((25, 30), (2, 55))]

    found = exposure(hills, path, eyes, TARGET, curvature=curvature)

    rng = np.random.default_rng(1)
    first = np.hypot(*(path[1] - path[0]))
    for along in rng.uniform(0, found.length_m, 150):
        a, b, start = (path[0], path[1], 0.0) if along <= first else (path[1], path[2], first)
        place = a + (b - a) * ((along - start) / np.hypot(*(b - a)))
        seen = False
        for eye, runs in zip(eyes, found.each, strict=True):
            run = next(run for run in runs if run.end_m >= along)
            if min(abs(along - run.start_m), abs(along - run.end_m)) > 10 / 1024:
                target = hills.station(tuple(place), TARGET)
                one = line_of_sight(hills, eye, target, curvature=curvature)
                assert one.visible == run.visible
            seen |= run.visible
        together = next(run for run in found.together if run.end_m >= along)
        if min(abs(along - together.start_m), abs(along - together.end_m)) > 10 / 1024:
            assert together.visible == seen


def test_the_first_view_is_found_to_a_thousandth_of_a_cell(written) -> None:
    heights = np.zeros((5, 60))
    heights[:, 30] = 6
    model = open_dem(written(heights))
    eye = model.station(place_of(59, 2), 4.0)

    found = exposure(model, np.array([place_of(0, 2), place_of(31, 2)]), [eye], 6.5)

    # The line from the eye over the wall rises 2 m in 290 m: it is 6.5 m up 362.5 m from the eye.
    assert found.first is not None
    assert found.first.distance_m == pytest.approx(590 - 362.5, abs=10 / 1024)
    assert found.first.observer == 0
    assert found.first.x == pytest.approx(place_of(0, 2)[0] + 227.5, abs=10 / 1024)


@pytest.mark.parametrize("path", [[(3, 5)], [(3, 5), (3, 5)]])
def test_a_path_of_one_place_is_refused(hills, path) -> None:
    eye = hills.station(place_of(1, 1), 2)

    with pytest.raises(Error, match="two different places"):
        exposure(hills, np.array([place_of(*at) for at in path]), [eye], TARGET)


def seen_at(shape, cells):
    counts = np.zeros(shape, dtype=np.int32)
    counts[cells] = 1
    return counts


def test_a_route_goes_round_what_is_seen_if_that_is_near_enough(written) -> None:
    model = open_dem(written(np.zeros((21, 21))))
    counts = seen_at((21, 21), np.s_[4:, 10])
    ends = model.station(place_of(2, 12), 0), model.station(place_of(18, 12), 0)

    straight = route(model, *ends, counts, detour=0.5)
    round_ = route(model, *ends, counts, detour=50)

    assert straight.length_m == 160
    assert straight.seen_m == pytest.approx(10)
    assert round_.seen_m == 0
    # Up to the fourth row, nine rows on, while going eight columns, and back.
    assert round_.length_m == pytest.approx(2 * (80 * np.sqrt(2) + 10))


def test_a_route_keeps_to_the_slope_limit(written) -> None:
    heights = np.zeros((11, 21))
    heights[:9, 10] = 10
    model = open_dem(written(heights))
    none = np.zeros(model.shape, dtype=np.int32)
    ends = model.station(place_of(2, 2), 0), model.station(place_of(18, 2), 0)

    over = route(model, *ends, none, max_slope=46)
    past = route(model, *ends, none, max_slope=30)

    assert over.length_m == 160
    assert over.steepest == pytest.approx(45)
    assert past.steepest == 0
    assert past.path[:, 1].min() <= place_of(0, 9)[1]


def test_a_route_that_no_slope_allows_is_refused(written) -> None:
    heights = np.zeros((9, 9))
    heights[:, 4] = 30
    model = open_dem(written(heights))
    ends = model.station(place_of(1, 1), 0), model.station(place_of(7, 1), 0)

    with pytest.raises(Error, match="no route avoids slopes over 30 degrees"):
        route(model, *ends, np.zeros((9, 9), dtype=np.int32), max_slope=30)


def test_the_first_exposure_is_that_of_a_plain_walk_in_steps_of_1_1024_of_a_cell(written) -> None:
    rng = np.random.default_rng(10)
    model = open_dem(written(rng.integers(0, 40, (8, 9)) / 4))
    path = [(0.5, 6.2), (3.0, 5.5), (7.5, 6.8)]
    eyes = [model.station(place_of(*at), 0.25) for at in ((8, 0), (4, 1))]

    found = exposure(model, np.array([place_of(*at) for at in path]), eyes, 0.1)

    plain = None
    walked = 0.0
    for (c, r), (d, s) in pairwise(path):
        steps = math.ceil(max(abs(d - c), abs(s - r)) * 1024)
        length = 10 * math.hypot(d - c, s - r)
        for step in range(steps + 1):
            at = c + (d - c) * step / steps, r + (s - r) * step / steps
            target = model.station(place_of(*at), 0.1)
            if plain is None and any(line_of_sight(model, eye, target).visible for eye in eyes):
                plain = walked + length * step / steps
        walked += length
    # Here the first visible stretch is 2 cm long.
    assert plain
    assert found.first is not None
    assert found.first.distance_m == pytest.approx(plain, abs=1e-6)


@pytest.mark.parametrize("stride", [1, 2, 7, 32])
def test_halving_finds_each_stretch_that_is_no_shorter_than_the_stride(stride: int) -> None:
    rng = np.random.default_rng(stride)
    truth = np.repeat(np.arange(12) % 2 == 1, rng.integers(stride, 90, 12))

    asked = []

    def ask(points):
        asked.append(points)
        return truth[points]

    found = marks_by_halving(len(truth), stride, ask)

    np.testing.assert_array_equal(found, truth)
    assert sum(map(len, asked)) <= len(truth) // stride + 2 + 11 * (stride.bit_length() + 1)
