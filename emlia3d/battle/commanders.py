"""Who decides for a side, from what it knows; and one to whom any legal order will do."""

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
    """What a side knows; nothing in it leads to what it does not know.

    battle : the battle as the side knows it, in which there is nothing else
    """

    @property
    def battle(self) -> Battle: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class OpenPicture:
    """The picture of a side from whom nothing on the field is hidden.

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
    """Gives any order on offer: legal, and no more can be said for it.

    Each kind of order has the same chance, and each order the same among those of its kind: so
    only the kind that is drawn needs to be worked out.
    """

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """One of the options, by a die for its kind, where there are kinds, and one for itself."""
        options = decision.options
        if isinstance(options, LazyOptions) and options.by_kind:
            options = _one_kind(options, dice)
        return options[_drawn(dice, len(options))]


def _one_kind(offer: LazyOptions, dice: Dice) -> Sequence[Order]:
    """The options of a kind of which there are any."""
    kinds = [*range(offer.kinds)]
    while True:
        orders = offer.of_kind(kinds.pop(_drawn(dice, len(kinds))))
        if orders:
            return orders


def _drawn(dice: Dice, count: int) -> int:
    """One of so many, counted from 0."""
    (face,) = dice.roll("commander.random", 1, count)
    return face - 1
