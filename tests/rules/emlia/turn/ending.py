"""What is wanted in a battle, who is in it and leaves it, and turns that come to their end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.result import Result
from emlia3d.rules.emlia.events.movement import LeftTheField
from emlia3d.rules.emlia.play.turn import timing

ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}


def aim(side: str = "Alice", level: str = "victory", **more: Any) -> dict[str, Any]:
    """What a side wants, and how well it has done who has it."""
    return {"side": side, "level": level, **more}


def end_turn(battle: Battle, play: Callable[..., Any]) -> Result | None:
    """A turn in which nobody acts comes to its end; how the battle stands then."""
    turn = battle.state.turn or 1
    if turn > 1:
        battle.happen(
            Event(
                facts=Unread(event="put"),
                changes=(Set(table="battle", row=0, column="turn", value=turn),),
            )
        )
    play(battle, timing.end_turn(battle))
    found = battle.result
    over = Set(table="battle", row=0, column="turn", value=turn + 1)
    battle.happen(Event(facts=Unread(event="put"), changes=(over,)))
    return found


def leave(battle: Battle, unit: int) -> None:
    """A unit leaves the field."""
    battle.happen(Event(facts=LeftTheField(), unit=unit, changes=(Leave(unit=unit),)))
