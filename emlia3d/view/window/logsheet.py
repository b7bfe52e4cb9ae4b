"""The event log, at the lower left."""

from __future__ import annotations

from emlia3d.view.layout.dock import left_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, inner_width, slug_rows, text_rows
from emlia3d.view.layout.panel import DIM, INK, PALE
from emlia3d.view.window.status import LogLine

NEWS = "news:"
"""Prefix of the name of a button of the log, before the step."""

WIDTH = 470
STEP = 80
"""Step, in pixels, by which the width of the log grows with its text."""

OLDER = 2
"""Maximum number of lines of an earlier event; the latest has no limit."""


def log_pane(sheet: Draft, news: tuple[LogLine, ...]) -> Pane:
    """Return the latest events, the newest with its rules at the bottom; each line is a button."""
    most = left_width(sheet, WIDTH)
    inner = inner_width(sheet, most)
    pane = Pane("log", most, from_end=True)
    if not news:
        return pane
    *older, newest = news
    said = [sheet.measure(told.text, sheet.px(12), False) for told in older]
    said.append(sheet.measure(newest.text, sheet.px(13), False))
    said += [sheet.measure(f"{slug}, ", sheet.px(10), False) for slug in newest.because]
    # In steps, so that it does not change with every line.
    step = sheet.px(STEP)
    pane.width = min(most, -(-(max(said) + most - inner + 1) // step) * step)
    inner = inner_width(sheet, pane.width)
    for age, told in enumerate(older):
        colour = PALE if age >= len(older) - 2 else DIM
        pane.body += text_rows(
            sheet, told.text, inner, colour=colour, button=f"{NEWS}{told.step}", most=OLDER
        )
    pane.body += text_rows(
        sheet, newest.text, inner, size=13, colour=INK, button=f"{NEWS}{newest.step}"
    )
    pane.body += slug_rows(sheet, newest.because, inner)
    return pane
