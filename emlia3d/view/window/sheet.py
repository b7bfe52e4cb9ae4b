"""The layout of panels over the picture: pure, in pixels from the top left.

Nothing overlaps at any window size from 640 x 360 upwards.
"""

from __future__ import annotations

from dataclasses import replace

from emlia3d.view.colours import Colour
from emlia3d.view.layout.chartkey import draw_key
from emlia3d.view.layout.drafting import Draft, draft_of
from emlia3d.view.layout.panel import (
    ALARM,
    AMBER,
    DEEP_GLASS,
    GLASS,
    PALE,
    Layout,
    Measure,
    Rect,
)
from emlia3d.view.lookup.rulecard import draw_rule
from emlia3d.view.orders.ordersheet import HINT as ORDER_HINT
from emlia3d.view.orders.ordersheet import draw_curtain, draw_orders
from emlia3d.view.sight.sightsheet import HINT as SIGHT_HINT
from emlia3d.view.sight.sightsheet import draw_answer, draw_colours
from emlia3d.view.window.cardsheet import card_height, card_left, draw_card
from emlia3d.view.window.drawers import draw_drawer, draw_prompt
from emlia3d.view.window.keysheet import draw_keys
from emlia3d.view.window.logsheet import draw_log
from emlia3d.view.window.rail import draw_transport
from emlia3d.view.window.status import HudState

HINT = "Space plays    Comma, Period step    Click a unit    V sight    F1 all keys"

FEW = 3
"""News that leave room for a list of orders, or for a rule."""

MAP_DESIGN = (230, 175)
LEAST_OVER_MAP = 150
"""Greatest size of the minimap, and the least height left above it."""


def layout(status: HudState, size: tuple[int, int], measure: Measure) -> Layout:
    """Return where everything of *status* goes in a window of *size* pixels."""
    sheet = draft_of(size, measure, status.text_size, stark=status.stark)
    if status.curtain is not None:
        draw_curtain(sheet, status.curtain)
        return sheet.layout(Rect(0, 0, 0, 0))
    top = _title_bar(sheet, status)
    timeline, floor = draw_transport(sheet, status)
    if status.prompt is not None:
        top = draw_prompt(sheet, status.prompt, top)
    if status.alarm:
        top = _strip(sheet, top, status.alarm, ALARM)
    elif status.notice:
        top = _strip(sheet, top, status.notice, GLASS)
    chart = None
    if status.help:
        draw_keys(sheet, top, floor)
    elif status.sight is not None:
        colours = draw_colours(sheet, status.sight, floor)
        hint = _beside(sheet, status, SIGHT_HINT, colours, top, floor)
        chart, above = _lower_right(sheet, status, top, hint, colours)
        draw_answer(sheet, status.sight, top, above)
        if status.rule is not None:
            draw_rule(sheet, status.rule, top, colours.y)
    else:
        roomy = status.orders is None and status.rule is None
        latest = status if roomy else replace(status, news=status.news[-FEW:])
        news = draw_log(sheet, latest.news, floor)
        words = HINT if status.orders is None else ORDER_HINT
        hint = _beside(sheet, status, words, news, top, floor)
        chart, above = _lower_right(sheet, status, top, hint, news)
        if status.rule is not None:
            draw_rule(sheet, status.rule, top, news.y)
        elif status.orders is not None:
            draw_orders(sheet, status.orders, top, news.y)
        if status.card is not None:
            draw_card(sheet, status.card, top, above)
    return sheet.layout(timeline, chart)


