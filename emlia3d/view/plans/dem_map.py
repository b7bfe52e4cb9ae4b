"""The viewshed of a raster as a map: shaded relief, hidden ground, and the observers.

If the viewshed has a maximum distance, the map shows the part of the raster within it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from emlia3d.dem.limits import Limits
from emlia3d.dem.viewshed_kinds import HIDDEN, PART, WHOLE, Show
from emlia3d.dem.visible_ground import DemViewshed
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.map_marks import OBSERVER_PX, PALE, MapPen
from emlia3d.view.plans.paper import INK, PAPER
from emlia3d.view.plans.relief_map import LEVEL, relief_of, round_below
from emlia3d.view.sight.corridor import PARTIAL, TOTAL

_LONGEST_PX, _LEAST_WIDTH_PX = 1400, 760
_EDGE_PX, _HEAD_PX, _FOOT_PX = 28, 92, 64
_ROUTE = "#ff6f3c"
_VEIL, _TINT = 0.62, 0.72
_MOST_RINGS = 400
_SCALE_BAR_PX = 220
_BEYOND = 1.05
"""Distance shown around observers, relative to the maximum distance of the viewshed."""

_STEPS = 5

_HEIGHTS = np.array(
    [(24, 78, 119), (44, 122, 138), (82, 178, 134), (181, 214, 92), (250, 232, 120)]
)
_SEEN_BY = np.array([(255, 244, 184), (253, 200, 100), (240, 140, 60), (190, 62, 30)])
_RAMPS = dict.fromkeys((Show.COUNTS, Show.PROPORTION, Show.SHARE), _SEEN_BY)
"""Colours from the lowest value to the highest, by lightness, distinct from hidden ground."""

_TITLES = {
    Show.LEVELS: "Visible ground",
    Show.COUNTS: "Number of observers that see the target",
    Show.PROPORTION: "Proportion of observers that see the target",
    Show.LEAST: "The smallest height above the ground that shows",
    Show.SHARE: "Visible share of the target",
    Show.ANGLE: "Angle of the target above the horizontal",
}
_UNITS = {Show.LEAST: " m", Show.ANGLE: "\N{DEGREE SIGN}"}

Pixels = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a raster that a map shows: cells, and the size of the map in pixels."""

    top: int
    left: int
    rows: int
    columns: int
    size: tuple[int, int]

    def at(self, row: float, column: float) -> tuple[float, float]:
        """Return the pixels of a point that is in cells from the raster's upper left corner."""
        x = (column - self.left) / self.columns * self.size[0]
        y = (row - self.top) / self.rows * self.size[1]
        return _EDGE_PX + x, _HEAD_PX + y


def draw_viewshed(found: DemViewshed, path: Path, route: Pixels | None = None) -> None:
    """Draw a viewshed of one layer as a picture suitable for its values.

    route : (n, 2) float64, vertices to draw over it, in the CRS of the raster
    """
    part = _part(found, whole=route is not None)
    ground, rows, columns = _ground(found, part)
    values = found.values[0][np.ix_(rows, columns)]
    painted, key = _painted(found, ground, values)
    if found.model.holes is not None:
        painted[found.model.holes[np.ix_(rows, columns)]] = ImageColor.getrgb(PAPER)[:3]
    chart = Image.fromarray(painted.astype(np.uint8), "RGB")
    width = max(part.size[0], _LEAST_WIDTH_PX) + 2 * _EDGE_PX
    sheet = Image.new("RGB", (width, part.size[1] + _HEAD_PX + _FOOT_PX), PAPER)
    sheet.paste(chart, (_EDGE_PX, _HEAD_PX))
    pen = MapPen(ImageDraw.Draw(sheet))
    if route is not None:
        _draw_route(pen.pen, found, part, route)
    many = len(found.observers) > _MOST_RINGS
    for eye in found.observers:
        pen.observer(part.at(eye.row + 0.5, eye.column + 0.5), 2 if many else OBSERVER_PX)
    _draw_heading(pen, found)
    foot = part.size[1] + _HEAD_PX
    pen.legend((_EDGE_PX, foot + 20), key, "observer" if len(found.observers) == 1 else "observers")
    _draw_scale(pen, found, part, (width - _EDGE_PX, foot))
    keep(sheet, path)


