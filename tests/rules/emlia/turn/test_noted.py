"""Chapters 9 and 21.5 as play: what a unit notes as it activates, and who may act early."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.morale.friends_in_view import noted_by
from emlia3d.rules.emlia.play.turn.activation import activate, begun, ended
from emlia3d.rules.emlia.play.turn.initiative import acting_early, may_act_early
from emlia3d.rules.emlia.preparation import Note as Prepared
from tests.rules.emlia.combat.notes import wrote
from tests.rules.emlia.outcome import names
from tests.rules.emlia.turn.encounter import GREEDY, SHY, foe, me

Build = Callable[..., Battle]
Put = Callable[..., None]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def friend(x: float, **more: Any) -> dict[str, Any]:
    """A friend whose edge is x - 51 GSU from Alice's unit."""
    return {"at": (x, 50), **more}


def note_pair(battle: Battle, column: str, a: int, b: int, value: float = 1) -> None:
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column=column, a=a, b=b, value=value),))
    )


@pytest.mark.rule("emlia.morale.activation-moment")
def test_the_dead_are_mourned_each_and_of_those_who_ran_through_the_most_valued(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, friend(60), friend(70), friend(80), BOB)
    for other, value in ((2, 3.0), (1, 2.0), (3, 1.0)):
        note_pair(battle, "mourned", 0, other, value)
        note_pair(battle, "ran_through", 0, other, value)
    note_pair(battle, "mourned", 1, 0, 9.0)
    note_pair(battle, "ran_through", 1, 0, 9.0)

    assert noted_by(battle, 0) == [
        (MoraleNote.FRIENDS_WIPED_OUT, 2.0),
        (MoraleNote.FRIENDS_WIPED_OUT, 3.0),
        (MoraleNote.FRIENDS_WIPED_OUT, 1.0),
        (MoraleNote.FRIEND_RAN_THROUGH, 3.0),
    ]
    assert noted_by(battle, 1) == [
        (MoraleNote.FRIENDS_WIPED_OUT, 9.0),
        (MoraleNote.FRIEND_RAN_THROUGH, 9.0),
    ]
    assert noted_by(battle, 2) == []


SCREEN = {"kind": "rock", "box": (54, 40, 56, 60), "height": 20}
NEAREST, ALL = MoraleNote.NEAREST_FRIEND_RETREATING, MoraleNote.ALL_FRIENDS_RETREATING


@pytest.mark.rule("emlia.morale.activation-moment")
@pytest.mark.parametrize(
    ("friends", "terrain", "expected"),
    [
        ([], [], []),
        ([(60, -3)], [], []),
        ([(60, -4)], [], [(NEAREST, 1), (ALL, 1)]),
        ([(60, -3), (70, -4)], [], []),
        ([(60, -4), (70, -3)], [], [(NEAREST, 1)]),
        ([(70, -3), (60, -7)], [], [(NEAREST, 2)]),
        ([(70, -4), (60, -7)], [], [(NEAREST, 2), (ALL, 1), (ALL, 2)]),
        # Who stands behind the rock, to the east, is not seen.
        ([(60, -3), (30, -4)], [SCREEN], [(NEAREST, 2), (ALL, 2)]),
        ([(60, -4), (30, -4)], [SCREEN], [(NEAREST, 2), (ALL, 2)]),
        ([(60, -4), (30, -3)], [SCREEN], []),
        ([(60, -4)], [SCREEN], []),
    ],
)
def test_friends_in_sight_who_retreat_are_noted(
    field_of_battle: Build, friends: list[tuple[float, int]], terrain: list[Any],
    expected: list[tuple[MoraleNote, int]],
) -> None:  # fmt: skip
    rows = [
        friend(x, army_value=n, put={"morale": morale}) for n, (x, morale) in enumerate(friends, 1)
    ]
    battle = field_of_battle(ALICE, *rows, {**BOB, "put": {"morale": -7}}, terrain=terrain)

    assert noted_by(battle, 0) == expected


@pytest.mark.rule("emlia.morale.activation-moment")
@pytest.mark.parametrize(
    ("x", "terrain", "acted_at", "casualties_at", "is_noted"),
    [
        (71, [], 3, 3, True),
        (71.1, [], 3, 3, False),
        (60, [], 3, 4, True),
        (60, [], 3, 2, False),
        (60, [], -1, 0, True),
        (60, [], -1, -1, False),
        (60, [SCREEN], 3, 3, False),
    ],
)
def test_friends_within_20_gsu_in_sight_who_lost_men_since_are_noted(
    field_of_battle: Build, put: Put, x: float, terrain: list[Any], acted_at: int,
    casualties_at: int, is_noted: bool,
) -> None:  # fmt: skip
    battle = field_of_battle(ALICE, friend(x, army_value=2), BOB, terrain=terrain)
    put(battle, 0, acted_at=acted_at)
    put(battle, 1, casualties_at=casualties_at)
    put(battle, 2, casualties_at=casualties_at)

    assert noted_by(battle, 0) == ([(MoraleNote.FRIENDS_CASUALTIES, 2)] if is_noted else [])


