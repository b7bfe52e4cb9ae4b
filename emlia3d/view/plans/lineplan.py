"""A sight answer by lines as a picture: the lines from above, each up to its obstacle.

North is up. Drawn with Pillow alone, so that it needs no display.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.answer import SightAnswer, SightLine
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.field.hexes import HexBoard, board_of, lines_between
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.plans.country import FILLS, OTHER, features_there
from emlia3d.view.plans.paper import FINE, INK, MARGINS_PX, PAPER, Box, PaperFrame, Sheet, wide
from emlia3d.view.plans.sightquestion import SIZE_PX
from emlia3d.view.plans.sightwords import Meaning, write_words
from emlia3d.view.sight.sightlines import LinedUp

CLEAR, STOPPED, BEYOND = "#1f7a4d", "#b3261e", "#a9a59a"
"""Colours of a clear line, of a blocked line up to its obstacle, and of the rest."""

HINDERS, BLOCKS, TILE = "#e8c878", "#d99a86", "#8c887e"
"""Fills of bodies that hinder and that block a line; colour of tile edges."""

_BAND_PX = (150, 890)
"""Rows between which the plan lies."""

_LINE_PX, _MARK_PX, _INSIDE_PX = 4, 9, 14
_MARGIN = 0.12
_LEAST_GSU = 1.0


def lines_picture(setup: Setup, state: State, answer: SightAnswer) -> Image.Image:
    """Return the picture of an answer about the units in *state*."""
    question = LinedUp(setup, state, answer)
    image = Image.new("RGB", (SIZE_PX[0] * FINE, SIZE_PX[1] * FINE), PAPER)
    sheet = Sheet(ImageDraw.Draw(image))
    frame, shown = placed(question)
    _draw_country(sheet, question, frame, shown)
    _draw_sight(sheet, question, frame)
    title = f"{answer.target}, from {answer.observer}: {answer.in_short}"
    metres = setup.field.scale.metres_per_gsu
    told = f"{format_value(answer.distance)} GSU apart, 1 GSU is {metres:.3g} m; north is up"
    write_words(sheet, title, told, _legend(question), answer.because)
    return image.resize(SIZE_PX, Image.Resampling.LANCZOS)


def placed(question: LinedUp) -> tuple[PaperFrame, shapely.Polygon]:
    """Return the frame of the plan, and the part of the field that it shows."""
    corners = question.places()
    (west, south), (east, north) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    margin = _MARGIN * max(east - west, north - south, _LEAST_GSU)
    west, south, east, north = west - margin, south - margin, east + margin, north + margin
    (left, right), (top, bottom) = MARGINS_PX, _BAND_PX
    scale = min((right - left) / (east - west), (bottom - top) / (north - south))
    # The plan takes the whole width, to show the surrounding ground.
    wide = (right - left) / scale / 2
    middle = (west + east) / 2
    high = bottom - ((bottom - top) - (north - south) * scale) / 2
    frame = PaperFrame(left=left, bottom=high, low=(middle - wide, south), across=scale, up=scale)
    return frame, shapely.box(middle - wide, south, middle + wide, north)


def _draw_country(
    sheet: Sheet, question: LinedUp, frame: PaperFrame, shown: shapely.Polygon
) -> None:
    setup, state = question.setup, question.state
    for feature in features_there(setup, state):
        fill = FILLS.get(feature.look, OTHER)
        sheet.fill(frame, feature.outline.intersection(shown), fill, INK)
    for place in question.answer.hindrances:
        for corners in place.outlines:
            fill = BLOCKS if place.blocks else HINDERS
            sheet.fill(frame, shapely.Polygon(corners).intersection(shown), fill, INK)
    for corners in _tiles_on_the_way(question):
        sheet.fill(frame, shapely.Polygon(corners).intersection(shown), None, TILE)
    asked = {question.answer.observer, question.answer.target}
    for row in units_in_sight(state):
        unit = setup.units[row]
        if unit.name not in asked:
            shape = outline_of(setup, state, row).intersection(shown)
            sheet.fill(frame, shape, PAPER, setup.sides[unit.muster.side].colour, rim=True)


def _draw_sight(sheet: Sheet, question: LinedUp, frame: PaperFrame) -> None:
    for end, colour in zip((question.near, question.far), question.colours, strict=True):
        sheet.fill(frame, end, colour, INK)
    for each in sorted(question.lines, key=lambda one: one.line.clear):
        line, clear = each.line, each.line.clear
        if not clear:
            _stroke(sheet, frame, each.turn, line.end, BEYOND)
        _stroke(sheet, frame, line.start, each.turn, CLEAR if clear else STOPPED)
        if not clear:
            _cross(sheet, frame.at(*each.turn))
    sheet.taken += [box for each in question.lines for box in _boxes_on(frame, each.line)]
    ends = ((question.answer.observer, question.near), (question.answer.target, question.far))
    tiles = {place.name for place in question.answer.hindrances}
    named = [each for each in question.stoppers.items() if each[0] not in tiles]
    for name, shape in (*named, *ends):
        if not shape.is_empty:
            west, south, east, north = shape.bounds
            box = (*frame.at(west, north), *frame.at(east, south))
            at = box[0] + wide(sheet.pen, name) / 2 + _INSIDE_PX, (box[1] + box[3]) / 2
            if (name, shape) in ends or at[0] > (box[0] + box[2]) / 2 - _INSIDE_PX:
                sheet.name(name, box, _BAND_PX)
            else:
                sheet.name_in(name, at, OTHER)


def _tiles_on_the_way(question: LinedUp) -> NDArray[np.float64]:
    """Return the corners of the tiles along a line, (n, 6, 2), GSU.

    They have the size of a tile that hinders the line, otherwise of the field's own tiles.
    """
    field, hindrances = question.setup.field, question.answer.hindrances
    if hindrances:
        across = float(np.ptp(np.array(hindrances[0].outlines[0])[:, 0]))
        grid = HexBoard.covering(field.size, round(across, 6)).grid
    elif field.cells == "hexes":
        grid = board_of(field).grid
    else:
        return np.zeros((0, 6, 2))
    ends = np.array([(each.line.start, each.line.end) for each in question.lines])
    starts, stops = (grid.tiles_at(ends[:, end]) for end in (0, 1))
    tiles = np.unique(lines_between(starts, stops).tiles.reshape(-1, 2), axis=0)
    return grid.corners(np.unique(np.concatenate([tiles, starts, stops]), axis=0))


def _stroke(
    sheet: Sheet,
    frame: PaperFrame,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
) -> None:
    ends = [frame.at(*place) for place in (start, end)]
    sheet.pen.line([(x * FINE, y * FINE) for x, y in ends], colour, _LINE_PX * FINE)


def _cross(sheet: Sheet, place: tuple[float, float]) -> None:
    x, y = place
    for turn in (-1, 1):
        arm = _MARK_PX * turn
        ends = ((x - _MARK_PX) * FINE, (y - arm) * FINE, (x + _MARK_PX) * FINE, (y + arm) * FINE)
        sheet.pen.line(ends, STOPPED, _LINE_PX * FINE)


def _boxes_on(frame: PaperFrame, line: SightLine) -> Iterator[Box]:
    """Yield boxes along a line, so that no name is written over it."""
    start, end = np.array(frame.at(*line.start)), np.array(frame.at(*line.end))
    pieces = max(round(float(np.hypot(*(end - start))) / _MARK_PX), 1)
    for share in np.arange(pieces) / pieces:
        x, y = (start + (end - start) * share).tolist()
        yield x - _LINE_PX, y - _LINE_PX, x + _LINE_PX, y + _LINE_PX


def _legend(question: LinedUp) -> Iterator[Meaning]:
    """Yield the colours of this picture."""
    clear = {each.line.clear for each in question.lines}
    if True in clear:
        yield CLEAR, None, "clear line"
    if False in clear:
        yield STOPPED, None, "line up to what stops it"
        yield BEYOND, None, "the rest of it"
    blocking = {place.blocks for place in question.answer.hindrances}
    if False in blocking:
        yield HINDERS, None, "tile that hinders it"
    if True in blocking:
        yield BLOCKS, None, "tile that blocks it"
    if len(_tiles_on_the_way(question)):
        yield PAPER, TILE, "tile on the line"
    for side in question.setup.sides:
        yield PAPER, side.colour, f"of {side.name}"
