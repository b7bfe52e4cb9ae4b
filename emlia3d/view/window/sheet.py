"""How the panels over the picture are laid out: pure, in pixels from the top left.

Nothing overlaps at any window size from 640 x 360 upwards.
"""

from __future__ import annotations

from dataclasses import replace

from emlia3d.view.orders.ordersheet import HINT as ORDER_HINT
from emlia3d.view.orders.ordersheet import draw_curtain, draw_orders
from emlia3d.view.sight.sightsheet import HINT as SIGHT_HINT
from emlia3d.view.sight.sightsheet import draw_answer, draw_colours
from emlia3d.view.window.drafting import Draft, draft_of
from emlia3d.view.window.panel import (
    ALARM,
    AMBER,
    DEEP_GLASS,
    DIM,
    GLASS,
    INK,
    PALE,
    RIDGE,
    Colour,
    Layout,
    Measure,
    Rect,
    Shape,
    Status,
    UnitCard,
    colour_of,
    wrapped,
)

KEYS = (
    ("Space", "play, pause"),
    ("Period  Comma", "one step on, one back"),
    ("Page Down  Page Up", "next turn, this or last turn's start"),
    ("]  [", "faster, slower"),
    ("Click", "choose a unit"),
    ("N  P", "next unit, unit before"),
    ("Esc", "choose none; leave the tool"),
    ("Drag", "move the field"),
    ("Right drag", "turn and tilt"),
    ("Wheel", "nearer, farther"),
    ("W A S D, arrows", "move"),
    ("Q E   R F", "turn; tilt"),
    ("Home, H or 1", "the whole battle"),
    ("Y or 2", "the map"),
    ("C or 3", "the chosen unit's eyes"),
    ("V", "who sees whom: the sight tool"),
    ("Tab  X", "in it: the other unit; exchange them"),
    ("4", "in it: the whole sight corridor"),
    ("G", "in it: the ground seen from there, from the pointer"),
    ("-  =   B", "a lower, a taller figure on it; rules or straight lines"),
    ("M", "the measuring tape: click or Enter at both ends"),
    ("F2", "the ground: as it is, its relief, its slopes"),
    ("F12", "save a picture"),
    ("T", "take this battle over; take back all orders since"),
    ("1 to 9   0", "when asked: take an order in hand; more orders"),
    ("Click   J", "when asked: a place or a unit; another kind of order"),
    ("U I   Enter", "when asked: turn at the end of the move; give the order"),
    ("K L", "when asked: the doctrine: this; all of the turn"),
    ("Z", "take back the last order"),
)
HINT = "Space plays    Comma, Period step    Click a unit    V sight    F1 all keys"


FEW = 3
"""News that leave room for a list of orders."""


def layout(status: Status, size: tuple[int, int], measure: Measure) -> Layout:
    """Where everything of *status* goes in a window of *size* pixels."""
    sheet = draft_of(size, measure)
    if status.curtain is not None:
        draw_curtain(sheet, status.curtain)
        return sheet.layout(Rect(0, 0, 0, 0))
    top = _title_bar(sheet, status)
    timeline, floor = _transport(sheet, status)
    if status.alarm:
        top = _strip(sheet, top, status.alarm, ALARM)
    elif status.notice:
        top = _strip(sheet, top, status.notice, GLASS)
    if status.help:
        _keys(sheet, top, floor)
    elif status.sight is not None:
        colours = draw_colours(sheet, status.sight, floor)
        hint = _hint(sheet, SIGHT_HINT, colours, floor)
        draw_answer(sheet, status.sight, top, min(hint, floor))
    else:
        latest = status if status.orders is None else replace(status, news=status.news[-FEW:])
        news = _news(sheet, latest, floor)
        hint = _hint(sheet, HINT if status.orders is None else ORDER_HINT, news, floor)
        if status.orders is not None:
            draw_orders(sheet, status.orders, top, news.y)
        if status.card is not None:
            _card(sheet, status.card, top, min(hint, news.y))
    return sheet.layout(timeline)


def _title_bar(sheet: Draft, status: Status) -> float:
    """Title and turn at the left, sides at the right; returns its lower edge."""
    bar = Rect(0, 0, sheet.width, sheet.px(32))
    sheet.panel(bar)
    base, gap = sheet.px(21), sheet.px(14)
    right = sheet.width - gap
    for side in reversed(status.sides):
        right -= sheet.write(right, base, side.left, colour=PALE, align="right") + sheet.px(7)
        right -= sheet.write(right, base, side.name, align="right", bold=True) + sheet.px(7)
        swatch = Rect(right - sheet.px(12), base - sheet.px(11), sheet.px(12), sheet.px(12))
        sheet.box(swatch, INK)
        sheet.box(swatch.inset(1), colour_of(side.colour))
        right = swatch.x - sheet.px(20)
    room = max(right - 2 * gap, 1.0)
    wide = sheet.write(gap, base, status.title, size=15, bold=True, within=0.7 * room)
    after = gap + wide + sheet.px(16)
    sheet.write(after, base, status.turn, colour=AMBER, within=max(right - after, 1.0))
    return bar.h


