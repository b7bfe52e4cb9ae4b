"""A sight answer prepared for drawing: shapes turned to the axis, ground under it, colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.answer import Intervening
from emlia3d.view.plans.paper import MARGINS_PX, PaperFrame
from emlia3d.view.sight.corridor import PARTIAL, TOTAL, Corridor, Places, depths

SIZE_PX = (1600, 1030)

CORRIDOR, SOLID, SPARSE, EARTH, RISE, STAND, PALE = (
    "#f3e9c8", "#8c6d4f", "#7d9b62", "#cdb893", "#b07b3c", "#e6e2d6", "#d9d5c9",
)  # fmt: skip

SHADE = {"total": TOTAL, "partial": PARTIAL}

_LEFT_PX, _RIGHT_PX = MARGINS_PX
_HEAD_PX, _FOOT_PX = 118, 880
"""The plan and the section are between these rows."""

_NAMES_PX, _UNDER_PX, _CAPTION_PX = 58, 46, 26
"""Room for names above a drawing, names below the plan, and text above the section."""

_WIDEST_PX, _TALLEST_PX = 350, 420
_SAMPLES = 400
_BEYOND = 0.6
_MARGIN = 0.06
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRows:
    """The rows of the plan and of the section."""

    plan: tuple[float, float]
    caption: float
    section: tuple[float, float]


class SightDiagram(Corridor):
    """The shapes of an answer, and the ground under them."""

    def laid(self, shape: BaseGeometry) -> BaseGeometry:
        """Return a shape turned so that the axis points from (0, 0) to the right."""
        return shapely.transform(
            shape,
            lambda places: np.column_stack(
                ((places - self.start) @ self.way, (places - self.start) @ self._left)
            ),
        )

    @property
    def _left(self) -> Places:
        return np.array([-self.way[1], self.way[0]])

    @cached_property
    def ground(self) -> Places:
        """(n, 2) float64: distance along the axis, GSU, and height of the ground above the datum.

        It extends from the observer to the target, and farther if a shadow does. The ground is the
        raster and all features below the lower base elevation, such as a plateau under both.
        """
        start, end = self.along(self.near)[0], self.along(self.far)[1]
        low, high, most = start, end, _BEYOND * (end - start)
        for each, shape in self.bodies:
            for _, depth in depths(each):
                first, last = self.along(shape.intersection(self.hull))
                if self.looks_down:
                    high = max(high, min(last + depth, end + most))
                else:
                    low = min(low, max(first - depth, start - most))
        steps = np.linspace(low, high, _SAMPLES)
        spots = self.start + steps[:, None] * self.way
        heights = self._heights(spots)
        for each, shape in self.underfoot:
            on_it = shapely.intersects_xy(shape, spots[:, 0], spots[:, 1])
            heights[on_it] = np.maximum(heights[on_it], each.height)
        return np.column_stack((steps, heights))

    @property
    def underfoot(self) -> list[tuple[Intervening, BaseGeometry]]:
        """The bodies that do not rise above the lower base."""
        return [(each, shape) for each, shape in self.bodies if each.height <= 0]

    @property
    def standing(self) -> list[tuple[Intervening, BaseGeometry]]:
        """The bodies that rise above the lower base."""
        return [(each, shape) for each, shape in self.bodies if each.height > 0]

    def _heights(self, spots: Places) -> Places:
        return np.asarray(self.setup.field.footing(spots[:, 0], spots[:, 1]) - self.answer.datum)

    def line_at(self, steps: Places) -> Places:
        """Return the height of the line from top to top at points along the axis."""
        low, high = self.answer.observer_height, self.answer.target_height
        return np.asarray(low + (high - low) * steps / (self.length or 1.0))

    def rises(self, across: int) -> Iterator[Polygon]:
        """Yield strips of the plan in which the ground in the corridor is above that line."""
        if self.answer.ground is None:
            return
        (first, last), (_, low, _, high) = self.along(self.hull), self.laid(self.hull).bounds
        long, wide = (last - first) / _SAMPLES, (high - low) / across
        steps = first + (np.arange(_SAMPLES, dtype=np.float64) + 0.5) * long
        for strip in range(across):
            aside = low + (strip + 0.5) * wide
            spots = self.start + steps[:, None] * self.way + aside * self._left
            above = self._heights(spots) > self.line_at(steps)
            above &= shapely.contains_xy(self.free, spots[:, 0], spots[:, 1])
            edges = np.flatnonzero(np.diff(np.concatenate(([0], above.astype(np.int8), [0]))))
            for start, end in edges.reshape(-1, 2).tolist():
                bottom = low + strip * wide
                yield shapely.box(first + start * long, bottom, first + end * long, bottom + wide)

    def named(self) -> set[str]:
        """Return the names shown: the widest bodies in the corridor."""
        wide = sorted(self.answer.intervening, key=lambda each: -each.fraction)
        return {each.entity for each in wide[:_MOST_NAMED]}

    def rim_of(self, each: Intervening) -> str | None:
        """Return the colour of a unit's side; None for terrain."""
        for unit in self.setup.units:
            if unit.name == each.entity:
                return self.setup.sides[unit.muster.side].colour
        return None


def colour_of(each: Intervening) -> str:
    """Return the fill of a body in the corridor."""
    return SOLID if each.body == "solid" else SPARSE


def placed(question: SightDiagram) -> tuple[PaperFrame, Polygon, PlanRows]:
    """Return the frame of the plan, the part of the field shown, and both drawings' rows.

    The plan takes the height that it needs, and the section the rest.
    """
    first, last = float(question.ground[0, 0]), float(question.ground[-1, 0])
    _, low, _, high = question.laid(question.hull).bounds
    margin = _MARGIN * (high - low)
    low, high = low - margin, high + margin
    scale = min((_RIGHT_PX - _LEFT_PX) / (last - first), _WIDEST_PX / (high - low))
    wide, long = (high - low) * scale, (last - first) * scale
    rest = _FOOT_PX - _HEAD_PX - _NAMES_PX - wide - _UNDER_PX - _CAPTION_PX - _NAMES_PX
    tall = min(rest, _TALLEST_PX)
    top = _HEAD_PX + _NAMES_PX + (rest - tall) / 2
    section = _FOOT_PX - tall
    bands = PlanRows(
        plan=(top, top + wide),
        caption=section - _NAMES_PX - _CAPTION_PX,
        section=(section, _FOOT_PX),
    )
    left = _LEFT_PX + (_RIGHT_PX - _LEFT_PX - long) / 2
    frame = PaperFrame(left=left, bottom=top + wide, low=(first, low), across=scale, up=scale)
    return frame, shapely.box(first, low, last, high), bands
