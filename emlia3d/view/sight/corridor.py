"""The shapes of a sight answer, for all its pictures: corridor, bodies, shadows."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.answer import CorridorAnswer, Degree, Intervening
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of

TOTAL, PARTIAL = "#6b3fa0", "#9a9a9a"
"""Colours of total and partial concealment, as in the rulebook's drawings."""

WIDE = 0.5

Places = NDArray[np.float64]


class Corridor:
    """The shapes of one answer, GSU.

    near, far : outlines of the observer and of the target
    hull : the corridor including them; free : without them
    start, way, length : of the axis, from the observer's middle to the target's
    bodies : the bodies in it, with their outlines
    """

    def __init__(self, setup: Setup, state: State, answer: CorridorAnswer) -> None:
        self.setup = setup
        self.answer = answer
        self.near = outline_of(setup, state, setup.unit_of(answer.observer))
        self.far = outline_of(setup, state, setup.unit_of(answer.target))
        self.hull = shapely.union(self.near, self.far).convex_hull
        self.free = self.hull.difference(self.near).difference(self.far)
        self.start = shapely.get_coordinates(self.near.centroid)[0]
        run = shapely.get_coordinates(self.far.centroid)[0] - self.start
        self.length = float(np.sqrt(run @ run))
        self.way = run / self.length if self.length else np.array([1.0, 0.0])
        features = {feature.name: feature.outline for feature in setup.field.features}
        rows = {unit.name: row for row, unit in enumerate(setup.units)}
        self.bodies: list[tuple[Intervening, BaseGeometry]] = [
            (
                each,
                features[each.entity]
                if each.entity in features
                else outline_of(setup, state, rows[each.entity]),
            )
            for each in answer.intervening
        ]

    @cached_property
    def colours(self) -> tuple[str, str]:
        """The colours of the observer's and the target's side."""
        sides = {unit.name: self.setup.sides[unit.muster.side] for unit in self.setup.units}
        return sides[self.answer.observer].colour, sides[self.answer.target].colour

    @property
    def looks_down(self) -> bool:
        """True if the observer is taller than the target."""
        return self.answer.observer_height > self.answer.target_height

    def along(self, shape: BaseGeometry) -> tuple[float, float]:
        """Return the extent of a shape along the axis, GSU from the observer's middle."""
        places = (shapely.get_coordinates(shape) - self.start) @ self.way
        return float(places.min()), float(places.max())

    def behind(self, shape: BaseGeometry, depth: float, further: bool = False) -> BaseGeometry:
        """Return the part of the corridor within *depth* behind a body, seen from the taller unit.

        further : also where the corridor would be, were the shorter farther off in the same
            direction
        """
        first, last = self.along(shape)
        reach = self.length + shape.length + depth
        ends = (last, last + reach) if self.looks_down else (first - reach, first)
        lane = self._drawn_out(depth) if further else self.hull
        return lane.intersection(self._strip(*ends)).intersection(shape.buffer(depth))

    def beyond(self, shape: BaseGeometry) -> BaseGeometry:
        """Return the part of the corridor behind a body, seen from the observer."""
        last = self.along(shape.intersection(self.hull))[1]
        end = self.along(self.hull)[1]
        return self.hull.intersection(self._strip(last, max(end, last)))

    def abreast(self, shape: BaseGeometry) -> BaseGeometry:
        """Return all points in front of or behind a body's part of the corridor, along the axis."""
        aside = np.array([-self.way[1], self.way[0]])
        off = (shapely.get_coordinates(shape.intersection(self.hull)) - self.start) @ aside
        reach = self.way * (self.length + self.hull.length)
        left, right = self.start + aside * off.max(), self.start + aside * off.min()
        return Polygon([left - reach, left + reach, right + reach, right - reach])

    def edges(self) -> list[Places]:
        """Return the straight sides of the corridor, each (2, 2) from observer to target."""
        near = {tuple(place) for place in shapely.get_coordinates(self.near).tolist()}
        far = {tuple(place) for place in shapely.get_coordinates(self.far).tolist()}
        ring = [tuple(place) for place in shapely.get_coordinates(self.hull).tolist()]
        sides = []
        for one, other in pairwise(ring):
            if one in near and other in far:
                sides.append(np.array([one, other]))
            elif one in far and other in near:
                sides.append(np.array([other, one]))
        return sides

    def _drawn_out(self, by: float) -> BaseGeometry:
        end = self.far if self.looks_down else self.near
        away = self.way * by if self.looks_down else -self.way * by
        moved = shapely.transform(end, lambda places: places + away)
        return self.hull.union(shapely.union(end, moved).convex_hull)

    def _strip(self, first: float, last: float) -> Polygon:
        """Return all points between two distances along the axis, far enough to both sides."""
        side = np.array([-self.way[1], self.way[0]]) * (self.length + self.hull.length)
        low, high = self.start + self.way * first, self.start + self.way * last
        return Polygon([low + side, high + side, high - side, low - side])


def depths(each: Intervening) -> list[tuple[Degree, float]]:
    """Return the depths of shadow of a body that fills half of the corridor; GSU."""
    if each.shadow is None or each.fraction < WIDE:
        return []
    deep = max(each.shadow.total_depth, 0.0)
    if each.body == "sparse":
        return [("partial", deep)] if deep else []
    wholly: list[tuple[Degree, float]] = [("total", deep)] if deep else []
    return [("partial", each.shadow.length), *wholly]
