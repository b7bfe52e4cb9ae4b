"""How the doctrine commander breaks into what is held, and how he holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.doctrine.breaching import harm
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.doctrine.commander_helpers import orders

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
YARD = (60, 62.5, 140, 120)
GATE = {"kind": "gate", "name": "gate", "box": (97, 60, 103, 62), "damage_limit": 2}
SWORDS: dict[str, Any] = {
    "members": 20, "files": 5, "formation": "ranked", "skills": {"close combat": "10/2"},
    "weapons": [{"name": "Swords", "base_damage": 1}],
}  # fmt: skip
RAM: dict[str, Any] = {
    "role": "ram", "name": "ram", "weapons": [{"name": "Ram", "base_damage": 10}],
    "skills": {"close combat": "6"}, "movement": "12G", "combat_range": 2.0,
}  # fmt: skip
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}


def sides(stance: str = "advance") -> list[Side]:
    return [
        Side(name="Alice", colour="#000000", lines="south", objective="yard", stance=stance),  # type: ignore[arg-type]
        Side(name="Bob", colour="#111111", lines="north"),
    ]


@pytest.mark.parametrize(
    ("unit", "hews"), [({**RAM, "at": (100, 59)}, True), ({**SWORDS, "front": (100, 59.5)}, False)]
)
def test_nobody_hews_at_what_he_cannot_harm(
    unit: dict[str, Any], hews: bool, field_of_battle: Build, question: Ask
) -> None:
    battle = field_of_battle(
        unit, {**SWORDS, **BOB, "at": (100, 190)},
        terrain=[GATE], areas={"yard": YARD}, sides=sides(),
    )  # fmt: skip

    assert "hew" in {option.verb for option in question(battle, activate(battle, 0)).options}
    assert (orders(battle, question).verb == "hew") is hews


def test_a_blow_promises_a_point_for_each_full_number_of_hits_that_it_scores(
    field_of_battle: Build,
) -> None:
    """A gate has 12 hits: a ram of base damage 10 needs two successes, at 8 in 12 each."""
    battle = field_of_battle(
        {**RAM, "at": (100, 59), "skills": {"close combat": "3"}}, terrain=[GATE]
    )

    assert harm(battle, 0, 0, {0: 1}) == pytest.approx(3 * (2 / 3) ** 2 * (1 / 3) + (2 / 3) ** 3)


def test_a_ram_goes_for_the_gate_before_it_looks_for_a_fight(
    field_of_battle: Build, question: Ask
) -> None:
    battle = field_of_battle(
        {**RAM, "at": (100, 30)}, {**SWORDS, **BOB, "members": 2, "files": 2, "at": (108, 38)},
        terrain=[GATE], areas={"yard": YARD}, sides=sides(),
    )  # fmt: skip

    order = orders(battle, question)

    assert order.why == "moves to gate (30 GSU away), to break it"
    assert order.legs[-1].x == pytest.approx(100, abs=0.1)


def test_a_ram_whose_gate_is_down_fights_nobody(field_of_battle: Build, question: Ask) -> None:
    weak = {**SWORDS, **BOB, "members": 2, "files": 2, "at": (100, 70)}
    found = [
        orders(
            field_of_battle({**unit, "at": (100, 58)}, weak, areas={"yard": YARD}, sides=sides()),
            question,
        )
        for unit in (RAM, {**RAM, "role": "fighters"})
    ]

    assert [order.verb for order in found] == ["done", "move"]


@pytest.mark.parametrize(("ahead", "verbs"), [(2, {"move", "double-pace"}), (25, {"done"})])
def test_who_stands_a_step_behind_another_is_no_second_line(
    ahead: float, verbs: set[str], field_of_battle: Build, question: Ask
) -> None:
    beside = {**SWORDS, "files": 10, "facing": 90, "at": (105, 50 + ahead)}
    battle = field_of_battle(
        {**SWORDS, "at": (100, 50)}, beside, {**SWORDS, **BOB, "at": (100, 190)}
    )

    assert orders(battle, question).verb in verbs


@pytest.mark.parametrize(("turn", "goes"), [(1, False), (6, True)])
def test_those_who_hold_and_shoot_leave_their_places_for_who_broke_in_in_the_last_turns_alone(
    turn: int, goes: bool, field_of_battle: Build, question: Ask
) -> None:
    bow = {"name": "Bow", "base_damage": 1, "range": (5, 10, 15), "use": ["aimed fire"]}
    bowmen = {**SWORDS, "weapons": [bow], "skills": {"aimed fire": "4"}, "at": (100, 70)}
    weak = {**SWORDS, **BOB, "members": 5, "at": (100, 115)}
    battle = field_of_battle(bowmen, weak, areas={"yard": YARD}, sides=sides("hold"))
    later = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="later"), changes=(later,)))

    order = orders(battle, question)

    assert (order.verb in {"move", "double-pace"}) is goes


def test_those_who_hold_go_to_meet_who_broke_in_and_nobody_else(
    field_of_battle: Build, question: Ask
) -> None:
    def order(north: float) -> Order:
        weak = {**SWORDS, **BOB, "members": 5, "at": (100, north)}
        battle = field_of_battle(
            {**SWORDS, "at": (100, 70)}, weak, areas={"yard": YARD}, sides=sides("hold")
        )
        return orders(battle, question)

    assert order(115).verb in {"move", "double-pace"}
    assert order(135).verb not in {"move", "double-pace"}


def test_who_has_come_to_his_objective_clears_it_of_enemies(
    field_of_battle: Build, question: Ask
) -> None:
    def order(north: float) -> Order:
        weak = {**SWORDS, **BOB, "members": 5, "at": (100, north)}
        battle = field_of_battle(
            {**SWORDS, "at": (100, 70)}, weak, areas={"yard": YARD}, sides=sides()
        )
        return orders(battle, question)

    assert order(115).verb in {"move", "double-pace"}
    assert order(135).verb not in {"move", "double-pace"}
