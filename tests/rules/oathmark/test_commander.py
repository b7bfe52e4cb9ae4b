"""The doctrine: it beats random orders, and decides by the points that it expects."""

from __future__ import annotations

import pytest

from emlia3d import scenario
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.questions.options import refusal_of
from emlia3d.rulekit.testing import PlayRecord, check_system
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.brigades import brigades_of, points_left, role_of
from emlia3d.rules.oathmark.commander import near_end, proposals, turns_to_reach, worth_of
from emlia3d.scenario.scenario import from_text
from tests.rules.oathmark.boards import random_board
from tests.rules.oathmark.tables import SOLDIER, put, set_battle, table, text_of


@pytest.mark.long
@pytest.mark.parametrize("seed", [100, 101])
@pytest.mark.parametrize("led", ["Humans", "Orcs"])
def test_the_doctrine_beats_random_orders(seed: int, led: str) -> None:
    other = {"Humans": "Orcs", "Orcs": "Humans"}[led]
    board = scenario.load("kings-road").with_commanders({led: "doctrine", other: "random"})

    assert board.battle(seed).run_to_end().winner == led


@pytest.mark.long
def test_what_every_rule_system_must_pass_under_the_doctrine() -> None:
    def players() -> list[object]:
        return [*random_board(5).battle(5).commanders()]

    check_system(lambda: random_board(5, turns=2).battle(5), players, most=8)  # type: ignore[arg-type]


def test_roles_and_brigades_follow_from_the_unit_set() -> None:
    battle = scenario.load("kings-road").battle(0)

    assert [role_of(battle, unit) for unit in range(5)] == [
        "line", "line", "skirmish", "cavalry", "guns",
    ]  # fmt: skip
    assert {each.name: each.units for each in brigades_of(battle, 0)} == {
        "Infantry": (0, 1), "Shooters": (2,), "Cavalry": (3,), "Engines": (4,),
    }  # fmt: skip


def test_worth_counts_points_that_are_left() -> None:
    battle = table({**SOLDIER, "points": 12}, {**SOLDIER, "points": 10, "side": "Blue",
                   "officer": (0, 400)})  # fmt: skip

    assert points_left(battle, 0) == 120
    assert worth_of(battle, 0) > 20
    set_battle(battle, turn=6)
    assert worth_of(battle, 0) == 20
    put(battle, 0, disordered=1)
    assert points_left(battle, 0) == pytest.approx(96)
    assert worth_of(battle, 1) == pytest.approx(4)


def test_an_enemy_in_the_rear_takes_longer_to_reach() -> None:
    own = Block(0, 0, 0, 10, 5, 25, 25)
    ahead, behind = (Block(0, y, 0, 10, 5, 25, 25) for y in (300, -300))

    assert turns_to_reach(own, ahead, 150) < turns_to_reach(own, behind, 150)


def test_a_good_attack_is_made_and_a_hopeless_one_is_not() -> None:
    strong = {**SOLDIER, "fight": 4, "points": 10, "members": 15}
    weak = {**SOLDIER, "fight": 1, "points": 10, "side": "Blue", "facing": 180,
            "officer": (0, 100)}  # fmt: skip
    battle = table(strong, weak)
    for unit, verb in ((0, "attack"), (1, "attack")):
        actions = Actions(battle, unit, Activity(full=True))
        decision = Decision(
            side=unit, asks="oathmark.action.two", unit=unit, options=actions.options(),
            validator=actions,
        )  # fmt: skip
        commander = battle.system.commander("doctrine")
        assert commander is not None
        order = commander.decide(decision, OpenPicture(battle, unit), FixedDice([]))
        assert (order.verb == verb) is (unit == 0)
        for proposed in proposals(decision, OpenPicture(battle, unit)):
            assert refusal_of(decision, proposed) is None


def test_names_of_commanders() -> None:
    system = table(SOLDIER, {**SOLDIER, "side": "Blue", "officer": (0, 400)}).system

    assert system.commander("doctrine:bold") is not None
    assert system.commander("search") is not None
    assert system.commander("napoleon") is None


def test_search_tries_orders_and_says_so() -> None:
    units = (
        {**SOLDIER, "points": 12, "fight": 4, "members": 15},
        {**SOLDIER, "points": 12, "side": "Blue", "facing": 180, "officer": (0, 120)},
    )
    battle = from_text(text_of(units, turns=1), "table").battle(seed=3)
    kept = PlayRecord()
    commanders = [battle.commander("search"), battle.commander("random")]

    for _ in battle.run(commanders, kept):
        pass

    reasons = [order.why for kind, order in kept.lines if kind == "order" and order.why]
    assert any("tried, worth" in why for why in reasons)
    assert near_end(battle)(battle)


def test_orders_are_found_after_the_last_enemy_is_gone() -> None:
    battle = table(SOLDIER, {**SOLDIER, "side": "Blue", "officer": (0, 400)})
    put(battle, 1, present=0)
    actions = Actions(battle, 0, Activity(full=True, actions=1))
    decision = Decision(
        side=0, asks="oathmark.action.two", unit=0, options=actions.options(), validator=actions
    )
    commander = battle.system.commander("doctrine")
    assert commander is not None

    assert proposals(decision, OpenPicture(battle, 0))
    assert commander.decide(decision, OpenPicture(battle, 0), FixedDice([])).verb == "stop"


def test_sides_of_six_units_make_plans() -> None:
    kinds = ("soldier", "spearman", "archer", "captain", "ranger", "militia")
    units = [
        {
            "type": f"oathmark/human-{kind}", "side": side, "facing": facing,
            "members": 1 if kind == "captain" else 10, "officer": (160 * number - 400, y),
        }
        for side, y, facing in (("Red", -450, 0), ("Blue", 450, 180))
        for number, kind in enumerate(kinds)
    ]  # fmt: skip
    battle = from_text(text_of(units, turns=2), "table").battle(seed=1)

    names = [event.name for event in battle.run()]

    assert names.count("planned") == 4
    assert names.count("moved") > 12
    assert battle.system.intents(battle, 0)
    assert not battle.system.intents(battle.system.picture(battle, 1).battle, 0)
