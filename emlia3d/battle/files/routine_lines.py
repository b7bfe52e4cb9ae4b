"""Routine orders as lines of a battle file.

Play does not repeat them: the orders that they give are recorded as all others are.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

import msgspec
from msgspec import Struct

from emlia3d.battle.plain_values import Number, Whole
from emlia3d.battle.questions.routines import Routine, RoutineKind


class _RoutineBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """A routine order in a battle file; "none" ends it."""

    routine: RoutineKind | Literal["none"]
    side: Whole
    units: tuple[Whole, ...]
    place: tuple[Number, Number] | None = None


def routine_to_json(side: int, units: Collection[int], routine: Routine | None) -> dict[str, Any]:
    """Return a routine order of units as plain JSON values; None ends the one that they have."""
    kind = "none" if routine is None else routine.kind
    body: dict[str, Any] = {"routine": kind, "side": side, "units": sorted(units)}
    if routine is not None and routine.place is not None:
        body["place"] = list(routine.place)
    return body


def routine_from_json(body: object, count: int) -> tuple[tuple[int, ...], Routine | None]:
    """Return the units and their routine order.

    count : the number of units of the battle

    Raises
    ------
    ValueError
        It is no routine order of units of this battle.
    """
    try:
        read = msgspec.convert(body, _RoutineBody)
    except msgspec.ValidationError as flaw:
        raise ValueError(f"not a routine order: {flaw}") from None
    if any(not 0 <= unit < count for unit in read.units):
        raise ValueError(f"not a routine order: units are numbers from 0 to {count - 1}")
    if (read.place is None) is (read.routine == "go"):
        raise ValueError('not a routine order: "go" has a place, the others have none')
    if read.routine == "none":
        return read.units, None
    return read.units, Routine(kind=read.routine, place=read.place)
