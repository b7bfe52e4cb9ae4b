"""Aimed Fire as it is played: who may shoot at what, the dice, and the hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.resolution.allocation import markers_by_row
from emlia3d.rules.emlia.play.sight.watch import UNKNOWN, watch_of
from emlia3d.rules.emlia.play.turn import activation
from tests.rules.emlia.troops import AIMED_LONGBOW

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

RIFLE = {"name": "Rifle", "base_damage": 3, "range": (20, 40, 60)}


def shooter(**more: Any) -> dict[str, Any]:
    skills = {"aimed fire": "1", "close combat": "1"}
    return {"at": (100, 50), "weapons": (RIFLE,), "skills": skills, **more}


def enemy(gap: float, **more: Any) -> dict[str, Any]:
    """One man, *gap* GSU in front of the shooter's footprint."""
    return {"side": "Bob", "at": (100, 51 + gap), "facing": 180, **more}


def shot(battle: Battle, play: Play, verb: str = "fire", face: int = 6) -> Any:
    order = Order(verb=verb, unit=0, target=1, number=0)
    (event,) = play(battle, shooting.aim_and_fire(battle, 0, order), dice=[face])
    return event


def offered(battle: Battle, unit: int = 0) -> set[str]:
    return {order.verb for order in shooting.options(battle, unit)}


@pytest.mark.rule("emlia.fire")
@pytest.mark.parametrize(("gap", "modifier"), [(18, 0), (20, 0), (30, -2), (40, -2), (50, -4)])
def test_each_range_band_that_the_target_is_beyond_costs_two(
    field_of_battle: Build, play: Play, gap: float, modifier: int
) -> None:
    battle = field_of_battle(shooter(), enemy(gap))

    assert shot(battle, play).facts["modifier"] == modifier


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

    assert (event.facts["modifier"], event.facts["successes"]) == (-7, hits)


@pytest.mark.rule("emlia.fire")
def test_nobody_shoots_at_those_in_total_cover(field_of_battle: Build) -> None:
    rampart = {"kind": "wall", "height": 2, "box": (80, 79, 120, 80)}

    assert offered(field_of_battle(shooter(), enemy(30), terrain=[rampart])) == set()


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

    orders = shooting.options(battle, 0)

    assert sorted({order.target for order in orders}) == targets
    found = watch_of(battle).so_far([0], [1])[0, 0] != UNKNOWN
    assert bool(found) is bool(targets)


