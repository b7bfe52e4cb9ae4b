"""Orders by pointing at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import block_at
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


@pytest.mark.parametrize(("ahead", "end"), [(50.0, 50.0), (0.3, 1.0), (1.5, 1.5)])
def test_a_click_where_nothing_is_free_is_an_order_that_is_refused(
    ahead: float, end: float
) -> None:
    # A friend stands right before the unit.
    friend = {**SOLDIER, "officer": (0, 50)}
    foe = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}
    blocked = table(SOLDIER, friend, foe)
    decision = ask(blocked)

    order = blocked.system.order_to(
        blocked, decision, "move", (HOME[0], HOME[1] + 12.5 + ahead), None
    )

    assert order is not None
    (leg,) = order.legs
    assert leg.y - HOME[1] - 12.5 == pytest.approx(end, abs=0.001)
    with pytest.raises(IllegalOrderError):
        decision.check(order)


def test_a_click_with_a_facing_turns_the_unit_to_it(battle: Battle) -> None:
    decision = ask(battle)

    for place in ((0, 300), (-200, 0)):
        spot = (HOME[0] + place[0], HOME[1] + place[1])
        given = battle.system.order_to(battle, decision, "pivot", spot, 64 * 33)
        towards = battle.system.order_to(battle, decision, "pivot", spot, None)
        assert given is not None
        assert given.legs[0].facing == 64 * 33
        if towards is not None:
            assert towards.legs[0].facing == (0 if place[0] == 0 else 270 * 64)


@pytest.mark.parametrize("bearing", [0, 90, 205])
def test_corners_are_the_ends_of_the_four_moves(bearing: int) -> None:
    foe = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}
    turned = table({**SOLDIER, "facing": bearing}, foe)
    block = block_at(turned.state, 0)

    found = turned.system.reach_of(turned, ask(turned), "move")

    whole, half = 6 * INCH, 3 * INCH
    assert [block.offset(spot) for spot in found] == [
        pytest.approx(end, abs=0.01) for end in ((0, whole), (half, 0), (0, -half), (-half, 0))
    ]
