"""A sight question's answer as a picture: the corridor from above, and under it from the side.

Both have the corridor's axis from the observer on the left to the target on the right, at the same
scale and aligned. Drawn with Pillow only, without a display.
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from PIL import Image, ImageDraw
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.answer import CorridorAnswer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.plans.paper import (
    FINE,
    INK,
    MARGINS_PX,
    NAME_PX,
    PAPER,
    PaperFrame,
    Sheet,
    wide,
)
from emlia3d.view.plans.sightquestion import (
    CORRIDOR,
    EARTH,
    RISE,
    SHADE,
    SIZE_PX,
    SOLID,
    SPARSE,
    PlanRows,
    SightDiagram,
    colour_of,
    placed,
)
from emlia3d.view.plans.sightsection import draw_section
from emlia3d.view.plans.sightwords import Meaning, write_words
from emlia3d.view.sight.corridor import PARTIAL, TOTAL, depths

_RIGHT_PX = MARGINS_PX[1]
_HEAD_PX = 118
"""The verdict is above this row."""

_STRIP_PX = 2


def corridor_picture(setup: Setup, state: State, answer: CorridorAnswer) -> Image.Image:
    """Return the picture of an answer about the units in *state*.

    The upper part shows the corridor, its bodies and their shadows: violet for total, grey for
    partial concealment. The lower part shows heights along the axis, with the sight line.
    """
    question = SightDiagram(setup, state, answer)
    image = Image.new("RGB", (SIZE_PX[0] * FINE, SIZE_PX[1] * FINE), PAPER)
    sheet = Sheet(ImageDraw.Draw(image))
    plan, shown, bands = placed(question)
    _draw_words(sheet, question)
    _draw_plan(sheet, question, plan, shown, bands)
    draw_section(sheet, question, plan, bands)
    return image.resize(SIZE_PX, Image.Resampling.LANCZOS)


def _draw_words(sheet: Sheet, question: SightDiagram) -> None:
    answer = question.answer
    title = f"{answer.target}, from {answer.observer}: {answer.in_short}"
    told = f"{answer.degrees}; {format_value(answer.distance)} GSU between nearest edges"
    write_words(sheet, title, told, _legend(question), answer.because)


def _legend(question: SightDiagram) -> Iterator[Meaning]:
    """Yield the colours with their meanings, outlines included."""
    answer = question.answer
    bodies = {each.body for each, _ in question.standing}
    shades = {degree for each in answer.intervening for degree, _ in depths(each)}
    yield CORRIDOR, None, "sight corridor"
    if "solid" in bodies:
        yield SOLID, None, "solid"
    if "sparse" in bodies:
        yield SPARSE, None, "with gaps"
    rims = {question.rim_of(each) for each in answer.intervening}
    for side in question.setup.sides:
        if side.colour in rims:
            yield PAPER, side.colour, f"of {side.name}"
    if question.underfoot:
        yield EARTH, None, "ground that they stand on"
    if "total" in shades:
        yield TOTAL, None, "total concealment here"
    if "partial" in shades:
        yield PARTIAL, None, "partial concealment here"
    if answer.ground is not None and answer.ground.blocked_share:
        yield RISE, None, "ground above the sight line"


def _draw_plan(
    sheet: Sheet, question: SightDiagram, frame: PaperFrame, shown: Polygon, bands: PlanRows
) -> None:
    for _, shape in question.underfoot:
        sheet.fill(frame, question.laid(shape).intersection(shown), EARTH, INK)
    sheet.fill(frame, question.laid(question.free), CORRIDOR, INK)
    for strip in question.rises(round((bands.plan[1] - bands.plan[0]) / _STRIP_PX)):
        sheet.fill(frame, strip, RISE)
    for each, shape in question.bodies:
        for degree, depth in depths(each):
            cast = question.laid(question.behind(shape, depth))
            sheet.fill(frame, cast.intersection(shown), SHADE[degree])
    bodies = [(each, question.laid(shape).intersection(shown)) for each, shape in question.standing]
    for each, shape in bodies:
        rim = question.rim_of(each)
        sheet.fill(frame, shape, colour_of(each), rim or INK, rim=rim is not None)
    ends = zip((question.near, question.far), question.colours, strict=True)
    parties = [(question.laid(shape), colour) for shape, colour in ends]
    for shape, colour in parties:
        sheet.fill(frame, shape, colour, INK)
    (near, near_colour), (far, far_colour) = parties
    axis = shapely.LineString([(0.0, 0.0), (question.length, 0.0)])
    for part in shapely.get_parts(axis.difference(near).difference(far)):
        if not part.is_empty:
            sheet.line(frame, shapely.get_coordinates(part).tolist())
    named = [(question.answer.observer, near, near_colour)]
    named += [(question.answer.target, far, far_colour)]
    named += [
        (each.entity, _largest(shape.difference(near).difference(far)), colour_of(each))
        for each, shape in bodies
        if each.entity in question.named()
    ]
    zone = (_HEAD_PX, bands.caption)
    for name, shape, colour in named:
        if shape.is_empty:
            continue
        x, y = shape.centroid.coords[0]
        half, tall = wide(sheet.pen, name) / 2 / frame.across, NAME_PX / frame.up
        room = Polygon(shape.exterior) if isinstance(shape, Polygon) else shape
        if room.contains(shapely.box(x - half, y, x + half, y + 1.6 * tall)):
            sheet.name_in(name, frame.at(x, y + 0.8 * tall), colour)
        else:
            west, south, east, north = shape.bounds
            sheet.name(name, (*frame.at(west, north), *frame.at(east, south)), zone)
    _draw_north(sheet, question)


def _largest(shape: BaseGeometry) -> BaseGeometry:
    """Return the part of a shape with the most room for a name."""
    return max(shapely.get_parts(shape).tolist(), key=lambda part: part.area, default=shape)


def _draw_north(sheet: Sheet, question: SightDiagram) -> None:
    """Draw a north arrow at the upper right, because the plan is turned to the axis."""
    east, north = question.way.tolist()
    x, y, long = _RIGHT_PX - 22.0, 66.0, 24.0
    tip, tail = (x + north * long, y - east * long), (x - north * long, y + east * long)
    sheet.pen.line([(a * FINE, b * FINE) for a, b in (tail, tip)], fill=INK, width=2 * FINE)
    for turn in (-1, 1):
        back = (-north * 10 + turn * east * 7, east * 10 + turn * north * 7)
        barb = (tip[0] + back[0], tip[1] + back[1])
        sheet.pen.line([(a * FINE, b * FINE) for a, b in (tip, barb)], fill=INK, width=2 * FINE)
    sheet.write((x - 34, y), "N", NAME_PX, "rm")
