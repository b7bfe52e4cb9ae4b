"""Whether all parts of a layout lie in its panels, for windows of battles and the editor."""

from __future__ import annotations

from emlia3d.view.layout.panel import Layout, Rect
from emlia3d.view.panda.labels.lettering import width_px


def check_inside(sheet: Layout) -> None:
    """Assert that each text, button, picture and shape lies in a panel."""
    for text in sheet.texts:
        wide = width_px(text.text, text.size, text.bold)
        left = text.x - {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
        rect = Rect(left, text.y - 0.75 * text.size, wide, 0.75 * text.size)
        assert any(is_within(rect, panel) for panel in sheet.panels), text
    for _, rect in sheet.buttons:
        assert any(is_within(rect, panel) for panel in sheet.panels), rect
    for picture in sheet.pictures:
        assert any(is_within(picture.rect, panel) for panel in sheet.panels), picture
    for shape in sheet.shapes:
        xs, ys = zip(*shape.corners, strict=True)
        rect = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        assert any(is_within(rect, panel) for panel in sheet.panels), shape


def is_within(inner: Rect, outer: Rect, slack: float = 1.5) -> bool:
    """Whether a rectangle lies in another one."""
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.w <= outer.x + outer.w + slack
        and inner.y + inner.h <= outer.y + outer.h + slack
    )


def overlap(a: Rect, b: Rect) -> bool:
    """Whether two rectangles have a part in common."""
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h
