"""An eye's view of a target: the geometric answer as a picture.

Bodies are painted column by column, the farthest first, as upright prisms on the ground; the hidden
part of the target is overlaid in violet. Drawn with NumPy and Pillow, without a display.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from emlia3d.battle.formatting import format_value, percent
from emlia3d.battle.plain_geometry.solids import Solids
from emlia3d.battle.questions.answer import GeometricAnswer, HiddenPart
from emlia3d.battle.setup import Setup
from emlia3d.view.plans.eyenames import rims, write_names
from emlia3d.view.plans.paper import FINE, INK, MARGINS_PX, NAME_PX, PAPER, SMALL_PX, Sheet, wide
from emlia3d.view.plans.sightquestion import SIZE_PX, SOLID, SPARSE
from emlia3d.view.sight.corridor import TOTAL

SKY, NEAR_EARTH, FAR_EARTH = "#e9eff3", "#c9b184", "#dcd6bd"
ROWS_PX = (130, 900)
"""The view lies between these rows of the picture."""

_LEFT_PX, _RIGHT_PX = MARGINS_PX
_RINGS = 240
_NEAREST_M = 0.5
_VEIL, _HIDDEN = 0.55, 0.75
_LIGHTER = 0.35
# Maximum shares of the view's width and height for the target.
_WIDE, _TALL = 0.6, 0.45

Floats = NDArray[np.float64]
_EARTH = 100


@dataclass(frozen=True, slots=True)
class _Strip:
    """One column of a body: the distances of its near and far end, and its owner."""

    near: float
    far: float
    column: int
    body: int


class _Layers:
    """The painted layers, by pixel.

    paint : twice the body, and one more for its top; the ground below -_EARTH; -1 for the sky
    veil : the sparse body in front of it; -1 for none
    whole : whether the target would be there without obstacles
    """

    def __init__(self, height: int, width: int) -> None:
        self.paint = np.full((height, width), -1, dtype=np.int64)
        self.veil = np.full((height, width), -1, dtype=np.int64)
        self.whole = np.zeros((height, width), dtype=bool)

    @property
    def bodies(self) -> NDArray[np.int64]:
        """(height, width) the visible body; -1 for the ground and the sky."""
        return np.where(self.paint < 0, -1, self.paint // 2)


class _View:
    """The frame of the eye's view: bearings across, slopes up, at one scale."""

    def __init__(self, setup: Setup, solids: Solids, answer: GeometricAnswer) -> None:
        scale = setup.field.scale
        self.setup, self.solids = setup, solids
        self.width, self.height = _RIGHT_PX - _LEFT_PX, ROWS_PX[1] - ROWS_PX[0]
        x, y, z = answer.eye
        self.eye = np.array([x * scale.metres_per_gsu, y * scale.metres_per_gsu])
        self.eye_z = (z + answer.datum) * scale.metres_per_height
        self.target = solids.members(setup.unit_of(answer.target))
        self.own = set(solids.members(setup.unit_of(answer.observer)).tolist())
        middle = solids.places[self.target].mean(axis=0) - self.eye
        self.bearing = float(np.arctan2(middle[0], middle[1]))
        corners = [self.corners(body) for body in self.target]
        turns = np.concatenate([self.turns(spots) for spots in corners])
        slopes = np.concatenate([
            (np.array([[base], [base + tall]]) - self.eye_z)
            / np.maximum(np.hypot(*spots.T), _NEAREST_M)
            for spots, base, tall in zip(
                corners, solids.bodies.base[self.target], solids.bodies.height[self.target],
                strict=True,
            )
        ], axis=1)  # fmt: skip
        self.left, self.low = float(turns.min() + turns.max()) / 2, float(slopes.mean())
        self.px = min(
            _WIDE * self.width / max(float(np.ptp(turns)), 1e-6),
            _TALL * self.height / max(float(np.ptp(slopes)), 1e-6),
        )

    def corners(self, body: int) -> Floats:
        """Return the corners of a body's outline, from the eye; one closed ring after another."""
        bodies = self.solids.bodies
        part = slice(*bodies.rings[bodies.bodies[body : body + 2]])
        return np.asarray(np.column_stack((bodies.x[part], bodies.y[part])) - self.eye)

    def turns(self, spots: Floats) -> Floats:
        """Return bearings of points, relative to the target's middle, -pi to pi."""
        turned = np.arctan2(spots[:, 0], spots[:, 1]) - self.bearing
        return np.asarray((turned + np.pi) % (2 * np.pi) - np.pi)

    @property
    def ways(self) -> Floats:
        """(width, 2) the direction of each column on the map."""
        turned = (np.arange(self.width) + 0.5 - self.width / 2) / self.px + self.left
        return np.column_stack((np.sin(turned + self.bearing), np.cos(turned + self.bearing)))

    def rows(self, slopes: Floats) -> NDArray[np.int64]:
        """Return the rows of slopes, clipped to the view."""
        rows = self.height / 2 - (slopes - self.low) * self.px
        return np.asarray(np.clip(np.round(rows), 0, self.height), dtype=np.int64)

    def strips(self, body: int, ways: Floats) -> Iterator[_Strip]:
        """Yield the columns of a body."""
        spots = self.corners(body)
        turns = self.turns(spots)
        first, stop = 0, self.width
        if np.ptp(turns) < np.pi:
            edges = (np.array([turns.min(), turns.max()]) - self.left) * self.px + self.width / 2
            first, stop = np.clip(np.round(edges), 0, self.width).astype(int).tolist()
        bodies = self.solids.bodies
        rings = bodies.rings[bodies.bodies[body] : bodies.bodies[body + 1] + 1]
        starts = np.ones(len(spots), dtype=bool)
        starts[rings[1:] - rings[0] - 1] = False
        a, b = spots[starts], np.roll(spots, -1, axis=0)[starts]
        for column in range(first, stop):
            east, north = ways[column]
            side_a, side_b = a[:, 0] * north - a[:, 1] * east, b[:, 0] * north - b[:, 1] * east
            met = (side_a < 0) != (side_b < 0)
            part = side_a[met] / (side_a[met] - side_b[met])
            off = (a[met] + part[:, None] * (b[met] - a[met])) @ ways[column]
            found = np.sort(off[off > 0]).tolist()
            if len(found) % 2:
                found = [0.0, *found]
            for near, far in zip(found[::2], found[1::2], strict=True):
                yield _Strip(max(near, _NEAREST_M), max(far, _NEAREST_M), column, body)


