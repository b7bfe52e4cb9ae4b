"""Dice, inches, ranks, facings, arcs and distances."""

from __future__ import annotations

from collections import Counter

import pytest

from emlia3d.battle.dice import SeededDice
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, block_at, blocks_of, entry_of
from emlia3d.rules.oathmark.core import (
    BlockSide,
    Ranks,
    arc_of,
    counts_full_ranks,
    facing_places,
    files_of_last,
    is_within,
    keeps_distance,
    mm,
    officer_file,
    rank_width,
    ranks_of,
    roll,
    stat_line,
)
from emlia3d.rules.oathmark.movement import StraightMove
from emlia3d.rules.oathmark.terrain import OWN
from tests.rules.oathmark.tables import INCH, SOLDIER, figures, table


@pytest.mark.rule("oathmark.core.die-d10")
def test_ten_thousand_dice_show_each_face_from_one_to_ten() -> None:
    faces = Counter(roll(SeededDice(3, 1), "test", 10000))

    assert set(faces) == set(range(1, 11))
    assert all(850 < count < 1150 for count in faces.values())


@pytest.mark.rule("oathmark.core.inches")
def test_six_inches_are_152_4_millimetres() -> None:
    assert mm(6) == pytest.approx(152.4)
    assert 125 / mm(1) == pytest.approx(4.921, abs=0.001)


@pytest.mark.rule("oathmark.core.stats")
def test_a_human_soldier_has_seven_values() -> None:
    battle = table({"type": "oathmark/human-soldier", "side": "Red", "members": 10})

    assert entry_of(battle.setup, 0).stats == "A5 M6 F2 S0 D9 CD1 H1"
    assert stat_line({"A": 7, "M": 5.5, "F": 6, "S": 0, "D": 13, "CD": 5, "H": 12}) == (
        "A7 M5.5 F6 S0 D13 CD5 H12"
    )


@pytest.mark.rule("oathmark.core.block")
def test_the_last_of_twelve_stand_in_files_two_and_one() -> None:
    assert files_of_last(12, 5) == (1, 2)
    assert [files_of_last(10 + n, 5) for n in range(1, 5)] == [
        (2,), (1, 2), (1, 2, 3), (0, 1, 2, 3),
    ]  # fmt: skip
    battle = table({**SOLDIER, "members": 12})

    assert sorted(figures(battle, 0))[:3] == [(-50, -25), (-50, 0), (-25, -50)]
    assert (0, -50) in figures(battle, 0)
    assert (25, -50) not in figures(battle, 0)


@pytest.mark.rule("oathmark.core.rank-width")
@pytest.mark.parametrize(
    ("base", "width"), [((25, 25), 5), ((25, 50), 5), ((50, 50), 3), ((75, 75), 1)]
)
def test_the_base_decides_how_wide_a_rank_is(base: tuple[float, float], width: int) -> None:
    assert rank_width(base) == width


@pytest.mark.rule("oathmark.core.full-ranks")
def test_partial_ranks_are_counted_apart() -> None:
    assert ranks_of(18, 5) == Ranks(full=3, all=4)
    assert ranks_of(17, 5) == Ranks(full=3, all=4)
    assert ranks_of(7, 5) == Ranks(full=1, all=2)
    assert ranks_of(4, 5) == Ranks(full=0, all=1)
    assert ranks_of(1, 1, alone=True) == Ranks(full=1, all=1)


@pytest.mark.rule("oathmark.core.officer")
def test_the_officer_stands_in_the_middle_of_the_front() -> None:
    assert officer_file(15, 5) == 2
    assert officer_file(4, 5) == 1
    assert [officer_file(n, 5) for n in (1, 2, 3)] == [0, 0, 1]
    assert table({**SOLDIER, "members": 4}).state.units.integer("members", 0) == 4


@pytest.mark.rule("oathmark.core.unit-of-one")
def test_a_unit_down_to_its_last_figure_is_no_unit_of_one() -> None:
    battle = table(
        {"type": "oathmark/giant", "side": "Red", "members": 1, "base": [75, 75]},
        {**SOLDIER, "members": 1, "officer": (300, 0)},
    )

    assert entry_of(battle.setup, 0).is_one
    assert not entry_of(battle.setup, 1).is_one
    assert counts_full_ranks(unit_of_one=True, full=1) == 0
    assert counts_full_ranks(unit_of_one=False, full=3) == 2


