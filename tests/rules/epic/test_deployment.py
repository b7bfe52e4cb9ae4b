"""Deployment in play: strips along the edges, and formations that the sides place in turn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.errors import ScenarioError
from emlia3d.field.hexes import HexBoard, chains, sizes_of_chains, walk_reach
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.testing import check_system
from emlia3d.rules.epic.commander.doctrine import DOCTRINE
from emlia3d.rules.epic.deployment.deployment_strips import (
    deployment_ends,
    is_in_strip,
    strip_along,
)
from emlia3d.rules.epic.deployment.placing import deploy_formation, deploy_next
from emlia3d.rules.epic.formations import in_cohesion, units_of
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.words import WORDS
from emlia3d.scenario.scenario import from_text, load
from tests.rules.carrying import carry
from tests.rules.epic.boards import cell, go, random_board, text_of, tile_of, unplaced

Unit = Mapping[str, Any]

FIRST: Unit = {"name": "first", "tile": [0, 0]}
SECOND: Unit = {"name": "second", "tile": [1, 0], "in": "first"}
ALONE: Unit = {"name": "alone", "tile": [4, 0]}
FOE: Unit = {"name": "foe", "side": "Red", "tile": [0, 19]}
TANK: Unit = {"kind": "tank", "name": "tank", "side": "Blue", "tile": [2, 0], "in": "first"}


RELIEF = Path(__file__).parents[3] / "maps" / "relief.toml"


def deploying(*units: Unit, **other: Any) -> Battle:
    """Return a battle of which the units have no place yet."""
    battle = from_text(unplaced(text_of(units, **other)), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


def columns(first: int, last: int) -> list[tuple[int, int]]:
    """Return the tiles of columns of the southern strip, in its five rows."""
    return [(column - r // 2, r) for r in range(5) for column in range(first, last + 1)]


@pytest.mark.rule("epic.board.sample")
def test_each_unit_of_the_bundled_battles_starts_in_its_five_rows() -> None:
    for name in ("outpost", "refinery"):
        setup = load(name).battle(seed=0).setup
        assert [*load(name).system.advice(setup, "check")] == []

    far = from_text(text_of([{**FIRST, "tile": [0, 5]}, FOE]), "table").battle(seed=0)
    (advice,) = far.system.advice(far.setup, "check")

    assert is_in_strip(4, 20, "south")
    assert not is_in_strip(5, 20, "south")
    assert advice.about == ("unit", "first")
    assert advice.told == "it starts outside the 5 rows of tiles nearest to the south edge"


@pytest.mark.parametrize("size", [(24.5, 15.88), (9.0, 12.0), (6.5, 4.0)])
def test_strips_are_the_tiles_with_fewer_than_five_between_them_and_the_edge(size) -> None:
    board = HexBoard.covering(size)
    everyone = {(q, r) for q, r in board.tiles.tolist()}

    for edge, step in (("south", (0, -1)), ("west", (-1, 0)), ("east", (1, 0)), ("north", (0, 1))):
        inside = strip_along(board, edge)
        for (q, r), found in zip(board.tiles.tolist(), inside.tolist(), strict=True):
            if edge in {"west", "east"}:
                ahead = sum((q + step[0] * n, r) in everyone for n in range(1, 99))
            else:
                ahead = len({other for _, other in everyone if (other - r) * step[1] > 0})
            assert found == (ahead < 5)


def test_sizes_of_chains_are_those_of_all_pairs() -> None:
    dice, board = random.Random(7), HexBoard.covering((9.5, 8.0))
    for _ in range(60):
        share, longest = dice.random(), dice.randrange(1, 4)
        member = np.array([dice.random() < share for _ in range(len(board))])
        number = chains(board.tiles[member], longest)
        wanted = np.zeros(len(board), dtype=np.int64)
        if len(number):
            wanted[member] = np.bincount(number)[number]

        assert sizes_of_chains(board, member, longest).tolist() == wanted.tolist()


@pytest.mark.rule("epic.board.sample")
def test_the_loser_of_a_roll_deploys_first_and_formations_are_placed_in_turn() -> None:
    battle = deploying(FIRST, SECOND, ALONE, FOE, {**FOE, "name": "other", "tile": [4, 19]})
    assert waiting(battle) == [0, 1, 2, 3, 4]
    assert battle.system.outcome(battle) is None

    rolled = carry(battle, deploy_next(battle), dice=(4, 4, 5, 3))
    asked = []
    for answers in (("deploy", "place"), ("deploy", "place", "place"), ("place",), ("place",)):
        done = carry(battle, deploy_next(battle), *answers)
        asked.append([decision.side for decision in done.asked])

    assert rolled.facts("deployment began").first == "Red"
    assert asked == [[1, 1], [0, 0, 0], [1], [0]]
    assert waiting(battle) == []
    assert units_of(battle).there.all()
    assert carry(battle, battle.system.next_step(battle), "act first", dice=(3, 1)).events


@pytest.mark.rule("epic.board.sample")
def test_a_unit_stands_where_its_player_places_it_and_the_next_in_cohesion() -> None:
    battle = deploying(FIRST, SECOND, FOE)
    place = go(battle, 0, (3, 2), "place")
    far, near = go(battle, 1, (6, 2), "place"), go(battle, 1, (5, 2), "place")

    first = deploy_formation(battle, 0)
    decision = next(first)
    assert decision.validator.refusal(place) is None
    away = decision.validator.refusal(go(battle, 0, (3, 5), "place"))
    battle.happen(first.send(place))
    decision = next(first)
    split = decision.validator.refusal(far)
    done = first.send(near)
    battle.happen(done)

    assert away.reason == split.reason == "the unit cannot end on that tile"
    assert away.slug == "epic.board.sample"
    assert (tile_of(battle, 0), tile_of(battle, 1)) == ((3, 2), (5, 2))
    assert [cell(battle, 0, each) for each in ("present", "waits")] == [1, 0]
    assert cell(battle, 0, "facing") == 30 * 64
    assert battle.state.battle.integer("holder", 0) == 1


def test_the_tiles_nearest_to_the_objectives_are_listed_and_the_foremost() -> None:
    battle = deploying(FIRST, SECOND, FOE, objectives=[(0, 8), (12, 2)])

    ends = deployment_ends(battle, 0, (1,))
    assert ends is not None
    listed = [(order.verb, ends.tile_of(order)) for order in ends.options()]
    alone = deployment_ends(battle, 0, ())
    assert alone is not None

    tiles = [(2, 4), (12, 2), (10, 4)]
    numbers = ends.board.numbers(np.array(tiles)).tolist()
    assert listed == [(verb, n) for verb in ("place all", "place") for n in numbers]
    assert [order.verb for order in alone.options()] == ["place"] * 3


def test_the_log_says_on_which_tile_a_unit_is_deployed() -> None:
    battle = deploying(FIRST, FOE)
    (event,) = carry(battle, deploy_formation(battle, 0), go(battle, 0, (3, 2), "place")).events

    assert WORDS.sentence(battle, event) == "first is deployed on 3,2"


def test_all_are_placed_around_the_tile_of_the_first() -> None:
    followers = [{**SECOND, "name": f"line {n}", "tile": [n, 1]} for n in range(6)]
    battle = deploying(FIRST, *followers, FOE)

    done = carry(battle, deploy_formation(battle, 0), go(battle, 0, (4, 4), "place all"))

    assert len(done.asked) == 1
    assert [event.name for event in done.events] == ["deployed"] * 7
    assert in_cohesion(battle, 0)
    assert (units_of(battle).gaps([0], range(7)) <= 2).all()


def test_the_first_unit_leaves_room_for_vehicles_that_cannot_pass_where_it_can() -> None:
    ruin = columns(0, 11)
    battle = deploying(FIRST, TANK, FOE, terrain=[("building", ruin)])

    ends = deployment_ends(battle, 0, (1,))

    assert ends is not None
    tiles = ends.board.tiles[ends.allowed]
    assert not {(q, r) for q, r in tiles.tolist()} & {*ruin}


def test_a_pocket_too_small_for_the_formation_is_refused() -> None:
    many = [{**SECOND, "name": f"line {n}", "tile": [n, 1]} for n in range(5)]
    battle = deploying(FIRST, *many, FOE, terrain=[("cliff", columns(1, 3))])
    order = go(battle, 0, (0, 0), "place")

    ends = deployment_ends(battle, 0, (1, 2, 3, 4, 5))
    alone = deployment_ends(battle, 0, ())

    assert ends is not None
    assert alone is not None
    assert ends.refusal(order) is not None
    assert alone.refusal(order) is None


def test_carriers_are_placed_with_the_infantry_in_them() -> None:
    carrier = {"name": "carrier", "side": "Blue", "kind": "carrier", "tile": [0, 0]}
    rider = {"name": "rider", "side": "Blue", "kind": "line", "carried_by": "carrier"}
    battle = deploying(carrier, {**rider, "in": "carrier"}, FOE)
    assert waiting(battle) == [0, 2]

    carry(battle, deploy_formation(battle, 0), go(battle, 0, (7, 3), "place"))

    assert tile_of(battle, 0) == (7, 3)
    assert units_of(battle).carried_by(0) == [1]
    x, y = (battle.state.units.floats(axis) for axis in ("x", "y"))
    assert np.hypot(x[0] - x[1], y[0] - y[1]) < 0.5


@pytest.mark.rule("epic.board.sample")
def test_a_unit_without_room_is_left_out() -> None:
    battle = deploying(FIRST, FOE, size=(6, 20), terrain=[("cliff", columns(0, 5))])

    done = carry(battle, deploy_formation(battle, 0))

    assert [event.name for event in done.events] == ["left out"]
    assert waiting(battle) == [1]
    assert not units_of(battle).of_side(0)


def test_pointing_at_a_tile_places_a_unit_with_the_facing_nearest_to_the_one_shown() -> None:
    battle = deploying(FIRST, SECOND, FOE)
    system, decision = battle.system, next(deploy_formation(battle, 0))
    x, y = units_of(battle).board.grid.centres((3, 2)).tolist()

    plain, turned = (
        system.order_to(battle, decision, "place", (x + 0.2, y), to) for to in (None, 80 * 64)
    )
    together = system.order_to(battle, decision, "place all", (x, y), 80 * 64)

    assert system.pointed(battle, decision) == ("place all", "place")
    assert system.order_to(battle, decision, "place", (-3.0, y), None) is None
    for order in (plain, turned, together):
        decision.check(order)
    assert turned.legs[0].facing == 90 * 64
    assert [system.words.phrase(battle, order) for order in (plain, turned, together)] == [
        "deploy on 3,2", "deploy on 3,2, facing 90°", "deploy on 3,2, the rest around it",
    ]  # fmt: skip
    assert system.words.question(battle, decision) == "first: where does it stand?"
    corners = np.array(system.reach_of(battle, decision, "place"))
    assert corners[:, 1].max() == pytest.approx(4 * 3**0.5 / 2 + 2 / 3**0.5, abs=0.01)


def test_the_commander_deploys_slow_formations_first_and_shares_out_the_objectives() -> None:
    tanks = [{**TANK, "in": "t1", "name": "t0"}, {"name": "t1", "kind": "tank", "tile": [3, 0]}]
    text = unplaced(text_of([*tanks, FIRST, SECOND, FOE], objectives=[(2, 8), (18, 8)]))
    battle = from_text(text, "table").battle(seed=1)
    placed = []
    for event in battle.run([DOCTRINE, DOCTRINE]):
        if event.name == "round began":
            break
        if event.name == "deployed":
            placed.append(event.unit)
    near = units_of(battle).gaps(range(4), range(4))

    assert [row for row in placed if row < 4] == [2, 3, 0, 1]
    assert near[2, 3] <= 2
    assert near[0, 1] <= 2
    assert (near[:2, 2:] > 8).all()


def test_the_commander_says_why_a_unit_stands_where_it_does() -> None:
    scrub = [("scrub", [(6, 3), (7, 3)])]
    battle = deploying(FIRST, SECOND, FOE, terrain=scrub, objectives=[(6, 8)])
    picture = battle.system.picture(battle, 0)

    order = DOCTRINE.decide(next(deploy_formation(battle, 0)), picture, battle.dice)

    assert order.verb == "place all"
    assert order.why == "near the objective at 6,8"
    assert order.point == tuple(units_of(battle).board.grid.centres((6, 3)).tolist())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_battles_that_begin_with_their_deployment_pass_what_every_system_must(seed: int) -> None:
    check_system(lambda: random_board(seed, turns=1, deploys=True).battle(seed), most=12)


def test_all_formations_begin_in_cohesion_in_their_strips() -> None:
    for seed in range(6):
        battle = random_board(seed, turns=1, deploys=True).battle(seed)
        for event in battle.run():
            if event.name == "round began":
                break
        units = units_of(battle)
        for side, edge in ((0, "south"), (1, "north")):
            assert strip_along(units.board, edge)[units.number[units.of_side(side)]].all()
            assert all(in_cohesion(battle, leader) for leader in units.formations(side))


def test_all_units_of_the_relief_are_deployed_in_play() -> None:
    battle = load(RELIEF).battle(seed=1)
    for event in battle.run():
        if event.name == "deployment began":
            assert not units_of(battle).there.any()
        if event.name == "round began":
            break
    units = units_of(battle)

    assert not waiting(battle)
    assert len(units.of_side(0)) + len(units.of_side(1)) + int((units.carrier >= 0).sum()) == 36
    for side, edge in ((0, "south"), (1, "north")):
        assert strip_along(units.board, edge)[units.number[units.of_side(side)]].all()
        assert all(in_cohesion(battle, leader) for leader in units.formations(side))


def test_vehicles_cross_the_river_of_the_relief_by_its_bridges_only() -> None:
    terrain = terrain_of(load(RELIEF).battle(seed=1))
    cost = np.where(terrain.is_passed("AV", "impassable"), np.inf, 1.0)
    north = int(terrain.board.numbers((0, 17)))
    bridges = {"west": [(0, 8), (0, 9), (-1, 10)], "east": [(13, 8), (13, 9)]}

    def is_reached(*closed: str) -> bool:
        barred = cost.copy()
        for name in closed:
            barred[terrain.board.numbers(np.array(bridges[name]))] = np.inf
        return bool(walk_reach(terrain.board, (0, 0), barred).is_reached[north])

    assert is_reached("west")
    assert is_reached("east")
    assert not is_reached("west", "east")


def test_a_formation_has_tiles_for_all_its_units_or_for_none() -> None:
    lines = text_of([FIRST, SECOND, FOE]).splitlines()
    lines.remove("tile = [1, 0]")
    told = r"table:\d+: tile is missing: expected \[q, r\], as for other units of first's formation"

    with pytest.raises(ScenarioError, match=told):
        from_text("\n".join(lines), "table")
