"""Aimed Fire at a fight and at mixed units: who may be hit, how easily, and who is singled out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.morale.allocation import markers_by_row
from tests.rules.emlia.riflemen import enemy, offered, shooter, shot

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


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

    assert event.facts.modifier == -2
    assert taken == {1: 1, 2: 1}


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.mixed.check-against.scope")
def test_a_fight_is_met_with_one_modifier_out_of_those_against_each_in_it(
    field_of_battle: Build, play: Play
) -> None:
    # Against the enemy -2; against the friend, who takes cover, -3: net -2 - 1.
    battle = brawl(field_of_battle, put={"taking_cover": 1})

    assert shots_at_the_brawl(battle, play)[0].facts.modifier == -3


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

    assert event.facts.modifier == modifier
    assert sum(taken.values()) == taken.get(1, 0) == event.facts.successes


@pytest.mark.rule("emlia.fire.at-skirmish")
def test_a_fight_is_as_near_as_the_nearest_in_it_and_one_by_himself_has_no_focus(
    field_of_battle: Build, play: Play
) -> None:
    near = brawl(field_of_battle, at=(101.5, 80))
    alone = field_of_battle(shooter(), enemy(30))

    assert offered(near) == {"aim", "fire", "aim-focused", "fire-focused"}
    assert offered(alone) == {"aim", "fire"}
    assert shots_at_the_brawl(near, play)[0].facts.distance == 29.0


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

    assert event.facts.modifier == modifier


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
    assert event.facts.modifier == -1
