"""The cost of a move over terrain, woods, and works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.oathmark.actions import Actions, act
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.movement import StraightMove
from emlia3d.rules.oathmark.sight import view
from emlia3d.rules.oathmark.terrain import (
    climbing_cost,
    cover_in_woods,
    ground_factor,
    is_behind_works,
    is_in,
    is_rough,
    must_test_in_woods,
    officer_limit,
    reaches_far_side,
    slope_cost,
    terrain_of,
)
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, officer, one_hill, piece, put, table

FULL = Activity(full=True)
FOE = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 500)}
CAVALRY = {"type": "oathmark/human-cavalry", "side": "Red", "members": 5, "width": 25, "depth": 50}
HEIGHT_UNIT = 1.83 / (1.6 / INCH)
"""Millimetres of a height unit."""


def band(
    kind: str, begins: float, deep: float, wide: float = 400.0, **other: Any
) -> dict[str, Any]:
    """Return terrain across the way north, inches ahead of the officer's centre."""
    return piece(kind, -wide, begins * INCH, wide, (begins + deep) * INCH, **other)


def at(*terrain: dict[str, Any], unit: Mapping[str, Any] = SOLDIER) -> Battle:
    """Return a battle with a unit before terrain."""
    return table(unit, FOE, terrain=terrain)


def far(battle: Battle, activity: Activity = FULL) -> float:
    """Return how far the first unit goes ahead, inches."""
    walk = StraightMove(battle, 0, BlockSide.FRONT, activity)
    return walk.end(walk.reach) / INCH


@pytest.mark.rule("oathmark.terrain.track")
def test_the_officers_way_is_counted() -> None:
    track = terrain_of(at(band("rough", 2, 1))).track((600, 600), (600, 600 + 4 * INCH))

    assert track.cost(4 * INCH) == pytest.approx(5 * INCH, abs=0.002)
    assert track.cost(2.5 * INCH) == pytest.approx(3 * INCH, abs=0.002)


@pytest.mark.rule("oathmark.terrain.rough")
def test_rough_ground_counts_double() -> None:
    assert ground_factor(rough=True) == 2
    assert far(at(band("rough", 2, 10))) == pytest.approx(4, abs=0.001)
    assert far(at(band("rough", 2, 1))) == pytest.approx(5, abs=0.001)


@pytest.mark.rule("oathmark.terrain.woods-rough")
def test_woods_are_rough() -> None:
    assert is_rough("woods")
    assert far(at(band("forest", 0, 10))) == pytest.approx(3, abs=0.001)


@pytest.mark.rule("oathmark.terrain.climb")
def test_climbing_a_wall_costs_its_height_up_and_down_twice() -> None:
    assert climbing_cost(1, 0) + climbing_cost(0, 1) == 4
    battle = at(band("wall", 1, 0.5, height=INCH / HEIGHT_UNIT))
    track = terrain_of(battle).track((600, 600), (600, 600 + 6 * INCH))

    assert track.cost(1.5 * INCH + 0.1) == pytest.approx(5.5 * INCH, abs=0.2)
    assert far(battle) == pytest.approx(2, abs=0.001)


def test_a_unit_stops_at_a_wall_that_it_cannot_climb() -> None:
    # After 5 inches 1 is left, and the way up costs 2.
    assert far(at(band("wall", 5, 0.5, height=INCH / HEIGHT_UNIT))) == pytest.approx(5, abs=0.001)


@pytest.mark.rule("oathmark.terrain.climb-flow")
def test_a_wall_that_the_officer_passes_by_costs_nothing() -> None:
    wall = piece("wall", 12, INCH, 12 + 2 * INCH, 1.5 * INCH, height=INCH / HEIGHT_UNIT)
    battle = at(wall)
    walk = StraightMove(battle, 0, BlockSide.FRONT, FULL)

    assert officer_limit(walk.track, walk.budget) == pytest.approx(6 * INCH, abs=0.001)
    assert far(battle) == pytest.approx(6, abs=0.001)


@pytest.mark.rule("oathmark.terrain.hill")
def test_a_slope_costs_nothing() -> None:
    assert slope_cost(2) == 0
    relief = one_hill(200, 3.2)
    battle = table(SOLDIER, FOE, field=relief)
    terrain = terrain_of(battle)
    low, high = terrain.height_at(np.array([(600.0, 600.0), (600.0, 752.4)])).tolist()

    assert high - low > 20
    assert far(battle) == pytest.approx(6, abs=0.001)


