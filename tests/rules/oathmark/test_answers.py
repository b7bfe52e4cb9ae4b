"""Sight over areas and in battles of other rules, ranges, cards and advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from shapely import Point, Polygon

from emlia3d import scenario
from emlia3d.battle.facts import facts_of
from emlia3d.battle.questions.area import NONE, TOTAL, Observer
from emlia3d.rules.oathmark.blocks import blocks_of
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.sight import view
from emlia3d.scenario.systems import InstalledSystems
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

ONE: Mapping[str, Any] = {**SOLDIER, "members": 1}
FAR = {**ONE, "side": "Blue", "facing": 180, "officer": (0, 400)}


def test_a_unit_sees_places_in_its_front_arc_that_no_wood_hides() -> None:
    battle = table(ONE, FAR, terrain=[piece("forest", -100, 100, -20, 140, name="wood")])
    x, y = HOME
    spots = np.array([(x, y + 200), (x - 60, y + 200), (x - 60, y + 120), (x, y - 200)])

    seen = battle.system.sight_area(battle, Observer(name="unit 0", unit=0), spots, 1.0, False)
    back = battle.system.sight_area(battle, Observer(name="unit 0", unit=0), spots, 1.0, True)

    # Behind the wood nothing is seen, in it a figure is; the arc bounds what the unit sees.
    assert seen.levels.tolist() == [NONE, TOTAL, NONE, TOTAL]
    assert back.levels.tolist() == [NONE, TOTAL, TOTAL, NONE]
    assert set(seen.hides) == {"wood"}


def test_a_place_sees_in_all_directions() -> None:
    battle = table(ONE, FAR)
    x, y = HOME
    spots = np.array([(x, y + 200), (x, y - 200)])

    seen = battle.system.sight_area(
        battle, Observer(name="post", place=(x + 50, y)), spots, 1.0, False
    )

    assert seen.levels.tolist() == [NONE, NONE]


@pytest.mark.parametrize("name", ["duel", "scrapyard", "ridge"])
def test_sight_in_battles_of_other_rules(name: str) -> None:
    battle = scenario.load(name).battle(seed=0)
    facts = facts_of(battle)
    rows = [next(n for n, unit in enumerate(facts.units) if unit.side == side) for side in (0, 1)]

    answer = InstalledSystems()["oathmark"].sight_of(facts, rows[0], rows[1], 0)

    assert answer.observer == facts.units[rows[0]].name
    assert answer.verdict.endswith(("front", "left", "right", "rear"))
    assert answer.distance > 0


def test_ranges_of_a_weapon_and_of_the_move() -> None:
    archers = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
    battle = table(archers, FAR)

    ranges = {each.what: each.limits for each in battle.system.ranges(battle, 0)}

    assert ranges == {"bow": (20 * INCH,), "move": (6 * INCH,)}
    assert [each.what for each in battle.system.ranges(battle, 1)] == ["move"]


def test_the_arc_of_a_bow_holds_the_places_in_the_front_arc_within_its_range() -> None:
    archers = {"type": "oathmark/human-archer", "side": "Red", "members": 10, "facing": 90}
    battle = table(archers, FAR)
    block = blocks_of(battle).of[0]
    (arc,) = battle.system.ranges(battle, 0)[0].arcs

    ground = arc.within(100.0)

    base = Polygon(block.base_at(block.officer)[1:])
    for right in range(-200, 201, 13):
        for ahead in range(1, 180, 13):
            spot = block.at(right, ahead)
            bears = block.arc(spot) is BlockSide.FRONT and base.distance(Point(spot)) < 99.5
            if (
                bears
                or base.distance(Point(spot)) > 100.5
                or block.arc(spot) is not BlockSide.FRONT
            ):
                assert ground.buffer(1e-6).covers(Point(spot)) == bears, (right, ahead)


def test_a_card_has_values_and_abilities() -> None:
    battle = table({"type": "oathmark/human-ranger", "side": "Red", "members": 10}, FAR)
    card = dict(battle.system.card(battle, 0))

    assert card["values"] == "A5 M6 F0 S2 D8 CD1 H1"
    assert card["weapon"] == "bow"
    assert card["abilities"] == "aimed fire (1)"


def test_a_unit_that_starts_far_from_its_edge_gets_advice() -> None:
    battle = table(SOLDIER, FAR)

    advice = battle.system.advice(battle.setup, "")

    assert {each.about for each in advice} == {("unit", "unit 0"), ("unit", "unit 1")}
    assert {each.slug for each in advice} == {"oathmark.battle.table"}
    assert view(battle, 0, 1).is_enough
