"""Standards: a pole and a flag for each unit, in its side's colour and pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
from panda3d.core import Geom, GeomNode, NodePath

from emlia3d.view.moment.scene import Banner, Pattern, Scene
from emlia3d.view.panda.land.terrain import grid_triangles
from emlia3d.view.panda.meshes import VERTEX, boundless, mesh, rows_texture, write_rows
from emlia3d.view.panda.models.model_list import model
from emlia3d.view.panda.shaders import shader
from emlia3d.view.panda.sunlight import SUN_MASK
from emlia3d.view.panda.troops.figures import side_colours

LEAST_PX = 24.0
MAP_HEIGHT_M = 420.0  # height of the eye, above which flags show less than the tags


class Standards:
    """All standards, replaced at each update."""

    def __init__(self, parent: NodePath, scene: Scene) -> None:
        self._terrain = scene.terrain
        self._patterns = [get_args(Pattern).index(side.pattern) for side in scene.sides]
        self._root = parent.attach_new_node("standards")
        self._root.set_shader_input("sides", side_colours(scene.sides))
        self._cloth = self._instanced("cloth", _cloth(), "flag")
        self._cloth.set_two_sided(True)
        self._pole = self._instanced("pole", model("pole"), "pole")
        self._cloth.hide(SUN_MASK)

    def show(self, banners: Sequence[Banner]) -> None:
        """Replace what is shown."""
        banners = [banner for banner in banners if banner.standard]
        if not banners:
            self._cloth.hide()
            self._pole.hide()
            return
        places = np.array([(b.x_m, b.y_m, b.lift_m, b.team) for b in banners])
        patterns = np.array([*self._patterns, 0])
        rows = np.zeros((len(banners), 8), np.float32)
        rows[:, :3] = places[:, :3]
        rows[:, 2] += self._terrain.heights(places[:, 0], places[:, 1])
        rows[:, 3], rows[:, 4] = LEAST_PX, places[:, 3]
        rows[:, 5] = patterns[np.minimum(places[:, 3].astype(np.intp), len(self._patterns))]
        texture = rows_texture(2 * len(banners), "standards")
        write_rows(texture, rows)
        for node in (self._cloth, self._pole):
            node.set_shader_input("rows", texture)
            node.set_instance_count(len(banners))
            node.show()

    def update_for_camera(self, above_m: float) -> None:
        """Hide the flags in a map view."""
        if above_m > MAP_HEIGHT_M:
            self._root.hide()
        else:
            self._root.show()

    def _instanced(self, name: str, geom: Geom, shader_name: str) -> NodePath:
        node = GeomNode(name)
        node.add_geom(geom)
        path = self._root.attach_new_node(boundless(node))
        path.set_shader(shader(shader_name))
        path.hide()
        return path


def _cloth() -> Geom:
    """Return a square of twelve strips, so that it can wave."""
    across, up = np.meshgrid(np.linspace(0, 1, 13), [0.0, 1.0])
    vertices = np.zeros(across.shape, VERTEX)
    vertices["place"][..., 0], vertices["place"][..., 1] = across, up
    vertices["colour"] = 255
    return mesh(vertices.reshape(-1), grid_triangles(2, 13), "cloth")
