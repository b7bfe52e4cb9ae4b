"""Fights as they change: who belongs to which, whom a press is at, and what shifts count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.engagement.follow_up import pursuit
from emlia3d.rules.emlia.play.engagement.pressing import press_of, pressed
from emlia3d.rules.emlia.play.engagement.pushes import shifts
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.situation.contact import (
    boundary_of,
    contacts,
    engaged_by,
    in_reach_of,
)
from emlia3d.rules.emlia.play.situation.fights import fight_of, fights_of, kind_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import markers

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def go(battle: Battle, unit: int, x: float, y: float) -> None:
    """Put a unit of one man elsewhere, with its middle there."""
    pose = pose_of(battle, unit)
    at = pose.middle
    end = pose.at(pose.x + x - at[0], pose.y + y - at[1], pose.facing)
    battle.happen(Event(facts=made_up(Moved), changes=end.changes(unit)))


def pushes(battle: Battle, *rows: tuple[int, int, int, int]) -> None:
    columns = ("attacker", "subject", "successes", "shift")
    changes = tuple(Append(table="push", row=dict(zip(columns, row, strict=True))) for row in rows)
    battle.happen(Event(facts=made_up(Struck), changes=changes))


@pytest.mark.rule("emlia.engage.group", "emlia.engage.definition")
def test_fights_follow_those_who_move(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100, 100), man(101.5, 100, "Bob"), man(120, 100), man(140, 100))
    seen = [(fight_of(battle, 0), fight_of(battle, 2))]

    for unit, x in ((2, 103.0), (0, 90.0), (1, 130.0), (1, 138.5)):
        go(battle, unit, x, 100)
        seen.append((fight_of(battle, 0), fight_of(battle, 2)))

    assert seen == [
        ((0, 1), ()), ((0, 1, 2), (0, 1, 2)), ((), (1, 2)), ((), ()), ((), ()),
    ]  # fmt: skip
    assert dict(fights_of(battle)) == {1: (1, 3), 3: (1, 3)}
    assert contacts(battle) == [(3, 1), (1, 3)]
    assert (engaged_by(battle, 1), in_reach_of(battle, 1)) == ([3], [3])


@pytest.mark.rule("emlia.mixedeng.other", "emlia.skirmish.join-by-contact")
def test_a_unit_that_had_joined_a_skirmish_and_left_it_stands_in_no_fight(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(man(100, 100), man(101.5, 100, "Bob"), man(150, 100))
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column="joined", a=2, b=0, value=1),))
    )

    assert (fight_of(battle, 2), kind_of(battle, 2)) == ((), None)
    assert 2 not in fights_of(battle)


@pytest.mark.rule("emlia.mixedeng.other", "emlia.engage.type")
@pytest.mark.parametrize(
    ("units", "kind"),
    [
        ((man(100, 100), man(101.5, 100, "Bob")), "skirmish"),
        ((troops.ranked(1, 1, (100, 100)), man(100, 101.5, "Bob")), "ranked combat"),
        ((troops.ranked(1, 1, (100, 100)), troops.theirs(1, 1, (100, 101))), "ranked combat"),
        ((troops.ranked(1, 1, (100, 100)), man(100, 101.5, "Bob"), man(101.5, 102)),
         "mixed engagement"),
        ((man(100, 100), man(103, 100, "Bob")), None),
    ],
)  # fmt: skip
def test_the_kind_of_a_fight_is_one_for_all_in_it(
    field_of_battle: Build, units: tuple[Any, ...], kind: str | None
) -> None:
    battle = field_of_battle(*units)

    assert {kind_of(battle, unit) for unit in range(len(units))} == {kind}


@pytest.mark.rule("emlia.press.base-damage", "emlia.mixedeng.move-skirmish")
@pytest.mark.parametrize(
    ("sizes", "base_damage"), [((1, 1), 0), ((1, 4), 0), ((1, 5), None), ((5, 1), None)]
)
def test_a_skirmish_is_pressed_by_the_size_of_its_largest(
    field_of_battle: Build, sizes: tuple[int, int], base_damage: int | None
) -> None:
    one, other = ({"size": size, "height": size, "base": (2, 2)} for size in sizes)
    battle = field_of_battle(
        troops.ranked(3, 3, (100, 100)), man(99.4, 101.4, "Bob", **one), man(101, 101.4, **other)
    )

    press = press_of(battle, 0, (1, 2))

    assert (None if press is None else press.base_damage) == base_damage


@pytest.mark.rule("emlia.press.when", "emlia.hits.skirmish")
@pytest.mark.parametrize("because", [(), ("emlia.press.into-enemy",)])
def test_press_hits_are_laid_on_all_of_a_skirmish(
    field_of_battle: Build, because: tuple[str, ...]
) -> None:
    battle = field_of_battle(
        troops.ranked(3, 3, (100, 100)), man(99.4, 101.4, "Bob"), man(101, 101.4)
    )
    press = press_of(battle, 0, (1, 2))
    assert press is not None

    event = pressed(battle, press, *because)
    battle.happen(event)

    assert (event.name, event.unit, event.target, event.gesture) == ("pressed", 0, 1, "strike")
    assert event.part_of_last
    assert event.facts.values() == {"hits": press.hits, "base_damage": 0}
    assert event.because == (
        because or ("emlia.press.when", "emlia.press.number", "emlia.press.base-damage")
    )
    assert battle.state.lists["party"].ints("unit").tolist() == [1, 2]
    assert markers(battle, "attacker", "subject", "hits", "party") == [(0, 1, press.hits, 0)]


@pytest.mark.rule("emlia.skirmish.shift")
def test_each_of_a_skirmish_shifts_it_beside_pushes_from_outside(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        troops.ranked(4, 3, (100, 100)), man(99, 101.5, "Bob"), man(101, 101.5), man(150, 150)
    )
    # The first row is a push, the second is of one who stands in no skirmish.
    pushes(battle, (0, 1, 3, 0), (3, 1, 2, 1), (2, 1, 2, 1))
    asked: list[Any] = []

    def procedure() -> Any:
        asked.append((yield from shifts(battle)))

    play(battle, procedure(), answers=[Order(verb="shift", unit=2, number=90)])

    ((body, vectors),) = asked[0].items()
    assert body == (1, 2)
    assert [tuple(round(part, 6) for part in vector) for vector in vectors] == [(2, 0)]


@pytest.mark.rule("emlia.forced.terrain", "emlia.skirmish.shift")
def test_all_of_a_skirmish_that_terrain_stops_at_once_are_stopped_by_it(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "building", "box": (90, 100.5, 110, 102)}
    battle = field_of_battle(man(100, 100, hits=9), man(101.5, 100, "Bob", hits=9), terrain=[wall])
    pushes(battle, (0, 1, 3, 1))
    outlook = MoraleInputs(battle)

    north = Order(verb="shift", unit=0, number=0)
    events = play(battle, forced.push(battle, outlook), answers=[north])

    assert events == []
    assert outlook.terrain_stopped == {0, 1}


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(("x", "y"), [(99, 106), (103.7, 108.2), (97.3, 105.4)])
def test_ranks_that_follow_stop_as_soon_as_the_skirmish_is_in_reach(
    field_of_battle: Build, x: float, y: float
) -> None:
    battle = field_of_battle(
        troops.ranked(2, 2, (100, 100)), man(x, y, "Bob"), man(x + 1.5, y + 0.7)
    )

    end = pursuit(battle, 0, (1, 2))

    assert end is not None
    gap = end.outline.distance(boundary_of(battle, (1, 2)))
    assert 1 - 1 / 8 <= gap <= 1 + 1 / 256
    assert situation_of(battle).distance(0, 1) > gap
