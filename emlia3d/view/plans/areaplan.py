"""A viewshed as a map: shaded ground, overlaid where it is not visible.

Drawn with Pillow alone, so that it needs no display. Visible ground is clear; it is
grey under partial and purple under total concealment, as the rulebook draws shadows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.formatting import format_height, percent
from emlia3d.battle.questions.area import SightArea, cells_of
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.field import Feature
from emlia3d.field.hexes import named_place
from emlia3d.view.plans.country import FILLS, OTHER, features_there
from emlia3d.view.plans.keeping import keep
from emlia3d.view.plans.map_marks import PALE, RING, MapPen
from emlia3d.view.plans.paper import FINE, INK, PAPER
from emlia3d.view.plans.plan_tiles import draw_tiles
from emlia3d.view.plans.relief_map import LEVEL, relief_map, round_below
from emlia3d.view.sight.corridor import PARTIAL, TOTAL

COLOURS: Mapping[int, tuple[int, int, int, int]] = {
    0: (255, 255, 255, 0),
    1: (*ImageColor.getrgb(PARTIAL)[:3], 160),
    2: (*ImageColor.getrgb(TOTAL)[:3], 175),
}
"""Red, green, blue and opacity of each level of concealment."""

_FEW, _MANY = (255, 238, 170), (214, 78, 24)
_SEEN_OPACITY = 0.62
_ROUTE = "#1769c2"

_AREA_OPACITY, _UNIT_OPACITY = 150, 130

_MAP_PX, _LEAST_PAGE_PX, _LONGEST_BAR_PX = 1200, 700, 240
_EDGE_PX, _HEAD_PX, _FOOT_PX = 40, 92, 84
_FONT_PX = 15
_ROOMY = 1.5
"""Maximum width of a name inside an outline, as a multiple of the outline's width."""
_LEAST_PX = 7

_OPEN = {"hill", "village", "rampart", "tower"}  # solid, but units stand on it

