"""What a side knows and may do as plain JSON values, in whole battles of three systems."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.exchange.side_data import (
    battle_data,
    decision_data,
    order_of_answer,
    picture_data,
)
from emlia3d.battle.questions.options import choices
from emlia3d.scenario import load


@dataclass
class Listener:
    """Commander that keeps each message, and answers as another does."""

    other: Commander
    heard: list[tuple[dict[str, Any], Decision, Sequence[Order]]] = field(default_factory=list)
    battles: list[dict[str, Any]] = field(default_factory=list)

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        offered = choices(picture.battle, decision)
        told = {
            **picture_data(picture.battle),
            **decision_data(picture.battle, decision, offered),
        }
        self.heard.append((told, decision, offered))
        self.battles.append(battle_data(picture.battle, decision.side))
        hidden = picture.battle.system.hidden_from(picture.battle, decision.side)
        assert not {unit["unit"] for unit in told["units"]}.intersection(hidden)
        return self.other.decide(decision, picture, dice)


def listened_to(scenario: str, turns: int) -> Listener:
    """The first side's commander after some turns of a battle."""
    battle = load(scenario).battle(seed=3, turns=turns)
    first, *others = battle.commanders()
    listener = Listener(first)
    for _ in battle.run((listener, *others)):
        pass
    return listener


@pytest.mark.parametrize("scenario", ["bandits", "kings-road", "shallows"])
def test_each_message_is_plain_json(scenario: str) -> None:
    listener = listened_to(scenario, turns=1)

    assert listener.heard
    for told, _, offered in listener.heard:
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert [option["option"] for option in told["options"]] == [*range(len(offered))]
        assert all(option["phrase"] and option["order"] for option in told["options"])
    first = listener.battles[0]
    assert json.loads(json.dumps(first, allow_nan=False)) == first
    assert all(one == first for one in listener.battles)


def test_a_side_is_not_told_of_units_that_it_does_not_know() -> None:
    listener = listened_to("bandits", turns=2)
    sides = [unit["side"] for unit in listener.battles[0]["units"]]

    enemies = [
        {unit["unit"] for unit in told["units"] if unit["side"] != 0} for told, *_ in listener.heard
    ]

    assert enemies[0] < {row for row, side in enumerate(sides) if side != 0}


def test_each_option_is_answered_by_its_number_or_as_it_stands() -> None:
    told, decision, offered = listened_to("duel", turns=1).heard[0]

    for option, order in zip(told["options"], offered, strict=True):
        written = {key: option[key] for key in option if key not in {"option", "phrase"}}
        assert order_of_answer(option["option"], decision, offered) == order
        assert order_of_answer({"option": option["option"]}, decision, offered) == order
        assert order_of_answer(written, decision, offered) == order
    reasoned = order_of_answer({"option": 0, "why": "it is near"}, decision, offered)
    assert reasoned.why == "it is near"


@pytest.mark.long
@pytest.mark.parametrize(
    "nonsense",
    [
        -1, 10**6, True, 1.5, "0", None, [0], {}, {"option": "0"}, {"option": 0, "why": 1},
        {"order": 3}, {"order": "fly to the moon"}, {"order": "move", "speed": 9},
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(nonsense: Any) -> None:
    _, decision, offered = listened_to("duel", turns=1).heard[0]

    with pytest.raises(ValueError, match=r"\S") as refused:
        order_of_answer(nonsense, decision, offered)

    assert "\n" not in str(refused.value)
