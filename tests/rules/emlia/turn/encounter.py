"""Alice's unit and Bob's unit before it, one of whom has attacked the other."""

from __future__ import annotations

from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.play.acting.checks import marked
from emlia3d.rules.emlia.play.situation.situation import situation_of

ROCKS = {"name": "Rocks", "base_damage": 1, "range": (20, 40, 60), "use": ["aimed fire"]}
SHY = {"when": {"within": 30}, "do": "move away", "until": 30}
GREEDY = {"when": {"members": "fewer"}, "do": "charge"}


def me(*conditions: dict[str, Any], **unit: Any) -> dict[str, Any]:
    """Alice's unit, with what makes it act of its own accord."""
    return {"at": (50, 100), "initiative": conditions, **unit}


def foe(x: float = 50, y: float = 120, **unit: Any) -> dict[str, Any]:
    """Bob's unit, that looks south; 20 GSU before Alice's where not said."""
    return {"at": (x, y), "side": "Bob", "facing": 180, **unit}


def attack(battle: Battle, by: int, how: Acted = Acted.SHOT) -> None:
    """The unit *by* has attacked Alice's."""
    battle.happen(
        Event(facts=Unread(event="attacked"), changes=marked(battle, by, 0, 1, 0, how=how))
    )


def gap(battle: Battle, one: int = 0, other: int = 1) -> float:
    """How far two units are from each other, GSU."""
    return situation_of(battle).distance(one, other)
