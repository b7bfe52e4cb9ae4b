"""Notes of prepared actions: which are offered, which are met, and what follows from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import MoraleNote as StepNote
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.play.charges import preparing
from emlia3d.rules.emlia.play.charges.note_conditions import TriggerEvent, may_be_revealed
from emlia3d.rules.emlia.play.charges.preparing import prepare_options
from emlia3d.rules.emlia.play.situation.prepared_notes import (
    lapsed,
    prepared_notes_of,
    slips_known_to,
    trigger_because,
)
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.preparation import Note, NoteTrigger
from tests.rules.emlia.combat.notes import JAVELIN, THROWER, foe, me, moved, note, wrote
from tests.rules.emlia.outcome import names, told

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

STONES = {
    "name": "Stones", "base_damage": 1, "range": (10, 50, 90), "use": ("area volley",),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0},
}  # fmt: skip


def offered(battle: Battle, unit: int = 0) -> list[Note]:
    """The notes that a unit is offered to write."""
    orders = [order for order in prepare_options(battle, unit) if order.verb == "prepare"]
    return [Note.model_validate_json(order.words) for order in orders]


def shots(number: int = 0) -> list[Note]:
    """The notes that are offered for one weapon: shoot at each band, or shoot and move."""
    found = []
    for band in ("medium", "short", "long"):
        seen = NoteTrigger.model_validate({"band": band, "weapon": number, "in_sight": True})
        found.append(Note(when=(seen,), do=("aimed fire",)))
        if band == "medium":
            found.append(Note(when=(seen,), do=("aimed fire", "normal move")))
    return found


CHARGE = Note(when=(NoteTrigger(within=16),), do=("charge",))
COVER = Note(when=(NoteTrigger(attacked="from afar"),), do=("take cover",))


@pytest.mark.rule("emlia.prepare", "emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("unit", "put", "expected"),
    [
        ({}, {}, [CHARGE, COVER]),
        (THROWER, {}, [*shots(), CHARGE, COVER]),
        ({**THROWER, "weapons": [STONES, JAVELIN]}, {}, [*shots(1), CHARGE, COVER]),
        ({**THROWER, "movement": None}, {}, [*shots()]),
        (THROWER, {"primary_used": 1}, [COVER]),
        (THROWER, {"move_used": 1}, [note for note in shots() if len(note.do) == 1] + [CHARGE]),
        (THROWER, {"primary_used": 1, "move_used": 1}, []),
        (THROWER, {"disordered": 1}, []),
    ],
    ids=["no weapon", "a thrower", "the second weapon", "a fixed one", "has acted", "has moved",
         "has done both", "disordered"],
)  # fmt: skip
def test_notes_that_fit_are_offered(
    field_of_battle: Build, unit: Mapping[str, Any], put: dict[str, int], expected: list[Note]
) -> None:
    battle = field_of_battle(me(**unit, put=put), foe(y=121))

    assert offered(battle) == expected


@pytest.mark.rule("emlia.prepare")
@pytest.mark.parametrize(
    ("unit", "y", "some"),
    [
        ({}, 100 + 46, True),
        ({}, 100 + 46.5, False),
        (THROWER, 100 + 66, True),
        (THROWER, 100 + 66.5, False),
    ],
    ids=["three moves", "farther", "three moves and the range", "farther than that"],
)
def test_notes_are_offered_if_a_known_enemy_is_within_three_moves_and_the_longest_range(
    field_of_battle: Build, unit: Mapping[str, Any], y: float, some: bool
) -> None:
    battle = field_of_battle(me(**unit), foe(y=y))
    hidden = field_of_battle(
        me(**unit), foe(y=y), terrain=[{"kind": "building", "box": (0, 115, 200, 117)}]
    )

    assert bool(offered(battle)) is some
    assert offered(hidden) == []


@pytest.mark.rule("emlia.prepare.false-reveal")
def test_only_secret_notes_of_its_own_may_be_shown(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), me(80, 100), foe(y=180))
    for unit in (0, 1):
        wrote(battle, play, unit, note("charge"))
    number = prepared_notes_of(battle)[0].number
    show = [order for order in prepare_options(battle, 0) if order.verb == "show-note"]

    (event,) = play(battle, preparing.carry_out(battle, 0, show[0]))

    assert [order.number for order in show] == [number]
    assert event.facts.values() == {"note": note("charge").written(), "does": "charge"}
    assert event.because == ("emlia.prepare.false-reveal",)
    assert [slip.shown for slip in prepared_notes_of(battle)] == [True, False]
    assert [slip.unit for slip in slips_known_to(battle, 1)] == [0]
    assert [slip.unit for slip in slips_known_to(battle, 0)] == [0, 1]
    assert [order for order in prepare_options(battle, 0) if order.verb == "show-note"] == []


@pytest.mark.rule("emlia.prepare.note")
def test_a_note_is_written_with_all_that_it_names_and_forfeits_that(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**me(), **THROWER}, foe())
    both = note("aimed fire", "normal move")
    order = Order(verb="prepare", unit=0, words=both.written())

    (event,) = play(battle, preparing.carry_out(battle, 0, order))

    units, rows = battle.state.units, battle.state.lists["prepared"]
    assert (units.value("primary_used", 0), units.value("move_used", 0)) == (1, 1)
    assert (event.name, event.unit, event.facts.values()) == (
        "prepared",
        0,
        {"note": both.written()},
    )
    assert (rows.integer("holder", 0), rows.integer("note", 0)) == (0, 0)
    assert rows.integer("status", 0) == NoteState.SECRET


@pytest.mark.rule("emlia.prepare.expiry")
def test_only_the_notes_of_the_unit_lapse(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), me(80, 100), foe(y=180))
    for unit in (0, 1, 0):
        wrote(battle, play, unit, note("charge"))

    battle.happen(Event(facts=Unread(event="put"), changes=tuple(lapsed(battle, 1))))

    assert {slip.unit for slip in prepared_notes_of(battle)} == {0}
    status = battle.state.lists["prepared"].ints("status").tolist()
    assert status[1] == NoteState.SPENT


@pytest.mark.rule("emlia.prepare.expiry", "emlia.disorder.causes")
def test_the_notes_of_a_unit_that_breaks_apart_lapse(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), me(80, 100), foe(y=180))
    for unit in (0, 1):
        wrote(battle, play, unit, note("charge"))
    row = {"unit": 1, "what": StepNote.BROKE_APART, "amount": 0.0}
    battle.happen(Event(facts=Unread(event="put"), changes=(Append(table="note", row=row),)))

    play(battle, phase.resolve(battle))

    assert {slip.unit for slip in prepared_notes_of(battle)} == {0}


@pytest.mark.rule("emlia.prepare.trigger", "emlia.prepare.expiry", "emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("put", "done", "slug"),
    [
        ({}, TriggerEvent(1, "normal move"), None),
        ({}, TriggerEvent(), None),
        ({}, TriggerEvent(0, "normal move"), "emlia.prepare.trigger"),
        ({"preparing": 1}, TriggerEvent(1, "normal move"), "emlia.prepare.trigger"),
        ({"disordered": 1}, TriggerEvent(1, "normal move"), "emlia.prepare.expiry"),
        ({"present": 0}, TriggerEvent(1, "normal move"), "emlia.prepare.expiry"),
    ],
)
def test_a_note_is_met_by_what_others_do_while_the_unit_is_in_order(
    field_of_battle: Build, play: Play, put: dict[str, int], done: TriggerEvent, slug: str | None
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 112))
    wrote(battle, play, 0, note("aimed fire"))
    (slip,) = prepared_notes_of(battle)
    cells = (Set(table="unit", row=0, column=name, value=value) for name, value in put.items())
    battle.happen(Event(facts=Unread(event="put"), changes=tuple(cells)))

    refusal = may_be_revealed(battle, slip, done)

    assert (None if refusal is None else refusal.slug) == slug


@pytest.mark.rule("emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("when", "done", "met"),
    [
        # Unit 1 is at 6 GSU or less, unit 2 at 12 or less, unit 3 out of range.
        ({"band": "short"}, TriggerEvent(2, "aimed fire"), True),
        ({"band": "short", "who": 1}, TriggerEvent(2, "aimed fire"), True),
        ({"band": "short", "who": 2}, TriggerEvent(1, "aimed fire"), False),
        ({"band": "medium", "who": 2}, TriggerEvent(1, "aimed fire"), True),
        ({"band": "long", "who": 1}, TriggerEvent(2, "aimed fire"), True),
        ({"band": "long", "who": 3}, TriggerEvent(2, "aimed fire"), False),
        ({"band": "short", "does": "aimed fire"}, TriggerEvent(1, "aimed fire"), True),
        ({"band": "short", "does": "aimed fire"}, TriggerEvent(2, "aimed fire"), False),
        ({"band": "medium", "does": "aimed fire"}, TriggerEvent(2, "aimed fire"), True),
        ({"band": "medium", "does": "aimed fire"}, TriggerEvent(2, "charge"), False),
        ({"within": 7, "does": "charge"}, TriggerEvent(1, "charge"), True),
        ({"within": 7, "does": "charge"}, TriggerEvent(2, "charge"), False),
        ({"who": 2, "does": "charge"}, TriggerEvent(2, "charge"), True),
        ({"who": 2, "does": "charge"}, TriggerEvent(1, "charge"), False),
        ({"who": 2, "within": 7}, TriggerEvent(1, "charge"), False),
        ({"who": 1, "within": 7}, TriggerEvent(2, "charge"), True),
        ({"who": 2, "within": 7, "does": "charge"}, TriggerEvent(2, "charge"), False),
    ],
)
def test_a_condition_is_met_by_those_of_whom_it_speaks(
    field_of_battle: Build, play: Play, when: dict[str, Any], done: TriggerEvent, met: bool
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 106), foe(56, 110), foe(50, 150))
    slip = Note(when=(NoteTrigger(**when),), do=("take cover",))
    wrote(battle, play, 0, slip)

    assert (may_be_revealed(battle, prepared_notes_of(battle)[0], done) is None) is met


@pytest.mark.rule("emlia.prepare.must-execute-all", "emlia.prepare.trigger")
def test_carrying_out_a_note_leaves_what_was_used_as_it_was(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle({**me(), **THROWER}, foe())
    wrote(battle, play, 0, note("aimed fire", within=20.0))
    put(battle, 0, move_used=1)

    events = moved(battle, play, 1, 116, [1, 1])

    units = battle.state.units
    (revealed,) = told(events, "revealed")
    assert names(events) == [
        "moved", "revealed", "prepared action due", "fired", "prepared actions ended",
    ]  # fmt: skip
    assert revealed.because == ("emlia.prepare.trigger", "emlia.prepare.conditions")
    assert revealed.facts.does == "aimed fire"
    assert [units.value(name, 0) for name in ("move_used", "primary_used", "preparing")] == [
        1, 1, 0,
    ]  # fmt: skip
    assert [event.part_of_last for event in events[1:]] == [False, True, False, True]
    assert prepared_notes_of(battle) == []


@pytest.mark.rule("emlia.prepare.must-execute-all")
def test_what_cannot_be_carried_out_is_lost_and_named(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**me(), **THROWER}, foe())
    wrote(battle, play, 0, note("close combat", "drop down", within=20.0))

    events = moved(battle, play, 1, 116)

    (lost,) = told(events, "prepared action lost")
    assert (lost.unit, lost.facts.values()) == (0, {"does": "close combat"})
    assert lost.because == ("emlia.prepare.must-execute-all",)
    assert battle.state.units.value("posture", 0) == 1


@pytest.mark.rule("emlia.prepare.several-units", "emlia.forced.triggers-prepared")
@pytest.mark.parametrize(
    ("ready", "forced", "expected"),
    [
        (1, False, ()),
        (2, False, ("emlia.prepare.several-units",)),
        (1, True, ("emlia.forced.triggers-prepared",)),
        (2, True, ("emlia.prepare.several-units", "emlia.forced.triggers-prepared")),
    ],
)
def test_a_revealed_note_names_others_that_wait_and_forced_moves(
    ready: int, forced: bool, expected: tuple[str, ...]
) -> None:
    assert trigger_because(ready, forced) == expected


@pytest.mark.rule("emlia.prepare.several-units")
@pytest.mark.parametrize(("order", "first"), [((12, 1), [0, 1]), ((1, 12), [1, 0])])
def test_of_two_sides_with_equal_timing_the_one_that_activated_longer_ago_comes_first(
    field_of_battle: Build, play: Play, order: tuple[int, int], first: list[int]
) -> None:
    battle = field_of_battle(
        me(40, 100, **THROWER), foe(60, 112, **THROWER), me(50, 80), foe(50, 180), order=order
    )
    when = Note(when=(NoteTrigger(who=3, does="normal move"),), do=("take cover",))
    for unit in (0, 1) if order == (12, 1) else (1, 0):
        wrote(battle, play, unit, when)

    events = moved(battle, play, 3, 178)

    assert [event.unit for event in told(events, "revealed")] == first


def test_the_notes_after_the_first_are_not_judged_until_they_are_asked_for(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = field_of_battle({**me(), **THROWER}, foe())
    judged: list[Note] = []

    def counted(battle: Battle, unit: int, note: Note) -> None:
        judged.append(note)

    monkeypatch.setattr(preparing, "may_prepare", counted)
    notes = iter(prepare_options(battle, 0))
    next(notes)

    assert len(judged) == 1
    assert len([*notes]) == len(judged) - 1 > 0
