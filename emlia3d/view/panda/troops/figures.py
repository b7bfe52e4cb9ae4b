"""Figures by the hundred thousand: one draw a model and distance, fed by one array copy.

Every figure is two rows of four floats. When figures change they are packed once, column by
column; when the camera moves they are sorted by their height on the screen into near models,
middling ones and far cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Geom,
    GeomNode,
    LVecBase4f,
    NodePath,
    PTA_LVecBase4f,
    Texture,
    TransparencyAttrib,
    UnalignedLVecBase4f,
)

from emlia3d.view.moment.scene import MODELS, Figures, SideLook, Terrain
from emlia3d.view.panda.eyesight import Eyesight
from emlia3d.view.panda.meshes import VERTEX, boundless, mesh, rows_texture, write_rows
from emlia3d.view.panda.models.catalogue import model
from emlia3d.view.panda.shaders import shader
from emlia3d.view.panda.sunlight import SUN_MASK

NEAR_PX, FAR_PX, SHADOW_PX = 34.0, 10.0, 3.5
LEAST_PX = 5.0
MOST_NEAR = 2500  # of software drawing's near models; more would take seconds a picture


@dataclass(frozen=True, slots=True)
class Body:
    """height, width : natural, metres; mounted : drawn as a mount from afar."""

    height: float
    width: float
    mounted: bool = False
    rolls: bool = False
    gait: float = 1.0


BODIES = {
    "foot_musket": Body(1.95, 0.60),
    "foot_spear": Body(1.95, 0.66),
    "foot_bow": Body(1.90, 0.60),
    "skirmisher": Body(1.90, 0.60),
    "rider": Body(2.55, 1.05, mounted=True, rolls=True, gait=0.6),
    "gun": Body(1.80, 2.80, mounted=True, gait=0.0, rolls=True),
    "general": Body(2.60, 1.10, mounted=True, rolls=True, gait=0.6),
    "warrior": Body(1.95, 0.75),
    "dragon": Body(4.20, 6.50, mounted=True, rolls=True, gait=0.0),
    "ogre": Body(3.15, 1.80, gait=0.4),
    "caveman": Body(1.85, 0.75),
}
MIDDLING = {name: f"far_{name}" for name in MODELS[:4]}


class Troops:
    """All figures of a scene: shows what it is given, forgets what it showed."""

    def __init__(self, parent: NodePath, terrain: Terrain, soft: bool, shadow_map: bool) -> None:
        self._root = parent.attach_new_node("troops")
        self._terrain, self._soft, self._shadow_map = terrain, soft, shadow_map
        self._streams: dict[str, _Stream] = {}
        self._rows = np.zeros((0, 8), np.float32)
        self._places = np.zeros((0, 3), np.float32)
        self._model = np.zeros(0, np.uint8)
        self._tall = np.zeros(0, np.float32)
        bulk = [LVecBase4f(b.height, b.width, float(b.mounted), 0) for b in BODIES.values()]
        bulk += [LVecBase4f(2, 1, 0, 0)] * (16 - len(bulk))
        self._root.set_shader_input("bulk", vectors(bulk))
        self.blend(1.0, 0.0)

    def dress(self, sides: tuple[SideLook, ...]) -> None:
        """Give each side its colour; at most sixteen sides."""
        self._root.set_shader_input("sides", side_colours(sides))

    def update(self, figures: Figures) -> None:
        """Take new figures; they are drawn at the next `aim`."""
        self._rows = packed(figures)
        self._model = figures.model
        natural = np.array([body.height for body in BODIES.values()], np.float32)
        self._tall = natural[figures.model] * figures.size
        self._places = np.stack(
            [figures.x_m, figures.y_m, _about(self._terrain, figures) + figures.lift_m], axis=1
        )

    def blend(self, alpha: float, seconds: float) -> None:
        """How far figures are between their last place and this one; the clock of their gait."""
        self._root.set_shader_input("figure", LVecBase4f(alpha, LEAST_PX, seconds, 0))

    def aim(self, eyesight: Eyesight) -> None:
        """Sort the figures for a camera."""
        seen, tall_px = eyesight.heights_px(self._places, self._tall)
        near = seen & (tall_px >= self._near_px(tall_px[seen]))
        far = seen & (tall_px < FAR_PX)
        middle = seen & ~near & ~far
        counts = np.bincount(self._model, minlength=len(MODELS))
        for number in np.flatnonzero(counts):
            name = MODELS[number]
            own = self._model == number
            far_name = MIDDLING.get(name)
            close = own & near if far_name else own & (near | middle)
            self._feed(name, name, close)
            if far_name:
                self._feed(far_name, name, own & middle)
        self._feed_cards("cards", "far", far)
        leaf = seen & (tall_px >= SHADOW_PX)
        # Cards are as thin as paper to the sun's own camera: they keep the painted shadow.
        self._feed_cards("shadows", "cast", leaf & far if self._shadow_map else leaf)
        for key, stream in self._streams.items():
            if key in MODELS and counts[MODELS.index(key)] == 0:
                stream.show(self._rows[:0])

    def close(self) -> None:
        """Take the figures off the stage for good."""
        self._root.remove_node()
        self._streams.clear()

    def _near_px(self, tall_px: NDArray[np.float32]) -> float:
        """The height from which a figure gets its near model, in pixels."""
        if not self._soft or len(tall_px) <= MOST_NEAR:
            return NEAR_PX
        return max(NEAR_PX, float(np.partition(tall_px, -MOST_NEAR)[-MOST_NEAR]))

    def _feed(self, mesh_name: str, body_name: str, chosen: NDArray[np.bool_]) -> None:
        if mesh_name not in self._streams:
            stream = _Stream(self._root, model(mesh_name), mesh_name)
            body = BODIES[body_name]
            stream.node.set_shader(shader("figure", self._shadow_map))
            stream.node.set_shader_input(
                "body", LVecBase4f(body.height, float(body.rolls), body.gait, 0)
            )
            self._streams[mesh_name] = stream
        self._streams[mesh_name].show(self._rows[chosen])

    def _feed_cards(self, key: str, shader_name: str, chosen: NDArray[np.bool_]) -> None:
        if key not in self._streams:
            stream = _Stream(self._root, card(), key)
            stream.node.set_shader(shader(shader_name, self._shadow_map))
            stream.node.set_two_sided(True)
            stream.node.hide(SUN_MASK)
            if shader_name == "cast":
                stream.node.set_transparency(TransparencyAttrib.M_alpha)
                stream.node.set_bin("fixed", 5)
                stream.node.set_depth_write(False)
            self._streams[key] = stream
        self._streams[key].show(self._rows[chosen])


class _Stream:
    """One mesh, drawn once for each pair of rows."""

    def __init__(self, parent: NodePath, geom: Geom, name: str) -> None:
        node = GeomNode(name)
        node.add_geom(geom)
        self.node = parent.attach_new_node(boundless(node))
        self._capacity = 0
        self._texture: Texture | None = None

    def show(self, rows: NDArray[np.float32]) -> None:
        """Draw these, (n, 8) float32, and nothing else."""
        if len(rows) == 0:
            self.node.hide()
            return
        if self._texture is None or len(rows) > self._capacity:
            self._capacity = 2 ** int(np.ceil(np.log2(max(len(rows), 64))))
            self._texture = rows_texture(2 * self._capacity, self.node.name)
            self.node.set_shader_input("rows", self._texture)
        write_rows(self._texture, rows)
        self.node.set_instance_count(len(rows))
        self.node.show()


def packed(figures: Figures) -> NDArray[np.float32]:
    """Figures as two rows each, (n, 8) float32: this tick with its flags, then the last.

    Flags and sizes travel as integers below 2^24, which float32 holds exactly.
    """
    rows = np.empty((len(figures), 8), np.float32)
    turn = np.float32(np.pi / 180)
    rows[:, 0], rows[:, 1], rows[:, 2] = figures.x_m, figures.y_m, figures.facing_deg * turn
    own = (np.arange(len(figures), dtype=np.uint32) * np.uint32(2654435761)) >> np.uint32(24)
    rows[:, 3] = (
        figures.team.astype(np.uint32)
        | figures.pose.astype(np.uint32) << 4
        | figures.shade.astype(np.uint32) << 8
        | figures.model.astype(np.uint32) << 12
        | own << 16
    )
    was_facing = figures.facing_deg if figures.was_facing_deg is None else figures.was_facing_deg
    rows[:, 4] = figures.x_m if figures.was_x_m is None else figures.was_x_m
    rows[:, 5] = figures.y_m if figures.was_y_m is None else figures.was_y_m
    rows[:, 6] = was_facing * turn
    size = np.clip(figures.size * 64 + 0.5, 1, 4095).astype(np.uint32)
    lift = np.clip(figures.lift_m * 16 + 0.5, 0, 4095).astype(np.uint32)
    rows[:, 7] = size | lift << 12
    return rows


def side_colours(sides: tuple[SideLook, ...]) -> PTA_LVecBase4f:
    """The sides' colours, 0 to 1, as shaders take them; sixteen."""
    colours = [LVecBase4f(*colour_of(side.colour), 1) for side in sides[:16]]
    return vectors(colours + [LVecBase4f(0.6, 0.6, 0.6, 1)] * (16 - len(colours)))


