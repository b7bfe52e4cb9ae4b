"""Corridors far from the origin against the definition in exact fractions, digit for digit."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from emlia3d.geometry import Bodies, corridor_fractions
from tests.geometry.exact_corridor import centroid, exact, exact_fraction

SCENES = 40


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


@pytest.mark.long
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
