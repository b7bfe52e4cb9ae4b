"""Chapter 17 as play: what meets the notes of prepared actions, and how these are carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.charges.note_conditions import TriggerEvent, may_be_revealed
from emlia3d.rules.emlia.play.charges.preparing import triggered
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate, carry_out
from emlia3d.rules.emlia.preparation import Note, NoteTrigger
from emlia3d.rules.emlia.words.card import card
from tests.rules.emlia.combat.notes import THROWER, foe, march, me, moved, note, write, wrote
from tests.rules.emlia.outcome import names
from tests.rules.emlia.shoving import score

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.prepare.trigger")
@pytest.mark.rule("emlia.gloss.prepared-after")
def test_the_note_is_carried_out_directly_after_the_action_that_meets_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    events = moved(battle, play, 1, 115, [12, 1])

    assert names(events) == [
        "moved", "revealed", "prepared action due", "fired", "prepared actions ended",
    ]  # fmt: skip
    assert prepared_notes_of(battle) == []


@pytest.mark.rule("emlia.engage.cross-ref")
def test_who_is_out_of_reach_is_held_in_check_by_a_prepared_shot(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(y=114))
    unprepared = field_of_battle(me(**THROWER), foe(y=114))
    wrote(battle, play, 0, note("aimed fire"))
    assert engaged_by(battle, 1) == []

    shot_at, free = (moved(each, play, 1, 110, dice) for each, dice in
                     ((battle, [12, 12]), (unprepared, [])))  # fmt: skip

    assert "fired" in names(shot_at)
    assert names(free) == ["moved"]


@pytest.mark.rule("emlia.prepare.trigger")
def test_while_its_condition_is_not_met_a_note_waits(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    events = moved(battle, play, 1, 120)

    assert names(events) == ["moved"]
    assert len(prepared_notes_of(battle)) == 1


@pytest.mark.rule("emlia.prepare.trigger")
def test_a_whole_action_is_never_interrupted(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(20, 100, **THROWER), foe(30, 125, movement="40G"))
    wrote(battle, play, 0, note("aimed fire", within=9.0))
    past = Order(
        verb="move",
        unit=1,
        legs=tuple(Leg(step="march", x=x, y=y, facing=11520) for x, y in ((24, 108), (45, 108))),
    )

    events = play(battle, carry_out(battle, 1, past))

    assert names(events) == ["moved"]


@pytest.mark.rule("emlia.prepare.trigger")
def test_a_unit_does_not_trigger_its_own_note(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    orders = [write(0, note("aimed fire")), march(battle, 0, 114), ...]

    events = play(battle, activate(battle, 0), answers=orders)

    assert "fired" not in names(events)


@pytest.mark.rule("emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("band", "y", "is_met"),
    [("short", 107, True), ("short", 108, False), ("medium", 113, True), ("long", 121, True)],
)
def test_a_condition_may_be_a_range_band_of_a_weapon(
    band: str, y: float, is_met: bool, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, y))
    slip = Note(when=(NoteTrigger(band=band),), do=("aimed fire",))
    wrote(battle, play, 0, slip)

    refusal = may_be_revealed(battle, prepared_notes_of(battle)[0], TriggerEvent(1, "normal move"))

    assert (refusal is None) is is_met


@pytest.mark.rule("emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("done", "is_met"),
    [
        (TriggerEvent(1, "normal move"), True),
        (TriggerEvent(2, "normal move"), False),
        (TriggerEvent(1, "aimed fire"), False),
        (TriggerEvent(), False),
    ],
)
def test_a_condition_may_be_that_a_named_unit_does_a_named_action(
    done: TriggerEvent, is_met: bool, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(), foe(80, 130))
    slip = Note(when=(NoteTrigger(who=1, does="normal move"),), do=("aimed fire",))
    wrote(battle, play, 0, slip)

    assert (may_be_revealed(battle, prepared_notes_of(battle)[0], done) is None) is is_met


@pytest.mark.rule("emlia.prepare.conditions")
def test_a_friend_may_give_the_signal(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(), me(80, 100), foe(50, 112))
    slip = Note(when=(NoteTrigger(who=1, does="normal move"),), do=("charge",))
    wrote(battle, play, 0, slip)

    events = moved(battle, play, 1, 104, [1] * 5, x=80)

    assert "charged" in names(events)


@pytest.mark.rule("emlia.prepare.conditions")
def test_of_several_triggers_one_is_enough_and_of_two_notes_the_controller_picks_one(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    near_or_far = Note(when=(NoteTrigger(within=2), NoteTrigger(within=16)), do=("aimed fire",))
    step = note("normal move", within=16.0)
    play(battle, activate(battle, 0), answers=[write(0, near_or_far), write(0, step), ...])
    offered: list[Decision] = []

    def pick(decision: Decision) -> Order:
        offered.append(decision)
        return decision.options[0]

    events = moved(battle, play, 1, 115, [1, 1], pick)

    assert [option.verb for option in offered[0].options] == ["reveal", "reveal"]
    assert names(events).count("revealed") == 1
    assert [slip.note for slip in prepared_notes_of(battle)] == [step]


@pytest.mark.rule("emlia.prepare.fire-penalty")
def test_a_prepared_shot_is_fired_at_2_less(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    events = moved(battle, play, 1, 115, [12, 1])

    (fired,) = [event for event in events if event.name == "fired"]
    # Beyond short and medium range, -2 each; prepared, -2; its wielder stood still but may not
    # forfeit what it has not.
    assert fired.facts.modifier == -6
    assert "emlia.fire.mod.prepared" in fired.because


@pytest.mark.rule("emlia.prepare.must-execute-all")
def test_all_actions_of_a_note_are_carried_out_in_their_order(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire", "normal move"))

    events = moved(battle, play, 1, 115, [1, 1], march(battle, 0, 90))

    assert [n for n in names(events) if n in {"fired", "moved"}] == ["moved", "fired", "moved"]
    assert situation_of(battle).centre(0)[1] < 90


@pytest.mark.rule("emlia.prepare.must-execute-all")
def test_an_action_whose_requirements_fail_is_lost_and_the_rest_is_done(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (0, 108, 200, 109), "height": 9, "body": "solid"}
    battle = field_of_battle(me(**THROWER), foe(), terrain=[wall])
    slip = Note(when=(NoteTrigger(who=2, does="normal move"),), do=("aimed fire", "normal move"))
    battle = field_of_battle(me(**THROWER), foe(), me(80, 80), terrain=[wall])
    wrote(battle, play, 0, slip)

    events = moved(battle, play, 2, 84, [], march(battle, 0, 95), x=80)

    assert names(events)[1:] == [
        "revealed", "prepared action due", "prepared action lost", "prepared action due", "moved",
        "prepared actions ended",
    ]  # fmt: skip


@pytest.mark.rule("emlia.prepare.false-reveal")
def test_a_note_that_is_shown_waits_on_and_is_known_to_all(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    events = play(
        battle, activate(battle, 0),
        answers=[write(0, note("aimed fire")), "show-note", ...],
    )  # fmt: skip

    assert "showed a note" in names(events)
    assert [slip.shown for slip in SidePicture(battle, 1).notes] == [True]
    assert ("prepared", "aimed fire") in card(battle, 0)
    assert "fired" in names(moved(battle, play, 1, 115, [1, 1]))


@pytest.mark.rule("emlia.prepare.several-units")
def test_several_units_answer_by_timing_and_a_side_by_its_own_choice(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        me(40, 100, timing=2, **THROWER),
        me(60, 100, timing=5, **THROWER),
        me(52, 98, timing=2, **THROWER),
        foe(),
    )
    for unit in (0, 1, 2):
        wrote(battle, play, unit, note("aimed fire", within=20.0))

    second = Order(verb="reveal", unit=2, number=2)
    events = moved(battle, play, 3, 116, [1] * 6, second)

    assert [event.unit for event in events if event.name == "revealed"] == [1, 2, 0]


@pytest.mark.rule("emlia.prepare.several-units")
def test_a_prepared_action_may_trigger_another(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        me(50, 100), me(50, 90, **THROWER), foe(50, 116, **THROWER), foe(90, 130)
    )
    wrote(battle, play, 0, Note(when=(NoteTrigger(who=3, does="normal move"),), do=("charge",)))
    wrote(battle, play, 2, note("close combat", within=5.0))

    events = moved(battle, play, 3, 126, [1] * 6, x=90)

    revealed = [event.unit for event in events if event.name == "revealed"]
    assert revealed == [0, 2]


@pytest.mark.rule("emlia.prepare.example-ogre")
def test_the_ogre_is_charged_as_it_comes_and_goes_on_unharmed_until_the_resolution(
    field_of_battle: Build, play: Play
) -> None:
    mercenaries = me(50, 100, timing=4, members=3)
    ogre = foe(50, 130, timing=1, members=1, damage_limit=6, hits=1)
    battle = field_of_battle(mercenaries, ogre)
    wrote(battle, play, 0, note("charge", within=15.5, who=1))

    events = play(
        battle, activate(battle, 1), dice=[12] * 5, answers=[march(battle, 1, 115.5), ...]
    )

    told = [n for n in names(events) if n in {"moved", "revealed", "charged", "struck"}]
    assert told == ["moved", "revealed", "charged", "struck"]
    assert names(events)[-1] == "activation ended"
    assert len(battle.state.lists["marker"]) == 1
    assert battle.state.units.value("damage", 1) == 0
    resolved = play(battle, phase.resolve(battle), answers=["shift"])
    assert "suffered" in names(resolved)


@pytest.mark.rule("emlia.forced.triggers-prepared")
def test_a_forced_move_triggers_prepared_actions_whose_hits_count_in_the_same_resolution(
    field_of_battle: Build, play: Play
) -> None:
    pusher = {"front": (100, 100), "formation": "ranked", "members": 4, "files": 4}
    pushed, watcher = foe(101.5, 101.5), me(101.5, 124, facing=180, **THROWER)
    battle = field_of_battle(pusher, pushed, watcher)
    wrote(battle, play, 2, note("aimed fire", within=20.0))
    score(battle, [(0, 1, 3)])

    events = play(battle, phase.resolve(battle), dice=[12, 12], answers=["stand", "stand"])

    order = [n for n in names(events) if n in {"pushed back", "fired", "destroyed", "resolved"}]
    assert order == ["pushed back", "fired", "destroyed", "resolved"]


@pytest.mark.rule("emlia.forced.triggers-prepared")
def test_without_a_forced_move_a_resolution_triggers_nothing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 112))
    wrote(battle, play, 0, note("aimed fire"))

    events = play(battle, phase.resolve(battle))

    assert "fired" not in names(events)


def test_a_note_of_a_unit_that_has_left_the_field_is_never_met(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))
    put(battle, 0, present=0)
    closer = replace(pose_of(battle, 1), y=112.0)
    battle.happen(Event(facts=Unread(event="put"), changes=closer.changes(1)))

    assert play(battle, triggered(battle, TriggerEvent(1, "normal move"), carry_out)) == []
