"""An event of a blow names who was engaged how, and what decided it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.combat.disengage import disengage
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from tests.rules.emlia.combat.blows import blow, man, strike
from tests.rules.emlia.reasons import named
from tests.rules.emlia.troops import ranked, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 2",)}
CLUB = {"name": "Club", "base_damage": 1}
HAMMER = {"name": "Hammer", "base_damage": 1, "abilities": ("armour piercing",)}


@pytest.mark.rule("emlia.engage.combat-range", "emlia.engage.type", "emlia.equip.no-weapon")
def test_a_blow_with_fists_in_the_open_names_the_contact_and_little_else(
    field_of_battle: Build, play: Play
) -> None:
    event = blow(field_of_battle(man(100, 50), man(100, 51, "Bob", facing=180)), play)

    assert event.because == (
        "emlia.melee", "emlia.equip.no-weapon", "emlia.engage.combat-range", "emlia.engage.type",
        "emlia.action.basic-list.close-combat", "emlia.skill.level-plain", "emlia.skill.check",
        "emlia.melee.success", "emlia.primary.attack-set", "emlia.hits.marker",
    )  # fmt: skip


@pytest.mark.rule("emlia.melee.failure", "emlia.equip.one-weapon", "emlia.equip.reach")
@pytest.mark.rule("emlia.engage.asymmetric", "emlia.hits.marker.attacker")
@pytest.mark.parametrize(
    ("weapons", "gap", "face", "expected"),
    [
        ((CLUB,), 1, 1,
         ["equip.melee.examples.club", "engage.combat-range", "engage.type", "melee.failure"]),
        ((CLUB, CLUB), 1, 12,
         ["equip.one-weapon", "equip.melee.examples.club", "engage.combat-range", "engage.type",
          "melee.success", "hits.marker"]),
        ((PIKE,), 3, 12,
         ["engage.combat-range", "equip.reach", "engage.asymmetric", "engage.type",
          "melee.success", "hits.marker"]),
        ((HAMMER,), 1, 12,
         ["engage.combat-range", "engage.type", "melee.success", "hits.marker",
          "hits.marker.attacker"]),
    ],
    ids=["a miss", "two clubs", "a pike", "a hammer"],
)  # fmt: skip
def test_a_blow_names_what_it_is_struck_with_and_what_it_brings(
    field_of_battle: Build, play: Play, weapons: Any, gap: float, face: int, expected: list[str]
) -> None:
    battle = field_of_battle(man(100, 50, weapons=weapons), man(100, 50 + gap, "Bob", facing=180))
    order = Order(verb="close-combat", unit=0, number=0)

    (event,) = play(battle, close_combat.close_combat(battle, 0, order), dice=[face])

    assert named(event, "equip", "engage", "melee", "hits")[1:] == expected


@pytest.mark.rule("emlia.skirmish.side-as-mixed", "emlia.melee.outnumber", "emlia.engage.group")
def test_a_blow_at_two_in_a_skirmish_names_their_side_and_the_numbers(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        man(100, 50), man(99.5, 51, "Bob", facing=180), man(100.5, 51, "Bob", facing=180)
    )

    event = blow(battle, play)
    reverse = blow(battle, play, 1)

    assert named(event, "engage", "skirmish", "mixed", "melee") == [
        "melee", "engage.combat-range", "engage.type", "engage.group", "skirmish.side-as-mixed",
        "mixed.check-against.scope", "melee.success",
    ]  # fmt: skip
    assert named(reverse, "engage", "skirmish", "mixed", "melee") == [
        "melee", "engage.combat-range", "engage.type", "engage.group", "melee.outnumber",
        "melee.success",
    ]  # fmt: skip


@pytest.mark.rule("emlia.melee.mod.all-unaware")
@pytest.mark.parametrize(("aware", "dice"), [((1, 2), [12]), ((2,), [12]), ((1,), [12]), ((), [])])
def test_a_blow_succeeds_without_a_roll_only_if_all_enemies_are_unaware(
    field_of_battle: Build, play: Play, aware: tuple[int, ...], dice: list[int]
) -> None:
    wall = {"kind": "wall", "box": (90, 50.6, 110, 50.8), "height": 3}
    battle = field_of_battle(
        man(100, 50), man(99.5, 51.4, "Bob"), man(100.5, 51.4, "Bob"), terrain=[wall]
    )
    known = [(0, 1), (0, 2), *((foe, 0) for foe in aware)]
    changes = tuple(Pair(column="acquired", a=one, b=other, value=9) for one, other in known)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))

    (event,) = strike(battle, play, dice)

    assert ("emlia.melee.mod.all-unaware" in event.because) is (not aware)
    assert ("emlia.hits.marker.attacker" in event.because) is (not aware)


@pytest.mark.rule("emlia.ranked.front-of-contact", "emlia.ranked.engaged-members")
@pytest.mark.rule("emlia.melee.ranked-rows", "emlia.skill.able-members")
def test_a_blow_in_ranked_combat_names_members_and_sides_only_where_they_count(
    field_of_battle: Build, play: Play
) -> None:
    skills = {"close combat": "5/2"}
    battle = field_of_battle(
        ranked(5, 2, (100, 50), skills=skills), theirs(5, 2, (100, 51), skills=skills)
    )
    flanked = field_of_battle(
        ranked(5, 2, (100, 50), skills=skills), theirs(5, 2, (103.5, 49), 270, skills=skills)
    )

    (front,) = strike(battle, play, [12, 12, 12])
    (flank,) = strike(flanked, play, [12, 12], 1)

    assert named(front, "ranked", "melee", "skill") == [
        "melee", "ranked.engaged-members", "skill.able-members", "skill.level-diminish",
        "skill.check", "melee.success",
    ]  # fmt: skip
    assert {"ranked.front-of-contact", "melee.ranked-rows"} <= {*named(flank, "ranked", "melee")}


@pytest.mark.rule("emlia.primary.elevation-row", "emlia.terrain.standing-on")
@pytest.mark.parametrize(("height", "named_too"), [(0.5, True), (0.4, False)])
def test_a_blow_from_a_hill_names_it_from_half_a_height_on(
    field_of_battle: Build, play: Play, height: float, named_too: bool
) -> None:
    hill = {"kind": "hill", "box": (90, 40, 110, 50.5), "height": height}
    battle = field_of_battle(man(100, 50), man(100, 51.4, "Bob", facing=180), terrain=[hill])

    event = blow(battle, play)

    expected = ["terrain.standing-on", "primary.elevation-row"] if named_too else []
    assert named(event, "terrain", "primary") == [*expected, "primary.attack-set"]


@pytest.mark.rule("emlia.charge.attack")
def test_the_blow_of_a_charge_names_it(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 50), man(100, 55, "Bob", facing=180))

    events = play(
        battle, charging.charge(battle, 0, Order(verb="charge", unit=0, target=1)), dice=[5]
    )

    assert named(events[0], "charge", "action") == [
        "charge", "action.basic-list.charge", "charge.move",
    ]  # fmt: skip
    assert named(events[-1], "charge", "action") == ["charge.attack"]


@pytest.mark.rule("emlia.freestrike.trigger")
def test_the_blow_of_a_free_strike_is_no_action_of_the_list(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))
    end = gone(pose_of(battle, 0), pose_of(battle, 0).facing, -5)
    away = Order(verb="move", unit=0, legs=(end.leg("march"),))

    events = play(battle, manoeuvre.move(battle, 0, away), [1], ["close-combat"])
    plain = blow(field_of_battle(man(100, 100), man(100, 101, "Bob")), play)

    assert [event.name for event in events] == ["free strike", "struck free", "moved"]
    assert named(events[1], "action") == []
    assert named(plain, "action") == ["action.basic-list.close-combat"]


@pytest.mark.rule("emlia.disengage.failure")
@pytest.mark.parametrize(("face", "failed"), [(1, True), (12, False)])
def test_only_a_failure_to_disengage_is_named(
    field_of_battle: Build, play: Play, face: int, failed: bool
) -> None:
    battle = field_of_battle(man(100, 50), man(100, 51, "Bob", facing=180))

    events = play(battle, disengage(battle, 0), dice=[face])

    expected = ["disengage", "action.basic-list.disengage-distract"]
    assert named(events[0], "disengage", "action") == [
        *expected, *(["disengage.failure"] if failed else []),
    ]  # fmt: skip
