"""Chapter 20 as play: a unit tells its friends where an enemy is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.free_actions.sneaking import BOW, verbs

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]

LEADER: dict[str, Any] = {
    "at": (100, 40), "skills": {"leadership": "2", "aimed fire": "1"}, "weapons": [BOW],
}  # fmt: skip
BLIND: dict[str, Any] = {"at": (80, 40)}
SCREEN = {"kind": "building", "box": (60, 48, 92, 50)}


def pointed_at(battle: Battle, verb: str = "pass-awareness-primary") -> Order:
    return Order(verb=verb, unit=0, target=2)


def band(field_of_battle: Build, **more: Any) -> Battle:
    """A leader who sees an enemy, two friends behind a house who do not, one of them far off."""
    return field_of_battle(
        {**LEADER, **more}, BLIND, {"at": (100, 100), "side": "Bob"}, {"at": (70, 40)},
        terrain=[SCREEN],
    )  # fmt: skip


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.state")
def test_one_success_makes_all_friends_within_20_gsu_aware_of_the_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = band(field_of_battle)
    before = [is_aware(battle, unit, 2) for unit in (0, 1, 3)]

    events = play(battle, hiding.pass_awareness(battle, 0, pointed_at(battle)), dice=[5, 1])

    assert before == [True, False, False]
    assert [is_aware(battle, unit, 2) for unit in (0, 1, 3)] == [True, True, False]
    assert events[-1].facts.modifier == 0
    play(battle, activate(battle, 1), answers=["done"])
    assert not is_aware(battle, 1, 2)


@pytest.mark.rule("emlia.aware.pass")
def test_who_fails_to_point_out_an_enemy_tells_nobody(field_of_battle: Build, play: Play) -> None:
    battle = band(field_of_battle)

    play(battle, hiding.pass_awareness(battle, 0, pointed_at(battle)), dice=[4, 4])

    assert not is_aware(battle, 1, 2)


@pytest.mark.rule("emlia.aware.pass")
@pytest.mark.parametrize(
    ("verb", "used"), [("pass-awareness", "move_used"), ("pass-awareness-primary", "primary_used")]
)
def test_pointing_out_is_a_move_or_a_primary_action(
    field_of_battle: Build, play: Play, verb: str, used: str
) -> None:
    battle = band(field_of_battle)

    play(battle, activate(battle, 0), dice=[1, 1], answers=[pointed_at(battle, verb), ...])

    units = battle.state.units
    spent = {name for name in ("move_used", "primary_used", "free_used") if units.value(name, 0)}
    assert spent == {used}


@pytest.mark.rule("emlia.aware.pass.free")
def test_pointing_out_is_free_after_a_shot_at_the_same_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = band(field_of_battle)
    before = "pass-awareness-free" in verbs(battle, 0)
    shot = Order(verb="aim", unit=0, target=2, number=0)

    answers = [shot, pointed_at(battle, "pass-awareness-free"), ...]
    play(battle, activate(battle, 0), dice=[1, 5, 1], answers=answers)

    assert not before
    assert is_aware(battle, 1, 2)
    assert "pass-awareness-free" not in verbs(battle, 0)


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.subject-rule")
def test_only_a_known_enemy_is_pointed_out_and_only_to_those_who_do_not_know_it(
    field_of_battle: Build,
) -> None:
    unknown = field_of_battle(
        {**LEADER, "at": (76, 40)}, BLIND, {"at": (76, 100), "side": "Bob"}, terrain=[SCREEN]
    )
    all_know = field_of_battle(LEADER, {"at": (110, 40)}, {"at": (100, 100), "side": "Bob"})

    assert "pass-awareness" not in verbs(unknown, 0)
    assert "pass-awareness" not in verbs(all_know, 0)


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.pass.free")
@pytest.mark.parametrize("shoots_first", [False, True])
def test_whom_of_some_a_unit_may_point_out_is_told_as_in_the_list(
    field_of_battle: Build, play: Play, *, shoots_first: bool
) -> None:
    battle = field_of_battle(
        LEADER, BLIND, {"at": (100, 100), "side": "Bob"}, {"at": (70, 40)},
        {"at": (76, 100), "side": "Bob"}, {"at": (60, 44), "side": "Bob"}, terrain=[SCREEN],
    )  # fmt: skip
    if shoots_first:
        shot = Order(verb="fire", unit=0, target=2, number=0)
        play(battle, shooting.aim_and_fire(battle, 0, shot), dice=[1])

    listed = [*hiding.pass_options(battle, 0)]

    asked = [
        Order(verb=verb, unit=unit, target=target)
        for verb in hiding.PASS_AWARENESS.verbs
        for unit in (0, 1)
        for target in (None, 1, 2, 4, 5)
    ]
    assert listed
    assert hiding.among_pass_options(battle, 0, asked) == listed
    assert [one for one in asked if hiding.among_pass_options(battle, 0, [one])] == listed
    assert hiding.among_pass_options(battle, 0, [replace(listed[0], number=1)]) == []


@pytest.mark.rule("emlia.aware.pass", "emlia.lead.leader")
@pytest.mark.parametrize("leader", [-1, -2, 1])
def test_only_a_leader_of_its_own_points_out_enemies(field_of_battle: Build, leader: int) -> None:
    """Unit 0 is led by one of its own, by nobody any more, or by a friend."""
    battle = band(field_of_battle, put={"leader": leader})
    order = pointed_at(battle)

    listed = [*hiding.pass_options(battle, 0)]

    assert (order in listed) is (leader == -1)
    assert hiding.among_pass_options(battle, 0, [order]) == [one for one in listed if one == order]
