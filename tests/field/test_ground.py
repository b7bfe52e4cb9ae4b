from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.field import Ground, Scale
from emlia3d.field.ground import median

grids = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-3, 9), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)
quarters = st.integers(-8, 24).map(lambda k: k / 4)


def ground_of(rows: list[list[int]], cell: float = 1.0) -> Ground:
    size = (len(rows[0]) * cell, len(rows) * cell)
    return Ground(elevation_m=np.array(rows, dtype=float), size=size, cell=cell)


def surface_by_hand(rows: list[list[int]], x: float, y: float) -> float:
    """Barycentric weights in the triangle that holds the point; cells of 1 GSU."""
    east, north = len(rows[0]), len(rows)
    x = min(max(x, 0.5), east - 0.5)
    y = min(max(y, 0.5), north - 0.5)

    def height(column: float, row_from_south: float) -> float:
        return rows[north - 1 - int(row_from_south)][int(column)]

    left, low = math.floor(x - 0.5), math.floor(y - 0.5)
    right, high = min(left + 1, east - 1), min(low + 1, north - 1)
    a, b = x - 0.5 - left, y - 0.5 - low
    south_west, north_east = height(left, low), height(right, high)
    if b >= a:
        third = height(left, high)
        return (1 - b) * south_west + a * north_east + (b - a) * third
    third = height(right, low)
    return (1 - a) * south_west + b * north_east + (a - b) * third


@given(grids, quarters, quarters)
def test_the_surface_is_the_plane_of_the_triangle_that_holds_the_point(rows, x, y) -> None:
    found = ground_of(rows).elevations_m(x, y)

    assert found == pytest.approx(surface_by_hand(rows, x, y), abs=1e-12)


def test_each_cell_is_split_from_south_west_to_north_east() -> None:
    ground = ground_of([[5, 0], [0, 5]])

    assert ground.elevations_m(1.0, 1.0) == 0.0
    assert ground_of([[0, 5], [5, 0]]).elevations_m(1.0, 1.0) == 5.0


def test_row_zero_is_the_north_and_centres_lie_half_a_cell_inside() -> None:
    ground = ground_of([[7, 8], [1, 2]], cell=10.0)

    assert ground.elevations_m([5, 15, 5, 15], [15, 15, 5, 5]).tolist() == [7, 8, 1, 2]


def test_beyond_the_outermost_centres_the_height_goes_on() -> None:
    ground = ground_of([[7, 8], [1, 2]])

    found = ground.elevations_m([-100, 0, 100, 0.5], [-100, 100, 100, -3])

    assert found.tolist() == [1, 7, 8, 1]


def test_points_come_back_in_the_shape_they_came_in() -> None:
    ground = ground_of([[0, 1], [2, 3]])

    assert ground.elevations_m(np.zeros((2, 1)), np.zeros(3)).shape == (2, 3)
    assert ground.normals(np.zeros(3), 0.0, Scale()).shape == (3, 3)


def test_slope_is_rise_over_run_in_metres() -> None:
    # 6 m higher to the east over one cell of 1.5 GSU, at 2 m a GSU: 6 m over 3 m.
    ground = ground_of([[0, 6], [0, 6]], cell=1.5)
    scale = Scale(metres_per_gsu=2.0)

    assert ground.slopes(1.5, 1.4, scale) == 2.0
    assert ground.normals(1.5, 1.4, scale) == pytest.approx(
        [-2 / math.sqrt(5), 0, 1 / math.sqrt(5)]
    )


@given(grids, st.integers(-9, 27), st.integers(-9, 27))
def test_the_slope_is_that_of_the_surface_around_the_point(rows, east, north) -> None:
    # Odd sixteenths lie on no edge and on no diagonal, so the surface around them is a plane.
    x, y = (east * 4 + 1) / 16, (north * 4 + 2) / 16 + 1 / 16
    ground, step = ground_of(rows), 1 / 64
    scale = Scale(metres_per_gsu=1.0)

    rise = ground.elevations_m([x + step, x], [y, y + step]) - ground.elevations_m(x, y)
    steepness = math.sqrt((rise[0] / step) ** 2 + (rise[1] / step) ** 2)

    assert ground.slopes(x, y, scale) == pytest.approx(steepness, abs=1e-9)
    upright = ground.normals(x, y, scale)
    assert upright @ upright == pytest.approx(1)
    assert -upright[0] / upright[2] == pytest.approx(rise[0] / step, abs=1e-9)
    assert -upright[1] / upright[2] == pytest.approx(rise[1] / step, abs=1e-9)


def test_the_ground_beyond_the_edge_is_level_across_it() -> None:
    ground = ground_of([[0, 6], [0, 6]])

    assert ground.slopes([-1, 5], [1, 1], Scale()).tolist() == [0, 0]


def test_flat_ground_is_level_everywhere() -> None:
    ground = Ground.flat((120.0, 80.0))

    assert ground.elevations_m([0, 60, 120], [0, 40, 80]).tolist() == [0, 0, 0]
    assert (ground.low_m, ground.high_m) == (0.0, 0.0)


