"""The markers of key events on the timeline: a shape and a colour for each kind.

The colours are from the palette of Okabe and Ito (2008) for colour-blind viewers,
lightened for a dark ground; no two kinds share a shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from emlia3d.battle.questions.highlights import Highlight
from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import PanelShape, Rect
from emlia3d.view.window.highlights import KeyEvent

Polygon: TypeAlias = tuple[tuple[float, float], ...]

SIGN = 11
"""Width of a marker, in pixels of the design."""

PENNANT: tuple[Polygon, ...] = (
    ((0.18, 0.0), (0.18, 1.0), (0.32, 1.0), (0.32, 0.0)),
    ((0.32, 0.05), (0.32, 0.6), (1.0, 0.32)),
)
"""The marker of a bookmark."""

SHAPES: dict[Highlight, tuple[Polygon, ...]] = {
    "volley": (((0.40, 0.1), (0.40, 0.9), (0.60, 0.9), (0.60, 0.1)),),
    "charge": (((0.1, 0.05), (0.1, 0.95), (0.95, 0.5)),),
    "melee": (
        ((0.0, 0.16), (0.84, 1.0), (1.0, 0.84), (0.16, 0.0)),
        ((0.84, 0.0), (0.0, 0.84), (0.16, 1.0), (1.0, 0.16)),
    ),
    "push": (
        ((0.0, 0.05), (0.32, 0.5), (0.58, 0.5), (0.26, 0.05)),
        ((0.32, 0.5), (0.0, 0.95), (0.26, 0.95), (0.58, 0.5)),
        ((0.42, 0.05), (0.74, 0.5), (1.0, 0.5), (0.68, 0.05)),
        ((0.74, 0.5), (0.42, 0.95), (0.68, 0.95), (1.0, 0.5)),
    ),
    "rout": (((0.0, 0.1), (0.5, 1.0), (1.0, 0.1)),),
    "leader": (
        ((0.5, 0.0), (0.36, 0.5), (0.5, 1.0), (0.64, 0.5)),
        ((0.0, 0.5), (0.5, 0.64), (1.0, 0.5), (0.5, 0.36)),
    ),
    "destroyed": (((0.08, 0.08), (0.08, 0.92), (0.92, 0.92), (0.92, 0.08)),),
    "gone": (
        ((0.0, 0.06), (0.0, 0.94), (0.18, 0.94), (0.18, 0.06)),
        ((0.82, 0.06), (0.82, 0.94), (1.0, 0.94), (1.0, 0.06)),
        ((0.18, 0.06), (0.18, 0.24), (0.82, 0.24), (0.82, 0.06)),
        ((0.18, 0.76), (0.18, 0.94), (0.82, 0.94), (0.82, 0.76)),
    ),
    "arrival": (
        ((0.38, 0.0), (0.38, 1.0), (0.62, 1.0), (0.62, 0.0)),
        ((0.0, 0.38), (0.0, 0.62), (0.38, 0.62), (0.38, 0.38)),
        ((0.62, 0.38), (0.62, 0.62), (1.0, 0.62), (1.0, 0.38)),
    ),
}
"""Convex polygons in a unit square, y down."""

COLOURS: dict[Highlight, Colour] = {
    "volley": colour_of("#b9bcbd"),
    "charge": colour_of("#e69f00"),
    "melee": colour_of("#d990ba"),
    "push": colour_of("#56b4e9"),
    "rout": colour_of("#f0803c"),
    "leader": colour_of("#f0e442"),
    "destroyed": colour_of("#f4f4f0"),
    "gone": colour_of("#9fb6c8"),
    "arrival": colour_of("#2fc79a"),
}
BOOKMARKED: Colour = colour_of("#7cc4ff")

WEIGHT: tuple[Highlight, ...] = (
    "leader", "destroyed", "rout", "arrival", "gone", "push", "charge", "melee", "volley",
)  # fmt: skip
"""Highlights in the order of priority, where there is room for one marker only."""


def draw_sign(sheet: Draft, shape: Iterable[Polygon], rect: Rect, colour: Colour) -> None:
    """Draw a marker in a box."""
    for polygon in shape:
        corners = tuple((rect.x + rect.w * x, rect.y + rect.h * y) for x, y in polygon)
        sheet.shapes.append(PanelShape(corners, colour))


def draw_marks(
    sheet: Draft, rail: Rect, steps: int, moments: Iterable[KeyEvent], bookmarks: Iterable[int]
) -> None:
    """Draw markers under a rail, each a button for its step; important ones take precedence.

    rail : of the timeline, with the height of a marker; steps : their number
    """
    size = float(sheet.px(SIGN))
    wanted: list[tuple[int, int, Highlight | None]] = [(-1, step, None) for step in bookmarks]
    wanted += [(WEIGHT.index(moment.kind), moment.step, moment.kind) for moment in moments]
    taken: set[int] = set()
    for _, step, kind in sorted(wanted, key=lambda one: one[:2]):
        x = rail.x + rail.w * step / max(steps, 1)
        slot = int(3 * (x - rail.x) / size)
        if not taken.isdisjoint(range(slot - 3, slot + 4)):
            continue
        taken.add(slot)
        rect = Rect(round(x - size / 2), rail.y, size, size)
        shape, colour = (PENNANT, BOOKMARKED) if kind is None else (SHAPES[kind], COLOURS[kind])
        draw_sign(sheet, shape, rect, colour)
        sheet.buttons.append((f"mark:{step}", rect))
