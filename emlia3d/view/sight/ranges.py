"""The ranges of the selected unit on the ground: solid where it can see, hatched elsewhere.

The rules give the area that it can move to, in several steps. Straight lines from a figure of
height 1 give the visible ground, with increasing resolution; for fire, the rules decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.ranges import Range
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.rules import ObserverSpec, Rules
from emlia3d.view.sight.ground_view import GroundVisibility, ViewshedQuery, smooth
from emlia3d.view.sight.groundpicture import GroundPicture, Mask

NEAR, FAR, UNSEEN, RIM = "#ffd24a", "#ff9d2e", "#3d2f6b", "#fff4cf"
MOVE = "#7fe0c8"
ALPHA, ALPHA_UNSEEN, ALPHA_RIM = 0.30, 0.42, 0.9
A_MAN = 1.0  # height units
TEXELS = 512
RIM_SHARE = 1 / 160  # of the longer side of the painted ground


class _Walk:
    """The area that a unit can move to, as far as computed.

    ground : legal ends of its centre; version : changes with it
    """

    def __init__(self, asked: tuple[int, int, Range], parts: Iterator[BaseGeometry]) -> None:
        self.asked = asked
        self._parts = parts
        self.ground: BaseGeometry = shapely.Polygon()
        self.version = 0

    def go_on(self) -> None:
        """Continue the computation."""
        ground = next(self._parts, None)
        if ground is not None:
            self.ground, self.version = ground, self.version + 1


class RangeRings:
    """The ranges of units in the viewer, one at a time.

    shown : index of the range of the selected unit; None for none
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        self._setup = setup
        self._rules = rules
        self._walk: _Walk | None = None
        self._outlook = GroundVisibility(setup, rules)
        self._asked: tuple[int, int, Range] | None = None
        self._kept: tuple[object, Overlay | None] | None = None
        self.shown: int | None = None

    def next(self, unit: int | None, state: State) -> str:
        """Show the unit's next range, after the last none; return its description."""
        there = self.of(unit, state)
        if not there:
            self.shown = None
            if unit is not None and unit in units_in_sight(state):
                return f"{self._setup.units[unit].name} has no ranges now"
            return "select a unit to show its ranges"
        self.shown = 0 if self.shown is None else self.shown + 1
        if self.shown >= len(there):
            self.shown = None
            return "no range is shown"
        return format_range(there[self.shown])

    def of(self, unit: int | None, state: State) -> tuple[Range, ...]:
        """Return all ranges of a unit; empty without a unit or off the field."""
        if unit is None or unit not in units_in_sight(state):
            return ()
        return self._rules.system.ranges(self._rules.at(state), unit)

    def chosen(self, unit: int | None, state: State) -> Range | None:
        """Return the shown range of a unit; its last range if it has fewer."""
        there = () if self.shown is None else self.of(unit, state)
        return there[min(self.shown or 0, len(there) - 1)] if there else None

    def tick(self, dt: float, unit: int | None, state: State, step: int) -> None:
        """Advance by *dt* seconds: compute or refine the visible ground."""
        found = self.chosen(unit, state)
        self._asked = None if unit is None or found is None else (unit, step, found)
        if self._asked is not None and self._asked[2].sighted:
            lookout = ObserverSpec(unit, by_rules=False)
            self._outlook.tick(dt, ViewshedQuery(lookout, A_MAN, step), state)
        system = self._rules.system
        if self._asked is None or not self._asked[2].over_ground or not system.can(System.grounds):
            self._walk = None
        elif self._walk is None or self._walk.asked != self._asked:
            # Other moments are looked at before the last part of the answer is read.
            moment = self._rules.at(state).fork()
            self._walk = _Walk(self._asked, system.grounds(moment, self._asked[0]))
        if self._walk is not None:
            self._walk.go_on()

    def overlay(self, state: State) -> Overlay | None:
        """Return the overlay on the ground; None if no range is shown."""
        if self._asked is None:
            return None
        key = self._asked, self._version
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._painted(state, *self._asked)
        return self._kept[1]

    def forget(self) -> None:
        """Discard the results, because the course of the battle has changed."""
        self._asked = self._kept = self._walk = None
        self._outlook = GroundVisibility(self._setup, self._rules)

    @property
    def _version(self) -> int:
        """A value that changes with the shown results."""
        assert self._asked is not None, "asked for what is shown"
        if self._walk is not None:
            return self._walk.version
        return self._outlook.version if self._asked[2].sighted else 0

    def _painted(self, state: State, unit: int, step: int, shown: Range) -> Overlay | None:
        del step
        field = shapely.box(0.0, 0.0, *self._setup.field.size)
        rings = [ring.intersection(field) for ring in rings_of(self._setup, state, unit, shown)]
        if self._walk is not None:
            rings = [self._walk.ground]
        whole = shapely.union_all(rings)
        if whole.is_empty or whole.area == 0:
            return None
        west, south, east, north = whole.bounds
        picture = GroundPicture((west, south, east, north), self._scale, TEXELS)
        hidden = self._hidden(picture) if shown.sighted else None
        for band, ring in enumerate(rings):
            mask = picture.mask(ring)
            tint = (NEAR if band == 0 else FAR) if shown.sighted else MOVE
            alpha = ALPHA * 0.8**band
            seen = mask if hidden is None else mask * (1 - hidden)
            picture.stain(seen, tint, alpha)
            if hidden is not None:
                picture.stain(mask * hidden, UNSEEN, ALPHA_UNSEEN, hatch="both ways")
        line = RIM_SHARE * max(east - west, north - south)
        for ring in rings:
            picture.rim(ring, RIM, ALPHA_RIM, line)
        return picture.overlay()

    def _hidden(self, picture: GroundPicture) -> Mask | None:
        """Return the share of each texel that the unit does not see; None while unknown."""
        if self._outlook.levels is None:
            return None
        levels = self._outlook.levels
        rows, columns = levels.shape
        east, north = self._setup.field.size
        fine = smooth(levels >= 2, (4 * columns, 4 * rows))
        x, y = picture.places()
        column = np.clip((x / east * 4 * columns).astype(np.intp), 0, 4 * columns - 1)
        row = np.clip(((north - y) / north * 4 * rows).astype(np.intp), 0, 4 * rows - 1)
        return np.asarray(fine[row, column])

    @property
    def _scale(self) -> float:
        return self._setup.field.scale.metres_per_gsu


def rings_of(setup: Setup, state: State, unit: int, shown: Range) -> list[BaseGeometry]:
    """Return the ground of each band of a range, without earlier bands; GSU."""
    body = outline_of(setup, state, unit)
    rings: list[BaseGeometry] = []
    within: BaseGeometry = body
    for limit in shown.limits:
        parts = [arc.within(limit) for arc in shown.arcs]
        reached = shapely.union_all(parts) if parts else body.buffer(limit, quad_segs=24)
        rings.append(reached.difference(within))
        within = within.union(reached)
    return rings


def format_range(shown: Range) -> str:
    """Return a range in words."""
    reach = f"{shown.what}: {', '.join(f'{limit:g}' for limit in shown.limits)} GSU"
    if shown.over_ground:
        return f"{reach} on open ground; bright where its centre can stand"
    return f"{reach}, hatched where it does not see" if shown.sighted else reach