def _transport(sheet: Draft, status: Status) -> tuple[Rect, float]:
    """Buttons, timeline and speed along the bottom; returns the timeline and its upper edge."""
    bar = Rect(0, sheet.height - sheet.px(44), sheet.width, sheet.px(44))
    sheet.panel(bar)
    size, gap = sheet.px(28), sheet.px(4)
    x, y = float(sheet.px(10)), bar.y + (bar.h - size) / 2
    for name in ("turn_back", "back", "toggle", "forward", "turn_forward"):
        rect = Rect(x, y, size, size)
        icon = "pause" if name == "toggle" and status.playing else name
        _button(sheet, name, rect, icon)
        x += size + gap
    right = sheet.width - sheet.px(10)
    for name, sign in (("help", "?"), ("faster", "+"), ("slower", "\u2212")):
        right -= size
        rect = Rect(right, y, size, size)
        _button(sheet, name, rect, None)
        sheet.write(right + size / 2, y + sheet.px(19), sign, align="centre", bold=True)
        right -= gap
    right -= sheet.px(40)
    middle = bar.y + sheet.px(27)
    sheet.write(right + sheet.px(20), middle, f"{status.speed:g}x", colour=PALE, align="centre")
    timeline = Rect(
        x + sheet.px(14), bar.y + sheet.px(6), right - x - sheet.px(28), bar.h - sheet.px(12)
    )
    _timeline(sheet, status, timeline)
    return timeline, bar.y


def _timeline(sheet: Draft, status: Status, rect: Rect) -> None:
    """A rail with a notch for each turn, filled as far as it is shown."""
    rail = Rect(rect.x, rect.y + sheet.px(20), rect.w, sheet.px(5))
    steps = max(status.steps, 1)
    done = rect.w * status.step / steps
    sheet.box(rail, (1, 1, 1, 0.22))
    sheet.box(Rect(rail.x, rail.y, done, rail.h), AMBER)
    last = -1e9
    for turn, start in enumerate(status.turn_starts, start=1):
        x = rect.x + rect.w * (start - 1) / steps
        sheet.box(Rect(round(x), rail.y - sheet.px(4), 1, rail.h + sheet.px(4)), PALE)
        if x - last >= sheet.px(26) and x <= rect.x + rect.w - sheet.px(12):
            sheet.write(x, rail.y - sheet.px(7), str(turn), size=10, colour=PALE, align="centre")
            last = x
    knob = sheet.px(11)
    handle = Rect(rect.x + done - knob / 2, rail.y + rail.h / 2 - knob / 2, knob, knob)
    sheet.box(handle, (0.05, 0.05, 0.05, 1.0))
    sheet.box(handle.inset(sheet.px(2)), INK)


def _button(sheet: Draft, name: str, rect: Rect, icon: str | None) -> None:
    sheet.box(rect, RIDGE)
    sheet.buttons.append((name, rect))
    if icon is not None:
        _icon(sheet, icon, rect)


_ICONS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "toggle": (((0.34, 0.25), (0.34, 0.75), (0.76, 0.5)),),
    "pause": (
        ((0.30, 0.26), (0.30, 0.74), (0.44, 0.74), (0.44, 0.26)),
        ((0.56, 0.26), (0.56, 0.74), (0.70, 0.74), (0.70, 0.26)),
    ),
    "forward": (
        ((0.30, 0.3), (0.30, 0.7), (0.60, 0.5)),
        ((0.62, 0.3), (0.62, 0.7), (0.70, 0.7), (0.70, 0.3)),
    ),
    "turn_forward": (
        ((0.20, 0.3), (0.20, 0.7), (0.46, 0.5)),
        ((0.46, 0.3), (0.46, 0.7), (0.72, 0.5)),
        ((0.72, 0.3), (0.72, 0.7), (0.80, 0.7), (0.80, 0.3)),
    ),
}
"""Polygons in a unit square, y down; the backward ones are their mirror images."""


def _icon(sheet: Draft, name: str, rect: Rect) -> None:
    mirrored = name in {"back", "turn_back"}
    for polygon in _ICONS[name.replace("back", "forward")]:
        corners = [
            (rect.x + rect.w * (1 - x if mirrored else x), rect.y + rect.h * y) for x, y in polygon
        ]
        sheet.shapes.append(Shape(tuple(corners), INK))


