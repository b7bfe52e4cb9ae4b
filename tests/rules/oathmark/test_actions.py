"""Which actions are offered and allowed, and what their events say."""

from __future__ import annotations

from math import atan2, degrees
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import LazyOptions, Leg, Order
from emlia3d.rules.oathmark.actions import TURNS, Actions, act
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.core import SLACK, BlockSide
from emlia3d.rules.oathmark.movement import pivot, wheel
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, officer, piece, put, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 500)}
CAVALRY: dict[str, Any] = {
    "type": "oathmark/human-cavalry", "side": "Red", "members": 5, "width": 25, "depth": 50,
}  # fmt: skip
ENGINE: dict[str, Any] = {
    **SOLDIER, "members": 1, "base": [50, 50], "abilities": {"artillery": 1, "crew": 3},
}  # fmt: skip
FULL, SIMPLE = Activity(full=True), Activity(full=False)


def actions(*units: Any, activity: Activity = FULL, **other: Any) -> Actions:
    """Return the actions of the first unit."""
    return Actions(table(*units, **other), 0, activity)


def ends(found: Actions) -> list[tuple[float, float]]:
    """Return how far to the right and ahead each move leads that is offered."""
    block = found.walk(BlockSide.FRONT).start
    return [
        block.offset((order.legs[0].x, order.legs[0].y))
        for order in found.options()
        if order.verb == "move"
    ]


# Offers


@pytest.mark.rule("oathmark.move.half")
@pytest.mark.parametrize("bearing", [0, 90, 205])
def test_moves_are_offered_whole_in_each_direction_and_half_ahead(bearing: int) -> None:
    found = ends(actions({**SOLDIER, "facing": bearing}, FOE))

    whole, half = 152.4, 76.2
    assert [(round(right, 2) + 0.0, round(ahead, 2) + 0.0) for right, ahead in found] == [
        (0, whole), (0, half), (-half, 0), (half, 0), (0, -half),
    ]  # fmt: skip


@pytest.mark.parametrize(("gap", "offered"), [(2.5, False), (3.0, False), (3.5, True), (5.0, True)])
def test_moves_of_less_than_three_millimetres_are_not_offered(gap: float, offered: bool) -> None:
    # A river before the front; half of the way to it is too short to be offered.
    river = piece("river", -300, 12.5 + gap, 300, 60)

    found = [ahead for _, ahead in ends(actions(SOLDIER, FOE, terrain=[river])) if ahead > 0]

    assert found == ([pytest.approx(gap, abs=0.01)] if offered else [])


@pytest.mark.rule("oathmark.manoeuvre.pivot")
def test_pivots_lead_to_the_two_nearest_enemies_and_by_eighths() -> None:
    spots = [(-200, 250), (300, 250), (-400, -400)]
    enemies = [{**FOE, "members": 1, "officer": spot} for spot in spots]
    found = actions(SOLDIER, *enemies).options()
    assert isinstance(found, LazyOptions)

    turns = [*found.of_kind(TURNS)]

    towards = [degrees(atan2(x, y)) % 360 for x, y in spots[:2]]
    pivots = [order.legs[0].facing / 64 for order in turns if order.verb == "pivot"]
    assert pivots[:2] == pytest.approx(towards, abs=0.02)
    assert sorted(pivots[2:]) == [45, 90, 270, 315]
    wheels = [(o.number, o.legs[0].facing / 64) for o in turns if o.verb == "wheel"]
    assert sorted(wheels) == [(corner, way) for corner in range(4) for way in (45.0, 315.0)]
    assert {order.verb for order in turns} == {"about face", "pivot", "wheel"}


def test_a_facing_that_the_unit_has_is_no_pivot() -> None:
    found = actions(SOLDIER, {**FOE, "members": 1})

    pivots = [order.legs[0].facing for order in found.options() if order.verb == "pivot"]

    assert 0 not in pivots
    assert len(pivots) == 4


# Orders that are allowed


