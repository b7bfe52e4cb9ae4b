"""The layout of panels over the picture: pure, in pixels from the top left.

Nothing overlaps at any window size from 640 x 360 upwards. Panels stand at the left, at the
right and along the edges; the middle stays free.
"""

from __future__ import annotations

from emlia3d.view.actions.key_list import draw_keys
from emlia3d.view.actions.menu_pane import draw_menu_button, menu_button_width, menu_pane
from emlia3d.view.colours import Colour
from emlia3d.view.layout.chartkey import key_pane
from emlia3d.view.layout.dock import GAP, RIGHT, Dock, left_width
from emlia3d.view.layout.drafting import Draft, draft_of
from emlia3d.view.layout.pane import Pane, pane_height
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
from emlia3d.view.lookup.rulecard import rule_pane
from emlia3d.view.orders.contextsheet import draw_context
from emlia3d.view.orders.ordersheet import draw_curtain, orders_pane
from emlia3d.view.results.results_sheet import draw_results
from emlia3d.view.sight.sightsheet import answer_pane, colours_pane
from emlia3d.view.window.cardsheet import card_pane
from emlia3d.view.window.drawers import draw_prompt, drawer_pane
from emlia3d.view.window.hints import hints_of
from emlia3d.view.window.logsheet import log_pane
from emlia3d.view.window.status import HudState
from emlia3d.view.window.timeline_bar import draw_transport

FEW = 3
"""Number of events in the log beside a list of orders, a rule or a key of colours."""

KEY_DESIGN = 300
"""Maximum width of the key of colours, pixels of the design."""

MAP_DESIGN, FRAME = (230, 175), 3
LEAST_OVER_MAP, LEAST_MAP = 150, 60
"""Maximum size of the minimap, width of its frame, minimum height above it, and its own minimum
height."""

STRIP, BARS_ABOVE = 26, 58
"""Height of a message under the title bar, and of both together, with or without a message."""


def layout(status: HudState, size: tuple[int, int], measure: Measure) -> Layout:
    """Return the layout of *status* in a window of *size* pixels."""
    sheet = draft_of(size, measure, status.text_size, stark=status.stark)
    sheet.scrolled = dict(status.scrolled)
    if status.curtain is not None:
        draw_curtain(sheet, status.curtain)
        return sheet.layout(Rect(0, 0, 0, 0))
    top, in_bar = _title_bar(sheet, status)
    timeline, floor = draw_transport(sheet, status)
    if status.prompt is not None:
        top = draw_prompt(sheet, status.prompt, top)
    if status.alarm:
        top = _strip(sheet, top, status.alarm, ALARM)
    elif status.notice and not in_bar:
        top = _strip(sheet, top, status.notice, GLASS)
    if status.help and status.menu is None:
        draw_keys(sheet, status.keys, top, floor)
        return sheet.layout(timeline)
    floor = _hint(sheet, status, floor)
    if status.results is not None and status.menu is None:
        draw_results(sheet, status.results, top, floor)
        return sheet.layout(timeline)
    chart, foot = _small_map(sheet, status, floor)
    _left(sheet, status, top, floor)
    Dock(True, top, foot).draw(sheet, _at_right(sheet, status))
    if status.context is not None:
        frame = None if chart is None else chart.inset(-sheet.px(FRAME))
        draw_context(sheet, status.context, Rect(0, top, sheet.width, floor - top), frame)
    return sheet.layout(timeline, chart)


def _left(sheet: Draft, status: HudState, top: float, floor: float) -> None:
    """Draw the log, a rule and the key of colours at the lower left, and orders above them.

    An open menu replaces the orders, and everything else if it needs the room.
    """
    roomy = not any((status.orders, status.menu, status.rule, status.chart_key))
    panes = [] if status.rule is None else [rule_pane(sheet, status.rule)]
    if status.sight is not None:
        panes.append(colours_pane(sheet, status.sight))
    else:
        panes.append(log_pane(sheet, status.news if roomy else status.news[-FEW:]))
    if status.chart_key:
        panes.append(key_pane(sheet, status.chart_key, left_width(sheet, KEY_DESIGN)))
    if status.menu is not None:
        menu = menu_pane(sheet, status.menu)
        wanted = sum(pane_height(sheet, pane) + sheet.px(GAP) for pane in panes)
        fits = wanted + pane_height(sheet, menu) + 2 * sheet.px(GAP) <= floor - top
        Dock(False, top, floor).draw(sheet, (menu,), panes if fits else ())
        return
    upper = [] if status.orders is None or status.sight else [orders_pane(sheet, status.orders)]
    Dock(False, top, floor).draw(sheet, upper, panes)


