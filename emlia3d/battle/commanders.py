"""Commanders of a side, which decide from its picture; and one that gives any legal order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from emlia3d.battle.decisions import Decision, LazyOptions, Order
from emlia3d.battle.dice import Dice

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


ASKS_FOR_PLAN = "command.plan"
"""The question for a side's plan; it is of the command, not of any rulebook."""

PLAN, NO_PLAN, MISSION = "plan", "no-plan", "mission"
"""Verbs of its answers: a new plan; the plan that stands is kept; a mission for one brigade.

After a mission the side is asked again.
"""


class Picture(Protocol):
    """The part of a battle that a side knows; nothing in it leads to hidden facts.

    battle : the battle as the side knows it, in which there is nothing else
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
    """Decides for a side. It keeps no state between decisions, so play can restart anywhere."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer to *decision*, from what the side knows."""
        ...


class BrigadeCommanders:
    """Decides for a side some of whose brigades have commanders of their own."""

    def __init__(self, side: Commander, units: Mapping[int, Commander]) -> None:
        """Let *side* decide but for *units*, by row."""
        self._side, self._units = side, units

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer of the commander of the unit that the decision is about."""
        unit = decision.unit
        found = self._side if unit is None else self._units.get(unit, self._side)
        return found.decide(decision, picture, dice)


class RandomCommander:
    """Gives any legal order at random.

    Each kind of order is equally likely, and each order equally likely within its kind, so
    only the drawn kind must be computed.
    """

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """One of the options, by a die for its kind, where there are kinds, and one for itself."""
        options = decision.options
        if isinstance(options, LazyOptions) and options.by_kind:
            options = _one_kind(options, dice)
        return options[_drawn(dice, len(options))]


def _one_kind(offer: LazyOptions, dice: Dice) -> Sequence[Order]:
    """Return the options of a kind of which there are any."""
    kinds = [*range(offer.kinds)]
    while True:
        orders = offer.of_kind(kinds.pop(_drawn(dice, len(kinds))))
        if orders:
            return orders


def _drawn(dice: Dice, count: int) -> int:
    """Return a number below *count* at random."""
    (face,) = dice.roll("commander.random", 1, count)
    return face - 1
