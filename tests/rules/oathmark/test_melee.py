"""Contact, flush placement, and who moves back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.geometry.footprints import edge_gaps
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, blocks_of
from emlia3d.rules.oathmark.combat import (
    BlockAttack,
    can_be_pushed,
    flush,
    met_first,
    room_to_make,
    ways_to_part,
    who_steps_back,
)
from emlia3d.rules.oathmark.core import TOUCH, BlockSide
from emlia3d.rules.oathmark.melee import after_combat, attacks, placement, pushed
from emlia3d.rules.oathmark.movement import StraightMove
from tests.rules.carrying import Outcome, carry
from tests.rules.oathmark.tables import INCH, SOLDIER, officer, piece, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 25)}
FULL = Activity(full=True)
NORTH = (0.0, 1.0)


def attack(*, over_works: bool = False) -> BlockAttack:
    """Return a frontal attack of the first unit on the second."""
    return BlockAttack(
        attacker=0, defender=1, struck=BlockSide.FRONT, moved=100.0, over_works=over_works
    )


def parted(battle: Battle, best: int | None, *answers: Any) -> Outcome:
    """Let two units in contact part."""
    return carry(battle, after_combat(battle, attack(), best, defender_failed=False), *answers)


def push(number: int) -> Any:
    """Return the answer to push an enemy back by a number of inches."""
    return lambda decision: next(o for o in decision.of("push back") if o.number == number)


@pytest.mark.rule("oathmark.combat.trigger")
def test_bases_that_meet_start_a_combat() -> None:
    assert met_first([(76.2, 3), (76.25, 5), (90.0, 4)]) == [(76.2, 3), (76.25, 5)]
    battle = table(SOLDIER, {**FOE, "officer": (0, 25 + 3 * INCH)})

    ((foe, distance, placed),) = attacks(battle, StraightMove(battle, 0, BlockSide.FRONT, FULL))

    assert foe == 1
    assert distance == pytest.approx(3 * INCH, abs=0.01)
    assert placed.at(0, 0) == pytest.approx((600, 612.5 + 3 * INCH), abs=0.05)


def test_of_two_enemies_met_together_the_player_chooses() -> None:
    ahead = 25 + 3 * INCH
    battle = table(SOLDIER, {**FOE, "officer": (-64, ahead)}, {**FOE, "officer": (64, ahead)})
    found = [*attacks(battle, StraightMove(battle, 0, BlockSide.FRONT, FULL))]

    assert [foe for foe, _, _ in found] == [1, 2]
    for foe, _, placed in found:
        gaps = blocks_of(battle).gaps(placed)
        assert gaps[foe] <= TOUCH
        assert gaps[3 - foe] > TOUCH


@pytest.mark.rule("oathmark.combat.flush")
def test_an_attacker_is_set_flush_to_the_facing_that_it_struck() -> None:
    battle = table({**SOLDIER, "facing": 20}, {**FOE, "officer": (60, 140)})

    ((_, _, placed),) = attacks(battle, StraightMove(battle, 0, BlockSide.FRONT, FULL))
    defender = blocks_of(battle).of[1]

    assert (placed.facing - defender.facing) % FULL_CIRCLE == FULL_CIRCLE // 2
    assert blocks_of(battle).gaps(placed)[1] <= TOUCH


@given(
    st.integers(0, FULL_CIRCLE - 1),
    st.integers(-44 * 64, 44 * 64),
    st.floats(-100, 100),
    st.sampled_from([BlockSide.FRONT, BlockSide.LEFT, BlockSide.RIGHT, BlockSide.REAR]),
)
def test_flush_is_flush_from_any_direction(
    facing: int, turned: int, across: float, side: BlockSide
) -> None:
    defender = Block(0, 0, facing, 12, 5, 25, 25)
    (x, y), _ = defender.line_of(side)
    towards = (defender.facing_of(side) + FULL_CIRCLE // 2 + turned) % FULL_CIRCLE
    attacker = Block(x, y, towards, 15, 5, 25, 25)
    attacker = attacker.shifted(-300 * attacker.ahead[0] + across, -300 * attacker.ahead[1])

    placed = flush(attacker, defender, side)

    assert placed.facing == (defender.facing_of(side) + FULL_CIRCLE // 2) % FULL_CIRCLE
    assert abs(defender.offset(placed.at(0, 0))[0]) < 1000
    outline = Block(defender.x, defender.y, facing, 15, 5, 25, 25)
    assert edge_gaps(placed.footprints, outline.footprints).min() <= TOUCH


def test_an_attacker_slides_along_only_as_far_as_it_must() -> None:
    # A friend stands 10 mm beyond the place at which the attacker would come.
    friend = {**SOLDIER, "officer": (115, 60)}
    battle = table(SOLDIER, {**FOE, "officer": (0, 100)}, friend)
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)
    placed = placement(battle, 0, 1, walk.at(75.0), BlockSide.FRONT)

    assert placed is not None
    assert placed.at(0, 0)[0] == pytest.approx(600 - 10, abs=0.1)
    assert blocks_of(battle).gaps(placed, inner=True)[2] > 0


# Pushback


@pytest.mark.rule("oathmark.combat.pushback")
@pytest.mark.parametrize("inches", [1, 6])
def test_the_winner_pushes_the_enemy_back(inches: int) -> None:
    assert ways_to_part(free=True) == (6, 1, 0)
    battle = table(SOLDIER, FOE)

    parted(battle, 0, push(inches))

    assert officer(battle, 1)[1] == pytest.approx(25 + inches * INCH, abs=0.06)
    assert officer(battle, 0) == (0, 0)


def test_the_winner_may_withdraw() -> None:
    battle = table(SOLDIER, FOE)

    parted(battle, 0, "withdraw")

    assert officer(battle, 0)[1] == pytest.approx(-25.4, abs=0.06)
    assert officer(battle, 1) == (0, 25)


def test_a_defender_that_wins_pushes_the_attacker_back() -> None:
    battle = table(SOLDIER, FOE)

    parted(battle, 1, push(6))

    assert officer(battle, 0)[1] == pytest.approx(-6 * INCH, abs=0.06)


@pytest.mark.rule("oathmark.combat.pushback-limit")
def test_the_edge_of_the_table_ends_a_push() -> None:
    assert can_be_pushed(INCH)
    assert not can_be_pushed(INCH - 0.1)
    # The rear of the enemy is 37.5 mm behind its officer, and 4 inches from the edge.
    edge = 619.2 - 37.5 - 4 * INCH
    battle = table({**SOLDIER, "officer": (0, edge - 25)}, {**FOE, "officer": (0, edge)})

    parted(battle, 0, push(6))

    assert officer(battle, 1)[1] == pytest.approx(edge + 4 * INCH, abs=0.06)


def test_a_winner_steps_back_from_an_enemy_that_cannot_be_pushed() -> None:
    rock = piece("rock", -20, 25 + 37.5 + 20, 20, 120)
    battle = table(SOLDIER, FOE, terrain=[rock])

    done = parted(battle, 0, "withdraw")

    assert [order.verb for order in done.asked[0].options] == ["withdraw"]
    assert officer(battle, 0)[1] == pytest.approx(-25.4, abs=0.06)


@pytest.mark.rule("oathmark.combat.pushback-chain")
def test_a_friend_behind_makes_room() -> None:
    assert room_to_make(6 * INCH, 2 * INCH) == pytest.approx(5 * INCH)
    assert room_to_make(1 * INCH, 2 * INCH) == 0
    behind = 25 + 50 + 2 * INCH
    battle = table(SOLDIER, FOE, {**FOE, "officer": (0, behind)})

    done = parted(battle, 0, push(6))

    assert officer(battle, 1)[1] == pytest.approx(25 + 6 * INCH, abs=0.06)
    assert officer(battle, 2)[1] == pytest.approx(behind + 5 * INCH, abs=0.06)
    assert [event.unit for event in done.named("pushed back")] == [1, 2]


def test_a_chain_is_shortened_by_an_obstacle_at_its_end() -> None:
    behind = 25 + 50 + 2 * INCH
    rock = piece("rock", -20, behind + 37.5 + 2 * INCH, 20, 400)
    battle = table(SOLDIER, FOE, {**FOE, "officer": (0, behind)}, terrain=[rock])

    found = pushed(battle, 1, NORTH, 6 * INCH, (0,))

    # Two inches for the last, and so 2 + 2 - 1 for the first.
    assert found[2] == pytest.approx(2 * INCH, abs=0.02)
    assert found[1] == pytest.approx(3 * INCH, abs=0.02)


@given(st.lists(st.tuples(st.floats(-80, 80), st.floats(1, 120)), min_size=1, max_size=3))
def test_a_push_leaves_an_inch_between_the_units_that_it_moves(
    others: list[tuple[float, float]],
) -> None:
    units, y = [SOLDIER, FOE], 25.0
    for across, gap in others:
        y += 50 + gap
        units.append({**FOE, "officer": (across, y)})
    battle = table(*units)
    found = pushed(battle, 1, NORTH, 6 * INCH, (0,))
    blocks = blocks_of(battle)
    moved = {row: blocks.of[row].shifted(0, far) for row, far in found.items()}

    assert found[1] == pytest.approx(6 * INCH)
    for one, other in pairwise(sorted(moved, key=lambda row: moved[row].y)):
        overlap = abs(moved[one].x - moved[other].x) < 125 - 0.1
        gap = edge_gaps(moved[one].footprints, moved[other].footprints).min()
        assert not overlap or gap >= INCH - 0.05


@pytest.mark.rule("oathmark.combat.tie")
def test_after_a_tie_both_step_back() -> None:
    assert who_steps_back(attack()) == (0, 1)
    battle = table(SOLDIER, FOE)

    parted(battle, None)

    assert blocks_of(battle).gap(0, 1) == pytest.approx(2 * INCH, abs=0.02)
    assert officer(battle, 0)[1] == pytest.approx(-25.4, abs=0.06)
