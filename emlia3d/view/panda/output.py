"""Graphics pipes and picture buffers, shared by all stages of the program."""

from __future__ import annotations

import atexit
from functools import cache

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    FrameBufferProperties,
    GraphicsEngine,
    GraphicsOutput,
    GraphicsPipe,
    GraphicsPipeSelection,
    NodePath,
    RenderState,
    Texture,
    TransformState,
    WindowProperties,
    load_prc_file_data,
)

from emlia3d.errors import DisplayError
from emlia3d.view.panda.display import Display
from emlia3d.view.panda.meshes import as_buffer

SETTINGS = """
notify-level-display error
notify-level-device fatal
audio-library-name null
max-texture-dimension 16384
notify-level-x11display fatal
"""


class Canvas:
    """A picture buffer in memory, with a readable copy."""

    def __init__(self, display: Display, size: tuple[int, int], smooth: bool) -> None:
        self.engine = GraphicsEngine.get_global_ptr()
        host = _host(display.pipe)
        self.output = _make(host.get_pipe(), size, smooth, host)
        self._copy = Texture("picture")
        self.output.add_render_texture(self._copy, GraphicsOutput.RTM_copy_ram)
        self.output.set_active(False)

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        self.output.set_active(True)
        self.engine.render_frame()
        self.output.set_active(False)
        return pixels(self._copy)

    def close(self) -> None:
        """Release the buffer."""
        self.output.remove_all_display_regions()
        self.output.clear_render_textures()
        self.engine.remove_window(self.output)
        forget_states()


@cache
def close_at_exit() -> None:
    """Close all windows and buffers at exit, before Panda3D removes the lock of X11.

    Otherwise the process would abort.
    """
    atexit.register(GraphicsEngine.get_global_ptr().remove_all_windows)


def forget_states() -> None:
    """Clear cached states, which keep unused textures alive.

    ShowBase does this in a task. Each pass frees what only the previous one held.
    """
    # Panda3D divides by the number of states: there has to be one of each.
    anchor = NodePath("anchor")
    anchor.set_color(1, 1, 1, 1)
    anchor.set_x(1)
    RenderState.clear_cache()
    TransformState.clear_cache()
    for _ in range(5):
        RenderState.garbage_collect()
        TransformState.garbage_collect()


def pixels(copy: Texture) -> NDArray[np.uint8]:
    """Return a texture's picture: (height, width, 3) uint8, red first, top row first."""
    raw = np.frombuffer(as_buffer(copy.get_ram_image()), np.uint8)
    shape = (copy.get_y_size(), copy.get_x_size(), copy.get_num_components())
    return np.ascontiguousarray(raw.reshape(shape)[::-1, :, 2::-1])


@cache
def _host(pipe_name: str) -> GraphicsOutput:
    """Return a small buffer that is never drawn and keeps the graphics context alive.

    With one context per stage, several stages would compile each shader again and leak.
    """
    load_prc_file_data("emlia3d", SETTINGS)
    close_at_exit()
    selection = GraphicsPipeSelection.get_global_ptr()
    pipe = selection.make_module_pipe(pipe_name)
    if (pipe is None or not pipe.is_valid()) and pipe_name == "p3tinydisplay":
        # Its own default needs X11; the off-screen kind needs nothing.
        pipe = selection.make_pipe("TinyOffscreenGraphicsPipe", "")
    if pipe is None or not pipe.is_valid():
        raise DisplayError(f"{pipe_name} cannot be opened")
    host = _make(pipe, (16, 16), False, None)
    host.set_active(False)
    return host


def _make(
    pipe: GraphicsPipe, size: tuple[int, int], smooth: bool, host: GraphicsOutput | None
) -> GraphicsOutput:
    wish = FrameBufferProperties()
    wish.set_rgb_color(True)
    # No alpha: what stays unpainted would be see-through in a saved picture.
    wish.set_rgba_bits(8, 8, 8, 0)
    wish.set_depth_bits(24)
    if smooth:
        wish.set_multisamples(4)
    engine = GraphicsEngine.get_global_ptr()
    shape, kind = WindowProperties(size=size), GraphicsPipe.BF_refuse_window
    if host is None:
        output = engine.make_output(pipe, "host", -100, wish, shape, kind)
    else:
        output = engine.make_output(pipe, "stage", 0, wish, shape, kind, host.get_gsg(), host)
    if output is None:
        raise DisplayError("no picture buffer of that size can be made")
    return output
