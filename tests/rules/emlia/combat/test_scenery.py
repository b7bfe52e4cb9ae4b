"""Terrain that has hits: struck, damaged, destroyed; and gone for sight and movement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.combat.scenery import hew, scenery_options
from emlia3d.rules.emlia.play.combat.volley import area_volley
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to
from emlia3d.rules.emlia.play.turn import activation, phase

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

GATE = {"kind": "building", "name": "gate", "hits": 6, "box": (97, 60, 103, 62)}
MORTAR = {
    "name": "Mortar", "base_damage": 5, "range": (20, 100, 250), "use": ("area volley",),
    "coverage": {"start": 6, "increment": 6, "limit": 6, "drift": 0},
}  # fmt: skip
RAM = {"name": "Ram", "base_damage": 5}


def mortar(**more: Any) -> dict[str, Any]:
    skills = {"volley fire": "1"}
    return {"at": (100, 20), "weapons": (MORTAR,), "skills": skills, **more}


def ram(**more: Any) -> dict[str, Any]:
    skills = {"close combat": "3"}
    return {"at": (100, 59), "weapons": (RAM,), "skills": skills, "name": "ram", **more}


def bob(at: tuple[float, float] = (100, 100), **more: Any) -> dict[str, Any]:
    return {"side": "Bob", "at": at, "facing": 180, **more}


def bombard(battle: Battle, play: Play, point: tuple[float, float]) -> list[Any]:
    order = Order(verb="area-volley", unit=0, number=0, point=point)
    events = play(battle, area_volley(battle, 0, order), [1])
    return [*events, *play(battle, phase.resolve(battle))]


def stands(battle: Battle, row: int = 0) -> bool:
    return bool(battle.state.features.value("present", row))


def fall(battle: Battle, row: int = 0) -> None:
    change = Set(table="feature", row=row, column="present", value=0)
    battle.happen(Event(facts=Unread(event="collapsed"), changes=(change,)))


@pytest.mark.rule("emlia.volley.area", "emlia.terrain.entities")
def test_a_volley_strikes_terrain_too_and_what_reaches_its_damage_limit_is_gone(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(mortar(), bob(), terrain=[GATE])

    events = bombard(battle, play, (100, 58))

    assert "scenery destroyed" in [event.name for event in events]
    assert not stands(battle)


@pytest.mark.rule("emlia.volley.area")
def test_what_the_circle_misses_and_what_has_no_hits_stands_on(
    field_of_battle: Build, play: Play
) -> None:
    rock = {"kind": "rock", "box": (97, 60, 103, 62)}
    battle = field_of_battle(mortar(), bob(), terrain=[GATE])
    rocky = field_of_battle(mortar(), bob(), terrain=[rock])

    bombard(battle, play, (100, 56.9))
    bombard(rocky, play, (100, 58))

    assert stands(battle)
    assert stands(rocky)


@pytest.mark.rule("emlia.attr.damage-limit", "emlia.damage.carry")
def test_damage_short_of_the_limit_stays_on_it(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(mortar(), bob(), terrain=[{**GATE, "damage_limit": 2}])

    bombard(battle, play, (100, 58))
    assert stands(battle)
    bombard(battle, play, (100, 58))

    assert not stands(battle)


@pytest.mark.rule("emlia.damage.points")
@pytest.mark.parametrize(("hits", "falls"), [(6, True), (8, True), (9, False)])
def test_hits_less_base_damage_strikes_make_a_point(
    field_of_battle: Build, play: Play, hits: int, falls: bool
) -> None:
    battle = field_of_battle(ram(), bob(), terrain=[{**GATE, "hits": hits}])

    play(battle, hew(battle, 0, Order(verb="hew", unit=0, number=0)), [12, 12, 12])
    play(battle, phase.resolve(battle))

    assert stands(battle) is not falls


@pytest.mark.rule("emlia.melee", "emlia.melee.no-shift")
def test_who_has_a_gate_in_reach_may_hew_at_it_and_nothing_shifts(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ram(), bob(), terrain=[GATE])
    far = field_of_battle(ram(at=(100, 58)), bob(), terrain=[GATE])
    rock = field_of_battle(ram(), bob(), terrain=[{"kind": "rock", "box": (97, 60, 103, 62)}])

    assert "hew" in {order.verb for order in activation.options_of(battle, 0)}
    assert not scenery_options(far, 0)
    assert not scenery_options(rock, 0)
    play(battle, hew(battle, 0, Order(verb="hew", unit=0, number=0)), [12, 12, 12])
    play(battle, phase.resolve(battle))
    assert battle.state.units.value("y", 0) == far.state.units.value("y", 0) + 1


def _crew(**more: Any) -> dict[str, Any]:
    skills = {"close combat": "1"}
    return {**ram(at=(97.5, 59)), "name": "crew", "weapons": (), "skills": skills, **more}


@pytest.mark.rule("emlia.melee", "emlia.skill.mixed-source")
@pytest.mark.parametrize(
    "units", [(ram(), _crew(group="ram")), (_crew(), ram(group="crew"))], ids=["ram", "crew"]
)
def test_each_subunit_hews_with_its_own_skill_and_weapon_in_whatever_order_they_are_listed(
    field_of_battle: Build, play: Play, units: tuple[dict[str, Any], ...]
) -> None:
    battle = field_of_battle(*units, bob(), terrain=[GATE])

    events = play(battle, hew(battle, 0, Order(verb="hew", unit=0, number=0)), [12, 12, 12, 12])

    blows = {
        battle.setup.units[event.unit].name: (event.facts.dice, event.facts.weapon)
        for event in events
    }
    assert blows == {"ram": (3, "Ram"), "crew": (1, "Fists")}
    play(battle, phase.resolve(battle))
    # Hits 6 against base damage 5: each of the three hits of the ram is a point.
    assert not stands(battle)


@pytest.mark.rule("emlia.melee")
def test_a_subunit_that_does_not_reach_the_gate_makes_no_check(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(_crew(at=(97.5, 55)), ram(group="crew"), bob(), terrain=[GATE])

    events = play(battle, hew(battle, 0, Order(verb="hew", unit=0, number=0)), [1, 1, 1])

    assert [battle.setup.units[event.unit].name for event in events] == ["ram"]


@pytest.mark.rule("emlia.sight.sparse-solid", "emlia.terrain.entities")
def test_what_is_destroyed_hides_covers_and_bars_nothing_any_more(field_of_battle: Build) -> None:
    wall = {"kind": "building", "hits": 9, "height": 3, "box": (80, 60, 120, 62)}
    battle = field_of_battle(mortar(), bob(), terrain=[wall])
    before = level_on(battle, 0, 1), cover_of(battle, 0, 1, 5), len(obstacles_to(battle, 0))

    fall(battle)

    after = level_on(battle, 0, 1), cover_of(battle, 0, 1, 5), len(obstacles_to(battle, 0))
    assert before == (Level.TOTAL, Level.TOTAL, 1)
    assert after == (Level.NONE, Level.NONE, 0)


def test_the_doctrine_breaks_the_gate_before_its_objective(
    field_of_battle: Build, question: Any
) -> None:
    sides = [
        Side(name="Alice", colour="#2a5caa", lines="south", objective="court"),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]
    battle = field_of_battle(
        ram(), bob((100, 190)), terrain=[GATE], sides=sides, areas={"court": (80, 80, 120, 120)}
    )
    commander = battle.commander("doctrine")

    asked = question(battle, activation.activate(battle, 0))
    order = commander.decide(asked, battle.system.picture(battle, 0), battle.dice)

    assert (order.verb, order.number) == ("hew", 0)
