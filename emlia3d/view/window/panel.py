"""What is told over the picture, and what a drawing of it is made of. Pixels from the top left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from emlia3d.battle.highlights import Highlight
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.highlights import Moment

Colour: TypeAlias = tuple[float, float, float, float]
Measure: TypeAlias = Callable[[str, int, bool], float]
"""How wide a text is in pixels, by its size in pixels and whether it is bold."""

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
class SideLine:
    """One side in the title bar: its name, its colour "#rrggbb", and what is left of it."""

    name: str
    colour: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A line of the news: what happened, and the slugs of the rules that made it so."""

    text: str
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCard:
    """A chosen unit: its name, the colour of its side, and (label, value) rows.

    deeds : what it did last, was ordered and why, and whom it knows of; as rows, and long
    """

    name: str
    colour: str
    rows: tuple[tuple[str, str], ...]
    deeds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KindsCard:
    """The kinds of turning points: (key, kind, how many there are, whether they are marked)."""

    rows: tuple[tuple[str, Highlight, int, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookmarksCard:
    """The bookmarks: (name, when, note), and which of them is chosen; None for none.

    file : where they are kept
    """

    rows: tuple[tuple[str, str, str], ...]
    chosen: int | None
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesCard:
    """The files that may be opened: (name, what is in it), and which of them is chosen."""

    rows: tuple[tuple[str, str], ...]
    chosen: int


Drawer: TypeAlias = KindsCard | BookmarksCard | FilesCard
"""A list that opens over the timeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A line that is being written: what it is, and what it says so far."""

    label: str
    text: str
    usual: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Everything that is told over the picture.

    turn : in words; news : oldest first, the last is what happens now
    step, steps : which step is shown, and how many there are by now
    turn_starts : the step that begins each turn
    highlights : the turning points that are marked on the timeline; bookmarks : steps with one
    drawer : the list that is open beside the timeline; prompt : what is asked for and written
    sight : what the sight tool says, while it is in use; news and card make room for it
    orders : the question that is put, while one is; curtain : what hides everything
    small_map : the field's width over its height where the small map is shown, None where not
    chart_key : what the ground's colours mean: (colour "#rrggbb", words) each
    text_size : of letters and all panels, of the usual size; stark : for high contrast
    """

    title: str
    turn: str
    sides: tuple[SideLine, ...]
    step: int
    steps: int
    turn_starts: tuple[int, ...]
    playing: bool
    speed: float
    news: tuple[Told, ...] = ()
    card: UnitCard | None = None
    sight: SightCard | None = None
    help: bool = False
    notice: str = ""
    alarm: str = ""
    orders: OrderCard | None = None
    curtain: Curtain | None = None
    small_map: float | None = None
    chart_key: tuple[tuple[str, str], ...] = ()
    text_size: float = 1.0
    stark: bool = False
    highlights: tuple[Moment, ...] = ()
    bookmarks: tuple[int, ...] = ()
    drawer: Drawer | None = None
    prompt: Prompt | None = None


@dataclass(frozen=True, slots=True)
class Rect:
    """Left, top, width and height, pixels."""

    x: float
    y: float
    w: float
    h: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a place lies in it, left and top edge included."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def inset(self, by: float) -> Rect:
        """The same, smaller on all sides."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled convex polygon."""

    corners: tuple[tuple[float, float], ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line; x is its left edge, middle or right edge, y its baseline."""

    x: float
    y: float
    text: str
    size: int
    colour: Colour
    align: Align = "left"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Shapes from back to front, texts over them, and what a click on a place does.

    panels : what covers the picture; a click there does not reach the field
    small_map : where that lies; None while it is not shown
    """

    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]
    panels: tuple[Rect, ...]
    buttons: tuple[tuple[str, Rect], ...]
    timeline: Rect
    small_map: Rect | None = None

    def button_at(self, x: float, y: float) -> str | None:
        """The name of the button under a place."""
        return next((name for name, rect in self.buttons if rect.holds(x, y)), None)

    def covers(self, x: float, y: float) -> bool:
        """Whether a panel lies under a place."""
        return any(panel.holds(x, y) for panel in self.panels)


def share_at(timeline: Rect, x: float) -> float:
    """How far along the timeline a place lies, 0 to 1; beyond its ends, the nearest of them."""
    return min(max((x - timeline.x) / timeline.w, 0.0), 1.0)


def colour_of(text: str, alpha: float = 1.0) -> Colour:
    """A colour "#rrggbb"."""
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue, alpha


def shortened(text: str, width: float, size: int, bold: bool, measure: Measure) -> str:
    """The text, cut with an ellipsis where it is too wide."""
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


def wrapped(text: str, width: float, size: int, measure: Measure, most: int) -> tuple[str, ...]:
    """The text in at most so many lines; the last is cut where it is still too long."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = 1
        while count < len(words) and measure(" ".join(words[: count + 1]), size, False) <= width:
            count += 1
        lines.append(" ".join(words[:count]))
        words = words[count:]
    if words:
        lines.append(" ".join(words))
    return tuple(shortened(line, width, size, False, measure) for line in lines)
