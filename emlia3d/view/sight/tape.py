"""The measuring tape between two points: distance, height and slope. No window.

Distances are measured on the map, as the rules do; heights are of the ground alone, without
the bodies on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan, degrees, hypot

import numpy as np

from emlia3d.battle.setup import Setup
from emlia3d.field import Scale
from emlia3d.geometry import Surface, profile
from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.moment.scene import Banner, Mark, Point, Stroke
from emlia3d.view.sight.corridor import Places
from emlia3d.view.sight.sight_overlay import SightOverlay

Place = tuple[float, float]
"""East and north, GSU."""

COLOUR = "#f2c94c"
ASK_FIRST, ASK_SECOND = "click the start", "click the end"

_MOST_BENDS = 256
_RAISED_M, _POST_M = 0.35, 2.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measurement.

    distance, distance_m : on the map; along_m : along the ground, up and down
    rise, rise_m : from the first point to the second, height units and metres
    slope : rise over run, metres by metres; None without a run
    """

    distance: float
    distance_m: float
    along_m: float
    rise: float
    rise_m: float
    slope: float | None


def measured(surface: Surface, scale: Scale, start: Place, end: Place) -> Measured:
    """Return the measurement from one point to another, over the ground in height units."""
    x, y, z = _line_m(surface, scale, start, end).T
    steps = np.diff(np.column_stack([x, y, z]), axis=0)
    distance = hypot(end[0] - start[0], end[1] - start[1])
    metres, rise_m = scale.metres_of_gsu(distance), float(z[-1] - z[0])
    return Measured(
        distance=distance,
        distance_m=metres,
        along_m=float(np.sqrt((steps**2).sum(axis=1)).sum()),
        rise=scale.heights_of_metres(rise_m),
        rise_m=rise_m,
        slope=rise_m / metres if metres > 0 else None,
    )


class Tape:
    """The measuring tape of the viewer.

    active : whether it is in use
    """

    def __init__(self, setup: Setup) -> None:
        self._sides = len(setup.sides)
        self._scale = setup.field.scale
        self._surface = setup.field.surface()
        self._ends: tuple[Place, ...] = ()
        self._pointer: Place | None = None
        self._kept: tuple[object, SightOverlay] | None = None
        self.active = False

    def toggle(self) -> None:
        """Open the tape, or close it and discard the measurement."""
        self.active = not self.active
        self._ends = ()

    def put(self, place: Place | None) -> None:
        """Set the first end, then the second; with both known, begin again. Ignore None."""
        if place is not None:
            self._ends = (*self._ends, place) if len(self._ends) == 1 else (place,)

    def point(self, place: Place | None) -> None:
        """Move the cursor to this point; a tape with one end ends there."""
        self._pointer = place

    def card(self) -> UnitCard:
        """Return the measurement as a panel."""
        ends = self._reach()
        if len(ends) < 2:
            step = ASK_FIRST if not self._ends else ASK_SECOND
            return UnitCard(name="Measuring tape", colour=COLOUR, rows=(("next", step),))
        found = measured(self._surface, self._scale, ends[0], ends[1])
        rows = [
            ("distance", f"{found.distance:.4g} GSU, {found.distance_m:.4g} m"),
            ("along the ground", f"{found.along_m:.4g} m"),
            ("height difference", f"{found.rise:+.3g} ({found.rise_m:+.3g} m)"),
        ]
        if found.slope is not None:
            steep = degrees(atan(found.slope))
            rows.append(("slope", f"{found.slope:+.1%}, {steep:+.1f} degrees"))
        return UnitCard(name="Measuring tape", colour=COLOUR, rows=tuple(rows))

    def sight_overlay(self) -> SightOverlay:
        """Return the tape on the ground, with its length at the end."""
        ends = self._reach()
        key = ends, len(self._ends)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, SightOverlay(marks=self._marks(ends), tags=self._tags())
        return self._kept[1]

    def _reach(self) -> tuple[Place, ...]:
        """Return both ends, the second at the cursor until it is set; fewer if unknown."""
        if len(self._ends) == 1 and self._pointer is not None:
            return (*self._ends, self._pointer)
        return self._ends

    def _marks(self, ends: tuple[Place, ...]) -> tuple[Mark, ...]:
        if not ends:
            return ()
        line = _line_m(self._surface, self._scale, ends[0], ends[-1])
        line = np.concatenate([line[: -1 : -(-len(line) // _MOST_BENDS)], line[-1:]])
        line = line + np.array([0.0, 0.0, _RAISED_M])
        posts = [(place, place + np.array([0.0, 0.0, _POST_M])) for place in (line[0], line[-1])]
        parts = [*pairwise(line), *posts]
        return tuple(
            Stroke(start=_point(one), end=_point(other), tone="order", drawn=True)
            for one, other in parts
        )

    def _tags(self) -> tuple[Banner, ...]:
        if len(self._ends) < 2:
            return ()
        found = measured(self._surface, self._scale, *self._ends)
        x, y, _ = _line_m(self._surface, self._scale, *self._ends)[-1]
        tag = Banner(
            x_m=float(x),
            y_m=float(y),
            team=self._sides,
            text=f"{found.distance:.4g} GSU, {found.distance_m:.4g} m",
            subtext=f"{found.rise_m:+.3g} m",
            emphasis="selected",
            tall_m=_POST_M,
            standard=False,
        )
        return (tag,)


def _line_m(surface: Surface, scale: Scale, start: Place, end: Place) -> Places:
    """Return the ground between two points, at both ends and every bend, (n, 3) metres."""
    distances, heights = profile(surface, *start, *end)
    share = distances / max(float(distances[-1]), 1e-12)
    flat = np.array(start) + (np.array(end) - np.array(start)) * share[:, None]
    return np.column_stack([scale.metres_of_gsu(flat), scale.metres_of_heights(heights)])


def _point(place: Places) -> Point:
    x, y, z = place.tolist()
    return x, y, z
