"""Chapters 0, 1 and 4 in play: which text goes first, what may be measured, who acts on whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.morale.leading import subjects_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate, options_of
from tests.rules.emlia.riflemen import BOB, RIFLE, SHOOTER, shot

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.meta.authority")
def test_a_scenarios_rule_goes_before_an_actions_block(field_of_battle: Build, play: Play) -> None:
    target = {**BOB, "at": (50, 45)}
    house = {"rows": {"emlia.fire.mod.outside-short": -6}}

    printed = shot(field_of_battle(SHOOTER, target), play)
    changed = shot(field_of_battle(SHOOTER, target, house=house), play)

    assert (printed.facts.modifier, changed.facts.modifier) == (-2, -6)


@pytest.mark.rule("emlia.meta.silence")
def test_lying_down_does_what_the_text_says_and_nothing_else(
    field_of_battle: Build, play: Play
) -> None:
    target = {**BOB, "at": (50, 25)}
    standing = field_of_battle(SHOOTER, target)
    lying = field_of_battle({**SHOOTER, "states": ("prone",)}, target)

    assert situation_of(lying).height(0) == situation_of(standing).height(0) / 2
    assert speed_of(lying, 0) == speed_of(standing, 0)
    assert shot(lying, play).facts.modifier == shot(standing, play).facts.modifier


@pytest.mark.rule("emlia.meta.plan-distance", "emlia.measure.any-time")
def test_a_tower_takes_nobody_out_of_earshot(field_of_battle: Build) -> None:
    leader = {"at": (50, 50), "on_height": 300, "skills": {"leadership": "1"}}
    battle = field_of_battle(leader, {"at": (65, 50)}, BOB)

    assert situation_of(battle).distance(0, 1) == pytest.approx(14.0, abs=0.1)
    assert subjects_of(battle, 0) == [0, 1]


@pytest.mark.rule("emlia.measure.any-time")
def test_measuring_gives_nothing_away_and_changes_nothing(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "box": (0, 100, 200, 102), "height": 20}
    battle = field_of_battle({"at": (50, 50)}, BOB, terrain=[wall])
    before = battle.state.key_frame()

    assert situation_of(battle).distance(0, 1) == pytest.approx(139, abs=0.1)
    assert battle.state.key_frame() == before


@pytest.mark.rule("emlia.action.any-unit")
def test_any_unit_may_take_any_core_action_even_unskilled_and_unarmed(
    field_of_battle: Build,
) -> None:
    nobody = {"at": (50, 50), "movement": "15G"}
    shy = {"at": (55, 50), "put": {"morale": -1}}
    battle = field_of_battle(nobody, shy, {**BOB, "at": (50, 51.5)})

    verbs = {order.verb for order in options_of(battle, 0)}

    assert {
        "close-combat", "improve-morale", "improve-morale-primary", "ignore-initiative",
        "take-command", "drop-down",
    } <= verbs  # fmt: skip


@pytest.mark.rule("emlia.action.source-subject")
def test_an_event_names_who_acted_and_on_whom(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SHOOTER, {**BOB, "at": (50, 30)})

    event = shot(battle, play)

    assert (event.unit, event.target) == (0, 1)


@pytest.mark.rule("emlia.hits.marker.attacker")
def test_a_marker_says_who_laid_it_and_whether_he_was_seen(
    field_of_battle: Build, play: Play
) -> None:
    rock = {"kind": "rock", "box": (0, 20, 200, 22), "height": 0.9}
    battle = field_of_battle(SHOOTER, {**BOB, "at": (50, 30)}, terrain=[rock])

    shot(battle, play, face=12)

    markers = battle.state.lists["marker"]
    assert markers["attacker"].tolist() == [0]
    assert markers["unseen"].tolist() == [0]


@pytest.mark.rule("emlia.time.simultaneity")
def test_two_who_shoot_each_other_dead_in_one_step_both_shoot(
    field_of_battle: Build, play: Play
) -> None:
    deadly = {**RIFLE, "base_damage": 9}
    duellist = {"weapons": (deadly,), "skills": {"aimed fire": "1"}}
    battle = field_of_battle(
        {"at": (50, 10), **duellist}, {"at": (50, 30), "side": "Bob", "facing": 180, **duellist}
    )

    for unit in (0, 1):
        play(battle, activate(battle, unit), dice=[12], answers=["fire", ...])
    play(battle, phase.resolve(battle))

    units = battle.state.units
    assert [units.integer("members", unit) for unit in (0, 1)] == [0, 0]
