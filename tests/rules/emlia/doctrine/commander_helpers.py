"""What a commander orders who sees no more than his side does."""

from __future__ import annotations

from collections.abc import Callable

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import FixedDice
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine import Doctrine
from emlia3d.rules.emlia.play.turn.activation import activate


def answer(battle: Battle, decision: Decision, commander: Doctrine | None = None) -> Order:
    """His order, which is one of those on offer; he rolls no die for it."""
    picture = SYSTEM.picture(battle, decision.side)
    known = decision.for_moment(picture.battle)
    order = (commander or Doctrine()).decide(known, picture, FixedDice([]))
    decision.check(order)
    return order


def orders(
    battle: Battle,
    question: Callable[..., Decision],
    unit: int = 0,
    commander: Doctrine | None = None,
) -> Order:
    """The first that he gives to a unit whose activation begins."""
    return answer(battle, question(battle, activate(battle, unit)), commander)
