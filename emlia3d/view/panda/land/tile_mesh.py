"""A grid of tiles on the ground, in pieces that fade if tiles become small."""

from __future__ import annotations

import numpy as np
from panda3d.core import GeomNode, NodePath, TransparencyAttrib

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import DrawnGround, DrawnTiles
from emlia3d.view.panda.land.groundsheet import RAISED_M, STEP_M, Floats
from emlia3d.view.panda.meshes import VERTEX, line_mesh, shown

LEAST_PX, WHOLE_PX = 6.0, 10.0
"""Sizes of a tile in the picture below which it is not drawn, and above which it does not fade."""

INK = (22, 26, 20)
ALPHA, SHADES = 0.62, 8
LINE_PX = 1.0
PIECE_TILES = 8


class TileMesh:
    """The grid of one scene, replaced at each update."""

    def __init__(self, parent: NodePath, terrain: DrawnGround) -> None:
        self._terrain = terrain
        self._root = parent.attach_new_node("tiles")
        self._pieces: list[NodePath] = []
        self._middles: Floats = np.zeros((0, 3))
        self._shades = np.zeros(0, dtype=np.int64)
        self._across_m = 1.0

    def show(self, tiles: DrawnTiles | None) -> None:
        """Replace the grid on the ground; None for none."""
        self._root.node().remove_all_children()
        self._pieces, middles = [], []
        if tiles is not None:
            self._across_m = tiles.across_m
            for edges in _pieces_of(tiles):
                lines = _draped(edges, self._terrain)
                middles.append(lines.reshape(-1, 3).mean(axis=0))
                self._pieces.append(self._laid(lines))
        self._middles = np.array(middles).reshape(-1, 3)
        self._shades = np.full(len(self._pieces), -1)

    def update_for_camera(self, sight: Eyesight) -> None:
        """Fade pieces with small tiles in the picture, and omit the smallest."""
        if not self._pieces:
            return
        size = tile_sizes_px(self._middles, self._across_m, sight)
        share = (size - LEAST_PX) / (WHOLE_PX - LEAST_PX)
        shades = np.ceil(np.clip(share, 0.0, 1.0) * SHADES).astype(np.int64)
        for row in np.flatnonzero(shades != self._shades).tolist():
            shade = int(shades[row])
            shown(self._pieces[row], shade > 0)
            self._pieces[row].set_alpha_scale(shade / SHADES)
        self._shades = shades

    def close(self) -> None:
        """Remove the grid from the stage."""
        self._root.remove_node()

    def _laid(self, lines: Floats) -> NodePath:
        count, points = lines.shape[:2]
        vertices = np.zeros(count * points, VERTEX)
        vertices["place"] = lines.reshape(-1, 3)
        vertices["normal"] = (0, 0, 1)
        vertices["colour"] = (*INK, round(255 * ALPHA))
        first = np.arange(count)[:, None] * points + np.arange(points - 1)
        rows = np.stack((first, first + 1), axis=-1).reshape(-1, 2)
        node = GeomNode("tiles")
        node.add_geom(line_mesh(vertices, rows, "tiles"))
        path = self._root.attach_new_node(node)
        path.set_shader_off(1)
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_render_mode_thickness(LINE_PX)
        path.set_depth_write(False)
        path.set_depth_offset(3)
        path.set_bin("fixed", 5)  # below all other marks on the ground
        return path


def tile_sizes_px(middles: Floats, across_m: float, sight: Eyesight) -> Floats:
    """Return the shorter side in the picture of a tile at each point, (n,) pixels.

    middles : (n, 3) metres
    """
    off = middles - sight.eye
    away = np.maximum(np.linalg.norm(off, axis=1), across_m)
    # A tile at a flat angle is equally flat in the picture.
    steep = np.maximum(np.abs(off[:, 2]) / away, across_m / away)
    sizes: Floats = across_m * sight.pixels_a_radian / away * np.minimum(steep, 1.0)
    return sizes


def _pieces_of(tiles: DrawnTiles) -> list[Floats]:
    """Return the edges of a grid in square pieces, (n, 2, 2) metres."""
    square = np.floor(tiles.edges_m.mean(axis=1) / (PIECE_TILES * tiles.across_m)).astype(np.int64)
    order = np.lexsort((square[:, 0], square[:, 1]))
    is_next = (np.diff(square[order], axis=0) != 0).any(axis=1)
    return np.split(tiles.edges_m[order], np.flatnonzero(is_next) + 1)


def _draped(edges: Floats, terrain: DrawnGround) -> Floats:
    """Return points along edges, slightly above the ground, (n, points, 3) metres."""
    longest = float(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max())
    share = np.linspace(0.0, 1.0, max(int(np.ceil(longest / STEP_M)), 1) + 1)[:, None]
    places = edges[:, None, 0] + (edges[:, None, 1] - edges[:, None, 0]) * share
    heights = terrain.heights(places[..., 0].ravel(), places[..., 1].ravel())
    lift = heights.reshape(places.shape[:2]) + RAISED_M
    return np.concatenate((places, lift[..., None]), axis=-1)
