"""Chapter 9 as play: whether a trigger is met, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import Acted, Attacked
from emlia3d.rules.emlia.play.acting.triggers import concerned, fastest
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.turn.activation import activate
from emlia3d.rules.emlia.unit_sets.initiative_conditions import Trigger
from tests.rules.emlia.turn.encounter import attack, foe, me

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

pytestmark = pytest.mark.rule("emlia.orders.trigger-vocabulary")

HEDGE = {"kind": "hedge", "box": (40, 108, 60, 109), "height": 0.6, "body": "sparse"}
BANK = {"kind": "wall", "box": (40, 108, 60, 109), "height": 0.6, "body": "solid"}
TALL_WALL = {"kind": "wall", "box": (0, 108, 200, 109), "height": 9, "body": "solid"}


def met(battle: Battle, *when: dict[str, Any]) -> Sequence[int]:
    return concerned(battle, 0, [Trigger.model_validate(each) for each in when])


@pytest.mark.parametrize(
    ("word", "how", "is_so"),
    [
        ("from afar", Acted.SHOT, True),
        ("from afar", Acted.ATTACKED, False),
        ("hand to hand", Acted.ATTACKED, True),
        ("hand to hand", Acted.SHOT, False),
        ("at all", Acted.SHOT, True),
        ("at all", Acted.ATTACKED, True),
    ],
)
def test_an_attack_is_remembered_with_its_kind(
    word: str, how: Acted, is_so: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(me(), foe(), foe(80, 120))

    attack(battle, 1, how)

    assert met(battle, {"attacked": word}) == ((1,) if is_so else ())


@pytest.mark.parametrize(
    ("terrain", "words"),
    [
        ([], {"none"}),
        ([HEDGE], {"concealment or cover"}),
        ([BANK], {"concealment or cover", "cover"}),
    ],
    ids=["in the open", "behind a hedge", "behind a bank"],
)
def test_shelter_is_as_it_was_when_the_attack_was_made(
    terrain: list[dict[str, Any]], words: set[str], field_of_battle: Build
) -> None:
    battle = field_of_battle(me(), foe(), terrain=terrain)
    attack(battle, 1)
    elsewhere = replace(pose_of(battle, 0), x=150.0, y=150.0)
    battle.happen(Event(facts=Unread(event="put"), changes=elsewhere.changes(0)))

    for word in ("none", "concealment or cover", "cover"):
        trigger = {"attacked": "from afar", "shelter": word}
        assert bool(met(battle, trigger)) is (word in words), word


def test_an_attack_is_forgotten_when_the_units_own_activation_ends(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(), foe())
    attack(battle, 1)

    play(battle, activate(battle, 0), answers=[...])

    assert met(battle, {"attacked": "at all"}) == ()


def test_an_attacker_counts_though_the_unit_is_not_aware_of_him(field_of_battle: Build) -> None:
    battle = field_of_battle(me(), foe(), terrain=[TALL_WALL])
    attack(battle, 1)

    assert met(battle, {"attacked": "at all"}) == (1,)
    assert met(battle, {"within": 100}) == ()


@pytest.mark.parametrize(
    ("gap", "is_so"), [(14.9, True), (15, True), (15.1, False)], ids=["nearer", "at it", "beyond"]
)
def test_within_counts_the_distance_itself(gap: float, is_so: bool, field_of_battle: Build) -> None:
    battle = field_of_battle(me(), foe(50, 101 + gap))

    assert bool(met(battle, {"within": 15})) is is_so


def test_within_moves_counts_the_fastest_speed_of_that_enemy(field_of_battle: Build) -> None:
    slow, quick = foe(50, 126, movement="12G"), foe(60, 126, movement="6G, 15F")
    battle = field_of_battle(me(), slow, quick)

    assert met(battle, {"within_moves": 2}) == (2,)


@pytest.mark.parametrize(
    ("word", "numbers"),
    [("fewer", {4}), ("as many", {5}), ("more", {6})],
)
def test_members_are_compared_with_the_units_own(
    word: str, numbers: set[int], field_of_battle: Build
) -> None:
    for members in (4, 5, 6):
        battle = field_of_battle(me(members=5), foe(50, 130, members=members))
        assert bool(met(battle, {"members": word})) is (members in numbers)


@pytest.mark.parametrize(
    ("word", "sizes"),
    [
        ("lower", {1}),
        ("same or lower", {1, 2}),
        ("same or higher", {2, 4}),
        ("higher", {4}),
    ],
)
def test_sizes_are_compared_with_the_units_own(
    word: str, sizes: set[int], field_of_battle: Build
) -> None:
    for size in (1, 2, 4):
        battle = field_of_battle(me(size=2), foe(50, 140, size=size))
        assert bool(met(battle, {"size": word})) is (size in sizes)


@pytest.mark.parametrize(
    ("terrain", "in_sight", "in_the_open"),
    [([], True, True), ([HEDGE], True, False), ([TALL_WALL], False, False)],
    ids=["nothing between", "a hedge", "a high wall"],
)
def test_in_sight_and_in_the_open_ask_what_the_enemy_sees(
    terrain: list[dict[str, Any]], in_sight: bool, in_the_open: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(me(), foe(), terrain=terrain)
    attack(battle, 1)

    assert bool(met(battle, {"attacked": "at all", "in_sight": True})) is in_sight
    assert bool(met(battle, {"attacked": "at all", "in_sight": False})) is not in_sight
    assert bool(met(battle, {"attacked": "at all", "in_the_open": True})) is in_the_open


def test_whether_the_unit_takes_cover_is_asked_of_now(field_of_battle: Build, put: Any) -> None:
    battle = field_of_battle(me(), foe())
    trigger = {"within": 100, "taking_cover": True}

    assert met(battle, trigger) == ()
    put(battle, 0, taking_cover=1)
    assert met(battle, trigger) == (1,)


def test_all_that_one_trigger_says_holds_of_one_enemy_and_one_of_several_triggers_will_do(
    field_of_battle: Build,
) -> None:
    near_host, far_pair = foe(50, 110, members=9), foe(50, 160, members=2)
    battle = field_of_battle(me(members=5), near_host, far_pair)

    assert met(battle, {"within": 30, "members": "fewer"}) == ()
    assert met(battle, {"within": 30}, {"members": "fewer"}) == (1, 2)


def test_friends_meet_no_trigger(field_of_battle: Build) -> None:
    battle = field_of_battle(me(), {"at": (50, 105)}, foe(50, 190))

    assert met(battle, {"within": 15}) == ()


def test_a_shot_is_remembered_by_him_who_was_shot_at(field_of_battle: Build, play: Play) -> None:
    rocks = {"name": "Rocks", "base_damage": 1, "range": (10, 30, 60), "use": ["aimed fire"]}
    battle = field_of_battle(me(), foe(skills={"aimed fire": "1"}, weapons=[rocks]), order=(1, 12))
    shot = Order(verb="fire", unit=1, target=0, number=0)

    play(battle, activate(battle, 1), dice=[1], answers=[shot, ...])

    assert met(battle, {"attacked": "from afar", "shelter": "none"}) == (1,)


def test_a_trigger_that_is_not_met_keeps_no_other_from_being_met(field_of_battle: Build) -> None:
    battle = field_of_battle(me(), foe())
    covered, near = {"within": 100, "taking_cover": True}, {"within": 100, "taking_cover": False}

    assert met(battle, covered) == ()
    assert met(battle, covered, near) == met(battle, near, covered) == (1,)


def test_only_the_enemies_that_are_asked_about_meet_a_trigger(field_of_battle: Build) -> None:
    battle = field_of_battle(me(), foe(40), foe(50), foe(60))
    triggers = [Trigger.model_validate({"within": 100})]

    assert concerned(battle, 0, triggers) == (1, 2, 3)
    assert concerned(battle, 0, triggers, among=(3, 1)) == (1, 3)
    assert concerned(battle, 0, triggers, among=()) == ()


def test_attackers_are_enemies_on_the_field_and_those_of_a_subunit_are_the_wholes(
    field_of_battle: Build,
) -> None:
    part = {"at": (52, 100), "group": "men"}
    battle = field_of_battle(
        me(name="men"), part, foe(name="foes"), foe(52, 120, group="foes"), foe(90), {"at": (10, 9)}
    )
    trigger = {"attacked": "at all"}

    def attacked(by: int, subject: int) -> Sequence[int]:
        old = [Pair(column="attack", a=a, b=b, value=None) for a, b in _attacks(battle)]
        made = Pair(column="attack", a=by, b=subject, value=int(Attacked.HAND_TO_HAND))
        battle.happen(Event(facts=Unread(event="put"), changes=(*old, made)))
        return met(battle, trigger)

    assert attacked(2, 1) == (2,)
    assert attacked(3, 0) == (2,)
    assert attacked(4, 5) == ()
    assert attacked(5, 0) == ()
    assert attacked(4, 0) == (4,)
    battle.happen(Event(facts=Unread(event="left"), changes=(Leave(unit=4),)))
    assert met(battle, trigger) == ()


def _attacks(battle: Battle) -> list[tuple[int, int]]:
    return sorted(battle.state.pairs["attack"])


@pytest.mark.parametrize(
    ("kind", "ways"),
    [
        (Attacked.IN_THE_OPEN, {"none", None}),
        (Attacked.CONCEALED, {"concealment or cover", None}),
        (Attacked.COVERED, {"concealment or cover", "cover", None}),
        (Attacked.HAND_TO_HAND, set()),
    ],
)
def test_shelter_is_asked_of_the_attack_that_was_made(
    field_of_battle: Build, kind: Attacked, ways: set[str | None]
) -> None:
    battle = field_of_battle(me(), foe())
    battle.happen(
        Event(
            facts=Unread(event="put"), changes=(Pair(column="attack", a=1, b=0, value=int(kind)),)
        )
    )

    found = {
        shelter
        for shelter in (None, "none", "concealment or cover", "cover")
        if met(battle, {"attacked": "from afar", "shelter": shelter})
    }

    assert found == ways
    assert met(battle, {"attacked": "at all"}) == (1,)


@pytest.mark.parametrize(
    ("movement", "share", "speed"),
    [("12G", 1.0, 12), ("12G", 0.5, 6), ("6G, 15F", 1.0, 15), ("15F, 6G", 1.0, 15), (None, 1.0, 0)],
)
def test_the_fastest_speed_is_that_of_the_fastest_mode_after_wounds(
    field_of_battle: Build, movement: str | None, share: float, speed: float
) -> None:
    battle = field_of_battle(me(movement=movement, put={"speed_share": share}), foe())

    assert fastest(battle, 0) == speed


@pytest.mark.parametrize(
    ("about", "is_so"),
    [
        ({"in_sight": True}, True),
        ({"in_sight": False}, False),
        ({"in_the_open": True}, False),
        ({"in_the_open": False}, True),
        ({"in_sight": True, "in_the_open": False}, True),
        ({"in_sight": True, "in_the_open": True}, False),
        ({"within": 100}, True),
        ({"within": 100, "in_the_open": True}, False),
        ({"within": 3, "within_moves": 9}, False),
        ({"within": 100, "within_moves": 0.1}, False),
        ({"within": 100, "within_moves": 9}, True),
        ({"members": "as many", "size": "lower"}, False),
        ({"members": "more", "size": "same or lower"}, False),
        ({"members": "as many", "size": "same or lower"}, True),
    ],
)
def test_all_that_a_trigger_says_is_asked(
    field_of_battle: Build, about: dict[str, Any], is_so: bool
) -> None:
    battle = field_of_battle(me(), foe(), terrain=[HEDGE])

    assert bool(met(battle, about)) is is_so
