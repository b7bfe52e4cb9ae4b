"""All text over the picture of a battle, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from emlia3d.battle.questions.highlights import Highlight
from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.highlights import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSummary:
    """One side in the title bar: its name, its colour "#rrggbb", and what is left of it."""

    name: str
    colour: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A line of the news: what happened, and the slugs of the rules that made it so."""

    text: str
    because: tuple[str, ...] = ()


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
class HudState:
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
    sides: tuple[SideSummary, ...]
    step: int
    steps: int
    turn_starts: tuple[int, ...]
    playing: bool
    speed: float
    news: tuple[LogLine, ...] = ()
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