def _at_right(sheet: Draft, status: HudState) -> list[Pane]:
    """Return the answer of the sight tool or the card of a unit, and the list that is open."""
    panes = [] if status.drawer is None else [drawer_pane(sheet, status.drawer, status.keys)]
    if status.sight is not None:
        panes.insert(0, answer_pane(sheet, status.sight))
    elif status.card is not None:
        panes.insert(0, card_pane(sheet, status.card))
    return panes


def _title_bar(sheet: Draft, status: HudState) -> tuple[float, bool]:
    """Draw menu, title and turn at the left, sides at the right, and a message between if it fits.

    Return its lower edge, and whether it has the message. Panes then keep their position, so that
    no order moves away from the cursor when the message ends.
    """
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
    turn = sheet.measure(status.turn, sheet.px(13), False) + sheet.px(16)
    wanted = sheet.measure(status.title, sheet.px(15), True) + turn
    menu = menu_button_width(sheet, labelled=True)
    labelled = sheet.px(8) + menu + gap + wanted <= right
    left = draw_menu_button(sheet, bar, opened=status.menu is not None, labelled=labelled) + gap
    room = max(right - left - gap, 1.0)
    shown = max(room - turn, 0.3 * room)
    wide = sheet.write(left, base, status.title, size=15, bold=True, within=shown)
    after = left + wide + sheet.px(16)
    turned = sheet.write(after, base, status.turn, colour=AMBER, within=max(right - after, 1.0))
    start = after + turned + 2 * gap
    fits = start + sheet.measure(status.notice, sheet.px(13), False) <= right
    if fits and status.notice:
        sheet.write(start, base, status.notice, colour=PALE)
    return bar.h, fits


def _strip(sheet: Draft, top: float, text: str, colour: Colour) -> float:
    """Draw one line directly under the title bar; return its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(STRIP))
    sheet.panel(bar, colour)
    sheet.write(sheet.px(14), top + sheet.px(17), text, within=bar.w - sheet.px(28))
    return top + bar.h


def _hint(sheet: Draft, status: HudState, floor: float) -> float:
    """Draw the relevant keys along the bottom, as many as fit; return the upper edge."""
    strip = Rect(0, floor - sheet.px(22), sheet.width, sheet.px(22))
    sheet.panel(strip, (0.055, 0.065, 0.08, 0.62))
    x, base = float(sheet.px(14)), strip.y + sheet.px(15)
    gap, size = sheet.px(18), sheet.px(11)
    for key, meaning in hints_of(status):
        wide = sheet.measure(f"{key} {meaning}", size, False) + sheet.px(4)
        if x + wide > sheet.width - sheet.px(14):
            break
        x += sheet.write(x, base, key, size=11, colour=AMBER) + sheet.px(6)
        x += sheet.write(x, base, meaning, size=11, colour=PALE) + gap
    return strip.y


def _small_map(sheet: Draft, status: HudState, floor: float) -> tuple[Rect | None, float]:
    """Draw the minimap's frame at the lower right; return its place, and the floor above it.

    Its position depends only on the window and the text size. It is not shown if panes
    above it would have too little room.
    """
    shape, frame = status.small_map, sheet.px(FRAME)
    if shape is None:
        return None, floor
    widest = min(float(sheet.px(MAP_DESIGN[0])), RIGHT * sheet.width - 2 * frame)
    above = sheet.px(BARS_ABOVE) + sheet.px(LEAST_OVER_MAP)
    free = floor - above - sheet.px(GAP) - 2 * frame
    highest = min(float(sheet.px(MAP_DESIGN[1])), 0.3 * sheet.height, free)
    if highest < sheet.px(LEAST_MAP):
        return None, floor
    width = round(min(widest, highest * shape))
    height = round(width / shape)
    rect = Rect(sheet.width - sheet.px(GAP) - frame - width,
                floor - sheet.px(GAP) - frame - height, width, height)  # fmt: skip
    sheet.panel(rect.inset(-frame), DEEP_GLASS)
    return rect, rect.y - frame
