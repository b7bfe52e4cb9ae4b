"""An action has one name in the list of orders, the log and the report, in every rule system."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emlia3d.battle.commanders import Picture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.options import choices
from emlia3d.battle.system import System
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.words import WordTable
from emlia3d.rules.emlia import SYSTEM as EMLIA
from emlia3d.rules.epic import SYSTEM as EPIC
from emlia3d.rules.oathmark import SYSTEM as OATHMARK
from emlia3d.rules.runolfsson import SYSTEM as RUNOLFSSON
from emlia3d.scenario import load

SYSTEMS: dict[str, System] = {
    "emlia": EMLIA,
    "oathmark": OATHMARK,
    "runolfsson": RUNOLFSSON,
    "epic": EPIC,
}

PLAYED = {"thieves": 3, "duel": 3, "kings-road": 2, "scrapyard": 2, "refinery": 1}
"""Bundled battles of all systems, and the turns of each that are played."""

WITHOUT_NAME = {"end", "other", "plan"}
"""The kinds of orders that are answers to a question, not actions."""


def table_of(system: System) -> WordTable:
    assert isinstance(system.words, WordTable)
    return system.words


def named_otherwise(action: NamedAction, *phrases: object) -> Iterator[str]:
    """The templates that lack the name of the action; functions are asked in played battles."""
    for phrase in phrases:
        if isinstance(phrase, str) and phrase and not action.is_in(phrase):
            yield f"{action.name}: {phrase}"


@pytest.mark.parametrize("name", SYSTEMS)
def test_orders_the_log_and_the_report_call_an_action_by_one_name(name: str) -> None:
    table = table_of(SYSTEMS[name])
    assert table.actions

    wrong = []
    for action in table.actions:
        wrong += named_otherwise(action, *(table.orders[verb] for verb in action.orders))
        for kind in action.events:
            entry = table.events[kind]
            wrong += named_otherwise(action, entry.log, entry.report)

    assert wrong == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_order_to_act_is_one_of_the_named_actions(name: str) -> None:
    table = table_of(SYSTEMS[name])
    named = [verb for action in table.actions for verb in action.orders]

    acting = {
        verb
        for verb, words in table.orders.items()
        if words != "{unit}" and table.kind(Order(verb=verb)) not in WITHOUT_NAME
    }

    assert sorted(acting - set(named)) == []
    assert sorted(named) == sorted(set(named))


class Recorder:
    """A commander that decides as another, and records phrases for orders that lack the name."""

    def __init__(self, moment: Moment, wrong: dict[str, None]) -> None:
        self._moment = moment
        self._decider = moment.system.commander("doctrine")
        self._wrong = wrong
        self._names = {
            verb: action for action in table_of(moment.system).actions for verb in action.orders
        }

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        for order in choices(self._moment, decision):
            action = self._names.get(order.verb)
            if action is not None:
                self._wrong |= dict.fromkeys(
                    named_otherwise(action, self._moment.system.phrase(self._moment, order))
                )
        return self._decider.decide(decision, picture, dice)


@pytest.mark.parametrize("name", PLAYED)
def test_an_action_has_its_name_wherever_it_is_told_of_in_a_battle(name: str) -> None:
    battle = load(name).battle(seed=1, turns=PLAYED[name])
    wrong: dict[str, None] = {}
    names = {kind: action for action in table_of(battle.system).actions for kind in action.events}
    told = 0

    for event in battle.run([Recorder(battle, wrong) for _ in battle.setup.sides]):
        action = names.get(type(event.facts))
        if action is None:
            continue
        report = battle.system.words.reporter(battle)(event)
        wrong |= dict.fromkeys(named_otherwise(action, battle.system.tell(battle, event), report))
        told += 1

    assert list(wrong) == []
    assert told
