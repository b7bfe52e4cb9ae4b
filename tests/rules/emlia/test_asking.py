"""What players are asked, and their answers, in words; orders by pointing at the field."""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path

import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.battle.questions.options import choices
from emlia3d.rules.emlia.play.turn.activation import REPERTOIRE
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.words.phrases import WORDS

RULES = Path(emlia3d.__file__).parent / "rules" / "emlia" / "play"
MAPS = Path(__file__).parents[3] / "maps"


def first_decision(name: str) -> tuple[Battle, Decision]:
    """The first that the battle asks of anybody about one unit."""

    class AskedError(Exception):
        pass

    found: list[Decision] = []

    class Asker:
        def decide(self, decision, picture, dice):
            if decision.unit is None:
                return decision.options[0]
            found.append(decision)
            raise AskedError

    battle = emlia3d.load(MAPS / f"{name}.toml").battle(seed=3)
    with pytest.raises(AskedError):
        for _ in battle.run([Asker() for _ in battle.setup.sides]):
            pass
    return battle, found[0]


@pytest.fixture
def archers() -> tuple[Battle, Decision]:
    return first_decision("bandits")


def test_every_rule_that_asks_has_a_question_in_words() -> None:
    text = "\n".join(path.read_text("utf-8") for path in sorted(RULES.rglob("*.py")))
    asking = set(re.findall(r'asks="([a-z0-9.-]+)"', text))
    asking |= set(re.findall(r'yield from chosen\(\s*battle, unit, "([a-z0-9.-]+)"', text))

    assert len(asking) > 15
    assert asking <= set(WORDS.questions)


def test_everything_that_a_unit_can_be_ordered_to_do_has_words() -> None:
    verbs = {verb.removesuffix("-focused") for deed in REPERTOIRE for verb in deed.verbs}

    assert verbs <= set(WORDS.orders)


def test_no_two_answers_to_a_decision_read_alike(archers) -> None:
    battle, decision = archers

    words = [SYSTEM.phrase(battle, order) for order in choices(battle, decision)]

    assert len(set(words)) == len(words)


def test_what_is_offered_beside_the_shortlist_may_be_ordered(archers) -> None:
    battle, decision = archers

    more = SYSTEM.more(battle, decision)

    assert any(leg.step == "wheel" for order in more for leg in order.legs)
    assert any(leg.step == "form" for order in more for leg in order.legs)
    for order in more:
        decision.check(order)


@pytest.mark.parametrize("place", [(64.0, 8.0), (50.0, 4.0), (60.0, 12.0), (72.0, 3.0)])
def test_a_move_that_is_pointed_out_ends_there_or_on_the_way(archers, place) -> None:
    battle, decision = archers
    before = hypot(place[0] - 60.0, place[1] - 3.0)

    order = SYSTEM.order_to(battle, decision, "move", place, None)

    assert order is not None
    decision.check(order)
    end = order.legs[-1]
    assert hypot(place[0] - end.x, place[1] - end.y) < before


def test_the_reach_of_a_move_lies_round_the_unit_within_its_speed(archers) -> None:
    battle, decision = archers

    corners = SYSTEM.reach_of(battle, decision, "move")

    assert len(corners) > 8
    assert max(hypot(x - 60.0, y - 3.0) for x, y in corners) <= 15.01


def test_a_volley_is_pointed_at_a_place_in_its_range(archers) -> None:
    battle, decision = archers

    assert "area-volley" in SYSTEM.pointed(battle, decision)
    order = SYSTEM.order_to(battle, decision, "area-volley", (30.0, 50.0), None)
    assert order is not None
    assert order.point == (30.0, 50.0)


def test_a_side_does_not_know_of_those_who_lie_behind_a_rock(archers) -> None:
    battle, _ = archers
    names = [battle.setup.units[row].name for row in SYSTEM.hidden_from(battle, 0)]

    assert names == ["bandits"]