@pytest.mark.parametrize(
    ("right", "ahead", "found"),
    [
        # Both in thousandths of a millimetre.
        (1.5, 5e4, BlockSide.FRONT), (2.5, 5e4, None), (5e4, 1.5, BlockSide.RIGHT),
        (5e4, -2.5, None), (-5e4, -1.5, BlockSide.LEFT), (0, 1.5, None),
        (0, 2.5, BlockSide.FRONT), (0, -2.5, BlockSide.REAR), (2.5, 0, BlockSide.RIGHT),
        (-2.5, 0, BlockSide.LEFT), (-1.5, 0, None),
    ],
)  # fmt: skip
def test_a_move_is_straight_within_the_tolerance(
    right: float, ahead: float, found: BlockSide | None
) -> None:
    own = actions(SOLDIER, FOE)
    right, ahead = right * SLACK, ahead * SLACK
    leg = Leg(step="march", x=HOME[0] + right, y=HOME[1] + 12.5 + ahead, facing=0)

    way = own.straight(Order(verb="move", unit=0, legs=(leg,)))

    assert (None if way is None else way[0]) is found
    assert way is None or way[1] == pytest.approx(max(abs(right), abs(ahead)))


def test_a_manoeuvre_has_the_verb_and_the_corner_of_its_place() -> None:
    own = actions(SOLDIER, FOE)
    block = own.walk(BlockSide.FRONT).start

    def allowed(verb: str, step: Any, number: int | None, end: Block) -> bool:
        leg = Leg(step=step, x=end.x, y=end.y, facing=end.facing)
        order = Order(verb=verb, unit=0, number=number, legs=(leg,))
        return own.refusal(order) is None

    turned = pivot(block, 64 * 30)
    assert allowed("pivot", "turn", None, turned)
    assert not allowed("wheel", "wheel", None, turned)
    assert not allowed("wheel", "turn", None, turned)
    for corner in range(4):
        wheeled = wheel(block, corner, 64 * 30)
        assert allowed("wheel", "wheel", corner, wheeled)
        assert not allowed("pivot", "turn", corner, wheeled)
        assert not allowed("pivot", "wheel", corner, wheeled)
        assert not allowed("wheel", "wheel", (corner + 1) % 4, wheeled)
        assert not allowed("wheel", "wheel", -1, wheeled)


# What happens


def told(battle: Battle, *answers: Any, activity: Activity = FULL, dice: Any = ()) -> list[Any]:
    """Return the events of an activation: name, facts and rules."""
    done = carry(battle, act(battle, 0, activity), *answers, dice=dice)
    return [(event.name, *event.facts.values().values(), event.because) for event in done.events]


@pytest.mark.parametrize(
    ("right", "ahead", "how", "slug"),
    [
        (0, 70, "forward", "forward"), (0, -70, "back", "half"), (-70, 0, "left", "half"),
        (70, 0, "right", "half"),
    ],
)  # fmt: skip
def test_a_move_tells_its_direction_and_length(
    right: float, ahead: float, how: str, slug: str
) -> None:
    battle = table(SOLDIER, FOE)
    leg = Leg(step="march", x=HOME[0] + right, y=HOME[1] + 12.5 + ahead, facing=0)
    order = Order(verb="move", unit=0, legs=(leg,))

    found = told(battle, order, activity=SIMPLE)

    # 70 mm are 2.756 inches.
    because = (f"oathmark.move.{slug}", "oathmark.terrain.track")
    assert found == [("moved", how, 2.76, because)]
    assert officer(battle, 0) == (right, ahead)


@pytest.mark.parametrize(
    ("verb", "how", "slug"),
    [
        ("pivot", "pivots", "pivot"), ("wheel", "wheels", "wheel"),
        ("about face", "faces about", "about-face"),
    ],
)  # fmt: skip
def test_a_manoeuvre_tells_its_kind(verb: str, how: str, slug: str) -> None:
    found = told(table(SOLDIER, FOE), verb, activity=SIMPLE)

    assert found == [("turned", how, (f"oathmark.manoeuvre.{slug}",))]


