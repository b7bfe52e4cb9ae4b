"""Drawing of up to hundreds of thousands of figures: one draw call per model and level of detail.

Every figure is four integers, and a run of figures shares the rest. When figures change, they are
packed once into GPU memory, column by column. When the camera moves, only the lists of figures for
near models, middle models, cards and ranks change.
"""

from __future__ import annotations

import numpy as np
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

from emlia3d.force.figure_models import MODELS
from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.bodies import BODIES
from emlia3d.view.moment.scene import DrawnGround, Figures, SideLook, no_figures
from emlia3d.view.panda.land.terrain import grid_triangles
from emlia3d.view.panda.meshes import (
    VERTEX,
    boundless,
    mesh,
    numbers_in,
    numbers_texture,
    power_of_two,
    write_numbers,
)
from emlia3d.view.panda.models.model_list import MAKERS, model
from emlia3d.view.panda.shaders import shader
from emlia3d.view.panda.sunlight import SUN_MASK
from emlia3d.view.panda.troops.batches import (
    FAR,
    MIDDLE,
    NEAR,
    RANKED,
    DetailChoice,
    Rows,
    batches_of,
    choose,
)
from emlia3d.view.panda.troops.packing import FigureLines, pack, ranks_of

NEAR_PX = 34.0
LEAST_PX = 5.0
RANK_STEPS = 6  # along a rank, so that it follows the ground
MOST_NEAR = 2500  # maximum number of near models in software; more would take seconds


HEIGHTS, WIDTHS = (
    np.array([getattr(body, side) for body in BODIES.values()], np.float32)
    for side in ("height", "width")
)
MIDDLING = {name: f"far_{name}" for name in MODELS if f"far_{name}" in MAKERS}


