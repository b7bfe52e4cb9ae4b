"""Battles of other rules as battles of blocks, and sight over areas beside a plain oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from shapely import LineString, Point, Polygon

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import BattleFacts, facts_of
from emlia3d.battle.questions.area import NONE, TOTAL, Observer
from emlia3d.force.formation import Formation, FormationLayout
from emlia3d.rules.oathmark import answers
from emlia3d.rules.oathmark.blocks import Block, blocks_of, entry_of
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.scenario.systems import InstalledSystems
from tests.rules.oathmark.tables import HOME, SOLDIER, piece, table

ONE: Mapping[str, Any] = {**SOLDIER, "members": 1}
FOE: Mapping[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180}


def blocks_abroad(facts: BattleFacts) -> dict[int, Block]:
    """Return the units of a battle of other rules as blocks."""
    return blocks_of(InstalledSystems()["oathmark"].taken_over(facts)).of


def test_a_unit_of_other_rules_is_two_ranks_of_five_on_its_ground() -> None:
    # A GSU of 2 m is 31.75 mm, because 25.4 mm are 1.6 m.
    battle = scenario.load("duel").battle(seed=0)
    facts = facts_of(battle)
    person = facts.units[0]
    ranks = FormationLayout(formation=Formation.RANKED, count=12, files=6, width=3.75, depth=7.0)
    assert (person.drill.count, person.drill.frontage, person.drill.length) == (1, 1, 1)
    units = [
        replace(unit, drill=ranks) if row == 4 else unit for row, unit in enumerate(facts.units)
    ]

    blocks = blocks_abroad(replace(facts, units=units))

    assert (blocks[0].count, blocks[0].files) == (1, 1)
    assert (blocks[0].width, blocks[0].depth) == pytest.approx((31.75, 31.75))
    assert (blocks[0].x, blocks[0].y) == pytest.approx((36 * 31.75, 14.5 * 31.75))
    assert (blocks[4].count, blocks[4].files) == (10, 5)
    # The ranks are 22.5 GSU wide and 14 deep.
    assert (blocks[4].width, blocks[4].depth) == pytest.approx((142.875, 222.25))


def test_two_figures_are_a_block_and_the_smallest_base_is_a_millimetre() -> None:
    tiny = {**ONE, "base": [0.5, 0.75], "officer": (300, 0)}
    battle = table({**SOLDIER, "members": 2}, {**FOE, "officer": (0, 300)}, tiny)

    blocks = blocks_abroad(facts_of(battle))

    assert [(block.count, block.files) for block in blocks.values()] == [(10, 5), (10, 5), (1, 1)]
    assert (blocks[0].width, blocks[0].depth) == pytest.approx((10, 12.5))
    assert (blocks[1].width, blocks[1].depth) == pytest.approx((25, 25))
    assert (blocks[2].width, blocks[2].depth) == pytest.approx((1, 1))
    for row, own in blocks_of(battle).of.items():
        assert blocks[row].centre == pytest.approx(own.centre, abs=0.6)


def test_units_abroad_have_no_power_but_to_look() -> None:
    facts = facts_of(scenario.load("duel").battle(seed=0))
    moment = InstalledSystems()["oathmark"].taken_over(facts)

    assert entry_of(moment.setup, 0).stats == "A5 M0 F0 S0 D0 CD1 H1"
    assert moment.setup.field.size == pytest.approx((90 * 31.75, 70 * 31.75))


# Sight over areas

WOOD = piece("forest", -140, 90, -40, 150, name="wood")
CROWD = (
    {**ONE, "facing": 20},
    {**FOE, "members": 5, "officer": (60, 150), "name": "foes"},
    {**SOLDIER, "members": 3, "officer": (40, -120), "name": "friends"},
)
SPOTS = np.array(
    [(HOME[0] + x, HOME[1] + y) for x in range(-215, 240, 43) for y in range(-210, 250, 41)], float
)


def stops(battle: Battle, eye: Any, spot: Any, *, post: bool, wooded: bool) -> set[str] | None:
    """Return what stops a line over flat ground; None if it passes within 0.1 mm of an edge.

    post : whether it leads from a post, so that the first unit may stop it too
    wooded : whether the wood may stop it
    """
    line, blocks = LineString([eye, spot]), blocks_of(battle).of
    found = set[str]()
    shapes = {
        name: Polygon(blocks[row].footprints.corners()[0])
        for row, name in enumerate(("unit 0", "foes", "friends"))
        if row or post
    }
    shapes |= {"wood": Polygon(WOOD["outline"])} if wooded else {}
    for name, shape in shapes.items():
        inside = line.intersects(shape.buffer(-0.1))
        if inside != line.intersects(shape.buffer(0.1)):
            return None
        found |= {name} if inside else set()
    return found


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("unit", [0, None])
def test_an_area_is_seen_as_line_by_line(
    monkeypatch: pytest.MonkeyPatch, reverse: bool, unit: int | None
) -> None:
    monkeypatch.setattr(answers, "BATCH", 7)
    battle = table(*CROWD, terrain=[WOOD])
    place = HOME[0], HOME[1] - 60
    block = blocks_of(battle).of[0] if unit == 0 else Block(*place, 0, 1, 1, 25, 25)
    middle = block.officer if unit == 0 else place
    told = list[float]()

    found = battle.system.sight_area(
        battle, Observer(name="post", unit=unit, place=place), SPOTS, 1.0, reverse, told.append
    )

    judged, hides = 0, set[str]()
    for spot, level in zip(SPOTS, found.levels.tolist(), strict=True):
        # Towards a figure in the wood lines are free; from one only those of a post in it are.
        wooded = reverse or not Polygon(WOOD["outline"]).contains(Point(spot))
        lines = [
            stops(battle, eye, spot, post=unit is None, wooded=wooded)
            for eye in block.base_at(middle)
        ]
        bears = reverse or unit is None or block.arc((spot[0], spot[1])) is BlockSide.FRONT
        if bears and any(line is None for line in lines):
            continue
        judged += 1
        assert level == (NONE if bears and set() in lines else TOTAL), spot
        hides |= set().union(*(line or set() for line in lines))
    assert judged > len(SPOTS) * 0.8
    assert set(found.hides) <= hides
    assert {"foes", "wood"} <= set(found.hides)
    assert found.because["oathmark.shoot.los-blockers"] == (found.levels == TOTAL).sum()
    assert told[0] == pytest.approx(7 / len(SPOTS))
    assert told[-1] == 1.0
    assert told == sorted(told)


def test_a_post_in_a_wood_looks_out_of_it() -> None:
    wood = piece("forest", -30, -30, 30, 30, name="wood")
    battle = table({**ONE, "officer": (300, 0)}, {**FOE, "officer": (300, 400)}, terrain=[wood])
    spots = np.array([(HOME[0], HOME[1] + 200)])

    for south, level in ((0.0, NONE), (60.0, TOTAL)):
        post = Observer(name="post", place=(HOME[0], HOME[1] - south))
        (seen,) = battle.system.sight_area(battle, post, spots, 1.0, False).levels
        assert seen == level


# Ranges


def test_the_arc_of_a_weapon_opens_at_the_corners_of_the_front() -> None:
    battle = table(
        {"type": "oathmark/human-archer", "side": "Red", "members": 10, "facing": 90},
        {**FOE, "officer": (0, 400)},
    )
    fire, move = battle.system.ranges(battle, 0)
    (arc,) = fire.arcs

    # The officer faces east; the front is 12.5 mm before it and 125 mm wide.
    assert arc.left == pytest.approx((HOME[0] + 12.5, HOME[1] + 62.5))
    assert arc.right == pytest.approx((HOME[0] + 12.5, HOME[1] - 62.5))
    assert (arc.facing, arc.arc_deg) == (90 * 64, 90)
    assert arc.body.bounds == pytest.approx(
        (HOME[0] - 12.5, HOME[1] - 12.5, HOME[0] + 12.5, HOME[1] + 12.5)
    )
    assert arc.body.area == pytest.approx(625)
    assert (fire.sighted, fire.over_ground) == (True, False)
    assert (move.sighted, move.over_ground) == (False, True)


def test_an_answer_says_how_many_figures_must_be_seen() -> None:
    wood = piece("forest", -200, 140, 20, 160, name="the wood")
    battle = table(ONE, {**FOE, "members": 5, "officer": (0, 300)}, terrain=[wood])

    answer = battle.system.sight(battle, 0, 1, 0)

    assert answer.text == (
        "The officer of unit 0 sees 2 of the 5 in the front of unit 1; it needs 3. "
        "In the way: the wood."
    )
    assert answer.because == ("oathmark.shoot.los-half",)


@pytest.mark.parametrize(("kind", "cover"), [("wall", "light"), ("earthwork", "heavy")])
def test_an_answer_says_which_cover_there_is(kind: str, cover: str) -> None:
    work = piece(kind, -100, 270, 100, 280)
    battle = table(ONE, {**FOE, "members": 5, "officer": (0, 300)}, terrain=[work])
    plain = table(ONE, {**FOE, "members": 5, "officer": (0, 300)})

    answer = battle.system.sight(battle, 0, 1, 0)

    ends = "sees 5 of the 5 in the front of unit 1"
    assert answer.text == f"The officer of unit 0 {ends}, in {cover} cover."
    assert "oathmark.shoot.mod-cover" in answer.because
    assert plain.system.sight(plain, 0, 1, 0).text == f"The officer of unit 0 {ends}."
