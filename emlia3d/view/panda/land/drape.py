"""Pictures draped on the ground, on a copy of its mesh with a texture and no shader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Geom, GeomNode, NodePath, Texture, TransparencyAttrib

from emlia3d.view.moment.scene import DrawnGround, Overlay
from emlia3d.view.panda.land.terrain import grid_triangles, lattice, surface
from emlia3d.view.panda.meshes import PLAIN_VERTEX, mesh, picture_texture

RAISED_M = 0.05
MOST_MESHES = 4

Bounds = tuple[float, float, float, float]


class Drape:
    """The overlays of one moment, replaced at each update."""

    def __init__(self, parent: NodePath, terrain: DrawnGround) -> None:
        self._terrain = terrain
        self._meshes: dict[Bounds, Geom] = {}
        self._textures: dict[int, tuple[Overlay, Texture]] = {}
        self.root = parent.attach_new_node("drape")
        self.root.set_shader_off(1)
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_depth_write(False)
        self.root.set_depth_offset(1)

    def show(self, overlays: Sequence[Overlay]) -> None:
        """Replace the overlays; the first is the lowest."""
        self.root.node().remove_all_children()
        self._textures = {id(overlay): (overlay, self._texture(overlay)) for overlay in overlays}
        for row, overlay in enumerate(overlays):
            node = GeomNode("overlay")
            node.add_geom(self._mesh(overlay.bounds_m))
            path = self.root.attach_new_node(node)
            path.set_texture(self._textures[id(overlay)][1])
            path.set_bin("fixed", row)

    def _texture(self, overlay: Overlay) -> Texture:
        """Return its picture as a texture, cached while it is shown."""
        kept = self._textures.get(id(overlay))
        return picture_texture(overlay.picture[::-1], "overlay") if kept is None else kept[1]

    def _mesh(self, bounds: Bounds) -> Geom:
        """Return the ground within bounds, cached because overlays often share them."""
        if bounds not in self._meshes:
            while len(self._meshes) >= MOST_MESHES:
                del self._meshes[next(iter(self._meshes))]
            self._meshes[bounds] = self._made(bounds)
        return self._meshes[bounds]

    def _made(self, bounds: Bounds) -> Geom:
        west, south, east, north = bounds
        columns, rows = lattice(self._terrain)
        ground = surface(self._terrain, _between(columns, west, east), _between(rows, south, north))
        vertices = np.zeros(ground.size, PLAIN_VERTEX)
        place = ground["place"].reshape(-1, 3)
        vertices["place"] = place + np.array([0, 0, RAISED_M], np.float32)
        vertices["colour"] = 255
        vertices["uv"] = (place[:, :2] - (west, south)) / (east - west, north - south)
        return mesh(vertices, grid_triangles(*ground.shape), "overlay")


def _between(stations: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Return the two ends, and the stations between them."""
    inner = stations[(stations > low) & (stations < high)]
    return np.concatenate([[low], inner, [high]])