def vectors(values: list[LVecBase4f]) -> PTA_LVecBase4f:
    """Vectors as an array input of a shader."""
    array = PTA_LVecBase4f.empty_array(len(values))
    for place, value in enumerate(values):
        array.set_element(place, UnalignedLVecBase4f(value))
    return array


def colour_of(colour: str) -> tuple[float, float, float]:
    """'#rrggbb' as red, green, blue from 0 to 1."""
    value = int(colour.lstrip("#"), 16)
    return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def card() -> Geom:
    """A square from -1/2 to 1/2 across and 0 to 1 up."""
    corners = np.zeros(4, VERTEX)
    corners["place"] = [(-0.5, 0, 0), (0.5, 0, 0), (0.5, 1, 0), (-0.5, 1, 0)]
    corners["colour"] = 255
    return mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]), "card")


def _about(terrain: Terrain, figures: Figures) -> NDArray[np.float32]:
    """The ground's height near each figure, good enough to sort by; exact height is drawn."""
    rows, columns = terrain.elevation_m.shape
    column = np.clip(figures.x_m * (columns / terrain.size_m[0]), 0, columns - 1).astype(np.intp)
    row = np.clip(figures.y_m * (rows / terrain.size_m[1]), 0, rows - 1).astype(np.intp)
    return np.asarray(terrain.elevation_m[rows - 1 - row, column])
