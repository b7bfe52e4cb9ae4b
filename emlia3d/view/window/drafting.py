"""A layout of panels while it is drawn up: boxes and lines of text, in pixels of the window."""

from __future__ import annotations

from dataclasses import dataclass, field

from emlia3d.view.window.panel import (
    GLASS,
    INK,
    Align,
    Colour,
    Layout,
    Measure,
    Rect,
    Shape,
    Text,
    shortened,
)


@dataclass(slots=True)
class Draft:
    """A layout while it is drawn up; u is the size of a pixel of the 720-line design."""

    width: float
    height: float
    u: float
    measure: Measure
    shapes: list[Shape] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    panels: list[Rect] = field(default_factory=list)
    buttons: list[tuple[str, Rect]] = field(default_factory=list)

    def px(self, design: float) -> int:
        """A length of the design in whole pixels, so that glyphs stay sharp."""
        return max(round(design * self.u), 1)

    def box(self, rect: Rect, colour: Colour) -> None:
        """A filled rectangle."""
        x, y, right, bottom = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
        self.shapes.append(Shape(((x, y), (x, bottom), (right, bottom), (right, y)), colour))

    def panel(self, rect: Rect, colour: Colour = GLASS) -> None:
        """A rectangle that keeps clicks from the field."""
        self.panels.append(rect)
        self.box(rect, colour)

    def write(  # noqa: PLR0913  what a line of text has, each by its name
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        colour: Colour = INK,
        align: Align = "left",
        bold: bool = False,
        within: float | None = None,
    ) -> float:
        """Put a line of text; returns its width."""
        points = self.px(size)
        if within is not None:
            text = shortened(text, within, points, bold, self.measure)
        self.texts.append(Text(round(x), round(y), text, points, colour, align, bold))
        return self.measure(text, points, bold)

    def layout(self, timeline: Rect) -> Layout:
        """All that was drawn."""
        return Layout(
            shapes=tuple(self.shapes),
            texts=tuple(self.texts),
            panels=tuple(self.panels),
            buttons=tuple(self.buttons),
            timeline=timeline,
        )


def draft_of(size: tuple[int, int], measure: Measure) -> Draft:
    """An empty draft for a window of *size* pixels."""
    width, height = size
    unit = min(max(min(width / 1180, height / 664), 0.62), 3.0)
    return Draft(float(width), float(height), unit, measure)
