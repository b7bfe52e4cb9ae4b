"""Chapter 9 as play: which orders do what a condition calls for, and how far a move must lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.play.turn.condition_orders import (
    ConditionOrders,
    MetCondition,
    fulfils,
    takes,
    ways_to_follow,
)
from emlia3d.rules.emlia.unit_sets.initiative_conditions import InitiativeCondition
from tests.rules.emlia.turn.encounter import ROCKS, foe, me

Build = Callable[..., Battle]
NEAR = {"within": 90}
THROWER: dict[str, Any] = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}


def call(do: str, *foes: int, **more: Any) -> MetCondition:
    condition = InitiativeCondition.model_validate({"when": NEAR, "do": do, **more})
    return MetCondition(1, condition, foes or (1,), 0)


def march(y: float, x: float = 50, verb: str = "move") -> Order:
    """The order to go straight there, facing north; one man starts at (50, 100)."""
    return Order(verb=verb, unit=0, legs=(Leg(step="march", x=x, y=y, facing=0),))


@pytest.mark.parametrize(
    ("do", "kind"),
    [
        ("move away", ActionType.MOVE),
        ("move to cover", ActionType.MOVE),
        ("take cover", ActionType.MOVE),
        ("charge", ActionType.PRIMARY),
        ("shoot", ActionType.PRIMARY),
        ("attack", ActionType.PRIMARY),
    ],
)
def test_a_condition_takes_the_action_that_it_calls_for(do: str, kind: ActionType) -> None:
    assert takes(call(do)) is kind


@pytest.mark.parametrize(
    ("do", "foes", "verbs", "targets"),
    [
        ("shoot", (1,), {"fire", "aim"}, {1}),
        ("shoot", (2,), {"fire", "aim"}, {2}),
        ("shoot", (1, 2), {"fire", "aim"}, {1, 2}),
        ("charge", (1,), {"charge"}, {1}),
        ("charge", (2,), set(), set()),
        ("attack", (1,), {"charge", "fire", "aim"}, {1}),
        ("attack", (2,), {"fire", "aim"}, {2}),
    ],
)
def test_attacks_are_at_the_enemies_that_met_the_condition(
    field_of_battle: Build, do: str, foes: tuple[int, ...], verbs: set[str], targets: set[int]
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 110), foe(70, 140))

    orders, reach = ways_to_follow(battle, 0, call(do, *foes))

    assert reach is None
    assert {order.verb for order in orders} == verbs
    assert {order.target for order in orders} == targets


@pytest.mark.parametrize(("foes", "may"), [((1,), True), ((2,), False), ((2, 1), True)])
def test_a_blow_is_at_all_in_reach_if_one_of_them_met_the_condition(
    field_of_battle: Build, foes: tuple[int, ...], may: bool
) -> None:
    battle = field_of_battle(me(), foe(50, 101.5), foe(90, 140))

    orders, _ = ways_to_follow(battle, 0, call("attack", *foes))

    assert ("close-combat" in {order.verb for order in orders}) is may


BANK = {"kind": "wall", "box": (40, 101, 60, 102), "height": 0.6, "body": "solid"}


@pytest.mark.parametrize(
    ("terrain", "put", "may"),
    [
        ([BANK], {}, True),
        ([BANK], {"taking_cover": 1}, False),
        ([BANK], {"move_used": 1}, False),
        ([], {}, False),
    ],
)
def test_cover_is_taken_where_there_is_some_and_a_move_is_left(
    field_of_battle: Build, terrain: list[Any], put: dict[str, int], may: bool
) -> None:
    battle = field_of_battle(me(put=put), foe(), terrain=terrain)

    orders, reach = ways_to_follow(battle, 0, call("take cover"))

    assert orders == ([Order(verb="take-cover", unit=0)] if may else [])
    assert reach is None


@pytest.mark.parametrize(
    ("do", "more", "foes", "is_so"),
    [
        # The nearer enemy is 19 GSU away and the other 39; their fastest speeds are 10 and 20.
        ("move away", {"until": 19}, (1, 2), True),
        ("move away", {"until": 19.5}, (1, 2), False),
        ("move away", {"until": 39}, (1, 2), False),
        ("move away", {"until": 39}, (2,), True),
        ("move away", {"until_moves": 1.9}, (1, 2), True),
        ("move away", {"until_moves": 1.95}, (1, 2), False),
        ("move away", {"until_moves": 2}, (1,), False),
        ("move away", {}, (2,), False),
        ("move toward", {"until": 19}, (1, 2), True),
        ("move toward", {"until": 18.5}, (1, 2), False),
        ("move toward", {"until": 30}, (2,), False),
        ("move toward", {"until_moves": 1.9}, (1,), True),
        ("move toward", {"until_moves": 1.8}, (1,), False),
        ("move toward", {"until_moves": 1.95}, (2,), True),
        ("move toward", {}, (1,), False),
    ],
)
def test_a_unit_wants_to_be_so_far_from_all_enemies_or_so_near_to_one(
    field_of_battle: Build, do: str, more: dict[str, float], foes: tuple[int, ...], is_so: bool
) -> None:
    battle = field_of_battle(me(), foe(50, 120, movement="10G"), foe(50, 140, movement="5G, 20F"))
    wish = call(do, *foes, **more)

    assert ConditionOrders(battle, 0, wish).is_fulfilled() is is_so
    assert (ways_to_follow(battle, 0, wish)[0] == []) is is_so


@pytest.mark.parametrize(
    ("do", "order", "gain"),
    [
        ("move away", march(90.5), 10.0),
        ("move away", march(105.5), -5.0),
        ("move toward", march(105.5), 5.0),
        ("move toward", march(90.5), -10.0),
        ("move to cover", march(104.5, 53), 5.0),
        ("move to cover", march(96.5, 47), 5.0),
        ("move toward", march(150.5), 0.0),
    ],
)
def test_a_move_gains_what_it_leads_nearer_to_the_wish(
    field_of_battle: Build, do: str, order: Order, gain: float
) -> None:
    """The last is beyond any move, and gains nothing."""
    battle = field_of_battle(me(), foe())

    assert ConditionOrders(battle, 0, call(do)).gain(order) == pytest.approx(gain, abs=0.02)


MARSH = {"kind": "marsh", "box": (0, 92, 200, 94)}


@pytest.mark.parametrize(
    ("more", "order", "terrain", "may_be_made", "is_wished"),
    [
        ({"until": 29}, march(90.5), [], True, True),
        ({"until": 29}, march(91), [], True, False),
        ({"until": 29}, march(80.5, verb="double-pace"), [], False, True),
        ({"until": 29, "fast": True}, march(80.5, verb="double-pace"), [], True, True),
        ({"until": 29}, march(60), [], False, False),
        ({"until": 25}, march(93.5), [MARSH], True, True),
        ({"until": 25, "unhindered": True}, march(93.5), [MARSH], False, True),
        ({"until": 24, "unhindered": True}, march(95.5), [MARSH], True, True),
    ],
)
def test_a_move_must_be_legal_be_allowed_by_the_condition_and_lead_far_enough(
    field_of_battle: Build, more: dict[str, Any], order: Order, terrain: list[Any],
    may_be_made: bool, is_wished: bool,
) -> None:  # fmt: skip
    battle = field_of_battle(me(), foe(), terrain=terrain)
    wish = call("move away", **more)
    reach = ConditionOrders(battle, 0, wish)

    assert (reach.may_be_made(order) is None) is may_be_made
    assert reach.fulfils(order) is is_wished
    assert (reach.refusal(order) is None) is (may_be_made and is_wished)
    assert fulfils(battle, 0, order, wish) is (may_be_made and is_wished)


def test_an_order_that_is_no_move_does_not_what_a_move_would(field_of_battle: Build) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 110), foe(70, 140))
    shot = Order(verb="fire", unit=0, target=2, number=0)

    assert not fulfils(battle, 0, shot, call("move away", until=1))
    assert fulfils(battle, 0, shot, call("shoot", 1, 2))
    assert not fulfils(battle, 0, shot, call("shoot", 1))


@pytest.mark.parametrize(
    ("do", "more", "pace", "facing"),
    [
        ("move away", {"until": 30}, "move", -1),
        ("move away", {"until": 40, "fast": True}, "double-pace", -1),
        ("move toward", {"until": 6}, "move", 1),
        ("move away", {"until": 40}, "move", -1),
    ],
)
def test_the_moves_on_offer_lead_straight_away_or_toward_at_the_pace_that_will_do(
    field_of_battle: Build, do: str, more: dict[str, Any], pace: str, facing: int
) -> None:
    battle = field_of_battle(me(movement="15G"), foe())

    orders, reach = ways_to_follow(battle, 0, call(do, **more))

    assert {order.verb for order in orders} == {pace}
    assert (orders[0].legs[-1].y - 100) * facing > 5
    assert orders[0].legs[-1].x == pytest.approx(50, abs=1.1)
    # Where no move will do there is the one that comes nearest to it, and no other.
    short = do == "move away" and more["until"] == 40 and "fast" not in more
    assert (reach is None) is short
    assert (len(orders) == 1) is short
    assert len(orders) <= 6
    assert all(ConditionOrders(battle, 0, call(do, **more)).gain(order) > 0 for order in orders[:1])


def test_where_double_pace_is_lost_a_normal_move_comes_nearest_to_the_wish(
    field_of_battle: Build,
) -> None:
    """It is declared before the first check, and this unit has made one."""
    battle = field_of_battle(me(put={"free_used": 1}), foe(50, 150))

    orders, reach = ways_to_follow(battle, 0, call("move toward", until=3, fast=True))

    assert [order.verb for order in orders] == ["move"]
    assert reach is None


def test_the_nearest_enemy_is_the_one_that_a_move_leads_away_from(field_of_battle: Build) -> None:
    battle = field_of_battle(me(), foe(50, 120), foe(75, 100), foe(20, 60))

    orders, _ = ways_to_follow(battle, 0, call("move away", 1, 2, 3, until=60))
    toward, _ = ways_to_follow(battle, 0, call("move toward", 2, 1, 3, until=6))

    assert orders[0].legs[-1].y < 100
    assert toward[0].legs[-1].y > 105