@pytest.mark.rule("emlia.orders.initiative-early")
@pytest.mark.parametrize(
    ("unit", "put", "may"),
    [
        (me(SHY), {}, True),
        (me(SHY), {"activated": 1}, False),
        (me(SHY), {"delayed": 1}, False),
        (me(SHY), {"ignoring": 1}, False),
        (me(GREEDY), {}, False),
        (me(), {}, False),
        (me(), {"morale": -1}, True),
        (me(), {"morale": 0}, False),
        (me(), {"morale": -1, "activated": 1}, False),
        (me(), {"morale": -1, "delayed": 1}, False),
        (me(GREEDY), {"morale": -1}, True),
    ],
)
def test_a_unit_that_has_not_acted_acts_early_if_something_calls_it(
    field_of_battle: Build, unit: dict[str, Any], put: dict[str, int], may: bool
) -> None:
    battle = field_of_battle({**unit, "put": put}, foe())

    assert (may_act_early(battle, 0) is None) is may
    assert acting_early(battle, [0, 1]) == ([0] if may else [])


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_mixed_unit_acts_early_on_the_condition_of_a_subunit(field_of_battle: Build) -> None:
    part = {"at": (52, 100), "group": "men", "initiative": (SHY,)}
    battle = field_of_battle(me(name="men"), part, foe(), foe(90))

    assert acting_early(battle, [0, 2, 3]) == [0]
    assert acting_early(battle, [2, 3]) == []


@pytest.mark.rule("emlia.gloss.activation")
def test_an_activation_begins_a_step_of_the_log_and_its_end_is_part_of_it(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, BOB)

    assert not begun(battle, 0).part_of_last
    assert ended(battle, 0).part_of_last


@pytest.mark.rule("emlia.gloss.activation")
@pytest.mark.parametrize(
    ("mine", "theirs", "until", "aligned", "expected"),
    [
        (1, 1, 9, 0, []),
        (4, 1, 9, 0, ["emlia.melee.outnumber"]),
        (1, 1, 0, 0, ["emlia.aware.state"]),
        (1, 1, 9, -1, ["emlia.align.cost"]),
        (4, 1, 0, -2, ["emlia.melee.outnumber", "emlia.aware.state", "emlia.align.cost"]),
    ],
)
def test_the_end_of_an_activation_names_what_it_noted_forgot_and_paid(
    field_of_battle: Build, put: Put, mine: int, theirs: int, until: int, aligned: int,
    expected: list[str],
) -> None:  # fmt: skip
    crowd = {"at": (50, 50), "members": mine, "files": mine, "formation": "close"}
    one = {"at": (50, 51), "side": "Bob", "facing": 180, "members": theirs, "formation": "close"}
    battle = field_of_battle(crowd, one, BOB)
    note_pair(battle, "acquired", 0, 2, until)
    note_pair(battle, "attack", 1, 0)
    put(battle, 0, aligned=aligned)

    assert list(ended(battle, 0).because) == expected


@pytest.mark.rule("emlia.gloss.prepared-after")
@pytest.mark.parametrize(("morale", "is_met"), [(-1, True), (0, False)])
def test_a_compelled_move_meets_the_notes_of_others_as_a_normal_move(
    field_of_battle: Build, play: Play, put: Put, morale: int, is_met: bool
) -> None:
    battle = field_of_battle(me(), foe())
    when = {"does": "normal move", "who": 1}
    wrote(battle, play, 0, Prepared.model_validate({"when": (when,), "do": ("drop down",)}))
    put(battle, 1, morale=morale, disordered=1)

    events = play(battle, activate(battle, 1), answers=[...])

    assert ("fell back" in names(events)) is is_met
    assert ("revealed" in names(events)) is is_met
    assert battle.state.units.integer("posture", 0) == int(is_met)


@pytest.mark.rule("emlia.orders.priority")
@pytest.mark.parametrize(
    ("conditions", "number"), [((SHY,), 1), ((GREEDY, SHY), 2), ((SHY, GREEDY), 1)]
)
def test_only_a_condition_after_the_first_names_the_order_of_priority(
    field_of_battle: Build, play: Play, conditions: tuple[Any, ...], number: int
) -> None:
    battle = field_of_battle(me(*conditions), foe())

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    (acted,) = [event for event in events if event.name == "acted of itself"]
    assert acted.facts.values() == {"condition": number, "does": "move away"}
    assert ("emlia.orders.priority" in acted.because) is (number > 1)
    assert not [slug for slug in acted.because if slug.startswith("emlia.caveman")]
