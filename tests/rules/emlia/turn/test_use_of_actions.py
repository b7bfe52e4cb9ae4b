"""Chapters 8 and 9 as play: what a unit has left, and how an activation begins and ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair, Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.actions import ActionType, action, free_bit
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.acting.actions import (
    chosen,
    is_second,
    kind_of,
    may_act_on_orders,
    may_forfeit,
    may_take,
    used_by,
)
from emlia3d.rules.emlia.play.turn.activation import action_of, begun, delayed, ended, may_delay

Build = Callable[..., Battle]
Put = Callable[..., None]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50), "timing": 3}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}


def cells(event: Event, unit: int) -> dict[str, Any]:
    """The columns of a unit that an event sets."""
    return {
        change.column: change.value
        for change in event.changes
        if isinstance(change, Set) and change.table == "unit" and change.row == unit
    }


def gone(event: Event) -> set[tuple[str, int, int]]:
    """The pairs that an event strikes out."""
    return {
        (change.column, change.a, change.b)
        for change in event.changes
        if isinstance(change, Pair) and change.value is None
    }


def note_pair(battle: Battle, column: str, a: int, b: int) -> None:
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column=column, a=a, b=b, value=1),))
    )


@pytest.mark.rule("emlia.activate.delay")
@pytest.mark.parametrize(
    ("put", "may"),
    [
        ({}, True),
        ({"timing": 1}, True),
        ({"timing": 0}, False),
        ({"delayed": 1}, False),
        ({"move_used": 1}, False),
        ({"leftover": 1}, False),
        ({"disordered": 1}, False),
        ({"disordered": 1, "ignoring": 1}, True),
        ({"primary_used": 1}, True),
        ({"free_used": free_bit("delay")}, False),
    ],
)
def test_a_unit_delays_before_it_acts_to_a_lower_timing(
    field_of_battle: Build, put: dict[str, int], may: bool
) -> None:
    battle = field_of_battle({**ALICE, "put": put}, BOB)

    assert (may_delay(battle, 0) is None) is may


@pytest.mark.rule("emlia.orders.on-orders", "emlia.disorder.effect", "emlia.lead.ignore.orders")
@pytest.mark.parametrize(
    ("put", "may"),
    [
        ({}, True),
        ({"leftover": 1}, True),
        ({"disordered": 1}, False),
        ({"disordered": 1, "leftover": 1}, True),
        ({"disordered": 1, "ignoring": 1}, True),
    ],
)
def test_a_disordered_unit_acts_with_leftovers_or_while_it_ignores_its_conditions(
    field_of_battle: Build, put: dict[str, int], may: bool
) -> None:
    battle = field_of_battle({**ALICE, "put": put}, BOB)

    assert (may_act_on_orders(battle, 0) is None) is may


MOVES = {
    "normal move", "drop down", "stand up", "take cover", "break ranks", "conceal self",
    "improve morale", "pass awareness",
}  # fmt: skip
NORMAL = {"normal move"}
BOTH = {"moved": 1, "move_used": 1}


@pytest.mark.rule("emlia.move.double-pace.second", "emlia.activate.free-actions")
@pytest.mark.parametrize(
    ("put", "may"),
    [
        ({}, {*MOVES, "double pace"}),
        (BOTH, MOVES),
        ({"move_used": 2}, NORMAL),
        ({"move_used": 1}, set()),
        ({**BOTH, "double_paced": 1}, set()),
        ({**BOTH, "charged": 1}, set()),
        ({**BOTH, "leftover": 1}, set()),
        ({**BOTH, "primary_used": 1}, set()),
        ({**BOTH, "free_used": free_bit("delay")}, set()),
        ({"move_used": 2, "double_paced": 1}, set()),
    ],
)
def test_the_second_part_of_a_double_pace_follows_a_normal_move_or_is_one(
    field_of_battle: Build, put: dict[str, int], may: set[str]
) -> None:
    battle = field_of_battle({**ALICE, "put": put}, BOB)

    found = {
        name
        for name in (*MOVES, "double pace")
        if may_take(battle, 0, name, ActionType.MOVE) is None
    }

    assert found == may


@pytest.mark.rule("emlia.activate.free-actions", "emlia.activate.two-actions")
@pytest.mark.parametrize(
    ("put", "name", "kind", "may"),
    [
        ({"primary_used": 1}, "improve morale", None, True),
        ({"primary_used": 1}, "improve morale", ActionType.PRIMARY, False),
        ({"move_used": 1}, "improve morale", ActionType.PRIMARY, True),
        ({}, "improve morale", ActionType.FREE, False),
        ({}, "pass awareness", ActionType.FREE, True),
        ({"free_used": free_bit("pass awareness")}, "pass awareness", ActionType.FREE, False),
        ({"free_used": free_bit("reorder")}, "pass awareness", ActionType.FREE, True),
        ({"free_used": free_bit("pass awareness")}, "pass awareness", ActionType.PRIMARY, True),
        ({"free_used": free_bit("reorder")}, "reorder", None, False),
        ({"move_used": 1, "primary_used": 1}, "reorder", None, True),
        ({"move_used": 1}, "area volley", None, False),
        ({"move_used": 1}, "charge", None, True),
        ({"double_paced": 1}, "charge", None, False),
        ({"disordered": 1}, "area volley", None, False),
        ({"disordered": 1, "leftover": 1}, "area volley", None, False),
        ({"disordered": 1, "ignoring": 1}, "area volley", None, True),
        ({"disordered": 1}, "aimed fire", None, True),
    ],
)
def test_an_action_needs_what_it_costs_and_what_its_row_says(
    field_of_battle: Build, put: dict[str, int], name: str, kind: ActionType | None, may: bool
) -> None:
    battle = field_of_battle({**ALICE, "put": put}, BOB)

    assert (may_take(battle, 0, name, kind) is None) is may


@pytest.mark.rule("emlia.engage.restrictions")
def test_an_engaged_or_loose_unit_gives_no_concentrated_volley(field_of_battle: Build) -> None:
    block = {**ALICE, "members": 4, "files": 2, "formation": "close"}
    near = {**BOB, "at": (50, 52.5)}

    def may(unit: dict[str, Any], foe: dict[str, Any]) -> bool:
        return may_take(field_of_battle(unit, foe), 0, "concentrated volley") is None

    assert may(block, BOB)
    assert not may(block, near)
    assert not may({**block, "formation": "open"}, BOB)
    assert not may({**block, "formation": "ranked"}, BOB)


@pytest.mark.rule("emlia.activate.forfeit")
def test_actions_use_up_their_kind_and_a_forfeited_move(field_of_battle: Build) -> None:
    battle = field_of_battle({**ALICE, "put": {"free_used": free_bit("reorder")}}, BOB)

    def used(name: str, kind: ActionType | None = None, **more: bool) -> dict[str, Any]:
        changes = used_by(battle, 0, name, kind, **more)
        return cells(Event(facts=Unread(event="x"), changes=changes), 0)

    taken = free_bit("reorder") | free_bit("pass awareness")
    assert used("normal move") == {"move_used": 1}
    assert used("normal move", forfeits_move=True) == {"move_used": 1}
    assert used("charge") == {"primary_used": 1}
    assert used("aimed fire", forfeits_move=True) == {"primary_used": 1, "move_used": 1}
    assert used("area volley") == {"primary_used": 1, "move_used": 1}
    assert used("improve morale") == {"move_used": 1}
    assert used("improve morale", ActionType.PRIMARY) == {"primary_used": 1}
    assert used("pass awareness", ActionType.FREE) == {"free_used": taken}
    assert used("delay") == used("prepare actions") == {}
    assert kind_of("improve morale") is ActionType.MOVE
    assert kind_of("improve morale", ActionType.PRIMARY) is ActionType.PRIMARY


@pytest.mark.rule("emlia.activate.forfeit")
def test_only_what_forfeits_a_move_needs_one_that_is_left(field_of_battle: Build) -> None:
    fresh, spent = (field_of_battle({**ALICE, "put": {"move_used": n}}, BOB) for n in (0, 1))

    assert may_forfeit(fresh, 0, action("area volley")) is None
    assert may_forfeit(spent, 0, action("area volley")) is not None
    assert may_forfeit(spent, 0, action("charge")) is None


@pytest.mark.rule("emlia.move.double-pace.second")
@pytest.mark.parametrize(
    ("verb", "used", "is_so"),
    [("move", 1, True), ("move", 0, False), ("take-cover", 2, True), ("fire", 1, False),
     ("double-pace", 1, False), ("conceal-self-move", 1, True)],
)  # fmt: skip
def test_a_move_action_after_a_move_action_is_a_second_part(
    field_of_battle: Build, verb: str, used: int, is_so: bool
) -> None:
    battle = field_of_battle({**ALICE, "put": {"move_used": used}}, BOB)

    assert is_second(battle, 0, Order(verb=verb, unit=0)) is is_so


def test_a_player_is_asked_only_where_there_is_a_choice(
    field_of_battle: Build, question: Callable[..., Any]
) -> None:
    battle = field_of_battle(ALICE, BOB)
    orders = [Order(verb=verb, unit=0) for verb in ("one", "two")]

    asked = question(battle, chosen(battle, 0, "emlia.time.turn", orders))

    assert (asked.side, asked.unit, asked.options) == (0, 0, tuple(orders))
    with pytest.raises(AssertionError, match="nothing was asked"):
        question(battle, chosen(battle, 0, "emlia.time.turn", orders[:1]))


@pytest.mark.rule("emlia.gloss.activation")
def test_an_activation_begins_with_all_actions_and_is_counted(
    field_of_battle: Build, put: Put
) -> None:
    used = ("move_used", "primary_used", "free_used", "charged", "leftover", "moved", "hid")
    battle = field_of_battle(ALICE, {**ALICE, "at": (90, 50)}, BOB)
    put(battle, 0, **dict.fromkeys(used, 1))
    declined = tuple(Set(table="side", row=row, column="declined", value=1) for row in (0, 1))
    battle.happen(Event(facts=Unread(event="put"), changes=declined))
    for column in ("mourned", "ran_through", "acted_on"):
        for pair in ((0, 1), (1, 0)):
            note_pair(battle, column, *pair)
    before = battle.state.battle.integer("activations", 0)

    event = begun(battle, 0)
    battle.happen(event)

    units, sides = battle.state.units, battle.state.sides
    assert [units.integer(column, 0) for column in (*used, "resumes")] == [0] * 8
    assert [units.integer(column, 0) for column in ("activated", "activations")] == [1, 1]
    assert battle.state.battle.integer("activations", 0) == before + 1
    assert battle.state.battle.integer("acted", 0) == 1
    assert sides.integer("last_activation", 0) == before + 1
    assert sides.ints("declined").tolist() == [0, 0]
    assert gone(event) == {(c, 0, 1) for c in ("mourned", "ran_through", "acted_on")}
    begun_again = begun(battle, 0)
    battle.happen(begun_again)
    assert units.integer("activations", 0) == 2


@pytest.mark.rule("emlia.gloss.activation")
def test_a_unit_that_resumes_keeps_what_it_has_used(field_of_battle: Build, put: Put) -> None:
    kept, reset = (
        ("move_used", "primary_used", "free_used"),
        ("charged", "leftover", "moved", "hid"),
    )
    battle = field_of_battle(ALICE, BOB)
    put(battle, 0, resumes=1, **dict.fromkeys((*kept, *reset), 1))

    battle.happen(begun(battle, 0))

    units = battle.state.units
    assert [units.integer(column, 0) for column in kept] == [1, 1, 1]
    assert [units.integer(column, 0) for column in (*reset, "resumes")] == [0] * 5


@pytest.mark.rule("emlia.gloss.activation", "emlia.activate.delay-counts")
def test_a_free_strike_costs_the_primary_action_once_also_after_a_delay(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(ALICE, BOB)
    units = battle.state.units
    put(battle, 0, strike_owed=1)

    battle.happen(begun(battle, 0))
    paid = units.integer("primary_used", 0), units.integer("strike_owed", 0)
    battle.happen(delayed(battle, 0, 1))
    later = [units.integer(c, 0) for c in ("strike_owed", "timing", "delayed", "activated")]
    put(battle, 0, primary_used=0, strike_owed=0)
    unpaid = cells(delayed(battle, 0, 0), 0)

    assert paid == (1, 0)
    assert later == [1, 1, 1, 0]
    assert unpaid == {"timing": 0, "delayed": 1, "activated": 0}


@pytest.mark.rule("emlia.gloss.activation")
def test_the_end_of_an_activation_clears_what_lasted_up_to_it(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(ALICE, {**ALICE, "at": (90, 50)}, BOB, {**BOB, "at": (90, 150)})
    put(battle, 0, aligned=-1, commanded=1, ignoring=1)
    for column in ("attack", "harmed"):
        for pair in ((2, 0), (3, 0), (2, 1), (0, 2)):
            note_pair(battle, column, *pair)

    event = ended(battle, 0)

    assert cells(event, 0) == {"aligned": 0, "commanded": 0, "ignoring": 0}
    assert {pair for pair in gone(event) if pair[0] in {"attack", "harmed"}} == {
        (column, foe, 0) for column in ("attack", "harmed") for foe in (2, 3)
    }


@pytest.mark.rule("emlia.melee.outnumber")
@pytest.mark.parametrize(
    ("mine", "theirs", "gap", "what"),
    [
        (8, 4, 1, MoraleNote.OUTNUMBERS),
        (4, 8, 1, MoraleNote.OUTNUMBERED),
        (4, 4, 1, None),
        (8, 4, 40, None),
    ],
)
def test_a_unit_notes_at_its_end_who_outnumbers_whom_in_reach(
    field_of_battle: Build, mine: int, theirs: int, gap: float, what: MoraleNote | None
) -> None:
    crowd = {"at": (100, 50), "members": mine, "files": mine, "formation": "close"}
    foes = {**BOB, "at": (100, 50 + gap), "members": theirs, "files": theirs, "formation": "close"}
    battle = field_of_battle(crowd, foes)

    battle.happen(ended(battle, 0))

    rows = battle.state.lists["note"]
    found = list(
        zip(rows["unit"].tolist(), rows["what"].tolist(), rows["amount"].tolist(), strict=True)
    )
    assert found == ([] if what is None else [(0, what, 1)])


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        ("move", "normal move"),
        ("double-pace", "double pace"),
        ("aim", "aimed fire"),
        ("conceal-self-only", "conceal self"),
        ("pass-awareness-free", "pass awareness"),
        ("take-cover", "take cover"),
        ("leave-cover", ""),
        ("show-note", ""),
    ],
)
def test_an_order_is_of_an_action_of_the_list(verb: str, name: str) -> None:
    assert action_of(verb) == name
