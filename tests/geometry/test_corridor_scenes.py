"""Sight corridors in thousands of random scenes, each measured by shapely as well."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import affinity

from emlia3d.geometry import Bodies, corridor_fractions, sight_matrix

KINDS = ("rotated", "concave", "grid", "collinear", "overlapping", "sliver", "huge", "tiny", "far")


def box(rng, x, y, east, north, degrees):
    return affinity.rotate(shapely.box(x, y, x + east, y + north), degrees)


def star(rng, x, y, size, corners):
    """A star-shaped polygon round a point: concave more often than not."""
    angles = 2 * np.pi * (np.arange(corners) + rng.uniform(0, 0.8, corners)) / corners
    radii = size * rng.uniform(0.3, 1, corners)
    return shapely.Polygon(
        np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])
    )


def grid_polygon(rng, x, y):
    """Six corners at most on a small grid, so that corners lie on borders all the time."""
    while True:
        corners = rng.integers(-5, 6, (rng.integers(3, 7), 2)) + np.array([x, y])
        polygon = shapely.Polygon(corners)
        if polygon.is_valid and polygon.area > 0:
            return polygon


def scene(rng, kind: str):
    """Two units 30 to 120 GSU apart and something between them, or beside, or over one of them."""
    apart, askew = rng.uniform(30, 120), rng.uniform(-30, 30)
    along, beside = rng.uniform(-0.1, 1.1), rng.uniform(-12, 12)
    x, y = along * apart, along * askew + beside
    unit = rng.uniform(1, 20, 4)
    a = box(rng, 0, 0, unit[0], unit[1], rng.uniform(0, 360))
    b = box(rng, apart, askew, unit[2], unit[3], rng.uniform(0, 360))
    entity = box(rng, x, y, *rng.uniform(1, 30, 2), rng.uniform(0, 360))
    match kind:
        case "concave":
            a, b = star(rng, 0, 0, unit[0], 7), star(rng, apart, askew, unit[2], 5)
            entity = star(rng, x, y, rng.uniform(1, 30), int(rng.integers(4, 40)))
        case "grid":
            a, b = grid_polygon(rng, 0, 0), grid_polygon(rng, *rng.integers(0, 18, 2))
            entity = grid_polygon(rng, *rng.integers(0, 10, 2))
        case "collinear":
            a, b = shapely.box(0, 0, 8, 8), shapely.box(40, 0, 48, rng.integers(4, 12))
            entity = shapely.box(rng.integers(8, 30), rng.integers(-4, 8), 32, rng.integers(8, 12))
        case "overlapping":
            entity = star(rng, *rng.uniform(-5, 5, 2), rng.uniform(5, 30), 9)
        case "sliver":
            entity = box(rng, x, y, rng.uniform(1, 60), 2.0 ** -rng.integers(4, 11), askew * 9)
    scale, place = 1.0, rng.uniform(-100, 100, 2)
    if kind == "huge":
        scale = 2.0**8
    if kind == "tiny":
        scale, place = 2.0**-8, place * 2.0**-8
    if kind == "far":
        place = place * 200
    if kind in ("grid", "collinear"):
        place = np.round(place)
    shapes = np.array([a, b, entity], dtype=object)
    return shapely.transform(shapes, lambda xy: xy * scale + place)


def bodies_of(scenes) -> Bodies:
    """Scene after scene its observer, its observed and what stands about."""
    n = scenes.size
    return Bodies(scenes.ravel(), np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def compare(fractions_by_shapely, kind: str, count: int) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    scenes = np.array([scene(rng, kind) for _ in range(count)])
    bodies = bodies_of(scenes)
    rows = np.arange(3 * count).reshape(count, 3)

    found = [corridor_fractions(bodies, a, b, entity)[2].sum() for a, b, entity in rows]

    np.testing.assert_allclose(found, fractions_by_shapely(*scenes.T), rtol=0, atol=1e-9)
    assert np.count_nonzero(found) > count / 5


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_fractions_match_shapely_in_random_scenes(fractions_by_shapely, kind: str) -> None:
    compare(fractions_by_shapely, kind, 250)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_fractions_match_shapely_in_thousands_of_random_scenes(
    fractions_by_shapely, kind: str
) -> None:
    compare(fractions_by_shapely, kind, 2500)


def crowd(seed: int, count: int) -> Bodies:
    """Units and obstacles at random, as high as it comes."""
    rng = np.random.default_rng(seed)
    shapes = [star(rng, *rng.uniform(0, 300, 2), rng.uniform(2, 25), 9) for _ in range(count)]
    return Bodies(
        shapes, rng.uniform(0, 5, count), rng.uniform(1, 9, count), rng.random(count) < 0.5
    )


@pytest.mark.parametrize("threads", ["2", "4"])
def test_the_number_of_threads_changes_no_bit(monkeypatch, threads: str) -> None:
    bodies, some = crowd(1, 90), np.arange(90)
    monkeypatch.setenv("EMLIA3D_THREADS", "1")
    alone = corridor_fractions(bodies, some, some, some)
    matrix = sight_matrix(bodies, some, some)

    monkeypatch.setenv("EMLIA3D_THREADS", threads)

    for column, expected in zip(corridor_fractions(bodies, some, some, some), alone, strict=True):
        assert column.tobytes() == expected.tobytes()
    assert sight_matrix(bodies, some, some).tobytes() == matrix.tobytes()
    assert len(alone[0]) > 20000


def above_the_line(bodies: Bodies, a: int, b: int, entity: int) -> shapely.Geometry:
    """The part of a body over whose places its top is above the sight line from top to top."""
    tops = bodies.base + bodies.height
    start, stop = bodies.centroids[a], bodies.centroids[b]
    toward = (stop - start) / np.hypot(*(stop - start))
    across = np.array([-toward[1], toward[0]])
    # How far along the axis the line is as high as the body, and which side of it is lower.
    climb = (tops[b] - tops[a]) / np.hypot(*(stop - start))
    level = start + toward * np.clip((tops[entity] - tops[a]) / climb, -1e3, 1e3)
    back = -toward if climb > 0 else toward
    half = [level + 3e3 * across, level - 3e3 * across]
    lower = [half[1] + 3e3 * back, half[0] + 3e3 * back]
    return shapely.intersection(bodies.shapes[entity], shapely.Polygon([*half, *lower]))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_the_sight_matrix_holds_the_greatest_fraction_above_the_line(
    fractions_by_shapely, seed: int
) -> None:
    bodies = crowd(seed, 22)
    shapes, n = bodies.shapes, len(bodies)

    found = sight_matrix(bodies, range(n), range(n))

    expected = np.zeros((n, n))
    triples = [
        (a, b, entity, part)
        for a in range(n)
        for b in range(a)
        for entity in range(n)
        if entity not in (a, b) and not (part := above_the_line(bodies, a, b, entity)).is_empty
    ]
    a, b, _, parts = zip(*triples, strict=True)
    shares = fractions_by_shapely(shapes[list(a)], shapes[list(b)], parts)
    np.maximum.at(expected, (a, b), shares)
    np.testing.assert_allclose(found, np.maximum(expected, expected.T), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(found, found.T)
    assert len(np.unique(found)) > n


LOW, WALL = 2, 3


@pytest.fixture
def field() -> Bodies:
    """Two units, tops 2 and 4, 50 apart; between them a bank of 1, and a wall of 3 near the far."""
    outlines = [
        shapely.box(0, 0, 10, 10), shapely.box(0, 50, 10, 60),
        shapely.box(0, 20, 6, 24), shapely.box(0, 40, 3, 42),
    ]  # fmt: skip
    return Bodies(outlines, [0, 2, 0, 1], [2, 2, 1, 2], [True] * 4)


def test_what_is_looked_over_hides_nothing(field: Bodies) -> None:
    assert sight_matrix(field, [0], [1], [LOW]).tolist() == [[0]]
    assert sight_matrix(field, [0], [1], [WALL]).tolist() == [[0]]


def test_with_level_tops_only_what_is_higher_than_both_hides() -> None:
    outlines = [shapely.box(0, 0, 10, 10), shapely.box(0, 50, 10, 60), shapely.box(0, 20, 6, 24)]
    for top, hidden in ((2, 0.0), (2 + 2**-40, 0.6)):
        bodies = Bodies(outlines, [0, 1, 0], [2, 1, top], [True] * 3)

        assert sight_matrix(bodies, [0, 1], [1, 0]).tolist() == [[hidden, 0], [0, hidden]]


def test_a_slope_is_hidden_from_where_it_is_lower_than_the_wall() -> None:
    """From 2 high to 4 high over 50: the wall of 3 is above the line up to half-way."""
    outlines = [shapely.box(0, 0, 10, 10), shapely.box(0, 50, 10, 60),
                shapely.Polygon([(0, 25), (2, 25), (6, 35), (0, 35)])]  # fmt: skip
    bodies = Bodies(outlines, [0, 0, 0], [2, 4, 3], [True] * 3)

    assert sight_matrix(bodies, [0], [1])[0, 0] == pytest.approx(0.4, abs=1e-12)
    assert corridor_fractions(bodies, [0], [1], [2])[2] == pytest.approx(0.6, abs=1e-12)


def test_a_matrix_of_nothing_has_the_shape_that_was_asked_for(field: Bodies) -> None:
    assert sight_matrix(field, [], [0, 1]).shape == (0, 2)
    assert sight_matrix(field, [0, 1], [1], []).tolist() == [[0], [0]]
    with pytest.raises(IndexError, match="targets"):
        sight_matrix(field, [0], [5])