def _strip(sheet: Draft, top: float, text: str, colour: Colour) -> float:
    """One line right under the title bar; returns its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(26))
    sheet.panel(bar, colour)
    sheet.write(sheet.px(14), top + sheet.px(17), text, within=bar.w - sheet.px(28))
    return top + bar.h


def _news(sheet: Draft, status: Status, floor: float) -> Rect:
    """What happened last, at the lower left; the newest line stands lowest, with its rules."""
    pad, line = sheet.px(10), sheet.px(18)
    width = min(float(sheet.px(470)), 0.46 * sheet.width)
    inner = width - 2 * pad
    if not status.news:
        return Rect(0, floor, 0, 0)
    *older, newest = status.news
    lines = wrapped(newest.text, inner, sheet.px(13), sheet.measure, most=3)
    slugs = ", ".join(newest.because)
    rules = wrapped(slugs, inner, sheet.px(10), sheet.measure, most=2) if slugs else ()
    height = 2 * pad + (len(older) + len(lines)) * line + len(rules) * sheet.px(14)
    panel = Rect(sheet.px(10), floor - sheet.px(10) - height, width, height)
    sheet.panel(panel)
    x, y = panel.x + pad, panel.y + pad + sheet.px(12)
    for age, told in enumerate(older):
        colour = PALE if age >= len(older) - 2 else DIM
        sheet.write(x, y, told.text, size=12, colour=colour, within=inner)
        y += line
    for text in lines:
        sheet.write(x, y, text)
        y += line
    for text in rules:
        sheet.write(x, y - sheet.px(3), text, size=10, colour=AMBER)
        y += sheet.px(14)
    return panel


def _hint(sheet: Draft, hint: str, beside: Rect, floor: float) -> float:
    """The keys that a newcomer needs, at the lower right; returns its upper edge."""
    wide = sheet.measure(hint, sheet.px(11), False) + sheet.px(20)
    rect = Rect(sheet.width - sheet.px(10) - wide, floor - sheet.px(32), wide, sheet.px(22))
    if rect.x < beside.x + beside.w + sheet.px(10):
        return floor
    sheet.panel(rect, (0.055, 0.065, 0.08, 0.55))
    sheet.write(rect.x + sheet.px(10), rect.y + sheet.px(15), hint, size=11, colour=PALE)
    return rect.y


def _card(sheet: Draft, card: UnitCard, top: float, floor: float) -> None:
    """The chosen unit, at the upper right; rows that do not fit are left out and counted."""
    pad, line = sheet.px(12), sheet.px(19)
    width = min(float(sheet.px(280)), 0.5 * sheet.width)
    x, y = sheet.width - width - sheet.px(10), top + sheet.px(10)
    head = sheet.px(34)
    room = int((floor - sheet.px(10) - y - head - pad) // line)
    rows = card.rows if len(card.rows) <= room else card.rows[: max(room - 1, 0)]
    hidden = len(card.rows) - len(rows)
    panel = Rect(x, y, width, head + pad + line * (len(rows) + (hidden > 0)))
    sheet.panel(panel)
    sheet.box(Rect(x, y, sheet.px(4), panel.h), colour_of(card.colour))
    inner = width - 2 * pad
    sheet.write(x + pad, y + sheet.px(22), card.name, size=15, bold=True, within=inner)
    y += head + sheet.px(10)
    for label, value in rows:
        wide = sheet.write(x + pad, y, label, size=12, colour=PALE, within=0.6 * inner)
        room_px = inner - wide - sheet.px(10)
        sheet.write(x + width - pad, y, value, size=12, align="right", within=room_px)
        y += line
    if hidden:
        sheet.write(x + pad, y, f"and {hidden} more", size=12, colour=DIM)


def _keys(sheet: Draft, top: float, floor: float) -> None:
    """All keys, in the middle."""
    rows = len(KEYS)
    line = min(float(sheet.px(22)), (floor - top - sheet.px(90)) / rows)
    width, height = min(float(sheet.px(520)), sheet.width - 20), line * rows + sheet.px(62)
    rect = Rect((sheet.width - width) / 2, (top + floor - height) / 2, width, height)
    sheet.panel(rect, DEEP_GLASS)
    sheet.write(rect.x + sheet.px(22), rect.y + sheet.px(30), "Keys and mouse", size=15, bold=True)
    y = rect.y + sheet.px(58)
    for keys, meaning in KEYS:
        sheet.write(rect.x + sheet.px(22), y, keys, size=12, colour=AMBER, within=0.32 * width)
        sheet.write(rect.x + 0.38 * width, y, meaning, size=12, within=0.6 * width)
        y += line
