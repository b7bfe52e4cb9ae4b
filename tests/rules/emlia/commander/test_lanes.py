"""Moves from which a mounted unit has a free run at an enemy."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.attacks import best_charge
from emlia3d.rules.emlia.commander.charge_lanes import run_ups, straight_moves
from emlia3d.rules.emlia.commander.rehearsal import rehearse
from emlia3d.rules.emlia.commander.stations import to_a_station
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT

Build = Callable[..., Battle]
Ask = Callable[..., Decision]

HORSE: dict[str, Any] = {
    **FOOT, "role": "cavalry", "movement": "80G", "skills": {"close combat": "20/1"},
    "keywords": ["Cavalry"],
}  # fmt: skip
ENEMY: dict[str, Any] = {**FOOT, "side": "Bob"}


def asked(battle: Battle, question: Ask) -> tuple[AiContext, Decision]:
    """The AI context and the decision of unit 0 as its activation begins."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    return AiContext(picture), decision.for_moment(picture.battle)


def ends(battle: Battle, question: Ask) -> list[tuple[float, float]]:
    """Where the moves end that `run_ups` finds for unit 0 at unit 1, the best first."""
    ai, _ = asked(battle, question)
    found = run_ups(ai, 0, 1, straight_moves(ai, 0))
    moves = (turn_and_go(ai.battle, 0, way, 80.0, "move", most) for way, most in found)
    return [(move.legs[-1].x, move.legs[-1].y) for move in moves if move is not None]


def test_the_rear_of_an_enemy_comes_before_its_front(field_of_battle: Build, question: Ask) -> None:
    looks_north = {**ENEMY, "front": (100, 100), "facing": 0}
    looks_south = {**ENEMY, "front": (100, 100), "facing": 180}

    behind = ends(field_of_battle({**HORSE, "front": (100, 40)}, looks_north), question)
    before = ends(field_of_battle({**HORSE, "front": (100, 40)}, looks_south), question)

    assert behind[0][1] < 100 - 10
    assert before[0][1] > 100 - 10 or abs(before[0][0] - 100) > 20


def test_no_way_leads_through_a_friend(field_of_battle: Build, question: Ask) -> None:
    wall = {**FOOT, "members": 160, "files": 80, "front": (100, 60)}
    enemy = {**ENEMY, "front": (100, 80), "facing": 180}

    found = ends(field_of_battle({**HORSE, "front": (100, 50)}, enemy, wall), question)

    assert all(y < 60 or abs(x - 100) > 40 for x, y in found)


def test_no_run_begins_where_the_ground_hides_the_enemy(
    field_of_battle: Build, question: Ask
) -> None:
    elevation = np.zeros((40, 40))
    elevation[17:19] = 40.0  # a wall of earth from west to east, between y = 105 and 115
    units = (
        {**HORSE, "front": (100, 70)},
        {**ENEMY, "front": (100, 128), "facing": 180},
        {**FOOT, "front": (20, 128), "facing": 90},
    )

    hidden = ends(field_of_battle(*units, elevation_m=elevation), question)
    open_ground = ends(field_of_battle(*units), question)

    assert min(y for _, y in open_ground) < 80
    assert min(y for _, y in hidden) > 100


def test_cavalry_charges_an_enemy_that_it_sees_only_after_its_move(
    field_of_battle: Build, question: Ask
) -> None:
    house = {"kind": "building", "box": (70, 66, 100, 82), "height": 9}
    weak = {**ENEMY, "front": (85, 98), "facing": 0, "put": {"disordered": 1}}
    scout = {**FOOT, "front": (20, 88), "facing": 90}
    battle = field_of_battle({**HORSE, "front": (85, 40)}, weak, scout, terrain=[house])
    ai, decision = asked(battle, question)

    found = best_charge(ai, decision, 0, (), ai.known, Plan(name="", missions=()))

    assert not is_aware(ai.battle, 0, 1)
    assert found is not None
    assert (found.order.verb, found.target) == ("move", 1)
    assert found.order.why.startswith("closes in to charge unit 1: ")


def test_a_charge_after_a_move_from_which_its_enemy_is_unseen_is_not_rehearsed(
    field_of_battle: Build, question: Ask
) -> None:
    house = {"kind": "building", "box": (60, 70, 140, 76), "height": 9}
    enemy = {**ENEMY, "front": (100, 90), "facing": 0}
    scout = {**FOOT, "front": (20, 90), "facing": 90}
    charge = Order(verb="charge", unit=0, target=1, number=0)

    def found(*terrain: Any) -> object:
        battle = field_of_battle({**HORSE, "front": (100, 40)}, enemy, scout, terrain=terrain)
        ai, _ = asked(battle, question)
        move = turn_and_go(ai.battle, 0, 0, 80.0, "move", 10.0)
        return rehearse(ai.battle, charge, move)

    assert found() is not None
    assert found(house) is None


@pytest.mark.parametrize("blocked", [False, True], ids=("free", "behind a friend"))
def test_cavalry_rides_to_where_it_can_charge(
    field_of_battle: Build, question: Ask, blocked: bool
) -> None:
    friend = {**FOOT, "members": 60, "files": 30, "front": (100, 70)}
    enemy = {**ENEMY, "front": (100, 160), "facing": 180, "put": {"disordered": 1}}
    others = [enemy, friend] if blocked else [enemy]
    ai, decision = asked(field_of_battle({**HORSE, "front": (100, 50)}, *others), question)

    order = to_a_station(ai, decision, 0)

    assert order is not None
    assert order.why == "rides to where it can charge unit 1"
    decision.check(order)
    x, y = order.legs[-1].x, order.legs[-1].y
    assert abs(x - 100) > 5 if blocked else 160 - y < 80


def test_cavalry_without_enemies_near_keeps_its_place(
    field_of_battle: Build, question: Ask
) -> None:
    far = {**ENEMY, "front": (100, 390), "facing": 180}
    battle = field_of_battle({**HORSE, "front": (100, 50)}, far, size=(200.0, 400.0))
    ai, decision = asked(battle, question)

    assert to_a_station(ai, decision, 0) is None


def test_cavalry_waits_out_of_the_reach_of_steady_infantry(
    field_of_battle: Build, question: Ask
) -> None:
    """The infantry goes 15 GSU a move and is 10 GSU wide."""
    prey = {**ENEMY, "front": (100, 140), "facing": 180, "put": {"disordered": 1}}
    guard = {**ENEMY, "front": (130, 80), "facing": 180}

    def gap(state: dict[str, int]) -> float:
        units = {**HORSE, "front": (120, 40)}, prey, {**guard, "put": state}
        ai, decision = asked(field_of_battle(*units), question)
        order = to_a_station(ai, decision, 0)
        assert order is not None
        return hypot(order.legs[-1].x - 130, order.legs[-1].y - 81)

    assert gap({}) > 1.2 * 15 + 5
    assert gap({"disordered": 1}) < 1.2 * 15 + 5
