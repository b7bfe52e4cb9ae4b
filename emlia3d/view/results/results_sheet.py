"""The results of a battle, over the middle of the picture: sides and charts, units, key events."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.view.colours import colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import (
    Pane,
    PaneRow,
    arranged,
    base_of,
    draw_pane,
    gap_row,
    inner_width,
    text_rows,
)
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, DIM, INK, PALE, RIDGE, Rect
from emlia3d.view.results.results_card import ResultsCard, SideCourse, TurningPoint, UnitResult
from emlia3d.view.results.turn_charts import ChartLine, draw_chart, draw_marker

POINT = "point:"
"""Beginning of the button of a key event; a step follows."""

WIDTH = 1130
"""Greatest width of all, pixels of the design."""

LEFT_SHARE = 0.42
"""Share of the width that sides and charts have."""

GAP, LINE, CHART = 8, 17, 100
"""Between panes, and heights of a line and of a chart, pixels of the design."""

HEADS = ("start", "left", "shots", "blows", "other", "inflicted")
"""Heads of the counts of a unit."""

COUNT = 52
"""Width of a column of counts, pixels of the design."""


def draw_results(sheet: Draft, card: ResultsCard, top: float, floor: float) -> None:
    """Draw the results between two heights, pixels."""
    gap = sheet.px(GAP)
    width = min(float(sheet.px(WIDTH)), sheet.width - 2 * gap)
    x, y = (sheet.width - width) / 2, top + gap
    head = _head(sheet, card, width)
    rows = arranged(sheet, head, floor - y - gap)
    draw_pane(sheet, head, x, y, rows)
    y += rows.height + gap
    if card.counting:
        return
    left = (width - gap) * LEFT_SHARE
    for pane, at in (
        (_sides(sheet, card, left), x),
        (_units(sheet, card, width - gap - left), x + left + gap),
    ):
        draw_pane(sheet, pane, at, y, arranged(sheet, pane, floor - gap - y))


def _head(sheet: Draft, card: ResultsCard, width: float) -> Pane:
    """Return who won, and why."""
    pane = Pane("results", width, glass=DEEP_GLASS)
    inner = inner_width(sheet, width)
    reason = "losses and hits are being counted..." if card.counting else card.reason
    beside = sheet.measure(card.outcome, sheet.px(18), True) + sheet.px(24)
    if beside + sheet.measure(reason, sheet.px(13), False) <= inner:
        pane.head.append(_outcome(sheet, card.outcome, reason, beside))
        return pane
    pane.head += text_rows(sheet, card.outcome, inner, size=18, line=28, colour=AMBER, bold=True)
    pane.head += text_rows(sheet, reason, inner, size=13, line=20, colour=INK)
    return pane


def _outcome(sheet: Draft, outcome: str, reason: str, beside: float) -> PaneRow:
    """Return who won, and why, in one row; the reason begins *beside* pixels from the left."""

    def draw(rect: Rect) -> None:
        base = rect.y + base_of(sheet, 18, rect.h)
        sheet.write(rect.x, base, outcome, size=18, colour=AMBER, bold=True)
        sheet.write(rect.x + beside, base, reason)

    return PaneRow(sheet.px(28), draw)


def _sides(sheet: Draft, card: ResultsCard, width: float) -> Pane:
    """Return the sides: losses by cause, luck, and charts of strength and morale."""
    pane = Pane("results of sides", width, glass=DEEP_GLASS)
    inner = inner_width(sheet, width)
    pane.body.append(_names(sheet, card.sides))
    pane.body += [_figures(sheet, label, values) for label, values in card.rows]
    pane.body.append(gap_row(sheet, 8))
    strength = [
        ChartLine(name=side.name, colour=side.colour, values=side.strength) for side in card.sides
    ]
    pane.body += text_rows(
        sheet, "Strength at the end of each turn", inner, size=12, line=20, colour=INK, bold=True
    )
    pane.body.append(_chart(sheet, strength, (0.0, 1.0), ("0", "100%")))
    moods = [
        ChartLine(name=side.name, colour=side.colour, values=side.morale) for side in card.sides
    ]
    known = [value for line in moods for value in line.values if value is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    if low < high:
        pane.body += text_rows(
            sheet, "Mean morale of units", inner, size=12, line=20, colour=INK, bold=True
        )
        labels = f"{low:.1f}" if low else "0", f"{high:.1f}" if high else "0"
        pane.body.append(_chart(sheet, moods, (low, high), labels))
    return pane


def _chart(
    sheet: Draft,
    lines: Sequence[ChartLine],
    bounds: tuple[float, float],
    labels: tuple[str, str],
) -> PaneRow:
    """Return a chart as a row."""
    return PaneRow(sheet.px(CHART), lambda rect: draw_chart(sheet, rect, lines, bounds, labels))


def _names(sheet: Draft, sides: Sequence[SideCourse]) -> PaneRow:
    """Return the names of the sides over their columns, each with the marker of its lines."""

    def draw(rect: Rect) -> None:
        wide = _column(rect, len(sides))
        base = rect.y + base_of(sheet, 13, rect.h)
        for number, side in enumerate(sides):
            right = rect.x + rect.w - wide * (len(sides) - 1 - number)
            room = wide - sheet.px(24)
            text = sheet.write(
                right, base, side.name, align="right", bold=True, within=max(room, 1.0)
            )
            place = right - text - sheet.px(10), rect.y + rect.h / 2
            draw_marker(sheet, number, place, colour_of(side.colour))

    return PaneRow(sheet.px(24), draw)


def _figures(sheet: Draft, label: str, values: Sequence[str]) -> PaneRow:
    """Return a label, and the value of each side under its name."""

    def draw(rect: Rect) -> None:
        wide = _column(rect, len(values))
        base = rect.y + base_of(sheet, 12, rect.h)
        room = rect.w - wide * len(values)
        sheet.write(rect.x, base, label, size=12, colour=PALE, within=max(room, 1.0))
        for number, value in enumerate(values):
            right = rect.x + rect.w - wide * (len(values) - 1 - number)
            sheet.write(right, base, value, size=12, align="right", within=wide)

    return PaneRow(sheet.px(LINE), draw)


def _column(rect: Rect, count: int) -> float:
    """Return the width of a side's column."""
    return 0.66 * rect.w / max(count, 1)


