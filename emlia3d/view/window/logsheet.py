"""The layout of the event log, at the lower left."""

from __future__ import annotations

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, DIM, PALE, Rect, wrapped
from emlia3d.view.window.status import LogLine

NEWS = "news:"
"""Beginning of a button of the log; a step follows."""

STEP = 80
"""Step, in pixels, by which the width of the log grows with its text."""


def draw_log(sheet: Draft, news: tuple[LogLine, ...], floor: float) -> Rect:
    """Draw the latest events, the newest lowest, with its rules; each line is a button."""
    pad, line = sheet.px(10), sheet.px(18)
    most = min(float(sheet.px(470)), 0.46 * sheet.width)
    inner = most - 2 * pad
    if not news:
        return Rect(0, floor, 0, 0)
    *older, newest = news
    lines = wrapped(newest.text, inner, sheet.px(13), sheet.measure, most=3)
    rules = sheet.slug_lines(newest.because, inner, 10, most=2)
    height = 2 * pad + (len(older) + len(lines)) * line + len(rules) * sheet.px(14)
    sizes = ((12, [told.text for told in older]), (13, lines), (10, map(", ".join, rules)))
    wide = max(sheet.measure(text, sheet.px(size), False) for size, each in sizes for text in each)
    # By steps, so that it does not change with every line.
    step = sheet.px(STEP)
    width = min(most, -(-(wide + 2 * pad) // step) * step)
    panel = Rect(sheet.px(10), floor - sheet.px(10) - height, width, height)
    sheet.panel(panel)
    x, y = panel.x + pad, panel.y + pad + sheet.px(12)

    def button(told: LogLine, lines: int) -> None:
        rect = Rect(panel.x, y - sheet.px(13), panel.w, lines * line)
        sheet.buttons.append((f"{NEWS}{told.step}", rect))

    for age, told in enumerate(older):
        colour = PALE if age >= len(older) - 2 else DIM
        sheet.write(x, y, told.text, size=12, colour=colour, within=inner)
        button(told, 1)
        y += line
    button(newest, len(lines))
    for text in lines:
        sheet.write(x, y, text)
        y += line
    for slugs in rules:
        sheet.write_slugs(x, y - sheet.px(3), slugs, 10, AMBER)
        y += sheet.px(14)
    return panel
