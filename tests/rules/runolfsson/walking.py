"""Models that walk, alone on a table or near an enemy."""

from __future__ import annotations

from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rulekit.situation.walks import Walk
from emlia3d.rules.runolfsson.base_paths import leg_to, start_walk
from emlia3d.rules.runolfsson.contacts import models_of
from tests.rules.runolfsson.tables import table

FAR = {"at": [44, 44], "side": "Blue"}


def alone(*terrain: Any, **other: Any) -> Battle:
    """A model at (20, 20), its enemy far away."""
    return table({"at": [20, 20], **other}, FAR, terrain=terrain)


def walked(battle: Battle, *path: tuple[float, float], allowance: float = 6.0) -> Walk:
    return start_walk(battle, 0, allowance).along(path)


def spot(battle: Battle, unit: int = 0) -> tuple[float, float]:
    x, y = models_of(battle).spot(unit)
    return round(x, 2), round(y, 2)


def to(battle: Battle, *path: tuple[float, float], verb: str = "move", unit: int = 0) -> Order:
    """An order along a path."""
    return Order(verb=verb, unit=unit, legs=tuple(leg_to(battle, unit, place) for place in path))
