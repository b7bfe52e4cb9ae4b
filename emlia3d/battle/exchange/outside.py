"""A commander that other code provides, with one that decides whenever the code does not.

Code that gives no answer in time, ends, or answers nonsense forfeits the decision. The default
commander then decides, and the reason is recorded with the order (`Order.why`).
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from emlia3d.battle.commanders import MISSION, Commander
from emlia3d.battle.exchange.channel import Channel, NoAnswerError, Opener
from emlia3d.battle.exchange.side_data import (
    battle_data,
    decision_data,
    order_of_answer,
    picture_data,
)
from emlia3d.battle.questions.options import choices
from emlia3d.errors import printable

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.dice import Dice

MOST_STARTS = 5
"""Times that code is started in one battle, because a restart may take up to the time limit."""

MOST_MISSIONS = 100
"""Missions in a row: a side that gives more of them does not begin its turn."""

FORFEIT = "forfeit"
"""First word of the reason of an order that the default commander gave."""

_REPORTED = set[str]()
"""Names of commanders whose first forfeit was logged: one line, even in a thousand battles."""

_LOG = logging.getLogger("emlia3d.commanders")


class OutsideCommander:
    """Commander that asks other code, and another commander if that fails.

    Its code is started at the first decision, and again after it has ended, up to `MOST_STARTS`
    times. Play needs no
    state of it, so a battle can resume at any decision.
    """

    def __init__(self, name: str, opener: Opener, default: Commander, time_limit_s: float) -> None:
        self._name, self._opener = name, opener
        self._default, self._time_limit_s = default, time_limit_s
        self._channel: Channel | None = None
        self._starts = self._missions = 0

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer of the code, or of the default commander with the reason."""
        battle = picture.battle
        offered = choices(battle, decision)
        message = {
            "message": "decision",
            **picture_data(battle),
            **decision_data(battle, decision, offered),
        }
        try:
            order = order_of_answer(self._answer(battle, decision, message), decision, offered)
            self._count_missions(order)
        except (NoAnswerError, ValueError) as flaw:
            reason = " ".join(printable(str(flaw)).split())
            self._report(battle.setup.sides[decision.side].name, reason)
            order = self._default.decide(decision, picture, dice)
            why = "; ".join(filter(None, (f"{FORFEIT}: {reason}", order.why)))
            return replace(order, why=why)
        return order

    def _answer(self, battle: Battle, decision: Decision, message: dict[str, Any]) -> Any:
        """Return the answer of the code, which is started if it does not run."""
        if self._channel is None:
            if self._starts == MOST_STARTS:
                raise NoAnswerError(f"it ended {MOST_STARTS} times, so it is not started again")
            self._starts += 1
            facts = {"message": "battle", **battle_data(battle, decision.side)}
            self._channel = self._opener(facts)
        try:
            return self._channel.ask(message, self._time_limit_s)
        except NoAnswerError:
            self._channel.close()
            self._channel = None
            raise

    def _count_missions(self, order: Order) -> None:
        """Raise ValueError for one mission too many in a row."""
        self._missions = self._missions + 1 if order.verb == MISSION else 0
        if self._missions > MOST_MISSIONS:
            self._missions = 0
            raise ValueError(f"it gave more than {MOST_MISSIONS} missions in a row")

    def _report(self, side: str, reason: str) -> None:
        """Log the first forfeit of a commander of this name."""
        if self._name not in _REPORTED:
            _REPORTED.add(self._name)
            _LOG.warning(
                "%s: %s: %s; the default commander decides whenever it gives no legal answer",
                side, self._name, reason,
            )  # fmt: skip
