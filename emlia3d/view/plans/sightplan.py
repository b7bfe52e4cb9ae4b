"""A sight question's answer as a picture: the corridor from above, and under it from the side.

Both run from the observer on the left to the target on the right along the corridor's axis, to one
scale, so that what stands above another stands at the same place. Drawn with Pillow alone, so that
it needs no display.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import shapely
from PIL import Image, ImageDraw
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.answer import Answer, Intervening
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.paper import (
    FINE,
    INK,
    MARGINS_PX,
    NAME_PX,
    PAPER,
    SMALL_PX,
    Frame,
    Sheet,
    steps,
    wide,
)
from emlia3d.view.sight.corridor import PARTIAL, TOTAL, Corridor, Places, depths

SIZE_PX = (1600, 1030)
SECTION_PX = 580
"""The plan lies above this row of the picture, the section below it."""

CORRIDOR, SOLID, SPARSE, EARTH, STAND, PALE = (
    "#f3e9c8", "#8c6d4f", "#7d9b62", "#cdb893", "#e6e2d6", "#d9d5c9",
)  # fmt: skip

_SHADE = {"total": TOTAL, "partial": PARTIAL}
_PLAN_PX, _TALL_PX = (130, 560), (640, 880)
_TITLE_PX = 36
_LEFT_PX, _RIGHT_PX = MARGINS_PX
_SAMPLES = 400
_BEYOND = 0.6
_MOST_NAMED = 8


class _Question(Corridor):
    """The shapes that an answer is about, and the ground under them."""

    def laid(self, shape: BaseGeometry) -> BaseGeometry:
        """A shape turned so that the axis runs from (0, 0) to the right."""
        left = np.array([-self.way[1], self.way[0]])
        return shapely.transform(
            shape,
            lambda places: np.column_stack(
                ((places - self.start) @ self.way, (places - self.start) @ left)
            ),
        )

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

    def named(self) -> set[str]:
        """Those that are named: the widest of what stands in the corridor."""
        wide = sorted(self.answer.intervening, key=lambda each: -each.fraction)
        return {each.entity for each in wide[:_MOST_NAMED]}


def draw_sight(setup: Setup, state: State, answer: Answer, path: Path) -> None:
    """Write the picture of an answer about units that stand as they do in *state*.

    Above the corridor, what stands in it, and its shadows: violet where a body is hidden wholly,
    grey where partly. Below the heights along the corridor's axis, with the sight line.
    """
    question = _Question(setup, state, answer)
    image = Image.new("RGB", (SIZE_PX[0] * FINE, SIZE_PX[1] * FINE), PAPER)
    sheet = Sheet(ImageDraw.Draw(image))
    ground = question.ground()
    plan, shown = _plan_frame(question, ground)
    _draw_words(sheet, question)
    _draw_plan(sheet, question, plan, shown)
    _draw_section(sheet, question, ground, plan)
    keep(image.resize(SIZE_PX, Image.Resampling.LANCZOS), path)


def _plan_frame(question: _Question, ground: Places) -> tuple[Frame, Polygon]:
    """The frame of the plan, and the part of the field that it shows, turned to the axis."""
    first, last = float(ground[0, 0]), float(ground[-1, 0])
    _, low, _, high = question.laid(question.hull).bounds
    margin = 0.06 * (high - low)
    low, high = low - margin, high + margin
    room = (_RIGHT_PX - _LEFT_PX, _PLAN_PX[1] - _PLAN_PX[0])
    scale = min(room[0] / (last - first), room[1] / (high - low))
    left = _LEFT_PX + (room[0] - (last - first) * scale) / 2
    bottom = _PLAN_PX[1] - (room[1] - (high - low) * scale) / 2
    frame = Frame(left=left, bottom=bottom, low=(first, low), across=scale, up=scale)
    return frame, shapely.box(first, low, last, high)


def _draw_words(sheet: Sheet, question: _Question) -> None:
    """The verdict above; below what the colours mean, and the rules."""
    answer = question.answer
    seen = "seen" if answer.line_of_sight else "not seen"
    title = f"{answer.target}, from {answer.observer}: {seen}"
    sheet.write((_LEFT_PX, 28), title, _TITLE_PX)
    told = (
        f"concealment {answer.concealment}, cover {answer.cover} against base damage "
        f"{answer.damage}; {answer.distance:.2f} GSU between nearest edges"
    )
    sheet.write((_LEFT_PX, 82), told, NAME_PX)
    x = float(_LEFT_PX)
    for colour, meaning in _legend(question):
        box = (x * FINE, 942 * FINE, (x + 22) * FINE, 960 * FINE)
        sheet.pen.rectangle(box, fill=colour, outline=INK, width=FINE)
        sheet.write((x + 30, 951), meaning, SMALL_PX, "lm")
        x += 30 + wide(sheet.pen, meaning, SMALL_PX) + 36
    rules, y = "", 976
    for slug in (*answer.because, ""):
        longer = f"{rules}   {slug}" if rules else slug
        if not slug or wide(sheet.pen, longer, SMALL_PX) > _RIGHT_PX - _LEFT_PX:
            sheet.write((_LEFT_PX, y), rules)
            longer, y = slug, y + SMALL_PX + 6
        rules = longer


def _legend(question: _Question) -> Iterator[tuple[str, str]]:
    """The colours that mean something here."""
    bodies = {each.body for each in question.answer.intervening}
    shades = {degree for each in question.answer.intervening for degree, _ in depths(each)}
    yield CORRIDOR, "sight corridor"
    if "solid" in bodies:
        yield SOLID, "solid"
    if "sparse" in bodies:
        yield SPARSE, "with gaps"
    if "total" in shades:
        yield TOTAL, "hidden wholly here"
    if "partial" in shades:
        yield PARTIAL, "hidden partly here"


def _draw_plan(sheet: Sheet, question: _Question, frame: Frame, shown: Polygon) -> None:
    sheet.fill(frame, question.laid(question.free), CORRIDOR, INK)
    for each, shape in question.bodies:
        for degree, depth in depths(each):
            cast = question.laid(question.behind(shape, depth))
            sheet.fill(frame, cast.intersection(shown), _SHADE[degree])
    bodies = [
        (each.entity, question.laid(shape).intersection(shown), _colour(each))
        for each, shape in question.bodies
    ]
    for _, shape, colour in bodies:
        sheet.fill(frame, shape, colour, INK)
    ends = zip((question.near, question.far), question.colours, strict=True)
    parties = [(question.laid(shape), colour) for shape, colour in ends]
    for shape, colour in parties:
        sheet.fill(frame, shape, colour, INK)
    (near, near_colour), (far, far_colour) = parties
    axis = shapely.LineString([(0.0, 0.0), (question.length, 0.0)])
    for part in shapely.get_parts(axis.difference(near).difference(far)):
        if not part.is_empty:
            sheet.line(frame, shapely.get_coordinates(part).tolist())
    named = [body for body in bodies if body[0] in question.named()]
    named += [(question.answer.observer, near, near_colour)]
    named += [(question.answer.target, far, far_colour)]
    for name, shape, colour in named:
        if shape.is_empty:
            continue
        x, y = shape.centroid.coords[0]
        half, tall = wide(sheet.pen, name) / 2 / frame.across, NAME_PX / frame.up
        room = Polygon(shape.exterior) if isinstance(shape, Polygon) else shape
        if room.contains(shapely.box(x - half, y, x + half, y + 1.6 * tall)):
            sheet.name_in(name, frame.at(x, y + 0.8 * tall), colour)
        else:
            west, _, east, north = shape.bounds
            x, y = frame.at((west + east) / 2, north)
            sheet.name(name, (x, max(y, _PLAN_PX[0] + NAME_PX)))
    _draw_north(sheet, question)


def _draw_north(sheet: Sheet, question: _Question) -> None:
    """An arrow to the north at the upper right, as the plan is turned to the axis."""
    east, north = question.way.tolist()
    x, y, long = _RIGHT_PX - 22.0, 66.0, 24.0
    tip, tail = (x + north * long, y - east * long), (x - north * long, y + east * long)
    sheet.pen.line([(a * FINE, b * FINE) for a, b in (tail, tip)], fill=INK, width=2 * FINE)
    for turn in (-1, 1):
        back = (-north * 10 + turn * east * 7, east * 10 + turn * north * 7)
        barb = (tip[0] + back[0], tip[1] + back[1])
        sheet.pen.line([(a * FINE, b * FINE) for a, b in (tip, barb)], fill=INK, width=2 * FINE)
    sheet.write((x - 34, y), "N", NAME_PX, "rm")


def _draw_section(sheet: Sheet, question: _Question, ground: Places, plan: Frame) -> None:
    answer = question.answer
    first, last = float(ground[0, 0]), float(ground[-1, 0])
    tops = [answer.observer_height, answer.target_height, *(e.height for e in answer.intervening)]
    low, high = min(0.0, float(ground[:, 1].min())), max(*tops, float(ground[:, 1].max()))
    up = (_TALL_PX[1] - _TALL_PX[0]) / (high - low)
    frame = Frame(left=plan.left, bottom=_TALL_PX[1], low=(first, low), across=plan.across, up=up)
    _draw_scales(sheet, question, frame, (first, last), (low, high))
    shown = shapely.box(first, low, last, high)
    for each, shape in question.bodies:
        for colour, corners in _shade(question, each, shape):
            sheet.fill(frame, Polygon(corners).intersection(shown), colour)
    floor = low - 10 / up
    sheet.fill(frame, Polygon([(first, floor), *ground.tolist(), (last, floor)]), EARTH)
    for each, shape in question.bodies:
        reach = question.along(shape.intersection(question.hull))
        _column(sheet, frame, reach, (_under(ground, reach), each.height), _colour(each))
    for reach, foot, top, colour, _ in _parties(question):
        _column(sheet, frame, reach, (_under(ground, reach), foot), STAND)
        _column(sheet, frame, reach, (foot, top), colour)
    line = [[0.0, answer.observer_height], [question.length, answer.target_height]]
    sheet.line(frame, line)
    for reach, _, top, _, name in _parties(question):
        sheet.name(f"{name}, {top:.4g}", frame.at(sum(reach) / 2, top))
    for each, shape in question.bodies:
        if each.entity in question.named():
            reach = question.along(shape.intersection(question.hull))
            sheet.name(f"{each.entity}, {each.height:.4g}", frame.at(sum(reach) / 2, each.height))


def _parties(
    question: _Question,
) -> Iterator[tuple[tuple[float, float], float, float, str, str]]:
    """Of the observer and of the target: reach along the axis, footing, top, colour and name."""
    answer, (near, far) = question.answer, question.colours
    yield (
        question.along(question.near), answer.observer_footing, answer.observer_height, near,
        answer.observer,
    )  # fmt: skip
    yield (
        question.along(question.far), answer.target_footing, answer.target_height, far,
        answer.target,
    )  # fmt: skip


def _draw_scales(
    sheet: Sheet,
    question: _Question,
    frame: Frame,
    along: tuple[float, float],
    heights: tuple[float, float],
) -> None:
    """Heights to the left, and the way from the observer's nearest edge below."""
    for height in steps(*heights, 5):
        sheet.line(frame, [[along[0], height], [along[1], height]], PALE)
        x, y = frame.at(along[0], height)
        sheet.write((x - 10, y), f"{height:.4g}", SMALL_PX, "rm")
    edge = question.along(question.near)[1]
    for step in steps(along[0] - edge, along[1] - edge, 10):
        x, _ = frame.at(edge + step, 0)
        y = _TALL_PX[1] + 10
        sheet.pen.line([(x * FINE, y * FINE), (x * FINE, (y + 6) * FINE)], INK, FINE)
        if step >= 0:
            sheet.write((x, y + 10), f"{step:.4g}", SMALL_PX, "mt")
    told = f"heights above {question.answer.datum:.4g}; below, GSU from {question.answer.observer}"
    sheet.write((frame.left, _TALL_PX[0] - 56), told, SMALL_PX)


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


def _colour(each: Intervening) -> str:
    return SOLID if each.body == "solid" else SPARSE


def _under(ground: Places, reach: Sequence[float]) -> float:
    return float(np.interp(sum(reach) / 2, ground[:, 0], ground[:, 1]))


def _column(
    sheet: Sheet,
    frame: Frame,
    reach: tuple[float, float],
    heights: tuple[float, float],
    colour: str,
) -> None:
    low, high = min(heights), max(heights)
    sheet.fill(frame, shapely.box(reach[0], low, reach[1], high), colour, INK)
