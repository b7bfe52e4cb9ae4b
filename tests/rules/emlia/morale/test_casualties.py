"""Hits become damage and damage losses, in a resolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.force import FORMATIONS
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.acting import checks
from emlia3d.rules.emlia.play.morale import casualties
from tests.rules.emlia.hitting import ATTACKER, crowd, damage, hit, members, resolve

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.damage.step", "emlia.damage.examples", "emlia.attr.damage-limit")
def test_four_points_kill_four_militiamen(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1))
    hit(battle, 4, base_damage=1)

    resolve(battle, play)

    assert members(battle) == 6


@pytest.mark.rule("emlia.form.all")
@pytest.mark.parametrize(("hits", "formation"), [(8, "ranked"), (9, "close")])
def test_one_man_left_alone_stands_in_ranks_no_more(
    hits: int, formation: str, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, formation="ranked"))
    hit(battle, hits)

    resolve(battle, play)

    assert members(battle) == 10 - hits
    assert FORMATIONS[battle.state.units.integer("formation", 1)] == formation


@pytest.mark.rule("emlia.damage.step", "emlia.damage.per-group")
def test_remainders_of_a_group_are_lost(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=3))
    hit(battle, 7, base_damage=1)
    hit(battle, 2, base_damage=0)
    hit(battle, 1, base_damage=2, attacker=0)

    resolve(battle, play)

    assert members(battle) == 10 - 3 - 0 - 1


@pytest.mark.rule("emlia.damage.per-group")
def test_hits_of_equal_base_damage_are_one_group_whoever_dealt_them(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=2), {"at": (110, 50)})
    hit(battle, 1, attacker=0)
    hit(battle, 1, attacker=2)

    resolve(battle, play)

    assert members(battle) == 9


@pytest.mark.rule("emlia.damage.per-group", "emlia.equip.armour-piercing")
def test_hits_that_pierce_armour_are_a_group_of_their_own(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1, armour=2))
    hit(battle, 2, armour=Armour.COUNTS)
    hit(battle, 2, armour=Armour.PIERCED)
    hit(battle, 2, armour=Armour.IGNORED)

    resolve(battle, play)

    assert members(battle) == 10 - 0 - 1 - 2


@pytest.mark.rule("emlia.damage.carry")
def test_damage_short_of_a_limit_counts_later(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1, damage_limit=3))

    hit(battle, 5, base_damage=0)
    resolve(battle, play)
    assert (members(battle), damage(battle)) == (9, 2)

    hit(battle, 1, base_damage=0)
    resolve(battle, play)
    assert (members(battle), damage(battle)) == (8, 0)


@pytest.mark.rule("emlia.damage.examples", "emlia.skill.level-diminish")
def test_a_dragon_with_nine_wounds_has_eight_dice_and_with_twenty_none(
    field_of_battle: Build, play: Play
) -> None:
    skills = {"close combat": "10/4"}
    dragon = {"at": (100, 120), "side": "Bob", "damage_limit": 20, "skills": skills}
    battle = field_of_battle(ATTACKER, dragon)

    hit(battle, 9)
    resolve(battle, play)
    assert checks.attempt_of(battle, 1, "close combat").dice == 8

    hit(battle, 11)
    resolve(battle, play)
    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.damage.unit-destroyed", "emlia.morale.pos.wipes-out")
def test_a_unit_without_members_is_removed_and_counts_as_wiped_out(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(3))
    hit(battle, 3)

    events = resolve(battle, play)

    assert events[0].name == "destroyed"
    assert battle.state.units.value("present", 1) == 0
    swayed = next(event for event in events if event.unit == 0)
    assert "emlia.morale.pos.wipes-out" in swayed.because


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_ranks_close_up_from_the_rear_when_men_fall(field_of_battle: Build, play: Play) -> None:
    ranked = {"formation": "ranked", "members": 10, "files": 5, "front": (100, 100), "facing": 180}
    battle = field_of_battle(ATTACKER, {**ranked, "side": "Bob"})
    hit(battle, 3)

    resolve(battle, play)

    slots = battle.state.figures.ints("slot")[1:]
    assert sorted(slots[slots >= 0].tolist()) == list(range(7))
    assert battle.state.units.integer("files", 1) == 5


@pytest.mark.rule("emlia.damage.casualty-choice")
@given(losses=st.lists(st.integers(0, 6), min_size=1, max_size=6), stretch=st.integers(0, 99))
def test_those_who_fall_are_so_many_standing_men_of_the_unit(
    field_of_battle: Build, losses: list[int], stretch: int
) -> None:
    battle = field_of_battle(ATTACKER, crowd(24), crowd(7, x=150))
    battle.state.stretch = stretch
    standing = set(range(1, 25))
    for loss in losses:
        count = min(loss, len(standing))
        if not count:
            continue

        fallen = casualties.fallen(battle, 1, count)

        assert len(fallen) == len(set(fallen)) == count
        assert set(fallen) <= standing
        standing -= set(fallen)
        changes = (casualties.Fall(unit=1, figures=fallen),)
        battle.happen(Event(facts=Unread(event="fell"), changes=changes))
