"""The missions that are drawn over the field: of one side, or of a player's open plan."""

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
    """The missions of one side at the shown moment.

    side : whose missions are drawn, by row; None for no side's
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        self._setup, self._rules = setup, rules
        self.side: int | None = None
        self._made: tuple[object, tuple[Intent, ...]] = (None, ())

    def next(self, eyes: int | None) -> str:
        """Draw the missions of the next side, after the last side none; return a description.

        eyes : the only side whose missions are visible; None for all sides
        """
        sides = [*range(len(self._setup.sides))] if eyes is None else [eyes]
        ring = [None, *sides]
        self.side = ring[(ring.index(self.side) + 1) % len(ring)] if self.side in ring else None
        if self.side is None:
            return "no missions are shown"
        return f"missions of {self._setup.sides[self.side].name}"

    def shown(self, state: State, moment: object, entry: OrderEntry | None) -> tuple[Intent, ...]:
        """Return the missions to draw; the same object while they are unchanged.

        moment : changes with the state
        entry : the order entry, which can have an open plan
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