def eye_picture(setup: Setup, solids: Solids, answer: GeometricAnswer) -> Image.Image:
    """Return the picture of the target and its obstacles as seen by the best placed eye."""
    view = _View(setup, solids, answer)
    image = Image.new("RGB", (SIZE_PX[0] * FINE, SIZE_PX[1] * FINE), PAPER)
    layers = _painted(view, answer)
    seen = Image.fromarray(_coloured(view, layers))
    image.paste(
        seen.resize((view.width * FINE, view.height * FINE), Image.Resampling.NEAREST),
        (_LEFT_PX * FINE, ROWS_PX[0] * FINE),
    )
    sheet = Sheet(ImageDraw.Draw(image))
    sheet.pen.rectangle(
        [part * FINE for part in (_LEFT_PX, ROWS_PX[0], _RIGHT_PX, ROWS_PX[1])],
        outline=INK, width=FINE,
    )  # fmt: skip
    write_names(sheet, _named(view, layers, answer), (_LEFT_PX, ROWS_PX[0]))
    _write_words(sheet, setup, answer)
    return image.resize(SIZE_PX, Image.Resampling.LANCZOS)


def _painted(view: _View, answer: GeometricAnswer) -> _Layers:
    """Return the view."""
    solids, bodies = view.solids, view.solids.bodies
    features = view.setup.field.features
    stood_in = {row for row, feature in enumerate(features) if feature.name in answer.stood_in}
    ways = view.ways
    target = set(view.target.tolist())
    strips = [
        strip
        for body in range(len(bodies))
        if body not in view.own and int(solids.features[body]) not in stood_in
        for strip in view.strips(body, ways)
    ]
    strips.sort(key=lambda strip: -strip.near)
    layers = _Layers(view.height, view.width)
    lines = np.arange(view.height)[:, None]
    away = _rings(view)
    heights = view.setup.field.ground.elevations_m(
        *((view.eye + away[:, None, None] * ways) / view.setup.field.scale.metres_per_gsu).T
    ).T
    done = 0
    for ring in range(len(away) - 1, -1, -1):
        while done < len(strips) and strips[done].near >= away[ring]:
            _paint_strip(view, strips[done], layers, target)
            done += 1
        below = lines >= view.rows((heights[ring] - view.eye_z) / away[ring])
        layers.paint[below] = -_EARTH - ring
        layers.veil[below] = -1
    for strip in strips[done:]:
        _paint_strip(view, strip, layers, target)
    return layers


def _rings(view: _View) -> Floats:
    """Return the distances at which the ground is sampled, metres: more densely nearby."""
    size = np.array(view.setup.field.size) * view.setup.field.scale.metres_per_gsu
    return np.geomspace(_NEAREST_M, float(np.hypot(*size)), _RINGS)


def _paint_strip(view: _View, strip: _Strip, layers: _Layers, target: set[int]) -> None:
    bodies, body, column = view.solids.bodies, strip.body, strip.column
    base = float(bodies.base[body]) - view.eye_z
    top = base + float(bodies.height[body])
    feet, edge, back = view.rows(
        np.array(
            [base / strip.near, top / strip.near, top / (strip.far if top < 0 else strip.near)]
        )
    ).tolist()
    if int(view.solids.features[body]) >= 0 and _is_sparse(view, body):
        layers.veil[back:feet, column] = body
        return
    layers.paint[edge:feet, column] = 2 * body
    layers.paint[back:edge, column] = 2 * body + 1
    layers.veil[back:feet, column] = -1
    if body in target:
        layers.whole[back:feet, column] = True


