"""Links of a formation and zones of control, damage on the tag, and smoke over it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event
from emlia3d.battle.questions.cohesion import Cohesion, FormationSign, FormationTag
from emlia3d.field.hexes import board_of
from emlia3d.rules.epic.damage import destroy
from emlia3d.rules.epic.events import Fired
from emlia3d.rules.epic.formations import put
from emlia3d.view.moment.banners import banners_of, objective_banners
from emlia3d.view.moment.cohesion import links_of, signs_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.marks import marks_of
from emlia3d.view.moment.plumes import plumes_of
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Plume, Stroke, TintedArea
from emlia3d.view.panda.marks import plumes_of as puffs_of_plumes
from tests.rules.epic.boards import board, carry_out

FOE = {"side": "Red", "tile": [6, 10]}


@pytest.fixture
def battle() -> Battle:
    """A formation of which the last unit is too far away, and an enemy."""
    units = [{"tile": [3 + n, 3], **({"in": "unit 0"} if n else {})} for n in range(3)]
    found = board(*units, FOE)
    found.suppose([put(found, 2, (8, 3))])
    return found


def test_a_chain_joins_all_units_and_its_gap_is_told(battle: Battle) -> None:
    found = battle.system.cohesion(battle, 1)
    assert (found.links, found.broken) == (((0, 1),), ((1, 2),))
    assert battle.system.cohesion(battle, 3).links == ()


def test_the_zone_around_an_enemy_has_eighteen_edges(battle: Battle) -> None:
    (zone,) = battle.system.cohesion(battle, 0).zones
    assert len(zone) == 18
    battle.suppose([Set(table="unit", row=3, column="morale", value=1)])
    assert battle.system.cohesion(battle, 0).zones == ()


def test_broken_links_are_red_and_dashed(battle: Battle) -> None:
    terrain = terrain_of(battle.setup, battle.state)
    cohesion = battle.system.cohesion(battle, 0)
    marks = links_of(battle.setup, battle.state, cohesion, terrain)
    whole = [mark for mark in marks if isinstance(mark, Stroke) and mark.tone == "order"]
    broken = [mark for mark in marks if isinstance(mark, Stroke) and mark.tone == "melee"]
    assert (len(whole), len(broken)) == (9, 5)
    assert [mark.tone for mark in marks if isinstance(mark, TintedArea)] == ["warning"]


def test_links_to_units_off_the_field_are_left_out(battle: Battle) -> None:
    terrain = terrain_of(battle.setup, battle.state)
    battle.suppose([Set(table="unit", row=1, column="present", value=0)])
    cohesion = Cohesion(links=((0, 1),), broken=((0, 2),))
    marks = links_of(battle.setup, battle.state, cohesion, terrain)
    assert {mark.tone for mark in marks} == {"melee"}


def test_the_tag_of_a_formation_says_what_is_left_of_it(battle: Battle) -> None:
    def told() -> list[tuple[tuple[int, ...], str, str, str]]:
        tags = battle.system.formations(battle)
        return [(tag.units, tag.name, tag.text, tag.sign) for tag in tags]

    blue, red = "unit 0's formation", "unit 3"
    assert told() == [((0, 1, 2), blue, "3 units", ""), ((3,), red, "", "")]
    battle.suppose([Set(table="unit", row=0, column="overwatch", value=1)])
    battle.suppose([Set(table="unit", row=3, column="shock", value=2)])
    assert told()[0][2:] == ("3 units, overwatch", "watching")
    carry_out(battle, destroy(battle, 0, "a test"))
    battle.suppose([Set(table="unit", row=0, column="morale", value=1)])
    units, _, text, sign = told()[0]
    assert (units, text.startswith("2 of 3 units"), sign) == ((1, 2), True, "broken")
    assert text.endswith("broken"), "a broken formation is not on overwatch"
    assert told()[1] == ((3,), red, "Shock 2", "")


@pytest.mark.parametrize(("sign", "tone"), [("broken", "melee"), ("watching", "order")])
def test_a_broken_formation_is_crossed_out_and_one_on_overwatch_ringed(
    battle: Battle, sign: FormationSign, tone: str
) -> None:
    terrain = terrain_of(battle.setup, battle.state)
    tag = FormationTag(units=(1,), name="squads", sign=sign)
    marks = signs_of(battle.setup, battle.state, [tag], terrain)
    assert {mark.tone for mark in marks if isinstance(mark, Stroke)} == {tone}
    x, y = block_m(battle.setup, battle.state, 1).mean(axis=0)
    middles = np.array([mark.points().mean(axis=0) for mark in marks if isinstance(mark, Stroke)])
    away = np.hypot(middles[:, 0] - x, middles[:, 1] - y)
    assert (away.min() < 0.4 * away.max()) == (sign == "broken"), "a ring leaves its middle free"
    assert signs_of(battle.setup, battle.state, [replace(tag, sign="")], terrain) == ()


@pytest.mark.parametrize(("damage", "left"), [(0, None), (1, 2 / 3), (2, 1 / 3)])
def test_the_tag_of_a_war_engine_shows_its_damage(damage: int, left: float | None) -> None:
    battle = board({"kind": "engine", "tile": [3, 3]}, FOE)
    battle.suppose([Set(table="unit", row=0, column="damage", value=damage)])
    shown = banners_of(battle.setup, battle.state)[0].strength
    assert shown == (None if left is None else pytest.approx(left))
    smoke = plumes_of(battle.setup, battle.state, terrain_of(battle.setup, battle.state))
    assert [plume.share for plume in smoke] == ([pytest.approx(damage / 3)] if damage else [])


def test_wrecks_smoke_and_infantry_does_not() -> None:
    battle = board({"kind": "tank", "tile": [3, 3]}, {"kind": "line", "tile": [5, 3]}, FOE)
    for unit in (0, 1):
        carry_out(battle, destroy(battle, unit, "a test"))
    (plume,) = plumes_of(battle.setup, battle.state, terrain_of(battle.setup, battle.state))
    assert plume.share == 1


def test_more_damage_makes_more_smoke() -> None:
    some, all_ = (
        puffs_of_plumes([Plume(start=(1.0, 2.0, 3.0), share=share, size_m=4.0)])
        for share in (0.2, 1.0)
    )
    assert len(some) < len(all_)
    assert (np.diff(all_[:, 2]) > 0).all()
    assert puffs_of_plumes([]).shape == (0, 6)


def test_objectives_fly_the_flag_of_the_side_that_holds_them() -> None:
    battle = board({"kind": "line", "tile": [4, 8]}, FOE, objectives=[(2, 8), (5, 9), (12, 15)])
    objectives = battle.system.objectives(battle)
    told = [(each.name, each.text, each.holder) for each in objectives]
    assert told == [
        ("Objective 1", "held by Blue", 0),
        ("Objective 2", "contested", None),
        ("Objective 3", "not held", None),
    ]
    flags = objective_banners(battle.setup, objectives)
    assert [flag.team for flag in flags] == [0, 2, 2], "2 is the flag of no side"
    metres = battle.setup.field.scale.metres_per_gsu
    place = board_of(battle.setup.field).grid.centres((5, 9)) * metres
    assert (flags[1].x_m, flags[1].y_m) == pytest.approx(tuple(place.tolist()))


def test_the_line_of_a_crossfire_is_drawn_dashed_from_end_to_end() -> None:
    battle = board({"kind": "line", "tile": [4, 8]}, FOE)
    facts = Fired(
        dice=1, modifier=0, successes=1, faces=(1,), value="AP", weapon="gun", need=3,
        crossfire=True, line=((2.0, 3.0), (12.0, 3.0)),
    )  # fmt: skip
    fired = Event(facts=facts, unit=0, target=1, gesture="shoot")
    terrain = terrain_of(battle.setup, battle.state)
    marks = marks_of(battle.setup, battle.state, [fired], terrain)
    pieces = [mark for mark in marks if isinstance(mark, Stroke) and mark.tone == "sight"]
    places = np.array([(piece.start[:2], piece.end[:2]) for piece in pieces])
    metres = battle.setup.field.scale.metres_per_gsu
    assert len(pieces) == 13
    assert (places[0, 0, 0], places[-1, 1, 0]) == pytest.approx((2.0 * metres, 12.0 * metres))
    assert (places[1:, 0, 0] > places[:-1, 1, 0] + 0.1).all(), "with gaps"
