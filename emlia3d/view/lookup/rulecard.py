"""The card of a rule, which opens from its slug anywhere in the window."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.layout.dock import left_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, inner_width, pair_rows, text_rows
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, INK, PALE
from emlia3d.view.rules import RulePage

BUTTON = "rule"
WIDTH, LINE = 470, 17


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCard:
    """A rule on display.

    page : None for a slug without an entry
    pinned : whether it stays open without the cursor on its slug
    """

    slug: str
    page: RulePage | None
    pinned: bool


def rule_pane(sheet: Draft, card: RuleCard) -> Pane:
    """Return a rule as a pane for the left dock."""
    width = left_width(sheet, WIDTH)
    inner = inner_width(sheet, width)
    page = card.page
    title = card.slug if page is None or not page.title else page.title
    pane = Pane(f"rule {card.slug}", width, glass=DEEP_GLASS)
    pane.head += text_rows(sheet, title, inner, size=14, line=LINE + 2, colour=INK, bold=True)
    pane.head += text_rows(sheet, card.slug, inner, size=11, line=LINE, colour=AMBER)
    texts = ["No entry of this name."] if page is None else page.paragraphs
    for text in texts:
        pane.body += text_rows(sheet, text, inner, line=LINE, colour=INK)
    for label, value in () if page is None else page.rows:
        pane.body += pair_rows(sheet, label, value, inner, label_colour=PALE, colour=INK, line=LINE)
    close = "Esc closes" if card.pinned else "Press the name to keep this open"
    pane.foot += text_rows(sheet, close, inner, size=10, line=LINE, colour=PALE)
    return pane
