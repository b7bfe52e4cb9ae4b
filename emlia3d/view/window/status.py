"""All text over the picture of a battle, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from emlia3d.battle.questions.highlights import Highlight
from emlia3d.view.actions.key_map import DEFAULT_KEYS, KeyMap
from emlia3d.view.actions.menu import MenuCard
from emlia3d.view.actions.window_actions import Tool
from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.lookup.rulecard import RuleCard
from emlia3d.view.orders.context_menu import ContextCard
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.results.results_card import ResultsCard
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.text_entry.text_line import Prompt
from emlia3d.view.window.highlights import KeyEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSummary:
    """One side in the title bar: its name, its colour "#rrggbb", and its remaining strength."""

    name: str
    colour: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A line of the log: an event, and the slugs of its rules.

    step : of the event
    """

    text: str
    because: tuple[str, ...] = ()
    step: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KindsCard:
    """The kinds of key events: (key, kind, number, whether they are marked)."""

    rows: tuple[tuple[str, Highlight, int, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookmarksCard:
    """The bookmarks: (name, when, note), and the selected one; None for none.

    file : in which they are stored
    """

    rows: tuple[tuple[str, str, str], ...]
    chosen: int | None
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesCard:
    """The files that can be opened: (name, contents), and the selected one.

    pictures : files with a small picture of each, None for none; () for none at all
    """

    rows: tuple[tuple[str, str], ...]
    chosen: int
    pictures: tuple[Path | None, ...] = ()


Drawer: TypeAlias = KindsCard | BookmarksCard | FilesCard
"""A list that opens over the timeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HudState:
    """All text and panels over the picture.

    turn : as text; news : oldest first, the last is the current event
    step, steps : the shown step, and the number of steps so far
    turn_starts : the step that begins each turn
    highlights : the key events on the timeline; bookmarks : steps with one
    drawer : the list open beside the timeline; prompt : the input line
    rule : the looked-up rule; tool : the active tool; keys : of all actions
    results : the results of the battle, while open; menu : the menu, while open
    context : the context menu, while open
    scrolled : the panels that were scrolled, each with the first row shown
    sight : the sight tool's text, while it is in use; log and card make room for it
    orders : the open question, if any; curtain : hides everything
    small_map : the field's width over its height, None without the minimap
    chart_key : meanings of the ground's colours: (colour "#rrggbb", words) each
    text_size : of text and all panels, 1 is normal; stark : for high contrast
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
    highlights: tuple[KeyEvent, ...] = ()
    bookmarks: tuple[int, ...] = ()
    drawer: Drawer | None = None
    prompt: Prompt | None = None
    rule: RuleCard | None = None
    tool: Tool = ""
    keys: KeyMap = DEFAULT_KEYS
    results: ResultsCard | None = None
    menu: MenuCard | None = None
    context: ContextCard | None = None
    scrolled: tuple[tuple[str, int], ...] = ()
