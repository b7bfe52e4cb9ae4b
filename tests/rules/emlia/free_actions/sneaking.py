"""A sneak of Bob's, behind a hedge or a house, and a scout of Alice's who looks for him."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.turn.activation import options_of

Play = Callable[..., list[Event]]

BOW = {"name": "Bow", "base_damage": 1, "range": (30, 60, 120), "use": ["aimed fire"]}
HEDGE = {"kind": "hedge", "box": (60, 78, 140, 80)}
HOUSE = {"kind": "building", "box": (60, 78, 140, 80)}
SCOUT: dict[str, Any] = {"at": (100, 70), "skills": {"alertness": "4"}}
SNEAK: dict[str, Any] = {
    "at": (100, 100), "side": "Bob", "facing": 180, "skills": {"stealth": "3", "aimed fire": "1"},
    "weapons": [BOW],
}  # fmt: skip


def verbs(battle: Battle, unit: int) -> list[str]:
    """What a unit may be ordered to do, each verb once."""
    return list(dict.fromkeys(order.verb for order in options_of(battle, unit)))


def hide(unit: int = 1, verb: str = "conceal-self") -> Order:
    """The order to hide; by another verb, one that says what else is done this turn."""
    return Order(verb=verb, unit=unit)


def let_hide(battle: Battle, play: Play, unit: int = 1, faces: tuple[int, ...] = (5, 1, 1)) -> None:
    """A unit hides; with one success where no faces are given."""
    play(battle, hiding.conceal_self(battle, unit, hide(unit)), dice=faces)
