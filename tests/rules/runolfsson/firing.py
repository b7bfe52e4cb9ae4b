"""Models on a fire line along the x axis, the attacker at its start, and how it is judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.fire_line import Lines, ends_of, judge
from tests.rules.runolfsson.tables import feature

X, Y = 10.0, 20.0
"""The place of the attacker; all else is measured from it."""


def model(x: float, y: float = 0.0, **other: Any) -> dict[str, Any]:
    return {"at": [X + x, Y + y], **other}


def blue(x: float, y: float = 0.0, **other: Any) -> dict[str, Any]:
    return model(x, y, side="Blue", **other)


def across(kind: str, near: float, far: float, high: float = 8.0) -> dict[str, Any]:
    """A feature that spans the fire line from *near* to *far*."""
    return feature(kind, at=(X + near, Y - high, X + far, Y + high))


def hill(west: float, east: float) -> dict[str, Any]:
    return across("hill", west, east, high=9.0)


def line(battle: Battle, one: int = 0, other: int = 1) -> Lines:
    ends = ends_of(battle)
    return judge(battle, ends, np.array([one]), ends, np.array([other]))


def judged(battle: Battle, one: int = 0, other: int = 1) -> tuple[float, int]:
    """Return the multiplier and the modifier of a fire line."""
    found = line(battle, one, other)
    multiplier = float(found.multiplier[0])
    return multiplier, int(found.modifier[0]) if multiplier else 0


BACK = hill(-8, 0.5)
"""Ground of level 1 behind the attacker, with its edge under the attacker's base."""

ROCK = across("rock", 8, 9)
