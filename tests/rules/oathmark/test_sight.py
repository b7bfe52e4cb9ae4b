"""Lines of sight, by the vectors of the catalogue."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.oathmark.blocks import Block, block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.shooting import (
    facings_to_try,
    is_in_front,
    sees_half,
    unit_blocks,
)
from emlia3d.rules.oathmark.sight import View, distance_to, line_heights, view
from emlia3d.rules.oathmark.terrain import is_transparent, terrain_of, wood_blocks
from tests.rules.oathmark.tables import INCH, SOLDIER, one_hill, piece, table

SHOOTER = {"type": "oathmark/human-ranger", "side": "Red", "members": 1, "officer": (0, 0)}
TARGET = {**SOLDIER, "side": "Blue", "facing": 180, "members": 5, "officer": (0, 300)}


def seen(*terrain: dict[str, Any], units: tuple[dict[str, Any], ...] = (), **shooter: Any) -> View:
    """Return what one figure at (0, 0) sees of a rank of five at (0, 300)."""
    return view(table({**SHOOTER, **shooter}, TARGET, *units, terrain=terrain), 0, 1)


def wood(west: float, south: float, east: float, north: float, **other: Any) -> dict[str, Any]:
    """Return a wood."""
    return piece("forest", west, south, east, north, **other)


@pytest.mark.rule("oathmark.geometry.los-vectors")
@pytest.mark.parametrize(("east", "count", "enough"), [(-10, 4, True), (20, 2, False)])
def test_a_wood_hides_the_figures_behind_it(east: float, count: int, enough: bool) -> None:
    found = seen(wood(-200, 140, east, 160))

    assert (len(found.seen), found.of, found.is_enough) == (count, 5, enough)
    assert found.side is BlockSide.FRONT


def test_the_figures_that_are_seen_are_the_eastern_ones() -> None:
    # The target faces south: its first figure from the left is the easternmost.
    assert seen(wood(-200, 140, -10, 160)).seen == (0, 1, 2, 3)
    assert seen(wood(-200, 140, 20, 160)).seen == (0, 1)


@pytest.mark.rule("oathmark.terrain.woods-inside")
def test_a_wood_hides_no_unit_that_is_in_it() -> None:
    # Three of the five centres are in it.
    inside = wood(-200, 140, 20, 320)

    assert seen(inside).is_enough
    assert len(seen(inside).seen) == 5
    assert not seen(inside, wood(-200, 60, 20, 80)).is_enough
    battle = table(SHOOTER, TARGET, terrain=[inside])
    blocks = [block_at(battle.state, unit) for unit in (0, 1)]
    assert is_transparent(terrain_of(battle).woods[0], blocks[0], blocks[1])


def test_a_line_that_touches_a_wood_is_clear() -> None:
    # From x = 12.5 a line to x = 12.5 runs along the edge of the wood.
    found = seen(wood(-200, 100, 12.5, 200))

    assert 2 in found.seen


@pytest.mark.rule("oathmark.terrain.woods-los")
def test_woods_block_from_any_height() -> None:
    assert wood_blocks("woods", indirect=True)
    hill = piece("hill", -100, -100, 100, 40, height=4.5)

    assert not seen(wood(-300, 140, 300, 140 + 2 * INCH), hill).is_enough


@pytest.mark.rule("oathmark.terrain.ruins-indirect")
def test_a_catapult_shoots_over_ruins_and_not_over_woods() -> None:
    assert not wood_blocks("ruins", indirect=True)
    assert wood_blocks("ruins", indirect=False)
    engine: dict[str, Any] = {"type": "oathmark/human-light-catapult", "base": [50, 50]}
    for kind, enough in (("ruins", True), ("forest", False)):
        assert seen(piece(kind, -300, 140, 300, 180), **engine).is_enough is enough
    assert not seen(piece("ruins", -300, 140, 300, 180)).is_enough


@pytest.mark.rule("oathmark.shoot.los-half")
def test_half_of_a_facing_is_enough() -> None:
    assert [need for need in range(6) if sees_half(need, 5)] == [3, 4, 5]
    assert [need for need in range(5) if sees_half(need, 4)] == [2, 3, 4]
    assert sees_half(1, 1)
    assert not sees_half(0, 1)


@pytest.mark.rule("oathmark.shoot.los-arc")
def test_lines_end_in_the_front_arc() -> None:
    block = Block(0, 25, 0, 10, 5, 25, 25)
    spots = np.array([(150.0, 100.0), (150.0, 120.0)])

    assert is_in_front(block, spots).tolist() == [False, True]
    assert seen().is_enough
    assert not seen(facing=90).is_enough
    assert {line.stopped_by for line in seen(facing=180).lines} == {"outside its front arc"}


@pytest.mark.rule("oathmark.shoot.los-facing")
def test_the_facing_that_holds_the_officer_is_tried_first() -> None:
    target = Block(0, 0, 0, 10, 5, 25, 25)
    behind = Block(0, -300, 0, 1, 5, 25, 25)
    beside = Block(-300, 100, 0, 1, 5, 25, 25)

    assert facings_to_try(behind, target) == [BlockSide.REAR]
    assert facings_to_try(beside, target)[0] is BlockSide.LEFT
    assert set(facings_to_try(beside, target)) == {BlockSide.LEFT, BlockSide.FRONT}
    # The officer is behind the target, and a wood leaves three of five figures of its rear.
    battle = table(
        SHOOTER, {**TARGET, "facing": 0, "members": 10, "officer": (0, 320)},
        terrain=[wood(-200, 140, -10, 160)],
    )  # fmt: skip
    assert view(battle, 0, 1).side is BlockSide.REAR
    assert view(battle, 0, 1).is_enough


# Units and ground in the way


def between(kind: str = "human-ranger", **shooter: Any) -> View:
    """Return the sight of the target with friends in the way."""
    friends = {**SOLDIER, "members": 5, "officer": (0, 150), "name": "friends"}
    return seen(units=(friends,), type=f"oathmark/{kind}", **shooter)


@pytest.mark.rule("oathmark.shoot.los-blockers")
def test_units_block_without_fire_over() -> None:
    assert not unit_blocks(over=True, friendly=True, height=1.0, indirect=False)
    assert unit_blocks(over=True, friendly=True, height=2.0, indirect=False)
    assert unit_blocks(over=True, friendly=False, height=1.0, indirect=False)
    assert not unit_blocks(over=False, friendly=False, height=3.0, indirect=True)
    assert not between().is_enough
    assert {line.stopped_by for line in between().lines if not line.clear} == {"friends"}
    assert between("human-archer").is_enough


@pytest.mark.rule("oathmark.geometry.elevation")
def test_a_line_from_a_hill_passes_over_friends() -> None:
    # Officer on 2 inches, target on 0 at 10 inches: 44.45 mm high over the middle.
    heights = line_heights(50.8, 0.0, np.array([0.5]))
    assert heights.tolist() == pytest.approx([44.45])
    assert line_heights(0.0, 0.0, np.array([0.5])).tolist() == pytest.approx([19.05])
    hill = piece("hill", -100, -100, 100, 40, height=50.8 / (1.83 / (1.6 / INCH)))
    friends = {**SOLDIER, "members": 5, "officer": (0, 127), "name": "friends"}

    assert seen(hill, units=(friends,)).is_enough
    assert not seen(units=(friends,)).is_enough


def test_ground_between_blocks() -> None:
    ridge = piece("hill", -300, 140, 300, 160, height=2.0, name="ridge")
    relief = one_hill(120, 6)

    assert {line.stopped_by for line in seen(ridge).lines} == {"ridge"}
    battle = table(SHOOTER, TARGET, field=relief)
    assert {line.stopped_by for line in view(battle, 0, 1).lines} == {"the ground"}


@pytest.mark.rule("oathmark.geometry.los-algorithm")
def test_a_unit_with_no_figure_in_the_front_arc_is_not_seen() -> None:
    battle = table({**SHOOTER, "facing": 90}, TARGET)

    assert view(battle, 0, 1).seen == ()
    answer = battle.system.sight(battle, 0, 1, 0)
    assert not answer.line_of_sight
    assert answer.verdict == "0 of the 5 in the front"


@pytest.mark.rule("oathmark.geometry.primitives")
def test_the_gap_of_two_squares_is_175() -> None:
    one, other = Block(0, 12.5, 0, 1, 5, 25, 25), Block(0, 187.5, 180 * 64, 1, 5, 25, 25)

    assert distance_to(one, other, BlockSide.FRONT) == pytest.approx(175)


def test_the_answer_names_lines_and_the_bodies_that_stop_them() -> None:
    battle: Battle = table(SHOOTER, TARGET, terrain=[wood(-200, 140, 20, 160, name="the wood")])

    answer = battle.system.sight(battle, 0, 1, 0)

    assert [line.clear for line in answer.lines] == [True, True, False, False, False]
    assert {line.stopped_by for line in answer.lines} == {None, "the wood"}
    assert answer.degree == pytest.approx(0.4)
