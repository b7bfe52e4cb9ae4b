"""Blocks as rectangles: their bases, lines and gaps, and what a straight move meets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, translate

from emlia3d.battle.changes import Stand
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.force.formation import GRID
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, blocks_of, has_room, last_rank
from emlia3d.rules.oathmark.core import SLACK, BlockSide
from emlia3d.rules.oathmark.melee import attacks
from emlia3d.rules.oathmark.movement import StraightMove, stretches_on
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180}
FULL = Activity(full=True)

blocks = st.builds(
    Block,
    x=st.floats(-500, 500), y=st.floats(-500, 500), facing=st.integers(0, FULL_CIRCLE - 1),
    count=st.integers(1, 20), files=st.sampled_from([1, 3, 5]),
    width=st.sampled_from([25.0, 50.0]), depth=st.sampled_from([20.0, 25.0, 75.0]),
)  # fmt: skip


@given(blocks)
def test_the_rectangles_of_a_block_are_its_bases(block: Block) -> None:
    parts = [Polygon(corners) for corners in block.footprints.corners()]

    assert sum(part.area for part in parts) == pytest.approx(
        block.count * block.width * block.depth
    )
    for place in block.places:
        base = Polygon(block.base_at(block.place_of(*place))[1:])
        assert any(part.buffer(1e-3).contains(base) for part in parts)
    # Hairs of the four sides: 4 of the grid's steps each.
    inner = [Polygon(corners) for corners in block.inner.corners()]
    for part, smaller in zip(parts, inner, strict=True):
        assert part.exterior.distance(smaller) == pytest.approx(4 / GRID, abs=1e-6)
        assert part.contains(smaller)
    # The last column is the distance around each rectangle that belongs to it.
    plain, wide, inner_columns = (
        each.columns for each in (block.footprints, block.widened(7.5), block.inner)
    )
    assert wide[:, :6] == pytest.approx(plain[:, :6])
    assert [{*columns[:, 6]} for columns in (plain, wide, inner_columns)] == [{0}, {7.5}, {0}]


@given(blocks, st.sampled_from(BlockSide), st.floats(-200, 200), st.floats(0.01, 200))
def test_places_before_and_behind_the_line_of_a_facing(
    block: Block, side: BlockSide, along: float, away: float
) -> None:
    (x, y), _ = block.line_of(side)
    line = Block(x, y, block.facing_of(side), 1, 1, 1, 1)

    assert block.is_outside(line.at(along, away), side)
    assert not block.is_outside(line.at(along, -away), side)


def test_a_place_on_the_line_of_a_facing_is_not_outside() -> None:
    block = Block(0, 0, 0, 10, 5, 25, 25)

    assert not block.is_outside((5, 0), BlockSide.FRONT)
    assert not block.is_outside((62.5, -10), BlockSide.RIGHT)
    assert block.is_outside((5, 0.5), BlockSide.FRONT)


@pytest.mark.rule("oathmark.core.block")
@pytest.mark.parametrize("files", [3, 5])
def test_a_last_rank_is_moved_if_it_stands_between_two_files(files: int) -> None:
    for count in range(1, 21):
        block = Block(100, 200, 64 * 30, count, files, 25, 25)
        figures = [*range(40, 40 + count)]
        rest = count % files

        changes = last_rank(0, block, figures)

        between = count > files and rest > 0 and (files - rest) % 2 == 1
        assert bool(changes) is between, count
        if between:
            (stand,) = changes
            assert isinstance(stand, Stand)
            assert [*stand.figures] == figures[-rest:]
            rank = count // files
            spots = [block.place_of(*place) for place in block.places if place[0] == rank]
            found = np.array([stand.east, stand.north]).T / GRID
            assert found == pytest.approx(np.array(spots), abs=1 / GRID)


# What a move meets


@settings(max_examples=30)
@given(
    st.integers(0, FULL_CIRCLE - 1), st.integers(1, 12), st.floats(-150, 150), st.floats(-20, 300),
    st.floats(2, 80), st.floats(2, 80),
)  # fmt: skip
def test_stretches_on_a_shape_are_those_of_each_base_moved_there(
    facing: int, count: int, right: float, ahead: float, wide: float, deep: float
) -> None:
    block = Block(40, -30, facing, count, 5, 25, 25)
    shape = translate(box(right, ahead, right + wide, ahead + deep), block.x, block.y)
    shape = rotate(shape, -facing / 64, origin=(block.x, block.y))

    found = stretches_on(block, facing, [shape])

    for step in range(-40, 360, 19):
        end = Block(*block.at(0, step), facing, count, 5, 25, 25)
        moved = MultiPolygon([Polygon(corners) for corners in end.footprints.corners()])
        inside = any(begins < step < ends for begins, ends in found)
        if inside:
            assert moved.distance(shape) == 0, step
        else:
            assert not any(part.buffer(-0.01).intersects(shape) for part in moved.geoms), step


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        # The block is 125 mm wide and 50 deep, its front on the line 0.
        ((0, 100, 10, 120), [(100, 170)]), ((0, -200, 10, -190), [(-200, -140)]),
        ((62.5, 100, 80, 120), []), ((-80, 100, -62.5, 120), []),
        ((62.5 - SLACK / 2, 100, 80, 120), []), ((62.5 - 2 * SLACK, 100, 80, 120), [(100, 170)]),
        ((-80, 100, -62.5 + SLACK / 2, 120), []),
        ((-80, 100, -62.5 + 2 * SLACK, 120), [(100, 170)]),
    ],
)  # fmt: skip
def test_a_shape_beside_the_way_is_in_no_stretch(
    edges: tuple[float, float, float, float], found: list[tuple[float, float]]
) -> None:
    block = Block(0, 0, 0, 10, 5, 25, 25)

    assert stretches_on(block, 0, [box(*edges)]) == [pytest.approx(each) for each in found]
    assert stretches_on(block, 0, []) == []


@pytest.mark.rule("oathmark.combat.trigger")
@pytest.mark.parametrize(("inches", "met"), [(4.99, True), (5.0, True), (5.01, False)])
def test_an_enemy_at_the_very_end_of_a_move_is_met(inches: float, met: bool) -> None:
    battle = table({**SOLDIER, "move": 5}, {**FOE, "officer": (0, 25 + inches * INCH)})

    found = [*attacks(battle, StraightMove(battle, 0, BlockSide.FRONT, FULL))]

    assert [foe for foe, _, _ in found] == ([1] if met else [])


def test_of_two_units_met_together_the_one_at_the_front_is_named() -> None:
    # To its right, the complete ranks meet one unit and the last rank another, both after 30 mm.
    # The two figures of the last rank end 12.5 mm to the right.
    lone = {**FOE, "members": 1}
    battle = table(
        {**SOLDIER, "members": 12}, {**lone, "officer": (0, 400)},
        {**lone, "officer": (62.5 + 30 + 12.5, 0)},
    )  # fmt: skip
    x, y = HOME
    beside = Block(x + 12.5 + 30 + 12.5, y - 51, 0, 1, 5, 25, 25)
    every = blocks_of(battle).with_block(1, beside)

    assert every.travel(every.of[0], (100.0, 0.0), [0]) == (pytest.approx(30.0), 2)
    assert every.travel(every.of[0], (100.0, 0.0), [0, 2]) == (pytest.approx(30.0), 1)
    assert every.travel(every.of[0], (100.0, 0.0), [0, 1, 2]) == (pytest.approx(100.0), None)
    assert every.travel(every.of[0], (100.0, 0.0), [0, 1], margin=10.0)[0] == pytest.approx(20.0)


@pytest.mark.rule("oathmark.core.separation")
@pytest.mark.parametrize(
    ("east", "free"), [(0, True), (34, True), (35, False), (-34, True), (-35, False)]
)
def test_room_is_kept_from_every_enemy(east: float, free: bool) -> None:
    # An enemy on each side, 60 mm away: an inch is left after 34.6 mm.
    units = [{**FOE, "officer": (side * (125 + 60), 0)} for side in (-1, 1)]
    every = blocks_of(table(SOLDIER, *units))

    assert has_room(every, 0, every.of[0].shifted(east, 0)) is free


# Ends of moves


@pytest.mark.rule("oathmark.terrain.flow-around")
def test_a_move_may_end_where_an_obstacle_begins_and_ends() -> None:
    # A rock beside the officer's way, from 20 to 40 mm ahead of the front of a block of 50 mm.
    battle = table(
        SOLDIER, {**FOE, "officer": (0, 500)}, terrain=[piece("rock", 40, 32.5, 60, 52.5)]
    )
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))

    for wish, end in ((20.0, 20.0), (20.5, 20.0), (89.5, 20.0), (90.0, 90.0), (120.0, 120.0)):
        assert walk.end(wish) == pytest.approx(end, abs=0.005)


def test_a_move_ends_half_a_millimetre_ahead_before_a_river() -> None:
    battle = table(
        SOLDIER, {**FOE, "officer": (0, 500)}, terrain=[piece("river", -200, 13, 200, 50)]
    )

    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)
    assert walk.end(walk.reach) == pytest.approx(0.5, abs=0.01)


@pytest.mark.rule("oathmark.terrain.impassable-crossing")
@pytest.mark.parametrize(("members", "far"), [(10, 152.4), (12, 90.0)])
def test_the_last_rank_has_to_reach_the_far_side_too(members: int, far: float) -> None:
    # The river begins 90 mm ahead of the front and is 75 mm wide. Two moves are 228.6 mm; two
    # ranks need 90 + 75 + 50, three need 25 more.
    terrain = [piece("river", -300, 102.5, 300, 177.5), piece("bridge", -15, 90, 15, 190)]
    battle = table({**SOLDIER, "members": members}, {**FOE, "officer": (0, 500)}, terrain=terrain)
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)

    assert walk.end(walk.reach) == pytest.approx(far, abs=0.01)
    turned = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=True, actions=1))
    assert turned.end(turned.reach) == pytest.approx(90.0, abs=0.01)


@pytest.mark.rule("oathmark.terrain.impassable-crossing")
def test_a_unit_may_stop_on_a_bridge_with_half_a_millimetre_to_go() -> None:
    # The river begins 10 mm ahead of the front and is 20 mm wide: the rear is off it after 80 mm.
    terrain = [piece("river", -300, 22.5, 300, 42.5), piece("bridge", -15, 10, 15, 60)]
    battle = table(SOLDIER, {**FOE, "officer": (0, 500)}, terrain=terrain)
    full, simple = (
        StraightMove(battle, 0, BlockSide.FRONT, Activity(full=full)) for full in (True, False)
    )

    for wish in (10.5, 40.0, 79.5):
        assert full.end(wish) == pytest.approx(wish, abs=0.01)
        assert simple.end(wish) == pytest.approx(10.0, abs=0.01)
    # With half of 3 inches as the second move, 80 - 38.1 mm have to be made in the first.
    slow = table({**SOLDIER, "move": 3}, {**FOE, "officer": (0, 500)}, terrain=terrain)
    walk = StraightMove(slow, 0, BlockSide.FRONT, FULL)
    assert walk.end(80 - 38.1 + 0.1) == pytest.approx(80 - 38.1 + 0.1, abs=0.01)
    assert walk.end(80 - 38.1 - 0.1) == pytest.approx(10.0, abs=0.01)


@pytest.mark.rule("oathmark.core.separation")
@pytest.mark.parametrize("order", [(3, 2), (2, 3)])
def test_a_move_keeps_an_inch_from_each_of_two_enemies(order: tuple[int, int]) -> None:
    # With one simple action: an inch from the nearer one, on whichever side it is.
    units = [{**FOE, "members": 1, "officer": (x, 25 + inches * INCH)}
             for x, inches in zip((-40, 40), order, strict=True)]  # fmt: skip
    battle = table(SOLDIER, *units)
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))

    assert walk.end(walk.reach) == pytest.approx(INCH, abs=0.01)


@pytest.mark.parametrize(
    ("beyond", "slug"),
    [(1.9, None), (2.5, "oathmark.move.forward"), (40.0, "oathmark.move.forward")],
)
def test_a_move_is_as_long_as_its_reach_within_the_tolerance(
    beyond: float, slug: str | None
) -> None:
    battle = table(SOLDIER, {**FOE, "officer": (0, 500)})
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)

    refused = walk.refusal(walk.reach + beyond * SLACK)

    assert (None if refused is None else refused.slug) == slug


@pytest.mark.rule("oathmark.core.separation")
@pytest.mark.parametrize(("beyond", "allowed"), [(0.0, True), (2.5, True), (3.5, False)])
def test_a_move_ends_where_the_place_is_free_within_the_tolerance(
    beyond: float, allowed: bool
) -> None:
    battle = table(SOLDIER, {**FOE, "officer": (0, 25 + 3 * INCH)})
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))
    end = walk.end(walk.reach)

    refused = walk.refusal(end + beyond * SLACK)

    assert (refused is None) is allowed
    assert refused is None or refused.slug == "oathmark.core.separation"
