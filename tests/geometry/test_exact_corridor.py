"""Corridors far from the origin against the definition in exact fractions, digit for digit."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely

from emlia3d.geometry import Bodies, corridor_fractions

Point = tuple[Fraction, Fraction]
Ring = list[Point]
Edge = tuple[Fraction, Fraction, Fraction, Fraction]

SCENES = 40


def centroid(ring: Ring) -> Point:
    area = x = y = Fraction(0)
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        twice = ax * by - bx * ay
        area, x, y = area + twice, x + twice * (ax + bx), y + twice * (ay + by)
    return x / (3 * area), y / (3 * area)


def hull(points: Ring) -> Ring:
    """Convex, by monotone chain."""
    chains: list[Ring] = []
    for ordered in (sorted(points), sorted(points)[::-1]):
        chain: Ring = []
        for x, y in ordered:
            while len(chain) > 1 and (
                (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1])
                <= (chain[-1][1] - chain[-2][1]) * (x - chain[-2][0])
            ):
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def edges(ring: Ring) -> list[Edge]:
    """From the lesser s to the greater, without those perpendicular to the axis."""
    both = (sorted(pair) for pair in pairwise([*ring, ring[0]]))
    return [(*start, *stop) for start, stop in both if start[0] < stop[0]]


def place(edge: Edge, s: Fraction) -> Fraction:
    s0, t0, s1, t1 = edge
    return t0 + (t1 - t0) * (s - s0) / (s1 - s0)


def crossing(one: Edge, other: Edge) -> list[Fraction]:
    """The s at which two edges cross."""
    start, stop = max(one[0], other[0]), min(one[2], other[2])
    if start >= stop:
        return []
    before, after = (place(one, s) - place(other, s) for s in (start, stop))
    return [start + (stop - start) * before / (before - after)] if before * after < 0 else []


def exact_fraction(a: Ring, b: Ring, entity: Ring) -> Fraction:
    """The greatest share of the corridor's width, at the marks between which all is straight."""
    (px, py), (qx, qy) = centroid(a), centroid(b)
    dx, dy = qx - px, qy - py
    a, b, entity = (
        [(x * dx + y * dy, y * dx - x * dy) for x, y in ring] for ring in (a, b, entity)
    )
    shapes = [edges(ring) for ring in (entity, hull(a + b), a, b)]
    marks = {s for shape in shapes for edge in shape for s in edge[::2]}
    for edge in shapes[0]:
        marks.update(s for shape in shapes[1:] for other in shape for s in crossing(edge, other))
    found = Fraction(0)
    for left, right in pairwise(sorted(marks)):
        middle = (left + right) / 2
        cuts = sorted(
            (place(edge, middle), shape, place(edge, left), place(edge, right))
            for shape, every in enumerate(shapes)
            for edge in every
            if edge[0] < middle < edge[2]
        )
        inside = [False] * 4
        extent, width = [Fraction(0)] * 2, [Fraction(0)] * 2
        for (_, shape, *here), (_, _, *there) in pairwise(cuts):
            inside[shape] = not inside[shape]
            step = [after - before for before, after in zip(here, there, strict=True)]
            if inside[1]:
                width = [sum(both) for both in zip(width, step, strict=True)]
            if inside == [True, True, False, False]:
                extent = [sum(both) for both in zip(extent, step, strict=True)]
        found = max(found, *(e / w for e, w in zip(extent, width, strict=True) if w), 0)
    return found


def exact(corners) -> Ring:
    return [(Fraction(x), Fraction(y)) for x, y in np.asarray(corners).tolist()]


def star(rng, x, y, size, corners):
    """A star-shaped polygon round a point: concave more often than not."""
    angles = 2 * np.pi * (np.arange(corners) + rng.uniform(0, 0.8, corners)) / corners
    radii = size * rng.uniform(0.3, 1, corners)
    return np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])


def steep(rng, toward, size):
    """A quadrangle in the middle with two edges that are all but perpendicular to the axis."""
    ahead = toward / np.hypot(*toward)
    across = np.array([-ahead[1], ahead[0]])
    deep, wide, askew = rng.uniform(0.5, 8), rng.uniform(1, size), rng.uniform(-size, size)
    lean = 10 ** rng.uniform(-9, -2, 2) * rng.choice([-1, 1], 2)
    start = rng.uniform(0.05, 0.95) * toward + askew * across
    return np.array(
        [
            start,
            start + wide * across + lean[0] * ahead,
            start + wide * across + (deep + lean[1]) * ahead,
            start + deep * ahead,
        ]
    )


def scene(rng, kind: str, corner):
    """Outlines of observer, observed and what is between, next to a corner of the field."""
    toward = rng.uniform(-90, 90, 2)
    a, b = star(rng, 0, 0, rng.uniform(1, 20), 5), star(rng, *toward, rng.uniform(1, 20), 6)
    if kind == "steep":
        # Measured from the true axis, which runs through the centroids.
        p, q = (np.array(centroid(exact(ring)), dtype=float) for ring in (a, b))
        entity = p + steep(rng, q - p, 15)
    else:
        entity = star(rng, *rng.uniform(-0.1, 1.1) * toward + rng.uniform(-9, 9, 2), 15, 8)
    rings = [ring + corner for ring in (a, b, entity)]
    return [np.round(ring * 1024) / 1024 for ring in rings] if kind == "grid" else rings


@pytest.mark.parametrize("kind", ["grid", "anywhere", "steep"])
@pytest.mark.parametrize("corner", [(32600, 32600), (-32600, 32000)])
def test_fractions_keep_their_digits_at_the_far_corners_of_the_field(kind: str, corner) -> None:
    rng = np.random.default_rng(3)
    found, expected = [], []
    while len(found) < SCENES:
        rings = scene(rng, kind, corner)
        shapes = [shapely.Polygon(ring) for ring in rings]
        if not shapely.is_valid(shapes).all() or shapes[0].distance(shapes[1]) < 1e-3:
            continue
        bodies = Bodies(shapes, np.zeros(3), np.ones(3), np.ones(3, dtype=bool))
        found.append(corridor_fractions(bodies, [0], [1], [2])[2].sum())
        expected.append(float(exact_fraction(*map(exact, rings))))

    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert np.count_nonzero(found) > SCENES / 3
