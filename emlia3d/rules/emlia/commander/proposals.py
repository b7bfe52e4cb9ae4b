"""The answers that a player is offered to the question for a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.commanders import MISSION, PLAN
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander import orders, plan
from emlia3d.rulekit.commander.army import main_objective, plan_for
from emlia3d.rulekit.commander.orders import BrigadeOrder
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.record import orders_of
from emlia3d.rules.emlia.commander.outlook import outlook_of
from emlia3d.rules.emlia.doctrine.mind import MANNERS, Mind
from emlia3d.rules.emlia.play.sight.picture import Picture
from emlia3d.rules.emlia.play.situation.brigades import brigade_names

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def proposals(moment: Moment, decision: Decision) -> list[Order]:
    """Return the doctrine's plan, and the missions that are most often wanted, by brigade.

    moment : the battle as the side knows it
    """
    mind = Mind(Picture(moment, decision.side), MANNERS["steady"])
    outlook = outlook_of(mind)
    given = orders_of(moment, decision.side, brigade_names(moment, decision.side))
    names = [unit.name for unit in moment.setup.units]
    return [
        Order(verb=PLAN, words=plan.to_words(plan_for(outlook, given))),
        *(
            Order(verb=MISSION, words=orders.to_words(each, names))
            for each in _missions(outlook, given)
            if each not in given
        ),
    ]


def _missions(outlook: Outlook, given: tuple[BrigadeOrder, ...]) -> Iterator[BrigadeOrder]:
    """Yield missions for each brigade that has more than leaders."""
    main, ordered = main_objective(outlook), {each.brigade for each in given}
    for brigade in outlook.brigades:
        bodies = [outlook.by_unit[unit] for unit in brigade.units]
        if all(body.role == "leader" for body in bodies):
            continue
        area = "" if main is None else main.name
        yield BrigadeOrder(brigade=brigade.name, kind="attack", area=area)
        for kind in ("hold", "reserve", "withdraw"):
            yield BrigadeOrder(brigade=brigade.name, kind=kind)
        if brigade.name in ordered:
            yield BrigadeOrder(brigade=brigade.name, kind=None)
