"""Hits as attacks would lay them, on a crowd or another, and the resolution that follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.turn import phase

Play = Callable[..., list[Any]]

ATTACKER = {"at": (100, 50)}


def crowd(members: int, x: float = 100, **more: Any) -> dict[str, Any]:
    """Bob's men, five abreast, 70 GSU before an attacker."""
    return {"at": (x, 120), "side": "Bob", "members": members, "files": min(members, 5), **more}


def hit(
    battle: Battle,
    hits: int,
    base_damage: int = 0,
    subject: int = 1,
    attacker: int = 0,
    **more: int,
) -> None:
    """Hit markers, as an attack would lay them."""
    row = {
        "subject": subject, "attacker": attacker, "hits": hits, "base_damage": base_damage,
        "party": -1, "armour": Armour.COUNTS, **more,
    }  # fmt: skip
    battle.happen(Event(facts=Unread(event="hit"), changes=(Append(table="marker", row=row),)))


def resolve(battle: Battle, play: Play, dice: list[int] | None = None) -> list[Any]:
    """What happens in the resolution phase."""
    return play(battle, phase.resolve(battle), dice or [])


def members(battle: Battle, unit: int = 1) -> int:
    """How many of a unit stand."""
    return battle.state.units.integer("members", unit)


def damage(battle: Battle, unit: int = 1) -> int:
    """The damage that a unit carries."""
    return battle.state.units.integer("damage", unit)
