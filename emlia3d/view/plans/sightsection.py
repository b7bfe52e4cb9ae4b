"""The height section of a sight question: bodies and heights along the corridor's axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.answer import Intervening
from emlia3d.view.plans.paper import FINE, INK, SMALL_PX, PaperFrame, Sheet, steps
from emlia3d.view.plans.sightquestion import (
    EARTH,
    PALE,
    RISE,
    SHADE,
    STAND,
    PlanRows,
    SightDiagram,
    colour_of,
)
from emlia3d.view.sight.corridor import Places, depths

_FLOOR_PX = 10
"""Thickness of earth drawn under the lowest ground."""


def draw_section(sheet: Sheet, question: SightDiagram, plan: PaperFrame, bands: PlanRows) -> None:
    """Draw the bodies on the axis from the side, in their rows."""
    answer, ground = question.answer, question.ground
    first, last = float(ground[0, 0]), float(ground[-1, 0])
    tops = [answer.observer_height, answer.target_height, *(e.height for e in answer.intervening)]
    low, high = min(0.0, float(ground[:, 1].min())), max(*tops, float(ground[:, 1].max()))
    top, bottom = bands.section
    up = (bottom - top) / (high - low)
    frame = PaperFrame(left=plan.left, bottom=bottom, low=(first, low), across=plan.across, up=up)
    _draw_scales(sheet, question, frame, (first, last), (low, high), bands)
    shown = shapely.box(first, low, last, high)
    for each, shape in question.bodies:
        for colour, corners in _shade(question, each, shape, low):
            sheet.fill(frame, Polygon(corners).intersection(shown), colour)
    floor = low - _FLOOR_PX / up
    sheet.fill(frame, Polygon([(first, floor), *ground.tolist(), (last, floor)]), EARTH)
    for rise in _rises(question):
        sheet.fill(frame, rise, RISE)
    parties = list(_parties(question))
    for reach, foot, *_ in parties:
        _column(sheet, frame, reach, (_under(ground, reach), foot), STAND)
    for each, shape in question.standing:
        reach = question.along(shape.intersection(question.hull))
        heights = _under(ground, reach), each.height
        _column(sheet, frame, reach, heights, colour_of(each), question.rim_of(each))
    for reach, foot, tall, colour, _ in parties:
        _column(sheet, frame, reach, (foot, tall), colour)
    _draw_lines(sheet, question, frame)
    zone = (bands.caption + SMALL_PX + 6, bottom)
    for reach, _, tall, _, name in parties:
        sheet.name(f"{name}, {format_value(tall)}", _box(frame, reach, tall), zone)
    for each, shape in question.standing:
        if each.entity in question.named():
            reach = question.along(shape.intersection(question.hull))
            told = f"{each.entity}, {format_value(each.height)}"
            sheet.name(told, _box(frame, reach, each.height), zone)


def _draw_lines(sheet: Sheet, question: SightDiagram, frame: PaperFrame) -> None:
    """Draw the line from top to top, and the line to half the target's height."""
    answer, end = question.answer, question.length
    eye = [0.0, answer.observer_height]
    sheet.line(frame, [eye, [end, answer.target_height]])
    if answer.ground is not None and answer.ground.to_half:
        sheet.line(frame, [eye, [end, (answer.target_footing + answer.target_height) / 2]])


def _rises(question: SightDiagram) -> Iterator[Polygon]:
    """Yield the ground above the line from top to top, between the two."""
    if question.answer.ground is None:
        return
    along, heights = question.ground.T
    between = (along >= question.along(question.near)[1]) & (
        along <= question.along(question.far)[0]
    )
    above = between & (heights > question.line_at(along))
    edges = np.flatnonzero(np.diff(np.concatenate(([0], above.astype(np.int8), [0]))))
    for start, end in edges.reshape(-1, 2).tolist():
        if end - start > 1:
            crest = question.ground[start:end]
            line = np.column_stack((along[start:end], question.line_at(along[start:end])))
            yield Polygon([*crest.tolist(), *line[::-1].tolist()])


def _box(
    frame: PaperFrame, reach: tuple[float, float], top: float
) -> tuple[float, float, float, float]:
    """Return the pixels at the top of a column that its name is written over."""
    left, y = frame.at(reach[0], top)
    return left, y, frame.at(reach[1], top)[0], y


def _parties(
    question: SightDiagram,
) -> Iterator[tuple[tuple[float, float], float, float, str, str]]:
    """Yield for observer and target: reach along the axis, base, top, colour and name."""
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
    question: SightDiagram,
    frame: PaperFrame,
    along: tuple[float, float],
    heights: tuple[float, float],
    bands: PlanRows,
) -> None:
    """Heights to the left, and the way from the observer's nearest edge below."""
    for height in steps(*heights, 5):
        sheet.line(frame, [[along[0], height], [along[1], height]], PALE)
        x, y = frame.at(along[0], height)
        sheet.write((x - 10, y), f"{height:.4g}", SMALL_PX, "rm")
    edge, bottom = question.along(question.near)[1], bands.section[1]
    for step in steps(along[0] - edge, along[1] - edge, 10):
        x, _ = frame.at(edge + step, 0)
        y = bottom + 10
        sheet.pen.line([(x * FINE, y * FINE), (x * FINE, (y + 6) * FINE)], INK, FINE)
        if step >= 0:
            sheet.write((x, y + 10), f"{step:.4g}", SMALL_PX, "mt")
    datum = question.answer.datum
    high = f", {format_value(datum)} above map level" if datum else ""
    told = (
        f"height units above the lower base elevation{high}; below, GSU from "
        f"{question.answer.observer}"
    )
    sheet.write((frame.left, bands.caption), told, SMALL_PX)


def _shade(
    question: SightDiagram, each: Intervening, shape: BaseGeometry, floor: float
) -> Iterator[tuple[str, Places]]:
    """Yield a shadow from the side: from the body's top to the lower base at its end."""
    if each.shadow is None:
        return
    first, last = question.along(shape.intersection(question.hull))
    edge, sense = (last, 1.0) if question.looks_down else (first, -1.0)
    for degree, depth in depths(each):
        left = each.height * (1 - depth / each.shadow.length)
        end = edge + sense * depth
        corners = [[edge, floor], [edge, each.height], [end, left], [end, floor]]
        yield SHADE[degree], np.array(corners)


def _under(ground: Places, reach: Sequence[float]) -> float:
    return float(np.interp(sum(reach) / 2, ground[:, 0], ground[:, 1]))


def _column(
    sheet: Sheet,
    frame: PaperFrame,
    reach: tuple[float, float],
    heights: tuple[float, float],
    colour: str,
    rim: str | None = None,
) -> None:
    low, high = min(heights), max(heights)
    sheet.fill(frame, shapely.box(reach[0], low, reach[1], high), colour, rim or INK, rim=bool(rim))
