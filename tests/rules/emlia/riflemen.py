"""Riflemen, whom they shoot at, and one shot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.combat import shooting

Play = Callable[..., list[Any]]

RIFLE = {"name": "Rifle", "base_damage": 3, "range": (20, 40, 60)}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
SHOOTER: dict[str, Any] = {"at": (50, 10), "weapons": (RIFLE,), "skills": {"aimed fire": "1"}}


def shooter(**more: Any) -> dict[str, Any]:
    """One of Alice's with a rifle, who looks north."""
    skills = {"aimed fire": "1", "close combat": "1"}
    return {"at": (100, 50), "weapons": (RIFLE,), "skills": skills, **more}


def enemy(gap: float, **more: Any) -> dict[str, Any]:
    """One man, *gap* GSU in front of the shooter's footprint."""
    return {"side": "Bob", "at": (100, 51 + gap), "facing": 180, **more}


def shot(battle: Battle, play: Play, verb: str = "fire", face: int = 6) -> Any:
    """What comes of one shot of unit 0 at unit 1 that shows this face."""
    order = Order(verb=verb, unit=0, target=1, number=0)
    (event,) = play(battle, shooting.aim_and_fire(battle, 0, order), dice=[face])
    return event


def offered(battle: Battle, unit: int = 0) -> set[str]:
    """By which verbs a unit may shoot at anybody."""
    return {order.verb for order in shooting.shooting_options(battle, unit)}