def _part(found: DemViewshed, *, whole: bool) -> _Part:
    """Return the shown part: the ground within maximum distance, or the whole raster."""
    model, most_m = found.model, found.limits.max_m
    edges = []
    for cells, step_m, places in (
        (model.shape[0], model.spacing_m[1], [eye.row + 0.5 for eye in found.observers]),
        (model.shape[1], model.spacing_m[0], [eye.column + 0.5 for eye in found.observers]),
    ):
        far = math.inf if whole else most_m * _BEYOND / step_m
        edges.append((int(max(min(places) - far, 0)), math.ceil(min(max(places) + far, cells))))
    (top, bottom), (left, right) = edges
    width_m = (right - left) * model.spacing_m[0]
    height_m = (bottom - top) * model.spacing_m[1]
    scale = _LONGEST_PX / max(width_m, height_m)
    size = max(2, round(width_m * scale)), max(2, round(height_m * scale))
    return _Part(top, left, bottom - top, right - left, size)


def _ground(found: DemViewshed, part: _Part) -> tuple[Pixels, NDArray[np.intp], NDArray[np.intp]]:
    """Return the relief, and the row and the column of the raster under each pixel."""
    model, (width, height) = found.model, part.size
    rows, columns = model.shape
    column = part.left + (np.arange(width) + 0.5) * part.columns / width - 0.5
    row = part.top + (np.arange(height) + 0.5) * part.rows / height - 0.5
    heights = model.surface.heights_at(*np.broadcast_arrays(column[None, :], -row[:, None]))
    low, high = float(heights.min()), float(heights.max())
    if low == high:
        ground = np.broadcast_to(np.array(LEVEL, dtype=np.float64), (*heights.shape, 3)).copy()
    else:
        east, north = model.spacing_m
        pixel_m = east * part.columns / width, north * part.rows / height
        ground = relief_of(heights, (low, high), pixel_m)
    return ground, _nearest(row, rows), _nearest(column, columns)


def _nearest(places: Pixels, count: int) -> NDArray[np.intp]:
    return np.clip(np.rint(places), 0, count - 1).astype(np.intp)


KeyEntry = tuple[tuple[int, ...], str]
Key = list[KeyEntry]


def _painted(found: DemViewshed, ground: Pixels, values: NDArray[np.generic]) -> tuple[Pixels, Key]:
    """Overlay values on the relief; return the picture and the meanings of its colours."""
    if found.show is Show.LEVELS:
        return _painted_levels(found, ground, values)
    numbers = np.asarray(values, dtype=np.float64)
    hidden = ~np.isfinite(numbers)
    if found.show in _RAMPS:
        hidden |= numbers <= 0
    shown = numbers[~hidden]
    veil = np.array(ImageColor.getrgb(TOTAL)[:3])
    none = _on_level(veil, _VEIL)
    if not shown.size:
        return ground * (1 - _VEIL) + veil * _VEIL, [(none, _hidden(found))]
    # A few extreme values would give all others one colour.
    low, high = (float(end) for end in np.percentile(shown, [0, 98]))
    share = np.clip((numbers - low) / ((high - low) or 1.0), 0, 1)
    if found.show is Show.LEAST:
        share = 1 - share
    over = _ramp(found, np.where(hidden, 0, share))
    tint = np.where(hidden[..., None], _VEIL, _TINT)
    ground = ground * (1 - tint) + np.where(hidden[..., None], veil, over) * tint
    key = list(_scale_key(found, low, high))
    if hidden.any():
        key.append((none, _hidden(found)))
    return ground, key


