"""What one side is told of a battle: nothing of those whom it is not aware of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.adjutant import hidden_from
from emlia3d.battle.events import Event

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

SOMEBODY = "somebody unseen"


class Fog:
    """A side's news of a battle, event after event."""

    def __init__(self, side: int) -> None:
        self._side = side
        self._hidden: frozenset[int] = frozenset()

    def tell(self, battle: Battle, event: Event) -> str:
        """An event, just applied, in a sentence; "" for what the side does not get to know."""
        text = battle.system.tell(battle, event)
        if not text:
            return ""
        units = battle.state.units
        named = [row for row in (event.unit, event.target) if row is not None]
        sides = [units.integer("side", row) for row in named]
        if named and all(side == self._side for side in sides):
            return text
        hidden = self._hidden_now(battle)
        if event.unit in hidden and self._side not in sides:
            return ""
        return veiled(battle, text, hidden)

    def _hidden_now(self, battle: Battle) -> frozenset[int]:
        """Those who are hidden, and those who were and have left the field unseen."""
        now = frozenset(hidden_from(battle, self._side))
        present = battle.state.units["present"]
        self._hidden = now | {row for row in self._hidden if not present[row]}
        return self._hidden


def veiled(battle: Battle, text: str, hidden: frozenset[int]) -> str:
    """A text without the names of those who are hidden."""
    names = sorted((battle.setup.units[row].name for row in hidden), key=len, reverse=True)
    for name in names:
        text = text.replace(name, SOMEBODY)
    return text