def test_a_raster_is_kept_as_it_was_given_and_cannot_be_written() -> None:
    given_m = np.array([[1.0, 2.0], [3.0, 4.0]])
    ground = Ground(elevation_m=given_m, size=(2.0, 2.0), cell=1.0)

    given_m[0, 0] = 99

    assert ground.elevation_m[0, 0] == 1.0
    assert (ground.low_m, ground.high_m) == (1.0, 4.0)
    with pytest.raises(ValueError, match="read-only"):
        ground.elevation_m[0, 0] = 0


def test_the_digest_is_that_of_shape_and_little_endian_heights() -> None:
    ground = ground_of([[0, 1, 2], [3, 4, 5]])
    told = (2).to_bytes(8, "little") + (3).to_bytes(8, "little")
    told += np.arange(6, dtype="<f8").tobytes()

    assert ground.digest == hashlib.sha256(told).hexdigest()


def test_minus_zero_is_zero_in_the_digest() -> None:
    zeros = np.zeros((2, 2))

    plus = Ground(elevation_m=zeros, size=(2.0, 2.0), cell=1.0)
    minus = Ground(elevation_m=-zeros, size=(2.0, 2.0), cell=1.0)

    assert plus.digest == minus.digest


@pytest.mark.parametrize(
    "raster",
    [np.zeros(3), np.zeros((0, 3)), [[0.0, math.nan], [0.0, 0.0]], np.zeros((2, 3))],
    ids=["one dimension", "no rows", "a hole", "another shape"],
)
def test_a_raster_that_is_not_the_fields_is_refused(raster) -> None:
    with pytest.raises(ValueError, match=r"raster|need 2 rows"):
        Ground(elevation_m=np.asarray(raster), size=(2.0, 2.0), cell=1.0)


def test_a_square_raster_is_stretched_over_the_field_as_it_is() -> None:
    raster = np.arange(16.0).reshape(4, 4)

    ground = Ground.stretched(raster, (100.0, 100.0))

    assert ground.cell == 25.0
    assert (ground.elevation_m == raster).all()


def test_an_oblong_stretch_is_resampled_to_square_cells_of_the_same_slope() -> None:
    # 0 to 30 m from west to east over a field twice as long as wide.
    raster = np.tile(np.array([0.0, 10.0, 20.0, 30.0]), (4, 1))

    ground = Ground.stretched(raster, (80.0, 40.0))

    assert ground.cell == 10.0
    assert ground.elevation_m.shape == (4, 8)
    assert ground.elevations_m([30, 40, 50], 20) == pytest.approx([10, 15, 20])


def test_a_raster_with_known_cells_lies_with_its_south_west_corner_on_the_fields() -> None:
    raster = np.arange(16.0).reshape(4, 4)

    ground = Ground.laid(raster, (20.0, 30.0), 10.0)

    assert ground.elevation_m.tolist() == [[4, 5], [8, 9], [12, 13]]


def test_a_field_that_is_no_whole_number_of_cells_still_meets_the_south_west_corner() -> None:
    raster = np.add.outer(np.array([30.0, 20.0, 10.0, 0.0]), np.array([0.0, 1.0, 2.0, 3.0]))

    ground = Ground.laid(raster, (25.0, 25.0), 10.0)

    assert ground.elevations_m([5, 15, 5], [10, 15, 20]) == pytest.approx([5, 11, 15])


def test_a_raster_smaller_than_the_field_is_refused() -> None:
    with pytest.raises(ValueError, match="covers 40 x 40 GSU, less than the field's 50 x 30"):
        Ground.laid(np.zeros((4, 4)), (50.0, 30.0), 10.0)


@pytest.mark.parametrize("size", [(32768.0, 0.01), (0.01, 32768.0)])
def test_a_field_like_a_thread_does_not_fill_the_memory(size: tuple[float, float]) -> None:
    flat, stretched = Ground.flat(size), Ground.stretched(np.zeros((2, 2)), size)

    assert max(flat.elevation_m.shape) <= 8192
    assert max(stretched.elevation_m.shape) <= 8192


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_the_middle_of_some_heights_has_the_bits_of_numpys(heights: list[float]) -> None:
    assert median(np.array(heights)) == np.median(heights)


def test_there_is_no_middle_of_no_heights() -> None:
    assert np.isnan(median(np.empty(0)))


def test_ground_that_is_as_high_everywhere_is_level_and_asked_as_any_other() -> None:
    ground = Ground(elevation_m=np.full((2, 3), 7.5), size=(30.0, 20.0), cell=10.0)

    assert ground.is_level
    assert ground.elevations_m([1.0, 29.0, 15.0], [0.0, 20.0, 3.0]).tolist() == [7.5] * 3
    assert ground.elevations_m(np.zeros(2), np.zeros((4, 1))).shape == (4, 2)
    assert not Ground(elevation_m=[[0, 0, 1]], size=(30.0, 10.0), cell=10.0).is_level
