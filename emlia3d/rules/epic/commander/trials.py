"""The commander "search": the orders that it tries, and the length of trials."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander, OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.rehearse import Until
from emlia3d.rulekit.commander.search import Search, Sift, halving
from emlia3d.rules.epic.commander.doctrine import DOCTRINE, ranked_actions, urgency
from emlia3d.rules.epic.formations import units_of

MOST_TRIED = 4
"""Maximum number of orders that are tried at a decision."""

ALL_OPTIONS = frozenset(
    (
        "epic.strategy.choose",
        "epic.action.retain-choice",
        "epic.action.fail",
        "epic.act.marshal",
    )
)
"""Questions for which all options are tried."""

FIRST = 2
"""Number of trials of each order before the first is dropped."""

FEWEST, MOST = 8, 16
"""Minimum and maximum number of trials of a decision before the last round."""

LIVELY = 384
"""Units on the field times trials of a decision, because trials with more units are slower."""

CAUTION = 0.5
"""Minimum lead over the doctrine's own order, standard errors."""


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial: which side and formation acts, and how."""
    if decision.asks in ALL_OPTIONS:
        return [*decision.options]
    if decision.asks == "epic.action.select":
        return sorted(
            decision.options, key=lambda order: urgency(picture.battle, order), reverse=True
        )[:MOST_TRIED]
    if decision.asks == "epic.action.declare":
        return [order for _, order in ranked_actions(picture.battle, decision)[:MOST_TRIED]]
    return []


def near_end(battle: Battle) -> Until:
    """Return a function that ends a trial at the end of the round, or of a last round that follows.

    Therefore a trial includes the assaults that follow from current positions.
    """
    turn = battle.state.turn
    last = turn + (turn + 1 >= battle.setup.turns)
    return lambda scene: scene.state.turn > last or scene.result is not None


def onward(battle: Battle, decision: Decision, number: int) -> Order:
    """Return the doctrine's answer in a trial; nothing is hidden, so the battle is the picture."""
    return DOCTRINE.decide(decision, OpenPicture(battle, decision.side), battle.dice)


def halving_in(battle: Battle) -> Sift:
    """Return the function that drops orders, with fewer trials in larger battles.

    In the last round there are twice as many trials, because they take half as long.
    """
    shorter = 1 + (battle.state.turn >= battle.setup.turns)
    together = shorter * LIVELY // max(int(units_of(battle).there.sum()), 1)
    return halving(FIRST, min(max(together, FEWEST), shorter * MOST), CAUTION)


def search() -> Commander:
    """Return the commander."""
    return Search(
        DOCTRINE, proposals, tries=2 * MOST, sift=halving_in, until=near_end, answer=onward
    )