@pytest.mark.rule("oathmark.terrain.flow-around")
def test_a_rock_beside_the_officers_way_matters_at_the_end_only() -> None:
    rock = piece("rock", -60, 1 * INCH, -40, 2 * INCH)
    battle = at(rock)
    walk = StraightMove(battle, 0, BlockSide.FRONT, Activity(full=False))

    assert officer_limit(walk.track, walk.budget) == pytest.approx(6 * INCH, abs=0.001)
    assert far(battle) == pytest.approx(6, abs=0.001)
    # The front is 12.5 mm before the officer, the rear 37.5 behind: between these it stands on it.
    assert walk.end(3 * INCH) == pytest.approx(INCH - 12.5, abs=0.01)
    assert walk.end(2 * INCH + 37.6) == pytest.approx(2 * INCH + 37.6, abs=0.01)


def test_a_rock_in_the_officers_way_ends_the_move() -> None:
    assert far(at(piece("rock", -20, 2 * INCH, 20, 3 * INCH))) * INCH == pytest.approx(
        2 * INCH - 12.5, abs=0.01
    )


@pytest.mark.rule("oathmark.terrain.impassable-crossing")
def test_a_river_is_crossed_if_two_moves_reach_the_far_side() -> None:
    assert not reaches_far_side(6.97 * INCH, 6 * INCH)
    assert reaches_far_side(6.97 * INCH, 9 * INCH)
    # The front is 3 inches before the river.
    edge = 3 + 12.5 / INCH
    terrain = (band("river", edge, 2, name="river"), piece("bridge", -15, 0, 15, 300))
    battle = at(*terrain)

    assert far(battle, Activity(full=False)) == pytest.approx(3, abs=0.01)
    assert far(battle) == pytest.approx(6, abs=0.01)
    carry(battle, act(battle, 0, FULL), "move", "move")
    assert officer(battle, 0)[1] == pytest.approx(9 * INCH, abs=0.1)
    assert terrain_of(battle).is_clear(block_at(battle.state, 0))


def test_a_unit_on_a_bridge_has_to_move_on() -> None:
    terrain = (band("river", 3.5, 2, name="river"), piece("bridge", -15, 0, 15, 300))
    battle = at(*terrain)

    verbs = set[str]()

    def goes_on(decision: Decision) -> Order:
        verbs.update(order.verb for order in decision.options)
        return decision.of("move")[0]

    carry(battle, act(battle, 0, FULL), "move", goes_on)

    assert verbs == {"move"}


def test_a_unit_on_a_bridge_neither_shoots_nor_attacks() -> None:
    terrain = (band("river", 3.5, 2, name="river"), piece("bridge", -15, 0, 15, 300))
    archers = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
    battle = table(archers, {**FOE, "officer": (0, 400)}, terrain=terrain)
    aims: list[object] = []

    def goes_on(decision: Decision) -> Order:
        assert isinstance(decision.validator, Actions)
        aims.append((decision.validator.aims(), decision.validator.attacks()))
        refused = decision.validator.refusal(Order(verb="shoot", unit=0, target=1))
        aims.append(refused is not None)
        return decision.of("move")[0]

    carry(battle, act(battle, 0, FULL), "move", goes_on)

    assert aims == [([], []), True]


def test_nothing_crosses_a_river_without_a_bridge() -> None:
    battle = at(band("river", 3.5, 1))

    assert far(battle) == pytest.approx(3.5 - 12.5 / INCH, abs=0.01)


# Woods


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_cavalry_that_enters_woods_takes_a_test_and_moves_on() -> None:
    assert must_test_in_woods(10, 20, shy=True, tested=False)
    assert not must_test_in_woods(10, 20, shy=True, tested=True)
    assert not must_test_in_woods(None, 20, shy=True, tested=False)
    assert not must_test_in_woods(10, 20, shy=False, tested=False)
    battle = at(band("forest", 2, 10), unit=CAVALRY)

    done = carry(battle, act(battle, 0, Activity(full=False)), "move", dice=[4, 3])

    assert done.facts("morale tested").result == "is disordered"
    assert officer(battle, 0)[1] == pytest.approx(5 * INCH, abs=0.1)
    assert cell(battle, 0, "disordered") == 1


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_the_test_is_taken_at_the_edge_of_the_woods() -> None:
    battle = at(band("forest", 2, 10), unit=CAVALRY)

    done = carry(battle, act(battle, 0, Activity(full=False)), "move", dice=[9, 3])

    assert [event.name for event in done.events] == ["moved", "morale tested", "moved"]
    assert [event.facts.values()["inches"] for event in done.named("moved")] == [2, 3]
    assert officer(battle, 0)[1] == pytest.approx(5 * INCH, abs=0.1)


