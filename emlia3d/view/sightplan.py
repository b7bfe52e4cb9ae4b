"""A sight question's answer as a picture: the corridor from above, and its heights from the side.

Drawn with Pillow alone, so that it needs no display.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from PIL import Image, ImageDraw, ImageFont
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.answer import Answer, Intervening
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.corridor import PARTIAL, TOTAL, Corridor, Places, depths

SIZE_PX = (1600, 800)
PAPER, INK, CORRIDOR, SOLID, SPARSE, EARTH, STAND = (
    "#fbfaf6", "#222222", "#f3e9c8", "#8c6d4f", "#7d9b62", "#cdb893", "#e6e2d6",
)  # fmt: skip

_SHADE = {"total": TOTAL, "partial": PARTIAL}
_FINE = 2
_EDGE_PX, _HEAD_PX, _FONT_PX = 48, 70, 17
_SAMPLES = 400
_BEYOND = 0.6


@dataclass(frozen=True, slots=True)
class _Frame:
    """A part of the picture: where its west and low corner falls, and what a unit is in pixels."""

    left: float
    bottom: float
    west: float
    low: float
    across: float
    up: float

    def put(self, places: Places) -> list[tuple[float, float]]:
        """Pixels of places (n, 2)."""
        x = self.left + (places[:, 0] - self.west) * self.across
        y = self.bottom - (places[:, 1] - self.low) * self.up
        return [(a * _FINE, b * _FINE) for a, b in zip(x.tolist(), y.tolist(), strict=True)]


class _Question(Corridor):
    """The shapes that an answer is about, and the ground under them."""

    def ground(self) -> Places:
        """(n, 2): GSU along the axis and the raster's height above the datum there.

        From the observer to the target, and some way on where a shadow does.
        """
        start, end = self.along(self.near)[0], self.along(self.far)[1]
        low, high, most = start, end, _BEYOND * (end - start)
        for each, shape in self.bodies:
            for _, depth in depths(each):
                first, last = self.along(shape.intersection(self.hull))
                if self.looks_down:
                    high = max(high, min(last + depth, end + most))
                else:
                    low = min(low, max(first - depth, start - most))
        steps = np.linspace(low, high, _SAMPLES)
        spots = self.start + steps[:, None] * self.way
        heights = self.setup.field.footing(spots[:, 0], spots[:, 1]) - self.answer.datum
        return np.column_stack((steps, heights))


def draw_sight(setup: Setup, state: State, answer: Answer, path: Path) -> None:
    """Write the picture of an answer about units that stand as they do in *state*.

    Left the corridor, what stands in it, and its shadows: violet where a body is hidden wholly,
    grey where partly. Right the heights along the corridor's axis, with the sight line.
    """
    question = _Question(setup, state, answer)
    image = Image.new("RGB", (SIZE_PX[0] * _FINE, SIZE_PX[1] * _FINE), PAPER)
    pen = ImageDraw.Draw(image)
    _draw_heading(pen, answer)
    middle = SIZE_PX[0] / 2
    _draw_plan(pen, question, (_EDGE_PX, middle - _EDGE_PX / 2))
    _draw_section(pen, question, (middle + _EDGE_PX / 2, SIZE_PX[0] - _EDGE_PX))
    image.resize(SIZE_PX, Image.Resampling.LANCZOS).save(path)


def _draw_heading(pen: ImageDraw.ImageDraw, answer: Answer) -> None:
    seen = "seen" if answer.line_of_sight else "not seen"
    verdict = f"{answer.target}, from {answer.observer}: {seen}, concealment {answer.concealment}"
    _write(pen, (_EDGE_PX, 22), verdict, 26)
    _write(pen, (_EDGE_PX, SIZE_PX[1] - 34), "  ".join(answer.because), 13)


def _draw_plan(pen: ImageDraw.ImageDraw, question: _Question, span: tuple[float, float]) -> None:
    everything = [question.hull, *(shape for _, shape in question.bodies)]
    west, south, east, north = shapely.union_all(everything).bounds
    head = _HEAD_PX + _EDGE_PX / 2
    room = (span[1] - span[0], SIZE_PX[1] - head - 2 * _EDGE_PX)
    scale = min(room[0] / (east - west), room[1] / (north - south))
    frame = _Frame(
        left=(span[0] + span[1] - (east - west) * scale) / 2,
        bottom=head + (room[1] + (north - south) * scale) / 2,
        west=west,
        low=south,
        across=scale,
        up=scale,
    )
    _fill(pen, frame, question.free, CORRIDOR, INK)
    for each, shape in question.bodies:
        for degree, depth in depths(each):
            _fill(pen, frame, question.behind(shape, depth), _SHADE[degree])
    for each, shape in question.bodies:
        _fill(pen, frame, shape, SOLID if each.body == "solid" else SPARSE, INK)
    for shape, colour in zip((question.near, question.far), question.colours, strict=True):
        _fill(pen, frame, shape, colour, INK)
    ends = np.array([question.start, question.start + question.way * question.length])
    pen.line(frame.put(ends), fill=INK, width=_FINE)
    named = [(each.entity, shape) for each, shape in question.bodies]
    named += [(question.answer.observer, question.near), (question.answer.target, question.far)]
    for name, shape in named:
        low, high = shape.bounds[1], shape.bounds[3]
        place = (shape.centroid.x, high)
        if (high - low) * scale > 2 * _FONT_PX:
            ((x, y),) = frame.put(shapely.get_coordinates(shape.centroid))
            _write(pen, (x / _FINE, y / _FINE), name, _FONT_PX, anchor="mm")
        else:
            _label(pen, frame, name, place, span)


def _draw_section(pen: ImageDraw.ImageDraw, question: _Question, span: tuple[float, float]) -> None:
    answer, ground = question.answer, question.ground()
    west, east = float(ground[0, 0]), float(ground[-1, 0])
    tops = [answer.observer_height, answer.target_height, *(e.height for e in answer.intervening)]
    low, high = min(0.0, float(ground[:, 1].min())), max(*tops, float(ground[:, 1].max())) * 1.1
    room = (span[1] - span[0], SIZE_PX[1] - _HEAD_PX - 3 * _EDGE_PX)
    frame = _Frame(
        left=span[0],
        bottom=_HEAD_PX + _EDGE_PX + room[1],
        west=west,
        low=low,
        across=room[0] / (east - west),
        up=room[1] / (high - low),
    )
    shown = shapely.box(west, low, east, high)
    for each, shape in question.bodies:
        for colour, corners in _shade(question, each, shape):
            _fill(pen, frame, Polygon(corners).intersection(shown), colour)
    below = np.vstack([ground, [[east, low - high], [west, low - high]]])
    floor = frame.put(np.array([[west, low]]))[0][1]
    pen.polygon([(x, min(y, floor + 8 * _FINE)) for x, y in frame.put(below)], fill=EARTH)
    for each, shape in question.bodies:
        colour = SOLID if each.body == "solid" else SPARSE
        reach = question.along(shape.intersection(question.hull))
        _column(pen, frame, reach, (_under(ground, reach), each.height), colour)
        _label(pen, frame, each.entity, (sum(reach) / 2, each.height), span)
    ends = (
        (answer.observer, question.near, answer.observer_footing, answer.observer_height),
        (answer.target, question.far, answer.target_footing, answer.target_height),
    )
    for (name, shape, foot, top), colour in zip(ends, question.colours, strict=True):
        reach = question.along(shape)
        _column(pen, frame, reach, (_under(ground, reach), foot), STAND)
        _column(pen, frame, reach, (foot, top), colour)
        _label(pen, frame, f"{name}, {top:.4g}", (sum(reach) / 2, top), span)
    line = np.array([[0.0, answer.observer_height], [question.length, answer.target_height]])
    pen.line(frame.put(line), fill=INK, width=_FINE)
    told = f"heights above {answer.datum:.4g}; {answer.distance:.2f} GSU between nearest edges"
    _write(pen, (span[0], _HEAD_PX + room[1] + _EDGE_PX + 16), told, 13)


def _shade(
    question: _Question, each: Intervening, shape: BaseGeometry
) -> Iterator[tuple[str, Places]]:
    """A shadow from the side: it sinks from the body's top to nothing at its end."""
    if each.shadow is None:
        return
    first, last = question.along(shape.intersection(question.hull))
    edge, sense = (last, 1.0) if question.looks_down else (first, -1.0)
    for degree, depth in depths(each):
        left = each.height * (1 - depth / each.shadow.length)
        end = edge + sense * depth
        yield _SHADE[degree], np.array([[edge, 0.0], [edge, each.height], [end, left], [end, 0.0]])


