"""The resolution phase: its order, what waits for it, and what it clears away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.turn import activation, phase

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

SWORD = {"name": "Sword", "base_damage": 1}


def ranked(front: tuple[float, float], facing: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "formation": "ranked", "members": 4, "files": 4, "front": front, "facing": facing,
        "skills": {"close combat": "3"}, "weapons": (SWORD,), **more,
    }  # fmt: skip


def append(battle: Battle, table: str, **row: int) -> None:
    battle.happen(Event(facts=Unread(event="laid"), changes=(Append(table=table, row=row),)))


def strike(battle: Battle, play: Play, unit: int, dice: list[int]) -> None:
    order = Order(verb="close-combat", unit=unit)
    play(battle, close_combat.close_combat(battle, unit, order), dice)


@pytest.mark.rule("emlia.resolve.order", "emlia.melee.success")
def test_first_units_are_moved_then_they_suffer_then_they_lose_heart(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked((100, 100)), ranked((100, 101), 180, side="Bob"))
    strike(battle, play, 0, [12, 12, 12])

    events = play(battle, phase.resolve(battle), answers=["give-way", "stand", "stand"])

    assert [(event.name, event.unit) for event in events] == [
        ("pushed back", 1),
        ("suffered", 1),
        ("heartened", 0),
        ("shaken", 1),
        ("resolved", None),
    ]


@pytest.mark.rule("emlia.resolve.deferred")
def test_a_unit_that_is_struck_down_in_this_step_still_acts_at_full_strength(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked((100, 100)), ranked((100, 101), 180, side="Bob"))

    strike(battle, play, 0, [12, 12, 12])
    answer = {"answers": ["close-combat", "done"], "dice": [12, 12, 12]}
    play(battle, activation.activate(battle, 1), **answer)

    assert battle.state.units.ints("members")[:2].tolist() == [4, 4]
    assert battle.state.units.ints("morale")[:2].tolist() == [2, 2]


@pytest.mark.rule("emlia.resolve.simultaneous")
def test_two_units_may_wipe_each_other_out(field_of_battle: Build, play: Play) -> None:
    one = {"members": 1, "files": 1}
    battle = field_of_battle(
        {**ranked((100, 100)), **one}, {**ranked((100, 101), 180, side="Bob"), **one}
    )
    strike(battle, play, 0, [12, 1, 1])
    strike(battle, play, 1, [12, 1, 1])

    play(battle, phase.resolve(battle))

    assert battle.state.units["present"][:2].tolist() == [0, 0]


@pytest.mark.rule("emlia.resolve.simultaneous", "emlia.push.net")
def test_pushes_of_both_sides_cancel(field_of_battle: Build, play: Play) -> None:
    tough = {"hits": 9}
    battle = field_of_battle(
        ranked((100, 100), **tough), ranked((100, 101), 180, side="Bob", **tough)
    )
    strike(battle, play, 0, [12, 12, 12])
    strike(battle, play, 1, [12, 12, 1])

    events = play(battle, phase.resolve(battle), answers=["give-way", "stand", "stand"])

    assert events[0].facts.wanted == 1


@pytest.mark.rule("emlia.resolve.remove-markers")
def test_hits_that_made_no_damage_are_forgotten(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (100, 50)}, {"at": (100, 100), "side": "Bob", "hits": 2})
    for _ in range(2):
        append(battle, "marker", subject=1, attacker=0, hits=1, base_damage=0, party=-1)
        play(battle, phase.resolve(battle))

    assert battle.state.units.integer("damage", 1) == 0
    assert all(len(battle.state.lists[name]) == 0 for name in ("marker", "party", "push", "note"))


@pytest.mark.rule("emlia.resolve.other-effects", "emlia.resolve.deferred")
def test_a_unit_is_brought_back_to_order_in_the_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({"at": (100, 50), "put": {"disordered": 1}})
    append(battle, "note", unit=0, what=MoraleNote.REORDERED, amount=1)
    assert battle.state.units.value("disordered", 0) == 1

    play(battle, phase.resolve(battle))

    assert battle.state.units.value("disordered", 0) == 0


@pytest.mark.rule("emlia.resolve.remove-markers", "emlia.aware.melee")
def test_who_fought_is_known_to_his_enemy_only_while_they_still_engage(
    field_of_battle: Build, play: Play
) -> None:
    near = {"at": (100, 102), "side": "Bob", "skills": {"close combat": "1"}}
    battle = field_of_battle({"at": (100, 100), "skills": {"close combat": "1"}}, near)
    strike(battle, play, 0, [1])
    play(battle, phase.resolve(battle))
    assert set(battle.state.pairs["met"]) == {(0, 1), (1, 0)}
    assert battle.state.pairs["fought"] == {}

    move = next(order for order in activation.options_of(battle, 0) if order.verb == "move")
    play(battle, activation.activate(battle, 0), answers=[move, "hold-back", "done"])
    play(battle, phase.resolve(battle))

    assert battle.state.pairs["met"] == {}
