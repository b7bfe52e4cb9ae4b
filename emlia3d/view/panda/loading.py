"""The loading screen: the title of a battle and the current part of its preparation."""

from __future__ import annotations

from emlia3d.view.layout.drafting import draft_of
from emlia3d.view.layout.panel import AMBER, PALE, RIDGE, Layout, Measure, Rect
from emlia3d.view.panda.labels.hud import Hud
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.panda.window import CLOTH, Surface

PARTS = ("The battle", "Ground, figures and panels")
"""The parts of the preparation, in order."""

FRAMES = 2
"""Number of frames for each part, because of double buffering."""


class LoadingScreen:
    """Screen that covers a window until its battle is ready."""

    def __init__(self, surface: Surface, title: str, text_size: float) -> None:
        self._surface = surface
        self._title = title
        self._text_size = text_size
        surface.output.set_clear_color(CLOTH)  # a driver can draw its first frame without shapes
        self._hud = Hud(surface.output)

    def show(self, part: int) -> None:
        """Show the current part of the preparation, a row of `PARTS`."""
        output = self._surface.output
        size = output.get_x_size(), output.get_y_size()
        self._hud.show(loading_layout(self._title, part, size, width_px, self._text_size))
        for _ in range(FRAMES):
            self._surface.draw(True)

    def close(self) -> None:
        """Remove the screen."""
        self._hud.close()


def loading_layout(
    title: str, part: int, size: tuple[int, int], measure: Measure, text_size: float = 1.0
) -> Layout:
    """Return the screen: the title, a bar for each part that is ready, and the part in words."""
    sheet = draft_of(size, measure, text_size)
    sheet.panel(Rect(0, 0, sheet.width, sheet.height), CLOTH)
    middle, base = sheet.width / 2, 0.45 * sheet.height
    sheet.write(middle, base, title, size=24, bold=True, align="centre", within=0.9 * sheet.width)
    wide = 0.36 * sheet.width
    bar = Rect(middle - wide / 2, base + sheet.px(24), wide, sheet.px(5))
    sheet.box(bar, RIDGE)
    sheet.box(Rect(bar.x, bar.y, wide * (part + 0.5) / len(PARTS), bar.h), AMBER)
    below = bar.y + sheet.px(28)
    sheet.write(middle, below, PARTS[part], size=13, colour=PALE, align="centre")
    return sheet.layout(Rect(0, 0, 0, 0))