def _painted_levels(
    found: DemViewshed, ground: Pixels, levels: NDArray[np.generic]
) -> tuple[Pixels, Key]:
    key: Key = [(LEVEL, f"seen: {_area(found, WHOLE)}")]
    veils = ((PART, PARTIAL, "seen in part"), (HIDDEN, TOTAL, _hidden(found)))
    for level, colour, name in veils:
        over = np.array(ImageColor.getrgb(colour)[:3])
        there = levels == level
        ground[there] = ground[there] * (1 - _VEIL) + over * _VEIL
        if level == HIDDEN:
            key.append((_on_level(over, _VEIL), name))
        elif (found.values[0] == level).any():
            key.append((_on_level(over, _VEIL), f"{name}: {_area(found, level)}"))
    return ground, key


def _area(found: DemViewshed, level: int) -> str:
    """Return the area of the cells at a level, in square kilometres."""
    cells = int(np.count_nonzero(found.values[0] == level))
    return f"{cells * math.prod(found.model.spacing_m) / 1e6:.3g} km2"


def _hidden(found: DemViewshed) -> str:
    return "hidden" if found.limits == Limits() else "hidden or beyond the limits"


def _on_level(colour: NDArray[Any], opacity: float) -> tuple[int, ...]:
    """Return the appearance of a colour over level ground."""
    return tuple(np.rint(np.array(LEVEL) * (1 - opacity) + colour * opacity).astype(int).tolist())


def _scale_key(found: DemViewshed, low: float, high: float) -> Iterator[KeyEntry]:
    unit = _UNITS.get(found.show, "")
    values = np.linspace(low, high, _STEPS)
    if found.show is Show.COUNTS:
        values = np.unique(np.rint(values))
    for value in values.tolist():
        part = (value - low) / ((high - low) or 1.0)
        share = 1 - part if found.show is Show.LEAST else part
        more = " or more" if value == high and found.show is not Show.SHARE else ""
        colour = _ramp(found, np.array([share]))[0]
        yield _on_level(colour, _TINT), f"{value:.3g}{unit}{more}"


def _ramp(found: DemViewshed, share: Pixels) -> Pixels:
    """Return the colours of values from the lowest, 0, to the highest, 1."""
    colours = _RAMPS.get(found.show, _HEIGHTS)
    steps = np.linspace(0, 1, len(colours))
    return np.stack([np.interp(share, steps, colours[:, k]) for k in range(3)], axis=-1)


def _draw_route(pen: ImageDraw.ImageDraw, found: DemViewshed, part: _Part, route: Pixels) -> None:
    west, south, east, north = found.model.bounds
    rows, columns = found.model.shape
    places = [
        part.at((north - y) / (north - south) * rows, (x - west) / (east - west) * columns)
        for x, y in route.tolist()
    ]
    for width, colour in ((9, INK), (5, _ROUTE)):
        pen.line(places, colour, width, joint="curve")
    for (a, b), colour in ((places[0], PAPER), (places[-1], _ROUTE)):
        pen.ellipse((a - 8, b - 8, a + 8, b + 8), fill=colour, outline=INK, width=2)


def _draw_heading(pen: MapPen, found: DemViewshed) -> None:
    count = len(found.observers)
    who = "one observer" if count == 1 else f"{count} observers"
    east, north = found.model.spacing_m
    told = (
        f"{Path(found.model.name).name}: {who}, target {found.target_m:g} m high, "
        f"cells of {east:.4g} x {north:.4g} m"
    )
    if math.isfinite(found.limits.max_m):
        told += f", up to {_length(found.limits.max_m)} away"
    if found.curvature is not None:
        told += f", curved earth, refraction {found.curvature.refraction:g}"
    pen.write((_EDGE_PX, 18), _TITLES[found.show], 28)
    pen.write((_EDGE_PX, 58), told, 17, colour=PALE)


def _draw_scale(pen: MapPen, found: DemViewshed, part: _Part, corner: tuple[float, float]) -> None:
    """Draw a scale bar of a round number of metres, and a north arrow, below a corner."""
    metre_px = part.size[0] / (part.columns * found.model.spacing_m[0])
    length = round_below(_SCALE_BAR_PX / metre_px)
    pen.scale_bar((corner[0] - 40, corner[1] + 34), length * metre_px, _length(length))
    pen.north((corner[0] - 12, corner[1] + 12))


def _length(metres: float) -> str:
    return f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
