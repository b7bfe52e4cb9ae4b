"""Answers at the limits of doubles, against fractions that round nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import shapely

from emlia3d.geometry import Bodies, Surface, blocked_fractions, lines_of_sight
from tests.geometry.exact_sight import seen_by_fractions

CELLS = (1.0, 0.3, 30.87, 1e-3, 7 / 3, 5.0, 0.1)
CORNERS = (0.0, 0.1, 2.5, 1e3 / 3, -1e5 / 7)


def bodies_of(*shapes) -> Bodies:
    none = np.zeros(len(shapes))
    return Bodies(list(shapes), none, none, none.astype(bool))


def about(place: float, rng: np.random.Generator) -> float:
    """The place itself, or a double or two beside it."""
    for _ in range(rng.integers(0, 3)):
        place = np.nextafter(place, rng.choice([-np.inf, np.inf]))
    # Products of the least doubles leave the range in which sums are exact.
    return 0.0 if abs(place) < 1e-290 else float(place)


def ends_along_bends(shape, rng: np.random.Generator) -> np.ndarray:
    """Two places, in cells, on one row, column or diagonal, or each on a centre."""
    rows, cols = shape
    row, col = rng.integers(0, rows), rng.integers(0, cols)
    kind, turn = rng.integers(4), rng.uniform(-2, 2)
    if kind == 0:
        return np.array([[rng.uniform(0, cols - 1), row], [rng.integers(0, cols), row]])
    if kind == 1:
        return np.array([[col, rng.uniform(0, rows - 1)], [col, rng.uniform(0, rows - 1)]])
    if kind == 2:
        return np.array([[col, row], [col + turn, row - turn]])
    return rng.integers(0, [[cols, rows], [cols, rows]])


def test_a_line_that_ends_a_double_beside_a_bend_is_seen_as_fractions_see_it() -> None:
    rng = np.random.default_rng(1)
    seen = wrong = 0

    for _ in range(80):
        shape = tuple(rng.integers(3, 7, 2))
        cell, west, north = (float(rng.choice(some)) for some in (CELLS, CORNERS, CORNERS))
        heights = np.where(rng.random(shape) < 0.7, 0.0, rng.choice([1.0, 3.0, 1e3], shape))
        heights[rng.integers(shape[0])] = 0
        surface = Surface(heights=heights, cell=cell, west=west, north=north)
        lines = []
        for _ in range(60):
            climb = rng.choice([0, 0, 0, 1e-15, 0.5])
            ends = [
                (u, v, z)
                for (u, v), z in zip(ends_along_bends(shape, rng), (0, climb), strict=True)
            ]
            lines.append(
                [(about(west + u * cell, rng), about(north - v * cell, rng), z) for u, v, z in ends]
            )
        a, b = np.array(lines).transpose(1, 0, 2)
        expected = [seen_by_fractions(surface, *line) for line in lines]
        seen += sum(expected)
        wrong += int((lines_of_sight(surface, a, b) != expected).sum())
        wrong += int((lines_of_sight(surface, b, a) != expected).sum())

    assert 1000 < seen < 3800
    assert wrong == 0


def centroid(ring: np.ndarray) -> tuple[Fraction, Fraction]:
    places = [(Fraction(float(x)), Fraction(float(y))) for x, y in ring]
    area = east = north = Fraction(0)
    for (ax, ay), (bx, by) in zip(places, places[1:] + places[:1], strict=True):
        twice = ax * by - bx * ay
        area, east, north = area + twice, east + twice * (ax + bx), north + twice * (ay + by)
    return east / (3 * area), north / (3 * area)


def thin(rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """An outline about a straight edge, and how long it is."""
    long = 10 ** rng.uniform(-2, 4)
    wide = long * 10 ** rng.uniform(-15, -1)
    count = rng.integers(3, 9)
    turn, corner = rng.uniform(0, 7), rng.uniform(-1, 1, 2) * rng.choice([0, 1, 1e4])
    upper = np.c_[np.sort(rng.uniform(0, 1, count)) * long, wide * rng.uniform(0.2, 1, count)]
    ring = np.vstack([[[0, 0], [long, 0]], upper[::-1]])
    return ring @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]] + corner, long


def test_the_centroid_of_a_thin_outline_is_that_of_fractions() -> None:
    rng = np.random.default_rng(1)
    checked, worst = 0, 0.0

    for _ in range(1000):
        ring, long = thin(rng)
        shape = shapely.Polygon(ring)
        if not shape.is_valid:
            continue
        found = bodies_of(shape).to_centroids[0]
        for axis, exact in enumerate(centroid(ring)):
            error = Fraction(float(found[axis])) + Fraction(float(ring[0, axis])) - exact
            worst = max(worst, abs(float(error)) / long)
        checked += 1

    assert checked > 900
    assert worst < 1e-12


def test_a_line_there_and_back_has_the_centroid_of_its_length() -> None:
    bent = shapely.LineString([(0.1, 0.1), (1000.1, 700.3), (5.7, 33.3)])

    found = bodies_of(bent).centroids[0]

    np.testing.assert_allclose(found, shapely.get_coordinates(bent.centroid)[0], rtol=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "POLYGON ((0 0, 4 0, 4 4, 0 0), EMPTY)",
        "POLYGON ((0 0, 4 0, 4 4, 0 0), EMPTY, (2 1, 3 1, 3 2, 2 1))",
        "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0), EMPTY), ((9 9, 8 9, 8 8, 9 9)))",
    ],
)
def test_an_empty_inner_ring_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="outline 1 has an empty ring"):
        bodies_of(shapely.box(0, 0, 1, 1), shapely.from_wkt(text))


def test_an_empty_ring_of_ragged_arrays_is_refused() -> None:
    ring = [[0, 0], [4, 0], [4, 4]]

    with pytest.raises(ValueError, match="none may be empty"):
        Bodies((ring, [0, 3, 3], [0, 2]), [0.0], [1.0], [True])


@pytest.mark.parametrize("cell", [2.0**-10, 1.0])
@pytest.mark.parametrize("raised", [2.0**14, 2.0**20, -(2.0**20)])
def test_ground_far_above_zero_blocks_what_the_same_ground_at_zero_does(cell, raised) -> None:
    bodies = bodies_of(
        shapely.box(1.3 * cell, 5.2 * cell, 2.1 * cell, 12.7 * cell),
        shapely.box(25.3 * cell, 6.1 * cell, 26.9 * cell, 14.2 * cell),
    )
    partly = 0

    for seed in range(40):
        rng = np.random.default_rng(seed)
        # Heights that are exact, raised or not.
        heights = np.round(rng.uniform(0, 8, (20, 30)) * 1024) / 1024
        eye, mark = np.round(rng.uniform(6, 9, 2) * 1024) / 1024
        low, high = (
            blocked_fractions(
                Surface(heights=heights + up, cell=cell, west=0.0, north=19 * cell),
                bodies, [[0, 1]], eye + up, mark + up,
            )[0]
            for up in (0.0, raised)
        )  # fmt: skip

        assert abs(high - low) < 1e-10
        partly += 0 < low < 1

    assert partly > 10