@pytest.mark.rule("oathmark.terrain.woods-morale")
@pytest.mark.parametrize(("beside", "dice"), [(5.9, [9, 2, 5]), (6.1, [9, 2])])
def test_command_is_measured_at_the_edge_of_the_woods(beside: float, dice: list[int]) -> None:
    # Bases are 125 and 25 mm wide. The captain is abreast of the edge, so over 6 inches from
    # where the move begins.
    east = beside * INCH + 75
    captain = {
        **SOLDIER, "members": 1, "abilities": {"command": 1}, "officer": (east, 4 * INCH),
    }  # fmt: skip
    battle = table(CAVALRY, FOE, captain, terrain=(band("forest", 4, 10, wide=100),))

    done = carry(battle, act(battle, 0, FULL), "move", "stop", dice=dice)

    assert done.facts("morale tested").faces == tuple(dice)


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_a_unit_that_breaks_at_the_edge_spreads_panic_there() -> None:
    friend = {**SOLDIER, "officer": (-150, 11 * INCH)}
    battle = table(CAVALRY, FOE, friend, terrain=(band("forest", 4, 10, wide=100),))
    put(battle, 0, disordered=1)

    done = carry(battle, act(battle, 0, FULL), "move", dice=[5, 2, 9, 1])

    assert [event.unit for event in done.named("morale tested")] == [0, 2]
    assert cell(battle, 0, "present") == 0


@pytest.mark.rule("oathmark.terrain.woods-morale")
def test_a_charge_into_woods_stops_for_the_test_and_strikes_the_same_facing() -> None:
    near = {**FOE, "officer": (0, 5 * INCH)}
    battle = table(CAVALRY, near, terrain=(band("forest", 2, 10),))

    done = carry(battle, act(battle, 0, FULL), "attack", dice=[9, 3, *[1] * 13])

    names = [event.name for event in done.events]
    assert names[:3] == ["moved", "morale tested", "charged"]
    assert done.facts("charged").inches == pytest.approx(4, abs=1)


def test_soldiers_enter_woods_without_a_test() -> None:
    battle = at(band("forest", 2, 10))

    assert not carry(battle, act(battle, 0, Activity(full=False)), "move").named("morale tested")


@pytest.mark.rule("oathmark.terrain.ruins")
def test_cavalry_that_enters_ruins_takes_a_test() -> None:
    assert is_rough("ruins")
    battle = at(band("ruins", 2, 10), unit=CAVALRY)

    done = carry(battle, act(battle, 0, Activity(full=False)), "move", dice=[9, 3])

    assert done.facts("morale tested").result == "passes"
    assert not view(at(band("ruins", 5, 2)), 0, 1).is_enough


@pytest.mark.rule("oathmark.terrain.in-woods")
def test_half_of_the_centres_must_be_in_a_wood() -> None:
    # The front rank of ten, or four figures of it.
    for west, inside in ((-60, True), (-45, False)):
        battle = at(piece("forest", west, -10, 60, 100))
        (wood,) = terrain_of(battle).woods
        assert is_in(block_at(battle.state, 0), wood.outline) is inside


@pytest.mark.rule("oathmark.terrain.woods-cover")
def test_woods_give_light_cover_against_shots_only() -> None:
    assert cover_in_woods(shooting=True) == "light"
    assert cover_in_woods(shooting=False) == "none"


@pytest.mark.rule("oathmark.terrain.works")
def test_three_of_five_figures_behind_a_wall_are_in_works() -> None:
    wall = piece("wall", -15, 25, 80, 30)
    battle = table(SOLDIER, FOE, terrain=[wall])
    block, terrain = block_at(battle.state, 0), terrain_of(battle)

    assert is_behind_works(terrain, block, BlockSide.FRONT, (600, 1000))
    assert not is_behind_works(terrain, block, BlockSide.FRONT, (600, 610))
    assert not is_behind_works(terrain, block, BlockSide.REAR, (600, 100))
    shorter = table(SOLDIER, FOE, terrain=[piece("wall", 15, 25, 80, 30)])
    assert not is_behind_works(terrain_of(shorter), block, BlockSide.FRONT, (600, 1000))
