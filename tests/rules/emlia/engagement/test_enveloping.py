"""Going round an enemy in ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, box

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.force import Formation
from emlia3d.force.formation import FormationLayout, places
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.engagement import enveloping
from emlia3d.rules.emlia.play.situation.contact import able_against, fronts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import is_linked
from tests.made_up import made_up

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def band(**more: Any) -> dict[str, Any]:
    """Twelve of Alice's in open order, 5 GSU south of a small block of Bob's that faces them."""
    skills = {"close combat": "1"}
    return {"at": (100, 90), "members": 12, "files": 6, "skills": skills, **more}


def block(**more: Any) -> dict[str, Any]:
    return {
        "formation": "ranked", "members": 4, "files": 2, "front": (100, 98), "facing": 180,
        "side": "Bob", "skills": {"close combat": "1"}, **more,
    }  # fmt: skip


def charged(battle: Battle, play: Play, *answers: str) -> list[Any]:
    order = charging.charge_options(battle, 0)[0]
    return play(battle, charging.charge(battle, 0, order), [1], list(answers))


@pytest.mark.rule("emlia.align.envelop", "emlia.melee.mod.from-multiple-fronts")
def test_who_charges_a_block_that_cannot_align_closes_up_and_goes_round_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(band(), block())

    events = charged(battle, play, "envelop")

    assert [event.name for event in events] == ["charged", "enveloped", "struck"]
    assert battle.state.units.integer("formation", 0) == Formation.CLOSE
    assert len(fronts_of(battle, 1, 0)) > 1
    assert "emlia.melee.mod.from-multiple-fronts" in events[-1].because
    assert is_linked(situation_of(battle).places(0), 0.5, Formation.CLOSE)
    assert (
        not situation_of(battle)
        .outline(0)
        .buffer(-1 / 16)
        .intersects(situation_of(battle).outline(1))
    )


@pytest.mark.rule("emlia.align.envelop")
def test_enveloping_brings_more_members_into_reach(field_of_battle: Build, play: Play) -> None:
    able = {}
    for answer in ("envelop", "stand"):
        battle = field_of_battle(band(formation="close"), block())
        charged(battle, play, "stand", answer)
        able[answer] = int(able_against(battle, 0, 1).sum())

    assert able["envelop"] > able["stand"]


@pytest.mark.rule("emlia.align.envelop")
@pytest.mark.parametrize(("movement", "height"), [("15G", 0.0), ("15F", 0.5)])
def test_who_goes_round_an_enemy_on_foot_comes_down_from_what_he_stood_on(
    field_of_battle: Build, play: Play, movement: str, height: float
) -> None:
    near = band(formation="close", at=(100, 96), movement=movement, on_height=0.5)
    battle = field_of_battle(near, block())

    play(battle, enveloping.envelop(battle, 0, 1, 15), answers=["envelop"])

    assert battle.state.units.value("on_height", 0) == height


@pytest.mark.rule("emlia.align.envelop")
def test_a_ranked_unit_does_not_envelop(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(band(formation="ranked"), block())

    assert "enveloped" not in [event.name for event in charged(battle, play)]


@pytest.mark.rule("emlia.align.envelop")
def test_who_has_no_movement_left_does_not_envelop(field_of_battle: Build, play: Play) -> None:
    run = field_of_battle(band(movement="5G"), block())
    walk = field_of_battle(band(movement="30G"), block())

    assert "enveloped" not in [event.name for event in charged(run, play)]
    assert "enveloped" in [event.name for event in charged(walk, play, "envelop")]


@pytest.mark.rule("emlia.align.envelop", "emlia.form.close")
def test_who_is_placed_anew_takes_his_place_in_the_formation_again(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(band(), block())
    charged(battle, play, "envelop")
    usual = pose_of(battle, 0)

    battle.happen(Event(facts=made_up(Moved), changes=usual.changes(0)))

    assert sorted(situation_of(battle).places(0).tolist()) == sorted(usual.places.tolist())


@pytest.mark.rule("emlia.align.envelop")
@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 24),
    st.integers(1, 8),
    st.integers(0, 30),
    st.integers(1, 6),
    st.integers(1, 5),
)
def test_nobody_goes_farther_than_he_may_nor_into_another_and_all_stay_linked(
    members: int, files: int, left: int, wide: int, deep: int
) -> None:
    drill = FormationLayout(formation=Formation.CLOSE, count=members, files=files, width=1, depth=1)
    spots = places(drill, 0, 0, 0)
    enemy = box(-wide / 2, 0.9, wide / 2, 0.9 + deep)
    wall = box(wide / 2 + 2, -5, wide / 2 + 4, 5)

    out = enveloping.surrounding(spots, 0.5, enemy, 1.0, left, [wall])

    gone = np.sqrt(((out - spots) ** 2).sum(axis=1))
    assert (gone <= left + 1e-9).all()
    assert is_linked(out, 0.5, Formation.CLOSE) or not gone.any()
    for one in np.flatnonzero(gone):
        others = np.delete(out, one, axis=0)
        assert np.sqrt(((others - out[one]) ** 2).sum(axis=1)).min() >= 1 - 1e-6
        assert not wall.intersects(_disc(out[one]))
        assert 0.5 <= enemy.distance(Point(out[one])) <= 1.5 + 1e-6


def _disc(spot: Any) -> Any:
    return Point(spot).buffer(0.49)


@pytest.mark.rule("emlia.align.envelop")
@pytest.mark.parametrize(("east", "goes"), [(0.0, False), (20.0, True)])
def test_no_unit_envelops_over_the_edge_of_the_field(
    field_of_battle: Build, play: Play, east: float, goes: bool
) -> None:
    near = band(formation="close", at=(east + 5, 96))
    battle = field_of_battle(near, block(front=(east + 1.6, 98)))

    events = play(battle, enveloping.envelop(battle, 0, 1, 15, ask=False))

    assert ("enveloped" in [event.name for event in events]) is goes


@pytest.mark.rule("emlia.align.envelop")
@pytest.mark.parametrize(("left", "goes"), [(0.25, False), (15, True)])
def test_a_unit_of_which_no_member_gets_round_stays_as_it_is(
    field_of_battle: Build, play: Play, left: float, goes: bool
) -> None:
    battle = field_of_battle(band(formation="close", at=(100, 96)), block())

    events = play(battle, enveloping.envelop(battle, 0, 1, left, ask=False))

    assert bool(events) is goes


@pytest.mark.rule("emlia.align.envelop", "emlia.melee.ranked-rows")
def test_only_a_block_has_several_fronts_and_only_to_who_has_gone_round_it(
    field_of_battle: Build, play: Play
) -> None:
    loose = {"at": (100, 120), "members": 4, "files": 2, "side": "Bob", "formation": "open"}
    battle = field_of_battle(band(), block(), loose)
    charged(battle, play, "envelop")
    # Askew past the corner of the block, but in its own places.
    askew = band(formation="close", at=(101.7, 97.7), members=6, facing=315)
    line = field_of_battle(askew, block())

    assert fronts_of(battle, 2, 0) == {None}
    assert fronts_of(line, 1, 0) == {UnitEdge.FRONT}
