"""A drag of a unit, a shape or a handle: the values of its table at each place of the cursor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.editing.edit_shapes import bearing, moved, outline_of_table, reshaped, turned
from emlia3d.view.editing.edited_scenario import Place, TableRef

DragKind: TypeAlias = Literal["move", "turn", "handle"]
STEP_DEG = 5.0
"""Steps in which a unit turns, degrees."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EditDrag:
    """A drag in progress.

    start : where it began; before : the values of the table then
    footprints : outlines of the units of the table then, GSU
    handle : of the shape, for a "handle"
    slack : distance within which two corners become one, GSU
    """

    kind: DragKind
    table: TableRef
    start: Place
    before: Mapping[str, Any]
    footprints: tuple[NDArray[np.float64], ...] = ()
    handle: int = 0
    slack: float = 0.0

    def values(self, place: Place) -> dict[str, Any]:
        """Return the changed values with the cursor at a place."""
        if self.kind == "handle":
            return reshaped(self.before, self.handle, place, self.slack)
        if self.kind == "turn":
            exact = bearing(place_of(self.before) or self.start, place)
            return {"facing": round(exact / STEP_DEG) * STEP_DEG % 360}
        east, north = place[0] - self.start[0], place[1] - self.start[1]
        at = place_of(self.before)
        if self.table[0] == "unit" and at is not None:
            return {"at": [at[0] + east, at[1] + north]}
        return moved(self.before, east, north)

    def ghost(self, place: Place, size: tuple[float, float]) -> list[NDArray[np.float64]]:
        """Return the outlines with the cursor at a place, on a field of *size*, GSU."""
        after = {**self.before, **self.values(place)}
        at, there = place_of(self.before), place_of(after)
        if self.table[0] == "unit" and at is not None and there is not None:
            angle = facing_of(after) - facing_of(self.before)
            return [turned(outline, at, angle, there) for outline in self.footprints]
        outline = outline_of_table(after, size)
        return [] if outline is None else [outline]


def place_of(values: Mapping[str, Any]) -> Place | None:
    """Return the place of a unit's table; None if it has no usable one."""
    at = values.get("at")
    if not isinstance(at, list | tuple) or len(at) != 2:
        return None
    try:
        x, y = float(at[0]), float(at[1])
    except (TypeError, ValueError):
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def facing_of(values: Mapping[str, Any]) -> float:
    """Return the facing of a unit's table, degrees; 0 if it has no usable one."""
    facing = values.get("facing", 0.0)
    usable = isinstance(facing, int | float) and math.isfinite(facing)
    return float(facing) if usable else 0.0