@pytest.mark.rule("emlia.fire")
def test_those_in_range_are_looked_at_together_with_whoever_is_looked_at_next(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(shooter(), enemy(30), enemy(80))
    watch = watch_of(battle)

    shooting.foresee(battle, 0)

    assert watch.so_far([0], [1])[0, 0] == UNKNOWN
    watch.level(1, 2)
    assert watch.so_far([0], [1])[0, 0] != UNKNOWN
    assert watch.so_far([0], [2])[0, 0] == UNKNOWN


@pytest.mark.rule("emlia.fire")
def test_those_in_range_are_looked_at_again_with_whoever_is_looked_at_after_a_move(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(shooter(), enemy(30), enemy(80))
    shooting.foresee(battle, 0)
    there = Place(unit=0, x=104, y=50, facing=0, formation=Formation.RANKED, files=1)

    battle.happen(Event(name="test", changes=(there,)))

    watch = watch_of(battle)
    assert watch.so_far([0], [1])[0, 0] == UNKNOWN
    watch.level(1, 2)
    assert watch.so_far([0], [1])[0, 0] != UNKNOWN
    assert watch.so_far([0], [2])[0, 0] == UNKNOWN


@pytest.mark.rule("emlia.fire", "emlia.skill.improvise")
def test_a_unit_without_the_skill_may_try_with_one_die_at_minus_four(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shooter(skills={}, members=5, at=(100, 48)), enemy(10))

    event = shot(battle, play)

    assert (event.facts["dice"], event.facts["modifier"]) == (1, -4)


@pytest.mark.rule("emlia.fire.forfeit-move")
def test_aiming_is_worth_two_and_takes_the_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shooter(), enemy(10))

    event = shot(battle, play, "aim")

    assert event.facts["modifier"] == 2
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

    assert shot(battle, play).facts["base_damage"] == base_damage


@pytest.mark.rule("emlia.elev.downhill", "emlia.elev.dh")
def test_shooting_downhill_lengthens_the_last_band_alone(
    field_of_battle: Build, play: Play
) -> None:
    on_top = shooter(weapons=(AIMED_LONGBOW,), on_height=9)

    assert shot(field_of_battle(on_top, enemy(125)), play).facts["band"] == "long"
    assert shot(field_of_battle(on_top, enemy(45)), play).facts["band"] == "medium"
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

    assert shot(battle, play).facts["distance"] == 59


@pytest.mark.rule("emlia.primary.elevation-row")
@pytest.mark.parametrize(("step", "modifier"), [(0.5, 1), (0.25, 0)])
def test_half_a_height_unit_is_elevation(
    field_of_battle: Build, play: Play, step: float, modifier: int
) -> None:
    battle = field_of_battle(shooter(on_height=step), enemy(10))

    assert shot(battle, play).facts["modifier"] == modifier


@pytest.mark.rule("emlia.move.double-pace")
def test_after_double_pace_a_shot_has_minus_six(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(shooter(), enemy(10))
    put(battle, 0, move_used=1, double_paced=1)

    assert shot(battle, play).facts["modifier"] == -6


def test_a_house_rule_puts_another_modifier_in_a_row(field_of_battle: Build, play: Play) -> None:
    house = {"rows": {"emlia.fire.mod.outside-short": -5}}
    battle = field_of_battle(shooter(), enemy(50), house=house)

    assert shot(battle, play).facts["modifier"] == -5 - 2


def brawl(field_of_battle: Build, *, friends: int = 1, **friend: Any) -> Battle:
    """A shooter of two dice, 30 GSU before an enemy who fights hand to hand with friends of his."""
    rifles = shooter(skills={"aimed fire": "2"})
    file = {"members": friends, "files": 1, "formation": "close"}
    return field_of_battle(rifles, enemy(30), {"at": (101.5, 81), **file, **friend})


def shots_at_the_brawl(
    battle: Battle, play: Play, verb: str = "fire"
) -> tuple[Any, dict[int, int]]:
    """The shot, both dice hits, and who takes how many of them."""
    order = Order(verb=verb, unit=0, target=1, number=0)
    (event,) = play(battle, shooting.aim_and_fire(battle, 0, order), dice=[12, 12])
    taken: dict[int, int] = {}

    def asked() -> Any:
        for row, markers in (yield from markers_by_row(battle)).items():
            taken[row] = sum(marker.hits for marker in markers)

    play(battle, asked())
    return event, taken


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.hits.skirmish")
def test_who_shoots_at_one_in_a_fight_shoots_at_all_of_it_friends_included(
    field_of_battle: Build, play: Play
) -> None:
    event, taken = shots_at_the_brawl(brawl(field_of_battle), play)

    assert event.facts["modifier"] == -2
    assert taken == {1: 1, 2: 1}


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.mixed.check-against.scope")
def test_a_fight_is_met_with_one_modifier_out_of_those_against_each_in_it(
    field_of_battle: Build, play: Play
) -> None:
    # Against the enemy -2; against the friend, who takes cover, -3: net -2 - 1.
    battle = brawl(field_of_battle, put={"taking_cover": 1})

    assert shots_at_the_brawl(battle, play)[0].facts["modifier"] == -3


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.fire.mod.focus-skirmish")
@pytest.mark.parametrize(
    ("friends", "modifier"),
    # Range -2, focus -2, of a skirmish -4; less than a quarter -1, less than a tenth -3.
    [(1, -8), (3, -8), (4, -9), (9, -9), (10, -12)],
)
def test_singling_out_one_in_a_fight_is_a_focus_and_hits_him_alone(
    friends: int, modifier: int, field_of_battle: Build, play: Play
) -> None:
    battle = brawl(field_of_battle, friends=friends, at=(101.5, 81 + 0.75 * (friends - 1)))

    event, taken = shots_at_the_brawl(battle, play, "fire-focused")

    assert event.facts["modifier"] == modifier
    assert sum(taken.values()) == taken.get(1, 0) == event.facts["successes"]


@pytest.mark.rule("emlia.fire.at-skirmish")
def test_a_fight_is_as_near_as_the_nearest_in_it_and_one_by_himself_has_no_focus(
    field_of_battle: Build, play: Play
) -> None:
    near = brawl(field_of_battle, at=(101.5, 80))
    alone = field_of_battle(shooter(), enemy(30))

    assert offered(near) == {"aim", "fire", "aim-focused", "fire-focused"}
    assert offered(alone) == {"aim", "fire"}
    assert shots_at_the_brawl(near, play)[0].facts["distance"] == 29.0


@pytest.mark.rule("emlia.primary.focus", "emlia.fire.mod.focus")
@pytest.mark.parametrize(
    ("few", "among", "modifier"), [(3, 10, -2), (2, 10, -3), (1, 11, -6), (1, 10, -3)]
)
def test_singling_out_a_subunit_costs_by_its_share(
    field_of_battle: Build, play: Play, few: int, among: int, modifier: int
) -> None:
    line = {"side": "Bob", "formation": "ranked", "facing": 180}
    rest = among - few
    battle = field_of_battle(
        shooter(),
        {**line, "name": "rest", "members": rest, "files": rest, "front": (95 + rest / 2, 60)},
        {**line, "group": "rest", "members": few, "files": few,
         "front": (95 + rest + few / 2, 60)},
    )  # fmt: skip
    order = Order(verb="fire-focused", unit=0, target=2, number=0)

    (event,) = play(battle, shooting.aim_and_fire(battle, 0, order), dice=[6])

    assert event.facts["modifier"] == modifier


@pytest.mark.rule("emlia.mixed.check-against")
def test_a_mixed_unit_is_shot_at_with_one_modifier_out_of_those_against_its_parts(
    field_of_battle: Build, play: Play
) -> None:
    """Ten take cover; so does one man, behind a hedge besides; five and three stand openly."""
    open_order = {"side": "Bob", "facing": 180, "formation": "open"}
    battle = field_of_battle(
        shooter(),
        {**open_order, "name": "B", "members": 10, "files": 10, "at": (100, 60),
         "put": {"taking_cover": 1}},
        {**open_order, "group": "B", "at": (114, 64), "put": {"taking_cover": 1}},
        {**open_order, "group": "B", "members": 5, "files": 5, "at": (88, 60)},
        {**open_order, "group": "B", "members": 3, "files": 3, "at": (110, 60)},
        terrain=[{"kind": "hedge", "height": 1, "box": (113, 62, 115, 62.5)}],
    )  # fmt: skip

    event = shot(battle, play)

    # From 0 and the five: down for the ten, and not for the one.
    assert event.facts["modifier"] == -1