def _under(ground: Places, reach: Sequence[float]) -> float:
    return float(np.interp(sum(reach) / 2, ground[:, 0], ground[:, 1]))


def _column(
    pen: ImageDraw.ImageDraw,
    frame: _Frame,
    reach: tuple[float, float],
    heights: tuple[float, float],
    colour: str,
) -> None:
    corners = [[reach[0], heights[0]], [reach[0], heights[1]],
               [reach[1], heights[1]], [reach[1], heights[0]]]  # fmt: skip
    pen.polygon(frame.put(np.array(corners)), fill=colour, outline=INK, width=_FINE)


def _label(
    pen: ImageDraw.ImageDraw,
    frame: _Frame,
    text: str,
    place: tuple[float, float],
    span: tuple[float, float],
) -> None:
    """A name over a place, pushed to within *span* where it would reach out of it."""
    ((x, y),) = frame.put(np.array([place]))
    half = pen.textlength(text, ImageFont.load_default(_FONT_PX)) / 2
    within = min(max(x / _FINE, span[0] + half), span[1] - half)
    _write(pen, (within, y / _FINE - 6), text, _FONT_PX, anchor="mb")


def _fill(
    pen: ImageDraw.ImageDraw,
    frame: _Frame,
    shape: BaseGeometry,
    colour: str,
    outline: str | None = None,
) -> None:
    for part in shapely.get_parts(shape):
        if isinstance(part, Polygon) and not part.is_empty:
            places = shapely.get_coordinates(part.exterior)
            pen.polygon(frame.put(places), fill=colour, outline=outline, width=_FINE)


def _write(
    pen: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    size: int,
    anchor: str = "la",
) -> None:
    font = ImageFont.load_default(size * _FINE)
    spot = (place[0] * _FINE, place[1] * _FINE)
    pen.text(spot, text, fill=INK, font=font, anchor=anchor, stroke_width=3, stroke_fill=PAPER)
