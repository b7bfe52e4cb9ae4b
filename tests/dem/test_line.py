"""One line of sight over a raster."""

from __future__ import annotations

import math

import numpy as np
import pytest

from emlia3d.dem import Curvature, line_of_sight, open_dem
from emlia3d.errors import Error
from tests.dem.conftest import place_of


def ridge(height: float, at: int = 10, length: int = 21):
    """Level ground with a wall of one column of centres across it."""
    heights = np.zeros((5, length))
    heights[:, at] = height
    return heights


def test_a_free_line_tells_where_it_comes_nearest_to_the_ground(written) -> None:
    model = open_dem(written(ridge(3)))

    found = line_of_sight(
        model, model.station(place_of(0, 2), 5), model.station(place_of(20, 2), 7)
    )

    # 200 m level, from 5 m to 7 m; over the ridge half way it is 6 m high.
    assert found.visible
    assert found.blocked is None
    assert found.distance_m == 200
    assert found.bearing == 90
    assert found.angle == pytest.approx(math.degrees(math.atan(2 / 200)))
    assert found.closest is not None
    assert found.closest == pytest.approx((*place_of(10, 2), 100, 3))
    assert found.least_m == pytest.approx(1.0)  # 5 - (5 - 3) * 2


def test_a_blocked_line_tells_where_and_by_how_much(written) -> None:
    model = open_dem(written(ridge(9)))

    found = line_of_sight(
        model, model.station(place_of(0, 2), 5), model.station(place_of(20, 2), 7)
    )

    assert not found.visible
    assert found.closest is None
    assert found.blocked is not None
    assert found.blocked == pytest.approx((*place_of(10, 2), 100, -3))
    assert found.least_m == pytest.approx(13)  # 5 + (9 - 5) * 2


def test_a_line_that_touches_the_ground_is_free(written) -> None:
    model = open_dem(written(ridge(6)))

    found = line_of_sight(
        model, model.station(place_of(0, 2), 5), model.station(place_of(20, 2), 7)
    )

    assert found.visible
    assert found.closest is not None
    assert found.closest.gap_m == 0


def test_the_ground_along_the_line_is_seen_and_hidden_by_turns(written) -> None:
    heights = np.zeros((5, 41))
    heights[:, 10], heights[:, 30] = 8, 12
    model = open_dem(written(heights))

    found = line_of_sight(
        model, model.station(place_of(0, 2), 10), model.station(place_of(40, 2), 0)
    )

    # Over the first ridge, 8 m at 100 m, the horizon falls 2 m in 100 m: it meets the ground at
    # 500 m, and the rise to 12 m from 290 m to 300 m where 10 - 0.02 s = 12 (s - 290) / 10.
    meet = (10 + 12 * 29) / (1.2 + 0.02)
    assert [run.visible for run in found.runs] == [True, False, True, False]
    assert [run.end_m for run in found.runs] == pytest.approx([100, meet, 300, 400])
    assert found.runs[0].start_m == 0


def test_runs_are_those_of_a_walk_in_small_steps(hills) -> None:
    rng = np.random.default_rng(8)
    for height in (0.0, 1.5):
        for _ in range(12):
            (a, b), (c, d) = rng.uniform(0, 1, (2, 2)) * (49, 59)
            eye = hills.station(place_of(a, b), 2.0)
            found = line_of_sight(hills, eye, hills.station(place_of(c, d), height))
            for share in rng.uniform(0.001, 1, 40):
                along = share * found.distance_m
                run = next(run for run in found.runs if run.end_m >= along)
                if min(abs(along - run.start_m), abs(along - run.end_m)) < 1e-6:
                    continue
                place = place_of(a + share * (c - a), b + share * (d - b))
                one = line_of_sight(hills, eye, hills.station(place, height))
                assert one.visible == run.visible


def test_distances_heed_cells_of_two_lengths(written) -> None:
    model = open_dem(written(np.zeros((9, 9)), size=(10, 20)))

    found = line_of_sight(
        model,
        model.station((500_005, 4_999_990), 1),
        model.station((500_035, 4_999_910), 1),
    )

    assert found.distance_m == pytest.approx(math.hypot(30, 80))
    assert found.bearing == pytest.approx(180 - math.degrees(math.atan2(30, 80)))


def test_the_earth_s_curvature_hides_what_is_far(written) -> None:
    model = open_dem(written(np.zeros((3, 101)), size=(100, 100)))
    ends = (
        model.station((500_050, 4_999_850), 2),
        model.station((510_050, 4_999_850), 0.5),
    )

    flat = line_of_sight(model, *ends)
    round_ = line_of_sight(model, *ends, curvature=Curvature(0.0))

    # Two metres up the horizon is about 5 km away; what shows 10 km away is 2 m high and more:
    # 10 km^2 / 2 R = 7.848 m, of which the line over the horizon gives back 2 m and the tangent's.
    assert flat.visible
    assert not round_.visible
    radius = 6_371_008.8
    horizon = math.sqrt(2 * radius * 2.0)
    expected = (10_000 - horizon) ** 2 / (2 * radius)
    assert round_.least_m == pytest.approx(expected, rel=0.01)
    bent = line_of_sight(model, *ends, curvature=Curvature(0.13))
    assert bent.least_m is not None
    assert round_.least_m is not None
    assert bent.least_m < round_.least_m


def test_absolute_heights_are_above_the_raster_s_zero(written) -> None:
    model = open_dem(written(np.full((4, 4), 300.0)))

    assert model.station(place_of(1, 1), 305, absolute=True).height == 5
    assert model.station(place_of(1, 1), 5).z == 305


@pytest.mark.parametrize(
    ("place", "height", "why"),
    [
        ((499_999, 4_999_990), 1, "is off the raster, which covers x from 500000 to 500090"),
        ((500_010, 5_000_001), 1, "is off the raster"),
        ((500_045, 4_999_955), 1, "the raster has no data there"),
        ((500_010, 4_999_990), -1, "expected a height on or above the ground"),
    ],
)
def test_a_place_that_no_one_can_stand_at_is_told(written, place, height, why) -> None:
    heights = np.zeros((9, 9))
    heights[4, 4] = -9999
    model = open_dem(written(heights, nodata=-9999))

    with pytest.raises(Error, match=why):
        model.station(place, height)
