"""What may not change a fraction, and chords through outlines of any form.

Moved on the grid no bit changes: coordinates are taken from one another before anything is
rounded. Turned by quarters none does either while the same body comes first along the axis;
otherwise the axis is measured from its other end, and mirrored the sums run the other way, so
that the last digits may differ.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import affinity

from emlia3d.geometry import Bodies, chord_length, corridor_fractions, sight_matrix

GRID = 1024
STEPS = st.integers(-24, 24)
MOVES = st.integers(-32 * GRID * GRID + 64 * GRID, 32 * GRID * GRID - 64 * GRID)


@st.composite
def polygons(draw, corners: int = 8) -> shapely.Polygon:
    """A polygon with corners on whole GSU, concave as it comes."""
    points = draw(st.lists(st.tuples(STEPS, STEPS), min_size=3, max_size=corners, unique=True))
    shape = shapely.Polygon(points)
    shape = shape if shape.is_valid else shape.convex_hull
    assume(shape.area > 0)
    return shape


SCENES = st.lists(polygons(), min_size=4, max_size=5)


def bodies_of(shapes) -> Bodies:
    n = len(shapes)
    return Bodies(shapes, np.zeros(n), np.arange(1.0, n + 1), np.ones(n, dtype=bool))


def table(shapes) -> np.ndarray:
    """(n, n, n) fractions: observer, target, obstacle."""
    some = np.arange(len(shapes))
    pair, obstacle, fraction = corridor_fractions(bodies_of(shapes), some, some, some)
    found = np.zeros((len(shapes),) * 3)
    found[pair // len(shapes), pair % len(shapes), obstacle] = fraction
    return found


@settings(max_examples=50, deadline=None)
@given(shapes=SCENES, east=MOVES, north=MOVES)
def test_moving_a_scene_on_the_grid_changes_no_bit(shapes, east: int, north: int) -> None:
    moved = [affinity.translate(shape, east / GRID, north / GRID) for shape in shapes]

    assert table(moved).tobytes() == table(shapes).tobytes()
    some = np.arange(len(shapes))
    here, there = (sight_matrix(bodies_of(every), some, some) for every in (shapes, moved))
    assert there.tobytes() == here.tobytes()


@settings(max_examples=50, deadline=None)
@given(shapes=SCENES, power=st.integers(-6, 6))
def test_a_scene_at_twice_the_scale_has_the_same_fractions_to_the_bit(shapes, power: int) -> None:
    scaled = [shapely.transform(shape, lambda xy: xy * 2.0**power) for shape in shapes]

    assert table(scaled).tobytes() == table(shapes).tobytes()


TURNS = {"a quarter": (0, -1, 1, 0), "a half": (-1, 0, 0, -1), "back": (0, 1, -1, 0)}
MIRRORS = {"east and west": (-1, 0, 0, 1), "the axes": (0, 1, 1, 0)}


@pytest.mark.parametrize("how", TURNS | MIRRORS)
@settings(max_examples=25, deadline=None)
@given(shapes=SCENES)
def test_turning_and_mirroring_a_scene_changes_no_fraction(shapes, how: str) -> None:
    matrix = [*(TURNS | MIRRORS)[how], 0, 0]
    centroids = [shape.centroid for shape in shapes]
    # Round a common centroid the axis runs east, however the scene is turned.
    assume(min(a.distance(b) for a in centroids for b in centroids if a is not b) > 1e-6)
    turned = [affinity.affine_transform(shape, matrix) for shape in shapes]

    np.testing.assert_allclose(table(turned), table(shapes), rtol=0, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(shapes=SCENES)
def test_a_quarter_turn_that_keeps_who_comes_first_changes_no_bit(shapes) -> None:
    a, b, *others = shapes
    b = affinity.translate(b, 200, -100)
    turned = [affinity.affine_transform(shape, [0, -1, 1, 0, 0, 0]) for shape in (a, b, *others)]

    # East by south becomes north by east: in both scenes a is the western one.
    assert table(turned)[0, 1].tobytes() == table([a, b, *others])[0, 1].tobytes()


@settings(max_examples=50, deadline=None)
@given(shapes=SCENES)
def test_observer_and_observed_change_places_without_changing_a_bit(shapes) -> None:
    found = table(shapes)

    assert found.transpose(1, 0, 2).tobytes() == found.tobytes()


def chord_by_hand(shape: shapely.Polygon, a, b) -> Fraction:
    """The share of the line from a to b in a polygon: even and odd crossings, in exact fractions.

    Corners on the line count as right of it.
    """
    (ax, ay), (bx, by) = ([Fraction(p) for p in point] for point in (a, b))

    def left(x, y):
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax)

    marks = []
    for p, q in pairwise(shape.exterior.coords):
        (px, py), (qx, qy) = ([Fraction(c) for c in point] for point in (p, q))
        before, after = left(px, py), left(qx, qy)
        if (before > 0) != (after > 0):
            part = before / (before - after)
            x, y = px + (qx - px) * part, py + (qy - py) * part
            along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
            marks.append(along / ((bx - ax) ** 2 + (by - ay) ** 2))
    marks = [min(max(mark, Fraction(0)), Fraction(1)) for mark in sorted(marks)]
    return sum(
        (stop - start for start, stop in zip(marks[::2], marks[1::2], strict=True)), Fraction()
    )


@settings(max_examples=100, deadline=None)
@given(
    shape=polygons(12),
    ends=st.lists(st.tuples(STEPS, STEPS), min_size=2, max_size=2, unique=True),
    fine=st.tuples(st.integers(1, 100), st.integers(1, 100)),
)
def test_a_chord_is_what_lies_between_odd_and_even_crossings(shape, ends, fine) -> None:
    # Off the whole GSU, so that the line runs along no edge.
    a, b = (ends[0][0] + fine[0] / 1009, ends[0][1] + fine[1] / 997), ends[1]
    assume(a != b)

    found = chord_length(bodies_of([shape]), [0], a, b)[0]

    assert found == pytest.approx(
        float(chord_by_hand(shape, a, b)) * np.hypot(a[0] - b[0], a[1] - b[1]), abs=1e-9
    )
