"""Plain geometry of a battle's units, and one question put to several rule systems."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import facts_of
from emlia3d.battle.plain_geometry.geometric_sight import true_answer
from emlia3d.battle.plain_geometry.solids import solids_of
from emlia3d.battle.questions.answer import GeometricAnswer, SightAnswer, from_json, to_json
from emlia3d.battle.setup import Setup
from emlia3d.errors import Error
from emlia3d.field import feature_of
from emlia3d.rules.emlia import SYSTEM as EMLIA
from emlia3d.scenario import Scenario


def with_features(setup: Setup, *features) -> Setup:
    return dataclasses.replace(setup, field=dataclasses.replace(setup.field, features=features))


def seen(setup: Setup, system: Any, observer: str, target: str) -> GeometricAnswer:
    battle = Battle(setup, system, 0)
    answer = true_answer(battle, setup.unit_of(observer), setup.unit_of(target))
    assert from_json(json.loads(json.dumps(to_json(answer)))) == answer
    return answer


@pytest.fixture
def tin(fresh) -> Any:
    return fresh().system


def test_on_the_open_floor_all_is_seen_by_all(setup: Setup, tin: Any) -> None:
    answer = seen(setup, tin, "guards", "sailors")

    assert (answer.visible_share, answer.through, answer.line_of_sight) == (1.0, 0.0, True)
    assert (answer.eyes, answer.eyes_that_see) == (12, 12)
    assert (answer.members, answer.members_seen) == (9, 9)
    assert answer.hiding == ()
    assert answer.ground is None
    assert "can see all of sailors" in answer.text


def test_a_screen_higher_than_all_hides_those_behind_it(setup: Setup, tin: Any) -> None:
    # Nine sailors in files of five: from far off to the left, a screen before their left half.
    screen = feature_of("screen", "rock", box(5, 18, 55, 19), height=3)

    answer = seen(with_features(setup, screen), tin, "guards", "sailors")

    assert (answer.visible_share, answer.line_of_sight) == (0.0, False)
    assert [(each.entity, each.share) for each in answer.hiding] == [("screen", 1.0)]
    assert "can see nothing of sailors" in answer.text
    assert "screen, 3 height units high" in answer.text


def test_a_screen_of_half_their_height_close_before_them_hides_about_half(
    setup: Setup, tin: Any
) -> None:
    screen = feature_of("screen", "rock", box(5, 21, 55, 21.5), height=0.5)

    answer = seen(with_features(setup, screen), tin, "guards", "bear")

    # The bear's front is at 24.5, an eye at 13.5: the line over the far edge comes down a little.
    expected = 1 - (1 - 0.5 * (24.5 - 13.5) / (21.5 - 13.5))
    assert answer.members_seen == 1
    assert answer.visible_share == pytest.approx(expected, abs=0.05)


def test_what_is_sparse_is_seen_through_and_told(setup: Setup, tin: Any) -> None:
    hedge = feature_of("hedge", "hedge", box(5, 18, 55, 19), height=3)

    answer = seen(with_features(setup, hedge), tin, "guards", "sailors")

    assert (answer.visible_share, answer.through) == (1.0, 1.0)
    assert [(each.entity, each.body, each.share) for each in answer.hiding] == [
        ("hedge", "sparse", 1.0)
    ]
    assert "visible only through hedge" in answer.text


def test_comrades_and_the_house_they_stand_in_hide_nothing(setup: Setup, tin: Any) -> None:
    house = feature_of("house", "building", box(15, 20, 45, 30), height=3)

    answer = seen(with_features(setup, house), tin, "guards", "sailors")

    assert answer.visible_share == 1.0
    assert answer.stood_in == ("house",)
    assert "The answer ignores house" in answer.text


def test_other_units_hide_what_is_behind_them(setup: Setup, tin: Any) -> None:
    between = dataclasses.replace(
        setup.units[0],
        muster=dataclasses.replace(setup.units[0].muster, at=(36.0, 18.0), on_height=2.0),
    )
    moved = dataclasses.replace(setup, units=(between, *setup.units[1:]))

    answer = seen(moved, tin, "bear", "lancers")

    assert [each.entity for each in answer.hiding] == ["guards"]
    assert answer.hiding[0].share == pytest.approx(1 - answer.visible_share)
    assert 0 < answer.members_seen < answer.members
    assert 0 < answer.visible_share < 1


def test_who_stands_on_a_hill_stands_on_its_top(setup: Setup, tin: Any) -> None:
    hill = feature_of("hill", "hill", box(15, 20, 45, 30), height=4)
    solids = solids_of(Battle(with_features(setup, hill), tin, 0))

    assert set(solids.bodies.base[solids.members(2)]) == {4.0}
    assert set(solids.bodies.base[solids.members(0)]) == {0.0}
    assert solids.stood_in(2) == []


def test_hills_upon_hills_carry_each_other_however_many_there_are(setup: Setup, tin: Any) -> None:
    steps = [feature_of(f"step {n}", "hill", box(15, 20, 45, 30), height=0.5) for n in range(40)]
    solids = solids_of(Battle(with_features(setup, *steps), tin, 0))

    assert solids.bodies.base[solids.features >= 0].tolist() == [n / 2 for n in range(40)]


def test_everyone_is_asked_with_the_scenarios_own_rules_first(setup: Setup, tin: Any) -> None:
    scenario = Scenario(
        name="nursery", path=None, text="", summary="", setup=setup, system=tin, entries={},
        files={}, systems={"emlia": EMLIA, "tin": tin},
    )  # fmt: skip

    answers = scenario.sight("guards", "sailors", "all", damage=3)

    assert list(answers) == ["tin", "emlia", "true"]
    assert {name: answer.rules for name, answer in answers.items()} == {
        name: name for name in answers
    }
    own, emlia, plain = answers.values()
    assert isinstance(own, SightAnswer)
    assert isinstance(emlia, SightAnswer)
    assert isinstance(plain, GeometricAnswer)
    # Half a metre for a GSU of Tin, two for one of Emlia; a height unit 1 m, and 1.83 m.
    assert emlia.distance == pytest.approx(plain.distance / 4, rel=0.01)
    assert emlia.observer_height == pytest.approx(1 / 1.83)
    assert emlia.damage == 3
    assert "This is a battle of Tin" in emlia.text
    assert "guards as 12 of size 0.12 and height 0.55" in emlia.text
    assert scenario.sight("guards", "sailors", "emlia", damage=3) == emlia
    assert scenario.sight("guards", "sailors", "true") == plain


def test_a_group_without_members_of_its_own_is_not_looked_at(setup: Setup, tin: Any) -> None:
    muster = dataclasses.replace(setup.units[0].muster, members=0, files=1)
    empty = dataclasses.replace(setup.units[0], muster=muster)
    scenario = Scenario(
        name="nursery", path=None, text="", summary="", system=tin, entries={}, files={},
        setup=dataclasses.replace(setup, units=(empty, *setup.units[1:])), systems={"tin": tin},
    )  # fmt: skip

    with pytest.raises(Error, match="guards has no members of its own"):
        scenario.sight("bear", "guards", "true")


def test_a_toy_is_asked_about_an_emlia_battle_by_metres(tin: Any) -> None:
    import emlia3d

    scenario = emlia3d.load("bandits", {"emlia": EMLIA, "tin": tin})

    answers = scenario.sight("archers", "bandits", "all")

    assert list(answers) == ["emlia", "tin", "true"]
    assert answers["tin"].distance == pytest.approx(2 * answers["emlia"].distance)
    assert answers["tin"].text == "bandits of Emlia is taken for a toy 0.915 m high."


def test_facts_are_of_those_who_are_there(setup: Setup, fresh) -> None:
    battle = fresh()
    facts = facts_of(battle)

    assert [unit.name for unit in facts.units] == ["guards", "lancers", "sailors", "bear"]
    assert [unit.height for unit in facts.units] == [1.0] * 4
    assert [unit.drill.count for unit in facts.units] == [12, 5, 9, 1]
    assert facts.rules == "Tin"
