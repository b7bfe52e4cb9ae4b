"""Strokes, smoke, rings, areas and arrows: what happened and what is meant, on the stage.

Drawn without shaders, so that every display shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    CardMaker,
    Geom,
    GeomNode,
    LineSegs,
    NodePath,
    TransparencyAttrib,
)

from emlia3d.view.panda.meshes import VERTEX, mesh, picture_texture
from emlia3d.view.panda.solids import dense, triangulate
from emlia3d.view.scene import Area, Arrow, Mark, Ring, Stroke, Terrain, Tone

Floats: TypeAlias = NDArray[np.float64]
Rgb: TypeAlias = tuple[float, float, float]

COLOUR: dict[Tone, Rgb] = {
    "volley": (1.00, 0.86, 0.50),
    "hit": (1.00, 0.52, 0.16),
    "miss": (0.86, 0.86, 0.82),
    "melee": (0.92, 0.16, 0.12),
    "order": (0.98, 0.90, 0.42),
    "sight": (0.99, 0.80, 0.20),
    "hidden": (0.48, 0.26, 0.72),
    "warning": (1.00, 0.36, 0.20),
    "neutral": (0.90, 0.92, 0.94),
}
STROKE_PX = 2.0
GROUND_STEP_M = 5.0
RAISED_M = 0.25  # above the ground, so that neither sinks into the other
MOST_PUFFS = 400


class Marks:
    """The marks of one moment: shows what it is given, forgets what it showed."""

    def __init__(self, parent: NodePath, terrain: Terrain) -> None:
        self._parent, self._terrain = parent, terrain
        self._root = parent.attach_new_node("marks")
        self._puff = picture_texture(_puff_picture(), "puff")

    def show(self, marks: Sequence[Mark]) -> None:
        """Replace what is shown."""
        self._root.remove_node()
        self._root = self._parent.attach_new_node("marks")
        self._root.set_shader_off(1)
        self._root.set_light_off(1)
        ground = _GroundSheet(self._terrain)
        for mark in marks:
            if isinstance(mark, Ring):
                ground.band(_circle(mark), 1.2, mark.tone, 0.9, closed=True)
                ground.fill(_circle(mark), mark.tone, 0.16)
            elif isinstance(mark, Area):
                ground.fill(mark.outline_m, mark.tone, 0.26)
                ground.band(mark.outline_m, 0.9, mark.tone, 0.9, closed=True)
            elif isinstance(mark, Arrow):
                ground.arrow(mark)
        if ground.parts:
            self._add_ground(ground.geom())
        self._add_strokes([mark for mark in marks if isinstance(mark, Stroke)])

    def _add_ground(self, geom: Geom) -> None:
        node = GeomNode("on the ground")
        node.add_geom(geom)
        path = self._root.attach_new_node(node)
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_two_sided(True)
        path.set_depth_write(False)
        path.set_depth_offset(2)
        path.set_bin("fixed", 6)

    def _add_strokes(self, strokes: Sequence[Stroke]) -> None:
        if not strokes:
            return
        pen = LineSegs("strokes")
        pen.set_thickness(STROKE_PX)
        for stroke in strokes:
            pen.set_color(*COLOUR[stroke.tone], 0.85)
            pen.move_to(*stroke.start)
            pen.draw_to(*stroke.end)
        path = self._root.attach_new_node(pen.create())
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_bin("fixed", 20)
        path.set_depth_write(False)
        for stroke in [stroke for stroke in strokes if stroke.smoke][:MOST_PUFFS]:
            self._add_puff(stroke)

    def _add_puff(self, stroke: Stroke) -> None:
        """A cloud before the muzzle, and a thinner one above it."""
        start, end = np.array(stroke.start), np.array(stroke.end)
        ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        for reach, rise, size, alpha in ((1.6, 0.4, 2.6, 0.75), (0.8, 1.6, 3.4, 0.45)):
            frame = CardMaker("puff")
            frame.set_frame(-size / 2, size / 2, -size / 2, size / 2)
            puff = self._root.attach_new_node(frame.generate())
            puff.set_pos(*(start + ahead * reach + [0, 0, rise]))
            puff.set_billboard_point_eye()
            puff.set_texture(self._puff)
            puff.set_color(0.93, 0.92, 0.90, alpha)
            puff.set_transparency(TransparencyAttrib.M_alpha)
            puff.set_depth_write(False)
            puff.set_bin("fixed", 21)


class _GroundSheet:
    """Coloured triangles a little above the ground."""

    def __init__(self, terrain: Terrain) -> None:
        self.parts: list[tuple[Floats, NDArray[np.int64], Tone, float]] = []
        self._terrain = terrain

    def band(self, line: Floats, width: float, tone: Tone, alpha: float, closed: bool) -> None:
        """A line of that width, metres."""
        centre = dense(np.asarray(line, np.float64), GROUND_STEP_M, closed)
        if closed:
            centre = np.concatenate([centre, centre[:1]])
        side = _sideways(centre, closed) * width / 2
        self._put(np.concatenate([centre - side, centre + side]), _strip(len(centre)), tone, alpha)

    def fill(self, outline: Floats, tone: Tone, alpha: float) -> None:
        """The inside of a simple polygon, cut small enough to follow the ground."""
        ring = np.asarray(outline, np.float64)
        corners, triangles = ring, triangulate(ring)
        longest = float(np.ptp(ring, axis=0).max())
        for _ in range(min(6, int(np.ceil(np.log2(max(longest / 14.0, 1.0)))))):
            corners, triangles = _halved(corners, triangles)
        self._put(corners, triangles, tone, alpha)

    def arrow(self, mark: Arrow) -> None:
        """A shaft along the path and a head at its end."""
        path = dense(np.asarray(mark.path_m, np.float64), GROUND_STEP_M, closed=False)
        tip, before = path[-1], path[-2]
        ahead = (tip - before) / max(float(np.hypot(*(tip - before))), 1e-9)
        neck = tip - ahead * mark.width_m * 2.4
        shaft = np.concatenate([path[((path - neck) @ ahead) < 0], neck[None]])
        if len(shaft) >= 2:
            side = _sideways(shaft, closed=False) * mark.width_m / 2
            self._put(
                np.concatenate([shaft - side, shaft + side]), _strip(len(shaft)), mark.tone, 0.8
            )
        wing = np.array([-ahead[1], ahead[0]]) * mark.width_m * 1.3
        head = np.array([neck - wing, neck + wing, tip])
        self._put(head, np.array([[0, 1, 2]]), mark.tone, 0.9)

    def geom(self) -> Geom:
        """All of it as one mesh."""
        vertices, triangles, count = [], [], 0
        for corners, faces, tone, alpha in self.parts:
            rows = np.zeros(len(corners), VERTEX)
            rows["place"][:, :2] = corners
            height = self._terrain.heights(corners[:, 0], corners[:, 1])
            rows["place"][:, 2] = height + RAISED_M
            rows["normal"] = (0, 0, 1)
            rows["colour"] = [round(part * 255) for part in (*COLOUR[tone], alpha)]
            vertices.append(rows)
            triangles.append(faces + count)
            count += len(rows)
        return mesh(np.concatenate(vertices), np.concatenate(triangles), "on the ground")

    def _put(self, corners: Floats, faces: NDArray[np.int64], tone: Tone, alpha: float) -> None:
        self.parts.append((corners, faces, tone, alpha))


def _circle(ring: Ring) -> Floats:
    angle = np.arange(64) * (2 * np.pi / 64)
    round_it = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.array([ring.x_m, ring.y_m]) + ring.radius_m * round_it


def _sideways(line: Floats, closed: bool) -> Floats:
    """Unit vectors to the left at each point, (n, 2)."""
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
    """Each triangle cut into four at the middles of its edges."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, rows = np.unique(edges, axis=0, return_inverse=True)
    middles = corners[unique].mean(axis=1)
    ab, bc, ca = (rows.reshape(-1, 3) + len(corners)).T
    a, b, c = triangles.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    cut = np.concatenate([np.stack(part, axis=1) for part in parts])
    return np.concatenate([corners, middles]), cut


def _puff_picture() -> NDArray[np.uint8]:
    """A soft round cloud, (64, 64, 4)."""
    row, column = np.mgrid[0:64, 0:64] - 31.5
    away = np.hypot(row, column) / 32
    picture = np.full((64, 64, 4), 255, np.uint8)
    picture[..., 3] = np.clip((1 - away) * 1.6, 0, 1) ** 1.5 * 255
    return picture
