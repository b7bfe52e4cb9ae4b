"""Bases under figures, as meshes: where they are, and whose colour they have."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.view.moment.scene import STANDING, Bases, DrawnGround, Figures, SideLook, flat
from emlia3d.view.panda.troops.bases import RIM, ROUND, SQUARE, plinths
from emlia3d.view.panda.troops.figures import colour_of

SIDES = (SideLook(name="A", colour="#2a5caa"), SideLook(name="B", colour="#b3261e"))


def figures(is_round: bool, **columns: object) -> Figures:
    """Two figures of different sides, at (10, 10) and (20, 10), that face east; both on bases."""
    nothing = np.zeros(2, np.uint8)
    bases = Bases(
        rows=np.array([0, 1]),
        is_round=np.array([is_round] * 2),
        half_m=np.array([(2.0, 1.0), (1.0, 1.0)], np.float32),
    )
    given = {
        "x_m": np.array([10, 20], np.float32),
        "y_m": np.array([10, 10], np.float32),
        "facing_deg": np.array([90, 90], np.float32),
        "team": np.array([0, 1], np.uint8),
        "model": nothing,
        "pose": nothing + STANDING,
        "shade": nothing,
        "size": np.ones(2, np.float32),
        "lift_m": np.array([0.12, 0.12], np.float32),
        "bases": bases,
    } | columns
    return Figures(**given)


def drawn(there: Figures, alpha: float = 1.0, terrain: DrawnGround | None = None):
    assert there.bases is not None
    ground = flat((40.0, 40.0)) if terrain is None else terrain
    return plinths(there, there.bases, alpha, ground, SIDES)


@pytest.mark.parametrize(("is_round", "ring"), [(True, ROUND), (False, SQUARE)])
def test_each_base_lies_round_its_figure(is_round: bool, ring: np.ndarray) -> None:
    """It is 4 m wide across a facing to the east, and 2 m deep along it."""
    vertices, triangles = drawn(figures(is_round))

    each = 1 + 5 * len(ring)
    assert len(vertices) == 2 * each
    assert triangles.min() == 0
    assert triangles.max() == 2 * each - 1
    first = vertices[:each]["place"]
    assert first[:, 0].min() == pytest.approx(9.0, abs=0.01)
    assert first[:, 0].max() == pytest.approx(11.0, abs=0.01)
    assert first[:, 1].min() == pytest.approx(8.0, abs=0.01)
    assert first[:, 1].max() == pytest.approx(12.0, abs=0.01)
    assert first[:, 2].max() == pytest.approx(0.12)
    assert first[:, 2].min() < 0, "the wall goes into the ground"


def test_the_rim_has_the_colour_of_the_side() -> None:
    vertices, _ = drawn(figures(False))

    for row, side in enumerate(SIDES):
        own = vertices[row * 21 : (row + 1) * 21]
        wanted = np.round(np.array(colour_of(side.colour)) * 255)
        band = own["colour"][1 + 4 : 1 + 12, :3]
        assert (band == wanted).all()
        assert (own["colour"][: 1 + 4, :3] != wanted).any(axis=1).all(), "earth within"
        inner = own["place"][1:5, :2] - own["place"][0, :2]
        outer = own["place"][9:13, :2] - own["place"][0, :2]
        np.testing.assert_allclose(inner, RIM * outer, atol=1e-6)


def test_top_faces_look_up_and_walls_look_out() -> None:
    vertices, triangles = drawn(figures(True))
    place = vertices["place"].astype(np.float64)
    a, b, c = (place[triangles[:, corner]] for corner in range(3))
    ways = np.cross(b - a, c - a)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    normals = vertices["normal"][triangles].mean(axis=1)

    level = np.abs(normals[:, 2]) > 0.9
    assert level.sum() == 2 * 24 * 3
    assert (ways[level, 2] > 0.99).all()
    np.testing.assert_allclose(np.abs((ways[~level] * normals[~level]).sum(axis=1)), 1, atol=0.05)


def test_a_base_moves_with_its_figure() -> None:
    there = figures(
        True,
        was_x_m=np.array([6, 20], np.float32),
        was_y_m=np.array([10, 10], np.float32),
        was_facing_deg=np.array([90, 90], np.float32),
    )

    middles = [drawn(there, alpha)[0]["place"][0, 0] for alpha in (0.0, 0.5, 1.0)]

    assert middles == pytest.approx([6.0, 8.0, 10.0])


def test_a_base_follows_the_ground() -> None:
    """The ground climbs 1 m in 10 m to the east."""
    climb = np.tile(np.arange(5.0, dtype=np.float32), (5, 1))
    terrain = DrawnGround(elevation_m=climb, size_m=(50.0, 50.0))

    place = drawn(figures(False), terrain=terrain)[0]["place"][9:13]

    np.testing.assert_allclose(
        place[:, 2], terrain.heights(place[:, 0], place[:, 1]) + 0.12, atol=1e-5
    )