Box = tuple[float, float, float, float]
Rgb = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Map:
    """The field in pixels, before supersampling.

    size : width and height
    scale : pixels to a GSU
    north : GSU
    """

    size: tuple[int, int]
    scale: float
    north: float

    def put(self, shape: BaseGeometry) -> list[list[tuple[float, float]]]:
        """Return the outer rings of a shape's parts, in supersampled pixels."""
        rings = []
        for part in shapely.get_parts(shape):
            if part.geom_type == "Polygon" and not part.is_empty:
                x, y = shapely.get_coordinates(part.exterior).T
                rings.append([self.at(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
        return rings

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point, in supersampled pixels."""
        return x * self.scale * FINE, (self.north - y) * self.scale * FINE


def draw_area(
    setup: Setup,
    state: State,
    area: SightArea,
    path: Path,
    *,
    counts: bool = False,
    route: NDArray[np.float64] | None = None,
) -> None:
    """Draw the map of an answer about the units in *state*.

    counts : show the number of observers that see each cell, instead of the concealment from the
        best
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
    image = Image.new("RGB", (page[0] * FINE, page[1] * FINE), PAPER)
    pen = MapPen(ImageDraw.Draw(image), FINE)
    corner = (page[0] - width) // 2, _HEAD_PX
    image.paste(chart, (corner[0] * FINE, corner[1] * FINE))
    box = (corner[0], corner[1], corner[0] + width, corner[1] + height)
    pen.box(box, None)
    _draw_heading(pen, area, setup)
    observer = "target" if area.reverse else "observer"
    entries = _counted(area) if counts else _levels(area)
    pen.legend((_EDGE_PX, box[3] + 22), entries, observer)
    _draw_scale(pen, setup, scale, (page[0] - _EDGE_PX, box[3]))
    keep(image.resize(page, Image.Resampling.LANCZOS), path)


def _chart(
    setup: Setup, state: State, area: SightArea, frame: _Map, *, counts: bool
) -> Image.Image:
    """Return the map without its page: ground, concealment, features and units."""
    ground = Image.fromarray(relief_map(setup.field, frame.size).astype(np.uint8))
    fine = frame.size[0] * FINE, frame.size[1] * FINE
    chart = ground.resize(fine, Image.Resampling.BICUBIC)
    features = list(features_there(setup, state))
    blocks = [each for each in features if each.body == "solid" and each.look not in _OPEN]
    _fill(chart, frame, [each for each in features if each not in blocks], _AREA_OPACITY)
    spread = (
        round(area.grid.cell * frame.scale * FINE * area.grid.columns),
        round(area.grid.cell * frame.scale * FINE * area.grid.rows),
    )
    veil = Image.fromarray(_tinted(area, counts=counts), "RGBA")
    veil = veil.resize(spread, Image.Resampling.NEAREST).crop((0, 0, *fine))
    chart.paste(veil, mask=veil)
    _fill(chart, frame, blocks, 255)
    draw_tiles(chart, setup.field, frame.at, frame.scale)
    pen = MapPen(ImageDraw.Draw(chart), FINE)
    for feature in features:
        for ring in frame.put(feature.outline):
            pen.pen.line([*ring, ring[0]], fill=PALE, width=FINE, joint="curve")
    units = list(_units(setup, state))
    lookouts = list(_lookouts(setup, area))
    _draw_units(chart, frame, units, area)
    for _, x, y in lookouts:
        a, b = frame.at(x, y)
        pen.observer((a / FINE, b / FINE))
    _name_everything(pen, frame, area, (lookouts, units, features))
    return chart


def _draw_route(pen: ImageDraw.ImageDraw, frame: _Map, route: NDArray[np.float64]) -> None:
    places = [frame.at(x, y) for x, y in route.tolist()]
    for width, colour in ((7, INK), (4, _ROUTE)):
        pen.line(places, fill=colour, width=width * FINE, joint="curve")
    for (x, y), colour in ((places[0], PAPER), (places[-1], _ROUTE)):
        r = 6 * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=INK, width=2 * FINE)


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
    """Draw outlines of units in the colours of their sides, and rings around observers."""
    layer = Image.new("RGBA", chart.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    for name, outline, colour in units:
        red, green, blue = ImageColor.getrgb(colour)[:3]
        for ring in frame.put(_no_smaller(outline, frame)):
            line = [*ring, ring[0], ring[1]]
            if name in area.observers:
                pen.line(line, fill=INK, width=11 * FINE, joint="curve")
                pen.line(line, fill=RING, width=9 * FINE, joint="curve")
            else:
                pen.line(line, fill=PAPER, width=5 * FINE, joint="curve")
            pen.polygon(ring, fill=(red, green, blue, _UNIT_OPACITY))
            pen.line(line, fill=colour, width=3 * FINE, joint="curve")
    chart.paste(layer, mask=layer)


def _no_smaller(outline: BaseGeometry, frame: _Map) -> BaseGeometry:
    """Return an outline, or a visible disc if the outline is too small."""
    west, south, east, north = outline.bounds
    if max(east - west, north - south) * frame.scale >= _LEAST_PX:
        return outline
    return outline.centroid.buffer(_LEAST_PX / 2 / frame.scale)


def _lookouts(setup: Setup, area: SightArea) -> Iterator[tuple[str, float, float]]:
    """Yield the observers that are points."""
    names = {unit.name for unit in setup.units}
    for name in area.observers:
        if name not in names:
            yield name, *named_place(setup.field, name)


def _tinted(area: SightArea, *, counts: bool) -> NDArray[np.uint8]:
    """(rows, columns, 4) uint8: the overlay of the ground in each cell."""
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
    pen: MapPen,
    frame: _Map,
    area: SightArea,
    everything: tuple[
        Sequence[tuple[str, float, float]],
        Sequence[tuple[str, BaseGeometry, str]],
        Sequence[Feature],
    ],
) -> None:
    """Write names of observers, units and the widest features where they overlap no other name.

    The name of a unit does not cover another unit.
    """
    lookouts, units, features = everything
    names = _Names(pen, frame)
    for name, x, y in lookouts:
        names.write(name, shapely.Point(x, y), large=True)
    shown = {name: _box_of(_no_smaller(outline, frame), frame) for name, outline, _ in units}
    for looks in (True, False):
        for name, outline, _ in units:
            if (name in area.observers) is looks:
                others = [box for other, box in shown.items() if other != name]
                names.write(name, outline, others, large=looks)
    for feature in features:
        names.write(feature.name, feature.outline)


def _box_of(outline: BaseGeometry, frame: _Map) -> Box:
    """Return the bounding box of an outline in pixels."""
    west, south, east, north = outline.bounds
    left, top = (edge / FINE for edge in frame.at(west, north))
    right, bottom = (edge / FINE for edge in frame.at(east, south))
    return left, top, right, bottom


def _spots(
    outline: BaseGeometry, frame: _Map, wide: float, size: int
) -> Iterator[tuple[float, float]]:
    """Yield positions for a name of this size, centre and base line in pixels, the best first.

    They are in the middle of a sufficiently large body, otherwise above, below and beside it.
    """
    left, top, right, bottom = _box_of(outline, frame)
    inside = outline.representative_point()
    if outline.contains(outline.centroid):
        inside = outline.centroid
    x, middle = (pixel / FINE for pixel in frame.at(inside.x, inside.y))
    if bottom - top > 3 * _FONT_PX and wide < _ROOMY * (right - left):
        top = bottom = middle + _FONT_PX
    x = min(max(x, wide / 2 + 4), frame.size[0] - wide / 2 - 4)
    yield from ((x, top - 8), (x, bottom + size + 8))
    yield from ((x, top - 10 - size), (x, bottom + 2 * size + 10))
    level = middle + size / 3
    yield from ((right + 8 + wide / 2, level), (left - 8 - wide / 2, level))


@dataclass(frozen=True, slots=True)
class _Names:
    """The names on a map, and their boxes."""

    pen: MapPen
    frame: _Map
    taken: list[Box] = field(default_factory=list)

    def write(
        self, name: str, outline: BaseGeometry, others: Sequence[Box] = (), *, large: bool = False
    ) -> None:
        """Write a name where it overlaps no other name and no box of *others*, if possible."""
        size = _FONT_PX + 3 if large else _FONT_PX
        wide = self.pen.wide(name, size)
        for x, y in _spots(outline, self.frame, wide, size):
            box = (x - wide / 2 - 3, y - size, x + wide / 2 + 3, y + 5)
            if self._is_on_map(box) and not any(
                _meet(box, each) for each in (*self.taken, *others)
            ):
                self.taken.append(box)
                self.pen.write((x, y), name, size, anchor="ms", halo=3)
                return

    def _is_on_map(self, box: Box) -> bool:
        width, height = self.frame.size
        return box[0] > 0 and box[1] > 0 and box[2] < width and box[3] < height


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
    )  # fmt: skip


def _draw_heading(pen: MapPen, area: SightArea, setup: Setup) -> None:
    named = list(area.asked[:3])
    if len(area.asked) > 3:
        named.append(f"{len(area.asked) - 3} more")
    who = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    title = f"Ground from which {who} can be seen" if area.reverse else f"Ground that {who} can see"
    how = "plain geometry" if area.rules == "true" else f"the rules of {area.rules}"
    metres = setup.field.scale.metres_of_gsu(area.grid.cell)
    figure = "the observer is a figure" if area.reverse else "the target is a figure"
    told = (
        f"{setup.title}. By {how}; {figure} {format_height(area.height)} high; cells of "
        f"{area.grid.cell:g} GSU ({metres:g} m)"
    )
    pen.write((_EDGE_PX, 20), title, 28)
    pen.write((_EDGE_PX, 58), told, 16, colour=PALE)


def _levels(area: SightArea) -> Iterator[tuple[tuple[int, int, int], str]]:
    words = ("no concealment", "partial", "total: not seen")
    for level, count in enumerate(cells_of(area.levels)):
        if count:
            yield _on_ground(COLOURS[level]), f"{words[level]} {percent(count / area.levels.size)}"


def _counted(area: SightArea) -> Iterator[tuple[tuple[int, int, int], str]]:
    most = len(area.observers)
    yield _on_ground(COLOURS[2]), "seen by none"
    shown = sorted({1, (most + 1) // 2, most})
    for count in shown:
        yield _on_ground(_seen_by(count, most)), f"by {count}"


def _on_ground(colour: Sequence[int]) -> tuple[int, int, int]:
    """Return the appearance of a colour over the ground."""
    share = colour[3] / 255
    red, green, blue = (
        round(share * over + (1 - share) * under)
        for over, under in zip(colour[:3], LEVEL, strict=True)
    )
    return red, green, blue


def _draw_scale(pen: MapPen, setup: Setup, scale: float, corner: tuple[float, float]) -> None:
    """Draw a scale bar of a round length and a north arrow, left of and below a corner."""
    length = round_below(_LONGEST_BAR_PX / scale)
    metres = setup.field.scale.metres_of_gsu(length)
    told = f"{length:g} GSU ({metres:g} m)"
    pen.scale_bar((corner[0] - 40, corner[1] + 40), length * scale, told)
    pen.north((corner[0] - 12, corner[1] + 18))
