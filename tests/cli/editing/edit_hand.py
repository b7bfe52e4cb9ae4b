"""Someone at the editor's window: a scenario on a picture buffer, mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from panda3d.core import ButtonRegistry, MouseButton

from emlia3d.cli.editing.edit_window import opened_editor
from emlia3d.cli.editing.edited_file import EditedFile
from emlia3d.view.editing.edited_scenario import Place
from emlia3d.view.panda.edit_app import EditApp
from tests.view.panda.window_driver import Hand, drawing

SIZE = (960, 540)


class EditHand(Hand):
    """A hand over the editor; places are in GSU."""

    _app: EditApp  # type: ignore[assignment]

    def __init__(self, scenario: str | None, size: tuple[int, int] = SIZE, **wishes: Any) -> None:
        self.edited = EditedFile(opened_editor(scenario, **wishes))
        with drawing():
            self.app = EditApp(self.edited, offscreen=True, size=size)
        super().__init__(self.app)  # type: ignore[arg-type]
        self.session = self.app.session
        self.app.step(0.1)

    def look_down(self) -> None:
        """See the field as a map."""
        self.press("y")
        self.app.step(0.1)

    def at(self, place: Place) -> None:
        """Click on a place of the ground."""
        self.click(*self.app.pixel_of(place))

    def drag(self, start: Place, end: Place) -> None:
        """Drag from one place of the ground to another."""
        self.begin_drag(start, end)
        self.let_go(MouseButton.one())

    def begin_drag(self, start: Place, end: Place) -> None:
        """Drag, and keep the button down."""
        self.point(*self.app.pixel_of(start))
        self.hold(MouseButton.one())
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        self.point(*self.app.pixel_of(middle))
        self.point(*self.app.pixel_of(end))

    def click_button(self, name: str) -> None:
        """Click a button; turn the wheel over its pane until it is in sight."""
        for _ in range(60):
            rect = dict(self.app.layout.buttons).get(name)
            if rect is not None:
                self.click(rect.x + rect.w / 2, rect.y + rect.h / 2)
                return
            self._scroll_on()
        raise AssertionError(f"no button {name}; there are {dict(self.app.layout.buttons)}")

    def _scroll_on(self) -> None:
        for area in self.app.layout.scrolls:
            if area.first < area.most:
                self.point(area.rect.x + area.rect.w / 2, area.rect.y + area.rect.h / 2)
                self.press("wheel_down")

    def with_control(self, *keys: str) -> None:
        """Press keys while Control is held; the last one is let go first."""
        buttons = [ButtonRegistry.ptr().get_button(key) for key in ("control", *keys)]
        for button in buttons:
            self.hold(button)
        for button in reversed(buttons):
            self.let_go(button)

    def with_shift(self) -> AbstractContextManager[None]:
        """Hold Shift while a block runs."""

        @contextmanager
        def held() -> Iterator[None]:
            button = ButtonRegistry.ptr().get_button("shift")
            self.hold(button)
            yield
            self.let_go(button)

        return held()

    @property
    def units(self) -> tuple[Any, ...]:
        """The tables of units."""
        return self.edited.tables("unit")


def inside(folder: Path) -> set[str]:
    """Return the names of the files in a folder."""
    return {path.name for path in folder.iterdir()}


Open = Callable[..., EditHand]
"""Opens the editor's window: see the fixture `open_window`."""
