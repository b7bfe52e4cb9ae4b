"""The corridor kernel against shapely, and against the figures of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shapely import affinity

from emlia3d.geometry import Bodies, ObstacleIndex, corridor_fractions

SLAB = shapely.box(0, 2, 2, 3)
GRID = st.tuples(st.integers(-4, 4), st.integers(-4, 4))


def bodies_of(*outlines: shapely.Geometry) -> Bodies:
    n = len(outlines)
    return Bodies(outlines, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def fraction_between(a, b, entity) -> float:
    """By the kernel; 0 where there is no row."""
    _, _, fraction = corridor_fractions(bodies_of(a, b, entity), [0], [1], [2])
    return float(fraction[0]) if len(fraction) else 0.0


@st.composite
def grid_polygons(draw) -> shapely.Polygon:
    """A valid polygon on a small grid: concave ones and holes included, touching all the time."""
    if draw(st.booleans()):
        x, y = draw(GRID)
        return shapely.box(x, y, x + draw(st.integers(1, 4)), y + draw(st.integers(1, 4)))
    # Corners off the grid would leave it to rounding whether outlines touch.
    shape = shapely.Polygon(draw(st.lists(GRID, min_size=3, max_size=7, unique=True)))
    shape = shape if shape.is_valid else shape.convex_hull
    return shape if shape.area > 0 else shapely.box(0, 0, 1, 1)


@pytest.mark.long
@settings(max_examples=1000, deadline=None)
@given(a=grid_polygons(), b=grid_polygons(), entity=grid_polygons(), gap=st.integers(-2, 7))
@example(
    a=shapely.box(0, 0, 2, 2), b=shapely.box(0, 0, 2, 2), entity=shapely.box(0, 2, 2, 3), gap=5
)
@example(  # its northernmost corner lies on a side of the corridor
    a=shapely.box(0, -3, 1, -2), b=shapely.box(0, 0, 1, 3), entity=shapely.box(0, 0, 3, 2), gap=6
)
def test_fractions_match_shapely_on_a_small_grid(fraction_by_shapely, a, b, entity, gap) -> None:
    b = affinity.translate(b, gap, gap // 2)

    found = fraction_between(a, b, entity)

    assert found == pytest.approx(fraction_by_shapely(a, b, entity), abs=1e-6)


def star(rng, x, y, size, corners):
    """A star-shaped polygon round a point: concave more often than not."""
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radii = size * rng.uniform(0.3, 1, corners)
    return shapely.Polygon(
        np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])
    ).buffer(0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_fractions_match_shapely_at_large_random_coordinates(
    fraction_by_shapely, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    covered = 0
    for _ in range(300):
        x, y = rng.uniform(-20000, 20000, 2)
        a, b, entity = (
            star(rng, x + dx, y + dy, size, corners)
            for (dx, dy), size, corners in zip(
                rng.uniform(-300, 300, (3, 2)), rng.uniform(5, 150, 3), (12, 7, 16), strict=True
            )
        )

        found = fraction_between(a, b, entity)

        assert found == pytest.approx(fraction_by_shapely(a, b, entity), abs=1e-7)
        covered += found > 0
    assert covered > 30


def test_hundreds_of_bodies_at_once_match_one_by_one() -> None:
    rng = np.random.default_rng(5)
    shapes = [star(rng, *rng.uniform(0, 300, 2), rng.uniform(3, 30), 9) for _ in range(60)]
    observers, targets, obstacles = [3, 9, 20], [1, 9, 30, 40], np.arange(60)

    pair, obstacle, fraction = corridor_fractions(
        bodies_of(*shapes), observers, targets, obstacles[::-1]
    )

    expected = [
        (i * 4 + j, k, value)
        for i, a in enumerate(observers)
        for j, b in enumerate(targets)
        for k in obstacles
        if k not in (a, b) and (value := fraction_between(shapes[a], shapes[b], shapes[k])) > 0
    ]
    assert list(zip(pair, obstacle, fraction, strict=True)) == expected
    assert (pair.dtype, obstacle.dtype, fraction.dtype) == (np.int32, np.int32, np.float64)
    assert len(expected) > 50


@pytest.mark.parametrize("seed", range(4))
def test_swapping_observer_and_observed_changes_no_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = [star(rng, *rng.uniform(0, 200, 2), rng.uniform(2, 20), 8) for _ in range(40)]
    bodies, some = bodies_of(*shapes), np.arange(40)

    pair, obstacle, fraction = corridor_fractions(bodies, some, some, some)

    swapped = pair % 40 * 40 + pair // 40
    back = np.lexsort([obstacle, swapped])
    assert len(fraction) > 1000
    np.testing.assert_array_equal(swapped[back], pair)
    np.testing.assert_array_equal(obstacle[back], obstacle)
    assert fraction[back].tobytes() == fraction.tobytes()


def test_the_order_in_which_a_scene_is_written_down_changes_no_bit() -> None:
    rng = np.random.default_rng(11)
    shapes = [star(rng, *rng.uniform(0, 100, 2), rng.uniform(2, 20), 8) for _ in range(12)]

    forward = corridor_fractions(bodies_of(*shapes), [0], [1], np.arange(12))
    backward = corridor_fractions(bodies_of(*shapes[::-1]), [11], [10], np.arange(12))

    assert dict(zip(forward[1], forward[2], strict=True)) == dict(
        zip(11 - backward[1], backward[2], strict=True)
    )


SOUTH, NORTH = shapely.box(0, 0, 10, 10), shapely.box(0, 40, 10, 50)
WIDE_BAR, NARROW_BAR = (
    shapely.LineString([(-5, 0), (5, 0)]),
    shapely.LineString([(-1, 20), (1, 20)]),
)
THIN = 2**-10


@pytest.mark.parametrize(
    ("a", "b", "entity", "fraction"),
    [
        pytest.param(SOUTH, NORTH, shapely.box(2, 20, 7, 24), 0.50, id="half of ten"),
        pytest.param(SOUTH, NORTH, shapely.box(5, 20, 20, 24), 0.50, id="half of it outside"),
        pytest.param(SOUTH, NORTH, shapely.box(0, 20, 4.9, 24), 0.49, id="not quite half"),
        pytest.param(SOUTH, NORTH, shapely.box(0, 20, 5, 20 + THIN), 0.5, id="thin as can be"),
        pytest.param(SOUTH, NORTH, shapely.box(-9, 20, 19, 24), 1.0, id="all of it"),
        pytest.param(SOUTH, NORTH, shapely.box(2, 2, 8, 12), 0.6, id="what sticks out of a body"),
        pytest.param(SOUTH, NORTH, shapely.box(2, 2, 8, 8), 0.0, id="inside the observer"),
        pytest.param(SOUTH, NORTH, shapely.box(10, 0, 20, 50), 0.0, id="only touching the side"),
        pytest.param(SOUTH, NORTH, shapely.box(2, 50, 8, 60), 0.0, id="behind the observed"),
        pytest.param(SOUTH, NORTH, shapely.box(50, 50, 60, 60), 0.0, id="far off"),
        pytest.param(SOUTH, NORTH, shapely.Point(5, 25), 0.0, id="a point covers nothing"),
        pytest.param(SOUTH, NORTH, WIDE_BAR, 0.0, id="a line covers nothing"),
        pytest.param(SOUTH, SOUTH, shapely.box(0, 0, 1, 1), 0.0, id="overlapping: no corridor"),
        pytest.param(
            SOUTH, shapely.box(10, 10, 20, 20), shapely.box(10, 0, 12, 9), 0.0,
            id="touching at a corner: no corridor",
        ),
        pytest.param(
            WIDE_BAR, NARROW_BAR, shapely.box(-1.5, 10, 1.5, 10 - THIN), 3 / 6,
            id="three wide in the middle between bars",
        ),
        pytest.param(
            WIDE_BAR, NARROW_BAR, shapely.box(-1.5, 0, 1.5, THIN), 3 / (10 - 8 * THIN / 20),
            id="three wide at the wide end",
        ),
        pytest.param(
            WIDE_BAR, shapely.box(-1, 20, 1, 22), shapely.box(-1.5, 10, 1.5, 10 - THIN),
            3 / (70 / 11), id="the far corners of a square count",
        ),
        pytest.param(
            shapely.Point(0, 0), shapely.box(-2, 8, 2, 10), shapely.box(0, -1, 1, 1), 0.5,
            id="half the tip of a corridor that starts in a point",
        ),
    ],
)  # fmt: skip
def test_a_corridor_of_the_catalogue(a, b, entity, fraction) -> None:
    assert fraction_between(a, b, entity) == pytest.approx(fraction, abs=1e-12)


def test_half_of_a_corridor_on_the_grid_is_exactly_half() -> None:
    assert fraction_between(SOUTH, NORTH, shapely.box(2, 20, 7, 24)) == 0.5


def test_a_body_free_in_the_hole_of_another_is_seen_across_the_ring(fraction_by_shapely) -> None:
    ring = shapely.box(0, 0, 30, 30).difference(shapely.box(10, 10, 20, 20))

    found = fraction_between(ring, shapely.box(12, 12, 14, 14), shapely.box(15, 10, 16, 20))

    assert found == pytest.approx(fraction_by_shapely(
        ring, shapely.box(12, 12, 14, 14), shapely.box(15, 10, 16, 20)
    ))  # fmt: skip
    assert 0 < found < 0.5


def test_with_coinciding_centroids_the_axis_runs_east() -> None:
    ring = shapely.box(0, 0, 30, 30).difference(shapely.box(10, 10, 20, 20))

    assert fraction_between(
        ring, shapely.box(14, 14, 16, 16), shapely.box(11, 10, 12, 20)
    ) == pytest.approx(1 / 3)


def test_a_multipolygon_covers_with_all_its_parts() -> None:
    pair = shapely.MultiPolygon([shapely.box(0, 20, 2, 22), shapely.box(8, 21, 12, 23)])

    assert fraction_between(SOUTH, NORTH, pair) == pytest.approx(0.4)


def test_crossings_without_number_are_found_room_for(fraction_by_shapely) -> None:
    """Two combs of sixteen teeth cross far more often than they have corners."""
    teeth = [(x / 4, 10 if x % 2 else 1) for x in range(32)]
    comb = shapely.Polygon([*teeth, (8, 0), (0, 0)])
    across = affinity.translate(affinity.rotate(comb, 90, origin=(4, 5)), 0, 1)
    far = shapely.box(0, 60, 20, 70)

    found = fraction_between(comb, far, across)

    assert found == pytest.approx(fraction_by_shapely(comb, far, across), abs=1e-7)


@pytest.mark.parametrize("rows", [[-1], [3], [0.5]])
def test_a_row_that_is_not_there_is_refused(rows) -> None:
    bodies = bodies_of(SOUTH, NORTH, shapely.box(2, 20, 7, 24))

    with pytest.raises(IndexError):
        corridor_fractions(bodies, rows, [1], [2])


def test_nothing_asked_is_nothing_answered() -> None:
    bodies = bodies_of(SOUTH, NORTH)

    for rows in (([], [1], [0]), ([0], [], [0]), ([0], [1], [])):
        assert [len(column) for column in corridor_fractions(bodies, *rows)] == [0, 0, 0]


def test_the_circle_in_a_body_reaches_to_its_nearest_edge() -> None:
    ring = shapely.Point(0, 0).buffer(5).difference(shapely.Point(0, 0).buffer(3))
    angle = shapely.Polygon([(20, 0), (30, 0), (30, 2), (22, 2), (22, 10), (20, 10)])
    pierced = shapely.box(40, 0, 60, 20).difference(shapely.box(43, 8, 46, 12))

    screen = ObstacleIndex(bodies_of(shapely.box(0, 20, 8, 26), ring, angle, pierced), np.arange(4))

    by_row = dict(zip(screen.obstacles.tolist(), screen.circles[3].tolist(), strict=False))
    assert by_row[0] == pytest.approx(3, abs=0.01)
    assert by_row[1] == by_row[2] == -np.inf
    assert by_row[3] == pytest.approx(4, abs=0.01)
    assert by_row[0] < 3
