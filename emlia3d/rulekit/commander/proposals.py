"""The answers from which a player chooses at the question for a plan."""

from __future__ import annotations

from collections.abc import Iterator

from emlia3d.battle.commanders import MISSION
from emlia3d.battle.decisions import Order
from emlia3d.rulekit.commander import mission_orders
from emlia3d.rulekit.commander.adapter import Adapter
from emlia3d.rulekit.commander.army_plan import main_objective
from emlia3d.rulekit.commander.led import proposed
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.plan_record import orders_of


def proposals(side: Adapter) -> list[Order]:
    """Return the commander's plan, and the most common missions of each brigade."""
    moment = side.moment
    given = orders_of(moment, side.side, tuple(each.name for each in side.brigades))
    names = [unit.name for unit in moment.setup.units]
    return [
        proposed(side),
        *(
            Order(verb=MISSION, words=mission_orders.to_words(each, names))
            for each in _missions(side.outlook, given)
            if each not in given
        ),
    ]


def _missions(outlook: Outlook, given: tuple[BrigadeOrder, ...]) -> Iterator[BrigadeOrder]:
    """Yield missions for each brigade that has units other than leaders."""
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
