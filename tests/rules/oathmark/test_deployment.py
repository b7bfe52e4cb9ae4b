"""Deployment: strips along the edges, and units that the sides place in turn."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.battle.setup import UnitSetup
from emlia3d.errors import ScenarioError
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.testing import check_system
from emlia3d.rules.oathmark.battle_frame import (
    DeploymentStrip,
    deploy_next,
    deploy_one,
    is_in_strip,
)
from emlia3d.rules.oathmark.blocks import block_at, blocks_of
from emlia3d.scenario.scenario import MAPS, from_text
from tests.rules.carrying import carry
from tests.rules.oathmark.boards import Eager
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, piece, table, text_of

FOE = {**SOLDIER, "side": "Blue", "facing": 180}


def unplaced(*units: dict[str, Any], **other: Any) -> Battle:
    """Return a battle whose units have no place yet."""
    lines = text_of(units, **other).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("at ="))
    battle = from_text(text, "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


@pytest.mark.rule("oathmark.battle.table")
def test_each_base_of_the_kings_road_starts_in_its_strip() -> None:
    setup = scenario.load("kings-road").battle(seed=0).setup

    def corners(unit: UnitSetup) -> list[tuple[float, float]]:
        return [(x, y) for x, y, *_ in unit.starts_in.exterior.coords]

    assert setup.field.size == pytest.approx((48 * 25.4, 48 * 25.4))
    for row, unit in enumerate(setup.units):
        edge = setup.lines_of(row)
        assert isinstance(edge, str)
        assert is_in_strip(corners(unit), edge, setup.field.size)
    assert not is_in_strip([(100, 229)], "south", setup.field.size)
    assert is_in_strip([(100, 228.6)], "south", setup.field.size)


@pytest.mark.rule("oathmark.battle.table")
def test_the_loser_of_a_roll_deploys_first_and_the_sides_take_turns() -> None:
    battle = unplaced(SOLDIER, SOLDIER, FOE, FOE)
    assert waiting(battle) == [0, 1, 2, 3]
    assert not blocks_of(battle).of

    rolled = carry(battle, deploy_next(battle), dice=(4, 4, 7, 3))
    asked = []
    for answers in (("deploy", "place"), ("deploy", "place"), ("place",), ("place",)):
        done = carry(battle, deploy_next(battle), *answers)
        asked.append(done.asked[0].side)

    assert rolled.facts("deployment began").first == "Blue"
    assert asked == [1, 0, 1, 0]
    assert waiting(battle) == []
    assert sorted(blocks_of(battle).of) == [0, 1, 2, 3]


def test_a_battle_is_played_from_its_deployment() -> None:
    def battle() -> Battle:
        text, _, _ = (MAPS / "kings-road.toml").read_text("utf-8").partition("[cameras")
        text = text.replace("turns = 6", "turns = 2")
        lines = [line for line in text.splitlines() if not line.startswith("at =")]
        return from_text("\n".join(lines), "kings-road").battle(seed=3)

    led = battle()
    commander = led.system.commander("doctrine")
    assert commander is not None
    names = [event.name for event in led.run([commander, commander])]

    assert names.count("deployed") == len(led.setup.units)
    assert names.index("turn began") > names.index("deployed")
    assert led.result is not None
    check_system(battle, lambda: [Eager(), Eager()], most=12)


@pytest.mark.rule("oathmark.battle.table")
def test_a_unit_stands_whole_where_its_player_places_it() -> None:
    battle = unplaced(SOLDIER, FOE)
    strip = DeploymentStrip(battle, 0)
    order = strip.to((300, 150), 45 * 64)

    done = carry(battle, deploy_one(battle, 0), order)

    assert [event.name for event in done.events] == ["deployed"]
    assert (cell(battle, 0, "present"), cell(battle, 0, "waits")) == (1, 0)
    block = block_at(battle.state, 0)
    assert (block.x, block.y, block.facing) == (300, 150, 45 * 64)
    figures = battle.state.figures
    assert figures.floats("x")[: block.count].mean() == pytest.approx(block.centre[0], abs=30)


@pytest.mark.rule("oathmark.battle.table")
def test_a_place_outside_the_strip_or_on_something_is_refused() -> None:
    rock = piece("rock", 0, -400, 200, -300)
    battle = unplaced(SOLDIER, FOE, SOLDIER, terrain=[rock])
    carry(battle, deploy_one(battle, 0), "deploy", DeploymentStrip(battle, 0).to((300, 220)))
    strip = DeploymentStrip(battle, 2)

    def reason(x: float, y: float) -> str:
        refusal = strip.refusal(strip.to((x, y)))
        return "" if refusal is None else refusal.reason

    assert reason(1000, 9 * INCH) == ""
    assert reason(1000, 9 * INCH + 1) == "it is not within 9 inches of the south edge"
    assert reason(1000, 10) == "it is not within 9 inches of the south edge"
    assert reason(300, 180) == "the position is not free"
    assert reason(650, 228) == "the position is not free"
    assert strip.refusal(DeploymentStrip(battle, 1).to((1000, 100))) is not None
    assert all(strip.refusal(order) is None for order in strip.options())


@pytest.mark.parametrize("edge", ["south", "north", "west", "east"])
def test_every_edge_has_places_that_face_the_table(edge: str) -> None:
    battle = unplaced(SOLDIER, FOE)
    text = text_of([SOLDIER, FOE]).replace('lines = "south"', f'lines = "{edge}"')
    lines = [line for line in text.splitlines() if not line.startswith("at =")]
    battle = from_text("\n".join(lines), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    strip = DeploymentStrip(battle, 0)

    orders = list(strip.options())

    assert len(orders) == 9
    assert all(strip.refusal(order) is None for order in orders)
    (west, south), _, (east, north), _ = strip.corners()
    assert all(west <= o.legs[0].x <= east and south <= o.legs[0].y <= north for o in orders)
    (leg,) = orders[0].legs
    bearing = {"south": 0, "west": 90, "north": 180, "east": 270}[edge]
    assert leg.facing == bearing * 64


@pytest.mark.rule("oathmark.battle.table")
def test_a_unit_without_room_is_left_out() -> None:
    wall = piece("rock", -620, -620, 620, -300)
    battle = unplaced(SOLDIER, FOE, terrain=[wall])

    done = carry(battle, deploy_one(battle, 0))

    assert [event.name for event in done.events] == ["left out"]
    assert waiting(battle) == [1]
    assert cell(battle, 0, "present") == 0


def test_an_order_by_pointing_places_the_unit() -> None:
    battle = unplaced(SOLDIER, FOE)
    decision = next(deploy_one(battle, 0))

    assert battle.system.pointed(battle, decision) == ("place",)
    order = battle.system.order_to(battle, decision, "place", (200, 150), None)
    assert order is not None
    decision.check(order)
    assert battle.system.words.phrase(battle, order) == "deploy at 200.0, 150.0"
    assert battle.system.words.question(battle, decision) == "unit 0: where does it stand?"
    assert len(battle.system.reach_of(battle, decision, "place")) == 4


def test_a_placed_unit_does_not_wait() -> None:
    assert waiting(table(SOLDIER, {**FOE, "officer": (0, 400)})) == []


def test_an_unplaced_unit_needs_an_edge() -> None:
    text = text_of([SOLDIER, FOE]).replace('lines = "south"', "lines = [100, 100]")
    lines = [line for line in text.splitlines() if not line.startswith("at =")]

    with pytest.raises(ScenarioError, match="expected an edge of the field"):
        from_text("\n".join(lines), "table")
