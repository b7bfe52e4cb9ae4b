"""Bases of figures: thin plinths with the colour of the side at the edge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, NodePath

from emlia3d.view.moment.scene import Bases, DrawnGround, Figures, SideLook
from emlia3d.view.panda.meshes import VERTEX, mesh
from emlia3d.view.panda.troops.figures import colour_of

Floats = NDArray[np.float64]

EARTH = (0.36, 0.32, 0.24)
RIM = 0.84
"""Start of the coloured band, relative to the distance from the centre to the edge."""

SHADED = 0.8
"""Brightness of the wall, relative to the band on top."""

SUNK = 0.5
"""Depth of a wall in the ground, relative to its height, so that slopes show no gap."""

ROUND = np.column_stack(
    [turn(np.linspace(0, 2 * np.pi, 24, endpoint=False)) for turn in (np.cos, np.sin)]
)
SQUARE = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
"""Corners of a base of half a width and half a depth of 1, anticlockwise: right, ahead."""


class BaseMesh:
    """The bases of a scene, replaced at each update.

    finish : lights the vertices without shaders
    """

    def __init__(
        self,
        parent: NodePath,
        terrain: DrawnGround,
        sides: tuple[SideLook, ...],
        finish: Callable[[NDArray[np.void]], NDArray[np.void]] = lambda vertices: vertices,
    ) -> None:
        self.root = parent.attach_new_node("bases")
        self.root.set_two_sided(True)
        self._terrain, self._sides, self._finish = terrain, sides, finish
        self._figures: Figures | None = None

    def update(self, figures: Figures) -> None:
        """Use new figures; their bases are drawn at the next `blend`."""
        self._figures = figures

    def blend(self, alpha: float) -> None:
        """Draw the bases between their previous and current positions."""
        self.root.node().remove_all_children()
        figures = self._figures
        if figures is None or figures.bases is None:
            return
        vertices, triangles = plinths(figures, figures.bases, alpha, self._terrain, self._sides)
        node = GeomNode("plinths")
        node.add_geom(mesh(self._finish(vertices), triangles, "plinths"))
        self.root.attach_new_node(node)


def plinths(
    figures: Figures, bases: Bases, alpha: float, terrain: DrawnGround, sides: tuple[SideLook, ...]
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Return the vertices and triangles of all bases at a point of their movement."""
    parts: list[NDArray[np.void]] = []
    faces: list[NDArray[np.int64]] = []
    count = 0
    for is_round, ring in ((True, ROUND), (False, SQUARE)):
        chosen = bases.is_round == is_round
        if not chosen.any():
            continue
        rows = _vertices(figures, bases, chosen, ring, alpha, terrain, sides)
        each = _triangles(len(ring))
        first = np.arange(len(rows))[:, None, None] * rows.shape[1] + count
        parts.append(rows.reshape(-1))
        faces.append((each[None] + first).reshape(-1, 3))
        count += rows.size
    return np.concatenate(parts), np.concatenate(faces)


def _vertices(  # noqa: PLR0913, PLR0917  what a base's place, shape and colour follow from
    figures: Figures,
    bases: Bases,
    chosen: NDArray[np.bool_],
    ring: Floats,
    alpha: float,
    terrain: DrawnGround,
    sides: tuple[SideLook, ...],
) -> NDArray[np.void]:
    """Return (k, 1 + 5 n) VERTEX of bases of one shape with n corners.

    They are the centre, the inner ring twice, the outer ring twice, and its foot.
    """
    rows, half = bases.rows[chosen], bases.half_m[chosen].astype(np.float64)
    thick = bases.thickness_m[chosen].astype(np.float64)
    x, y, facing = (
        _between(was, now, alpha)[rows]
        for was, now in (
            (figures.was_x_m, figures.x_m),
            (figures.was_y_m, figures.y_m),
            (figures.was_facing_deg, figures.facing_deg),
        )
    )
    east, north = np.sin(np.radians(facing)), np.cos(np.radians(facing))
    shares = np.concatenate([np.zeros((1, 2)), RIM * ring, RIM * ring, ring, ring, ring])
    right, ahead = (half[:, axis, None] * shares[None, :, axis] for axis in (0, 1))
    found = np.zeros(right.shape, VERTEX)
    place = found["place"]
    place[..., 0] = x[:, None] + right * north[:, None] + ahead * east[:, None]
    place[..., 1] = y[:, None] - right * east[:, None] + ahead * north[:, None]
    ground = terrain.heights(place[..., 0].ravel(), place[..., 1].ravel()).reshape(right.shape)
    # The lift of the figure is that of the base's top.
    up = figures.lift_m[rows].astype(np.float64)[:, None] + np.zeros_like(right)
    up[:, -len(ring) :] -= (thick * (1 + SUNK))[:, None]
    place[..., 2] = ground + up
    found["normal"] = (0, 0, 1)
    wall = slice(1 + 3 * len(ring), None)
    # Normals of an ellipse; a rectangle's walls share the normals of their corners.
    outwards = np.tile(ring, (2, 1))[None] / half[:, None]
    out = outwards / np.linalg.norm(outwards, axis=-1, keepdims=True)
    normal = found["normal"][:, wall]
    normal[..., 0] = out[..., 0] * north[:, None] + out[..., 1] * east[:, None]
    normal[..., 1] = out[..., 1] * north[:, None] - out[..., 0] * east[:, None]
    normal[..., 2] = 0
    own = np.array([colour_of(side.colour) for side in sides])[figures.team[rows]]
    found["colour"][..., 3] = 255
    inner = 1 + len(ring)
    found["colour"][:, :inner, :3] = np.round(np.array(EARTH) * 255)
    found["colour"][:, inner : wall.start, :3] = np.round(own * 255)[:, None]
    found["colour"][:, wall, :3] = np.round(SHADED * own * 255)[:, None]
    return found


def _between(was: NDArray[np.float32] | None, now: NDArray[np.float32], alpha: float) -> Floats:
    if was is None:
        return now.astype(np.float64)
    return np.asarray(was + (now - was) * alpha, np.float64)


def _triangles(corners: int) -> NDArray[np.int64]:
    """Return (m, 3) rows of the vertices of a base, in the order of `_vertices`."""
    here = np.arange(corners)
    after = (here + 1) % corners
    top = np.stack([np.zeros_like(here), 1 + here, 1 + after], axis=1)
    strips = []
    for inner, outer in ((1 + corners, 1 + 2 * corners), (1 + 3 * corners, 1 + 4 * corners)):
        strips.append(np.stack([inner + here, outer + here, outer + after], axis=1))
        strips.append(np.stack([inner + here, outer + after, inner + after], axis=1))
    return np.concatenate([top, *strips])