class FigureTroops:
    """All figures of a scene, replaced at each update."""

    def __init__(
        self, parent: NodePath, terrain: DrawnGround, soft: bool, shadow_map: bool
    ) -> None:
        self._root = parent.attach_new_node("troops")
        self._terrain, self._soft, self._shadow_map = terrain, soft, shadow_map
        self._streams: dict[str, _Stream] = {}
        self._rows: Texture | None = None
        self._runs: Texture | None = None
        self._take(no_figures(), np.zeros((0, 4), np.int32))
        bulk = [LVecBase4f(b.height, b.width, float(b.card), 0) for b in BODIES.values()]
        self._root.set_shader_input("bulk", vectors(bulk))
        self.blend(1.0, 0.0, 1.0)

    def dress(self, sides: tuple[SideLook, ...]) -> None:
        """Give each side its colour; at most sixteen sides."""
        self._root.set_shader_input("sides", side_colours(sides))

    def update(self, figures: Figures) -> None:
        """Use new figures; they are drawn at the next `update_for_camera`."""
        count = len(figures)
        if self._rows is None or count > self._rows.get_x_size():
            self._rows = numbers_texture(count + count // 16, "figures", wide=4)
            self._root.set_shader_input("rows", self._rows)
        runs = self._take(figures, numbers_in(self._rows)[: 4 * count].reshape(-1, 4))
        if self._runs is None or 2 * len(runs) > self._runs.get_x_size():
            self._runs = numbers_texture(power_of_two(max(2 * len(runs), 64)), "runs", wide=4)
            self._root.set_shader_input("runs", self._runs)
        write_numbers(self._runs, runs.reshape(-1))

    def blend(self, alpha: float, seconds: float, fallen: float) -> None:
        """Set the progress of movement, the clock of the gait, and the progress of falls."""
        self._root.set_shader_input("figure", LVecBase4f(alpha, LEAST_PX, seconds, fallen))

    def update_for_camera(self, eyesight: Eyesight) -> None:
        """Choose the level of detail for a camera; only numbers of figures are transferred."""
        most_near = MOST_NEAR if self._soft else None
        choice = choose(self._batches, self._figures, NEAR_PX, eyesight, most_near)
        near, middling, far = (choice.rows(look) for look in (NEAR, MIDDLE, FAR))
        near_models, middling_models = self._figures.model[near], self._figures.model[middling]
        here = np.bincount(self._batches.model, minlength=len(MODELS)) > 0
        for number, name in enumerate(MODELS):
            if here[number] or name in self._streams:
                own, beyond = near[near_models == number], middling[middling_models == number]
                if name in MIDDLING:
                    self._feed(MIDDLING[name], name, beyond)
                else:
                    own = np.concatenate([own, beyond])
                self._feed(name, name, own)
        # Cards are as thin as paper to the sun's own camera: they keep the painted shadow.
        close = [] if self._shadow_map else [middling, near]
        self._feed_cards("shadows", "cast", np.concatenate([far, *close]))
        self._feed_cards("cards", "far", np.concatenate([far, self._feed_ranks(choice)]))

    def close(self) -> None:
        """Remove the figures from the stage."""
        self._root.remove_node()
        self._streams.clear()

    def _take(self, figures: Figures, rows: Rows) -> Rows:
        """Pack figures into rows, (n, 4), and their runs into rows, (r, 8)."""
        runs = pack(figures, HEIGHTS, rows)
        self._figures = figures
        self._batches = batches_of(runs, len(figures), self._terrain)
        self._ranks: FigureLines | None = None
        return runs.rows

    def _feed(self, mesh_name: str, body_name: str, chosen: Rows) -> None:
        if mesh_name not in self._streams:
            stream = _Stream(self._root, model(mesh_name), mesh_name)
            body = BODIES[body_name]
            stream.node.set_shader(shader("figure", self._shadow_map))
            stream.node.set_shader_input(
                "body", LVecBase4f(body.height, float(body.rolls), body.gait, 0)
            )
            self._streams[mesh_name] = stream
        self._streams[mesh_name].show(chosen, len(chosen))

    def _feed_cards(self, key: str, shader_name: str, chosen: Rows) -> None:
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
        self._streams[key].show(chosen, len(chosen))

    def _feed_ranks(self, choice: DetailChoice) -> Rows:
        """Draw distant lines of figures as strips; return the rows of figures not standing."""
        ranked = choice.looks == RANKED
        if not ranked.any():
            if "ranks" in self._streams:
                self._streams["ranks"].show(np.zeros(0, np.int32), 0)
            return np.zeros(0, np.int32)
        if self._ranks is None:
            self._ranks = ranks_of(self._figures, self._batches.starts, WIDTHS)
        if "ranks" not in self._streams:
            stream = _Stream(self._root, card(RANK_STEPS), "ranks")
            stream.node.set_shader(shader("rank", self._shadow_map))
            stream.node.set_two_sided(True)
            stream.node.hide(SUN_MASK)
            self._streams["ranks"] = stream
        ends = self._ranks.ends[ranked[self._ranks.run]]
        self._streams["ranks"].show(ends.reshape(-1), len(ends))
        return np.asarray(self._ranks.lying[ranked[self._ranks.lying_run]])


class _Stream:
    """One mesh, drawn once for each figure number, or pair of numbers."""

    def __init__(self, parent: NodePath, geom: Geom, name: str) -> None:
        node = GeomNode(name)
        node.add_geom(geom)
        self.node = parent.attach_new_node(boundless(node))
        self._chosen: Texture | None = None

    def show(self, numbers: Rows, count: int) -> None:
        """Draw *count* figures with these numbers, and nothing else."""
        if count == 0:
            self.node.hide()
            return
        if self._chosen is None or len(numbers) > self._chosen.get_x_size():
            # Some spare capacity, so that it is rarely reallocated.
            room = power_of_two(max(len(numbers), 64))
            self._chosen = numbers_texture(room, self.node.name)
            self.node.set_shader_input("chosen", self._chosen)
        write_numbers(self._chosen, numbers)
        self.node.set_instance_count(count)
        self.node.show()


def side_colours(sides: tuple[SideLook, ...]) -> PTA_LVecBase4f:
    """Return the sides' colours for shaders, 0 to 1; sixteen."""
    colours = [LVecBase4f(*colour_of(side.colour), 1) for side in sides[:16]]
    return vectors(colours + [LVecBase4f(0.6, 0.6, 0.6, 1)] * (16 - len(colours)))


def vectors(values: list[LVecBase4f]) -> PTA_LVecBase4f:
    """Return vectors as an array input of a shader."""
    array = PTA_LVecBase4f.empty_array(len(values))
    for place, value in enumerate(values):
        array.set_element(place, UnalignedLVecBase4f(value))
    return array


def colour_of(colour: str) -> tuple[float, float, float]:
    """Parse '#rrggbb'; return red, green, blue from 0 to 1."""
    value = int(colour.lstrip("#"), 16)
    return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def card(pieces: int = 1) -> Geom:
    """Return a square from -1/2 to 1/2 across and 0 to 1 up, of *pieces* pieces across."""
    across, up = np.meshgrid(np.linspace(-0.5, 0.5, pieces + 1), [0.0, 1.0])
    corners = np.zeros(across.shape, VERTEX)
    corners["place"][..., 0], corners["place"][..., 1] = across, up
    corners["colour"] = 255
    return mesh(corners.reshape(-1), grid_triangles(2, pieces + 1), "card")
