"""The bar along the bottom: buttons, the timeline with its markers, and the speed."""

from __future__ import annotations

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, INK, PALE, RIDGE, PanelShape, Rect
from emlia3d.view.window.event_markers import SIGN, draw_marks
from emlia3d.view.window.status import HudState

BAR = 48
"""Height of the bar, in pixels of the design."""


def draw_transport(sheet: Draft, status: HudState) -> tuple[Rect, float]:
    """Draw buttons, timeline and speed along the bottom; return the timeline and its upper edge."""
    bar = Rect(0, sheet.height - sheet.px(BAR), sheet.width, sheet.px(BAR))
    sheet.panel(bar)
    size, gap = sheet.px(28), sheet.px(4)
    x, y = float(sheet.px(10)), bar.y + (bar.h - size) / 2
    for name in ("turn_back", "back", "play", "forward", "turn_forward"):
        rect = Rect(x, y, size, size)
        icon = "pause" if name == "play" and status.playing else name
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
        x + sheet.px(14), bar.y + sheet.px(3), right - x - sheet.px(28), bar.h - sheet.px(6)
    )
    _timeline(sheet, status, timeline)
    return timeline, bar.y


def _timeline(sheet: Draft, status: HudState, rect: Rect) -> None:
    """Draw a rail with a notch for each turn, filled up to the step shown, and markers."""
    rail = Rect(rect.x, rect.y + sheet.px(17), rect.w, sheet.px(5))
    steps = max(status.steps, 1)
    done = rect.w * status.step / steps
    sheet.box(rail, (1, 1, 1, 0.22))
    sheet.box(Rect(rail.x, rail.y, done, rail.h), AMBER)
    last = -1e9
    for turn, start in enumerate(status.turn_starts, start=1):
        x = rect.x + rect.w * (start - 1) / steps
        sheet.box(Rect(round(x), rail.y - sheet.px(4), 1, rail.h + sheet.px(4)), PALE)
        if x - last >= sheet.px(26) and x <= rect.x + rect.w - sheet.px(12):
            sheet.write(x, rail.y - sheet.px(6), str(turn), size=10, colour=PALE, align="centre")
            last = x
    lane = Rect(rect.x, rail.y + rail.h + sheet.px(6), rect.w, sheet.px(SIGN))
    draw_marks(sheet, lane, steps, status.highlights, status.bookmarks)
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
    "play": (((0.34, 0.25), (0.34, 0.75), (0.76, 0.5)),),
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
        sheet.shapes.append(PanelShape(tuple(corners), INK))
