"""Orders with a field too many, or a value that no rule allows, are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity, may_shoot
from emlia3d.rules.oathmark.battle_frame import DeploymentStrip
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.movement import manoeuvre_refusal, pivot
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

ARCHERS: dict[str, Any] = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 25 + 3 * INCH)}
FULL = Activity(full=True)


@cache
def actions(activity: Activity = FULL) -> Actions:
    """Return the actions of archers with an enemy 3 inches ahead of their front."""
    return Actions(table(ARCHERS, FOE, {**SOLDIER, "officer": (300, 0)}), 0, activity)


@cache
def offered(verb: str) -> Order:
    """Return the first order with a verb that is offered."""
    return next(order for order in actions().options() if order.verb == verb)


SURPLUS: dict[str, Any] = {
    "units": (2,), "point": HOME, "number": 1, "target": 2, "words": "now", "unit": 2,
    "legs": (Leg(step="march", x=600.0, y=650.0, facing=0),) * 2,
}  # fmt: skip
VERBS = ("attack", "shoot", "move", "pivot", "wheel", "about face", "stop")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("field", SURPLUS)
def test_an_order_with_a_surplus_field_is_refused(verb: str, field: str) -> None:
    order = offered(verb)
    given = {field: SURPLUS[field]}
    if (verb, field) == ("wheel", "number"):
        given = {"number": 4}

    assert actions().refusal(order) is None
    assert actions().refusal(replace(order, **given)) is not None


@pytest.mark.parametrize("verb", ["move", "pivot", "wheel"])
@pytest.mark.parametrize(
    "change",
    [
        {"step": "form"}, {"formation": 1}, {"files": 5}, {"mode": "run"}, {"altitude": 1.0},
    ],
)  # fmt: skip
def test_a_leg_with_a_surplus_field_is_refused(verb: str, change: dict[str, Any]) -> None:
    order = offered(verb)
    (leg,) = order.legs

    assert actions().refusal(replace(order, legs=(replace(leg, **change),))) is not None


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "stop"])
def test_no_order_is_allowed_without_an_action_left(verb: str) -> None:
    order = offered(verb)

    for spent in (Activity(full=True, actions=2), Activity(full=True, actions=3)):
        refused = actions(spent).refusal(order)
        assert refused == Refusal("oathmark.action.two", "it has no action left")
    refused = actions(Activity(full=False, actions=1)).refusal(order)
    assert refused == Refusal("oathmark.action.two", "it has no action left")
    if verb != "attack":
        assert actions(Activity(full=False)).refusal(order) is None


@pytest.mark.rule("oathmark.action.shoot-once")
@pytest.mark.parametrize(
    ("activity", "may"),
    [
        (Activity(full=True), True), (Activity(full=True, actions=1), True),
        (Activity(full=True, actions=2), False), (Activity(full=False), True),
        (Activity(full=False, actions=1), False),
        (Activity(full=True, actions=1, shot=True), False),
    ],
)  # fmt: skip
def test_shooting_needs_an_action(activity: Activity, may: bool) -> None:
    assert may_shoot(activity, armed=True) is may
    assert not may_shoot(activity, armed=False)


@pytest.mark.parametrize(
    ("right", "ahead", "found"),
    [
        (0, 50, (BlockSide.FRONT, 50)), (0, -50, (BlockSide.REAR, 50)),
        (50, 0, (BlockSide.RIGHT, 50)), (-50, 0, (BlockSide.LEFT, 50)),
        (1, 50, None), (50, -1, None), (0, 0, None), (0, 0.5, (BlockSide.FRONT, 0.5)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("bearing", [0, 90, 217])
def test_straight_moves_have_one_of_four_directions(
    right: float, ahead: float, found: tuple[BlockSide, float] | None, bearing: int
) -> None:
    battle = table({**SOLDIER, "facing": bearing}, {**FOE, "officer": (0, 400)})
    own = Actions(battle, 0, FULL)
    block = own.walk(BlockSide.FRONT).start
    x, y = block.at(right, ahead)
    leg = Leg(step="march", x=x, y=y, facing=block.facing)

    way = own.straight(Order(verb="move", unit=0, legs=(leg,)))

    assert (way is None) is (found is None)
    if way is not None and found is not None:
        assert way[0] is found[0]
        assert way[1] == pytest.approx(found[1])


# Ground


@pytest.mark.rule("oathmark.manoeuvre.no-contact")
@pytest.mark.parametrize(
    ("north", "reason"),
    [(20, "it would end on impassable terrain or off the table"), (80, None)],
)
def test_a_manoeuvre_ends_on_no_impassable_ground(north: float, reason: str | None) -> None:
    # Turned to the east, the front of 125 mm reaches 62.5 mm to the north.
    battle = table(SOLDIER, {**FOE, "officer": (0, 400)}, terrain=[piece("rock", -5, north, 5, 90)])
    end = pivot(Actions(battle, 0, FULL).walk(BlockSide.FRONT).start, 90 * 64)

    refused = manoeuvre_refusal(battle, 0, end)

    assert (refused.reason if refused else None) == reason


def test_a_manoeuvre_ends_on_the_table() -> None:
    # The officer is 37.5 mm from the western edge: turned about, half of its front does not fit.
    battle = table({**SOLDIER, "facing": 90, "officer": (-560, 0)}, {**FOE, "officer": (0, 400)})
    end = pivot(Actions(battle, 0, FULL).walk(BlockSide.FRONT).start, 0)

    refused = manoeuvre_refusal(battle, 0, end)

    assert refused is not None
    assert refused.reason == "it would end on impassable terrain or off the table"


def strip(*terrain: dict[str, Any]) -> DeploymentStrip:
    """Return where the first unit may be deployed: ten figures, south."""
    battle: Battle = table(SOLDIER, {**FOE, "officer": (0, 400)}, terrain=terrain)
    return DeploymentStrip(battle, 0)


@pytest.mark.rule("oathmark.battle.table")
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (62.5, 50, None), (61.5, 50, "the position is not free"),
        (1219.2 - 62.5, 228.6, None), (1219.2 - 61.5, 228.6, "the position is not free"),
        (600, 49, "it is not within 9 inches of the south edge"),
        (600, 229.6, "it is not within 9 inches of the south edge"),
    ],
)  # fmt: skip
def test_a_unit_is_deployed_whole_on_the_table(x: float, y: float, reason: str | None) -> None:
    refused = strip().refusal(strip().to((x, y)))

    assert (refused.reason if refused else None) == reason


@pytest.mark.rule("oathmark.battle.table")
@pytest.mark.parametrize(("rock", "front"), [(None, 9 * INCH - 1), (195, 138.8), (100, 50.0)])
def test_places_farther_back_are_offered_if_the_foremost_are_taken(
    rock: float | None, front: float
) -> None:
    # Fronts at 227.6, 138.8 and 50 mm: from an inch-wide margin to the edge of the table.
    terrain = [] if rock is None else [piece("rock", -600, rock - 600, 620, -360)]

    orders = list(strip(*terrain).options())

    assert len(orders) == 9
    assert [order.legs[0].y for order in orders] == pytest.approx([front] * 9, abs=0.01)
    assert [order.legs[0].x for order in orders[:3]] == pytest.approx(
        [1219.2 * 11 / 24, 1219.2 * 13 / 24, 1219.2 * 9 / 24], abs=0.01
    )


@pytest.mark.rule("oathmark.battle.table")
@pytest.mark.parametrize("number", [0, 2])
def test_a_deployment_names_one_place(number: int) -> None:
    order = strip().to((600, 150))

    assert strip().refusal(order) is None
    refused = strip().refusal(replace(order, legs=order.legs * number))
    assert refused == Refusal("oathmark.battle.table", "a unit needs exactly one position")
    for field in ("units", "point", "number", "target", "words", "unit"):
        refused = strip().refusal(replace(order, **{field: SURPLUS[field]}))
        assert refused == Refusal("oathmark.battle.table", "another unit is being placed")