def _is_sparse(view: _View, body: int) -> bool:
    return view.setup.field.features[int(view.solids.features[body])].body == "sparse"


def _coloured(view: _View, layers: _Layers) -> NDArray[np.uint8]:
    """(height, width, 3): the painted bodies, veiled behind sparse bodies."""
    paint, veil = layers.paint, layers.veil >= 0
    hidden = layers.whole & ~np.isin(layers.bodies, view.target)
    out = np.empty((*paint.shape, 3))
    out[:] = _rgb(SKY)
    near, far = _rgb(NEAR_EARTH), _rgb(FAR_EARTH)
    earth = paint <= -_EARTH
    share = ((-_EARTH - paint[earth]) / _RINGS)[:, None]
    out[earth] = near + share * (far - near)
    for number in np.unique(paint[paint >= 0]).tolist():
        colour = _rgb(_colour(view, number // 2))
        if number % 2:
            colour = colour + _LIGHTER * (255 - colour)
        out[paint == number] = colour
    out[hidden] += _HIDDEN * (_rgb(TOTAL) - out[hidden])
    out[veil] += (1 - _VEIL) * (_rgb(SPARSE) - out[veil])
    out[rims(_owners(view, layers.bodies))] = _rgb(INK)
    out[rims(_owners(view, layers.veil))] = _rgb(INK)
    return np.round(out).astype(np.uint8)


def _owners(view: _View, bodies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the owner of each body: a number for each unit and feature; -1 stays."""
    units, features = view.solids.units[bodies], view.solids.features[bodies]
    whose = np.where(units >= 0, units, len(view.setup.units) + features)
    return np.asarray(np.where(bodies < 0, -1, whose), dtype=np.int64)


def _named(
    view: _View, layers: _Layers, answer: GeometricAnswer
) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """Yield the target and its obstacles, each with colour and pixels."""
    names = [unit.name for unit in view.setup.units]
    names += [feature.name or "" for feature in view.setup.field.features]
    hidden = answer.visible_share == 0
    colour = TOTAL if hidden else _colour(view, int(view.target[0]))
    seen = layers.whole if hidden else np.isin(layers.bodies, view.target)
    yield answer.target, colour, seen
    solid = _owners(view, layers.bodies)
    sparse = _owners(view, layers.veil)
    for each in answer.hiding:
        whose = sparse if each.body == "sparse" else solid
        where = np.isin(whose, [number for number, name in enumerate(names) if name == each.entity])
        # Beside the part that it hides, if any.
        beside = where & ~layers.whole
        yield each.entity, _of_entity(view.setup, each), beside if beside.any() else where


def _colour(view: _View, body: int) -> str:
    unit = int(view.solids.units[body])
    if unit < 0:
        return SOLID
    return view.setup.sides[view.setup.units[unit].muster.side].colour


def _of_entity(setup: Setup, blocker: HiddenPart) -> str:
    """Return the colour of an obstacle."""
    colours = {unit.name: setup.sides[unit.muster.side].colour for unit in setup.units}
    return SPARSE if blocker.body == "sparse" else colours.get(blocker.entity, SOLID)


def _rgb(colour: str) -> Floats:
    return np.array(ImageColor.getrgb(colour)[:3], dtype=np.float64)


def _write_words(sheet: Sheet, setup: Setup, answer: GeometricAnswer) -> None:
    """Write the verdict above, and the meanings of colours below."""
    seen = percent(answer.visible_share) if answer.line_of_sight else "nothing"
    sheet.write((_LEFT_PX, 28), f"{answer.target}, from {answer.observer}: {seen} visible", 36)
    told = f"by plain geometry, from the best placed eye; {format_value(answer.distance)} GSU apart"
    sheet.write((_LEFT_PX, 82), told, NAME_PX)
    side = setup.sides[setup.units[setup.unit_of(answer.target)].muster.side]
    legend = [(side.colour, answer.target)]
    if answer.visible_share < 1:
        legend.append((TOTAL, "hidden"))
    legend += [
        (_of_entity(setup, each), f"{each.entity}: {percent(each.share)}")
        for each in sorted(answer.hiding, key=lambda each: -each.share)
    ]
    if answer.ground:
        legend.append((NEAR_EARTH, f"the ground: {percent(answer.ground)}"))
    x = float(_LEFT_PX)
    for colour, meaning in legend:
        if x + 30 + wide(sheet.pen, meaning, SMALL_PX) > _RIGHT_PX:
            break
        box = (x * FINE, 942 * FINE, (x + 22) * FINE, 960 * FINE)
        sheet.pen.rectangle(box, fill=colour, outline=INK, width=FINE)
        sheet.write((x + 30, 951), meaning, SMALL_PX, "lm")
        x += 30 + wide(sheet.pen, meaning, SMALL_PX) + 36
