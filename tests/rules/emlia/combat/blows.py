"""Blows hand to hand, and who strikes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.combat import close_combat

Play = Callable[..., list[Any]]


def man(x: float, y: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    """One man with a single die."""
    return {"at": (x, y), "side": side, "skills": {"close combat": "1"}, **more}


def strike(
    battle: Battle, play: Play, dice: list[int], unit: int = 0, target: int | None = None
) -> list[Any]:
    """All that comes of the blows of a unit: at one enemy, or at all in its reach."""
    order = Order(verb="close-combat", unit=unit, target=target)
    return play(battle, close_combat.close_combat(battle, unit, order), dice=dice)


def blow(battle: Battle, play: Play, unit: int = 0, target: int | None = None) -> Any:
    """The one check of a unit with one die."""
    (event,) = strike(battle, play, [5], unit, target)
    return event
