"""The shadow map: a picture of the stage from the sun."""

from __future__ import annotations

import numpy as np
from panda3d.core import (
    BitMask32,
    Camera,
    ColorWriteAttrib,
    FrameBufferProperties,
    GraphicsOutput,
    GraphicsPipe,
    NodePath,
    OrthographicLens,
    Point3,
    RenderState,
    SamplerState,
    Texture,
    Vec3,
    WindowProperties,
)

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import DrawnGround

MAP_PX = 2048
SUN_MASK = BitMask32.bit(7)  # bodies without shadow are hidden from this camera
NEAREST_M, FARTHEST_M = 45.0, 900.0
LEAST_BIAS_M = 0.04
LEAST_STEP_M, STEP_TEXELS = 0.06, 2.0
FARTHEST_CAST_M = 300.0  # from which a hill can cast a shadow into the picture


class Sunlight:
    """A shadow map over the part of the field that matters to a camera."""

    def __init__(
        self, output: GraphicsOutput, root: NodePath, direction: tuple[float, float, float]
    ) -> None:
        self._root = root
        self._direction = Vec3(*direction)
        self.texture = _depth_texture()
        wish = FrameBufferProperties()
        wish.set_depth_bits(24)
        engine = output.get_engine()
        self._buffer = engine.make_output(
            output.get_pipe(),
            "sunlight",
            -10,
            wish,
            WindowProperties(size=(MAP_PX, MAP_PX)),
            GraphicsPipe.BF_refuse_window,
            output.get_gsg(),
            output,
        )
        self._buffer.add_render_texture(
            self.texture, GraphicsOutput.RTM_bind_or_copy, GraphicsOutput.RTP_depth
        )
        self._lens = OrthographicLens()
        camera = Camera("sun", self._lens)
        camera.set_camera_mask(SUN_MASK)
        camera.set_initial_state(_shadows_only())
        self._camera = root.attach_new_node(camera)
        self._buffer.make_display_region().set_camera(self._camera)
        root.set_shader_input("shade_map", self.texture)

    def update_for_camera(
        self, sight: Eyesight, terrain: DrawnGround
    ) -> tuple[float, float, float, float]:
        """Cover the view of a camera: a small area near the ground, a large one from high up.

        Return the centre of the area, the maximum distance of objects that cast shadows there, and
        the width of a texel, metres.
        """
        eye, ahead = sight.eye, sight.axes[2]
        above = max(float(eye[2]) - terrain.height(float(eye[0]), float(eye[1])), 1.5)
        reach = above / max(-float(ahead[2]), 0.02)
        half = float(np.clip(min(reach, 14 * above + 30) * 0.85, NEAREST_M, FARTHEST_M))
        level = ahead[:2] / max(float(np.hypot(*ahead[:2])), 1e-6)
        step = min(reach * float(np.hypot(*ahead[:2])), half * 0.8)
        x, y = eye[:2] + level * step
        middle = Point3(float(x), float(y), terrain.height(float(x), float(y)))
        self._lens.set_film_size(2 * half, 2 * half)
        near, far = 10.0, 2 * half + 2400
        self._lens.set_near_far(near, far)
        self._camera.set_pos(self._root, middle + self._direction * (half + 1200))
        self._camera.look_at(self._root, middle)
        matrix = self._root.get_mat(self._camera) * self._lens.get_projection_mat()
        self._root.set_shader_input("shade_matrix", matrix)
        texel = 2 * half / MAP_PX
        # Within this depth, a body is only in its own shadow.
        self._root.set_shader_input("shade_bias", (LEAST_BIAS_M + 2.5 * texel) / (far - near))
        self._root.set_shader_input("shade_step", LEAST_STEP_M + STEP_TEXELS * texel)
        return float(x), float(y), 1.5 * half + FARTHEST_CAST_M, texel

    def close(self) -> None:
        """Release the buffer of the map."""
        self._camera.remove_node()
        self._buffer.remove_all_display_regions()
        self._buffer.clear_render_textures()
        self.texture.release_all()
        self._buffer.get_engine().remove_window(self._buffer)


def _depth_texture() -> Texture:
    texture = Texture("sunlight")
    texture.set_format(Texture.F_depth_component24)
    texture.set_minfilter(SamplerState.FT_shadow)
    texture.set_magfilter(SamplerState.FT_shadow)
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    return texture


def _shadows_only() -> RenderState:
    state = NodePath("state")
    state.set_attrib(ColorWriteAttrib.make(ColorWriteAttrib.C_off))
    return state.get_state()
