"""One with a rifle, an enemy far before him, and a shot at who is near."""

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


def fire(battle: Battle, play: Play, face: int = 6) -> Any:
    """What comes of one shot of unit 0 at unit 1 that shows this face."""
    order = Order(verb="fire", unit=0, target=1, number=0)
    return play(battle, shooting.aim_and_fire(battle, 0, order), dice=[face])[0]
