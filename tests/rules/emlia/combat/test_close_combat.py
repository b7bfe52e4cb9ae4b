"""Close Combat as it is played: who strikes whom, with how many dice, and with what weapon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import close_combat, melee_orders
from emlia3d.rules.emlia.play.situation.contact import melee_of
from emlia3d.rules.emlia.play.turn import activation, phase
from emlia3d.rules.emlia.tables.melee import MeleeNumbers
from tests.rules.emlia.combat.blows import blow, man, strike
from tests.rules.emlia.troops import ranked, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

SWORD = {"name": "Sword", "base_damage": 1}
HALBERD = {"name": "Halberd", "base_damage": 2}
SPEAR = {"name": "Spear", "base_damage": 1, "abilities": ("reach 1",)}


@pytest.mark.rule("emlia.melee.outnumber", "emlia.ranked.engaged-members")
@pytest.mark.parametrize(
    ("mine", "other", "numbers", "row"),
    [
        ((5, 5), (5, 4), (5, 5), False),
        ((5, 2), (4, 4), (5, 4), True),
        ((5, 5), (4, 4), (5, 4), True),
    ],
)
def test_in_ranked_combat_those_in_reach_are_counted(
    field_of_battle: Build,
    play: Play,
    mine: tuple[int, int],
    other: tuple[int, int],
    numbers: tuple[int, int],
    row: bool,
) -> None:
    skills = {"close combat": "1"}
    battle = field_of_battle(ranked(*mine, (100, 100), skills=skills), theirs(*other, (100, 101)))

    event = blow(battle, play)

    assert event.facts.numbers == numbers
    assert event.facts.modifier == (1 if row else 0)
    assert ("emlia.melee.mod.outnumbered" in event.because) is row


@pytest.mark.rule("emlia.ranked.engaged-members", "emlia.ranked.rear-ranks", "emlia.equip.reach")
def test_a_second_rank_of_spears_fights_too(field_of_battle: Build, play: Play) -> None:
    spears = ranked(5, 5, (100, 100), skills={"close combat": "1"}, weapons=(SPEAR,))
    battle = field_of_battle(spears, theirs(4, 4, (100, 101)))

    event = blow(battle, play)

    assert event.facts.numbers == (10, 4)
    assert event.facts.modifier == 1 + 1


@pytest.mark.rule("emlia.ranked.engaged-members", "emlia.skill.able-members")
def test_men_who_reach_nobody_count_as_lost(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(5, 2, (100, 100)), theirs(5, 2, (100, 101)))

    (event,) = strike(battle, play, [1, 1, 1])

    assert event.facts.dice == 3


@pytest.mark.rule("emlia.ranked.engaged-members", "emlia.skill.improvise.diminished")
def test_a_deep_block_may_have_one_improvised_die_left(field_of_battle: Build, play: Play) -> None:
    deep = ranked(5, 5, (100, 100), skills={"close combat": "10/2"})
    battle = field_of_battle(deep, theirs(5, 5, (100, 101)))

    (event,) = strike(battle, play, [12])

    assert (event.facts.dice, event.facts.modifier) == (1, -4)


@pytest.mark.rule("emlia.melee.several-enemies", "emlia.melee.mod.on-multiple-fronts")
def test_one_action_strikes_enemies_in_front_and_on_the_left_each_with_those_in_reach(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(5, 4, (100, 100), skills={"close combat": "10/2"}),
        theirs(5, 1, (100, 101)),
        theirs(3, 1, (96.5, 97.25), facing=90),
    )

    front, left = strike(battle, play, [1] * 5)

    assert (front.target, front.facts.dice, front.facts.modifier) == (1, 3, -1)
    assert (left.target, left.facts.dice, left.facts.modifier) == (2, 2, -2)
    assert "emlia.melee.mod.to-flank" in left.because


@pytest.mark.rule("emlia.melee.several-enemies")
def test_a_player_may_name_one_of_several_enemies(field_of_battle: Build) -> None:
    battle = field_of_battle(
        ranked(5, 4, (100, 100)), theirs(5, 1, (100, 101)), theirs(3, 1, (96.5, 97.5), facing=90)
    )

    orders = melee_orders.melee_options(battle, 0)

    assert [order.target for order in orders if order.verb == "close-combat"] == [None, 1, 2]


@pytest.mark.rule("emlia.melee.several-enemies", "emlia.melee.outnumber")
def test_a_man_in_reach_of_two_enemies_is_one_man(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ranked(5, 1, (100, 100), skills={"close combat": "1*"}),
        theirs(3, 1, (98.5, 101)),
        theirs(3, 1, (101.5, 101)),
    )

    first, second = strike(battle, play, [1] * 5)

    assert (first.facts.dice, second.facts.dice) == (3, 2)
    assert close_combat.strengths_of(battle, 0, melee_of(battle, 0)) == MeleeNumbers(5, 6)


@pytest.mark.rule("emlia.melee.several-enemies")
def test_a_player_names_the_enemy_that_a_man_in_reach_of_two_strikes(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(5, 1, (100, 100), skills={"close combat": "1*"}),
        theirs(3, 1, (98.5, 101), name="left"),
        theirs(3, 1, (101.5, 101), name="right"),
    )
    options = melee_orders.melee_options(battle, 0)
    (order,) = (order for order in options if order.verb == "close-combat-first")

    first, second = play(battle, close_combat.close_combat(battle, 0, order), dice=[1] * 5)

    assert order.target == 2
    phrase = battle.system.words.phrase(battle, order)
    assert phrase == "close combat against all, first right"
    assert [(blow.target, blow.facts.dice) for blow in (first, second)] == [(2, 3), (1, 2)]


def test_no_enemy_is_named_that_no_man_shares_with_another(field_of_battle: Build) -> None:
    battle = field_of_battle(ranked(5, 1, (100, 100)), theirs(5, 1, (100, 101)))

    assert {order.verb for order in melee_orders.melee_options(battle, 0)} == {"close-combat"}


@pytest.mark.rule("emlia.melee.outnumber")
def test_several_attackers_count_together(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 100), skills={"close combat": "1"}),
        ranked(4, 1, (100, 103), facing=180),
        theirs(4, 1, (100, 101)),
    )

    event = blow(battle, play)

    assert event.facts.numbers == (8, 4)
    assert {"emlia.melee.mod.outnumbered", "emlia.melee.mod.outnumbered-2"} <= set(event.because)


@pytest.mark.rule("emlia.skirmish.side-as-mixed", "emlia.melee.outnumber")
def test_in_a_skirmish_one_check_is_made_against_the_whole_other_side(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        man(100, 100), man(101.5, 100, "Bob"), man(98.5, 100, "Bob"), man(103, 100)
    )

    event = blow(battle, play)

    assert event.facts.enemies == (1, 2)
    assert event.facts.numbers == (2, 2)
    assert battle.state.lists["party"].ints("unit").tolist() == [1, 2]


@pytest.mark.rule("emlia.skirmish.side")
def test_in_a_skirmish_of_three_forces_all_who_are_hostile_are_struck(
    field_of_battle: Build, play: Play
) -> None:
    sides = [
        Side(name="Alice", colour="#2a5caa"),
        Side(name="Bob", colour="#b03030", allies=("Carol",)),
        Side(name="Carol", colour="#30b030"),
    ]
    battle = field_of_battle(
        man(100, 100), man(101.5, 100, "Bob"), man(98.5, 100, "Carol"),
        sides=sides, order=(12, 6, 1),
    )  # fmt: skip

    assert blow(battle, play, unit=0).facts.enemies == (1, 2)
    assert blow(battle, play, unit=1).facts.enemies == (0,)


@pytest.mark.rule("emlia.hits.skirmish", "emlia.melee.success")
def test_hits_in_a_skirmish_are_shared_by_the_side_that_is_struck(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        man(100, 100, members=1, skills={"close combat": "3"}, weapons=(SWORD,)),
        man(101.5, 100, "Bob", hits=2, damage_limit=10),
        man(98.5, 100, "Bob", hits=2, damage_limit=10),
    )
    strike(battle, play, [12, 12, 12])

    play(battle, phase.resolve(battle), answers=["shift", "hit-first"])

    assert [battle.state.units.integer("damage", unit) for unit in (1, 2)] == [2, 1]


@pytest.mark.rule("emlia.melee.success")
@pytest.mark.parametrize(("face", "hits"), [(4, []), (5, [1])])
def test_a_success_is_a_hit_at_the_weapon_s_base_damage(
    field_of_battle: Build, play: Play, face: int, hits: list[int]
) -> None:
    battle = field_of_battle(man(100, 100, weapons=(HALBERD,)), man(100, 102, "Bob"))

    strike(battle, play, [face])

    markers = battle.state.lists["marker"]
    assert markers.ints("hits").tolist() == hits
    assert markers.ints("base_damage").tolist() == [2] * len(hits)


@pytest.mark.rule("emlia.melee.failure")
def test_a_failure_has_no_effect(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(1, 1, (100, 100)), theirs(1, 1, (100, 101)))

    strike(battle, play, [1, 2, 3, 4, 4])

    assert len(battle.state.lists["marker"]) == len(battle.state.lists["push"]) == 0


@pytest.mark.rule("emlia.equip.no-weapon")
def test_who_has_no_weapon_fights_with_his_fists(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))

    assert blow(battle, play).facts.base_damage == 0


@pytest.mark.rule("emlia.equip.one-weapon")
def test_a_player_chooses_the_one_weapon_that_is_used(field_of_battle: Build, play: Play) -> None:
    armed = man(100, 100, weapons=(SWORD, HALBERD))
    battle = field_of_battle(armed, man(100, 102, "Bob"))
    orders = melee_orders.melee_options(battle, 0)

    (event,) = play(battle, close_combat.close_combat(battle, 0, orders[1]), dice=[5])

    assert [order.number for order in orders] == [0, 1]
    assert event.facts.weapon == "Sword"


@pytest.mark.rule("emlia.equip.one-weapon", "emlia.charge.attack")
def test_a_charger_chooses_his_weapon_too(field_of_battle: Build, play: Play) -> None:
    armed = man(100, 100, weapons=(SWORD, HALBERD))
    battle = field_of_battle(armed, man(100, 110, "Bob"))
    orders = charging.charge_options(battle, 0)

    events = play(battle, charging.charge(battle, 0, orders[1]), dice=[5])

    assert [order.number for order in orders] == [0, 1]
    assert events[-1].facts.weapon == "Sword"


@pytest.mark.rule("emlia.equip.armour-piercing", "emlia.damage.modified-hits")
@pytest.mark.parametrize(("abilities", "damage"), [(("armour piercing",), 3), ((), 2)])
def test_a_warhammer_halves_armour(
    field_of_battle: Build, play: Play, abilities: tuple[str, ...], damage: int
) -> None:
    hammer = {"name": "Warhammer", "base_damage": 0, "abilities": abilities}
    battle = field_of_battle(
        man(100, 100, weapons=(hammer,), skills={"close combat": "6"}),
        man(100, 102, "Bob", hits=1, armour=2, damage_limit=20),
    )
    strike(battle, play, [12] * 6)

    play(battle, phase.resolve(battle), answers=["shift"])

    assert battle.state.units.integer("damage", 1) == damage


@pytest.mark.rule("emlia.action.subject-awareness")
def test_nobody_strikes_through_a_wall_at_those_he_does_not_know_of(field_of_battle: Build) -> None:
    wall = {"kind": "wall", "height": 3, "box": (90, 100.75, 110, 101.25)}
    here, there = man(100, 100), man(100, 102, "Bob")

    assert melee_orders.melee_options(field_of_battle(here, there), 0) != []
    assert melee_orders.melee_options(field_of_battle(here, there, terrain=[wall]), 0) == []


@pytest.mark.rule("emlia.melee")
def test_close_combat_wants_an_enemy_in_combat_range(field_of_battle: Build) -> None:
    assert melee_orders.melee_options(field_of_battle(man(100, 100), man(100, 102, "Bob")), 0)
    assert not melee_orders.melee_options(field_of_battle(man(100, 100), man(100, 103, "Bob")), 0)


@pytest.mark.rule("emlia.melee", "emlia.activate.two-actions")
def test_close_combat_takes_the_primary_action(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))

    strike(battle, play, [1])

    verbs = {order.verb for order in activation.options_of(battle, 0)}
    assert not verbs & {"close-combat", "charge"}


@pytest.mark.rule("emlia.skill.level-star")
@pytest.mark.parametrize(("members", "dice"), [(5, 10), (3, 6)])
def test_two_dice_a_man_are_ten_for_five_and_six_for_three(
    field_of_battle: Build, play: Play, members: int, dice: int
) -> None:
    battle = field_of_battle(
        ranked(members, 1, (100, 100), skills={"close combat": "2*"}), theirs(5, 1, (100, 101))
    )

    (event,) = strike(battle, play, [1] * dice)

    assert event.facts.dice == dice
