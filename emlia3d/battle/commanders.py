"""Commanders, which decide for a side from its picture, and one that gives random legal orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from emlia3d.battle.decisions import Decision, LazyOptions, Order
from emlia3d.battle.dice import Dice

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


ASKS_FOR_PLAN = "command.plan"
"""The slug of the decision about a side's plan, which no rulebook defines."""

PLAN, NO_PLAN, MISSION = "plan", "no-plan", "mission"
"""Verbs of the answers: make a new plan, keep the current plan, give one brigade a mission.

After a mission the same decision follows again.
"""


DOCTRINE = "doctrine"
"""The name of the system's own AI, which every rule system has."""

PYTHON, EXEC = "python", "exec"
"""Words before the colon of names that are code: a class of a module, and a command."""


def names_code(name: str) -> bool:
    """Return whether a commander's name is code itself, which no file may contain."""
    word, colon, _ = name.partition(":")
    return bool(colon) and word.strip().lower() in {PYTHON, EXEC}


class Picture(Protocol):
    """The part of a battle that a side knows; it holds no reference to hidden facts.

    battle : a battle with only what the side knows
    """

    @property
    def battle(self) -> Battle: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class OpenPicture:
    """The picture of a side that sees everything on the field.

    side : its row
    """

    battle: Battle
    side: int


class Commander(Protocol):
    """Decision maker of a side, stateless between decisions so that play can restart anywhere."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer to *decision*, based on what the side knows."""
        ...


class BrigadeCommanders:
    """Commander of a side in which some brigades have their own commanders."""

    def __init__(self, side: Commander, units: Mapping[int, Commander]) -> None:
        """Let *side* decide for all units except *units*, by row."""
        self._side, self._units = side, units

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer of the commander of the decision's unit, or of the side's."""
        unit = decision.unit
        found = self._side if unit is None else self._units.get(unit, self._side)
        return found.decide(decision, picture, dice)


class RandomCommander:
    """Commander that gives random legal orders.

    Each kind of order is equally likely, and each order is equally likely within its kind, so
    only the drawn kind must be computed.
    """

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return a random option: roll for its kind, if options have kinds, then for the option."""
        options = decision.options
        if isinstance(options, LazyOptions) and options.by_kind:
            options = _one_kind(options, dice)
        return options[_drawn(dice, len(options))]


def _one_kind(offer: LazyOptions, dice: Dice) -> Sequence[Order]:
    """Return the options of a random kind that has any."""
    kinds = [*range(offer.kinds)]
    while True:
        orders = offer.of_kind(kinds.pop(_drawn(dice, len(kinds))))
        if orders:
            return orders


def _drawn(dice: Dice, count: int) -> int:
    """Return a random whole number from 0 to *count* - 1."""
    (face,) = dice.roll("commander.random", 1, count)
    return face - 1
