"""Archers and a mortar, who loose volleys at foes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.play.combat.volley import area_volley
from tests.rules.emlia import troops
from tests.rules.emlia.outcome import markers

Play = Callable[..., list[Any]]

LONGBOW = {**troops.LONGBOW, "abilities": ("large falloff 1",)}
MORTAR: dict[str, Any] = {
    "name": "Mortar",
    "base_damage": 5,
    "volley_damage": 5,
    "range": (20, 100, 250),
    "use": ("area volley",),
    "coverage": {"start": 6, "increment": 6, "limit": 6, "per_weapon": True, "drift": 20},
}
STRAIGHT: dict[str, Any] = {**MORTAR, "coverage": {**MORTAR["coverage"], "drift": 0}}
"""A mortar whose volleys fall where they were aimed."""


def archers(**more: Any) -> dict[str, Any]:
    """Ten of Alice's men in a line, who look north."""
    skills = {"volley fire": "5", "close combat": "1"}
    return {
        "at": (100, 20), "members": 10, "files": 10, "formation": "close", "weapons": (LONGBOW,),
        "skills": skills, "name": "archers", **more,
    }  # fmt: skip


def mortar(**more: Any) -> dict[str, Any]:
    """Alice's mortar in their place."""
    skills = {"volley fire": "4"}
    return {"at": (100, 20), "weapons": (MORTAR,), "skills": skills, "name": "mortar", **more}


def foes(at: tuple[float, float], **more: Any) -> dict[str, Any]:
    """Bob's, who look south."""
    return {"side": "Bob", "at": at, "facing": 180, "name": "foes", **more}


def at(x: float, y: float) -> Order:
    """The order to loose unit 0's volley at a point."""
    return Order(verb="area-volley", unit=0, number=0, point=(x, y))


def falls(
    battle: Battle, play: Play, order: Order, dice: list[int], answers: tuple[Any, ...] = ()
) -> Any:
    """What happens when unit 0 carries out that order."""
    return play(battle, area_volley(battle, 0, order), dice, answers)


def on_drift(number: int) -> Callable[[Decision], Order]:
    """An answer that spends so many successes on less drift, and the rest on a wider area."""
    return lambda asked: next(o for o in asked.options if o.number == number)


def struck(battle: Battle) -> list[tuple[int, ...]]:
    """Markers as (subject, hits, base damage)."""
    return markers(battle, "subject", "hits", "base_damage")
