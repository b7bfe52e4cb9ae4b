"""Chapter 17 as play: prepared actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision, Leg, Order, order_from_json, order_to_json
from emlia3d.battle.events import Event
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.play.combat.preparing import Done, in_prospect, may_be_revealed, triggered
from emlia3d.rules.emlia.play.combat.slips import slips_of
from emlia3d.rules.emlia.play.engagement.contact import engaged_by
from emlia3d.rules.emlia.play.movement.pose import placed, pose_of
from emlia3d.rules.emlia.play.resolution import phase
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.turn.activation import activate, carry_out
from emlia3d.rules.emlia.play.turn.picture import Picture
from emlia3d.rules.emlia.preparation import (
    Note,
    Occurrence,
    action_cells,
    actions_of,
    cells_of,
    occurrence_of,
)
from emlia3d.rules.emlia.telling import card, tell

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

JAVELIN = {"name": "Javelin", "base_damage": 1, "range": (6, 12, 20), "use": ["aimed fire"]}
THROWER: dict[str, Any] = {"skills": {"aimed fire": "2"}, "weapons": [JAVELIN]}


def me(x: float = 50, y: float = 100, **unit: Any) -> dict[str, Any]:
    return {"at": (x, y), **unit}


def foe(x: float = 50, y: float = 130, **unit: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": "Bob", "facing": 180, **unit}


def note(*do: str, **when: Any) -> Note:
    return Note.model_validate({"when": ({"within": 15.0, **when},), "do": do})


def write(unit: int, slip: Note) -> Order:
    return Order(verb="prepare", unit=unit, words=slip.written())


def wrote(battle: Battle, play: Play, unit: int, slip: Note) -> None:
    """The unit activates, writes a note and does nothing else."""
    play(battle, activate(battle, unit), answers=[write(unit, slip), ...])


def march(battle: Battle, unit: int, y: float, x: float = 50) -> Order:
    facing = battle.state.units.integer("facing", unit)
    legs = (Leg(step="march", x=x, y=y, facing=facing),)
    return Order(verb="move", unit=unit, legs=legs)


def moved(battle: Battle, play: Play, unit: int, y: float, dice: Sequence[int] = (), *answers: Any,
          x: float = 50) -> list[Any]:  # fmt: skip
    """The unit moves there, and what follows from that."""
    order = march(battle, unit, y, x)
    return play(battle, carry_out(battle, unit, order), dice=dice, answers=answers)


def names(events: list[Any]) -> list[str]:
    return [event.name for event in events]


# Writing


@pytest.mark.rule("emlia.prepare")
def test_preparing_is_free_and_forfeits_the_actions_that_the_note_names(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    units = battle.state.units

    wrote(battle, play, 0, note("aimed fire"))

    assert (units.value("primary_used", 0), units.value("move_used", 0)) == (1, 0)
    assert [slip.note for slip in slips_of(battle)] == [note("aimed fire")]


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

    assert [slip.note for slip in slips_of(battle)] == [shot, step]


@pytest.mark.rule("emlia.prepare.note")
@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ('{"when": [], "do": ["charge"]}', "at least 1"),
        ('{"when": [{"within": 3}], "do": ["double pace"]}', "normal move"),
        ('{"when": [{"taking_cover": true}], "do": ["charge"]}', "says something of an enemy"),
        ('{"when": [{"who": 9, "within": 3}], "do": ["charge"]}', "nobody else of that number"),
        ('{"when": [{"who": 0, "within": 3}], "do": ["charge"]}', "nobody else of that number"),
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

    with pytest.raises(IllegalOrderError, match="nobody else of that number is known"):
        decision.check(write(0, note("charge", who=1)))
    decision.check(write(0, note("charge")))


@pytest.mark.rule("emlia.prepare.note")
def test_a_note_is_in_the_picture_of_its_own_side_alone(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    events = play(battle, activate(battle, 0), answers=[write(0, note("aimed fire")), ...])

    assert [slip.note for slip in Picture(battle, 0).notes] == [note("aimed fire")]
    assert Picture(battle, 1).notes == []
    (prepared,) = [event for event in events if event.name == "prepared"]
    assert "fire" not in tell(battle, prepared)
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
    occurrence = Occurrence.model_validate(when)
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


# Being triggered


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
    assert slips_of(battle) == []


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
    assert len(slips_of(battle)) == 1


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
    slip = Note(when=(Occurrence(band=band),), do=("aimed fire",))
    wrote(battle, play, 0, slip)

    refusal = may_be_revealed(battle, slips_of(battle)[0], Done(1, "normal move"))

    assert (refusal is None) is is_met


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
    bands = [Occurrence(band=band) for band in ("short", "medium", "long")]
    when = [
        *((band,) for band in bands),
        (bands[0], Occurrence(within=15.0)),
        (Occurrence(band="short", who=1),),
        (Occurrence(band="medium", does="normal move"),),
        (Occurrence(who=1, does="normal move"),),
        (Occurrence(within=4.0),),
    ]
    for number, some in enumerate(when):
        for each in some:
            row = {"holder": 0, "note": number, "status": NoteState.SECRET}
            row |= {**action_cells(("aimed fire",)), **cells_of(each)}
            battle.happen(Event(name="wrote", changes=(Append(table="prepared", row=row),)))

    for unit, y in [(1, enemies[0]), *steps]:
        there = placed(battle, unit, replace(pose_of(battle, unit), y=float(y)))
        battle.happen(Event(name="went", changes=tuple(there)))
        done = Done(unit, "normal move")
        met = [slip for slip in slips_of(battle) if may_be_revealed(battle, slip, done) is None]
        assert met == [slip for slip in in_prospect(battle) if slip in met]
        assert {slip.number for slip in in_prospect(battle)} >= {3, 6, 7}


def test_a_note_for_a_band_in_which_nobody_is_is_out_of_prospect(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(50, 108))
    for band in ("short", "medium"):
        wrote(battle, play, 0, Note(when=(Occurrence(band=band),), do=("aimed fire",)))

    assert [slip.note.when[0].band for slip in in_prospect(battle)] == ["medium"]


@pytest.mark.rule("emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("done", "is_met"),
    [
        (Done(1, "normal move"), True),
        (Done(2, "normal move"), False),
        (Done(1, "aimed fire"), False),
        (Done(), False),
    ],
)
def test_a_condition_may_be_that_a_named_unit_does_a_named_action(
    done: Done, is_met: bool, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe(), foe(80, 130))
    slip = Note(when=(Occurrence(who=1, does="normal move"),), do=("aimed fire",))
    wrote(battle, play, 0, slip)

    assert (may_be_revealed(battle, slips_of(battle)[0], done) is None) is is_met


@pytest.mark.rule("emlia.prepare.conditions")
def test_a_friend_may_give_the_signal(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(), me(80, 100), foe(50, 112))
    slip = Note(when=(Occurrence(who=1, does="normal move"),), do=("charge",))
    wrote(battle, play, 0, slip)

    events = moved(battle, play, 1, 104, [1] * 5, x=80)

    assert "charged" in names(events)


@pytest.mark.rule("emlia.prepare.conditions")
def test_of_several_triggers_one_is_enough_and_of_two_notes_the_controller_picks_one(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    near_or_far = Note(when=(Occurrence(within=2), Occurrence(within=16)), do=("aimed fire",))
    step = note("normal move", within=16.0)
    play(battle, activate(battle, 0), answers=[write(0, near_or_far), write(0, step), ...])
    offered: list[Decision] = []

    def pick(decision: Decision) -> Order:
        offered.append(decision)
        return decision.options[0]

    events = moved(battle, play, 1, 115, [1, 1], pick)

    assert [option.verb for option in offered[0].options] == ["reveal", "reveal"]
    assert names(events).count("revealed") == 1
    assert [slip.note for slip in slips_of(battle)] == [step]


@pytest.mark.rule("emlia.prepare.fire-penalty")
def test_a_prepared_shot_is_fired_at_2_less(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    events = moved(battle, play, 1, 115, [12, 1])

    (fired,) = [event for event in events if event.name == "fired"]
    # Beyond short and medium range, -2 each; prepared, -2; its wielder stood still but may not
    # forfeit what it has not.
    assert fired.facts["modifier"] == -6
    assert "emlia.fire.mod.prepared" in fired.because


@pytest.mark.rule("emlia.prepare.must-execute-all")
def test_all_actions_of_a_note_are_carried_out_in_their_order(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire", "normal move"))

    events = moved(battle, play, 1, 115, [1, 1], march(battle, 0, 90))

    assert [n for n in names(events) if n in {"fired", "moved"}] == ["moved", "fired", "moved"]
    assert lie_of(battle).centre(0)[1] < 90


@pytest.mark.rule("emlia.prepare.must-execute-all")
def test_an_action_whose_requirements_fail_is_lost_and_the_rest_is_done(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (0, 108, 200, 109), "height": 9, "body": "solid"}
    battle = field_of_battle(me(**THROWER), foe(), terrain=[wall])
    slip = Note(when=(Occurrence(who=2, does="normal move"),), do=("aimed fire", "normal move"))
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
    assert [slip.shown for slip in Picture(battle, 1).notes] == [True]
    assert ("prepared", "aimed fire") in card(battle, 0)
    assert "fired" in names(moved(battle, play, 1, 115, [1, 1]))


@pytest.mark.rule("emlia.prepare.expiry")
def test_a_note_lapses_when_the_units_next_activation_begins(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    battle = field_of_battle(me(**THROWER), foe())
    wrote(battle, play, 0, note("aimed fire"))

    play(battle, activate(battle, 0), answers=[...])

    assert slips_of(battle) == []


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
    assert slips_of(battle) == []


@pytest.mark.rule("emlia.prepare.expiry")
def test_a_unit_in_disorder_prepares_nothing(field_of_battle: Build, question: Question) -> None:
    battle = field_of_battle(me(put={"ignoring": 1, "disordered": 1}), foe())

    decision = question(battle, activate(battle, 0))

    assert "prepare" not in {option.verb for option in decision.options}
    with pytest.raises(IllegalOrderError, match="disordered"):
        decision.check(write(0, note("charge")))


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
    wrote(battle, play, 0, Note(when=(Occurrence(who=3, does="normal move"),), do=("charge",)))
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
    row = {"attacker": 0, "subject": 1, "successes": 3}
    battle.happen(Event(name="won", changes=(Append(table="push", row=row),)))

    events = play(battle, phase.resolve(battle), dice=[12, 12], answers=["stand"])

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
    battle.happen(Event(name="put", changes=closer.changes(1)))

    assert play(battle, triggered(battle, Done(1, "normal move"), carry_out)) == []
