"""Contents of the panels of the editor's window."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.text_entry.text_line import Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRow:
    """A row of a pane: a text with its buttons.

    value : at the right; button : the name of the row as a button, "" for none
    less, more : names of the buttons "-" and "+" at the right, "" for none
    colour : "#rrggbb" of a chip before it, "" for none
    chosen : whether it is highlighted; tone : "head", "plain", "dim", "alarm" or "amber"
    """

    text: str
    value: str = ""
    button: str = ""
    less: str = ""
    more: str = ""
    colour: str = ""
    chosen: bool = False
    tone: str = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPaneCard:
    """A pane: its name, its title, and its rows; the first *fixed* rows are not scrolled."""

    name: str
    title: str
    rows: tuple[EditRow, ...]
    fixed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EditStatus:
    """Texts and buttons of the panels.

    actions : of the title bar: (name of the button, word, key)
    tools : (name of the button, title, digit, whether it is active)
    left, right : panes from top to bottom; findings : errors and advice
    sight : the answer about two units; None without one
    hint : about the mouse; cursor : the point under it
    """

    title: str
    file: str
    saved: bool
    actions: tuple[tuple[str, str, str], ...]
    tools: tuple[tuple[str, str, str, bool], ...]
    left: tuple[EditPaneCard, ...]
    right: tuple[EditPaneCard, ...]
    findings: EditPaneCard
    sight: SightCard | None
    prompt: Prompt | None
    hint: str
    cursor: str = ""
    notice: str = ""
    alarm: str = ""
    text_size: float = 1.0
    stark: bool = False
    scrolled: tuple[tuple[str, int], ...] = ()
