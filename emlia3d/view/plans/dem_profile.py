"""Profiles over a raster: a line of sight, and the visible parts of a path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from shapely import Polygon

from emlia3d.dem.line import LineOfSight, Run
from emlia3d.dem.model import ElevationModel
from emlia3d.dem.paths import PathExposure
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.paper import FINE, INK, NAME_PX, PAPER, SMALL_PX, PaperFrame, Sheet, steps
from emlia3d.view.plans.sightquestion import EARTH, PALE, RISE

_SIZE_PX = 1600, 640
_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 100, 1556, 150, 540
_FREE, _BLOCKED = "#1f7a3d", "#b3261e"
_SHOWN, _UNSEEN = "#f2c84b", "#6b3fa0"
_TICKS = 8

Floats = NDArray[np.float64]


def draw_profile(model: ElevationModel, found: LineOfSight, path: Path) -> None:
    """Draw the section along a line of sight from the observer, left, to the target, right."""
    image = Image.new("RGB", (_SIZE_PX[0] * FINE, _SIZE_PX[1] * FINE), PAPER)
    sheet = Sheet(ImageDraw.Draw(image))
    frame, floor = _frame(found.distances, found.ground, found.line)
    distances, ground, line = found.distances, found.ground, found.line
    section = np.column_stack([distances, ground])
    end = float(distances[-1])
    _draw_scales(sheet, frame, end, floor, float(max(ground.max(), line.max())))
    earth = Polygon([(0.0, floor), *section.tolist(), (end, floor)])
    sheet.fill(frame, earth, EARTH)
    top = float(max(ground.max(), line.max())) + 1
    above = Polygon([(0.0, float(line[0])), (end, float(line[-1])), (end, top), (0.0, top)])
    sheet.fill(frame, earth.intersection(above), RISE)
    _draw_runs(sheet, frame, found.runs, section)
    colour = _FREE if found.visible else _BLOCKED
    sheet.pen.line(frame.put(np.array([[0.0, line[0]], [end, line[-1]]])), colour, 3 * FINE)
    for at, foot, top in ((0.0, ground[0], line[0]), (end, ground[-1], line[-1])):
        sheet.line(frame, [[at, foot], [at, top]], INK)
        _dot(sheet, frame, (at, float(top)), INK)
    _draw_point(sheet, frame, found)
    _draw_heading(sheet, model, found)
    keep(image.resize(_SIZE_PX, Image.Resampling.LANCZOS), path)


def draw_exposure(
    found: PathExposure,
    subject: str,
    observers: int,
    path: Path,
    unit: tuple[str, float] = ("m", 1.0),
) -> None:
    """Draw the profile of a path and its visible parts.

    subject : the path and the figure on it, for the second line
    unit : of lengths along the path, and its metres
    """
    image = Image.new("RGB", (_SIZE_PX[0] * FINE, _SIZE_PX[1] * FINE), PAPER)
    sheet = Sheet(ImageDraw.Draw(image))
    name, metres = unit
    distances = found.distances / metres
    frame, floor = _frame(distances, found.ground, found.ground)
    section = np.column_stack([distances, found.ground])
    end = float(distances[-1])
    _draw_scales(sheet, frame, end, floor, float(found.ground.max()), name)
    sheet.fill(frame, Polygon([(0.0, floor), *section.tolist(), (end, floor)]), EARTH)
    runs = [Run(run.start_m / metres, run.end_m / metres, run.visible) for run in found.together]
    _draw_runs(sheet, frame, runs, section)
    if found.first is not None:
        at = found.first.distance_m / metres
        ground = float(np.interp(at, distances, found.ground))
        _dot(sheet, frame, (at, ground), _BLOCKED)
        x, y = frame.at(at, ground)
        x = min(max(x, _LEFT_PX + 130), _RIGHT_PX - 130)
        after = f"first seen after {at:.0f} {name}"
        sheet.write((x, y - 14), after, SMALL_PX, "mb", _BLOCKED, 4 * FINE)
    who = "the observer" if observers == 1 else f"one of {observers} observers"
    sheet.write((_LEFT_PX, 28), f"{found.share:.0%} of the path is in view", NAME_PX + 5)
    sheet.write((_LEFT_PX, 68), f"{subject}, seen by {who}")
    _draw_key(sheet, ((_SHOWN, "in view"), (_UNSEEN, "out of view")))
    keep(image.resize(_SIZE_PX, Image.Resampling.LANCZOS), path)


def _frame(distances: Floats, ground: Floats, line: Floats) -> tuple[PaperFrame, float]:
    """Return the position of the section, and the elevation of its lower edge."""
    low = float(min(ground.min(), line.min()))
    high = float(max(ground.max(), line.max()))
    floor = low - 0.12 * max(high - low, 1.0)
    across = (_RIGHT_PX - _LEFT_PX) / float(distances[-1] or 1.0)
    up = (_BOTTOM_PX - _TOP_PX) / (high - floor)
    return PaperFrame(_LEFT_PX, _BOTTOM_PX, (0.0, floor), across, up), floor


def _draw_scales(
    sheet: Sheet, frame: PaperFrame, end: float, low: float, high: float, unit: str = "m"
) -> None:
    for height in steps(low, high, _TICKS):
        sheet.line(frame, [[0.0, height], [end, height]], PALE)
        x, y = frame.at(0.0, height)
        sheet.write((x - 12, y), f"{height:g} m", anchor="rm")
    if end > 0:
        for distance in steps(0.0, end, _TICKS):
            x, y = frame.at(distance, low)
            sheet.pen.line([x * FINE, y * FINE, x * FINE, (y + 16) * FINE], INK, FINE)
            sheet.write((x, y + 22), f"{distance:g} {unit}", anchor="ma")


def _draw_runs(sheet: Sheet, frame: PaperFrame, runs: Sequence[Run], section: Floats) -> None:
    """Draw the ground in the colours of visible and hidden parts."""
    distances, ground = section.T
    for run in runs:
        bends = distances[(distances > run.start_m) & (distances < run.end_m)]
        along = np.concatenate([[run.start_m], bends, [run.end_m]])
        heights = np.interp(along, distances, ground)
        places = frame.put(np.column_stack([along, heights]))
        sheet.pen.line(places, _SHOWN if run.visible else _UNSEEN, 4 * FINE, joint="curve")


def _draw_point(sheet: Sheet, frame: PaperFrame, found: LineOfSight) -> None:
    """Draw the point where the ground blocks the line, or is nearest to it."""
    point = found.blocked or found.closest
    if point is None:
        return
    line = float(np.interp(point.distance_m, found.distances, found.line))
    ground = line - point.gap_m
    colour = _BLOCKED if found.blocked else _FREE
    sheet.line(frame, [[point.distance_m, line], [point.distance_m, ground]], colour)
    _dot(sheet, frame, (point.distance_m, ground), colour)
    told = f"{abs(point.gap_m):.2f} m {'above' if found.blocked else 'below'} the line"
    x, y = frame.at(point.distance_m, max(line, ground))
    x = min(max(x, _LEFT_PX + 130), _RIGHT_PX - 130)
    sheet.write((x, y - 14), told, SMALL_PX, "mb", colour, halo=4 * FINE)


def _draw_heading(sheet: Sheet, model: ElevationModel, found: LineOfSight) -> None:
    verdict = (
        "The line of sight is free" if found.visible else "The ground blocks the line of sight"
    )
    sheet.write((_LEFT_PX, 28), verdict, NAME_PX + 5)
    a, b = found.observer, found.target
    told = (
        f"{Path(model.name).name}: from {a.x:.10g},{a.y:.10g} ({a.height:g} m above the ground) to "
        f"{b.x:.10g},{b.y:.10g} ({b.height:g} m): {found.distance_m:.1f} m, "
        f"{found.angle:+.2f}\N{DEGREE SIGN}"
    )
    sheet.write((_LEFT_PX, 68), told)
    height = f"points {b.height:g} m above it" if b.height else "it"
    _draw_key(
        sheet,
        (
            (_SHOWN, f"ground where the observer sees {height}"),
            (_UNSEEN, "ground where not"),
            (RISE, "ground above the line"),
        ),
    )


def _draw_key(sheet: Sheet, key: Iterable[tuple[str, str]]) -> None:
    x = float(_LEFT_PX)
    font = ImageFont.load_default(SMALL_PX * FINE)
    for colour, words in key:
        sheet.pen.rectangle([x * FINE, 104 * FINE, (x + 20) * FINE, 118 * FINE], fill=colour)
        sheet.write((x + 28, 100), words)
        x += 58 + sheet.pen.textlength(words, font) / FINE


def _dot(sheet: Sheet, frame: PaperFrame, place: tuple[float, float], colour: str) -> None:
    x, y = (pixel * FINE for pixel in frame.at(*place))
    r = 6 * FINE
    sheet.pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)
