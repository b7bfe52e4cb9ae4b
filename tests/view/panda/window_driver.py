"""Someone at mouse and keys: what the tests move in a window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from panda3d.core import ButtonHandle, ButtonRegistry, EventParameter, EventQueue, MouseButton
from panda3d.core import Event as PandaEvent

from emlia3d.errors import DisplayError
from emlia3d.view.panda.app import App
from emlia3d.view.panda.window import Backroom

SIZE = (640, 360)


@contextmanager
def drawing() -> Iterator[None]:
    """What draws: the test is left out on a machine where nothing can."""
    try:
        yield
    except DisplayError as flaw:
        pytest.skip(str(flaw))


def opened(*battle: Any, size: tuple[int, int] = SIZE, **wishes: Any) -> App:
    """A window on a picture buffer."""
    with drawing():
        return App(*battle, offscreen=True, size=size, **wishes)


class Hand:
    """Someone at mouse and keys."""

    def __init__(self, app: App) -> None:
        assert isinstance(app.surface, Backroom)
        self._app = app
        self._mouse = app.surface.input
        self._mouse.set_mouse_on(True)

    def point(self, x: float, y: float) -> None:
        self._mouse.set_mouse_pos(round(x), round(y))
        self._app.step(0.0)

    def hold(self, button: ButtonHandle) -> None:
        self._mouse.press_button(button)
        self._app.step(0.0)

    def let_go(self, button: ButtonHandle) -> None:
        self._mouse.release_button(button)
        self._app.step(0.0)

    def click(self, x: float, y: float) -> None:
        self.point(x, y)
        self.hold(MouseButton.one())
        self.let_go(MouseButton.one())

    def press(self, key: str) -> None:
        button = ButtonRegistry.ptr().get_button(key)
        self.hold(button)
        self.let_go(button)

    def write(self, words: str) -> None:
        """As a keyboard does: a key goes down, and with it comes a letter."""
        prefix = self._app._controls._prefix
        for letter in words:
            if letter.isascii():
                self.hold(ButtonRegistry.ptr().get_button(letter.replace(" ", "space")))
            written = PandaEvent(prefix + "keystroke")
            written.add_parameter(EventParameter(letter))
            EventQueue.get_global_event_queue().queue_event(written)
            self._app.step(0.1)
            if letter.isascii():
                self.let_go(ButtonRegistry.ptr().get_button(letter.replace(" ", "space")))

    def click_within_a_frame(self, x: float, y: float, after: str = "") -> None:
        """A key perhaps, then a click, all of them before the window looks again."""
        self._mouse.set_mouse_pos(round(x), round(y))
        keys = [ButtonRegistry.ptr().get_button(after)] if after else []
        for button in (*keys, MouseButton.one()):
            self._mouse.press_button(button)
            self._mouse.release_button(button)
        self._app.step(0.0)

    def click_button(self, name: str) -> None:
        rect = dict(self._app._mouse.layout.buttons)[name]
        self.click(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def click_unit(self, unit: int) -> None:
        banner = self._app._showing.scene.banners[unit]
        ground = self._app._showing.scene.terrain.height(banner.x_m, banner.y_m)
        foot = np.array([[banner.x_m, banner.y_m, ground + banner.lift_m + 0.8]])
        self.click(*self._app._stage.project(foot)[0])
