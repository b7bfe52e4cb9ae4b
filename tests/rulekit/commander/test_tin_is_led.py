"""Tin is led by the commander that knows no rules: it has lines, places, orders and a memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Set
from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION, NO_PLAN, PLAN, Commander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice, FixedDice
from emlia3d.battle.events import Event
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.flow import play
from emlia3d.battle.questions.intents import card_seen_by
from emlia3d.battle.questions.options import choices
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rulekit.commander.plan_record import ASSIGNED, MISSIONS, ORDERED
from emlia3d.rulekit.testing import check_system
from tests.battle.toy_commander import SPEED, LedTin, TinSide, body_of, brigades_of, holders
from tests.battle.toy_system import REACH, Nearby, Tin, Wanderer
from tests.rulekit.commander import nursery
from tests.rulekit.commander.nursery import (
    ALICE,
    BOB,
    SIDES,
    middle_along,
    plan_now,
    share_in_line,
    turns_of,
)


@pytest.mark.parametrize("seed", [1, 2])
def test_both_sides_form_lines_and_keep_them_until_they_meet(seed: int) -> None:
    """They begin in disarray: askew, and up to a frontage behind each other.

    One unit of each side goes ahead into the rug, and leaves a gap of its width.
    """
    battle, start = nursery.battle(seed=seed), nursery.battle(seed=seed)
    at_first, shares = list[float](), list[float]()

    for turn in turns_of(battle):
        for side in SIDES:
            missions = plan_now(battle, side).missions
            if turn == 1:
                at_first.append(share_in_line(start, missions))
            if max(battle.state.sides.ints("score")) == 0:
                shares.append(share_in_line(battle, missions))

    assert len(shares) >= 2 * 4, "they march for four turns"
    assert max(at_first) < 0.5
    assert min(shares) >= 2 / 3
    assert sum(shares) / len(shares) > 0.8


def test_both_lines_advance_until_they_are_in_reach_of_each_other() -> None:
    battle = nursery.battle()
    along: dict[int, list[float]] = {side: [middle_along(battle, side)] for side in SIDES}
    turns = turns_of(battle)

    while -along[ALICE][-1] - along[BOB][-1] > REACH:
        next(turns)
        for side in SIDES:
            along[side].append(middle_along(battle, side))

    assert 4 <= battle.state.turn <= 5, "moves of 8 GSU close 16 of them in a turn"
    for side in SIDES:
        steps = [after - before for before, after in pairwise(along[side])]
        assert all(0 < step <= SPEED for step in steps)


def test_units_that_can_bump_an_enemy_do_so() -> None:
    """A few march, to a slot that is more than a move off. Each order has its reason."""
    battle, orders = nursery.battle(), list[tuple[Decision, Order]]()
    list(battle.run([Noting(each, orders) for each in battle.commanders()]))

    acts = [(asked, order) for asked, order in orders if asked.asks == "tin.act"]
    able = [order for asked, order in acts if asked.of("bump")]

    assert sum(order.verb == "bump" for order in able) >= 0.8 * len(able) > 20
    assert all(order.why for _, order in acts if order.verb != "wait")


class Noting:
    """Notes what a commander is asked and answers."""

    def __init__(self, commander: Commander, orders: list[tuple[Decision, Order]]) -> None:
        self._commander, self._orders = commander, orders

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        order = self._commander.decide(decision, picture, dice)
        self._orders.append((decision, order))
        return order


@pytest.mark.long
def test_led_sides_beat_random_ones() -> None:
    """Each side is led in ten battles."""
    won = 0
    for seed in range(10):
        for led, commanders in ((ALICE, ("doctrine", "random")), (BOB, ("random", "doctrine"))):
            result = nursery.battle(*commanders, seed=seed, turns=11).run_to_end()
            won += result.winner == ("Alice", "Bob")[led]

    assert won >= 15


@pytest.mark.parametrize("side", SIDES)
def test_all_places_that_decide_the_victory_are_served(side: int) -> None:
    """The army goes for the rug, and one unit for the box."""
    commanders = ["doctrine" if each == side else "random" for each in SIDES]
    battle = nursery.battle(*commanders, seed=4)
    areas = set[str]()

    for _ in turns_of(battle):
        areas.update(each.area for each in plan_now(battle, side).missions)

    assert {"rug", "box"} <= areas
    assert side in holders(battle, "rug")
    assert holders(battle, "box") == {side}
    assert battle.result is not None
    assert battle.result.winner == ("Alice", "Bob")[side]


class Ordering:
    """Gives missions to brigades in the first turn, and leaves all else to a commander."""

    def __init__(self, commander: Commander, *missions: str) -> None:
        self._commander, self._missions = commander, missions

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        if decision.asks == ASKS_FOR_PLAN and picture.battle.state.turn == 1:
            given = len(picture.battle.state.lists[ORDERED])
            if given < len(self._missions):
                return Order(verb=MISSION, words=self._missions[given])
        return self._commander.decide(decision, picture, dice)


def test_missions_that_a_player_gives_are_obeyed() -> None:
    battle = nursery.battle(turns=6)
    alice, bob = battle.commanders()
    rows = {
        each.name: [row for row in each.units if body_of(battle, row).role == "line"]
        for each in brigades_of(battle, ALICE)
    }
    places = [{name: _middle(battle, units) for name, units in rows.items() if units}]

    for _ in turns_of(battle, [Ordering(alice, "Guards: withdraw", "Lancers: attack box"), bob]):
        places.append({name: _middle(battle, units) for name, units in rows.items() if units})
        kinds = {each.brigade: each.kind for each in plan_now(battle, ALICE).missions}
        assert (kinds["Guards"], kinds["Lancers"]) == ("withdraw", "attack")

    norths = [there["Guards"][1] for there in places]
    assert norths == sorted(norths, reverse=True)
    assert norths[-1] < norths[0] - 4 * SPEED, "they go back towards their edge of the field"
    away = [_off_the_box(battle, there["Lancers"]) for there in places]
    assert away == sorted(away, reverse=True)
    assert away[-1] < away[0] - 3 * SPEED


def _middle(battle: Battle, units: Sequence[int]) -> tuple[float, float]:
    bodies = [body_of(battle, unit) for unit in units]
    x, y = (sum(getattr(body, name) for body in bodies) / len(bodies) for name in "xy")
    return round(x, 3), round(y, 3)


def _off_the_box(battle: Battle, spot: tuple[float, float]) -> float:
    centre = battle.setup.area("box").centroid
    return hypot(centre.x - spot[0], centre.y - spot[1])


def test_a_plan_is_in_no_picture_of_the_enemy() -> None:
    battle = nursery.battle(turns=1)
    alice, bob = battle.commanders()
    list(battle.run([Ordering(alice, "Guards: hold"), Ordering(bob, "Guards: hold")]))

    for side in SIDES:
        known = battle.system.picture(battle, side).battle.state
        for name in (MISSIONS, ASSIGNED, ORDERED):
            assert set(battle.state.lists[name].ints("side").tolist()) == set(SIDES)
            assert set(known.lists[name].ints("side").tolist()) == {side}


def played(path: Path) -> tuple[list[str], str]:
    """Play a battle into a file, or on from what is in it; return its lines and its digest."""
    battle = nursery.battle(seed=5, turns=5)
    if path.exists():
        written = log.resume(read_record(path), battle)
    else:
        written = BattleLog.begin(path, {"title": battle.setup.title, "seed": 5}, battle)
    for _ in play(battle, battle.commanders(), written):
        pass
    assert battle.result is not None
    written.finish(battle.result)
    written.close()
    return path.read_text("utf-8").splitlines(), battle.digest.hexdigest()


@pytest.mark.parametrize("after", ["plan", "planned", "march", "boundary"])
def test_a_battle_that_is_resumed_comes_to_the_same_digest(tmp_path: Path, after: str) -> None:
    """The commanders are new ones: what they remember is in the file."""
    lines, digest = played(tmp_path / "whole.battle.jsonl")
    bodies = [json.loads(line) for line in lines]
    rows = [row for row, each in enumerate(bodies)
            if after in {each.get("order"), each.get("event")} or after in each]  # fmt: skip
    part = tmp_path / "part.battle.jsonl"
    cut = rows[len(rows) // 2]
    part.write_text("\n".join(lines[: cut + 1]) + "\n", encoding="utf-8")

    assert played(part) == (lines, digest)


def test_a_led_battle_keeps_what_every_rule_system_promises() -> None:
    def begin() -> Battle:
        return nursery.battle(turns=3)

    check_system(begin, lambda: begin().commanders(), most=20)
    check_system(begin, most=20)


def test_a_player_is_offered_the_plan_and_missions_and_sees_them_on_cards() -> None:
    battle = nursery.battle(turns=1)
    asked = list[Order]()

    class Looking(Ordering):
        def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
            if decision.asks == ASKS_FOR_PLAN:
                asked.extend(choices(picture.battle, decision))
            return super().decide(decision, picture, dice)

    alice, bob = battle.commanders()
    list(battle.run([Looking(alice), bob]))

    phrases = [battle.system.phrase(battle, order) for order in asked]
    assert [order.verb for order in asked] == [PLAN, *[MISSION] * 12, NO_PLAN]
    assert phrases[0].startswith("accept this plan: the Guards assault the rug")
    assert "mission Lancers: attack rug" in phrases
    unit = plan_now(battle, ALICE).missions[0].units[0]
    assert dict(card_seen_by(battle, unit, ALICE))["mission"].startswith("the Guards ")
    assert "mission" not in dict(card_seen_by(battle, unit, BOB))


def test_plans_are_told_in_the_log() -> None:
    battle = nursery.battle("doctrine:cautious", "doctrine:bold", turns=1)

    told = [battle.system.tell(battle, event) for event in battle.run() if _is_plan(event)]

    assert told == ["Alice plans to take the rug cautiously", "Bob plans to take the rug boldly"]


def _is_plan(event: Event) -> bool:
    return event.name == "planned"


@pytest.mark.parametrize("name", ["doctrine:rash", "plain", "wanderer", ""])
def test_there_is_no_other_commander(name: str) -> None:
    assert LedTin().commander(name) is None
    assert isinstance(Tin().commander("doctrine"), Wanderer), "Tin itself has no plans"


@pytest.mark.parametrize(
    ("personality", "spring", "verb"),
    [("bold", 9, "stand"), ("cautious", 9, "flee"), ("bold", 1, "flee"), ("cautious", 30, "stand")],
)
def test_two_figures_run_sooner_from_a_cautious_commander(
    personality: str, spring: int, verb: str
) -> None:
    """Two of them fell 0.67 by each bump, and have as many bumps as the spring lasts."""
    battle = nursery.battle()
    unit = 0
    standing = battle.state.roster.standing(unit).tolist()
    battle.suppose(
        [
            Fall(unit=unit, figures=tuple(standing[2:])),
            Set(table="unit", row=unit, column="spring", value=spring),
        ]
    )
    asked = Decision(
        side=ALICE, asks="tin.flee", unit=unit,
        options=tuple(Order(verb=verb, unit=unit) for verb in ("stand", "flee")),
    )  # fmt: skip
    commander = LedTin().commander(f"doctrine:{personality}")
    assert commander is not None

    order = commander.decide(asked, battle.system.picture(battle, ALICE), FixedDice(()))

    assert order.verb == verb


def test_a_unit_without_a_mission_goes_for_the_nearest_enemy() -> None:
    battle = nursery.battle()
    side = TinSide(battle.system.picture(battle, ALICE))
    unit = 6
    near = min(side.outlook.foes, key=side.outlook.by_unit[unit].apart)
    asked = Decision(
        side=ALICE, asks="tin.act", unit=unit, options=(Order(verb="wait", unit=unit),),
        validator=Nearby(*side.outlook.by_unit[unit].front),
    )  # fmt: skip

    order = side.act(asked, Plan(name="", missions=()))

    asked.check(order)
    (leg,) = order.legs
    assert order.why == f"goes for {battle.setup.units[near.unit].name}"
    assert hypot(leg.x - near.x, leg.y - near.y) < side.outlook.by_unit[unit].apart(near) - 6


def test_a_side_that_holds_bumps_and_does_not_march() -> None:
    battle = nursery.battle("doctrine", "random", apart=40.0)
    alice, bob = battle.setup.sides
    holding = Battle(
        replace(battle.setup, sides=(replace(alice, stance="hold"), bob), aims=()), LedTin(), 1
    )
    orders = list[tuple[Decision, Order]]()

    list(holding.run([Noting(each, orders) for each in holding.commanders()]))

    verbs = {order.verb for asked, order in orders if asked.side == ALICE}
    assert {"bump", "wait"} <= verbs
    assert "march" not in verbs
