"""Routine orders: given to a unit once, and carried out until they are changed."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from emlia3d.battle.questions.odds import mean
from emlia3d.battle.questions.options import Place, refusal_of
from emlia3d.errors import Error, quoted, suggestion

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.game import PendingDecision

RoutineKind = Literal["hold", "fire", "go", "lead"]

ROUTINE_WORDS: Mapping[RoutineKind, str] = {
    "hold": "hold",
    "fire": "fire at will",
    "go": "advance to here",
    "lead": "leave it to the AI",
}
"""The words for each kind."""

ARRIVED = 0.5
"""Distance from its goal at which a unit has arrived, and least gain of a move, GSU."""

BY_ROUTINE = "routine order: "
"""Beginning of the reason of an order that a routine gives."""

MOST_SHOTS = 12
"""Shots whose odds are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A routine order.

    kind : "hold" stays and does nothing; "fire" stays and shoots at the target with the most
        expected hits; "go" moves to a position and then acts as "fire"; "lead" leaves the unit to
        the AI
    place : position of "go", GSU
    """

    kind: RoutineKind
    place: Place | None = None

    def __str__(self) -> str:
        """Return the routine in words."""
        if self.place is None:
            return ROUTINE_WORDS[self.kind]
        return f"advance to {self.place[0]:.0f}, {self.place[1]:.0f}"


class Routines:
    """The routine orders of the units that people play."""

    def __init__(self) -> None:
        self._of: dict[int, Routine] = {}

    def __getitem__(self, unit: int) -> Routine | None:
        """Return the routine of a unit; None for a unit that is asked about."""
        return self._of.get(unit)

    def __bool__(self) -> bool:
        """Return whether any unit has a routine."""
        return bool(self._of)

    def goals(self) -> dict[int, Place]:
        """Return the goals of the units that have one, by unit."""
        # A copy, because the thread of play may change them meanwhile.
        return {unit: one.place for unit, one in [*self._of.items()] if one.place is not None}

    def give(self, units: Collection[int], routine: Routine | None) -> None:
        """Give a routine order to units; None ends the current one."""
        for unit in units:
            if routine is None:
                self._of.pop(unit, None)
            else:
                self._of[unit] = routine

    def clear(self) -> None:
        """End the routine orders of all units."""
        self._of.clear()

    def answer(self, asked: PendingDecision) -> Order | None:
        """Return the answer of a unit's routine order; None if a person must answer.

        The AI chooses the unit that acts if all units that can act have routine orders. It also
        answers all decisions about a unit in contact with an enemy.
        """
        battle, decision = asked.battle, asked.decision
        if decision.unit is None:
            acting = {unit for order in decision.options for unit in order.actors}
            if not acting or not acting <= self._of.keys():
                return None
            return _explained(asked.advice(), "all units that may act have one")
        routine = self._of.get(decision.unit)
        if routine is None:
            return None
        order = _order_by(routine, battle, decision, decision.unit)
        return _explained(asked.advice() if order is None else order, str(routine))


def _explained(order: Order, routine: str) -> Order:
    """Return an order with the routine that gives it, and the AI's reason, as its reason."""
    return replace(order, why=f"{BY_ROUTINE}{routine}{f'; {order.why}' if order.why else ''}")


def _order_by(routine: Routine, battle: Battle, decision: Decision, unit: int) -> Order | None:
    """Return the order that a routine gives; None leaves it to the AI."""
    if routine.kind == "lead" or any(one == unit for one, _ in battle.system.contacts(battle)):
        return None
    if routine.place is not None:
        move = _move_towards(battle, decision, unit, routine.place)
        if move is not None:
            return move
    if routine.kind != "hold":
        shots = [order for order in _of_kind(battle, decision, "shoot") if order.target is not None]
        if shots:
            return _best(battle, shots)
    return next(iter(_of_kind(battle, decision, "end")), None)


def _move_towards(battle: Battle, decision: Decision, unit: int, place: Place) -> Order | None:
    """Return the order that leads nearer to a place; None if none does."""
    away = _distance(battle, unit, place)
    if away <= ARRIVED:
        return None
    for verb in battle.system.pointed(battle, decision):
        order = battle.system.order_to(battle, decision, verb, place, None)
        if order is None or refusal_of(decision, order) is not None:
            continue
        end = _end_of(order)
        if end is not None and math.hypot(end[0] - place[0], end[1] - place[1]) < away - ARRIVED:
            return order
    return None


def _end_of(order: Order) -> Place | None:
    """Return the place that a move leads to; None for another order."""
    return (order.legs[-1].x, order.legs[-1].y) if order.legs else None


def routine_from_words(words: str) -> tuple[Routine | None, str]:
    """Return the routine order in a text, and the name of the unit that follows it.

    The words are "hold", "fire", "lead", "go" with two coordinates, or "none" for no routine order;
    the name may be empty.

    Raises Error for other words.
    """
    word, _, rest = words.partition(" ")
    if word == "none":
        return None, rest
    kind = next((each for each in ROUTINE_WORDS if each == word), None)
    if kind is None:
        known = (*ROUTINE_WORDS, "none")
        meant = suggestion(word, known) or f"; there are {', '.join(known)}"
        raise Error(f"there is no routine order {quoted(word)}{meant}")
    if kind != "go":
        return Routine(kind=kind), rest
    east, north, *name = [*rest.split(maxsplit=2), "", ""][:3]
    try:
        place = float(east), float(north)
    except ValueError:
        place = math.nan, math.nan
    if not all(map(math.isfinite, place)):
        raise Error("go: expected X Y, in GSU east and north")
    return Routine(kind=kind, place=place), " ".join(name)


def _of_kind(battle: Battle, decision: Decision, kind: str) -> list[Order]:
    return [order for order in decision.options if battle.system.words.kind(order) == kind]


def _best(battle: Battle, shots: list[Order]) -> Order:
    """Return the shot with the most hits to expect, the first of equals."""
    return max(shots[:MOST_SHOTS], key=lambda order: _hits(battle, order))


def _hits(battle: Battle, order: Order) -> float:
    try:
        odds = battle.system.odds_of(battle, order)
    except Error:  # too many outcomes to count
        return 0.0
    return 0.0 if odds is None or odds.refusal is not None else float(mean(odds.hits))


def _distance(battle: Battle, unit: int, place: Place) -> float:
    units = battle.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    return math.hypot(x - place[0], y - place[1])
