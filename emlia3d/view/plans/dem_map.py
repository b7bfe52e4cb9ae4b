"""The viewshed of a raster as a map: shaded relief, what is hidden, and the observers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from emlia3d.dem.limits import Limits
from emlia3d.dem.viewshed_kinds import HIDDEN, PART, Show
from emlia3d.dem.visible_ground import DemViewshed
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.paper import INK, PAPER
from emlia3d.view.plans.relief_map import LEVEL, relief_of, round_below
from emlia3d.view.sight.corridor import PARTIAL, TOTAL

_LONGEST_PX, _LEAST_WIDTH_PX = 1400, 760
_EDGE_PX, _HEAD_PX, _FOOT_PX = 28, 92, 64
_RING, _PALE, _ROUTE = "#ffd23f", "#5c5a52", "#ff6f3c"
_VEIL, _TINT = 0.62, 0.72
_MOST_RINGS = 400
_SCALE_BAR_PX = 220

_STEPS = 5

_HEIGHTS = np.array(
    [(24, 78, 119), (44, 122, 138), (82, 178, 134), (181, 214, 92), (250, 232, 120)]
)
_SEEN_BY = np.array([(255, 244, 184), (253, 200, 100), (240, 140, 60), (190, 62, 30)])
_RAMPS = dict.fromkeys((Show.COUNTS, Show.PROPORTION, Show.SHARE), _SEEN_BY)
"""From the lowest value to the highest, in steps of lightness, none near the veil of the hidden."""

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


def draw_viewshed(found: DemViewshed, path: Path, route: Pixels | None = None) -> None:
    """Draw a viewshed of one layer as a picture that suits its values.

    route : (n, 2) float64, vertices to draw over it, in the CRS of the raster
    """
    size = _map_size(found)
    ground, rows, columns = _ground(found, size)
    values = found.values[0][np.ix_(rows, columns)]
    painted, key = _painted(found, ground, values)
    if found.model.holes is not None:
        painted[found.model.holes[np.ix_(rows, columns)]] = ImageColor.getrgb(PAPER)[:3]
    chart = Image.fromarray(painted.astype(np.uint8), "RGB")
    width = max(size[0], _LEAST_WIDTH_PX) + 2 * _EDGE_PX
    sheet = Image.new("RGB", (width, size[1] + _HEAD_PX + _FOOT_PX), PAPER)
    sheet.paste(chart, (_EDGE_PX, _HEAD_PX))
    pen = ImageDraw.Draw(sheet)
    if route is not None:
        _draw_route(pen, found, size, route)
    _draw_observers(pen, found, size)
    _draw_heading(pen, found)
    end = _draw_key(pen, key, sheet.height - _FOOT_PX + 20)
    _draw_scale(
        pen, found, size, (max(end + 40, width - _EDGE_PX - 320), sheet.height - _FOOT_PX + 20)
    )
    keep(sheet, path)


def _map_size(found: DemViewshed) -> tuple[int, int]:
    """Width and height of the map in pixels, with metres of one length both ways."""
    rows, columns = found.model.shape
    east, north = found.model.spacing_m
    scale = _LONGEST_PX / max(columns * east, rows * north)
    return max(2, round(columns * east * scale)), max(2, round(rows * north * scale))


def _ground(
    found: DemViewshed, size: tuple[int, int]
) -> tuple[Pixels, NDArray[np.intp], NDArray[np.intp]]:
    """Return the relief, and the row and the column of the raster under each pixel."""
    model = found.model
    rows, columns = model.shape
    column = (np.arange(size[0]) + 0.5) * columns / size[0] - 0.5
    row = (np.arange(size[1]) + 0.5) * rows / size[1] - 0.5
    heights = model.surface.heights_at(*np.broadcast_arrays(column[None, :], -row[:, None]))
    low, high = float(heights.min()), float(heights.max())
    if low == high:
        ground = np.broadcast_to(np.array(LEVEL, dtype=np.float64), (*heights.shape, 3)).copy()
    else:
        east, north = model.spacing_m
        pixel_m = east * columns / size[0], north * rows / size[1]
        ground = relief_of(heights, (low, high), pixel_m)
    return ground, _nearest(row, rows), _nearest(column, columns)


def _nearest(places: Pixels, count: int) -> NDArray[np.intp]:
    return np.clip(np.rint(places), 0, count - 1).astype(np.intp)


KeyEntry = tuple[tuple[int, ...], str]
Key = list[KeyEntry]


def _painted(found: DemViewshed, ground: Pixels, values: NDArray[np.generic]) -> tuple[Pixels, Key]:
    """Lay values over the relief; return them with what their colours mean."""
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
    # A few far values would leave all others in one colour.
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
    key: Key = [(LEVEL, "seen")]
    veils = ((PART, PARTIAL, "seen in part"), (HIDDEN, TOTAL, _hidden(found)))
    for level, colour, name in veils:
        over = np.array(ImageColor.getrgb(colour)[:3])
        there = levels == level
        ground[there] = ground[there] * (1 - _VEIL) + over * _VEIL
        key.append((_on_level(over, _VEIL), name))
    return ground, key


def _hidden(found: DemViewshed) -> str:
    return "hidden" if found.limits == Limits() else "hidden or beyond the limits"


def _on_level(colour: NDArray[Any], opacity: float) -> tuple[int, ...]:
    """Return a colour as it looks over level ground."""
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


def _draw_route(
    pen: ImageDraw.ImageDraw, found: DemViewshed, size: tuple[int, int], route: Pixels
) -> None:
    west, south, east, north = found.model.bounds
    x = _EDGE_PX + (route[:, 0] - west) / (east - west) * size[0]
    y = _HEAD_PX + (north - route[:, 1]) / (north - south) * size[1]
    places = list(zip(x.tolist(), y.tolist(), strict=True))
    for width, colour in ((9, INK), (5, _ROUTE)):
        pen.line(places, colour, width, joint="curve")
    for (a, b), colour in ((places[0], PAPER), (places[-1], _ROUTE)):
        pen.ellipse((a - 8, b - 8, a + 8, b + 8), fill=colour, outline=INK, width=2)


def _draw_observers(pen: ImageDraw.ImageDraw, found: DemViewshed, size: tuple[int, int]) -> None:
    rows, columns = found.model.shape
    radius = 8 if len(found.observers) <= _MOST_RINGS else 2
    for eye in found.observers:
        x = _EDGE_PX + (eye.column + 0.5) / columns * size[0]
        y = _HEAD_PX + (eye.row + 0.5) / rows * size[1]
        for r, colour in ((radius, INK), (radius - 1, _RING), (radius / 2, INK)):
            pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)


def _draw_heading(pen: ImageDraw.ImageDraw, found: DemViewshed) -> None:
    count = len(found.observers)
    who = "one observer" if count == 1 else f"{count} observers"
    east, north = found.model.spacing_m
    told = (
        f"{Path(found.model.name).name}: {who}, target {found.target_m:g} m high, "
        f"cells of {east:.4g} x {north:.4g} m"
    )
    if found.curvature is not None:
        told += f", curved earth, refraction {found.curvature.refraction:g}"
    _write(pen, (_EDGE_PX, 18), _TITLES[found.show], 28)
    _write(pen, (_EDGE_PX, 58), told, 17, _PALE)


def _draw_key(pen: ImageDraw.ImageDraw, key: Key, y: int) -> float:
    x = float(_EDGE_PX)
    for colour, words in key:
        pen.rectangle((x, y, x + 22, y + 22), fill=colour, outline=INK)
        _write(pen, (x + 30, y + 1), words, 17)
        x += 30 + pen.textlength(words, ImageFont.load_default(17)) + 24
    return x


def _draw_scale(
    pen: ImageDraw.ImageDraw, found: DemViewshed, size: tuple[int, int], corner: tuple[float, float]
) -> None:
    """Draw a scale bar of a round number of metres."""
    metre_px = size[0] / (found.model.shape[1] * found.model.spacing_m[0])
    length = round_below(_SCALE_BAR_PX / metre_px)
    x, y = corner
    end = x + length * metre_px
    pen.line([(x, y + 4), (x, y + 16), (end, y + 16), (end, y + 4)], fill=INK, width=2)
    told = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    _write(pen, (end + 10, y + 1), told, 17)


def _write(
    pen: ImageDraw.ImageDraw, place: tuple[float, float], words: str, size: int, colour: str = INK
) -> None:
    pen.text(place, words, colour, ImageFont.load_default(size))
