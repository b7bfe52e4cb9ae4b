"""The described ground: one triangulated surface for standing on and for drawing."""

import numpy as np
import pytest

from emlia3d.view.moment.scene import DrawnGround, Patch, flat
from emlia3d.view.panda.land.bricks import triangulate
from emlia3d.view.panda.land.solids import solids_of
from emlia3d.view.panda.land.terrain import contour_interval, lattice, surface
from emlia3d.view.panda.noise import clouds, fraction


@pytest.fixture
def one_square():
    """Four cell centres, at 5 and 15 m: 0 but for the north-west, which is 10 m high."""
    heights = np.array([[10, 0], [0, 0]], np.float32)
    return DrawnGround(elevation_m=heights, size_m=(20.0, 20.0))


def test_the_ground_is_split_from_south_west_to_north_east(one_square):
    assert one_square.height(12.0, 8.0) == 0.0, "south-east of the diagonal nothing rises"
    assert one_square.height(5.0, 15.0) == 10.0
    assert one_square.height(10.0, 10.0) == 0.0, "the diagonal itself runs level"
    assert one_square.height(5.0, 10.0) == 5.0


def test_beyond_the_outermost_centres_the_ground_goes_on_level(one_square):
    assert one_square.height(-40.0, 60.0) == 10.0
    assert one_square.height(20.0, 0.0) == 0.0


def test_the_drawn_mesh_has_a_corner_at_every_cell_centre(one_square):
    east, north = lattice(one_square)
    places = surface(one_square, east, north)["place"]
    assert east.tolist() == [0, 5, 15, 20]
    on_the_ground = one_square.heights(places[..., 0].ravel(), places[..., 1].ravel())
    assert places[..., 2].ravel() == pytest.approx(on_the_ground)


def test_steeper_country_has_contours_further_apart():
    heights = np.linspace(0, 1, 16, dtype=np.float32).reshape(4, 4)
    intervals = [
        contour_interval(DrawnGround(elevation_m=heights * relief, size_m=(100.0, 100.0)))
        for relief in (0.5, 8, 60, 400)
    ]
    assert intervals == [0.0, 0.5, 5.0, 20.0]


def test_a_concave_outline_is_cut_into_triangles_of_the_same_area():
    ring = np.array([[0, 0], [10, 0], [10, 10], [5, 2], [0, 10]], float)
    corners = ring[triangulate(ring)]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2
    assert len(corners) == 3
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(60)


def test_an_outline_that_touches_itself_is_cut_without_end_all_the_same():
    ring = np.array([[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]], float)
    assert len(triangulate(ring)) == 3


def test_a_kind_that_nobody_drew_is_a_translucent_block_of_its_height():
    outline = np.array([[10, 10], [20, 10], [20, 20], [10, 20]], float)
    patch = Patch(kind="portal", outline_m=(outline,), height_m=7.0)
    (block,) = solids_of(flat((50.0, 50.0), (patch,)))
    assert block.alpha < 1
    assert block.vertices["place"][:, 2].max() == 7.0


def test_a_wall_rises_from_the_ground_that_it_stands_on():
    ramp = np.tile(np.linspace(0, 20, 21, dtype=np.float32), (21, 1))
    outline = np.array([[20, 50], [80, 50], [80, 51], [20, 51]], float)
    patch = Patch(kind="wall", outline_m=(outline,), height_m=1.5)
    terrain = DrawnGround(elevation_m=ramp, size_m=(100.0, 100.0), patches=(patch,))
    (wall,) = solids_of(terrain)
    x, y, z = wall.vertices["place"].T
    assert (z - terrain.heights(x, y)).max() == pytest.approx(1.5, abs=1e-4)


def test_variety_is_the_same_every_time_and_even():
    east, north = np.meshgrid(np.arange(60), np.arange(60))
    numbers = fraction(east.ravel(), north.ravel(), seed=4)
    assert np.array_equal(numbers, fraction(east.ravel(), north.ravel(), seed=4))
    assert not np.array_equal(numbers, fraction(east.ravel(), north.ravel(), seed=5))
    assert numbers.mean() == pytest.approx(0.5, abs=0.02)
    assert clouds((32, 48), 8.0, seed=1).shape == (32, 48)
