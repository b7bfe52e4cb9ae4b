"""What a resolution does to hearts: the tables' facts, gathered in play."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.turn import activation, phase, timing
from tests.rules.emlia import troops

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

OWN = {"at": (100, 50)}


def foe(members: int = 10, at: tuple[float, float] = (100, 120), **more: Any) -> dict[str, Any]:
    return {"at": at, "side": "Bob", "members": members, "files": min(members, 5), **more}


ranked = partial(troops.ranked, skills={"close combat": "1"})


def hit(battle: Battle, subject: int, attacker: int, hits: int, **more: int) -> None:
    """Hit markers at base damage 0, as an attack would lay them."""
    row = {"subject": subject, "attacker": attacker, "hits": hits, "party": -1, **more}
    battle.happen(
        Event(
            facts=Unread(event="hit"),
            changes=(
                Pair(column="attacked", a=attacker, b=subject, value=battle.state.turn),
                Append(table="marker", row={"armour": Armour.COUNTS, **row}),
            ),
        )
    )


def attacked(battle: Battle, subject: int, attacker: int) -> None:
    pair = Pair(column="attacked", a=attacker, b=subject, value=battle.state.turn)
    battle.happen(Event(facts=Unread(event="attacked"), changes=(pair,)))


def resolve(battle: Battle, play: Play) -> list[Any]:
    return play(battle, phase.resolve(battle))


def morale(battle: Battle, unit: int = 1) -> int:
    return battle.state.units.integer("morale", unit)


def rows(events: list[Any], unit: int) -> set[str]:
    """The last words of the morale rows that counted for a unit."""
    return {
        slug.removeprefix("emlia.morale.")
        for event in events
        if event.unit == unit and event.name in {"heartened", "shaken", "held"}
        for slug in event.because
        if slug.startswith(("emlia.morale.neg.", "emlia.morale.pos."))
    }


@pytest.mark.rule("emlia.morale.casualty-sums", "emlia.morale.update")
@pytest.mark.parametrize(("lost", "change"), [(1, -1), (2, -2), (5, -4), (10, -6), (15, -8)])
def test_morale_falls_the_more_the_more_men_fall(
    field_of_battle: Build, play: Play, lost: int, change: int
) -> None:
    battle = field_of_battle(OWN, foe(20, morale=7))
    hit(battle, 1, 0, lost)

    resolve(battle, play)

    assert morale(battle) == 7 + change


@pytest.mark.rule("emlia.morale.example-kay", "emlia.morale.pos.inflicts")
def test_kay_s_regulars_who_lose_a_quarter_and_hit_back_hold(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**OWN, "members": 20, "files": 5}, foe(20, morale=4))
    hit(battle, 1, 0, 5)
    hit(battle, 0, 1, 1)

    resolve(battle, play)

    assert morale(battle) == 4 - 4 + 1
    assert battle.state.units.value("disordered", 1) == 0


@pytest.mark.rule("emlia.morale.this-turn")
def test_losses_of_a_turn_add_up_and_each_row_is_given_once(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(OWN, foe(20, morale=7))

    hit(battle, 1, 0, 2)
    resolve(battle, play)
    assert morale(battle) == 5

    hit(battle, 1, 0, 3)
    resolve(battle, play)
    assert morale(battle) == 3


@pytest.mark.rule("emlia.morale.neg.casualties", "emlia.morale.pos.inflicts")
def test_damage_that_kills_nobody_is_suffered_and_inflicted_all_the_same(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(OWN, foe(10, damage_limit=3))
    hit(battle, 1, 0, 2)

    events = resolve(battle, play)

    assert rows(events, 1) == {"neg.casualties"}
    assert rows(events, 0) == {"pos.inflicts"}


@pytest.mark.rule("emlia.morale.pos.inflicts-10", "emlia.damage.credit")
@pytest.mark.parametrize(("lost", "row"), [(1, False), (2, True)])
def test_a_tenth_of_an_enemy_is_a_deed_of_its_own(
    field_of_battle: Build, play: Play, lost: int, row: bool
) -> None:
    battle = field_of_battle(OWN, foe(20))
    hit(battle, 1, 0, lost)

    assert ("pos.inflicts-10" in rows(resolve(battle, play), 0)) is row


@pytest.mark.rule("emlia.morale.percent-base")
def test_percentages_are_of_the_strength_at_the_turn_s_beginning(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(OWN, foe(20, morale=7), turn=0)
    battle.happen(Event(facts=Unread(event="put"), changes=()))
    hit(battle, 1, 0, 16)
    play(battle, timing.begin_turn(battle), [12, 1])
    resolve(battle, play)
    play(battle, timing.begin_turn(battle))
    before = morale(battle)

    hit(battle, 1, 0, 1)
    events = resolve(battle, play)

    assert rows(events, 1) == {"neg.casualties", "neg.casualties-10", "neg.casualties-25"}
    assert morale(battle) == max(before - 4, -7)


@pytest.mark.rule("emlia.morale.percent-base")
def test_a_single_body_counts_what_its_limit_left_it(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(OWN, foe(1, damage_limit=20, morale=7, put={"damage": 10}))
    play(battle, timing.begin_turn(battle))
    hit(battle, 1, 0, 5)

    assert rows(resolve(battle, play), 1) == {
        "neg.casualties", "neg.casualties-10", "neg.casualties-25", "neg.casualties-50",
    }  # fmt: skip


@pytest.mark.rule("emlia.morale.percent-base", "emlia.morale.neg.threshold")
def test_what_has_no_limit_has_no_percentages(field_of_battle: Build, play: Play) -> None:
    table = ({"faces": (1, 12), "text": "stones fall"},)
    battle = field_of_battle(OWN, foe(1, threshold=3, vital_table=table, morale=7))
    hit(battle, 1, 0, 3)

    events = play(battle, phase.resolve(battle), [4])

    assert rows(events, 1) == {"neg.casualties", "neg.threshold"}


@pytest.mark.rule("emlia.morale.neg.unseen-enemy")
def test_losses_from_an_enemy_whom_it_does_not_know_of_frighten_more(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(OWN, foe(20))
    hit(battle, 1, 0, 1, unseen=1)

    assert rows(resolve(battle, play), 1) == {"neg.casualties", "neg.unseen-enemy"}


@pytest.mark.rule("emlia.morale.pos.unharmed", "emlia.morale.this-turn", "emlia.time.turn-end")
@pytest.mark.parametrize(("hits", "gain"), [(0, 1), (1, 0)])
def test_who_was_attacked_and_stands_unharmed_takes_heart_as_the_turn_ends(
    field_of_battle: Build, play: Play, hits: int, gain: int
) -> None:
    battle = field_of_battle(OWN, foe(20, damage_limit=9))
    attacked(battle, 1, 0)
    if hits:
        hit(battle, 1, 0, hits)
    resolve(battle, play)
    before = morale(battle)

    play(battle, phase.settle_turn(battle))

    assert morale(battle) == before + gain
    assert morale(battle, 0) == 2 + hits


@pytest.mark.rule("emlia.morale.per-resolution", "emlia.morale.neg.uphill")
def test_fighting_uphill_costs_heart_once_in_the_step_in_which_it_is_done(
    field_of_battle: Build, play: Play
) -> None:
    one_die = {"skills": {"close combat": "1"}}
    battle = field_of_battle(
        {"at": (100, 100), **one_die},
        {"at": (100, 102), "side": "Bob", "on_height": 0.5, **one_die},
    )
    order = Order(verb="close-combat", unit=1)
    play(battle, close_combat.close_combat(battle, 1, order), [1])

    events = resolve(battle, play)
    later = play(battle, phase.settle_turn(battle))

    assert rows(events, 0) == {"neg.uphill"}
    assert rows(events, 1) == set()
    assert "neg.uphill" not in rows(later, 0)


@pytest.mark.rule("emlia.ranked.morale")
@pytest.mark.parametrize(
    ("strikers", "change"),
    [
        ((1,), 0),
        ((1, 2), -1 - 1),
        ((2,), -1 - 1),
        ((2, 3, 4), -1 - 1 - 2 - 1),
        ((4,), -2 - 1),
    ],
)
def test_a_ranked_unit_loses_heart_for_fighting_to_flank_and_rear(
    field_of_battle: Build, play: Play, strikers: tuple[int, ...], change: int
) -> None:
    battle = field_of_battle(
        ranked(3, 3, (100, 100), morale=7, movement=None, hits=9),
        ranked(1, 1, (100, 101), 180, side="Bob"),
        ranked(1, 1, (97.5, 98.5), 90, side="Bob"),
        ranked(1, 1, (102.5, 98.5), 270, side="Bob"),
        ranked(1, 1, (100, 96), 0, side="Bob"),
    )
    for unit in strikers:
        order = Order(verb="close-combat", unit=unit)
        play(battle, close_combat.close_combat(battle, unit, order), [1])

    resolve(battle, play)

    assert morale(battle, 0) == 7 + change


@pytest.mark.rule("emlia.ranked.morale")
def test_rear_only_costs_two(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ranked(3, 3, (100, 100), morale=7), ranked(1, 1, (100, 96), 0, side="Bob")
    )
    order = Order(verb="close-combat", unit=0)
    play(battle, close_combat.close_combat(battle, 0, order), [1])

    resolve(battle, play)
    play(battle, phase.settle_turn(battle))

    assert morale(battle, 0) == 5


@pytest.mark.rule("emlia.morale.second-pass", "emlia.morale.reaches")
@pytest.mark.rule("emlia.morale.pos.enemy-retreats", "emlia.morale.pos.enemy-routs")
def test_an_enemy_who_falls_from_minus_three_to_a_rout_gives_both_rows(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(OWN, foe(20, morale=-3), {"at": (120, 50)})
    attacked(battle, 1, 2)
    hit(battle, 1, 0, 5)

    events = resolve(battle, play)

    assert rows(events, 2) == {"pos.enemy-retreats", "pos.enemy-routs"}
    assert morale(battle, 2) == 4
    assert morale(battle, 0) == 2 + 2 + 2


@pytest.mark.rule("emlia.morale.pos.enemy-destroyed-near")
@pytest.mark.parametrize(("gap", "row"), [(20, True), (20.125, False)])
def test_the_end_of_an_enemy_whom_it_attacked_cheers_a_unit_within_20_gsu(
    field_of_battle: Build, play: Play, gap: float, row: bool
) -> None:
    battle = field_of_battle(OWN, foe(1, at=(100, 71 + gap)), {"at": (100, 70)})
    attacked(battle, 1, 2)
    hit(battle, 1, 0, 1)

    assert ("pos.enemy-destroyed-near" in rows(resolve(battle, play), 2)) is row


@pytest.mark.rule("emlia.morale.neg.general-killed", "emlia.morale.general")
def test_the_fall_of_the_general_is_felt_by_those_of_his_side_who_see_it(
    field_of_battle: Build, play: Play
) -> None:
    general = foe(1, skills={"leadership": "5"}, army_value=3)
    wall = {"kind": "building", "box": (135, 60, 140, 160)}
    battle = field_of_battle(
        {**OWN, "skills": {"leadership": "1"}},
        general,
        foe(1, at=(110, 120)),
        foe(1, at=(160, 120)),
        foe(1, at=(105, 110), skills={"leadership": "4"}),
        terrain=[wall],
    )
    hit(battle, 1, 0, 1)

    events = resolve(battle, play)

    who = {unit for unit in range(5) if "neg.general-killed" in rows(events, unit)}
    assert who == {2, 4}


@pytest.mark.rule("emlia.morale.bounds")
def test_morale_never_falls_below_minus_seven(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(OWN, foe(20, morale=-5))
    hit(battle, 1, 0, 16)

    resolve(battle, play)

    assert morale(battle) == -7


@pytest.mark.rule("emlia.morale.entering", "emlia.disorder.causes")
def test_falling_to_shaken_disorders_a_unit_and_rising_to_it_does_not(
    field_of_battle: Build, play: Play
) -> None:
    own = {**OWN, "damage_limit": 20}
    battle = field_of_battle(own, foe(20, morale=1), foe(20, at=(150, 120), morale=-1))
    hit(battle, 1, 0, 1)
    hit(battle, 0, 2, 1)

    resolve(battle, play)

    assert [morale(battle, unit) for unit in (1, 2)] == [0, 0]
    assert battle.state.units["disordered"][1:3].tolist() == [1, 0]


@pytest.mark.rule("emlia.damage.credit")
def test_losses_of_friends_earn_nothing(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(OWN, {"at": (100, 60)})
    hit(battle, 1, 0, 1)

    assert rows(resolve(battle, play), 0) == set()


def felt(field_of_battle: Build, play: Play, friend: dict[str, Any], own: float) -> int:
    """What a friend's loss of one makes of the morale of 2 that a unit of such value had."""
    general = foe(1, at=(190, 190), army_value=9)
    battle = field_of_battle(OWN, friend, foe(1, army_value=own, morale=2), general)
    hit(battle, 1, 0, 1)
    resolve(battle, play)
    play(battle, activation.activate(battle, 2), answers=[...])
    resolve(battle, play)
    return morale(battle, 2)


@pytest.mark.rule("emlia.morale.notes", "emlia.morale.neg.friend-wiped-out")
@pytest.mark.parametrize(("friend", "own", "change"), [(2, 1, -4), (1, 2, -1), (1, 1, -2)])
def test_the_end_of_a_friend_counts_by_the_values_of_the_two(
    field_of_battle: Build, play: Play, friend: int, own: int, change: int
) -> None:
    gone = foe(1, army_value=friend, at=(110, 120))

    assert felt(field_of_battle, play, gone, own) == 2 + change


@pytest.mark.rule("emlia.morale.notes", "emlia.morale.neg.friend-casualties")
@pytest.mark.parametrize(("friend", "own", "change"), [(1, 2, 0), (1, 1, -1)])
def test_losses_of_a_friend_of_less_value_are_nothing_to_a_unit(
    field_of_battle: Build, play: Play, friend: int, own: int, change: int
) -> None:
    twenty = foe(20, army_value=friend, at=(115, 120))

    assert felt(field_of_battle, play, twenty, own) == 2 + change
