"""Tinted shapes slightly above the ground: bands, fills and arrows as one mesh."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Geom, GeomNode, NodePath, TransparencyAttrib

from emlia3d.view.moment.scene import DrawnGround
from emlia3d.view.panda.land.bricks import dense, triangulate
from emlia3d.view.panda.meshes import VERTEX, mesh

Floats: TypeAlias = NDArray[np.float64]
Rgb: TypeAlias = tuple[float, float, float]

STEP_M = 5.0
SMALL_M = 14.0
MOST_TRIANGLES = 16_384  # maximum of one fill; more would be too slow for one step
RAISED_M = 0.25  # above the ground, so that neither sinks into the other


class GroundSheet:
    """Shapes as they are added; colours are red, green, blue from 0 to 1."""

    def __init__(self, terrain: DrawnGround) -> None:
        self._parts: list[tuple[Floats, NDArray[np.int64], Rgb, float]] = []
        self._terrain = terrain

    def band(self, line: Floats, width_m: float, colour: Rgb, alpha: float) -> None:
        """Draw a closed line with a width."""
        ring = dense(np.asarray(line, np.float64), STEP_M)
        centre = np.concatenate([ring, ring[:1]])
        side = _sideways(centre, closed=True) * width_m / 2
        corners = np.concatenate([centre - side, centre + side])
        self._parts.append((corners, _strip(len(centre)), colour, alpha))

    def fill(self, outline: Floats, colour: Rgb, alpha: float) -> None:
        """Draw the inside of a simple polygon, cut small enough to follow the ground."""
        corners = np.asarray(outline, np.float64)
        triangles = triangulate(corners)
        longest = float(np.ptp(corners, axis=0).max())
        while longest > SMALL_M and 4 * len(triangles) <= MOST_TRIANGLES:
            corners, triangles = _halved(corners, triangles)
            longest /= 2
        self._parts.append((corners, triangles, colour, alpha))

    def arrow(self, path_m: Floats, width_m: float, colour: Rgb, alpha: float) -> None:
        """Draw a shaft along a path and a head at its end."""
        path = dense(np.asarray(path_m, np.float64), STEP_M, closed=False)
        tip, before = path[-1], path[-2]
        ahead = (tip - before) / max(float(np.hypot(*(tip - before))), 1e-9)
        neck = tip - ahead * width_m * 2.4
        shaft = np.concatenate([path[((path - neck) @ ahead) < 0], neck[None]])
        if len(shaft) >= 2:
            side = _sideways(shaft, closed=False) * width_m / 2
            corners = np.concatenate([shaft - side, shaft + side])
            self._parts.append((corners, _strip(len(shaft)), colour, alpha))
        wing = np.array([-ahead[1], ahead[0]]) * width_m * 1.3
        head = np.array([neck - wing, neck + wing, tip])
        self._parts.append((head, np.array([[0, 1, 2]]), colour, alpha))

    def lay(self, parent: NodePath) -> None:
        """Attach everything to a node, without shaders and above the ground."""
        if not self._parts:
            return
        node = GeomNode("on the ground")
        node.add_geom(self._geom())
        path = parent.attach_new_node(node)
        path.set_shader_off(1)
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_two_sided(True)
        path.set_depth_write(False)
        path.set_depth_offset(2)
        path.set_bin("fixed", 6)

    def _geom(self) -> Geom:
        vertices, triangles, count = [], [], 0
        for corners, faces, colour, alpha in self._parts:
            rows = np.zeros(len(corners), VERTEX)
            rows["place"][:, :2] = corners
            height = self._terrain.heights(corners[:, 0], corners[:, 1])
            rows["place"][:, 2] = height + RAISED_M
            rows["normal"] = (0, 0, 1)
            rows["colour"] = [round(part * 255) for part in (*colour, alpha)]
            vertices.append(rows)
            triangles.append(faces + count)
            count += len(rows)
        return mesh(np.concatenate(vertices), np.concatenate(triangles), "on the ground")


def _sideways(line: Floats, closed: bool) -> Floats:
    """Return unit vectors to the left at each point, (n, 2)."""
    tangent = np.gradient(line, axis=0)
    if closed:
        tangent[0] = tangent[-1] = line[1] - line[-2]
    left = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    return np.asarray(left / (np.linalg.norm(left, axis=1, keepdims=True) + 1e-9))


def _strip(length: int) -> NDArray[np.int64]:
    here = np.arange(length - 1)
    return np.concatenate(
        [
            np.stack([here, here + 1, here + length + 1], axis=1),
            np.stack([here, here + length + 1, here + length], axis=1),
        ]
    )


def _halved(corners: Floats, triangles: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Divide each triangle into four at the midpoints of its edges."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, rows = np.unique(edges, axis=0, return_inverse=True)
    middles = corners[unique].mean(axis=1)
    ab, bc, ca = (rows.reshape(-1, 3) + len(corners)).T
    a, b, c = triangles.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    cut = np.concatenate([np.stack(part, axis=1) for part in parts])
    return np.concatenate([corners, middles]), cut