@pytest.mark.rule("oathmark.core.facings")
def test_figures_of_an_incomplete_rank_belong_to_the_rear() -> None:
    places = facing_places(12, 5)

    assert len(places[BlockSide.FRONT]) == len(places[BlockSide.REAR]) == 5
    assert len(places[BlockSide.LEFT]) == len(places[BlockSide.RIGHT]) == 2
    assert places[BlockSide.REAR] == ((1, 0), (2, 1), (2, 2), (1, 3), (1, 4))


@pytest.mark.rule("oathmark.core.arcs")
@pytest.mark.parametrize(
    ("spot", "side"),
    [
        ((0, 200), BlockSide.FRONT), ((150, 120), BlockSide.FRONT), ((150, 100), BlockSide.RIGHT),
        ((112.5, 75), BlockSide.FRONT), ((-300, 0), BlockSide.LEFT), ((0, -100), BlockSide.REAR),
        ((-90, -60), BlockSide.REAR),
    ],
)  # fmt: skip
def test_arcs_open_from_the_corners(spot: tuple[float, float], side: BlockSide) -> None:
    assert arc_of(*spot, 62.5, 25) is side
    block = Block(0, 25, 0, 10, 5, 25, 25)
    assert block.arc(spot) is side


@pytest.mark.rule("oathmark.core.distance")
def test_six_inches_between_the_nearest_bases_are_within_six() -> None:
    battle = table(SOLDIER, {**SOLDIER, "officer": (0, 152.4 + 50)})
    gap = blocks_of(battle).gap(0, 1)

    assert gap == pytest.approx(152.4, abs=0.002)
    assert is_within(gap, 6)
    assert not is_within(gap + 0.1, 6)


def test_the_gap_to_an_incomplete_rank_is_measured_to_its_figures() -> None:
    # Two figures in files 1 and 2 of the last rank; the enemy is behind file 4.
    battle = table({**SOLDIER, "members": 12}, {**SOLDIER, "members": 1, "officer": (50, -100)})

    # From (12.5, -62.5) and (62.5, -37.5) to the base whose corners are at (37.5, -87.5) above.
    assert blocks_of(battle).gap(0, 1) == pytest.approx((25**2 + 25**2) ** 0.5, abs=0.002)


@pytest.mark.rule("oathmark.core.separation")
def test_a_move_that_would_end_too_near_an_enemy_leaves_an_inch() -> None:
    # The enemy's front is 6.6 inches ahead of the unit's own: a move of 6 would end 0.6 before it.
    battle = table(
        SOLDIER, {**SOLDIER, "side": "Blue", "officer": (0, 6.6 * INCH + 25), "facing": 180}
    )
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))

    assert walk.end(6 * INCH) == pytest.approx(5.6 * INCH, abs=0.01)
    assert keeps_distance(25.4, 100)
    assert not keeps_distance(25.3, 100)
    assert keeps_distance(10.0, 10.0)
    assert block_at(battle.state, 0).count == 10


@pytest.mark.parametrize(
    ("spot", "side"),
    [
        ((0, 0.5), BlockSide.FRONT),
        ((0, -0.5), BlockSide.REAR),
        ((-0.5, 0.2), BlockSide.LEFT),
        ((2, 0), BlockSide.RIGHT),
        ((0.5, 0), BlockSide.RIGHT),
        ((-0.5, 0), BlockSide.LEFT),
        ((0, 0), BlockSide.RIGHT),
    ],
)
def test_arcs_of_a_point_begin_at_once(spot: tuple[float, float], side: BlockSide) -> None:
    assert arc_of(*spot, 0.0, 0.0) is side


def test_the_lines_of_the_facings_run_along_the_edges() -> None:
    block = Block(0, 0, 0, 10, 5, 25, 25)

    assert {side: block.line_of(side) for side in BlockSide} == {
        BlockSide.FRONT: ((0, 0), 125), BlockSide.REAR: ((0, -50), 125),
        BlockSide.LEFT: ((-62.5, -25), 50), BlockSide.RIGHT: ((62.5, -25), 50),
    }  # fmt: skip


def test_own_kinds_of_terrain_have_heights() -> None:
    assert {kind.name: (kind.height, kind.body) for kind in OWN} == {
        "ruins": (2.0, "solid"), "rough": (0.5, "sparse"), "impassable": (2.0, "solid"),
        "bush": (1.0, "sparse"), "fortification": (0.75, "solid"),
    }  # fmt: skip
