"""Free strikes at those who move while they are engaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.combat import KeptBusy
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat.free_strike import strikers
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.situation.pose import at_altitude, gone, pose_of
from emlia3d.rules.emlia.play.turn import activation
from tests.made_up import made_up
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def walk(battle: Battle, unit: int, north: float) -> Order:
    """Straight north, or south for less than nothing, at its own pace."""
    pose = pose_of(battle, unit)
    end = gone(pose, pose.facing, north)
    return Order(verb="move", unit=unit, legs=(end.leg("march"),))


@pytest.mark.rule("emlia.freestrike.trigger", "emlia.freestrike.bonus")
def test_who_walks_away_is_struck_at_plus_four_before_he_goes(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))

    events = play(battle, manoeuvre.move(battle, 0, walk(battle, 0, -5)), [1], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "moved"]
    assert events[1].facts.modifier == 4
    assert events[1].facts.successes == 1


@pytest.mark.rule("emlia.freestrike.bonus")
def test_who_moves_within_the_reach_of_his_enemy_is_struck_without_that_bonus(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(101.75, 100, "Bob"))

    events = play(battle, manoeuvre.move(battle, 0, walk(battle, 0, -0.5)), [5], ["close-combat"])

    assert events[1].facts.modifier == 0


@pytest.mark.rule("emlia.freestrike.trigger")
def test_dropping_down_provokes_free_strikes(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))

    events = play(battle, manoeuvre.change_posture(battle, 0, "drop-down"), [5], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "dropped down"]


@pytest.mark.rule("emlia.freestrike.trigger")
@pytest.mark.parametrize(
    ("verb", "struck"),
    [("conceal-self-move", True), ("conceal-self", False), ("conceal-self-primary", False)],
)
def test_hiding_provokes_a_free_strike_if_it_takes_the_move_action(
    field_of_battle: Build, play: Play, verb: str, struck: bool
) -> None:
    sneak = {**man(100, 100), "skills": {"close combat": "1", "stealth": "1"}}
    battle = field_of_battle(sneak, man(100, 102, "Bob"))
    dice, answers = ([5, 12], ["close-combat"]) if struck else ([12], [])

    events = play(battle, hiding.conceal_self(battle, 0, Order(verb=verb, unit=0)), dice, answers)

    assert names(events) == [*(["free strike", "struck free"] if struck else []), "hid"]


@pytest.mark.rule("emlia.freestrike.trigger")
def test_a_charge_out_of_a_fight_provokes_them_too(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 98, "Bob"), man(100, 110, "Bob"))
    order = next(order for order in charging.charge_options(battle, 0) if order.target == 2)

    events = play(battle, charging.charge(battle, 0, order), [5, 5], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "charged", "struck"]


@pytest.mark.rule("emlia.freestrike.trigger")
def test_coming_into_contact_provokes_nothing(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob"))

    assert names(play(battle, manoeuvre.move(battle, 0, walk(battle, 0, 8.5)))) == ["moved"]


@pytest.mark.rule("emlia.freestrike.trigger")
def test_who_walks_past_an_enemy_is_struck_as_he_leaves_his_reach_again(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(101.75, 106, "Bob"))

    events = play(battle, manoeuvre.move(battle, 0, walk(battle, 0, 12)), [1], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "moved"]
    assert events[1].facts.modifier == 4


@pytest.mark.rule("emlia.freestrike.trigger", "emlia.ranked.engaged-members")
@pytest.mark.parametrize(
    ("front", "facing", "dice"), [((101.25, 106), 270, 4), ((103.25, 106), 180, 1)]
)
def test_of_a_unit_that_is_passed_those_strike_whose_reach_the_path_crosses(
    field_of_battle: Build, play: Play, front: tuple[float, float], facing: int, dice: int
) -> None:
    line = {
        "side": "Bob", "formation": "ranked", "members": 4, "files": 4, "front": front,
        "facing": facing, "skills": {"close combat": "1*"},
    }  # fmt: skip
    battle = field_of_battle(man(100, 97), line)

    events = play(
        battle, manoeuvre.move(battle, 0, walk(battle, 0, 15)), [1] * dice, ["close-combat"]
    )

    assert events[1].facts.dice == dice


@pytest.mark.rule("emlia.freestrike.who")
def test_every_unit_that_engages_the_mover_may_strike(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        man(100, 100), man(100, 102, "Bob"), man(102, 100, "Bob"), man(97, 100, "Bob")
    )

    events = play(
        battle,
        manoeuvre.move(battle, 0, walk(battle, 0, -5)),
        [1, 1],
        ["close-combat", "close-combat"],
    )

    assert [event.unit for event in events if event.name == "struck free"] == [1, 2]
    assert [event.facts.enemies for event in events if event.name == "struck free"] == [
        (0,), (0,),
    ]  # fmt: skip


@pytest.mark.rule("emlia.freestrike.who", "emlia.freestrike.cost")
def test_who_holds_back_keeps_his_primary_action(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 102, "Bob"))

    events = play(battle, manoeuvre.move(battle, 0, walk(battle, 0, -5)), [], ["hold-back"])

    assert names(events) == ["moved"]
    assert battle.state.units.value("strike_owed", 1) == 0


@pytest.mark.rule("emlia.freestrike.cost")
def test_a_free_strike_costs_the_next_primary_action_and_no_other_is_made_until_then(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100), man(101, 101.5, "Bob"))
    leave = walk(battle, 0, -5)

    first = play(battle, manoeuvre.move(battle, 0, leave), [1], ["close-combat"])
    second = play(battle, manoeuvre.move(battle, 1, walk(battle, 1, -5)))
    play(battle, activation.activate(battle, 2), answers=["done"])

    assert names(first) == ["free strike", "struck free", "moved"]
    assert names(second) == ["moved"]
    assert battle.state.units.value("primary_used", 2) == 1
    assert battle.state.units.value("strike_owed", 2) == 0


@pytest.mark.rule("emlia.freestrike.cost", "emlia.activate.delay-counts")
def test_delaying_does_not_pay_for_a_free_strike(field_of_battle: Build, play: Play) -> None:
    owing = {**man(100, 100), "put": {"strike_owed": 1}}
    battle = field_of_battle(owing, man(101, 101.5, "Bob"))

    play(battle, activation.activate(battle, 0), answers=["delay"])
    owed = battle.state.units.value("strike_owed", 0)
    play(battle, activation.activate(battle, 0), answers=["done"])

    assert owed == 1
    assert battle.state.units.value("primary_used", 0) == 1
    assert battle.state.units.value("strike_owed", 0) == 0


@pytest.mark.rule("emlia.freestrike.barred", "emlia.skill.mixed-source")
@pytest.mark.parametrize(
    ("barred", "dice"),
    [(0, [2, 3]), (1, [1, 3]), (2, [3]), (3, [2]), (4, [1]), (5, [])],
)
def test_of_a_mixed_unit_all_members_but_the_barred_strike(
    field_of_battle: Build, play: Play, barred: int, dice: list[int]
) -> None:
    ranks = {"side": "Bob", "formation": "close", "skills": {"close combat": "1*"}}
    battle = field_of_battle(
        man(100, 100),
        {**ranks, "at": (99.5, 101.5), "members": 2, "files": 2, "name": "first"},
        {**ranks, "at": (102, 101.5), "members": 3, "files": 3, "group": "first"},
        man(98, 103),
    )
    if barred:
        kept_busy = (Pair(column="barred", a=3, b=1, value=barred),)
        battle.happen(Event(facts=made_up(KeptBusy), changes=kept_busy))

    events = play(
        battle,
        manoeuvre.move(battle, 0, walk(battle, 0, -5)),
        [1] * sum(dice),
        ["close-combat"] if dice else [],
    )

    struck = [event for event in events if event.name == "struck free"]
    assert [event.facts.dice for event in struck] == dice


@pytest.mark.rule("emlia.freestrike.trigger")
@pytest.mark.parametrize(("aside", "struck"), [(4, True), (0, False), (-4, False)])
def test_who_goes_round_a_corner_is_struck_by_whom_his_own_way_passes(
    field_of_battle: Build, play: Play, aside: float, struck: bool
) -> None:
    # The straight way leads 4.5 GSU beside the enemy, by a place 4 GSU aside half a GSU.
    battle = field_of_battle(man(100, 100), man(105.5, 105, "Bob"))
    start = pose_of(battle, 0)
    corner = gone(gone(start, start.facing, 5), 90 * 64, aside)
    end = gone(start, start.facing, 10)
    legs = tuple(pose.leg("march") for pose in (corner, end))

    order = Order(verb="move", unit=0, legs=legs)
    events = play(battle, manoeuvre.move(battle, 0, order), [5] * struck, ["close-combat"] * struck)

    assert ("free strike" in names(events)) is struck


@pytest.mark.rule("emlia.freestrike.trigger", "emlia.engage.vertical")
@pytest.mark.parametrize(
    ("foe_at", "start", "turns_at", "struck"),
    [
        # A foe 1 high strikes 1 upwards.
        (0, 9, 1, True), (0, 9, 2, True), (0, 9, 2.5, False), (0, 9, 9, False),
        # A foe above strikes 1 downwards at what is 1 high.
        (9, 0, 8, True), (9, 0, 7, True), (9, 0, 6.5, False), (9, 0, 0, False),
    ],
)  # fmt: skip
def test_a_flyer_is_struck_in_passing_by_whose_height_it_comes_near(
    field_of_battle: Build, foe_at: float, start: float, turns_at: float, struck: bool
) -> None:
    bird = {"at": (50, 50), "movement": "30F", "formation": "close", "on_height": start}
    foe = {**bird, "at": (51.5, 60), "side": "Bob", "on_height": foe_at}
    battle = field_of_battle(bird, foe)
    here = pose_of(battle, 0)
    path = (at_altitude(gone(here, 0, 10), turns_at), at_altitude(gone(here, 0, 20), start))

    found = [striker for striker, _ in strikers(battle, 0, path[-1], path)]

    assert found == [1] * struck
