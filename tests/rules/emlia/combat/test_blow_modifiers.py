"""Close Combat as it is played: what makes a blow easier or harder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import close_combat
from tests.rules.emlia.combat.blows import blow, man, strike
from tests.rules.emlia.troops import ranked, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

MAIN_GAUCHE = {"name": "Sword and Dagger", "base_damage": 1, "abilities": ("parry",)}


@pytest.mark.rule("emlia.melee.ranked-rows", "emlia.melee.mod.from-multiple-fronts")
@pytest.mark.parametrize(("attacker", "modifier"), [(1, 2), (2, 2 + 1), (3, 2 + 2)])
def test_everyone_has_two_more_against_a_unit_that_is_beset_on_three_sides(
    field_of_battle: Build, play: Play, attacker: int, modifier: int
) -> None:
    one_die = {"skills": {"close combat": "1"}}
    battle = field_of_battle(
        ranked(3, 3, (100, 100)),
        theirs(3, 1, (100, 101), **one_die),
        theirs(1, 1, (97.5, 98.5), facing=90, **one_die),
        theirs(3, 1, (100, 96), facing=0, **one_die),
    )

    event = blow(battle, play, attacker)

    assert event.facts.numbers == (7, 7)
    assert event.facts.modifier == modifier


@pytest.mark.rule("emlia.melee.ranked-rows")
def test_close_order_troops_gain_by_a_flank_and_lose_nothing_by_their_own(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(1, 3, (100, 100), skills={"close combat": "1"}), man(98, 98.5, "Bob")
    )

    from_flank = blow(battle, play, unit=1)
    to_flank = blow(battle, play, unit=0)

    assert "emlia.melee.mod.from-flank" in from_flank.because
    assert not [slug for slug in from_flank.because if ".to-" in slug]
    assert "emlia.melee.mod.to-flank" in to_flank.because
    assert not [slug for slug in to_flank.because if "mod.from-" in slug]


@pytest.mark.rule("emlia.melee.mod.rough")
def test_bad_ground_under_the_striker_s_feet_costs_one(field_of_battle: Build, play: Play) -> None:
    scrub = {"kind": "scrub", "height": 0.25, "box": (90, 90, 110, 100.75)}
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"), terrain=[scrub])

    assert blow(battle, play, 0).facts.modifier == -1
    assert blow(battle, play, 1).facts.modifier == 0


@pytest.mark.rule("emlia.melee.mod.elevation", "emlia.melee.mod.target-elevated")
def test_who_stands_higher_has_one_more_and_his_enemy_one_less(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100, on_height=0.5), man(100, 102, "Bob"))

    assert blow(battle, play, 0).facts.modifier == 1
    assert blow(battle, play, 1).facts.modifier == -1


@pytest.mark.rule("emlia.melee.mod.already-engaged")
def test_who_joins_a_fight_that_was_there_before_has_one_more_at_that_time_alone(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(
        ranked(1, 1, (100, 100)),
        theirs(1, 1, (100, 101), skills={"close combat": "1"}),
        man(108, 99.5, "Bob"),
    )
    order = next(order for order in charging.charge_options(battle, 2) if order.target == 0)

    events = play(battle, charging.charge(battle, 2, order), dice=[5])
    old_fight = blow(battle, play, unit=1)

    assert "emlia.melee.mod.already-engaged" in events[-1].because
    assert "emlia.melee.mod.already-engaged" not in old_fight.because


@pytest.mark.rule("emlia.melee.mod.already-engaged")
def test_a_charge_at_those_whom_nobody_engaged_has_no_such_bonus(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob"))
    order = charging.charge_options(battle, 0)[0]

    events = play(battle, charging.charge(battle, 0, order), dice=[5])

    assert events[-1].facts.modifier == 1
    assert "emlia.melee.mod.charged" in events[-1].because


@pytest.mark.rule("emlia.melee.mod.subject-charged")
def test_who_charged_is_struck_the_more_easily(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob"))
    play(battle, charging.charge(battle, 0, charging.charge_options(battle, 0)[0]), dice=[5])

    event = blow(battle, play, unit=1)

    assert event.facts.modifier == 1
    assert "emlia.melee.mod.subject-charged" in event.because


@pytest.mark.rule("emlia.equip.parry")
@pytest.mark.parametrize(("parrying", "modifier"), [(5, -1), (4, 0)])
def test_half_of_a_side_must_parry_to_hamper_its_enemies(
    field_of_battle: Build, play: Play, parrying: int, modifier: int
) -> None:
    battle = field_of_battle(
        ranked(10, 1, (100, 100), skills={"close combat": "1"}),
        theirs(parrying, 1, (95 + parrying / 2, 101), weapons=(MAIN_GAUCHE,)),
        theirs(10 - parrying, 1, (105.25 - (10 - parrying) / 2, 101)),
    )

    event = blow(battle, play, target=2)

    assert event.facts.numbers == (10 - parrying, 10 - parrying)
    assert event.facts.modifier == modifier


@pytest.mark.rule("emlia.meta.cumulative")
def test_four_to_one_count_in_all_three_rows_of_being_outnumbered(
    field_of_battle: Build, play: Play
) -> None:
    crowd = {"at": (100, 99), "members": 4, "files": 2, "skills": {"close combat": "1"}}
    battle = field_of_battle(crowd, man(100, 101, "Bob"))

    event = blow(battle, play)

    assert event.facts.numbers == (4, 1)
    assert event.facts.modifier == 1 + 1 + 2


@pytest.mark.rule("emlia.skill.check.example-bog", "emlia.melee.mod.rough")
def test_three_dice_in_the_bog_at_one_behind_a_hedge_hit_once(
    field_of_battle: Build, play: Play
) -> None:
    bog = {"kind": "marsh", "box": (90, 90, 110, 100.5)}
    hedge = {"kind": "hedge", "height": 1, "box": (90, 100.75, 110, 101.25)}
    battle = field_of_battle(
        man(100, 100, skills={"close combat": "3/1"}),
        man(100, 102, "Bob"),
        terrain=[bog, hedge],
    )

    (event,) = strike(battle, play, [6, 2, 11])

    assert event.facts.modifier == -1 - 1
    assert event.facts.successes == 1
    assert battle.state.lists["marker"].ints("hits").tolist() == [1]


@pytest.mark.rule("emlia.equip.parry", "emlia.primary.focus")
@pytest.mark.parametrize(
    ("verb", "modifier"), [("close-combat", 0), ("close-combat-focused", -1 - 1)]
)
def test_four_of_ten_who_parry_hamper_only_who_singles_them_out(
    field_of_battle: Build, play: Play, verb: str, modifier: int
) -> None:
    four = theirs(4, 1, (97, 101), name="four", weapons=(MAIN_GAUCHE,))
    battle = field_of_battle(
        ranked(10, 1, (100, 100), skills={"close combat": "1"}),
        four,
        theirs(6, 1, (102, 101), group="four"),
    )
    order = Order(verb=verb, unit=0, target=1)

    (event,) = play(battle, close_combat.close_combat(battle, 0, order), dice=[5])

    assert event.facts.modifier == modifier


@pytest.mark.rule("emlia.primary.focus", "emlia.melee.mod.focus")
@pytest.mark.parametrize(("few", "among", "modifier"), [(3, 10, -1), (2, 10, -2), (1, 11, -3)])
def test_singling_out_a_subunit_hand_to_hand_costs_by_its_share(
    field_of_battle: Build, play: Play, few: int, among: int, modifier: int
) -> None:
    rest = among - few
    battle = field_of_battle(
        ranked(among, 1, (among / 2, 100), skills={"close combat": "1"}),
        theirs(rest, 1, (rest / 2, 101), name="rest"),
        theirs(few, 1, (rest + few / 2, 101), group="rest"),
    )
    order = Order(verb="close-combat-focused", unit=0, target=2)

    (event,) = play(battle, close_combat.close_combat(battle, 0, order), dice=[5])

    assert event.facts.numbers == (among, among)
    assert event.facts.modifier == modifier