def _units(sheet: Draft, card: ResultsCard, width: float) -> Pane:
    """Return the key events, each a button, and the losses by unit and by cause."""
    pane = Pane("results of units", width, glass=DEEP_GLASS)
    inner = inner_width(sheet, width)
    count = f", {len(card.points)} of {len(card.points) + card.more}" if card.more else ""
    title = f"Key events{count}"
    pane.body += text_rows(sheet, title, inner, size=13, line=22, colour=INK, bold=True)
    if not card.points:
        pane.body += text_rows(
            sheet, "No leader was lost, and no unit routed or destroyed.", inner, colour=DIM
        )
    pane.body += [_point(sheet, point) for point in card.points]
    pane.body.append(gap_row(sheet, 12))
    pane.body.append(_count_heads(sheet))
    for number, unit in enumerate(card.units):
        pane.body.append(_unit(sheet, unit, shaded=number % 2 == 1))
    return pane


def _point(sheet: Draft, point: TurningPoint) -> PaneRow:
    """Return a key event as a row, which is a button."""

    def draw(rect: Rect) -> None:
        sheet.buttons.append((f"{POINT}{point.step}", rect))
        base = rect.y + base_of(sheet, 12, rect.h)
        _chip(sheet, rect.x, base, point.colour)
        x = rect.x + sheet.px(18)
        x += sheet.write(x, base, f"Turn {point.turn}", size=12, colour=AMBER) + sheet.px(10)
        sheet.write(x, base, point.text, size=12, within=max(rect.x + rect.w - x, 1.0))

    return PaneRow(sheet.px(LINE), draw)


def _chip(sheet: Draft, x: float, base: float, colour: str) -> None:
    """Draw the colour of a side before a name whose baseline is at *base*."""
    size = sheet.px(9)
    sheet.chip(Rect(x + sheet.px(2), base - size, size, size), colour)


def _count_heads(sheet: Draft) -> PaneRow:
    def draw(rect: Rect) -> None:
        base = rect.y + base_of(sheet, 13, rect.h)
        room = rect.w - sheet.px(COUNT) * len(HEADS)
        sheet.write(rect.x, base, "Units", bold=True, within=max(room, 1.0))
        for place, head in enumerate(HEADS):
            right = rect.x + rect.w - sheet.px(COUNT) * (len(HEADS) - 1 - place)
            sheet.write(
                right, base, head, size=11, colour=PALE, align="right", within=sheet.px(COUNT)
            )

    return PaneRow(sheet.px(22), draw)


def _unit(sheet: Draft, unit: UnitResult, *, shaded: bool) -> PaneRow:
    """Return a unit: its name, its counts, and under them how it ended."""
    high = LINE if not unit.end else 2 * LINE - 3

    def draw(rect: Rect) -> None:
        if shaded:
            sheet.box(rect, RIDGE)
        base = rect.y + base_of(sheet, 12, sheet.px(LINE))
        _chip(sheet, rect.x, base, unit.colour)
        x = rect.x + sheet.px(18)
        room = rect.x + rect.w - sheet.px(COUNT) * len(HEADS) - x
        sheet.write(x, base, unit.name, size=12, within=max(room, 1.0))
        for place, count in enumerate(unit.counts):
            right = rect.x + rect.w - sheet.px(2) - sheet.px(COUNT) * (len(HEADS) - 1 - place)
            colour = DIM if round(count) == 0 else INK
            sheet.write(
                right, base, f"{count:,.0f}", size=12, colour=colour, align="right",
                within=sheet.px(COUNT),
            )  # fmt: skip
        if unit.end:
            under = base + sheet.px(LINE - 3)
            sheet.write(x, under, unit.end, size=11, colour=PALE, within=rect.x + rect.w - x)

    return PaneRow(sheet.px(high), draw)
