"""The minimap in the corner: units, terrain and the camera's view. No window.

North is up. Every unit has its true size on the ground, with a marker in its middle
whose colour and shape show its side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.camera.picking import ray_through
from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.panel import AMBER, PanelShape, Rect
from emlia3d.view.moment.morale_bands import despair_of
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import Camera

Floats = NDArray[np.float64]

DISC = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
SIGNS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((-0.8, -0.8), (-0.8, 0.8), (0.8, 0.8), (0.8, -0.8)),
    ((0.0, -1.15), (-1.15, 0.0), (0.0, 1.15), (1.15, 0.0)),
    ((0.0, -1.1), (-1.1, 0.85), (1.1, 0.85)),
    tuple((float(np.cos(turn)), float(np.sin(turn))) for turn in DISC),
    ((0.0, 1.1), (1.1, -0.85), (-1.1, -0.85)),
    ((-0.5, -1.1), (-0.5, 1.1), (0.5, 1.1), (0.5, -1.1)),
)
"""Markers of sides, y down: square, diamond, triangle, disc, inverted triangle and bar."""

SIGN_SHARE, LEAST_SIGN_PX = 0.021, 3.0
"""Extent of a marker from its centre, as a share of the map's longer side."""

RIM: Colour = (0.98, 0.97, 0.93, 1.0)
LOST: Colour = (0.30, 0.30, 0.31, 1.0)
SEEN: Colour = (1.0, 1.0, 1.0, 0.14)
TASK: Colour = (0.98, 0.90, 0.42, 1.0)
EDGE: Colour = (1.0, 1.0, 1.0, 0.95)
FARTHEST = 1.5  # sight limit of a camera that looks over the horizon, in the map's diagonals


@dataclass(frozen=True, slots=True)
class MiniMap:
    """The field in a rectangle of the window; it has the field's proportions.

    rect : pixels; size_m : of the field, east and north
    """

    rect: Rect
    size_m: tuple[float, float]

    @classmethod
    def within(cls, room: Rect, size_m: tuple[float, float]) -> MiniMap:
        """Return the largest minimap in the lower right corner of a rectangle."""
        scale = min(room.w / size_m[0], room.h / size_m[1])
        width, height = float(round(size_m[0] * scale)), float(round(size_m[1] * scale))
        rect = Rect(room.x + room.w - width, room.y + room.h - height, width, height)
        return cls(rect, size_m)

    def put(self, places_m: Floats) -> Floats:
        """Return the position in the window of points (n, 2) in metres, (n, 2) pixels."""
        share = places_m / np.array(self.size_m)
        x = self.rect.x + share[:, 0] * self.rect.w
        y = self.rect.y + (1.0 - share[:, 1]) * self.rect.h
        return np.stack([x, y], axis=1)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the field nearest to a point of the window, metres."""
        east = min(max((x - self.rect.x) / self.rect.w, 0.0), 1.0) * self.size_m[0]
        north = min(max(1.0 - (y - self.rect.y) / self.rect.h, 0.0), 1.0) * self.size_m[1]
        return east, north


def signs(chart: MiniMap, setup: Setup, state: State, chosen: int | None) -> tuple[PanelShape, ...]:
    """Return a marker for each unit on the field, the selected one topmost."""
    half = max(SIGN_SHARE * max(chart.rect.w, chart.rect.h), LEAST_SIGN_PX)
    units = sorted(
        units_in_sight(state),
        key=lambda unit: (unit == chosen, state.units.integer("side", unit)),
    )
    return tuple(
        shape
        for unit in units
        for shape in _sign(chart, setup, state, unit, half, chosen=unit == chosen)
    )


def _sign(
    chart: MiniMap, setup: Setup, state: State, unit: int, half: float, *, chosen: bool
) -> Iterator[PanelShape]:
    side = state.units.integer("side", unit)
    own = colour_of(setup.sides[side].colour)
    colour = LOST if despair_of(state, unit) >= 1.0 else own
    block = chart.put(block_m(setup, state, unit))
    middle = block.mean(axis=0)
    outline = np.array(SIGNS[side % len(SIGNS)])
    if np.ptp(block, axis=0).max() > 2 * half:
        yield _polygon(block, own)
    rim, line = (AMBER, 1.75) if chosen else (RIM, 1.35)
    yield _polygon(middle + outline * half * line, rim)
    yield _polygon(middle + outline * half, colour)


def fronts(chart: MiniMap, setup: Setup, tasks: Iterable[Intent]) -> tuple[PanelShape, ...]:
    """Return the front of each mission, and a line from it to its goal."""
    metres = setup.field.scale.metres_per_gsu
    shapes: list[PanelShape | None] = []
    for task in tasks:
        left, right = chart.put(np.array(task.line) * metres)
        shapes.append(_stroke(left, right, TASK, 1.5))
        if task.goal is not None:
            (goal,) = chart.put(np.array([task.goal]) * metres)
            shapes.append(_stroke((left + right) / 2, goal, TASK))
    return tuple(shape for shape in shapes if shape is not None)


def wedge(chart: MiniMap, camera: Camera, aspect: float) -> tuple[PanelShape, ...]:
    """Return the part of the map that the camera sees: a tint and its edge.

    aspect : width of the picture divided by its height
    """
    window = shapely.box(0.0, 0.0, *chart.size_m)
    corners = seen_m(camera, aspect, FARTHEST * float(np.hypot(*chart.size_m)))
    seen = shapely.MultiPoint(corners).convex_hull.intersection(window)
    if not isinstance(seen, shapely.Polygon) or seen.is_empty:
        return ()
    ring = chart.put(shapely.get_coordinates(seen.exterior)[:-1])
    ends = np.roll(ring, -1, axis=0)
    edges = (_stroke(one, other) for one, other in zip(ring, ends, strict=True))
    return (_polygon(ring, SEEN), *(edge for edge in edges if edge is not None))


def seen_m(camera: Camera, aspect: float, most_m: float) -> Floats:
    """Return the ground points at the picture's four corners, (4, 2) metres.

    A corner over the horizon is *most_m* away.
    """
    level = camera.look_at[2]
    corners = []
    for across, upward in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
        ray = ray_through(camera, across, upward, aspect)
        origin, way = np.array(ray.origin), np.array(ray.direction)
        flat = max(float(np.hypot(*way[:2])), 1e-9)
        fall = -way[2]
        reach = most_m / flat
        if fall > 1e-9:
            reach = min(reach, max(origin[2] - level, 0.0) / fall)
        corners.append((origin + way * reach)[:2])
    return np.array(corners)


def _polygon(corners: Floats, colour: Colour) -> PanelShape:
    return PanelShape(tuple((float(x), float(y)) for x, y in corners), colour)


def _stroke(
    one: Floats, other: Floats, colour: Colour = EDGE, half: float = 0.75
) -> PanelShape | None:
    """Return a line of twice *half* pixels; none where it has no length."""
    run = other - one
    length = float(np.hypot(*run))
    if length < 1e-6:
        return None
    aside = np.array([-run[1], run[0]]) / length * half
    return _polygon(np.array([one + aside, other + aside, other - aside, one - aside]), colour)
