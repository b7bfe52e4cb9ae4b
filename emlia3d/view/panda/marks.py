"""Marks on the stage: strokes, smoke, rings, areas and arrows.

They are drawn without shaders, so that all displays show the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, LineSegs, NodePath, TransparencyAttrib

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import (
    Arrow,
    DrawnGround,
    Mark,
    Plume,
    Ring,
    Stroke,
    TintedArea,
    Tone,
)
from emlia3d.view.panda.land.groundsheet import Floats, GroundSheet, Rgb
from emlia3d.view.panda.meshes import PLAIN_VERTEX, mesh, picture_texture
from emlia3d.view.panda.noise import fraction

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
DRAWN_PX, THROUGH = 2.6, 0.34
FEW_STROKES, MANY_STROKES, MOST_STROKES = 30, 240, 120
MOST_SHOTS = 600  # that make smoke
# Ahead, up, size in metres; alpha: what left the muzzle, then the bank that it drifts into.
PUFFS = ((2.2, 0.1, 2.4, 0.80), (5.0, 0.6, 4.2, 0.50), (4.2, 1.8, 5.4, 0.30))
LEAST_PUFF_PX = 5.0
# Puffs of a plume, part of its size from one to the next, drift downwind, and alpha of the first.
LEAST_PLUME, MOST_PLUME, PLUME_RISE, PLUME_DRIFT, PLUME_ALPHA = 3, 8, 0.32, 0.45, 0.75
FLASH_S, FLASH_M, FLASH_PX = 0.09, 3.5, 5.0
GROWING_S, LEAST_GROWN = 0.5, 0.3
"""Time for smoke to grow, seconds, and its initial relative size."""
FLASH: Rgb = (1.0, 0.93, 0.62)


class Marks:
    """The marks of one moment, replaced at each update."""

    def __init__(self, parent: NodePath, terrain: DrawnGround) -> None:
        self._terrain = terrain
        self.root = parent.attach_new_node("marks")
        self.root.set_shader_off(1)
        self._puffs: Floats = np.zeros((0, 6))
        self._puffs_from: Floats = np.zeros(0)
        self._strokes: list[Stroke] = []
        self._late: Floats = np.zeros(0)
        self._lines_of: list[NodePath] = []
        self._drawn = (0, 0)
        self._clock = np.inf
        self._clouds: NodePath | None = None
        self._puff = picture_texture(_puff_picture(), "puff")

    def show(self, marks: Sequence[Mark]) -> None:
        """Replace what is shown."""
        self.root.node().remove_all_children()
        sheet = GroundSheet(self._terrain)
        for mark in marks:
            if isinstance(mark, Ring):
                sheet.fill(_circle(mark), COLOUR[mark.tone], 0.06)
                sheet.band(_circle(mark), 0.9, COLOUR[mark.tone], 0.9)
            elif isinstance(mark, TintedArea):
                sheet.fill(mark.outline_m, COLOUR[mark.tone], 0.20)
                sheet.band(mark.outline_m, 0.7, COLOUR[mark.tone], 0.9)
            elif isinstance(mark, Arrow):
                sheet.arrow(mark.path_m, mark.width_m, COLOUR[mark.tone], 0.85)
        sheet.lay(self.root)
        every = [mark for mark in marks if isinstance(mark, Stroke)]
        strokes = sorted(
            (stroke for stroke in every if not stroke.drawn), key=lambda stroke: stroke.late
        )
        shots = [stroke for stroke in strokes if stroke.smoke]
        shots = shots[:: -(-len(shots) // MOST_SHOTS) or 1]
        plumes = plumes_of([mark for mark in marks if isinstance(mark, Plume)])
        self._puffs = np.concatenate([puffs_of(shots), plumes])
        late = np.tile([shot.late for shot in shots], len(PUFFS))
        self._puffs_from = np.concatenate([late, np.full(len(plumes), -np.inf)])
        self._strokes = strokes[:: -(-len(strokes) // MOST_STROKES) or 1]
        self._late = np.array([stroke.late for stroke in self._strokes])
        self._clouds, self._clock, self._lines_of = None, np.inf, []
        self._add_strokes(self._begun(np.inf))
        self._add_drawing([stroke for stroke in every if stroke.drawn])

    def advance(self, seconds: float) -> None:
        """Show strokes that have begun at a time: flashes first, then growing smoke."""
        self._clock = seconds
        begun = self._begun(seconds)
        if begun != self._drawn:
            self._add_strokes(begun)

    def _begun(self, seconds: float) -> tuple[int, int]:
        """Return the number of strokes that have begun, and of those whose flash is over."""
        over, begun = np.searchsorted(self._late, (seconds - FLASH_S, seconds), "right").tolist()
        return begun, over

    def update_for_camera(self, sight: Eyesight) -> None:
        """Turn the smoke to a camera, the farthest first."""
        if self._clouds is not None:
            self._clouds.remove_node()
            self._clouds = None
        if len(self._puffs) == 0:
            return
        age = self._clock - self._puffs_from
        there = age >= 0.0
        if not there.any():
            return
        puffs, age = self._puffs[there], age[there]
        away = (puffs[:, :3] - sight.eye) @ sight.axes[2]
        order = np.argsort(-away)
        puffs, grown = puffs[order], np.clip(age[order] / GROWING_S, LEAST_GROWN, 1.0)
        least = LEAST_PUFF_PX * np.maximum(away[order], 0) / sight.pixels_a_radian
        half = np.maximum(puffs[:, 3] * grown, least)[:, None, None] / 2
        corner = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        quads = np.zeros((len(puffs), 4), PLAIN_VERTEX)
        quads["place"] = puffs[:, None, :3] + half * (corner @ sight.axes[:2])[None]
        quads["uv"] = (corner + 1) / 2
        quads["colour"][..., :3] = np.round(255 * puffs[:, None, 5:6])
        quads["colour"][..., 3] = np.round(255 * puffs[:, 4:5])
        faces = np.arange(len(puffs))[:, None, None] * 4 + np.array([[0, 1, 2], [0, 2, 3]])
        node = GeomNode("smoke")
        node.add_geom(mesh(quads.reshape(-1), faces.reshape(-1, 3), "smoke"))
        self._clouds = self.root.attach_new_node(node)
        self._clouds.set_texture(self._puff)
        self._clouds.set_transparency(TransparencyAttrib.M_alpha)
        self._clouds.set_depth_write(False)
        self._clouds.set_bin("fixed", 21)

    def _add_strokes(self, begun: tuple[int, int]) -> None:
        """Replace the drawn strokes by the strokes that have begun."""
        for path in self._lines_of:
            path.remove_node()
        self._lines_of, self._drawn = [], begun
        count, over = begun
        if not count:
            return
        # Single shots are drawn completely; of an army's shots, only some, and faintly.
        alpha = float(np.interp(len(self._strokes), [FEW_STROKES, MANY_STROKES], [0.7, 0.25]))
        strokes = self._strokes[:count]
        alphas = [0.7 if stroke.tone == "melee" else alpha for stroke in strokes]
        self._lines_of.append(self._lines(strokes, alphas, STROKE_PX))
        flashes = [stroke for stroke in strokes[over:] if stroke.smoke]
        if flashes:
            self._lines_of.append(self._flashes(flashes))

    def _flashes(self, shots: Sequence[Stroke]) -> NodePath:
        """Draw the flash at each muzzle."""
        pen = LineSegs("flashes")
        pen.set_thickness(FLASH_PX)
        pen.set_color(*FLASH, 1.0)
        for shot in shots:
            start = np.array(shot.start)
            way = np.array(shot.end) - start
            pen.move_to(*start.tolist())
            pen.draw_to(*(start + way * min(FLASH_M / max(float(np.hypot(*way[:2])), 1.0), 1.0)))
        return self.root.attach_new_node(pen.create())

    def _add_drawing(self, strokes: Sequence[Stroke]) -> None:
        """Draw the lines of a drawing, faintly behind obstacles."""
        if strokes:
            through = self._lines(strokes, [THROUGH] * len(strokes), DRAWN_PX)
            through.set_depth_test(False)
            self._lines(strokes, [1.0] * len(strokes), DRAWN_PX)

    def _lines(self, strokes: Sequence[Stroke], alphas: Sequence[float], width: float) -> NodePath:
        pen = LineSegs("strokes")
        pen.set_thickness(width)
        for stroke, alpha in zip(strokes, alphas, strict=True):
            pen.set_color(*COLOUR[stroke.tone], alpha)
            first, *others = stroke.points().tolist()
            pen.move_to(*first)
            for point in others:
                pen.draw_to(*point)
        path = self.root.attach_new_node(pen.create())
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_bin("fixed", 20)
        path.set_depth_write(False)
        return path


def puffs_of(shots: Sequence[Stroke]) -> Floats:
    """Return the smoke of shots, (n, 6): x, y, z, size in metres, alpha, brightness."""
    if not shots:
        return np.zeros((0, 6))
    start = np.array([shot.start for shot in shots])
    ahead = np.array([shot.end for shot in shots]) - start
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-6)
    east, north = np.round(start[:, :2].T * 8).astype(np.int64)
    clouds = []
    for number, (reach, rise, size, alpha) in enumerate(PUFFS):
        own = fraction(east, north, number)[:, None]
        stray = fraction(east, north, number + 7)[:, None]
        place = start + ahead * reach * (0.7 + 0.6 * own)
        place = place + np.concatenate([stray - 0.5, own - 0.5, np.full_like(own, rise)], axis=1)
        clouds.append(
            np.concatenate(
                [
                    place,
                    size * (0.75 + 0.5 * stray),
                    alpha * (0.7 + 0.3 * own),
                    0.86 + 0.1 * stray,
                ],
                axis=1,
            )
        )
    return np.concatenate(clouds)


def plumes_of(plumes: Sequence[Plume]) -> Floats:
    """Return the smoke over damaged bodies, in the form of `puffs_of`; darker with more damage."""
    clouds = []
    for plume in plumes:
        east, north = (np.array([round(value * 8)]) for value in plume.start[:2])
        for number in range(round(LEAST_PLUME + (MOST_PLUME - LEAST_PLUME) * plume.share)):
            own, stray = (float(fraction(east, north, number + k)[0]) for k in (0, 31))
            rise = number * PLUME_RISE * plume.size_m
            x, y, z = plume.start
            drift = rise * PLUME_DRIFT
            clouds.append(
                (
                    x + drift + (own - 0.5) * plume.size_m * 0.4,
                    y + drift / 2 + (stray - 0.5) * plume.size_m * 0.4,
                    z + rise,
                    plume.size_m * (0.5 + 0.12 * number),
                    PLUME_ALPHA * 0.9**number,
                    0.10 + 0.05 * number + 0.06 * own,
                )
            )
    return np.array(clouds).reshape(-1, 6)


def _circle(ring: Ring) -> Floats:
    angle = np.arange(64) * (2 * np.pi / 64)
    round_it = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(np.array([ring.x_m, ring.y_m]) + ring.radius_m * round_it)


def _puff_picture() -> NDArray[np.uint8]:
    """Return a soft round cloud, (64, 64, 4)."""
    row, column = np.mgrid[0:64, 0:64] - 31.5
    away = np.hypot(row, column) / 32
    picture = np.full((64, 64, 4), 255, np.uint8)
    picture[..., 3] = np.clip((1 - away) * 1.6, 0, 1) ** 1.5 * 255
    return picture