@pytest.mark.rule("oathmark.terrain.woods-morale")
@pytest.mark.parametrize(
    ("unit", "disordered", "modifier"),
    [(CAVALRY, 0, 0), (CAVALRY, 1, -1), (ENGINE, 0, 0), (ENGINE, 1, -1)],
)
def test_cavalry_and_artillery_test_at_the_edge(
    unit: dict[str, Any], disordered: int, modifier: int
) -> None:
    battle = table(unit, FOE, terrain=[piece("forest", -200, INCH, 200, 400)])
    put(battle, 0, disordered=disordered)

    found = told(battle, "move", activity=SIMPLE, dice=[10, 1])

    assert [name for name, *_ in found] == ["moved", "morale tested", "moved"]
    _, cause, faces, figure, result, because = found[1]
    assert (cause, faces, figure, result) == ("woods", (10, 1), modifier, "passes")
    minus = ("oathmark.morale.disordered-minus",) if disordered else ()
    assert because == ("oathmark.terrain.woods-morale", *minus)


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_a_unit_at_the_edge_of_woods_tests_where_it_stands() -> None:
    battle = table(CAVALRY, FOE, terrain=[piece("forest", -200, 0, 200, 400)])

    found = told(battle, "move", activity=SIMPLE, dice=[10, 1])

    # 8 inches in woods are 4.
    assert [(name, *facts[1:2]) for name, *facts in found] == [
        ("morale tested", (10, 1)), ("moved", 4.0),
    ]  # fmt: skip


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_a_second_wood_in_an_activation_needs_no_second_test() -> None:
    # Costs of 8 inches: 2 clear, 2 in the wood, 2 clear; then half: 4, of which the next wood.
    woods = [piece("forest", -200, far * INCH, 200, (far + 2) * INCH) for far in (2, 7)]
    battle = table(CAVALRY, FOE, terrain=woods)

    found = told(battle, "move", "move", dice=[10, 1])

    assert [name for name, *_ in found] == ["moved", "morale tested", "moved", "moved"]
    assert officer(battle, 0)[1] > 7.5 * INCH


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_a_move_that_ends_at_the_edge_of_woods_needs_no_test() -> None:
    leg = Leg(step="march", x=HOME[0], y=HOME[1] + 25 + 50, facing=0)
    battle = table(CAVALRY, FOE, terrain=[piece("forest", -200, 50, 200, 400)])

    found = told(battle, Order(verb="move", unit=0, legs=(leg,)), activity=SIMPLE)

    assert [name for name, *_ in found] == ["moved"]


def test_a_unit_that_breaks_on_its_way_does_not_move_on() -> None:
    battle = table(CAVALRY, FOE, terrain=[piece("forest", -200, INCH, 200, 400)])
    put(battle, 0, disordered=1)

    found = told(battle, "move", dice=[1, 1])

    assert [name for name, *_ in found] == ["moved", "morale tested", "broken"]


def test_a_unit_that_breaks_on_its_way_does_not_attack() -> None:
    near = {**FOE, "officer": (0, 5 * INCH)}
    battle = table(CAVALRY, near, terrain=[piece("forest", -200, INCH, 200, 400)])
    put(battle, 0, disordered=1)

    found = told(battle, "attack", dice=[1, 1])

    assert [name for name, *_ in found] == ["moved", "morale tested", "broken"]


def test_the_order_names_which_of_two_enemies_is_attacked_or_shot_at() -> None:
    ranger = {"type": "oathmark/human-ranger", "side": "Red", "members": 10}
    foes = [{**FOE, "officer": (x, 25 + 3 * INCH)} for x in (-64, 64)]
    for verb in ("attack", "shoot"):
        for target in (1, 2):
            battle = table(ranger, *foes)
            order = Order(verb=verb, unit=0, target=target)
            done = carry(
                battle, act(battle, 0, FULL), order, *(["stop"] if verb == "shoot" else []),
                dice=[1] * (5 if verb == "shoot" else 10),
            )  # fmt: skip
            assert done.events[0].target == target
