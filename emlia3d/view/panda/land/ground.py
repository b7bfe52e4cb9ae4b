"""The ground with shaders: one small mesh, drawn once for each chosen piece.

Heights and slopes are textures that the mesh samples, so a moving camera only changes a short list
of pieces. Pictures draped on the ground use the same pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from panda3d.core import (
    BitMask32,
    Geom,
    GeomNode,
    LVecBase4f,
    NodePath,
    SamplerState,
    Texture,
    TransparencyAttrib,
)

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import DrawnGround, Overlay
from emlia3d.view.panda.land.chunks import STEPS, Floats, Pieces, pieces_of
from emlia3d.view.panda.land.terrain import build_country, grid_triangles
from emlia3d.view.panda.meshes import (
    VERTEX,
    boundless,
    mesh,
    picture_texture,
    rows_texture,
    write_rows,
)
from emlia3d.view.panda.shaders import shader
from emlia3d.view.panda.sunlight import SUN_MASK

MOST_PIECES = 4096
MOST_SLOPES = 2048  # texels a side; ground of more cells has its slopes taken together
STEEPEST = 4.0  # rise over run, as which steeper ground is lit
EYES = BitMask32.bit(0)


class GroundMesh:
    """The field and its surroundings; `update_for_camera` chooses the level of detail."""

    def __init__(self, parent: NodePath, terrain: DrawnGround, shadows: bool) -> None:
        self._pieces: Pieces = pieces_of(terrain)
        self._shadows = shadows
        self.root = parent.attach_new_node("land")
        self.root.set_shader_input("slopes", _slopes(terrain))
        self._field, self._list = self._copies("ground", "ground")
        country = build_country(self.root, terrain)
        country.set_shader(shader("country", shadows))
        if shadows:
            self._shade, self._shade_list = self._copies("ground", "shade")
            self._shade.hide(EYES)
            self._field.hide(SUN_MASK)
        self._laid = self.root.attach_new_node("laid")
        self._laid.set_transparency(TransparencyAttrib.M_alpha)
        self._laid.set_depth_write(False)
        self._laid.set_depth_offset(1)
        self._laid.hide(SUN_MASK)
        self._textures: dict[int, tuple[Overlay, Texture]] = {}
        self._count = 0

    def lay(self, overlays: Sequence[Overlay]) -> None:
        """Replace the pictures on the ground; the first is the lowest."""
        self._laid.get_children().detach()
        kept = self._textures
        self._textures = {
            id(each): kept.get(id(each)) or (each, picture_texture(each.picture[::-1], "overlay"))
            for each in overlays
        }
        for row, overlay in enumerate(overlays):
            node = self._copy("overlay", self._laid)
            node.set_shader_input("chunks", self._list)
            node.set_shader_input("laid", self._textures[id(overlay)][1])
            node.set_shader_input("bounds", LVecBase4f(*overlay.bounds_m))
            node.set_bin("fixed", row)
            node.set_instance_count(self._count)

    def update_for_camera(
        self, sight: Eyesight, sunlit: tuple[float, float, float, float] | None
    ) -> None:
        """Choose pieces for a camera, and for the sun's view in *sunlit*."""
        chosen = self._pieces.seen(sight)[:MOST_PIECES]
        self._count = len(chosen)
        _show(self._field, self._list, chosen)
        for node in self._laid.get_children():
            node.set_instance_count(self._count)
        if self._shadows and sunlit is not None:
            x, y, reach, texel = sunlit
            _show(self._shade, self._shade_list, self._pieces.about((x, y), reach, texel))

    def _copies(self, look: str, name: str) -> tuple[NodePath, Texture]:
        node, listed = self._copy(look, self.root), rows_texture(MOST_PIECES, name)
        node.set_shader_input("chunks", listed)
        return node, listed

    def _copy(self, look: str, parent: NodePath) -> NodePath:
        node = GeomNode(look)
        node.add_geom(_piece())
        path = parent.attach_new_node(boundless(node))
        path.set_shader(shader(look, self._shadows))
        return path


def _show(node: NodePath, listed: Texture, chosen: Floats) -> None:
    if len(chosen) == 0:
        node.hide()
        return
    write_rows(listed, chosen[:MOST_PIECES])
    node.set_instance_count(min(len(chosen), MOST_PIECES))
    node.show()


def _piece() -> Geom:
    """Return a square of `STEPS` by `STEPS` steps with a skirt: vertices, and 1 if lowered."""
    number = np.clip(np.arange(-1, STEPS + 2), 0, STEPS)
    across, up = np.meshgrid(number, number)
    corners = np.zeros(across.shape, VERTEX)
    corners["place"][..., 0], corners["place"][..., 1] = across, up
    corners["place"][..., 2] = 1
    corners["place"][1:-1, 1:-1, 2] = 0
    corners["colour"] = 255
    return mesh(corners.reshape(-1), grid_triangles(*across.shape), "piece")


def _slopes(terrain: DrawnGround) -> Texture:
    """Return rise over run east and north, 16 bits each; the middle of the range is level."""
    elevation = terrain.elevation_m[::-1]
    rows, columns = elevation.shape
    cell = list(terrain.cell_m)
    step = -(-max(rows, columns) // MOST_SLOPES)
    elevation = elevation[::step, ::step]
    slopes = np.zeros((*elevation.shape, 2), np.float32)
    for axis, channel in ((1, 0), (0, 1)):
        if elevation.shape[axis] > 1:
            slopes[..., channel] = np.gradient(elevation, cell[channel] * step, axis=axis)
    packed = np.clip(slopes / (2 * STEEPEST) + 0.5, 0, 1) * np.float32(65535)
    texture = Texture("slopes")
    texture.setup_2d_texture(
        elevation.shape[1], elevation.shape[0], Texture.T_unsigned_short, Texture.F_rg16
    )
    texture.set_ram_image(np.ascontiguousarray(packed.astype("<u2")).tobytes())
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    return texture
