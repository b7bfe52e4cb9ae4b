"""The doctrine: its answers, and that it beats random orders; the search on top of it."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.flow import NullRecorder
from emlia3d.rulekit.commander.rehearsal_checks import check_rehearsals
from emlia3d.rules.runolfsson.attack_phase import pick_target
from emlia3d.rules.runolfsson.base_paths import leg_to
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.commander.destinations import gains_at
from emlia3d.rules.runolfsson.commander.doctrine import DOCTRINE
from emlia3d.rules.runolfsson.commander.expected_losses import removed
from emlia3d.rules.runolfsson.commander.trials import fire_to_come, near_end, proposals, standing
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.movement import ModelMoves, moves
from emlia3d.scenario.scenario import from_text
from tests.rules.runolfsson.boards import random_board
from tests.rules.runolfsson.tables import feature, put, set_phase, table, text_of

BLUE = {"side": "Blue"}


def decided(battle: Battle, decision: Decision) -> Order:
    return DOCTRINE.decide(decision, OpenPicture(battle, decision.side), SeededDice(0, 0))


def where_to(battle: Battle, unit: int = 0) -> Decision:
    return Decision(
        side=battle.state.units.integer("side", unit),
        asks="runolfsson.move.free-path",
        unit=unit,
        options=tuple(moves(battle, unit)),
        validator=ModelMoves(battle, unit),
    )


def test_a_model_goes_where_it_has_a_shot() -> None:
    rock = feature("rock", at=(24, 17, 25, 30))
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE, "attack": 0}, terrain=[rock])

    order = decided(battle, where_to(battle))

    assert order.legs[-1].y < 18
    assert "points" in order.why


def test_a_model_without_a_shot_goes_for_the_enemy() -> None:
    battle = table({"at": [20, 4]}, {"at": [20, 44], **BLUE})

    order = decided(battle, where_to(battle))

    assert order.legs[-1].y > 9


def in_turn_one(*models: Any, **other: Any) -> Battle:
    """Return a table in the first movement phase."""
    battle = table(*models, **other)
    set_phase(battle, Phase.FIRST_MOVE)
    return battle


def gain_behind_the_rock(battle: Battle, verb: str) -> float:
    """Return what a move behind a rock is worth, less the worth of a stay."""
    spot = 20.0, 21.0
    how = {"point": spot} if verb == "teleport" else {"legs": (leg_to(battle, 0, spot),)}
    orders = [Order(verb="stay", unit=0), Order(verb=verb, unit=0, **how)]  # type: ignore[arg-type]
    stay, away = gains_at(battle, 0, orders, [models_of(battle).spot(0), spot])
    return float(away - stay)


def test_an_enemy_that_may_fire_at_the_move_holds_a_model_in_its_place() -> None:
    rock = feature("rock", at=(24, 18, 25, 24))
    comrades = [{"at": [4 + 2 * n, 2], "range": 1} for n in range(8)]
    battle = in_turn_one(
        {"at": [20, 16], "attack": 0}, {"at": [30, 16], **BLUE}, *comrades, terrain=[rock]
    )

    ready = gain_behind_the_rock(battle, "move")
    by_teleport = gain_behind_the_rock(battle, "teleport")
    put(battle, 1, attacked=2)
    spent = gain_behind_the_rock(battle, "move")

    assert ready < 0 < spent
    assert by_teleport == pytest.approx(ready)


def test_a_jump_draws_fire_even_from_cover_to_cover() -> None:
    rock = feature("rock", at=(24, 10, 25, 28), height=1)
    battle = in_turn_one({"at": [20, 16], "attack": 0}, {"at": [30, 19], **BLUE}, terrain=[rock])

    assert gain_behind_the_rock(battle, "jump") < gain_behind_the_rock(battle, "move") == 0


def fire_or_hold(battle: Battle, unit: int, target: int) -> str:
    """Return the verb by which a model answers a target on its way."""
    options = (
        Order(verb="hold fire", unit=unit, target=target),
        Order(verb="fire", unit=unit, target=target, number=3),
    )
    asked = Decision(
        side=battle.state.units.integer("side", unit), asks="runolfsson.op.trigger", unit=unit,
        options=options,
    )  # fmt: skip
    return decided(battle, asked).verb


def test_a_model_fires_at_once_unless_it_has_a_better_target() -> None:
    poor = {"at": [30, 20], **BLUE, "hits": 5, "attack": 0}
    rich = {"at": [30, 26], **BLUE, "attack": 8, "name": "rich"}

    assert fire_or_hold(in_turn_one({"at": [20, 20]}, poor), 0, 1) == "fire"
    assert fire_or_hold(in_turn_one({"at": [20, 20]}, poor, rich), 0, 1) == "hold fire"
    assert fire_or_hold(in_turn_one({"at": [20, 20]}, poor, rich), 0, 2) == "fire"


def test_models_hold_their_fire_if_those_before_them_should_do() -> None:
    battle = in_turn_one(*({"at": [20, 20 + 2 * n]} for n in range(3)), {"at": [30, 21], **BLUE})

    assert [fire_or_hold(battle, unit, 3) for unit in range(3)] == [
        "fire",
        "hold fire",
        "hold fire",
    ]
    put(battle, 0, attacked=2)
    assert fire_or_hold(battle, 1, 3) == "fire"


def test_a_follower_stays_in_command() -> None:
    battle = table(
        {"at": [20, 4], "name": "head"},
        {"at": [20, 6], "group": "head", "command_radius": 2},
        {"at": [20, 44], **BLUE},
    )

    order = decided(battle, where_to(battle, 1))

    assert order.verb == "stay" or order.legs[-1].y < 9


def picks(battle: Battle) -> list[Any]:
    """Let Red pick a target by its doctrine; return target and attackers."""
    set_phase(battle, Phase.STATIONARY)

    found, procedure = list[Order](), pick_target(battle, 0)
    said = next(procedure)
    while isinstance(said, Decision):
        found.append(decided(battle, said))
        said = procedure.send(found[-1])
    return [found[0].target, found[1].actors]


def test_it_picks_the_target_of_which_attacks_remove_most() -> None:
    battle = table(
        {"at": [20, 20]},
        {"at": [30, 24], **BLUE, "save": 4},
        {"at": [30, 20], **BLUE, "attack": 6},
    )

    assert picks(battle) == [2, (0,)]


def test_no_more_models_attack_than_should_do() -> None:
    squad = [{"at": [20, 20 + 2 * n]} for n in range(5)]
    battle = table(*squad, {"at": [30, 20], **BLUE}, {"at": [30, 24], **BLUE})

    _, attackers = picks(battle)

    assert 1 <= len(attackers) < 5


def test_hits_remove_no_more_than_a_model_is_worth() -> None:
    battle = table({"at": [20, 20], "hits": 2, "save": 2}, {"at": [30, 20], **BLUE})

    worths = [removed(battle, 0, hits) for hits in (0.0, 1.0, 2.0, 50.0)]

    assert worths[0] == 0
    assert worths == sorted(worths)
    assert worths[3] == 29
    assert standing(battle, 0) == -standing(battle, 1)
    before = standing(battle, 0)
    put(battle, 0, hits_left=1)
    assert standing(battle, 0) < before


def test_fire_to_come_counts_each_attack_and_each_target_once() -> None:
    blue = [{"at": [30, 20 + 2 * n], **BLUE, "save": 1} for n in range(2)]
    one = in_turn_one({"at": [20, 21]}, *blue)
    several = in_turn_one(*({"at": [20, 20 + n]} for n in (0, 2, 4)), *blue)

    assert 0 < fire_to_come(one, 0) < 25
    assert fire_to_come(one, 0) < fire_to_come(several, 0) <= 50
    put(one, 0, attacked=2)
    assert fire_to_come(one, 0) == 0


@pytest.mark.parametrize(("phase", "ends"), [(Phase.SECOND_MOVE, True), (Phase.MOVING, False)])
def test_a_trial_of_a_move_ends_with_it_and_others_with_the_turn(phase: Phase, ends: bool) -> None:
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    set_phase(battle, phase)
    is_over = near_end(battle)
    later = battle.fork()
    later.state.stretch += 1

    assert not is_over(battle)
    assert is_over(later) is ends


def test_proposals_are_few_and_the_first_is_the_doctrines_own() -> None:
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    decision = where_to(battle)

    found = proposals(decision, OpenPicture(battle, 0))

    assert 1 < len(found) <= 6
    assert found[0] == decided(battle, decision)
    assert proposals(Decision(side=0, asks="x", options=()), OpenPicture(battle, 0)) == []


@pytest.mark.long
def test_the_doctrine_beats_random_orders_on_either_side() -> None:
    squads = [
        {"at": [20 + 2 * n, y], "side": side, "save": 1, "range": 12}
        for side, y in (("Red", 6), ("Blue", 30))
        for n in range(4)
    ]
    scenario = from_text(text_of(squads, size=(36, 36), turns=6), "squads")
    won = {"doctrine": 0, "random": 0}
    for seed in range(4):
        for red, blue in (("doctrine", "random"), ("random", "doctrine")):
            battle = scenario.with_commanders({"Red": red, "Blue": blue}).battle(seed=seed)
            winner = battle.run_to_end().winner
            if winner is not None:
                won[red if winner == "Red" else blue] += 1

    assert won["doctrine"] >= 6
    assert won["random"] == 0


def test_orders_can_be_rehearsed_and_nothing_comes_of_it() -> None:
    board = random_board(3, turns=1)

    check_rehearsals(lambda: board.battle(3), lambda: [DOCTRINE, DOCTRINE], most=12)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
def test_a_search_plays_to_the_end_and_says_what_it_has_tried(seed: int) -> None:
    board = random_board(seed, turns=1).with_commanders({"Red": "search"})
    tried = []

    class Notes(NullRecorder):
        def order(self, side: int, order: Order) -> None:
            tried.append(order.why)

    battle = board.battle(seed)
    for _ in battle.run(recorder=Notes()):
        pass

    assert battle.result is not None
    assert any("tried, worth" in why for why in tried)
