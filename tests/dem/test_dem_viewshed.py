"""What observers see of the ground of a raster."""

from __future__ import annotations

import math

import numpy as np
import pytest

from emlia3d.dem import Curvature, Limits, Show, line_of_sight, open_dem, viewshed
from emlia3d.errors import Error
from tests.dem.conftest import place_of

TARGET = 1.5


@pytest.fixture
def eyes(hills):
    return [hills.station(place_of(*at), 2.0) for at in ((10, 12), (33.3, 41.8), (0, 59))]


def one_by_one(model, eye, target, curvature=None):
    """Ask about the line of sight to every second centre of every second row."""
    rows, columns = model.shape
    return np.array(
        [
            [
                line_of_sight(
                    model,
                    eye,
                    model.station(model.place_of(column, row), target),
                    curvature=curvature,
                ).visible
                for column in range(0, columns, 2)
            ]
            for row in range(0, rows, 2)
        ]
    )


@pytest.mark.long
@pytest.mark.parametrize("curvature", [None, Curvature(0.13)])
def test_levels_are_those_of_lines_to_foot_and_top(hills, eyes, curvature) -> None:
    foot = one_by_one(hills, eyes[1], 0.0, curvature)
    top = one_by_one(hills, eyes[1], TARGET, curvature)

    found = viewshed(hills, [eyes[1]], TARGET, curvature=curvature)

    assert np.array_equal(found.values[0, ::2, ::2], 2 - foot.astype(int) - top)
    assert found.visible == np.count_nonzero(found.values[0] < 2)
    assert found.asked == 3000


def test_all_layers_agree_with_each_other(hills, eyes) -> None:
    def values(show):
        return viewshed(hills, eyes, TARGET, show=show).values

    each, least = values(Show.EACH), values(Show.LEAST)[0]

    assert np.array_equal(values(Show.LEVELS)[0], each.min(axis=0))
    counts = values(Show.COUNTS)[0]
    assert np.array_equal(counts, (each < 2).sum(axis=0))
    assert np.array_equal(values(Show.PROPORTION)[0], (counts / 3).astype(np.float32))
    assert np.array_equal(least <= TARGET, counts > 0)
    assert np.array_equal(least == 0, each.min(axis=0) == 0)
    share = values(Show.SHARE)[0]
    np.testing.assert_allclose(share, np.clip(1 - least / TARGET, 0, 1), atol=1e-6)
    assert np.array_equal(np.isnan(values(Show.ANGLE)[0]), counts == 0)


def test_the_angle_is_that_of_the_line_to_the_target(hills, eyes) -> None:
    found = viewshed(hills, eyes[:1], TARGET, show=Show.ANGLE).values[0]

    row, column = np.argwhere(~np.isnan(found))[-1]
    target = hills.station(hills.place_of(column, row), TARGET)
    assert found[row, column] == pytest.approx(line_of_sight(hills, eyes[0], target).angle, 1e-5)


def test_limits_leave_out_what_is_beyond_them(hills, eyes) -> None:
    eye = hills.station(place_of(20, 30), 400.0)
    rows, columns = np.indices(hills.shape)
    east, north = (columns - 20) * 10.0, (30 - rows) * 10.0
    away = np.hypot(east, north)
    bearing = np.degrees(np.arctan2(east, north)) % 360
    down = np.degrees(np.arctan2(hills.surface.heights + TARGET - eye.z, away))
    ring = (away >= 100) & (away <= 155)
    wedge = (bearing >= 300) | (bearing <= 30)
    band = (down >= -70) & (down <= -60)
    for limits, inside in (
        (Limits(min_m=100, max_m=155), ring),
        (Limits(sector=(300, 30)), wedge),
        (Limits(sector=(-60, 30)), wedge),
        (Limits(pitch=(-70, -60)), band),
        (Limits(100, 155, (300, 30), (-80, -10)), ring & wedge & (down >= -80) & (down <= -10)),
    ):
        # From 400 m up all of the ground is seen.
        levels = viewshed(hills, [eye], TARGET, limits=limits).values[0]
        counts = viewshed(hills, [eye], TARGET, limits=limits, show=Show.COUNTS).values[0]
        assert np.array_equal(levels < 2, inside)
        assert np.array_equal(counts, inside)


def test_a_distance_below_a_cell_leaves_the_observer_s_own_cell(hills) -> None:
    eye = hills.station(place_of(20, 30), 2.0)

    seen = viewshed(hills, [eye], TARGET, limits=Limits(max_m=5)).values[0] < 2

    assert np.argwhere(seen).tolist() == [[30, 20]]


def test_cells_without_data_have_no_answer(written) -> None:
    heights = np.zeros((12, 12))
    heights[5, 6] = -9999
    model = open_dem(written(heights, nodata=-9999))
    eye = model.station(place_of(2, 2), 2.0)

    def at_hole(show):
        return viewshed(model, [eye], TARGET, show=show).values[0][5, 6]

    assert at_hole(Show.LEVELS) == 3
    assert at_hole(Show.COUNTS) == -1
    assert math.isnan(at_hole(Show.LEAST))
    assert viewshed(model, [eye], TARGET).asked == 143


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(min_m=-1), "minimum distance"),
        (Limits(min_m=50, max_m=20), "minimum distance"),
        (Limits(sector=(20, 20)), "two different bearings"),
        (Limits(sector=(0, 500)), "two different bearings"),
        (Limits(pitch=(10, -10)), "LOW,HIGH"),
        (Limits(pitch=(-100, 0)), "LOW,HIGH"),
    ],
)
def test_limits_that_leave_nothing_are_refused(hills, eyes, limits, why) -> None:
    with pytest.raises(Error, match=why):
        viewshed(hills, eyes, TARGET, limits=limits)


def test_a_question_without_observers_or_below_the_ground_is_refused(hills, eyes) -> None:
    with pytest.raises(Error, match="expected an observer"):
        viewshed(hills, [], TARGET)
    with pytest.raises(Error, match="0 m or more above the ground"):
        viewshed(hills, eyes, -1.0)
    with pytest.raises(Error, match="to show a share of it"):
        viewshed(hills, eyes, 0.0, show=Show.SHARE)
