"""The sight lines of an answer, each up to the body that blocks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.answer import SightAnswer, SightLine
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedLine:
    """A line, and the proportion of it before the body that blocks it.

    share : 1 for a clear line; 0 if something without an outline blocks it, such as the ground
    """

    line: SightLine
    share: float

    @property
    def turn(self) -> tuple[float, float]:
        """The point at which it is blocked, GSU."""
        (ax, ay), (bx, by) = self.line.start, self.line.end
        return ax + (bx - ax) * self.share, ay + (by - ay) * self.share


class LinedUp:
    """The shapes of an answer by lines, GSU.

    near, far : outlines of the observer and of the target
    lines : of the answer; from centre to centre if it has none
    stoppers : the bodies that block a line, with outlines, by name
    """

    def __init__(self, setup: Setup, state: State, answer: SightAnswer) -> None:
        self.setup, self.state, self.answer = setup, state, answer
        self.units = {unit.name: row for row, unit in enumerate(setup.units)}
        self.near, self.far = (
            outline_of(setup, state, self.units[name]) for name in (answer.observer, answer.target)
        )
        lines = answer.lines or (self._between_centres(),)
        names = dict.fromkeys(line.stopped_by for line in lines if line.stopped_by is not None)
        found = {name: self._outline(name) for name in names}
        self.stoppers: dict[str, BaseGeometry] = {
            name: shape for name, shape in found.items() if shape is not None
        }
        self.lines = tuple(StoppedLine(line=line, share=self._share(line)) for line in lines)

    @property
    def colours(self) -> tuple[str, str]:
        """Colours of the observer's side and of the target's."""
        sides = self.setup.sides
        names = self.answer.observer, self.answer.target
        near, far = (self.setup.units[self.units[name]].muster.side for name in names)
        return sides[near].colour, sides[far].colour

    def places(self) -> NDArray[np.float64]:
        """(n, 2) all corners in a picture, GSU."""
        ends = [end for each in self.lines for end in (each.line.start, each.line.end)]
        shapes = [self.near, self.far]
        return np.concatenate((np.array(ends), shapely.get_coordinates(shapes)))

    def _between_centres(self) -> SightLine:
        (start, end) = (shape.centroid.coords[0] for shape in (self.near, self.far))
        seen = self.answer.line_of_sight
        return SightLine(start=(start[0], start[1]), end=(end[0], end[1]), clear=seen)

    def _outline(self, name: str) -> BaseGeometry | None:
        """Return the outline of a unit, feature or tile; None for others, such as the ground."""
        if name in self.units:
            return outline_of(self.setup, self.state, self.units[name])
        for place in self.answer.hindrances:
            if place.name == name:
                return shapely.union_all([Polygon(corners) for corners in place.outlines])
        features = {feature.name: feature.outline for feature in self.setup.field.features}
        return features.get(name)

    def _share(self, line: SightLine) -> float:
        if line.clear:
            return 1.0
        shape = self.stoppers.get(line.stopped_by or "")
        run = np.subtract(line.end, line.start)
        if shape is None or not run.any():
            return 0.0
        met = shapely.get_coordinates(shape.intersection(LineString([line.start, line.end])))
        along = (met - np.array(line.start)) @ run / (run @ run)
        return float(along.min(initial=1.0))
