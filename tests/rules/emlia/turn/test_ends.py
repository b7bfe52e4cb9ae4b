"""Chapter 22 as play: each condition of an end just short of it, and when it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side, VictoryCondition
from emlia3d.rules.emlia.play.turn import objectives
from emlia3d.rules.emlia.play.turn.objectives import (
    captures,
    control_because,
    decided,
    ending,
    holds,
    is_cleared,
    is_destroyed,
    is_gone,
    is_held,
    is_lost,
    result_of,
)
from tests.rules.emlia.turn.ending import ALICE, BOB, aim

Build = Callable[..., Battle]
Put = Callable[..., None]
KING: dict[str, Any] = {**BOB, "name": "king"}
GUARD: dict[str, Any] = {**BOB, "at": (90, 150), "name": "guard"}
AREAS = {
    "hill": (40, 40, 60, 60), "ford": (40, 140, 60, 160), "wood": (80, 140, 100, 160),
    "fen": (0, 0, 10, 10),
}  # fmt: skip


def off(battle: Battle, unit: int) -> None:
    battle.happen(Event(facts=Unread(event="put"), changes=(Leave(unit=unit),)))


def fall(battle: Battle, unit: int, figure: int = 0) -> None:
    figures = (battle.state.units.integer("first", unit) + figure,)
    battle.happen(Event(facts=Unread(event="put"), changes=(Fall(unit=unit, figures=figures),)))


def held(battle: Battle, *turns: int) -> None:
    changes = tuple(
        Set(table="aim", row=row, column="held", value=n) for row, n in enumerate(turns)
    )
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
@pytest.mark.parametrize(("morale", "is_fit"), [(-3, True), (-4, False), (-7, False)])
def test_a_side_whose_units_all_retreat_is_gone(
    field_of_battle: Build, put: Put, morale: int, is_fit: bool
) -> None:
    battle = field_of_battle(ALICE, KING, GUARD)
    put(battle, 1, morale=-4)
    put(battle, 2, morale=morale)

    assert is_gone(battle, "Bob") is not is_fit
    assert not is_gone(battle, "Alice")


@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
def test_a_unit_is_gone_when_it_is_off_the_field_and_expected_no_more(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(ALICE, KING, {**GUARD, "arrives": 3})
    put(battle, 1, morale=-7)

    assert not is_gone(battle, "king")
    assert not is_gone(battle, "guard")
    assert not is_gone(battle, "Bob")
    assert not is_cleared(battle, "Bob")
    off(battle, 1)
    assert is_gone(battle, "king")
    assert not is_cleared(battle, "Bob")
    put(battle, 2, present=1)
    off(battle, 2)
    assert is_gone(battle, "guard")
    assert is_gone(battle, "Bob")
    assert is_cleared(battle, "Bob")


@pytest.mark.rule("emlia.castle.defender-victory.d-massacre")
def test_a_side_is_cleared_when_its_last_unit_has_left_whatever_its_morale(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(ALICE, KING, GUARD)
    put(battle, 2, morale=-7)
    off(battle, 1)

    assert is_gone(battle, "Bob")
    assert not is_cleared(battle, "Bob")
    off(battle, 2)
    assert is_cleared(battle, "Bob")
    assert not is_cleared(battle, "Alice")


@pytest.mark.rule("emlia.castle.attacker-victory.a-massacre")
def test_all_figures_of_a_side_or_unit_must_fall_to_destroy_it(field_of_battle: Build) -> None:
    battle, left = (field_of_battle(ALICE, {**KING, "members": 2}, GUARD) for _ in range(2))

    fall(battle, 1, 0)
    assert not is_destroyed(battle, "king")
    fall(battle, 1, 1)
    assert is_destroyed(battle, "king")
    assert not any(is_destroyed(battle, name) for name in ("Bob", "guard", "Alice"))
    fall(battle, 2)
    assert is_destroyed(battle, "Bob")
    fall(left, 1, 0)
    fall(left, 1, 1)
    off(left, 2)
    assert not is_destroyed(left, "Bob")


@pytest.mark.rule("emlia.castle.attacker-victory.a-massacre")
def test_a_mixed_unit_is_destroyed_with_its_last_subunit(field_of_battle: Build) -> None:
    part = {**BOB, "at": (51, 150), "group": "king", "name": "page"}
    battle = field_of_battle(ALICE, KING, part, GUARD)

    fall(battle, 1)
    assert not is_destroyed(battle, "king")
    fall(battle, 2)
    assert is_destroyed(battle, "king")


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_a_person_is_lost_when_destroyed_or_captured_and_not_when_away(
    field_of_battle: Build, put: Put
) -> None:
    fallen, taken, away = (field_of_battle(ALICE, KING, GUARD) for _ in range(3))
    fall(fallen, 1)
    put(taken, 1, captured=1)
    off(away, 1)

    assert [is_lost(battle, "king") for battle in (fallen, taken, away)] == [True, True, False]
    assert not any(is_lost(battle, "guard") for battle in (fallen, taken, away))


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_a_person_of_a_unit_that_may_be_split_is_lost_with_one_capture(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(ALICE, {**KING, "members": 4, "skills": {"leadership": "3"}})
    put(battle, 1, captured=1)

    assert len(battle.setup.bodies_of(1)) > 1
    assert is_lost(battle, "king")


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
@pytest.mark.parametrize(
    ("king", "morale", "is_wanted", "is_taken"),
    [
        ({}, -7, True, True),
        ({}, -6, True, False),
        ({}, -7, False, False),
        ({"members": 2}, -7, True, False),
        ({"at": (50, 60)}, -7, True, False),
    ],
    ids=["routed", "retreating", "nobody needs him", "two men", "not engaged"],
)
def test_a_routed_and_engaged_last_man_is_captured(
    field_of_battle: Build, put: Put, king: dict[str, Any], morale: int, is_wanted: bool,
    is_taken: bool,
) -> None:  # fmt: skip
    wanted = [aim(lost="king")] if is_wanted else [aim(gone="Bob")]
    foe = {**KING, "at": (50, 51.5), **king}
    battle = field_of_battle({"at": (90, 90)}, foe, ALICE, aims=[*wanted, *wanted])
    put(battle, 1, morale=morale)

    found = list(captures(battle))

    assert [(event.unit, event.target) for event in found] == ([(1, 2)] if is_taken else [])
    for event in found:
        battle.happen(event)
    assert is_lost(battle, "king") is is_taken
    assert bool(battle.state.units.value("present", 1)) is not is_taken


@pytest.mark.rule("emlia.castle.attacker-victory", "emlia.castle.defender-victory")
@pytest.mark.parametrize(("after", "is_so"), [(0, True), (1, False), (2, False)])
def test_an_aim_counts_only_after_its_turn(field_of_battle: Build, after: int, is_so: bool) -> None:
    battle = field_of_battle(ALICE, BOB, areas=AREAS)

    assert holds(battle, VictoryCondition(**aim(controls=("hill",), after=after))) is is_so
    assert not holds(battle, VictoryCondition(**aim(controls=("ford",))))
    assert not holds(battle, VictoryCondition(**aim(controls=("hill",), gone="Bob")))


@pytest.mark.rule("emlia.scenario.end-conditions.held-or-lost")
@pytest.mark.parametrize(
    ("conditions", "is_so"),
    [
        ({"controls": ("hill",)}, True),
        ({"controls": ("hill", "wood")}, True),
        ({"controls": ("hill", "fen")}, False),
        ({"denied": ("hill", "fen", "wood")}, True),
        ({"denied": ("hill", "ford")}, False),
        ({"conceded": ("ford",)}, True),
        ({"conceded": ("ford", "fen")}, False),
        ({"conceded": ("wood",)}, False),
        ({"unguarded": ("fen",)}, True),
        ({"unguarded": ("hill",)}, False),
        ({"controls": ("hill",), "outnumbers": "ford"}, False),
        ({"controls": ("hill", "wood"), "outnumbers": "ford"}, True),
        ({"controls": ("hill",), "outnumbers": "wood"}, True),
        ({"controls": ("hill",), "outnumbers": "fen"}, True),
    ],
)
def test_areas_are_in_the_wanted_hands_and_allies_are_no_enemies(
    field_of_battle: Build, conditions: dict[str, Any], is_so: bool
) -> None:
    # Alice's 2 on the hill and 2 in the wood, beside 5 of her ally; Bob's 3 at the ford.
    sides = (
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    )
    battle = field_of_battle(
        {**ALICE, "members": 2}, {**BOB, "members": 3}, {"at": (90, 145), "members": 2},
        {"at": (90, 155), "members": 5, "side": "Carol"},
        areas=AREAS, sides=sides, order=(3, 2, 1),
    )  # fmt: skip

    assert is_held(battle, VictoryCondition(**aim(**conditions))) is is_so


@pytest.mark.rule("emlia.scenario.end-conditions")
@pytest.mark.parametrize(
    ("turns", "ends", "held_for", "is_over"),
    [(6, True, 2, True), (6, True, 3, True), (6, True, 1, False), (6, False, 2, False),
     (1, False, 0, True)],
)  # fmt: skip
def test_an_aim_ends_the_battle_if_it_held_long_enough_and_may_end_it(
    field_of_battle: Build, turns: int, ends: bool, held_for: int, is_over: bool
) -> None:
    hold = aim(controls=("hill",), turns=2, ends=ends)
    battle = field_of_battle(ALICE, BOB, areas=AREAS, aims=[hold], turns=turns)
    held(battle, held_for)

    assert (decided(battle) is not None) is is_over


@pytest.mark.rule("emlia.scenario.victory", "emlia.castle.precedence")
def test_of_one_sides_aims_the_first_of_the_best_level_gives_the_reason(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, BOB)
    met = [
        VictoryCondition(**aim("Alice", "victory", controls=("hill",))),
        VictoryCondition(**aim("Alice", "victory", controls=("ford",))),
        VictoryCondition(**aim("Bob", "minor victory", controls=("wood",))),
    ]

    for some in (met, met[::-1]):
        found = result_of(battle, some)
        assert (found.winner, found.level) == ("Alice", "victory")
    assert result_of(battle, met).reason.startswith("Alice held the hill")
    drawn = result_of(battle, [met[0], VictoryCondition(**aim("Bob", "victory", gone="Alice"))])
    assert (drawn.winner, drawn.level) == (None, "draw")
    assert drawn.reason == "Alice and Bob reached the same level of victory."


END = "emlia.scenario.end-conditions"


@pytest.mark.parametrize(
    ("conditions", "turns", "held_for", "slugs"),
    [
        ({"controls": ("hill",)}, 1, 1, [".after-turn"]),
        ({"controls": ("hill",)}, 6, 1, []),
        ({"controls": ("hill",), "ends": True}, 6, 1, [".held-or-lost"]),
        ({"controls": ("hill",), "turns": 2}, 6, 2, [".held-or-lost"]),
        ({"controls": ("hill",), "after": 1}, 6, 1, [".held-or-lost"]),
        ({"denied": ("hill",), "ends": True}, 6, 1, [".held-or-lost"]),
        ({"conceded": ("hill",), "ends": True}, 6, 1, [".held-or-lost"]),
        ({"unguarded": ("hill",), "ends": True}, 6, 1, [".held-or-lost"]),
        ({"gone": "Bob", "ends": True}, 6, 1, [".entity-gone"]),
        ({"destroyed": "Bob"}, 6, 1, [".entity-gone"]),
        ({"cleared": "Bob"}, 6, 1, [".entity-gone"]),
        ({"lost": "king"}, 6, 1, [".leader-lost"]),
    ],
)
def test_an_end_names_each_sort_of_condition_that_was_met(
    field_of_battle: Build, conditions: dict[str, Any], turns: int, held_for: int, slugs: list[str]
) -> None:
    battle = field_of_battle(ALICE, KING, areas=AREAS, aims=[aim(**conditions)], turns=turns)
    held(battle, held_for)

    assert ending(battle) == (END, *(f"{END}{slug}" for slug in slugs), "emlia.scenario.victory")
    held(battle, held_for - 1)
    late = [f"{END}.after-turn"] if turns == 1 else []
    assert ending(battle) == (END, *late)


@pytest.mark.parametrize(
    ("conditions", "row"),
    [
        ({"controls": ("gate", "courtyard")}, "attacker-victory.a-gate-courtyard"),
        ({"controls": ("courtyard",), "unguarded": ("gate",)}, "attacker-victory.a-gate-courtyard"),
        ({"controls": ("walls",)}, "attacker-victory.a-walls"),
        ({"controls": ("courtyard",), "denied": ("walls",)}, "defender-victory.d-courtyard"),
        ({"controls": ("walls",), "conceded": ("courtyard",)}, "defender-victory.d-minor"),
        ({"controls": ("courtyard",)}, None),
    ],
)
def test_a_row_of_the_castle_is_known_by_all_its_areas(
    field_of_battle: Build, conditions: dict[str, Any], row: str | None
) -> None:
    areas = dict.fromkeys(("gate", "courtyard", "walls"), (40, 40, 60, 60))
    battle = field_of_battle(ALICE, BOB, areas=areas, aims=[aim(**conditions)])
    held(battle, 1)

    found = [slug for slug in ending(battle) if slug.startswith("emlia.castle.")]

    assert found == ([] if row is None else [f"emlia.castle.{row}"])


@pytest.mark.rule("emlia.control.controlled", "emlia.control.contested")
@pytest.mark.parametrize("key", ["controls", "denied", "conceded"])
def test_areas_that_any_aim_names_are_looked_at_as_a_turn_ends(
    field_of_battle: Build, key: str
) -> None:
    def told(*names: str) -> tuple[str, ...]:
        units = (ALICE, {**BOB, "at": (52, 50)}, {"at": (90, 150)}, {**BOB, "at": (5, 100)})
        wanted: list[dict[str, Any]] = [{**aim(), key: (name,)} for name in names]
        return control_because(field_of_battle(*units, areas=AREAS, aims=wanted))

    assert told("fen") == ()
    assert told("hill") == ("emlia.control.contested",)
    assert told("wood") == ("emlia.control.controlled",)
    assert told("fen", "wood", "hill") == ("emlia.control.controlled", "emlia.control.contested")


def test_the_levels_of_victory_are_in_the_books_order() -> None:
    assert objectives.LEVELS == ("minor victory", "victory", "major victory", "massacre")
