"""Fifty footprints among thirty features: all gaps, contacts and lines, and a straight move."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from emlia3d.geometry.footprints import Footprints, chords, contacts, edge_gaps, footprints
from emlia3d.geometry.free_moves import Walls, free_moves, walls

BODIES, FEATURES, SIDE = 50, 30, 72.0


@pytest.fixture(params=["discs", "rectangles"])
def bodies(request: pytest.FixtureRequest) -> Footprints:
    dice = np.random.default_rng(1)
    places, facings = dice.uniform(0, SIDE, (BODIES, 2)), dice.normal(size=(BODIES, 2))
    if request.param == "discs":
        return footprints(places, facings, radius=0.5)
    return footprints(places, facings, width=4.0, depth=2.0)


@pytest.fixture
def outlines() -> Walls:
    """Thirty outlines of twelve corners."""
    places = np.random.default_rng(2).uniform(0, SIDE, (FEATURES, 2))
    return walls(shapely.buffer(shapely.points(places), 3.0, quad_segs=3))


def seconds(step: Callable[[], object], rounds: int = 200) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - start)
    return best


def test_gaps_of_all_beside_shapely(bodies: Footprints, ratio_lines: list[str]) -> None:
    radius = bodies.columns[:, 6]
    shapes = (
        shapely.points(bodies.columns[:, :2]) if radius[0] else shapely.polygons(bodies.corners())
    )

    def by_shapely() -> np.ndarray:
        return np.maximum(shapely.distance(shapes[:, None], shapes) - radius[:, None] - radius, 0.0)

    expected = by_shapely()
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_allclose(edge_gaps(bodies), expected, atol=1e-9)
    mine, theirs = seconds(lambda: edge_gaps(bodies)), seconds(by_shapely)

    ratio_lines.append(f"gaps of {BODIES}: {theirs / mine:.1f} ({mine * 1e6:.0f} us here)")


@pytest.mark.parametrize("count", [1, 64])
def test_straight_moves(
    bodies: Footprints, outlines: Walls, ratio_lines: list[str], count: int
) -> None:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    moves = 6.0 * np.column_stack((np.cos(angles), np.sin(angles)))
    mover = bodies.take([0])

    took = seconds(lambda: free_moves(mover, moves, bodies, [0], outlines))

    ratio_lines.append(
        f"{count} moves among {BODIES} bodies and {FEATURES} outlines: {took * 1e6:.0f} us"
    )


def test_contacts_and_lines(bodies: Footprints, ratio_lines: list[str]) -> None:
    places = bodies.columns[:, :2]
    starts = np.repeat(places[:1], BODIES, axis=0)

    touch = seconds(lambda: contacts(bodies))
    lines = seconds(lambda: chords(bodies, starts, places))

    ratio_lines.append(f"contacts of {BODIES}: {touch * 1e6:.0f} us")
    ratio_lines.append(f"{BODIES} lines across {BODIES} bodies: {lines * 1e6:.0f} us")
