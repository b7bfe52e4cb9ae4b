"""Orders by pointing at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.core import BlockSide
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, table


def ask(battle: Battle) -> Decision:
    """Return the question for an action of the first unit."""
    actions = Actions(battle, 0, Activity(full=True))
    return Decision(
        side=0, asks="oathmark.action.two", unit=0, options=actions.options(), validator=actions
    )


@pytest.fixture
def battle() -> Battle:
    return table(SOLDIER, {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)})


@pytest.mark.parametrize(
    ("place", "end"),
    [
        ((10, 100), (0, 100)), ((0, 400), (0, 12.5 + 6 * INCH)), ((-300, 30), (-3 * INCH, 12.5)),
        ((20, -500), (0, 12.5 - 3 * INCH)), ((50, 12.5), (50, 12.5)),
    ],
)  # fmt: skip
def test_a_click_leads_straight_towards_a_place(
    battle: Battle, place: tuple[float, float], end: tuple[float, float]
) -> None:
    decision = ask(battle)
    x, y = HOME
    order = battle.system.order_to(battle, decision, "move", (x + place[0], y + place[1]), None)

    assert order is not None
    decision.check(order)
    (leg,) = order.legs
    assert (leg.x - x, leg.y - y) == pytest.approx(end, abs=0.05)


def test_a_click_turns_the_unit_to_face_a_place(battle: Battle) -> None:
    decision = ask(battle)

    order = battle.system.order_to(battle, decision, "pivot", (HOME[0] + 100, HOME[1]), None)

    assert order is not None
    decision.check(order)
    assert order.legs[0].facing == 90 * 64


def test_moves_and_pivots_are_pointed_at(battle: Battle) -> None:
    decision = ask(battle)

    assert battle.system.pointed(battle, decision) == ("move", "pivot")
    corners = battle.system.reach_of(battle, decision, "move")
    assert [round((y - HOME[1] - 12.5) / INCH, 2) for _, y in corners] == [6, 0, -3, 0]
    assert battle.system.order_to(battle, decision, "wheel", HOME, None) is None
    nominate = Decision(side=0, asks="oathmark.activation.nominate", options=())
    assert battle.system.pointed(battle, nominate) == ()


def test_no_corners_are_offered_without_moves(battle: Battle) -> None:
    question = Decision(side=0, asks="oathmark.action.two", unit=0, options=ask(battle).options)

    assert battle.system.reach_of(battle, question, "move") == ()
    assert battle.system.order_to(battle, question, "move", HOME, None) is None
    assert battle.system.reach_of(battle, ask(battle), "pivot") == ()


def test_only_plain_marches_and_pivots_are_straight_moves_and_turns(battle: Battle) -> None:
    """A step to cover is no march, and a pivot names no corner."""
    actions = Actions(battle, 0, Activity(full=True))
    march = Leg(step="march", x=HOME[0], y=HOME[1] + 50.0, facing=0)
    turn = Leg(step="march", x=HOME[0], y=HOME[1], facing=90 * 64)

    def move(leg: Leg, **other: int) -> Order:
        return Order(verb="move", unit=0, legs=(leg,), **other)

    found = actions.straight(move(march))
    assert found is not None
    assert found[0] is BlockSide.FRONT
    assert actions.straight(move(replace(march, step="wheel"))) is None
    assert actions.straight(move(replace(march, facing=64))) is None
    assert actions.straight(move(march, number=0)) is None
    assert actions.turned(Order(verb="pivot", unit=0, legs=(turn,))) is not None
    assert actions.turned(Order(verb="pivot", unit=0, legs=(turn,), number=0)) is None
    assert actions.turned(Order(verb="wheel", unit=0, legs=(turn,), number=4)) is None
    assert actions.turned(Order(verb="wheel", unit=0, legs=(turn,))) is None
