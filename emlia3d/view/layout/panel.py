"""The parts of a layout of panels, in pixels from the top left of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from emlia3d.view.colours import Colour

Measure: TypeAlias = Callable[[str, int, bool], float]
"""The width of a text in pixels, by its size in pixels and whether it is bold."""

Align = Literal["left", "centre", "right"]

GLASS: Colour = (0.055, 0.065, 0.08, 0.80)
DEEP_GLASS: Colour = (0.055, 0.065, 0.08, 0.92)
RIDGE: Colour = (1.0, 1.0, 1.0, 0.10)
INK: Colour = (0.93, 0.93, 0.90, 1.0)
PALE: Colour = (0.68, 0.69, 0.69, 1.0)
DIM: Colour = (0.50, 0.52, 0.54, 1.0)
AMBER: Colour = (0.96, 0.72, 0.28, 1.0)
ALARM: Colour = (0.55, 0.10, 0.08, 0.94)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCard:
    """A selected unit: its name, the colour of its side, and (label, value) rows.

    deeds : rows about its last action, its order and reason, and known enemies; can be long
    """

    name: str
    colour: str
    rows: tuple[tuple[str, str], ...]
    deeds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Rect:
    """Left, top, width and height, pixels."""

    x: float
    y: float
    w: float
    h: float

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is inside, including the left and top edges."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def inset(self, by: float) -> Rect:
        """Return the rectangle, smaller on all sides."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@dataclass(frozen=True, slots=True)
class PanelShape:
    """A filled convex polygon."""

    corners: tuple[tuple[float, float], ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; x is its left edge, centre or right edge, y its baseline."""

    x: float
    y: float
    text: str
    size: int
    colour: Colour
    align: Align = "left"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class PanelPicture:
    """A small picture from a file that fills a rectangle; unreadable files are ignored."""

    path: Path
    rect: Rect


@dataclass(frozen=True, slots=True)
class ScrollArea:
    """A panel with more rows than fit.

    name : of the panel; first : first visible row; most : last possible first row
    """

    name: str
    rect: Rect
    first: int
    most: int

    def after(self, rows: int) -> int:
        """Return the first row shown after scrolling *rows* rows down."""
        return min(max(self.first + rows, 0), self.most)


@dataclass(frozen=True, slots=True)
class Layout:
    """Shapes from back to front, texts over them, and buttons.

    panels : parts that cover the picture; a click there does not reach the field
    small_map : rectangle of the minimap; None if it is not shown
    scrolls : panels with more rows than fit
    pictures : over the shapes
    """

    shapes: tuple[PanelShape, ...]
    texts: tuple[Text, ...]
    panels: tuple[Rect, ...]
    buttons: tuple[tuple[str, Rect], ...]
    timeline: Rect
    small_map: Rect | None = None
    scrolls: tuple[ScrollArea, ...] = ()
    pictures: tuple[PanelPicture, ...] = ()

    def button_at(self, x: float, y: float) -> str | None:
        """Return the name of the button at a point."""
        return next((name for name, rect in self.buttons if rect.holds(x, y)), None)

    def scroll_at(self, x: float, y: float) -> ScrollArea | None:
        """Return the scrolled panel at a point."""
        return next((area for area in self.scrolls if area.rect.holds(x, y)), None)

    def covers(self, x: float, y: float) -> bool:
        """Return whether a panel covers a point."""
        return any(panel.holds(x, y) for panel in self.panels)


def share_at(timeline: Rect, x: float) -> float:
    """Return the position along the timeline, 0 to 1, nearest to *x*."""
    return min(max((x - timeline.x) / timeline.w, 0.0), 1.0)


def shortened(text: str, width: float, size: int, bold: bool, measure: Measure) -> str:
    """Return the text, shortened with an ellipsis if it is too wide."""
    if measure(text, size, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + "...", size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "..."


def wrapped(
    text: str, width: float, size: int, measure: Measure, most: int, *, bold: bool = False
) -> tuple[str, ...]:
    """Return the text in at most *most* lines; the last is cut if too long."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = 1
        while count < len(words) and measure(" ".join(words[: count + 1]), size, bold) <= width:
            count += 1
        lines.append(" ".join(words[:count]))
        words = words[count:]
    if words:
        lines.append(" ".join(words))
    return tuple(shortened(line, width, size, bold, measure) for line in lines)
