"""Kinds of orders, by which a list of them is grouped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Order

OrderKind = Literal[
    "plan", "fight", "shoot", "move", "lead", "prepare", "form", "search", "other", "end"
]
"""A plan or mission; close combat; shots; moves; morale and command; orders for later in the turn;
formation and posture; search and report; anything else; the end of the unit's actions."""

ORDER_KINDS: tuple[OrderKind, ...] = get_args(OrderKind)
"""From the kind that is chosen most often to the last choice."""

KIND_WORDS: Mapping[OrderKind, str] = {
    "plan": "missions",
    "fight": "close combat",
    "shoot": "shoot",
    "move": "move",
    "lead": "command and morale",
    "prepare": "prepare and wait",
    "form": "formation",
    "search": "search and report",
    "other": "other orders",
    "end": "no more actions",
}
"""The name of each kind."""

KIND_LETTERS: Mapping[OrderKind, str] = {
    "plan": "P", "fight": "C", "shoot": "S", "move": "M", "lead": "L", "prepare": "W", "form": "F",
    "search": "R", "other": "O", "end": "E",
}  # fmt: skip
"""A letter for each kind."""

COMMON: Mapping[str, OrderKind] = {
    "plan": "plan", "no-plan": "plan", "mission": "plan",
    "charge": "fight", "attack": "fight", "attack together": "fight", "fight": "fight",
    "shoot": "shoot", "fire": "shoot",
    "move": "move", "activate": "move", "choose": "move",
    "done": "end", "stop": "end", "pass": "end", "stay": "end", "stand": "end", "decline": "end",
    "no more": "end", "hold fire": "end",
}  # fmt: skip
"""The kinds of verbs that mean the same in every system."""


def common_kind(order: Order) -> OrderKind:
    """Return the kind of an order by its verb; "move" if it has legs, else "other"."""
    return COMMON.get(order.verb, "move" if order.legs else "other")
