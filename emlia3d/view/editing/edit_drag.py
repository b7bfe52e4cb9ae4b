"""Drags of units, shapes or handles: the values of their tables for each position of the cursor."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.editing.edit_shapes import (
    bearing,
    moved,
    outline_of_table,
    reshaped,
    shape_turned,
    turned,
)
from emlia3d.view.editing.edited_scenario import Changes, Place, TableRef

DragKind: TypeAlias = Literal["move", "turn", "handle"]


@dataclass(frozen=True, slots=True)
class Steps:
    """Positions and facings that units can have.

    place : returns the nearest position that a unit can have, GSU
    facing : a facing that a unit can have; step : angle to the next one, degrees
    """

    place: Callable[[Place], Place] = lambda place: place
    facing: float = 0.0
    step: float = 5.0

    def facing_near(self, degrees: float) -> float:
        """Return the nearest facing that a unit can have, 0 to 360 degrees."""
        return (round((degrees - self.facing) / self.step) * self.step + self.facing) % 360


FREELY = Steps()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dragged:
    """A table that is dragged.

    before : its values at the start; footprints : outlines of its units at the start, GSU
    """

    table: TableRef
    before: Mapping[str, Any]
    footprints: tuple[NDArray[np.float64], ...] = ()

    def ghost(
        self, values: Mapping[str, Any], size: tuple[float, float]
    ) -> list[NDArray[np.float64]]:
        """Return the outlines with changed values, on a field of *size*, GSU."""
        after = {**self.before, **values}
        at, there = place_of(self.before), place_of(after)
        if self.table[0] == "unit" and at is not None and there is not None:
            angle = facing_of(after) - facing_of(self.before)
            return [turned(outline, at, angle, there) for outline in self.footprints]
        outline = outline_of_table(after, size)
        return [] if outline is None else [outline]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EditDrag:
    """A drag in progress.

    start : its start, GSU
    things : what is dragged
    handle : of the shape, for a "handle"
    slack : distance within which two corners become one, GSU
    steps : positions and facings that units can have
    """

    kind: DragKind
    things: tuple[Dragged, ...]
    start: Place
    handle: int = 0
    slack: float = 0.0
    steps: Steps = FREELY

    @property
    def centre(self) -> Place:
        """The point around which a drag turns, GSU."""
        return centre_of([each.before for each in self.things]) or self.start

    def changes(self, place: Place) -> Changes:
        """Return the changed values of each table for a position of the cursor."""
        if self.kind == "handle":
            (one,) = self.things
            return {one.table: reshaped(one.before, self.handle, place, self.slack)}
        if self.kind == "turn":
            return self._turned(place)
        east, north = place[0] - self.start[0], place[1] - self.start[1]
        return {each.table: shifted(each.table, each.before, east, north, self.steps)
                for each in self.things}  # fmt: skip

    def _turned(self, place: Place) -> Changes:
        if len(self.things) == 1:
            (one,) = self.things
            facing = bearing(place_of(one.before) or self.start, place)
            return {one.table: {"facing": self.steps.facing_near(facing)}}
        centre = self.centre
        angle = bearing(centre, place) - bearing(centre, self.start)
        return turns({each.table: each.before for each in self.things}, angle, self.steps)

    def ghost(self, place: Place, size: tuple[float, float]) -> list[NDArray[np.float64]]:
        """Return the outlines for a position of the cursor, on a field of *size*, GSU."""
        changes = self.changes(place)
        return [ring for each in self.things for ring in each.ghost(changes[each.table], size)]


def shifted(
    table: TableRef, values: Mapping[str, Any], east: float, north: float, steps: Steps
) -> dict[str, Any]:
    """Return the changed values of a table that was moved."""
    at = place_of(values)
    if table[0] == "unit" and at is not None:
        return {"at": list(steps.place((at[0] + east, at[1] + north)))}
    return moved(values, east, north)


def turns(tables: Mapping[TableRef, Mapping[str, Any]], degrees: float, steps: Steps) -> Changes:
    """Return the changed values of tables that were turned clockwise around their centre."""
    centre = centre_of([*tables.values()])
    if centre is None:
        return {table: {} for table in tables}
    angle = round(degrees / steps.step) * steps.step
    found: dict[TableRef, dict[str, Any]] = {}
    for table, values in tables.items():
        at = place_of(values)
        if table[0] == "unit" and at is not None:
            ((east, north),) = turned(np.array([at]), centre, angle, centre).tolist()
            facing = steps.facing_near(facing_of(values) + angle)
            found[table] = {"at": list(steps.place((east, north))), "facing": facing}
        else:
            found[table] = shape_turned(values, centre, angle)
    return found


def centre_of(tables: Sequence[Mapping[str, Any]]) -> Place | None:
    """Return the mean position of tables, GSU; None if none has a valid one."""
    places = []
    for values in tables:
        outline = outline_of_table(values, (0.0, 0.0))
        at = place_of(values)
        if at is None and outline is not None:
            east, north = outline.mean(axis=0).tolist()
            at = east, north
        if at is not None:
            places.append(at)
    if not places:
        return None
    east, north = np.mean(places, axis=0).tolist()
    return east, north


def place_of(values: Mapping[str, Any]) -> Place | None:
    """Return the position of a unit's table; None if it has no valid one."""
    at = values.get("at")
    if not isinstance(at, list | tuple) or len(at) != 2:
        return None
    try:
        x, y = float(at[0]), float(at[1])
    except (TypeError, ValueError):
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def facing_of(values: Mapping[str, Any]) -> float:
    """Return the facing of a unit's table, degrees; 0 if it has no valid one."""
    facing = values.get("facing", 0.0)
    usable = isinstance(facing, int | float) and math.isfinite(facing)
    return float(facing) if usable else 0.0
