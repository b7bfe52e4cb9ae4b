"""The output of the app: a window on the screen, or a picture buffer for tests and recordings."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    FrameBufferProperties,
    GraphicsEngine,
    GraphicsPipe,
    GraphicsPipeSelection,
    GraphicsWindow,
    MouseAndKeyboard,
    VirtualMouse,
    WindowProperties,
    load_prc_file_data,
)

from emlia3d.errors import DisplayError
from emlia3d.view.panda.display import Display
from emlia3d.view.panda.output import SETTINGS, Canvas, close_at_exit, pixels
from emlia3d.view.window.settings import Settings

MOST_IDLE = 50  # frames between two of a picture that does not change
CLOTH = (0.10, 0.13, 0.17, 1.0)
"""The colour of a window without a picture."""
CENTRED = -2
"""The origin for a window in the centre of the screen."""
SETTLING = 2  # frames that are drawn of each change: the screen shows them by turns


class OnscreenWindow:
    """A window on the screen; raises DisplayError if it does not open."""

    def __init__(
        self, display: Display, title: str, size: tuple[int, int], full_screen: bool = False
    ) -> None:
        load_prc_file_data("emlia3d", SETTINGS)
        close_at_exit()
        if display.soft:
            # Otherwise unseen frames and their memory accumulate faster than they are drawn.
            load_prc_file_data("emlia3d", "gl-finish true")
        self._idle = 0
        self._engine = GraphicsEngine.get_global_ptr()
        pipe = GraphicsPipeSelection.get_global_ptr().make_module_pipe(display.pipe)
        wish = FrameBufferProperties()
        wish.set_rgb_color(True)
        wish.set_depth_bits(24)
        wish.set_back_buffers(1)  # or the eye follows the drawing of every frame
        if not display.soft:
            wish.set_multisamples(4)
        self._pipe, self._size, self.full_screen = pipe, size, False
        shape = WindowProperties(size=size)
        shape.set_title(title)
        shape.set_origin(-2 * size[0], 0)  # beside the screen, until it has a picture
        window = None
        if pipe is not None and pipe.is_valid():
            window = self._engine.make_output(
                pipe, "emlia3d", 0, wish, shape, GraphicsPipe.BF_require_window
            )
        if not isinstance(window, GraphicsWindow):
            raise DisplayError(f"{display.pipe} opens no window here")
        self.output = window
        window.enable_pointer_events(0)
        self.input = MouseAndKeyboard(window, 0, "input")
        self._engine.open_windows()
        self._appear()
        if full_screen:
            self.fill_screen(True)

    def _appear(self) -> None:
        """Draw the first frames, which can be slow, then move to the screen's centre."""
        self.output.set_clear_color(CLOTH)
        for _ in range(SETTLING):
            self._engine.render_frame()
        wish = WindowProperties()
        wish.set_origin(CENTRED, CENTRED)
        self.output.request_properties(wish)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window, or those before full screen, pixels."""
        if self.full_screen or not self.output.is_valid():
            return self._size
        return self.output.get_x_size(), self.output.get_y_size()

    def fill_screen(self, full: bool) -> None:
        """Switch to full screen, or back to the previous size."""
        if full == self.full_screen:
            return
        self._size = self.size
        wish = WindowProperties()
        wish.set_fullscreen(full)
        if full:
            wish.set_size(self._pipe.get_display_width(), self._pipe.get_display_height())
        else:
            wish.set_size(*self._size)
        self.output.request_properties(wish)
        self.full_screen = full

    def entitle(self, title: str) -> None:
        """Set the title of the window."""
        wish = WindowProperties()
        wish.set_title(title)
        self.output.request_properties(wish)

    @property
    def closed(self) -> bool:
        """True if the user has closed the window."""
        return not self.output.is_valid() or self.output.is_closed()

    def draw(self, changed: bool) -> None:
        """Draw the stage if it has changed, and collect input from mouse and keys.

        An unchanged stage is also drawn from time to time, because another window can have covered
        it.
        """
        self._idle = 0 if changed else (self._idle + 1) % MOST_IDLE
        self.output.set_active(self._idle < SETTLING)
        self._engine.render_frame()

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        self.output.set_active(True)
        self._engine.render_frame()
        return pixels(self.output.get_screenshot())

    def close(self) -> None:
        """Close the window."""
        self._engine.remove_window(self.output)


class Backroom:
    """A picture buffer with simulated mouse and keys for tests, drawn only on request."""

    def __init__(self, display: Display, size: tuple[int, int]) -> None:
        self._canvas = Canvas(display, size, display.shaders and not display.soft)
        self.output = self._canvas.output
        self.input = VirtualMouse("input")
        self.input.set_window_size(*size)
        self.closed = False
        self.size, self.full_screen = size, False

    def fill_screen(self, full: bool) -> None:
        """Keep the size of the buffer."""
        self.full_screen = full

    def entitle(self, title: str) -> None:
        """Do nothing, because there is no title bar."""

    def draw(self, changed: bool) -> None:
        """Do nothing, because the buffer is drawn on request."""

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        return self._canvas.image()

    def close(self) -> None:
        """Give the buffer back."""
        self._canvas.close()


Surface: TypeAlias = OnscreenWindow | Backroom
"""A render target with a cursor and keys."""


def surface_of(
    display: Display, title: str, size: tuple[int, int], offscreen: bool, full_screen: bool
) -> Surface:
    """Return a window, or a picture buffer in its place; raise DisplayError if it does not open."""
    if offscreen:
        return Backroom(display, size)
    return OnscreenWindow(display, title, size, full_screen)


def with_screen_switched(surface: Surface, liked: Settings) -> Settings:
    """Switch a window to or from full screen; return the settings with that."""
    surface.fill_screen(not surface.full_screen)
    return replace(liked, full_screen=surface.full_screen)


def with_size_of(surface: Surface, liked: Settings) -> Settings:
    """Return the settings with the size of a window, for the next window."""
    width, height = surface.size
    return replace(liked, width=width, height=height)
