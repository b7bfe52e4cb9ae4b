"""Notes of prepared actions: who writes them, and moves that may meet them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.rules.emlia.play.turn.activation import activate, carry_out
from emlia3d.rules.emlia.preparation import Note

Play = Callable[..., list[Any]]

JAVELIN = {"name": "Javelin", "base_damage": 1, "range": (6, 12, 20), "use": ["aimed fire"]}
THROWER: dict[str, Any] = {"skills": {"aimed fire": "2"}, "weapons": [JAVELIN]}


def me(x: float = 50, y: float = 100, **unit: Any) -> dict[str, Any]:
    """Alice's, who look north."""
    return {"at": (x, y), **unit}


def foe(x: float = 50, y: float = 130, **unit: Any) -> dict[str, Any]:
    """Bob's, who look south; 30 GSU before Alice's where not said."""
    return {"at": (x, y), "side": "Bob", "facing": 180, **unit}


def note(*do: str, **when: Any) -> Note:
    """A note of what to do when someone is within 15 GSU, or whatever else is said."""
    return Note.model_validate({"when": ({"within": 15.0, **when},), "do": do})


def write(unit: int, slip: Note) -> Order:
    """The order to write it."""
    return Order(verb="prepare", unit=unit, words=slip.written())


def wrote(battle: Battle, play: Play, unit: int, slip: Note) -> None:
    """The unit activates, writes a note and does nothing else."""
    play(battle, activate(battle, unit), answers=[write(unit, slip), ...])


def march(battle: Battle, unit: int, y: float, x: float = 50) -> Order:
    """The order to go straight there, with the facing kept."""
    facing = battle.state.units.integer("facing", unit)
    legs = (Leg(step="march", x=x, y=y, facing=facing),)
    return Order(verb="move", unit=unit, legs=legs)


def moved(battle: Battle, play: Play, unit: int, y: float, dice: Sequence[int] = (), *answers: Any,
          x: float = 50) -> list[Any]:  # fmt: skip
    """The unit moves there, and what follows from that."""
    order = march(battle, unit, y, x)
    return play(battle, carry_out(battle, unit, order), dice=dice, answers=answers)
