"""Straight moves and manoeuvres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from emlia3d.battle.decisions import Order
from emlia3d.rules.oathmark.actions import Actions, turn_order
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.movement import (
    StraightMove,
    about_face,
    after_manoeuvre,
    allowance,
    corners,
    forward,
    limited,
    manoeuvre_refusal,
    pivot,
    turns,
    wheel,
)
from tests.rules.oathmark.tables import INCH, SOLDIER, officer, table

QUARTER = 90 * 64
FULL = Activity(full=True)
BLOCK = Block(0, 12.5, 0, 10, 5, 25, 25)
"""Ten figures in two ranks that face north; the officer is at (0, 0)."""

FOE = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}


def far(
    *units: Mapping[str, object], way: BlockSide = BlockSide.FRONT, activity: Activity = FULL
) -> float:
    """Return how far the first unit goes in a direction, inches."""
    walk = StraightMove(table(*units, FOE), 0, way, activity)
    return walk.end(walk.reach) / INCH


@pytest.mark.rule("oathmark.move.forward")
def test_a_unit_moves_straight_ahead_by_its_move() -> None:
    assert forward(6) == pytest.approx(152.4)
    battle = table({**SOLDIER, "facing": 90}, FOE)
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)
    end = walk.at(walk.end(walk.reach))

    assert end.officer == pytest.approx((600 + 152.4, 600), abs=0.01)
    assert walk.refusal(152.4) is None
    refused = walk.refusal(152.5)
    assert refused is not None
    assert refused.slug == "oathmark.move.forward"


@pytest.mark.rule("oathmark.move.half")
@pytest.mark.parametrize("way", [BlockSide.LEFT, BlockSide.RIGHT, BlockSide.REAR])
def test_moves_to_the_side_and_back_are_half_as_long(way: BlockSide) -> None:
    assert allowance(5, way) == pytest.approx(2.5 * INCH)
    assert far({**SOLDIER, "move": 5}, way=way) == pytest.approx(2.5, abs=0.001)


def test_there_are_no_diagonal_moves() -> None:
    battle = table(SOLDIER, FOE)
    actions = Actions(battle, 0, FULL)
    order = actions.move(actions.walk(BlockSide.FRONT), 50.0)
    (leg,) = order.legs
    diagonal = Order(
        verb="move",
        unit=0,
        legs=(leg.__class__(step="march", x=leg.x + 10, y=leg.y, facing=leg.facing),),
    )

    assert actions.refusal(order) is None
    refused = actions.refusal(diagonal)
    assert refused is not None
    assert refused.slug == "oathmark.move.half"


@pytest.mark.rule("oathmark.move.second-half")
def test_the_second_move_is_halved_in_its_direction() -> None:
    assert limited(152.4, 0) == 152.4
    after = FULL.after_move()
    assert far(SOLDIER, activity=after) == pytest.approx(3, abs=0.001)
    assert far(SOLDIER, way=BlockSide.REAR, activity=after) == pytest.approx(1.5, abs=0.001)
    assert far({**SOLDIER, "move": 5}, activity=after) == pytest.approx(2.5, abs=0.001)


def test_friends_and_the_edge_of_the_table_end_a_move() -> None:
    friend = {**SOLDIER, "officer": (100, 4 * INCH + 25)}

    assert far(SOLDIER, friend) == pytest.approx(4 - 25 / INCH, abs=0.001)
    assert far({**SOLDIER, "officer": (0, -560)}, way=BlockSide.REAR) == pytest.approx(
        2.5 / INCH, abs=0.001
    )


# Manoeuvres


@pytest.mark.rule("oathmark.manoeuvre.not-a-move")
def test_a_manoeuvre_does_not_halve_the_move_after_it() -> None:
    after = after_manoeuvre(FULL)

    assert after.actions == 1
    assert far(SOLDIER, activity=after) == pytest.approx(6, abs=0.001)
    assert after.moves == 0


@pytest.mark.rule("oathmark.manoeuvre.pivot")
def test_a_pivot_turns_the_unit_about_its_officer() -> None:
    turned = pivot(BLOCK, QUARTER)

    assert BLOCK.officer == pytest.approx((0, 0))
    assert turned.officer == pytest.approx((0, 0))
    assert BLOCK.place_of(0, 0) == pytest.approx((-50, 0))
    assert turned.place_of(0, 0) == pytest.approx((0, 50))
    assert turned.place_of(0, 4) == pytest.approx((0, -50))
    assert turned.place_of(1, 2) == pytest.approx((-25, 0))


@pytest.mark.rule("oathmark.manoeuvre.wheel")
def test_a_wheel_turns_the_unit_about_an_end_figure() -> None:
    turned = wheel(BLOCK, 1, QUARTER)

    assert turned.place_of(0, 4) == pytest.approx((50, 0))
    assert turned.place_of(0, 0) == pytest.approx((50, 100))
    assert turned.place_of(1, 4) == pytest.approx((25, 0))


def test_a_unit_wheels_on_the_ends_of_its_first_and_last_rank() -> None:
    twelve = Block(0, 12.5, 0, 12, 5, 25, 25)

    assert corners(twelve) == ((0, 0), (0, 4), (2, 1), (2, 2))
    for corner, place in enumerate(corners(twelve)):
        turned = wheel(twelve, corner, 30 * 64)
        assert turned.place_of(*place) == pytest.approx(twelve.place_of(*place), abs=0.002)


@pytest.mark.rule("oathmark.manoeuvre.about-face")
def test_about_face_keeps_the_outline_and_turns_the_ranks() -> None:
    twelve = Block(0, 12.5, 30 * 64, 12, 5, 25, 25)
    turned = about_face(twelve)

    assert turned.facing == 210 * 64
    assert turned.centre == pytest.approx(twelve.centre, abs=0.002)
    assert [rank for rank, _ in turned.places].count(2) == 2
    assert turned.at(0, 0) == pytest.approx(twelve.at(0, -75), abs=0.002)


@pytest.mark.rule("oathmark.manoeuvre.no-contact")
def test_a_manoeuvre_that_meets_an_enemy_is_refused() -> None:
    # The enemy is 2 inches ahead of the front: turned, the front reaches 50 mm farther.
    foe = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 25 + 2 * INCH)}
    battle = table({**SOLDIER, "members": 20}, foe)
    actions = Actions(battle, 0, FULL)
    block = actions.walk(BlockSide.FRONT).start

    for facing, allowed in ((QUARTER, False), (20 * 64, True)):
        end = pivot(block, facing)
        assert (manoeuvre_refusal(battle, 0, end) is None) is allowed
        refused = actions.refusal(turn_order(0, "pivot", None, end))
        slug = None if refused is None else refused.slug
        assert slug == (None if allowed else "oathmark.manoeuvre.no-contact")
    assert officer(battle, 0) == (0, 0)


def test_a_manoeuvre_may_end_on_no_friend_and_not_off_the_table() -> None:
    friend = {**SOLDIER, "officer": (0, -70)}
    battle = table(SOLDIER, friend, FOE, {**SOLDIER, "officer": (-537, 0)})

    assert manoeuvre_refusal(
        battle, 0, pivot(StraightMove(battle, 0, BlockSide.FRONT, FULL).start, QUARTER)
    )
    edge = StraightMove(battle, 3, BlockSide.FRONT, FULL).start
    assert manoeuvre_refusal(battle, 3, wheel(edge, 0, -QUARTER // 2))


@pytest.mark.parametrize(("count", "wheels"), [(10, 4), (6, 4), (5, 2), (1, 2)])
def test_a_block_wheels_about_each_corner(count: int, wheels: int) -> None:
    """A single rank has two corners, as its rear ones are its front ones."""
    block = replace(BLOCK, count=count)
    done = list(turns(block, []))

    assert [verb for verb, _, _ in done].count("about face") == 1
    assert sorted({corner for verb, corner, _ in done if verb == "wheel"}) == [*range(wheels)]
    assert [verb for verb, _, _ in done].count("pivot") == 4
