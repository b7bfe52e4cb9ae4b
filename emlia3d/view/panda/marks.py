"""Strokes, smoke, rings, areas and arrows: what happened and what is meant, on the stage.

Drawn without shaders, so that every display shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import CardMaker, LineSegs, NodePath, TransparencyAttrib

from emlia3d.view.panda.groundsheet import Floats, GroundSheet, Rgb
from emlia3d.view.panda.meshes import picture_texture
from emlia3d.view.scene import Area, Arrow, Mark, Ring, Stroke, Terrain, Tone

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
STROKE_PX = 1.6
MOST_PUFFS = 400
PUFFS = ((1.6, 0.4, 2.6, 0.75), (0.8, 1.6, 3.4, 0.45))  # ahead, up, size in metres; alpha


class Marks:
    """The marks of one moment: shows what it is given, forgets what it showed."""

    def __init__(self, parent: NodePath, terrain: Terrain) -> None:
        self._terrain = terrain
        self.root = parent.attach_new_node("marks")
        self.root.set_shader_off(1)
        self._puff = picture_texture(_puff_picture(), "puff")

    def show(self, marks: Sequence[Mark]) -> None:
        """Replace what is shown."""
        self.root.node().remove_all_children()
        sheet = GroundSheet(self._terrain)
        for mark in marks:
            if isinstance(mark, Ring):
                sheet.fill(_circle(mark), COLOUR[mark.tone], 0.13)
                sheet.band(_circle(mark), 0.9, COLOUR[mark.tone], 0.9)
            elif isinstance(mark, Area):
                sheet.fill(mark.outline_m, COLOUR[mark.tone], 0.20)
                sheet.band(mark.outline_m, 0.7, COLOUR[mark.tone], 0.9)
            elif isinstance(mark, Arrow):
                sheet.arrow(mark.path_m, mark.width_m, COLOUR[mark.tone], 0.85)
        sheet.lay(self.root)
        self._add_strokes([mark for mark in marks if isinstance(mark, Stroke)])

    def _add_strokes(self, strokes: Sequence[Stroke]) -> None:
        if not strokes:
            return
        pen = LineSegs("strokes")
        pen.set_thickness(STROKE_PX)
        for stroke in strokes:
            pen.set_color(*COLOUR[stroke.tone], 0.7)
            pen.move_to(*stroke.start)
            pen.draw_to(*stroke.end)
        path = self.root.attach_new_node(pen.create())
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_bin("fixed", 20)
        path.set_depth_write(False)
        for stroke in [stroke for stroke in strokes if stroke.smoke][:MOST_PUFFS]:
            self._add_puff(stroke)

    def _add_puff(self, stroke: Stroke) -> None:
        """A cloud before the muzzle, and a thinner one above it."""
        start, end = np.array(stroke.start), np.array(stroke.end)
        ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        for reach, rise, size, alpha in PUFFS:
            frame = CardMaker("puff")
            frame.set_frame(-size / 2, size / 2, -size / 2, size / 2)
            puff = self.root.attach_new_node(frame.generate())
            x, y, z = (start + ahead * reach).tolist()
            puff.set_pos(x, y, z + rise)
            puff.set_billboard_point_eye()
            puff.set_texture(self._puff)
            puff.set_color(0.93, 0.92, 0.90, alpha)
            puff.set_transparency(TransparencyAttrib.M_alpha)
            puff.set_depth_write(False)
            puff.set_bin("fixed", 21)


def _circle(ring: Ring) -> Floats:
    angle = np.arange(64) * (2 * np.pi / 64)
    round_it = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(np.array([ring.x_m, ring.y_m]) + ring.radius_m * round_it)


def _puff_picture() -> NDArray[np.uint8]:
    """A soft round cloud, (64, 64, 4)."""
    row, column = np.mgrid[0:64, 0:64] - 31.5
    away = np.hypot(row, column) / 32
    picture = np.full((64, 64, 4), 255, np.uint8)
    picture[..., 3] = np.clip((1 - away) * 1.6, 0, 1) ** 1.5 * 255
    return picture
