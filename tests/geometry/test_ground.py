"""The ground kernel against triangles clipped by hand and measured by shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from shapely import affinity

from emlia3d.geometry import Bodies, Surface, blocked_fractions

BEYOND = 8


def bodies_of(*outlines) -> Bodies:
    n = len(outlines)
    return Bodies(outlines, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def surface_of(heights, cell=1.0, west=0.0, south=0.0) -> Surface:
    """A surface whose last row of centres lies at y = south."""
    heights = np.asarray(heights, dtype=float)
    north = south + cell * (len(heights) - 1)
    return Surface(heights=heights, cell=cell, west=west, north=north)


def blocked(surface, a, b, eye, mark) -> float:
    return float(blocked_fractions(surface, bodies_of(a, b), [[0, 1]], eye, mark)[0])


def triangles(surface, box):
    """Corners (x, y, height) of the triangles of each cell that a box touches, outside ones too."""
    heights = np.pad(surface.heights, BEYOND, mode="edge")
    rows, cols = heights.shape
    x = surface.west + surface.cell * (np.arange(cols) - BEYOND)
    y = surface.north - surface.cell * (np.arange(rows) - BEYOND)
    assert x[0] < box[0] < box[2] < x[-1]
    assert y[-1] < box[1] < box[3] < y[0]
    for row, col in np.ndindex(rows - 1, cols - 1):
        if x[col + 1] < box[0] or x[col] > box[2] or y[row] < box[1] or y[row + 1] > box[3]:
            continue
        nw, ne, sw, se = (
            (x[j], y[i], heights[i, j]) for i in (row, row + 1) for j in (col, col + 1)
        )
        yield sw, ne, nw
        yield sw, se, ne


def above(triangle, line):
    """The part of a triangle where the ground is above the line, corner by corner."""
    corners = [(x, y, height - line(x, y)) for x, y, height in triangle]
    kept = []
    if max(height for _, _, height in corners) <= 1e-12:
        return kept
    for corner, following in zip(corners, corners[1:] + corners[:1], strict=True):
        if corner[2] >= 0:
            kept.append(corner[:2])
        if corner[2] * following[2] < 0:
            # In one order, so that neighbours meet in one point and shapely can join them.
            (ax, ay, a), (bx, by, b) = sorted([corner, following])
            kept.append((ax + (bx - ax) * a / (a - b), ay + (by - ay) * a / (a - b)))
    return kept


def blocked_ground(surface, a, b, eye, mark):
    """What rises above the sight line, as one shape."""
    start, stop = (shapely.get_coordinates(shape.centroid)[0] for shape in (a, b))
    axis = stop - start

    def line(x, y):
        if not axis.any():
            return (eye + mark) / 2
        return eye + (mark - eye) * ((np.array([x, y]) - start) @ axis) / (axis @ axis)

    box = shapely.union(a, b).bounds
    pieces = [above(triangle, line) for triangle in triangles(surface, box)]
    return shapely.union_all([shapely.Polygon(piece) for piece in pieces if len(piece) > 2])


HALVES = st.integers(0, 6).map(lambda halves: halves / 2)
BOXES = st.builds(
    lambda x, y, width, depth: shapely.box(x, y, x + width, y + depth),
    st.integers(-3, 7), st.integers(-3, 7), st.integers(1, 3), st.integers(1, 3),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    heights=arrays(float, (4, 5), elements=st.integers(0, 3)),
    cell=st.sampled_from([1, 2]),
    a=BOXES,
    b=BOXES,
    eye=HALVES,
    mark=HALVES,
)
def test_blocked_fractions_match_shapely_on_a_small_grid(
    fraction_by_shapely, heights, cell, a, b, eye, mark
) -> None:
    surface = surface_of(heights, cell)
    ground = blocked_ground(surface, a, b, eye, mark)

    found = blocked(surface, a, b, eye, mark)

    expected = 0.0 if ground.is_empty else fraction_by_shapely(a, b, ground)
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(25))
def test_blocked_fractions_match_shapely_on_rough_ground(fraction_by_shapely, seed: int) -> None:
    rng = np.random.default_rng(seed)
    surface = surface_of(rng.normal(size=(9, 8)), cell=2.5, west=-3.3, south=1.7)
    a, b = (
        affinity.rotate(shapely.box(x, y, x + 4, y + 2), turn)
        for x, y, turn in (
            (rng.uniform(-4, 4), 0, 20),
            (rng.uniform(6, 16), 18, rng.uniform(0, 90)),
        )
    )
    eye, mark = rng.normal(size=2) / 2

    found = blocked(surface, a, b, eye, mark)

    ground = blocked_ground(surface, a, b, eye, mark)
    assert found == pytest.approx(fraction_by_shapely(a, b, ground), abs=1e-7)


SOUTH, NORTH = shapely.box(45, 5, 55, 10), shapely.box(45, 90, 55, 95)
FLAT = np.zeros((101, 101))


def ridge(top: float, width: int = 101) -> Surface:
    """Flat ground with a ridge across the middle, from the west as far as it is wide."""
    heights = FLAT.copy()
    heights[48:53, :width] = top
    return surface_of(heights)


def test_an_even_slope_does_not_hide_its_own_top() -> None:
    slope = surface_of(np.repeat(np.arange(101.0)[::-1, None] / 10, 101, axis=1))
    foot, top = slope.heights_at(50, [7.5, 92.5])

    assert blocked(slope, SOUTH, NORTH, foot + 1, top + 1) == 0
    assert blocked(slope, SOUTH, NORTH, foot, top) == 0
    assert blocked(slope, SOUTH, NORTH, foot - 2**-10, top - 2**-10) == 1


def test_a_ridge_three_high_across_the_middle_blocks_all() -> None:
    assert blocked(ridge(3), SOUTH, NORTH, 1, 1) == 1


def test_a_ridge_that_only_touches_the_line_blocks_nothing() -> None:
    assert blocked(ridge(3), SOUTH, NORTH, 3, 3) == 0
    assert blocked(ridge(3), SOUTH, NORTH, 2, 4 - 2**-10) == 1


def test_half_a_ridge_blocks_what_of_it_is_above_the_line() -> None:
    """Its end falls from 3 to 0 within the cell from 50 to 51: above 1 as far as 50 + 2/3."""
    assert blocked(ridge(3, width=51), SOUTH, NORTH, 1, 1) == pytest.approx(17 / 30, abs=1e-12)


def test_ground_above_the_line_inside_a_body_does_not_count() -> None:
    heights = FLAT.copy()
    heights[91:95, 46:55] = 9

    assert blocked(surface_of(heights), SOUTH, NORTH, 1, 1) == 0


def test_the_ground_goes_on_beyond_the_raster() -> None:
    """A raster of one row of cells, far from the bodies, high in the west and low in the east."""
    edge = surface_of([[2, 0], [2, 0]], west=-50)

    assert blocked(edge, shapely.box(-90, 50, -80, 60), shapely.box(-90, 90, -80, 99), 1, 1) == 1
    assert blocked(edge, SOUTH, NORTH, 1, 1) == 0


def test_bodies_that_touch_have_nothing_between_them() -> None:
    assert blocked(ridge(3), SOUTH, shapely.box(45, 10, 55, 20), -9, -9) == 0


def test_swapping_both_ends_changes_no_bit() -> None:
    rng = np.random.default_rng(3)
    surface = surface_of(rng.normal(size=(60, 70)), cell=1.5)
    places = rng.uniform(5, 80, (30, 2))
    bodies = bodies_of(
        *(affinity.rotate(shapely.box(x, y, x + 7, y + 3), 7 * x) for x, y in places)
    )
    pairs = np.argwhere(np.ones((30, 30)))
    tops = rng.normal(size=30) + 1

    found = blocked_fractions(surface, bodies, pairs, tops[pairs[:, 0]], tops[pairs[:, 1]])

    table = found.reshape(30, 30)
    assert table.tobytes() == table.T.tobytes()
    assert ((found > 0) & (found < 1)).sum() > 200


def test_lines_that_share_a_corridor_are_what_each_is_alone() -> None:
    rng = np.random.default_rng(8)
    surface = surface_of(rng.normal(size=(40, 40)))
    bodies = bodies_of(*(shapely.box(x, y, x + 5, y + 3) for x, y in rng.uniform(5, 30, (6, 2))))
    pairs = np.array([(0, 1), (1, 0), (1, 0), (2, 3), (0, 1), (4, 5), (3, 2), (2, 3)])
    eyes, marks = rng.normal(1, 1, len(pairs)), rng.normal(1, 1, (len(pairs), 3))
    # From top to top, and back.
    marks[1, 0], eyes[1] = eyes[0], marks[0, 0]
    marks[7, 0], eyes[7] = eyes[6], marks[6, 0]

    found = blocked_fractions(surface, bodies, pairs, eyes, marks)

    alone = [
        [blocked_fractions(surface, bodies, [pair], eye, mark)[0] for mark in some]
        for pair, eye, some in zip(pairs, eyes, marks, strict=True)
    ]
    assert found.tolist() == alone
    assert found[1, 0] == found[0, 0] > 0
    assert len({*found.ravel().tolist()}) > 12


def test_what_is_blocked_enough_is_not_looked_at_below() -> None:
    rng = np.random.default_rng(8)
    surface = surface_of(rng.normal(size=(40, 40)))
    bodies = bodies_of(*(shapely.box(x, y, x + 5, y + 3) for x, y in rng.uniform(5, 30, (9, 2))))
    pairs = np.argwhere(np.triu(np.ones((9, 9)), 1))
    marks = np.tile([1.0, 0.0, -1.0], (len(pairs), 1))
    every = blocked_fractions(surface, bodies, pairs, 1.0, marks)

    found = blocked_fractions(surface, bodies, pairs, 1.0, marks, enough=0.5)

    settled = found[:, :-1] >= 0.5
    assert (found[:, 1:][settled] == found[:, :-1][settled]).all()
    looked_at = np.column_stack([np.full(len(pairs), True), ~settled]) & (every < 0.5)
    assert (found[looked_at] == every[looked_at]).all()
    assert (found != every).sum() > 5


def test_what_is_enough_may_be_told_as_less_but_not_as_less_than_enough() -> None:
    rng = np.random.default_rng(11)
    surface = surface_of(rng.normal(size=(40, 50)), cell=1.5)
    bodies = bodies_of(
        *(
            affinity.rotate(shapely.box(x, y, x + 5, y + 2), 9 * x)
            for x, y in rng.uniform((3, 3), (65, 50), (40, 2))
        )
    )
    pairs = np.argwhere(np.ones((40, 40)))
    eyes, marks = rng.normal(1, 0.7, 1600), rng.normal(1, 0.7, 1600)
    whole = blocked_fractions(surface, bodies, pairs, eyes, marks)

    found = blocked_fractions(surface, bodies, pairs, eyes, marks, enough=0.5)

    under = whole < 0.5
    assert found[under].tobytes() == whole[under].tobytes()
    assert (found[~under] >= 0.5).all()
    assert (found <= whole + 2**-40).all()
    assert ((whole > 0) & under).sum() > 100
    assert (found < whole).sum() > 100


def test_shifting_by_whole_cells_and_half_turns_change_nothing() -> None:
    rng = np.random.default_rng(4)
    heights = rng.normal(size=(20, 20))
    a, b = shapely.box(2, 3, 6, 5), shapely.box(11, 14, 13, 18)

    found = blocked(surface_of(heights), a, b, 0.5, 0.25)

    moved = surface_of(heights, west=1000, south=-500)
    turned = surface_of(heights[::-1, ::-1])
    there = [affinity.translate(shape, 1000, -500) for shape in (a, b)]
    about = [affinity.rotate(shape, 180, origin=(9.5, 9.5)) for shape in (a, b)]
    assert 0.1 < found < 0.9
    assert blocked(moved, *there, 0.5, 0.25) == pytest.approx(found, abs=1e-12)
    assert blocked(turned, *about, 0.5, 0.25) == pytest.approx(found, abs=1e-12)


def test_heights_between_centres_lie_on_the_two_triangles() -> None:
    surface = surface_of([[0, 2], [4, 10]], cell=2)

    found = surface.heights_at([0, 2, 0, 2, 1, 0.5, 1.5], [2, 2, 0, 0, 1, 1.5, 0.5])

    assert found.tolist() == [0, 2, 4, 10, 3, 1.5, 6.5]


def on_its_triangle(heights, east: float, south: float) -> float:
    """The height at one place, in cells from the first centre, by the triangle that it is on."""
    last = [side - 1 for side in heights.shape]
    v, u = (
        min(max(place, 0.0), float(end)) for place, end in zip((south, east), last, strict=True)
    )
    row, col = (min(int(place), max(end - 1, 0)) for place, end in zip((v, u), last, strict=True))
    down, right = min(row + 1, last[0]), min(col + 1, last[1])
    u, v = u - col, v - row
    if u + v <= 1:
        corner = heights[row, col]
        return corner + u * (heights[row, right] - corner) + v * (heights[down, col] - corner)
    corner = heights[down, right]
    return (
        corner + (1 - u) * (heights[down, col] - corner) + (1 - v) * (heights[row, right] - corner)
    )


PLACE = st.one_of(st.integers(-2, 6).map(float), st.floats(-2, 6))


@given(
    heights=arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)),
                   elements=st.floats(-50, 50)),
    places=st.lists(st.tuples(PLACE, PLACE), max_size=8),
)  # fmt: skip
def test_many_heights_at_once_have_the_bits_of_one_after_another(heights, places) -> None:
    east, south = np.array(places).reshape(-1, 2).T
    surface = surface_of(heights)

    found = surface.heights_at(east, surface.north - south)

    way_south = surface.north - (surface.north - south)
    expected = [on_its_triangle(heights, u, v) for u, v in zip(east, way_south, strict=True)]
    assert found.tobytes() == np.array(expected, dtype=np.float64).tobytes()


def test_heights_on_a_grid_of_places_are_those_of_its_rows_and_columns() -> None:
    surface = surface_of([[0, 4, 2], [8, 6, 0], [3, 1, 5]])
    east, north = np.array([0.25, 1.5]), np.array([0.5, 1.0, 1.75])

    found = surface.heights_at(east, north[:, None])

    assert found.shape == (3, 2)
    assert found[2, 1] == surface.heights_at(1.5, 1.75)
    assert surface.heights_at(1.5, 1.75).shape == ()


def test_heights_beyond_the_centres_go_on() -> None:
    surface = surface_of([[0, 2], [4, 10]], cell=2)

    assert surface.heights_at([-5, 9, 1], [9, -9, -3]).tolist() == [0, 10, 7]
    assert surface_of([[5]]).heights_at(3, 4) == 5


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"heights": np.zeros(3)}, "rows and columns"),
        ({"heights": np.empty((0, 3))}, "rows and columns"),
        ({"heights": [[np.nan]]}, "finite"),
        ({"cell": 0}, "above 0"),
        ({"west": np.inf}, "a place"),
    ],
)
def test_what_is_no_surface_is_refused(change, complaint) -> None:
    with pytest.raises(ValueError, match=complaint):
        Surface(**({"heights": [[1.0]], "cell": 1.0, "west": 0.0, "north": 0.0} | change))


def test_a_sight_line_without_a_height_is_refused() -> None:
    with pytest.raises(ValueError, match="finite heights"):
        blocked(ridge(3), SOUTH, NORTH, np.nan, 1)
