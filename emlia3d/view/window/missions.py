"""The missions that are drawn over the field: of one side, or of the plan that a player weighs."""

from __future__ import annotations

from emlia3d.battle.commanders import PLAN
from emlia3d.battle.decisions import Order
from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.layout.chartkey import DASHED
from emlia3d.view.orders.order_entry import OrderEntry
from emlia3d.view.rules import Rules

_COLOUR = "#fae66b"

KEY = (
    (_COLOUR, "front of a brigade, arrow to its goal"),
    (f"{DASHED}{_COLOUR}", "limit of its advance"),
)
"""The meaning of the lines: (colour, words) each."""


class MissionOverlay:
    """The missions of one side at the moment that is shown.

    side : whose missions are drawn, by row; None for no side's
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        self._setup, self._rules = setup, rules
        self.side: int | None = None
        self._made: tuple[object, tuple[Intent, ...]] = (None, ())

    def next(self, eyes: int | None) -> str:
        """Draw the next side's missions, after the last side's none; return in words which.

        eyes : the only side whose missions may be seen; None if all may
        """
        sides = [*range(len(self._setup.sides))] if eyes is None else [eyes]
        ring = [None, *sides]
        self.side = ring[(ring.index(self.side) + 1) % len(ring)] if self.side in ring else None
        if self.side is None:
            return "no missions are drawn"
        return f"missions of {self._setup.sides[self.side].name}"

    def shown(self, state: State, moment: object, entry: OrderEntry | None) -> tuple[Intent, ...]:
        """Return the missions to draw; the same object as long as they stay the same.

        moment : differs whenever the state does
        entry : where a player may have a plan in hand
        """
        plan = None
        if entry is not None and entry.sheet is not None:
            order = entry.order
            plan = None if order is None or order.verb != PLAN else (entry.sheet.side, order)
        key = moment, self.side, plan
        if self._made[0] != key:
            self._made = key, self._found(state, plan)
        return self._made[1]

    def _found(self, state: State, plan: tuple[int, Order] | None) -> tuple[Intent, ...]:
        system, battle = self._rules.system, self._rules.at(state)
        if plan is not None:
            return system.intents(battle, *plan)
        return () if self.side is None else system.intents(battle, self.side)
