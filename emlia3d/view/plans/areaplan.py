"""A viewshed as a map: shaded ground, overlaid where it cannot be seen.

Drawn with Pillow alone, so that it needs no display. Visible ground is clear; it is
grey under partial and purple under total concealment, as the rulebook draws shadows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.area import SightArea, cells_of
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.field import Feature
from emlia3d.field.hexes import named_place
from emlia3d.view.plans.country import FILLS, OTHER, features_there
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.plan_tiles import draw_tiles
from emlia3d.view.plans.relief_map import LEVEL, relief_map, round_below
from emlia3d.view.sight.corridor import PARTIAL, TOTAL

COLOURS: Mapping[int, tuple[int, int, int, int]] = {
    0: (255, 255, 255, 0),
    1: (*ImageColor.getrgb(PARTIAL)[:3], 160),
    2: (*ImageColor.getrgb(TOTAL)[:3], 175),
}
"""Red, green, blue and opacity of each level of concealment."""

_PAPER, _INK, _PALE, _RING = "#fbfaf6", "#222222", "#5c5a52", "#ffd23f"
_FEW, _MANY = (255, 238, 170), (214, 78, 24)
_SEEN_OPACITY = 0.62
_ROUTE = "#1769c2"

_AREA_OPACITY, _UNIT_OPACITY = 150, 130

_MAP_PX, _LEAST_PAGE_PX, _LONGEST_BAR_PX = 1200, 700, 240
_EDGE_PX, _HEAD_PX, _FOOT_PX = 40, 92, 84
_FINE = 2
_FONT_PX = 15
_LEAST_PX = 7

_OPEN = {"hill", "village", "rampart", "tower"}  # solid, and yet the ground that one stands on

Box = tuple[float, float, float, float]
Rgb = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Map:
    """The field in pixels, before they are drawn finer.

    size : width and height
    scale : pixels to a GSU
    north : GSU
    """

    size: tuple[int, int]
    scale: float
    north: float

    def put(self, shape: BaseGeometry) -> list[list[tuple[float, float]]]:
        """Return the shells of a shape's parts, as fine pixels."""
        rings = []
        for part in shapely.get_parts(shape):
            if part.geom_type == "Polygon" and not part.is_empty:
                x, y = shapely.get_coordinates(part.exterior).T
                rings.append([self.at(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
        return rings

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a place, as fine pixels."""
        return x * self.scale * _FINE, (self.north - y) * self.scale * _FINE


def draw_area(
    setup: Setup,
    state: State,
    area: SightArea,
    path: Path,
    *,
    counts: bool = False,
    route: NDArray[np.float64] | None = None,
) -> None:
    """Write the map of an answer about units that stand as they do in *state*.

    counts : show how many observers see anything, instead of the concealment from the best
    route : (n, 2) GSU, the vertices of a route to draw
    """
    east, north = setup.field.size
    scale = _MAP_PX / max(east, north)
    width, height = max(round(east * scale), 1), max(round(north * scale), 1)
    frame = _Map((width, height), scale, north)
    chart = _chart(setup, state, area, frame, counts=counts)
    if route is not None:
        _draw_route(ImageDraw.Draw(chart), frame, route)
    page = max(width, _LEAST_PAGE_PX) + 2 * _EDGE_PX, height + _HEAD_PX + _FOOT_PX
    image = Image.new("RGB", (page[0] * _FINE, page[1] * _FINE), _PAPER)
    pen = ImageDraw.Draw(image)
    corner = (page[0] - width) // 2, _HEAD_PX
    image.paste(chart, (corner[0] * _FINE, corner[1] * _FINE))
    box = (corner[0], corner[1], corner[0] + width, corner[1] + height)
    pen.rectangle([edge * _FINE for edge in box], outline=_INK, width=_FINE)
    _draw_heading(pen, area, setup)
    _draw_legend(pen, area, (_EDGE_PX, box[3] + 22), counts=counts)
    _draw_scale(pen, setup, scale, (page[0] - _EDGE_PX, box[3]))
    keep(image.resize(page, Image.Resampling.LANCZOS), path)


def _chart(
    setup: Setup, state: State, area: SightArea, frame: _Map, *, counts: bool
) -> Image.Image:
    """Return the map without its page: ground, what cannot be seen, and what stands there."""
    ground = Image.fromarray(relief_map(setup.field, frame.size).astype(np.uint8))
    fine = frame.size[0] * _FINE, frame.size[1] * _FINE
    chart = ground.resize(fine, Image.Resampling.BICUBIC)
    features = list(features_there(setup, state))
    blocks = [each for each in features if each.body == "solid" and each.look not in _OPEN]
    _fill(chart, frame, [each for each in features if each not in blocks], _AREA_OPACITY)
    spread = (
        round(area.grid.cell * frame.scale * _FINE * area.grid.columns),
        round(area.grid.cell * frame.scale * _FINE * area.grid.rows),
    )
    veil = Image.fromarray(_tinted(area, counts=counts), "RGBA")
    veil = veil.resize(spread, Image.Resampling.NEAREST).crop((0, 0, *fine))
    chart.paste(veil, mask=veil)
    _fill(chart, frame, blocks, 255)
    draw_tiles(chart, setup.field, frame.at, frame.scale)
    pen = ImageDraw.Draw(chart)
    for feature in features:
        for ring in frame.put(feature.outline):
            pen.line([*ring, ring[0]], fill=_PALE, width=_FINE, joint="curve")
    units = list(_units(setup, state))
    lookouts = list(_lookouts(setup, area))
    _draw_units(chart, frame, units, area)
    for _, x, y in lookouts:
        a, b = frame.at(x, y)
        for radius, colour in ((9, _INK), (8, _RING), (4, _INK)):
            r = radius * _FINE
            pen.ellipse((a - r, b - r, a + r, b + r), fill=colour)
    _name_everything(pen, frame, area, (lookouts, units, features))
    return chart


def _draw_route(pen: ImageDraw.ImageDraw, frame: _Map, route: NDArray[np.float64]) -> None:
    places = [frame.at(x, y) for x, y in route.tolist()]
    for width, colour in ((7, _INK), (4, _ROUTE)):
        pen.line(places, fill=colour, width=width * _FINE, joint="curve")
    for (x, y), colour in ((places[0], _PAPER), (places[-1], _ROUTE)):
        r = 6 * _FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=_INK, width=2 * _FINE)


def _fill(chart: Image.Image, frame: _Map, features: Sequence[Feature], opacity: int) -> None:
    layer = Image.new("RGBA", chart.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    for feature in features:
        colour = ImageColor.getrgb(FILLS.get(feature.look, OTHER))[:3]
        for ring in frame.put(feature.outline):
            pen.polygon(ring, fill=(*colour, opacity))
    chart.paste(layer, mask=layer)


def _draw_units(
    chart: Image.Image,
    frame: _Map,
    units: Sequence[tuple[str, BaseGeometry, str]],
    area: SightArea,
) -> None:
    """Boundaries in the colours of their sides; observers ringed."""
    layer = Image.new("RGBA", chart.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    for name, outline, colour in units:
        red, green, blue = ImageColor.getrgb(colour)[:3]
        for ring in frame.put(_no_smaller(outline, frame)):
            line = [*ring, ring[0], ring[1]]
            if name in area.observers:
                pen.line(line, fill=_INK, width=11 * _FINE, joint="curve")
                pen.line(line, fill=_RING, width=9 * _FINE, joint="curve")
            else:
                pen.line(line, fill=_PAPER, width=5 * _FINE, joint="curve")
            pen.polygon(ring, fill=(red, green, blue, _UNIT_OPACITY))
            pen.line(line, fill=colour, width=3 * _FINE, joint="curve")
    chart.paste(layer, mask=layer)


def _no_smaller(outline: BaseGeometry, frame: _Map) -> BaseGeometry:
    """Return an outline, or a disc that can be seen where it would be too small."""
    west, south, east, north = outline.bounds
    if max(east - west, north - south) * frame.scale >= _LEAST_PX:
        return outline
    return outline.centroid.buffer(_LEAST_PX / 2 / frame.scale)


def _lookouts(setup: Setup, area: SightArea) -> Iterator[tuple[str, float, float]]:
    """Observers that are places."""
    names = {unit.name for unit in setup.units}
    for name in area.observers:
        if name not in names:
            yield name, *named_place(setup.field, name)


def _tinted(area: SightArea, *, counts: bool) -> NDArray[np.uint8]:
    """(rows, columns, 4) uint8: what is laid over the ground in each cell."""
    table = [COLOURS[level] for level in sorted(COLOURS)]
    values = area.levels.astype(np.intp)
    if counts:
        table = [COLOURS[2], *(_seen_by(count, len(area.observers)) for count in _times(area))]
        values = area.counts.astype(np.intp)
    return np.asarray(np.array(table, dtype=np.uint8)[values])


def _times(area: SightArea) -> range:
    return range(1, len(area.observers) + 1)


def _seen_by(count: int, most: int) -> tuple[int, int, int, int]:
    share = (count - 1) / max(most - 1, 1)
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(_FEW, _MANY, strict=True))
    return red, green, blue, round(255 * _SEEN_OPACITY)


def _units(setup: Setup, state: State) -> Iterator[tuple[str, BaseGeometry, str]]:
    """Name, boundary and colour of every unit on the field."""
    for row, unit in enumerate(setup.units):
        if state.units.value("present", row) and state.units.value("members", row):
            colour = setup.sides[unit.muster.side].colour
            yield unit.name, outline_of(setup, state, row), colour


def _name_everything(
    pen: ImageDraw.ImageDraw,
    frame: _Map,
    area: SightArea,
    everything: tuple[
        Sequence[tuple[str, float, float]],
        Sequence[tuple[str, BaseGeometry, str]],
        Sequence[Feature],
    ],
) -> None:
    """Names of observers, of units and of the widest features, where they hide no other."""
    lookouts, units, features = everything
    taken: list[Box] = []
    for name, x, y in lookouts:
        _name(pen, frame, name, (x, y, y), taken, large=True)
    for looks in (True, False):
        for name, outline, _ in units:
            if (name in area.observers) is looks:
                _name(pen, frame, name, _anchor(outline, frame), taken, large=looks)
    for feature in features:
        _name(pen, frame, feature.name, _anchor(feature.outline, frame), taken, large=False)


def _anchor(outline: BaseGeometry, frame: _Map) -> tuple[float, float, float]:
    """Return where a name goes: east, and the north and south that it is above or below.

    In the middle of what is large enough for it.
    """
    inside = outline.representative_point()
    if outline.contains(outline.centroid):
        inside = outline.centroid
    _, south, _, north = outline.bounds
    if (north - south) * frame.scale > 3 * _FONT_PX:
        half = _FONT_PX / frame.scale
        return inside.x, inside.y - half, inside.y - half
    return inside.x, north, south


def _name(
    pen: ImageDraw.ImageDraw,
    frame: _Map,
    name: str,
    anchor: tuple[float, float, float],
    taken: list[Box],
    *,
    large: bool,
) -> None:
    size = _FONT_PX + 3 if large else _FONT_PX
    wide = pen.textlength(name, ImageFont.load_default(size))
    east, over, under = anchor
    middle, above = (pixel / _FINE for pixel in frame.at(east, over))
    below = frame.at(east, under)[1] / _FINE
    x = min(max(middle, wide / 2 + 4), frame.size[0] - wide / 2 - 4)
    for y in (above - 8, below + size + 8, above - 10 - size, below + 2 * size + 10):
        box = (x - wide / 2 - 3, y - size, x + wide / 2 + 3, y + 5)
        clear = all(
            box[2] < other[0] or box[0] > other[2] or box[3] < other[1] or box[1] > other[3]
            for other in taken
        )
        if clear and box[1] > 0 and box[3] < frame.size[1]:
            taken.append(box)
            _write(pen, (x, y), name, size, anchor="ms", halo=3)
            return


def _draw_heading(pen: ImageDraw.ImageDraw, area: SightArea, setup: Setup) -> None:
    named = list(area.asked[:3])
    if len(area.asked) > 3:
        named.append(f"{len(area.asked) - 3} more")
    who = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    title = f"From where {who} can be seen" if area.reverse else f"What {who} can see"
    how = "plain geometry" if area.rules == "true" else f"the rules of {area.rules}"
    metres = setup.field.scale.metres_of_gsu(area.grid.cell)
    whose = "by a figure" if area.reverse else "of a figure"
    told = (
        f"{setup.title}: {whose} of height {area.height:g}, by {how}, in cells of "
        f"{area.grid.cell:g} GSU ({metres:g} m)"
    )
    _write(pen, (_EDGE_PX, 20), title, 28)
    _write(pen, (_EDGE_PX, 58), told, 16, colour=_PALE)


def _draw_legend(
    pen: ImageDraw.ImageDraw, area: SightArea, corner: tuple[float, float], *, counts: bool
) -> None:
    x, y = corner
    for colour, words in _counted(area) if counts else _levels(area):
        box = [x * _FINE, y * _FINE, (x + 22) * _FINE, (y + 22) * _FINE]
        pen.rectangle(box, fill=colour, outline=_INK, width=_FINE)
        _write(pen, (x + 30, y + 17), words, 16, anchor="ls")
        x += 30 + pen.textlength(words, ImageFont.load_default(16)) + 26


def _levels(area: SightArea) -> Iterator[tuple[tuple[int, int, int], str]]:
    words = ("no concealment", "partial", "total: not seen")
    for level, count in enumerate(cells_of(area.levels)):
        yield _on_ground(COLOURS[level]), f"{words[level]} {percent(count / area.levels.size)}"


def _counted(area: SightArea) -> Iterator[tuple[tuple[int, int, int], str]]:
    most = len(area.observers)
    yield _on_ground(COLOURS[2]), "seen by none"
    shown = sorted({1, (most + 1) // 2, most})
    for count in shown:
        yield _on_ground(_seen_by(count, most)), f"by {count}"


def _on_ground(colour: Sequence[int]) -> tuple[int, int, int]:
    """Return a colour as it looks over the ground."""
    share = colour[3] / 255
    red, green, blue = (
        round(share * over + (1 - share) * under)
        for over, under in zip(colour[:3], LEVEL, strict=True)
    )
    return red, green, blue


def _draw_scale(
    pen: ImageDraw.ImageDraw, setup: Setup, scale: float, corner: tuple[float, float]
) -> None:
    """Draw a scale bar of a round length, and a north arrow, left of and below a corner."""
    length = round_below(_LONGEST_BAR_PX / scale)
    metres = setup.field.scale.metres_of_gsu(length)
    right, y = corner[0] - 40, corner[1] + 40
    half = length * scale / 2
    for begin, colour in ((right - 2 * half, _INK), (right - half, _PAPER)):
        box = [edge * _FINE for edge in (begin, y, begin + half, y + 7)]
        pen.rectangle(box, fill=colour, outline=_INK, width=_FINE)
    told = f"{length:g} GSU ({metres:g} m)"
    _write(pen, (right - half, y - 7), told, 14, anchor="ms")
    x, top = corner[0] - 12, corner[1] + 18
    arrow = ((x, top), (x + 7, top + 20), (x, top + 15), (x - 7, top + 20))
    pen.polygon([(a * _FINE, b * _FINE) for a, b in arrow], fill=_INK)
    _write(pen, (x, top + 36), "N", 14, anchor="ms")


def _write(  # noqa: PLR0913  what a line of text has, each by its name
    pen: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    size: int,
    *,
    colour: str = _INK,
    anchor: str = "la",
    halo: int = 0,
) -> None:
    pen.text(
        (place[0] * _FINE, place[1] * _FINE), text, fill=colour,
        font=ImageFont.load_default(size * _FINE), anchor=anchor,
        stroke_width=halo * _FINE // 2, stroke_fill=_PAPER,
    )  # fmt: skip
