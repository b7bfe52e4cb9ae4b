"""Chapter 17 as play: notes of prepared actions are written, and lapse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.files.orders import order_from_json, order_to_json
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.play.charges.note_conditions import (
    TriggerEvent,
    in_prospect,
    may_be_revealed,
)
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.pose import placed, pose_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate
from emlia3d.rules.emlia.preparation import (
    Note,
    NoteTrigger,
    action_cells,
    actions_of,
    cells_of,
    occurrence_of,
)
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.words.card import card
from tests.rules.emlia.combat.notes import THROWER, foe, march, me, moved, note, write, wrote
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]


@pytest.mark.rule("emlia.prepare")
def test_preparing_is_free_and_forfeits_the_actions_that_the_note_names(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    units = battle.state.units

    wrote(battle, play, 0, note("aimed fire"))

    assert (units.value("primary_used", 0), units.value("move_used", 0)) == (1, 0)
    assert [slip.note for slip in prepared_notes_of(battle)] == [note("aimed fire")]


@pytest.mark.rule("emlia.prepare")
@pytest.mark.parametrize("do", [("aimed fire", "charge"), ("normal move", "take cover")])
def test_two_primary_actions_would_need_two_to_forfeit(
    do: tuple[str, str], field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    decision = question(battle, activate(battle, 0))

    with pytest.raises(IllegalOrderError, match="left to forfeit"):
        decision.check(write(0, note(*do)))
    decision.check(write(0, note("aimed fire", "normal move")))


@pytest.mark.rule("emlia.prepare")
def test_an_action_that_has_been_used_cannot_be_forfeited(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(), foe())
    offered: list[Decision] = []

    def look(decision: Decision) -> Order:
        offered.append(decision)
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=[march(battle, 0, 104), look])

    offered[0].check(write(0, note("charge")))
    with pytest.raises(IllegalOrderError, match="no move action left"):
        offered[0].check(write(0, note("normal move")))


@pytest.mark.rule("emlia.prepare.conditions")
@pytest.mark.rule("emlia.activate.free-repeat")
def test_a_unit_may_prepare_once_for_each_action_that_it_has(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    shot, step = note("aimed fire"), note("normal move", within=5.0)

    play(battle, activate(battle, 0), answers=[write(0, shot), write(0, step), ...])

    assert [slip.note for slip in prepared_notes_of(battle)] == [shot, step]


@pytest.mark.rule("emlia.prepare.note")
@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ('{"when": [], "do": ["charge"]}', "at least 1"),
        ('{"when": [{"within": 3}], "do": ["double pace"]}', "normal move"),
        ('{"when": [{"taking_cover": true}], "do": ["charge"]}', "a condition on an enemy"),
        ('{"when": [{"who": 9, "within": 3}], "do": ["charge"]}', "another unit with that number"),
        ('{"when": [{"who": 0, "within": 3}], "do": ["charge"]}', "another unit with that number"),
        ('{"when": [{"band": "long"}], "do": ["charge"]}', "no such weapon"),
        ("charge them", "Invalid JSON"),
    ],
)
def test_a_note_that_makes_no_sense_is_refused_with_the_reason(
    words: str, wrong: str, field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(), foe())

    decision = question(battle, activate(battle, 0))

    with pytest.raises(IllegalOrderError, match=wrong):
        decision.check(Order(verb="prepare", unit=0, words=words))


@pytest.mark.rule("emlia.prepare.note")
def test_a_note_cannot_name_an_enemy_that_nobody_knows_of(
    field_of_battle: Build, question: Question
) -> None:
    wall = {"kind": "wall", "box": (0, 115, 200, 116), "height": 9, "body": "solid"}
    battle = field_of_battle(me(), foe(), terrain=[wall])

    decision = question(battle, activate(battle, 0))

    with pytest.raises(IllegalOrderError, match="it does not know another unit with that number"):
        decision.check(write(0, note("charge", who=1)))
    decision.check(write(0, note("charge")))


@pytest.mark.rule("emlia.prepare.note")
def test_a_note_is_in_the_picture_of_its_own_side_alone(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    events = play(battle, activate(battle, 0), answers=[write(0, note("aimed fire")), ...])

    assert [slip.note for slip in SidePicture(battle, 0).notes] == [note("aimed fire")]
    assert SidePicture(battle, 1).notes == []
    (prepared,) = [event for event in events if event.name == "prepared"]
    assert "fire" not in SYSTEM.tell(battle, prepared)
    assert ("prepared", "it has a secret note") in card(battle, 0)


@pytest.mark.rule("emlia.prepare.note")
@pytest.mark.parametrize(
    "when",
    [
        {"within": 12.5},
        {"within_moves": 2.0, "members": "more", "size": "same or lower"},
        {"attacked": "from afar", "shelter": "none", "taking_cover": False},
        {"who": 3, "does": "close combat"},
        {"band": "medium", "weapon": 1, "in_sight": True, "in_the_open": False},
    ],
)
def test_a_note_is_kept_as_it_was_written(when: dict[str, Any]) -> None:
    occurrence = NoteTrigger.model_validate(when)
    slip = Note(when=(occurrence,), do=("aimed fire", "normal move"))

    assert occurrence_of(cells_of(occurrence)) == occurrence
    assert actions_of(action_cells(slip.do)) == slip.do
    assert Note.model_validate_json(slip.written()) == slip
    order = write(2, slip)
    assert order_from_json(order_to_json(order)) == order


def test_notes_on_offer_may_all_be_written(field_of_battle: Build, question: Question) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    decision = question(battle, activate(battle, 0))
    notes = [option for option in decision.options if option.verb == "prepare"]

    assert {Note.model_validate_json(order.words).do for order in notes} == {
        ("aimed fire",), ("aimed fire", "normal move"), ("charge",), ("take cover",),
    }  # fmt: skip
    for order in notes:
        decision.check(order)


@given(
    enemies=st.tuples(st.integers(102, 125), st.integers(102, 125)),
    steps=st.lists(st.tuples(st.integers(1, 2), st.integers(102, 125)), max_size=3),
)
@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_note_that_is_out_of_prospect_is_not_met(
    enemies: tuple[int, int], steps: list[tuple[int, int]], field_of_battle: Build
) -> None:
    """Notes for each band, for nearness, and for what others do, before and after moves."""
    battle = field_of_battle(
        me(**THROWER), *(foe(50 + 9 * place, y) for place, y in enumerate(enemies))
    )
    bands = [NoteTrigger(band=band) for band in ("short", "medium", "long")]
    when = [
        *((band,) for band in bands),
        (bands[0], NoteTrigger(within=15.0)),
        (NoteTrigger(band="short", who=1),),
        (NoteTrigger(band="medium", does="normal move"),),
        (NoteTrigger(who=1, does="normal move"),),
        (NoteTrigger(within=4.0),),
    ]
    for number, some in enumerate(when):
        for each in some:
            row = {"holder": 0, "note": number, "status": NoteState.SECRET}
            row |= {**action_cells(("aimed fire",)), **cells_of(each)}
            battle.happen(
                Event(facts=Unread(event="wrote"), changes=(Append(table="prepared", row=row),))
            )

    for unit, y in [(1, enemies[0]), *steps]:
        there = placed(battle, unit, replace(pose_of(battle, unit), y=float(y)))
        battle.happen(Event(facts=Unread(event="went"), changes=tuple(there)))
        done = TriggerEvent(unit, "normal move")
        met = [
            slip
            for slip in prepared_notes_of(battle)
            if may_be_revealed(battle, slip, done) is None
        ]
        assert met == [slip for slip in in_prospect(battle) if slip in met]
        assert {slip.number for slip in in_prospect(battle)} >= {3, 6, 7}


def test_a_note_for_a_band_in_which_nobody_is_is_out_of_prospect(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 108))
    for band in ("short", "medium"):
        wrote(battle, play, 0, Note(when=(NoteTrigger(band=band),), do=("aimed fire",)))

    assert [slip.note.when[0].band for slip in in_prospect(battle)] == ["medium"]


@pytest.mark.rule("emlia.prepare.expiry")
def test_a_note_lapses_when_the_units_next_activation_begins(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    play(battle, activate(battle, 0), answers=[...])

    assert prepared_notes_of(battle) == []


@pytest.mark.rule("emlia.prepare.expiry")
def test_a_note_lapses_when_the_unit_falls_into_disorder(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))
    put(battle, 0, disordered=1)

    assert names(moved(battle, play, 1, 115)) == ["moved"]
    play(battle, phase.resolve(battle))
    put(battle, 0, disordered=0)
    assert prepared_notes_of(battle) == []


@pytest.mark.rule("emlia.prepare.expiry")
def test_a_unit_in_disorder_prepares_nothing(field_of_battle: Build, question: Question) -> None:
    battle = field_of_battle(me(put={"ignoring": 1, "disordered": 1}), foe())

    decision = question(battle, activate(battle, 0))

    assert "prepare" not in {option.verb for option in decision.options}
    with pytest.raises(IllegalOrderError, match="disordered"):
        decision.check(write(0, note("charge")))
