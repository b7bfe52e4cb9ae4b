"""Aimed Fire as it is played: who may shoot at what, the dice, and the hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair, Place
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.sight.sight_cache import UNKNOWN, sight_cache_of
from emlia3d.rules.emlia.play.turn import activation
from tests.rules.emlia.riflemen import RIFLE, enemy, offered, shooter, shot
from tests.rules.emlia.troops import AIMED_LONGBOW

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.fire")
@pytest.mark.parametrize(("gap", "modifier"), [(18, 0), (20, 0), (30, -2), (40, -2), (50, -4)])
def test_each_range_band_that_the_target_is_beyond_costs_two(
    field_of_battle: Build, play: Play, gap: float, modifier: int
) -> None:
    battle = field_of_battle(shooter(), enemy(gap))

    assert shot(battle, play).facts.modifier == modifier


@pytest.mark.rule("emlia.fire")
@pytest.mark.rule("emlia.equip.ranged")
def test_nobody_shoots_beyond_the_longest_range(field_of_battle: Build) -> None:
    assert offered(field_of_battle(shooter(), enemy(60))) == {"aim", "fire"}
    assert offered(field_of_battle(shooter(), enemy(61))) == set()


@pytest.mark.rule("emlia.fire")
@pytest.mark.rule("emlia.cover.source", "emlia.cover.implies-concealment")
@pytest.mark.parametrize(("face", "hits"), [(11, 0), (12, 1)])
def test_a_man_who_takes_cover_behind_a_wall_at_medium_range_is_hit_on_a_natural_twelve(
    field_of_battle: Build, play: Play, face: int, hits: int
) -> None:
    wall = {"kind": "wall", "box": (80, 79, 120, 80)}
    battle = field_of_battle(shooter(), enemy(30, states=("taking cover",)), terrain=[wall])

    event = shot(battle, play, "aim", face)

    assert (event.facts.modifier, event.facts.successes) == (-7, hits)


@pytest.mark.rule("emlia.fire")
def test_nobody_shoots_at_those_in_total_cover(field_of_battle: Build) -> None:
    rampart = {"kind": "wall", "height": 2, "box": (80, 79, 120, 80)}

    assert offered(field_of_battle(shooter(), enemy(30), terrain=[rampart])) == set()


@pytest.mark.rule("emlia.fire", "emlia.cover.per-attack", "emlia.aware.state")
@pytest.mark.parametrize(("hits", "slug"), [(None, "emlia.fire"), (4, "emlia.fire"), (3, None)])
def test_an_enemy_out_of_sight_that_was_pointed_out_is_shot_at_through_what_stops_no_shot(
    field_of_battle: Build, hits: int | None, slug: str | None
) -> None:
    wall = {"kind": "rock", "box": (80, 60, 120, 62), "height": 3, "hits": hits}
    battle = field_of_battle(shooter(), enemy(18), terrain=[wall])
    told = (Pair(column="acquired", a=0, b=1, value=9),)
    battle.happen(Event(facts=Unread(event="told"), changes=told))

    refusal = shooting.may_aim(battle, 0, 1, 0)

    assert (None if refusal is None else refusal.slug) == slug


@pytest.mark.rule("emlia.fire", "emlia.cover.per-attack")
@pytest.mark.parametrize(("damage", "slug"), [(3, None), (2, "emlia.fire")])
def test_of_a_mixed_unit_one_subunit_that_shoots_through_the_cover_is_enough(
    field_of_battle: Build, damage: int, slug: str | None
) -> None:
    """A rock that 3 hits destroy is no cover against a base damage of 3."""
    rock = {"kind": "rock", "box": (80, 60, 120, 62), "height": 3, "hits": 3}
    weak, strong = ({**RIFLE, "base_damage": each} for each in (1, damage))
    company = {**shooter(), "name": "company", "weapons": [weak]}
    part = {**shooter(), "group": "company", "front": (102, 50.5), "weapons": [strong]}
    del part["at"]
    battle = field_of_battle(company, enemy(18), part, terrain=[rock])
    told = (Pair(column="acquired", a=0, b=1, value=9),)
    battle.happen(Event(facts=Unread(event="told"), changes=told))

    refusal = shooting.may_aim(battle, 0, 1, 0)

    assert (None if refusal is None else refusal.slug) == slug


@pytest.mark.rule("emlia.action.subject-awareness")
def test_nobody_shoots_at_those_whom_he_cannot_see_though_his_bullets_would_go_through(
    field_of_battle: Build,
) -> None:
    board = {"kind": "building", "height": 2, "hits": 1, "box": (80, 79, 120, 80)}

    assert offered(field_of_battle(shooter(), enemy(30), terrain=[board])) == set()


@pytest.mark.rule("emlia.fire", "emlia.engage.restrictions")
def test_a_unit_that_is_engaged_does_not_shoot(field_of_battle: Build) -> None:
    battle = field_of_battle(shooter(), enemy(1), enemy(30))

    assert offered(battle) == set()


@pytest.mark.rule("emlia.engage.asymmetric", "emlia.engage.restrictions")
def test_of_two_only_he_who_lies_in_the_other_s_reach_may_not_shoot(field_of_battle: Build) -> None:
    pike = {"name": "Pike", "base_damage": 1, "abilities": ("reach 1",)}
    skills = {"aimed fire": "1"}
    battle = field_of_battle(
        shooter(weapons=(RIFLE, pike)), enemy(1.5, weapons=(RIFLE,), skills=skills)
    )

    assert offered(battle, 0) == {"aim", "fire"}
    assert offered(battle, 1) == set()


@pytest.mark.rule("emlia.fire")
@pytest.mark.parametrize(("gap", "targets"), [(59, [1]), (70, [])])
def test_who_fights_is_looked_at_only_where_somebody_of_the_fight_is_in_range(
    field_of_battle: Build, gap: float, targets: list[int]
) -> None:
    battle = field_of_battle(
        shooter(), enemy(gap + 1.5), {"at": (100, 51 + gap), "members": 1},
    )  # fmt: skip

    orders = shooting.shooting_options(battle, 0)

    assert sorted({order.target for order in orders}) == targets
    found = sight_cache_of(battle).so_far([0], [1])[0, 0] != UNKNOWN
    assert bool(found) is bool(targets)


@pytest.mark.rule("emlia.fire")
def test_those_in_range_are_looked_at_together_with_whoever_is_looked_at_next(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(shooter(), enemy(30), enemy(80))
    sight_cache = sight_cache_of(battle)

    shooting.foresee(battle, 0)

    assert sight_cache.so_far([0], [1])[0, 0] == UNKNOWN
    sight_cache.level(1, 2)
    assert sight_cache.so_far([0], [1])[0, 0] != UNKNOWN
    assert sight_cache.so_far([0], [2])[0, 0] == UNKNOWN


@pytest.mark.rule("emlia.fire")
def test_those_in_range_are_looked_at_again_with_whoever_is_looked_at_after_a_move(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(shooter(), enemy(30), enemy(80))
    shooting.foresee(battle, 0)
    there = Place(unit=0, x=104, y=50, facing=0, formation=Formation.RANKED, files=1)

    battle.happen(Event(facts=Unread(event="test"), changes=(there,)))

    sight_cache = sight_cache_of(battle)
    assert sight_cache.so_far([0], [1])[0, 0] == UNKNOWN
    sight_cache.level(1, 2)
    assert sight_cache.so_far([0], [1])[0, 0] != UNKNOWN
    assert sight_cache.so_far([0], [2])[0, 0] == UNKNOWN


@pytest.mark.rule("emlia.fire", "emlia.skill.improvise")
def test_a_unit_without_the_skill_may_try_with_one_die_at_minus_four(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shooter(skills={}, members=5, at=(100, 48)), enemy(10))

    event = shot(battle, play)

    assert (event.facts.dice, event.facts.modifier) == (1, -4)


@pytest.mark.rule("emlia.fire.forfeit-move")
def test_aiming_is_worth_two_and_takes_the_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shooter(), enemy(10))

    event = shot(battle, play, "aim")

    assert event.facts.modifier == 2
    verbs = {order.verb for order in activation.options_of(battle, 0)}
    assert not verbs & {"move", "double-pace", "fire", "aim"}


@pytest.mark.rule("emlia.fire.forfeit-move", "emlia.activate.two-actions")
def test_a_unit_that_has_moved_shoots_without_aiming(field_of_battle: Build, put: Any) -> None:
    battle = field_of_battle(shooter(), enemy(10))
    put(battle, 0, move_used=1)

    assert offered(battle) == {"fire"}


@pytest.mark.rule("emlia.fire.forfeit-move", "emlia.activate.two-actions")
def test_a_unit_that_fires_may_still_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shooter(), enemy(10))

    shot(battle, play, "fire")

    verbs = {order.verb for order in activation.options_of(battle, 0)}
    assert "move" in verbs
    assert not verbs & {"fire", "aim"}


@pytest.mark.rule("emlia.fire.success", "emlia.hits.marker")
def test_each_success_is_one_hit_at_the_weapon_s_base_damage(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shooter(skills={"aimed fire": "4"}), enemy(10))
    order = Order(verb="fire", unit=0, target=1, number=0)

    play(battle, shooting.aim_and_fire(battle, 0, order), dice=[4, 5, 12, 1])

    markers = battle.state.lists["marker"]
    columns = ("subject", "attacker", "base_damage", "hits")
    assert [markers.integer(column, 0) for column in columns] == [1, 0, 3, 2]


@pytest.mark.rule("emlia.fire.success")
def test_without_a_success_nothing_happens(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shooter(), enemy(10))

    shot(battle, play, face=4)

    assert len(battle.state.lists["marker"]) == 0


@pytest.mark.rule("emlia.equip.large-falloff")
@pytest.mark.parametrize(("gap", "base_damage"), [(40, 3), (60, 2), (100, 1)])
def test_arrows_hurt_less_from_farther_away(
    field_of_battle: Build, play: Play, gap: float, base_damage: int
) -> None:
    battle = field_of_battle(shooter(weapons=(AIMED_LONGBOW,)), enemy(gap))

    assert shot(battle, play).facts.base_damage == base_damage


@pytest.mark.rule("emlia.elev.downhill", "emlia.elev.dh")
def test_shooting_downhill_lengthens_the_last_band_alone(
    field_of_battle: Build, play: Play
) -> None:
    on_top = shooter(weapons=(AIMED_LONGBOW,), on_height=9)

    assert shot(field_of_battle(on_top, enemy(125)), play).facts.band == "long"
    assert shot(field_of_battle(on_top, enemy(45)), play).facts.band == "medium"
    assert offered(field_of_battle(on_top, enemy(129))) == {"aim", "fire"}
    assert offered(field_of_battle(on_top, enemy(130))) == set()


@pytest.mark.rule("emlia.elev.downhill", "emlia.elev.dh")
@pytest.mark.parametrize(("gap", "verbs"), [(48, {"aim", "fire"}), (49, set())])
def test_from_high_enough_one_shoots_farther_than_twice_the_longest_range(
    field_of_battle: Build, gap: float, verbs: set[str]
) -> None:
    sling = {"name": "Sling", "base_damage": 1, "range": (4, 6, 8)}

    assert offered(field_of_battle(shooter(weapons=(sling,), on_height=40), enemy(gap))) == verbs


@pytest.mark.rule("emlia.elev.uphill")
def test_shooting_uphill_adds_the_height_to_the_distance(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        shooter(weapons=(AIMED_LONGBOW,), on_height=1), enemy(50, on_height=10)
    )

    assert shot(battle, play).facts.distance == 59


@pytest.mark.rule("emlia.primary.elevation-row")
@pytest.mark.parametrize(("step", "modifier"), [(0.5, 1), (0.25, 0)])
def test_half_a_height_unit_is_elevation(
    field_of_battle: Build, play: Play, step: float, modifier: int
) -> None:
    battle = field_of_battle(shooter(on_height=step), enemy(10))

    assert shot(battle, play).facts.modifier == modifier


@pytest.mark.rule("emlia.move.double-pace")
def test_after_double_pace_a_shot_has_minus_six(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(shooter(), enemy(10))
    put(battle, 0, move_used=1, double_paced=1)

    assert shot(battle, play).facts.modifier == -6


def test_a_house_rule_puts_another_modifier_in_a_row(field_of_battle: Build, play: Play) -> None:
    house = {"rows": {"emlia.fire.mod.outside-short": -5}}
    battle = field_of_battle(shooter(), enemy(50), house=house)

    assert shot(battle, play).facts.modifier == -5 - 2
