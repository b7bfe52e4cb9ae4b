"""The card of a rule: opened by its slug, wherever that stands in the window."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, INK, PALE, Rect, wrapped
from emlia3d.view.rules import RulePage

BUTTON = "rule"
WIDTH, LINE, PAD = 470, 17, 12
MOST_WRAPPED = 40
SPARSE = 8
"""Lines of room below which the title has one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCard:
    """A rule as it is shown.

    page : None for a slug without an entry
    pinned : whether it stays open without the cursor on its slug
    """

    slug: str
    page: RulePage | None
    pinned: bool


def draw_rule(sheet: Draft, card: RuleCard, top: float, floor: float) -> Rect:
    """Draw a rule at the left, its lower edge at *floor*; lines without room are left out."""
    pad, line = sheet.px(PAD), sheet.px(LINE)
    width = min(float(sheet.px(WIDTH)), 0.46 * sheet.width)
    inner = width - 2 * pad
    page = card.page
    title = card.slug if page is None or not page.title else page.title
    room = int((floor - top - sheet.px(20) - 2 * pad) // line)
    head = wrapped(title, inner, sheet.px(14), sheet.measure, most=1 if room < SPARSE else 2)
    texts = ["No entry of this name."] if page is None else list(page.paragraphs)
    body: list[str] = []
    for text in texts:
        body += wrapped(text, inner, sheet.px(12), sheet.measure, most=MOST_WRAPPED)
    rows = () if page is None else page.rows[: max(room - len(head) - 3, 0)]
    close = "Esc closes" if card.pinned else "Press the name to keep this open"
    body = body[: max(room - len(head) - len(rows) - 2, 0)]
    height = (len(head) + len(body) + len(rows) + 2) * line + 2 * pad
    rect = Rect(sheet.px(10), floor - sheet.px(10) - height, width, height)
    sheet.panel(rect, DEEP_GLASS)
    x, y = rect.x + pad, rect.y + pad + sheet.px(12)
    for text in head:
        sheet.write(x, y, text, size=14, bold=True, within=inner)
        y += line
    sheet.write(x, y, card.slug, size=11, colour=AMBER, within=inner)
    y += line
    for text in body:
        sheet.write(x, y, text, size=12, colour=INK, within=inner)
        y += line
    for label, value in rows:
        wide = sheet.write(x, y, label, size=12, colour=PALE, within=0.4 * inner)
        left = inner - wide - sheet.px(10)
        sheet.write(x + inner, y, value, size=12, align="right", within=left)
        y += line
    sheet.write(x, y, close, size=10, colour=PALE, within=inner)
    return rect
