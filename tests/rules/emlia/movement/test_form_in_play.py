"""Chapter 13 where it is more than a layout: what formations are good for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.actions import action
from emlia3d.rules.emlia.play.morale.leading import appeal_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import able_against
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.leadership import IMPROVE, lead_modifier

Build = Callable[..., Battle]
BOB: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}


def company(formation: str, **more: Any) -> dict[str, Any]:
    return {"at": (100, 100), "members": 12, "files": 6, "formation": formation, **more}


@pytest.mark.rule("emlia.form.close.better")
def test_more_of_a_close_company_than_of_an_open_one_reach_the_enemy(
    field_of_battle: Build,
) -> None:
    able = []
    foes = {"front": (100, 101), "side": "Bob", "facing": 180, "formation": "ranked"}
    for formation in ("open", "close"):
        ours = {"front": (100, 100.5), "members": 12, "files": 12, "formation": formation}
        battle = field_of_battle(ours, {**foes, "members": 12, "files": 12})
        able.append(int(able_against(battle, 0, 1).sum()))

    assert able[1] > able[0] > 0


@pytest.mark.rule("emlia.form.open.command", "emlia.form.close.better")
@pytest.mark.parametrize(
    ("formation", "members", "wide"), [("open", 12, True), ("open", 4, False), ("close", 12, False)]
)
def test_only_a_company_that_is_spread_wide_is_hard_to_lead(
    field_of_battle: Build, formation: str, members: int, wide: bool
) -> None:
    led = company(formation, members=members, files=members)
    battle = field_of_battle({"at": (100, 95)}, led, BOB)

    because = lead_modifier(appeal_of(battle, 0, 1), IMPROVE).because

    assert ("emlia.lead.improve.mod.open-wide" in because) is wide


@pytest.mark.rule("emlia.lead.rows")
@pytest.mark.parametrize(("members", "counts"), [(12, True), (1, False)])
def test_ranks_are_easier_to_lead_only_with_more_than_one_member(
    field_of_battle: Build, members: int, counts: bool
) -> None:
    led = company("ranked", members=members, files=min(members, 6))
    battle = field_of_battle({"at": (100, 95)}, led, BOB)

    because = lead_modifier(appeal_of(battle, 0, 1), IMPROVE).because

    assert ("emlia.lead.improve.mod.ranked" in because) is counts


@pytest.mark.rule("emlia.form.ranked", "emlia.form.ranked.facing")
def test_ranks_are_a_rectangle_with_one_facing_and_an_unfilled_rear(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(company("ranked", members=20, files=7), BOB)
    situation, figures = situation_of(battle), battle.state.figures

    west, south, east, north = situation.outline(0).bounds
    rows = sorted(situation.places(0)[:, 1].round(2).tolist(), reverse=True)

    assert (east - west, north - south) == pytest.approx((7, 3))
    assert [rows.count(y) for y in dict.fromkeys(rows)] == [7, 7, 6]
    assert set(figures.ints("facing")[:20].tolist()) == {0}


@pytest.mark.rule("emlia.move.taking-cover-effects")
def test_taking_cover_halves_the_pace_and_is_no_posture(field_of_battle: Build) -> None:
    wall = {"kind": "wall", "box": (80, 104, 120, 105)}
    upright = field_of_battle(company("open", movement="15G"), BOB, terrain=[wall])
    behind = field_of_battle(
        company("open", movement="15G", states=("taking cover",)), BOB, terrain=[wall]
    )

    assert (speed_of(upright, 0), speed_of(behind, 0)) == (15, 7.5)
    assert situation_of(behind).height(0) == situation_of(upright).height(0)
    assert action("take cover").because == "emlia.move.take-cover"
    assert behind.state.units.integer("formation", 0) == Formation.OPEN
