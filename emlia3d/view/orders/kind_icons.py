"""Icons of kinds of orders, drawn from polygons."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.questions.order_kinds import KIND_LETTERS, OrderKind
from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import INK, PanelShape, Rect

Polygon = tuple[tuple[float, float], ...]

_SHAPES: Mapping[OrderKind, tuple[Polygon, ...]] = {
    "plan": (
        ((0.1, 0.2), (0.1, 0.8), (0.36, 0.9), (0.36, 0.3)),
        ((0.38, 0.3), (0.38, 0.9), (0.62, 0.8), (0.62, 0.2)),
        ((0.64, 0.2), (0.64, 0.8), (0.9, 0.9), (0.9, 0.3)),
    ),
    "fight": (
        ((0.1, 0.2), (0.2, 0.1), (0.9, 0.8), (0.8, 0.9)),
        ((0.8, 0.1), (0.9, 0.2), (0.2, 0.9), (0.1, 0.8)),
    ),
    "shoot": (
        ((0.05, 0.45), (0.05, 0.55), (0.6, 0.55), (0.6, 0.45)),
        ((0.6, 0.3), (0.6, 0.7), (0.95, 0.5)),
    ),
    "move": (
        ((0.4, 0.5), (0.4, 0.95), (0.6, 0.95), (0.6, 0.5)),
        ((0.5, 0.05), (0.2, 0.5), (0.8, 0.5)),
    ),
    "lead": (
        ((0.2, 0.05), (0.2, 0.95), (0.3, 0.95), (0.3, 0.05)),
        ((0.3, 0.1), (0.3, 0.55), (0.9, 0.32)),
    ),
    "prepare": (
        ((0.2, 0.1), (0.5, 0.5), (0.8, 0.1)),
        ((0.5, 0.5), (0.2, 0.9), (0.8, 0.9)),
    ),
    "form": tuple(
        ((x, y), (x, y + 0.25), (x + 0.2, y + 0.25), (x + 0.2, y))
        for y in (0.2, 0.55)
        for x in (0.1, 0.4, 0.7)
    ),
    "search": (
        ((0.05, 0.5), (0.5, 0.8), (0.95, 0.5), (0.5, 0.2)),
    ),
    "other": tuple(
        ((x, 0.4), (x, 0.6), (x + 0.2, 0.6), (x + 0.2, 0.4)) for x in (0.05, 0.4, 0.75)
    ),
    "end": (((0.2, 0.2), (0.2, 0.8), (0.8, 0.8), (0.8, 0.2)),),
}  # fmt: skip
"""Polygons in a unit square, y down."""

_COLOURS: Mapping[OrderKind, str] = {
    "plan": "#e6c229", "fight": "#e05a47", "shoot": "#f0883e", "move": "#6fb1e0",
    "lead": "#e6c229", "prepare": "#c9a0dc", "form": "#8fc98f", "search": "#7fd1c7",
    "other": "#b0b0b0", "end": "#909090",
}  # fmt: skip


def draw_kind(sheet: Draft, kind: OrderKind, rect: Rect) -> None:
    """Draw the icon of a kind and its letter in a rectangle twice as wide as high."""
    colour: Colour = colour_of(_COLOURS[kind])
    side = rect.h
    for polygon in _SHAPES[kind]:
        corners = tuple((rect.x + side * x, rect.y + side * y) for x, y in polygon)
        sheet.shapes.append(PanelShape(corners, colour))
    base = rect.y + rect.h * 0.9
    sheet.write(rect.x + 1.45 * side, base, KIND_LETTERS[kind], size=11, colour=INK, align="centre")
