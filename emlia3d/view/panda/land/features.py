"""Features on the ground: trees, walls, hedges, houses, rocks and bridges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, NodePath, TransparencyAttrib

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import Banner, DrawnGround, Patch
from emlia3d.view.panda.land.bricks import LandSolids
from emlia3d.view.panda.land.placing import place_all
from emlia3d.view.panda.land.plinths import same_blocks, stood_on
from emlia3d.view.panda.land.solids import masonry, solids_of
from emlia3d.view.panda.meshes import boundless, mesh, rows_texture, write_rows
from emlia3d.view.panda.models.model_list import model
from emlia3d.view.panda.shaders import shader

Floats: TypeAlias = NDArray[np.float32]

FAR_TREE_PX = 26.0
FAR_TREES = {"conifer": "far_conifer", "broadleaf": "far_broadleaf"}


class Features:
    """The features of a terrain, built once; trees change with the distance."""

    def __init__(self, parent: NodePath, terrain: DrawnGround, shadows: bool) -> None:
        self._shadows, self._terrain = shadows, terrain
        self._root = parent.attach_new_node("features")
        self._trees: dict[str, tuple[Floats, Floats, Floats]] = {}
        self._nodes: dict[str, tuple[NodePath, Callable[[Floats], None]]] = {}
        for name, props in place_all(terrain).items():
            self._nodes[name] = self._stream(name, len(props))
            if name in FAR_TREES:
                self._nodes[FAR_TREES[name]] = self._stream(FAR_TREES[name], len(props))
                self._trees[name] = props.rows, props.places(), props.heights()
            else:
                self._nodes[name][1](props.rows)
        for number, solids in enumerate(solids_of(terrain)):
            self._build_solid(solids, number)
        self._plinths: tuple[NodePath | None, tuple[Patch, ...]] = None, ()

    def show_plinths(self, banners: Sequence[Banner]) -> None:
        """Put masonry under raised units without a drawn support."""
        node, before = self._plinths
        blocks = stood_on(banners, self._terrain)
        if same_blocks(blocks, before):
            return
        if node is not None:
            node.remove_node()
        node = self._build_solid(masonry(blocks, self._terrain), -1) if blocks else None
        self._plinths = node, blocks

    def update_for_camera(self, sight: Eyesight) -> None:
        """Choose near and far models of trees for a camera."""
        for name, (rows, places, heights) in self._trees.items():
            seen, tall_px = sight.heights_px(places, heights)
            near = tall_px >= FAR_TREE_PX
            self._nodes[name][1](rows[seen & near])
            self._nodes[FAR_TREES[name]][1](rows[seen & ~near])

    def _stream(self, name: str, capacity: int) -> tuple[NodePath, Callable[[Floats], None]]:
        node = GeomNode(name)
        node.add_geom(model(name))
        path = self._root.attach_new_node(boundless(node))
        path.set_shader(shader("prop", self._shadows))
        texture = rows_texture(2 * capacity, name)
        path.set_shader_input("rows", texture)

        def show(rows: Floats) -> None:
            if len(rows) == 0:
                path.hide()
                return
            write_rows(texture, rows)
            path.set_instance_count(len(rows))
            path.show()

        return path, show

    def _build_solid(self, solids: LandSolids, number: int) -> NodePath:
        node = GeomNode(f"solid {number}")
        node.add_geom(mesh(solids.vertices, solids.triangles, "solid"))
        path = self._root.attach_new_node(node)
        path.set_two_sided(solids.two_sided)
        path.set_shader(shader("glass" if solids.alpha < 1 else "solid", self._shadows))
        if solids.alpha < 1:
            path.set_shader_input("tint", (1, 1, 1, solids.alpha))
            path.set_transparency(TransparencyAttrib.M_alpha)
            path.set_depth_write(False)
            path.set_bin("fixed", 8)
        return path
