"""Values as text that is the same on every machine, for goldens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.answer import CorridorAnswer
from emlia3d.rules.emlia.play.situation import pose

LATER = {"units": (), "own": None, "base": "none", "verdict": "", "degree": None, "lines": ()}
"""Fields that the goldens were written without, with the values for which they stay as they are."""


def _names_in(value: Any) -> list[str]:
    """The fields of a record in the order in which the goldens have them."""
    names = [
        each.name
        for each in fields(value)
        if each.name not in LATER or getattr(value, each.name) != LATER[each.name]
    ]
    if isinstance(value, CorridorAnswer):
        # Its reasons and its text stood before the changes that would alter it.
        for name in ("because", "text"):
            names.remove(name)
            names.insert(-1, name)
    return names


def text(value: object) -> str:  # noqa: PLR0911  one for each kind of value
    """A value as text that is the same on every machine: rounded, and sets in order."""
    match value:
        case None | bool() | int() | str() | bytes():
            return repr(value)
        case float() | np.floating():
            return f"{round(float(value), 3) + 0.0:g}"
        case Enum():
            return value.name
        case np.ndarray():
            return text(value.tolist())
        case BaseGeometry():
            middle = () if value.is_empty else (value.centroid.x, value.centroid.y)
            return text((round(value.area, 2), *value.bounds, *middle))
        case Mapping():
            return text([*value.items()])
        case set() | frozenset():
            return text(sorted(map(text, value)))
        case pose.Pose():
            return text((value.x, value.y, value.facing, value.altitude, value.drill, value.parts))
        case _ if is_dataclass(value):
            return text([getattr(value, name) for name in _names_in(value)])
        case _ if hasattr(value, "__iter__"):
            return f"[{', '.join(map(text, value))}]"
        case _:
            return type(value).__name__
