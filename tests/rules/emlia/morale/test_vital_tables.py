"""Thresholds and vital tables: when a unit rolls, by which table, and what that does to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from tests.rules.emlia.hitting import ATTACKER, crowd, damage, hit, members, resolve

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

SHAKEN_UP = {"faces": (1, 6), "text": "it is shaken up"}
COLLAPSED = {"faces": (7, 12), "text": "it collapses", "destroyed": True}
WALL = (SHAKEN_UP, COLLAPSED)


@pytest.mark.rule("emlia.attr.threshold", "emlia.damage.order", "emlia.damage.examples")
def test_a_castle_wall_rolls_at_each_threshold_until_it_collapses(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"at": (100, 120), "side": "Bob", "threshold": 3, "vital_table": WALL, "movement": None}
    battle = field_of_battle(ATTACKER, wall)

    hit(battle, 2)
    resolve(battle, play)
    hit(battle, 5)
    resolve(battle, play, [1, 6])
    assert (damage(battle), battle.state.units.value("present", 1)) == (7, 1)

    hit(battle, 2)
    resolve(battle, play, [7])
    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.damage.order")
def test_each_result_is_applied_at_once_so_a_fallen_wall_is_not_rolled_for_again(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"at": (100, 120), "side": "Bob", "threshold": 1, "vital_table": WALL}
    battle = field_of_battle(ATTACKER, wall)
    hit(battle, 5)

    events = resolve(battle, play, [2, 8])

    assert events[0].facts.faces == (2, 8)


@pytest.mark.rule("emlia.damage.order", "emlia.attr.vital-table")
def test_damage_from_the_vital_table_may_bring_on_a_further_roll(
    field_of_battle: Build, play: Play
) -> None:
    table = ({"faces": (1, 1), "text": "a wound", "damage": 2}, {"faces": (2, 12), "text": "no"})
    ogre = {"at": (100, 120), "side": "Bob", "threshold": 2, "vital_table": table}
    battle = field_of_battle(ATTACKER, ogre)
    hit(battle, 2)

    resolve(battle, play, [1, 5])

    assert damage(battle) == 4


@pytest.mark.rule("emlia.damage.order", "emlia.attr.threshold")
def test_a_unit_with_a_limit_and_a_threshold_rolls_by_all_the_damage_it_ever_took(
    field_of_battle: Build, play: Play
) -> None:
    table = ({"faces": (1, 12), "text": "a horn sounds"},)
    battle = field_of_battle(
        ATTACKER, crowd(5, hits=1, damage_limit=3, threshold=5, vital_table=table)
    )

    hit(battle, 4)
    resolve(battle, play)
    hit(battle, 2)
    resolve(battle, play, [1])

    assert (members(battle), damage(battle)) == (3, 0)


@pytest.mark.rule("emlia.damage.order")
def test_whom_the_limit_has_removed_rolls_no_more(field_of_battle: Build, play: Play) -> None:
    table = ({"faces": (1, 12), "text": "a roar"},)
    troll = {"at": (100, 120), "side": "Bob", "damage_limit": 6, "threshold": 3}
    battle = field_of_battle(ATTACKER, {**troll, "vital_table": table})
    hit(battle, 6)

    resolve(battle, play)

    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.attr.vital-table")
def test_wounds_last(field_of_battle: Build, play: Play) -> None:
    limp = {"faces": (1, 12), "text": "it limps", "speed_share": 0.5, "check_modifier": -1}
    ogre = {"at": (100, 120), "side": "Bob", "threshold": 2, "vital_table": (limp,)}
    battle = field_of_battle(ATTACKER, ogre)
    hit(battle, 4)

    resolve(battle, play, [1, 1])

    units = battle.state.units
    assert (units.value("speed_share", 1), units.value("check_modifier", 1)) == (0.25, -2)


TANK: dict[str, Any] = {
    "at": (100, 120), "side": "Bob", "threshold": 2,
    "vital_table": ({"faces": (1, 12), "text": "the plates hold"},),
    "arc_vital_tables": {
        "side": ({"faces": (1, 12), "text": "a track is thrown", "speed_share": 0.5},),
        "rear": ({"faces": (1, 12), "text": "the engine burns", "destroyed": True},),
    },
}  # fmt: skip


@pytest.mark.rule("emlia.attr.hits.by-arc", "emlia.attr.vital-table")
@pytest.mark.parametrize(
    ("struck", "text"),
    [
        ([(0, 2)], "the plates hold"),
        ([(1, 2)], "a track is thrown"),
        ([(2, 2)], "the engine burns"),
        ([(0, 1), (2, 3)], "the engine burns"),
        ([(1, 2), (2, 2)], "a track is thrown"),
    ],
    ids=["in front", "on a side", "behind", "most of it behind", "as much on a side as behind"],
)
def test_the_vital_table_is_that_of_the_arc_in_which_a_unit_is_struck_most(
    struck: list[tuple[int, int]], text: str, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, {**TANK, "hits": 1, "threshold": sum(n for _, n in struck)})
    for arc, hits in struck:
        hit(battle, hits, arc=arc)

    (event,) = [event for event in resolve(battle, play, [1]) if "vital" in event.facts.values()]

    assert event.facts.vital == (text,)


@pytest.mark.rule("emlia.attr.hits.by-arc")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"threshold": None, "vital_table": ()}, "need a vital_table"),
        ({"arc_vital_tables": {"rear": ({"faces": (1, 6), "text": "x"},)}}, "each of the faces"),
    ],
    ids=["without one", "with gaps"],
)
def test_a_table_for_an_arc_is_as_whole_as_the_one_that_it_stands_for(
    change: dict[str, Any], told: str
) -> None:
    printed = {"name": "Tank", "size": 8, "height": 2} | {
        key: value for key, value in TANK.items() if key not in {"at", "side"}
    }

    with pytest.raises(ValidationError, match=told):
        Entry.model_validate({**printed, **change})
