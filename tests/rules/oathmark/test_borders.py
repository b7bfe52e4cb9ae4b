"""Borders of rules: contacts, tolerances, corners and directions, each from both sides."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest

from emlia3d.battle.decisions import Decision
from emlia3d.rules.oathmark.actions import Actions, act
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, block_at, blocks_of, dice_figures, ranks_now
from emlia3d.rules.oathmark.combat import can_be_pushed, flush, met_first, room_to_make
from emlia3d.rules.oathmark.core import (
    SLACK,
    TOUCH,
    BlockSide,
    Ranks,
    arc_of,
    is_within,
    keeps_distance,
    mm,
)
from emlia3d.rules.oathmark.melee import pushed
from emlia3d.rules.oathmark.movement import StraightMove
from emlia3d.rules.oathmark.pointing import way_to
from emlia3d.rules.oathmark.shooting import Aim, by_priority
from emlia3d.rules.oathmark.terrain import (
    ground_factor,
    is_sheltered,
    reaches_far_side,
    terrain_of,
)
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180}
FULL = Activity(full=True)


def test_lengths_that_differ_by_the_tolerance_are_equal() -> None:
    near, far = (Aim(row, BlockSide.FRONT, 100.0 + row * SLACK) for row in (0, 1))

    assert is_within(mm(6) + SLACK, 6)
    assert not is_within(mm(6) + 2 * SLACK, 6)
    assert keeps_distance(INCH - SLACK, 100.0)
    assert not keeps_distance(INCH - 2 * SLACK, 100.0)
    assert reaches_far_side(10.0 + SLACK, 10.0)
    assert not reaches_far_side(10.0 + 2 * SLACK, 10.0)
    assert can_be_pushed(INCH - SLACK)
    assert not can_be_pushed(INCH - 2 * SLACK)
    assert room_to_make(1.0 + SLACK, 1.0) == 0.0
    assert room_to_make(1.0 + 2 * SLACK, 1.0) == pytest.approx(INCH, abs=0.01)
    assert by_priority([near, far], free=False) == [near, far]
    assert met_first([(1.0, 0), (1.0 + TOUCH, 1), (1.2, 2)]) == [(1.0, 0), (1.0 + TOUCH, 1)]


@pytest.mark.rule("oathmark.terrain.rough")
def test_plain_ground_costs_its_length() -> None:
    assert ground_factor(rough=False) == 1


@pytest.mark.rule("oathmark.core.arcs")
@pytest.mark.parametrize("right", [-1, 1])
@pytest.mark.parametrize(
    ("x", "y", "side"),
    [
        # On the diagonal from a corner: the front or the rear, a millimetre beside it a flank.
        (72.5, 35, "front"), (73.5, 35, "flank"), (72.5, -35, "rear"), (73.5, -35, "flank"),
        (62.5, 25, "front"), (62.5, -25, "rear"), (62.5, 0, "flank"), (63, 0, "flank"),
        (38, 0.5, "front"), (39, 0.5, "flank"), (0, 25, "front"), (0, -25, "rear"),
    ],
)  # fmt: skip
def test_arcs_meet_on_the_diagonals(right: int, x: float, y: float, side: str) -> None:
    flank = BlockSide.LEFT if right * x < 0 else BlockSide.RIGHT
    sides = {"front": BlockSide.FRONT, "rear": BlockSide.REAR, "flank": flank}

    assert arc_of(right * x, y, 62.5, 25) is sides[side]


# Ranks


@pytest.mark.rule("oathmark.core.full-ranks")
def test_a_lone_figure_and_a_crew_are_one_complete_rank() -> None:
    captain = {"type": "oathmark/human-captain", "side": "Red", "members": 1}
    engine = {
        "type": "oathmark/human-light-catapult", "side": "Red", "members": 1, "base": [50, 50],
        "officer": (300, 0),
    }  # fmt: skip
    battle = table(captain, engine, {**SOLDIER, "members": 1, "officer": (0, 300)})

    assert [ranks_now(battle, unit) for unit in range(3)] == [Ranks(1, 1), Ranks(1, 1), Ranks(0, 1)]
    assert [dice_figures(battle, unit) for unit in (0, 2)] == [1, 1]
    assert dice_figures(battle, 1) == battle.state.units.integer("crew", 1) > 1


# Contact


@pytest.mark.rule("oathmark.combat.flush")
@pytest.mark.parametrize(
    ("x", "middle"), [(300, 125), (-300, -125), (0, 0), (40, 40), (-40, -40), (125, 125)]
)
@pytest.mark.parametrize("bearing", [0, 90, 205])
def test_a_block_beside_the_facing_is_set_corner_to_corner(
    x: float, middle: float, bearing: int
) -> None:
    # Both fronts are 125 mm; the attacker looks at the line of the defender's front.
    defender = Block(0, 0, bearing * 64, 10, 5, 25, 25)
    attacker = Block(*defender.at(x, 80), (bearing + 180) % 360 * 64, 10, 5, 25, 25)

    placed = flush(attacker, defender, BlockSide.FRONT)

    assert defender.offset((placed.x, placed.y)) == pytest.approx((middle, 0), abs=0.01)


@pytest.mark.rule("oathmark.combat.trigger")
def test_enemies_that_a_move_meets_are_listed_by_distance() -> None:
    battle = table(
        SOLDIER, {**FOE, "officer": (-64, 25 + 3 * INCH)}, {**FOE, "officer": (64, 25 + 2 * INCH)},
        {**FOE, "officer": (0, 25 + 9 * INCH)},
    )  # fmt: skip
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)

    assert [foe for _, foe in walk.contacts] == [2, 1]
    assert [far for far, _ in walk.contacts] == pytest.approx([2 * INCH, 3 * INCH], abs=0.01)
    assert [foe for foe, _, _ in Actions(battle, 0, FULL).attacks()] == [2]


@pytest.mark.rule("oathmark.combat.pushback-chain")
@pytest.mark.parametrize("bearing", [0, 90, 180, 270, 40])
def test_a_chain_is_pushed_alike_in_every_direction(bearing: int) -> None:
    east, north = sin(radians(bearing)), cos(radians(bearing))
    units = []
    for far, side in ((0, "Red"), (50, "Blue"), (100 + 2 * INCH, "Blue")):
        officer = (far * east, far * north)
        units.append({**SOLDIER, "side": side, "facing": bearing, "officer": officer})
    battle = table(*units)

    found = pushed(battle, 1, (east, north), 6 * INCH, (0,))

    assert found == {
        1: pytest.approx(6 * INCH, abs=0.01), 2: pytest.approx(5 * INCH, abs=0.02),
    }  # fmt: skip


@pytest.mark.rule("oathmark.combat.pushback-limit")
@pytest.mark.parametrize(("east", "north"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_an_edge_of_the_table_ends_a_push_in_every_direction(east: int, north: int) -> None:
    # The unit faces the edge; its front is 12.5 mm before its officer, and 3 inches from the edge.
    off = 609.6 - 12.5 - 3 * INCH
    bearing = {(1, 0): 90, (-1, 0): 270, (0, 1): 0, (0, -1): 180}[east, north]
    centre = 609.6 - HOME[0]
    place = (centre + east * off, centre + north * off)
    battle = table({**SOLDIER, "facing": bearing, "officer": place}, {**FOE, "officer": (0, 100)})

    found = pushed(battle, 0, (float(east), float(north)), 6 * INCH, ())

    assert found[0] == pytest.approx(3 * INCH, abs=0.02)


# Pointing


@pytest.mark.parametrize("bearing", [0, 90, 130])
@pytest.mark.parametrize(
    ("right", "ahead", "found"),
    [
        (10, 50, (BlockSide.FRONT, 50)), (49.9, 50, (BlockSide.FRONT, 50)),
        (51, 50, (BlockSide.RIGHT, 51)), (-51, 50, (BlockSide.LEFT, 51)),
        # The block is 50 mm deep: its rear is there.
        (10, -120, (BlockSide.REAR, 70)), (71, -120, (BlockSide.RIGHT, 71)),
        (-71, -120, (BlockSide.LEFT, 71)), (3, -25, (BlockSide.RIGHT, 3)),
        (-3, -25, (BlockSide.LEFT, 3)), (0, 5, (BlockSide.FRONT, 5)),
    ],
)  # fmt: skip
def test_a_place_is_approached_by_its_nearest_direction(
    right: float, ahead: float, found: tuple[BlockSide, float], bearing: int
) -> None:
    battle = table({**SOLDIER, "facing": bearing}, {**FOE, "officer": (0, 450)})
    place = block_at(battle.state, 0).at(right, ahead)

    way, far = way_to(Actions(battle, 0, FULL), place)

    assert way is found[0]
    assert far == pytest.approx(found[1], abs=0.01)


# Shelter


@pytest.mark.rule("oathmark.terrain.works")
@pytest.mark.parametrize("right", [-1, 1])
@pytest.mark.parametrize("ahead", [-1, 1])
@pytest.mark.parametrize(("gap", "near"), [(24.0, True), (25.4, True), (26.0, False)])
def test_shelter_is_measured_from_each_corner_of_the_base(
    right: int, ahead: int, gap: float, near: bool
) -> None:
    # A square of 10 mm to the side of the corner, level with it, and an enemy behind it.
    begins, ends = 12.5 + gap, 22.5 + gap
    west, east = sorted((right * begins, right * ends))
    south, north = sorted((ahead * 12.0, ahead * 40.0))
    battle = table(
        {**SOLDIER, "members": 1}, {**FOE, "officer": (0, 400)},
        terrain=[piece("wall", west, south, east, north)],
    )  # fmt: skip
    (wall,) = terrain_of(battle).of("wall")
    block = blocks_of(battle).of[0]
    enemy = (HOME[0] + right * 80, HOME[1] + ahead * 60)
    across = (HOME[0] - right * 80, HOME[1] - ahead * 60)

    assert is_sheltered(block, HOME, wall, enemy) is near
    assert not is_sheltered(block, HOME, wall, across)


@pytest.mark.rule("oathmark.terrain.works")
@pytest.mark.parametrize("right", [-1, 1])
@pytest.mark.parametrize("ahead", [-1, 1])
@pytest.mark.parametrize(("gap", "near"), [(17.9, True), (18.1, False)])
def test_shelter_reaches_an_inch_across_a_corner(
    right: int, ahead: int, gap: float, near: bool
) -> None:
    # 17.96 mm to the side and ahead are an inch.
    west, east = sorted((right * (12.5 + gap), right * (32.5 + gap)))
    south, north = sorted((ahead * (12.5 + gap), ahead * (32.5 + gap)))
    battle = table(
        {**SOLDIER, "members": 1}, {**FOE, "officer": (0, 400)},
        terrain=[piece("wall", west, south, east, north)],
    )  # fmt: skip
    (wall,) = terrain_of(battle).of("wall")
    enemy = (HOME[0] + right * 200, HOME[1] + ahead * 200)

    assert is_sheltered(blocks_of(battle).of[0], HOME, wall, enemy) is near


# Bases, and moves of nothing


@pytest.mark.parametrize("bearing", [0, 90])
def test_a_base_has_a_centre_and_four_corners_clockwise_from_the_right_of_its_front(
    bearing: int,
) -> None:
    block = Block(0, 0, bearing * 64, 1, 1, 20, 50)

    found = [block.offset((x, y)) for x, y in block.base_at(block.at(3, 7)).tolist()]

    corners = [(3, 7), (13, 32), (13, -18), (-7, -18), (-7, 32)]
    assert found == [pytest.approx(corner) for corner in corners]


@pytest.mark.rule("oathmark.core.separation")
@pytest.mark.parametrize("gap", [INCH, 10.0])
def test_a_unit_within_an_inch_of_an_enemy_goes_no_nearer(gap: float) -> None:
    battle = table(SOLDIER, {**FOE, "officer": (0, 25 + gap)})
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))

    assert walk.end(walk.reach) == pytest.approx(0.0, abs=0.01)
    assert walk.end(0.0) == 0.0


@pytest.mark.parametrize(
    ("full", "slug"), [(True, "oathmark.action.two"), (False, "oathmark.action.simple")]
)
def test_the_question_names_the_rule_that_limits_the_actions(full: bool, slug: str) -> None:
    battle = table(SOLDIER, {**FOE, "officer": (0, 450)})

    asked = next(act(battle, 0, Activity(full=full)))

    assert isinstance(asked, Decision)
    assert asked.asks == slug
