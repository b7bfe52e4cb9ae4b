"""Disengage/Distract: its odds, and the free strikes that it bars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Pair, Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.actions import ActionType, action
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.events.losses import Suffered
from emlia3d.rules.emlia.play.combat.disengage import disengage, disengage_options
from emlia3d.rules.emlia.play.combat.free_strike import barred_of
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.turn import activation, phase, timing
from emlia3d.rules.emlia.tables.disengage import DisengageFacts, barred_by, disengage_modifier
from emlia3d.rules.emlia.tables.melee import MeleeNumbers
from tests.made_up import made_up
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
EVEN = MeleeNumbers(1, 1)


def gang(x: float, y: float, members: int, side: str = "Alice", **more: Any) -> dict[str, Any]:
    return man(x, y, side, members=members, files=members, formation="close", **more)


def south(battle: Battle, unit: int) -> Order:
    pose = pose_of(battle, unit)
    return Order(verb="move", unit=unit, legs=(gone(pose, pose.facing, -5).leg("march"),))


def rolled(battle: Battle, play: Play, dice: list[int]) -> Any:
    return play(battle, disengage(battle, 0), dice)[0]


@pytest.mark.parametrize(
    ("one", "modifier"),
    [
        pytest.param(DisengageFacts(numbers=EVEN, **facts), modifier,
                     marks=pytest.mark.rule(f"emlia.disengage.mod.{key}"), id=key)
        for key, facts, modifier in (
            ("conc-partial", {"concealment": Level.PARTIAL}, 1),
            ("conc-total", {"concealment": Level.TOTAL}, 2),
            ("cover-partial", {"cover": Level.PARTIAL}, 2),
            ("cover-total", {"cover": Level.TOTAL}, 4),
            ("rough", {"rough": True}, -1),
            ("charged", {"charged": True}, -4),
            ("unaware", {"unaware": True}, 0),
        )
    ],
)  # fmt: skip
def test_each_row_has_its_modifier(one: DisengageFacts, modifier: int) -> None:
    assert disengage_modifier(one).total == modifier


@pytest.mark.rule(
    "emlia.disengage.mod.source-outnumbered", "emlia.disengage.mod.subject-outnumbered"
)
@pytest.mark.rule("emlia.disengage.mod.source-outnumbered-2")
@pytest.mark.rule("emlia.disengage.mod.source-outnumbered-3")
@pytest.mark.rule("emlia.disengage.mod.subject-outnumbered-2")
@pytest.mark.rule("emlia.disengage.mod.subject-outnumbered-3")
@pytest.mark.parametrize(
    ("numbers", "modifier"),
    [
        ((4, 4), 0),
        ((4, 5), -1),
        ((4, 8), -2),
        ((4, 12), -4),
        ((5, 4), 1),
        ((8, 4), 2),
        ((12, 4), 4),
    ],
)
def test_numbers_count_for_whoever_has_them(numbers: tuple[int, int], modifier: int) -> None:
    assert disengage_modifier(DisengageFacts(numbers=MeleeNumbers(*numbers))).total == modifier


@pytest.mark.rule("emlia.disengage")
def test_a_unit_of_three_against_one_rolls_at_plus_four(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(gang(100, 100, 3), man(100, 101.5, "Bob"))

    assert rolled(battle, play, [1]).facts.modifier == 4


@pytest.mark.rule("emlia.disengage")
def test_only_who_is_engaged_and_has_the_skill_and_a_primary_action_left_may(
    field_of_battle: Build, put: Any
) -> None:
    foe = man(100, 101.5, "Bob")
    far = man(100, 110, "Bob")

    assert disengage_options(field_of_battle(man(100, 100), foe), 0)
    assert not disengage_options(field_of_battle(man(100, 100), far), 0)
    assert not disengage_options(field_of_battle(man(100, 100, skills={"alertness": "2"}), foe), 0)
    acted = field_of_battle(man(100, 100), foe)
    put(acted, 0, primary_used=1)
    assert not disengage_options(acted, 0)


@pytest.mark.rule("emlia.disengage", "emlia.mixed.check-against.scope")
def test_several_enemies_are_one_subject_by_the_rule_of_mixed_units(
    field_of_battle: Build, play: Play
) -> None:
    hedge = {"kind": "hedge", "box": (99.2, 100.7, 100.8, 100.8), "height": 3}
    battle = field_of_battle(
        man(100, 100), man(100, 101.5, "Bob"), man(100, 98.5, "Bob"), terrain=[hedge]
    )

    event = rolled(battle, play, [1])

    # Outnumbered two to one, -2; of one of them a hedge would help by +1, which moves it by one.
    assert event.facts.enemies == (1, 2)
    assert event.facts.modifier == -2 + 1 - 1
    assert "emlia.mixed.check-against" in event.because


@pytest.mark.rule("emlia.disengage.mod.unaware")
def test_enemies_who_are_unaware_are_left_without_a_roll(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (99, 100.7, 101, 100.8), "height": 3}
    battle = field_of_battle(
        man(100, 100, skills={"close combat": "2"}), man(100, 101.5, "Bob"), terrain=[wall]
    )
    seen = Pair(column="acquired", a=0, b=1, value=9)
    battle.happen(Event(facts=Unread(event="put"), changes=(seen,)))

    event = rolled(battle, play, [])

    assert event.facts.successes == 2


@pytest.mark.rule("emlia.disengage.success")
def test_six_with_two_successes_bar_twelve() -> None:
    assert barred_by(6, 2) == 12


@pytest.mark.rule("emlia.disengage.success", "emlia.freestrike.barred")
def test_who_has_disengaged_goes_without_a_free_strike(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 101.5, "Bob"))

    events = play(battle, disengage(battle, 0), [5])
    events += play(battle, manoeuvre.move(battle, 0, south(battle, 0)))

    assert names(events) == ["disengaged", "kept busy", "moved"]


@pytest.mark.rule("emlia.disengage.failure")
def test_a_failure_leaves_all_as_it_was(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(100, 101.5, "Bob"))

    events = play(battle, disengage(battle, 0), [4])
    events += play(battle, manoeuvre.move(battle, 0, south(battle, 0)), [1], ["close-combat"])

    assert names(events) == ["could not disengage", "free strike", "struck free", "moved"]


@pytest.mark.rule("emlia.disengage.stay")
def test_who_stays_lets_others_get_away(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(99, 100), man(100, 101.3, "Bob"), man(101, 100))

    play(battle, disengage(battle, 0), [12])
    events = play(battle, manoeuvre.move(battle, 2, south(battle, 2)))

    assert names(events) == ["moved"]


@pytest.mark.rule("emlia.freestrike.barred")
def test_those_who_are_not_barred_strike_with_the_level_of_their_number(
    field_of_battle: Build, play: Play
) -> None:
    five = gang(100, 101.5, 5, "Bob", skills={"close combat": "1*"})
    battle = field_of_battle(gang(100, 100, 2), five)

    play(battle, disengage(battle, 0), [12])
    _, struck, _ = play(battle, manoeuvre.move(battle, 0, south(battle, 0)), [1, 1, 1],
                        ["close-combat"])  # fmt: skip

    assert barred_of(battle, 1) == 0
    assert struck.facts.dice == 3


@pytest.mark.rule("emlia.disengage.success")
def test_the_player_picks_whom_to_keep_busy_where_there_are_more_than_that(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        gang(100, 100, 2), gang(100, 101.5, 2, "Bob"), gang(100, 98.5, 2, "Bob")
    )

    second = Order(verb="bar", unit=0, target=2)
    *_, busy = play(battle, disengage(battle, 0), [12], [second])

    assert (barred_of(battle, 1), barred_of(battle, 2)) == (0, 2)
    assert busy.facts.enemies == (battle.setup.units[2].name,)
    assert busy.facts.members == (2,)


@pytest.mark.rule("emlia.disengage.success")
def test_members_are_free_again_when_the_turn_ends_or_when_they_are_out_of_reach(
    field_of_battle: Build, play: Play
) -> None:
    stays = field_of_battle(man(100, 100), man(100, 101.5, "Bob"))
    goes = field_of_battle(man(100, 100), man(100, 101.5, "Bob"))

    play(stays, disengage(stays, 0), [5])
    assert barred_of(stays, 1) == 1
    play(stays, timing.begin_turn(stays))
    play(goes, disengage(goes, 0), [5])
    play(goes, manoeuvre.move(goes, 0, south(goes, 0)))
    play(goes, phase.resolve(goes))

    assert barred_of(stays, 1) == 0
    assert (0, 1) not in goes.state.pairs["barred"]


@pytest.mark.rule("emlia.disengage")
def test_it_is_offered_beside_close_combat(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100, 100), man(100, 101.5, "Bob"))

    assert {"disengage", "close-combat"} <= {o.verb for o in activation.options_of(battle, 0)}


@pytest.mark.rule("emlia.primary.basic")
def test_the_basic_primary_actions_are_six_and_all_but_the_charge_want_a_check() -> None:
    names = (
        "aimed fire", "area volley", "concentrated volley", "charge", "close combat",
        "disengage/distract",
    )  # fmt: skip

    primary = [action(name) for name in names]

    assert all(one.kinds == (ActionType.PRIMARY,) for one in primary)
    assert [one.name for one in primary if one.skill is None] == ["charge"]


@pytest.mark.rule("emlia.disengage", "emlia.mixed.check-against")
def test_a_mixed_enemy_counts_by_those_of_its_subunits_who_still_stand(
    field_of_battle: Build, play: Play
) -> None:
    first = {**gang(100, 51.4, 1, "Bob"), "name": "first"}
    second = {**gang(101.5, 51.4, 2, "Bob"), "group": "first"}
    battle = field_of_battle(gang(100, 50, 3), first, second)
    fallen = Fall(unit=1, figures=(3,))
    still_there = Set(table="unit", row=1, column="present", value=1)
    battle.happen(Event(facts=made_up(Suffered), changes=(fallen, still_there)))

    event = rolled(battle, play, [4])

    # Three against the two that are left, and no more.
    assert (event.facts.modifier, event.facts.successes) == (1, 1)


def _picked(**more: Any) -> dict[str, Any]:
    return {"name": "picked", **gang(99, 100, 2, skills={"close combat": "3"}), **more}


def _levy(**more: Any) -> dict[str, Any]:
    return {"name": "levy", **gang(101, 100, 4, skills={"close combat": "1"}), **more}


@pytest.mark.rule("emlia.disengage", "emlia.skill.mixed-source")
@pytest.mark.parametrize(
    "units",
    [(_picked(), _levy(group="picked")), (_levy(), _picked(group="levy"))],
    ids=["picked first", "levy first"],
)
def test_each_subunit_disengages_with_its_own_skill_in_whatever_order_they_are_listed(
    field_of_battle: Build, play: Play, units: tuple[dict[str, Any], ...]
) -> None:
    battle = field_of_battle(*units, gang(100, 101.5, 20, "Bob"))

    events = play(battle, disengage(battle, 0), [12, 1, 1, 1])

    checks = {
        battle.setup.units[event.unit].name: event.facts.dice
        for event in events
        if event.name in {"disengaged", "could not disengage"}
    }
    assert checks == {"picked": 3, "levy": 1}
    # One success, for the whole unit of six.
    assert barred_of(battle, 2) == 6


@pytest.mark.rule("emlia.disengage", "emlia.skill.mixed-source")
def test_a_subunit_without_the_skill_leaves_the_others_their_check(
    field_of_battle: Build, play: Play
) -> None:
    clerks = {**_levy(), "skills": {"alertness": "2"}}
    foe = gang(100, 101.5, 6, "Bob")

    for units in ((clerks, _picked(group="levy")), (_picked(), {**clerks, "group": "picked"})):
        battle = field_of_battle(*units, foe)
        assert disengage_options(battle, 0)
        (failed,) = play(battle, disengage(battle, 0), [1, 1, 1])
        assert battle.setup.units[failed.unit].name == "picked"