def _title_bar(sheet: Draft, status: HudState) -> float:
    """Title and turn at the left, sides at the right; returns its lower edge."""
    bar = Rect(0, 0, sheet.width, sheet.px(32))
    sheet.panel(bar)
    base, gap = sheet.px(21), sheet.px(14)
    right = sheet.width - gap
    for side in reversed(status.sides):
        right -= sheet.write(right, base, side.left, colour=PALE, align="right") + sheet.px(7)
        right -= sheet.write(right, base, side.name, align="right", bold=True) + sheet.px(7)
        swatch = Rect(right - sheet.px(12), base - sheet.px(11), sheet.px(12), sheet.px(12))
        sheet.chip(swatch, side.colour)
        right = swatch.x - sheet.px(20)
    room = max(right - 2 * gap, 1.0)
    wide = sheet.write(gap, base, status.title, size=15, bold=True, within=0.7 * room)
    after = gap + wide + sheet.px(16)
    sheet.write(after, base, status.turn, colour=AMBER, within=max(right - after, 1.0))
    return bar.h


def _strip(sheet: Draft, top: float, text: str, colour: Colour) -> float:
    """One line right under the title bar; returns its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(26))
    sheet.panel(bar, colour)
    sheet.write(sheet.px(14), top + sheet.px(17), text, within=bar.w - sheet.px(28))
    return top + bar.h


def _beside(
    sheet: Draft, status: HudState, hint: str, left: Rect, top: float, floor: float
) -> float:
    """Return the list that is open, or else a hint, at the lower right; returns its upper edge."""
    if status.drawer is not None:
        return draw_drawer(sheet, status.drawer, top, floor)
    return _hint(sheet, hint, left, floor)


def _hint(sheet: Draft, hint: str, beside: Rect, floor: float) -> float:
    """Return the keys that a newcomer needs, at the lower right; returns its upper edge."""
    wide = sheet.measure(hint, sheet.px(11), False) + sheet.px(20)
    rect = Rect(sheet.width - sheet.px(10) - wide, floor - sheet.px(32), wide, sheet.px(22))
    if rect.x < beside.x + beside.w + sheet.px(10):
        return floor
    sheet.panel(rect, (0.055, 0.065, 0.08, 0.55))
    sheet.write(rect.x + sheet.px(10), rect.y + sheet.px(15), hint, size=11, colour=PALE)
    return rect.y


def _lower_right(
    sheet: Draft, status: HudState, top: float, floor: float, beside: Rect
) -> tuple[Rect | None, float]:
    """Draw minimap and key of the ground; return the map's place and the free height above.

    The map makes way for a card that does not fit above it, where there is room left of the card.
    """
    chart = _small_map(sheet, status, top, floor)
    if chart is None:
        return None, floor
    free = beside.x + beside.w + sheet.px(10)
    frame, below = sheet.px(3), floor
    aside = replace(chart, x=card_left(sheet) - sheet.px(10) - frame - chart.w)
    wanted = 0.0 if status.card is None else card_height(sheet, status.card)
    if (
        status.sight is None
        and not status.chart_key
        and wanted > chart.y - frame - top
        and aside.x - frame >= max(free, sheet.width / 2)
    ):
        chart = aside
    else:
        foot = chart.y + chart.h + frame
        key = draw_key(sheet, status.chart_key, chart.x - sheet.px(13), foot, free)
        below = min(chart.y, key) - frame
    sheet.panel(chart.inset(-frame), DEEP_GLASS)
    return chart, below


def _small_map(sheet: Draft, status: HudState, top: float, floor: float) -> Rect | None:
    """Room for the small map at the lower right; None where what is over it would have too little.

    A list that is open takes its place.
    """
    shape = status.small_map
    if shape is None or status.drawer is not None:
        return None
    frame = sheet.px(3)
    widest = min(float(sheet.px(MAP_DESIGN[0])), 0.3 * sheet.width)
    highest = min(float(sheet.px(MAP_DESIGN[1])), 0.3 * sheet.height)
    width = round(min(widest, highest * shape))
    height = round(width / shape)
    rect = Rect(sheet.width - sheet.px(10) - frame - width, floor - sheet.px(10) - frame - height,
                width, height)  # fmt: skip
    return rect if rect.y - top >= sheet.px(LEAST_OVER_MAP) else None
