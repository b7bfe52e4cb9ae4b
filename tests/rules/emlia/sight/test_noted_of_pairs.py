"""Chapter 20 as play: what is noted of observers and enemies, and when it is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.play.free_actions.hiding import search_of, shot_at
from emlia3d.rules.emlia.play.sight.awareness import (
    acted_on,
    forgotten_deeds,
    found,
    is_aware,
    known_of,
    known_to,
    remembered,
    spotted,
    unaware_of_some,
    unknown_to,
    unknown_to_side,
)

Build = Callable[..., Battle]
Put = Callable[..., None]
Play = Callable[..., list[Any]]
ALERT: dict[str, Any] = {"skills": {"alertness": "2"}}
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
WALL = {"kind": "rock", "box": (0, 100, 70, 102), "height": 20}


def noted(battle: Battle, *pairs: tuple[str, int, int, float | None]) -> None:
    changes = tuple(Pair(column=column, a=a, b=b, value=value) for column, a, b, value in pairs)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


def told(changes: Any) -> list[tuple[str, int, int, Any]]:
    assert all(isinstance(change, Pair) for change in changes)
    return [(change.column, change.a, change.b, change.value) for change in changes]


@pytest.mark.parametrize(("until", "is_lost"), [(1, True), (2, True), (3, False)])
def test_what_was_found_is_forgotten_at_the_end_of_the_next_activation(
    field_of_battle: Build, put: Put, until: int, is_lost: bool
) -> None:
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 150)}, {"at": (90, 50)})
    put(battle, 0, activations=2)
    noted(battle, ("acquired", 0, 1, until), ("acquired", 2, 1, 1))

    assert told(remembered(battle, 0)) == ([("acquired", 0, 1, None)] if is_lost else [])


def test_only_the_alert_remember_whom_they_knew_and_only_what_changes_is_noted(
    field_of_battle: Build,
) -> None:
    seen, unseen = {**BOB, "at": (150, 150)}, {**BOB, "at": (50, 150)}
    battle = field_of_battle(
        {"at": (50, 50), **ALERT}, seen, unseen, {"at": (60, 50)}, terrain=[WALL]
    )
    noted(battle, ("was_aware", 0, 2, 1))

    assert told(remembered(battle, 0)) == [("was_aware", 0, 1, 1), ("was_aware", 0, 2, None)]
    assert told(remembered(battle, 3)) == []
    noted(battle, ("was_aware", 0, 2, None), ("was_aware", 0, 1, 1))
    assert told(remembered(battle, 0)) == []


def test_a_subunit_that_is_alert_remembers_for_the_whole(field_of_battle: Build) -> None:
    part = {"at": (52, 50), "group": "men", **ALERT}
    battle = field_of_battle({"at": (50, 50), "name": "men"}, part, {**BOB, "at": (50, 90)})

    assert told(remembered(battle, 0)) == [("was_aware", 0, 2, 1)]


@pytest.mark.parametrize("activations", [0, 3])
def test_an_enemy_that_is_found_is_known_up_to_the_next_activation(
    field_of_battle: Build, put: Put, activations: int
) -> None:
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 150)})
    put(battle, 0, activations=activations)

    assert told(found(battle, 0, 1)) == [
        ("hidden", 0, 1, None), ("acquired", 0, 1, activations + 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "how", "after"),
    [
        (None, Acted.DONE, Acted.DONE),
        (None, Acted.SHOT, Acted.SHOT),
        (Acted.SHOT, Acted.DONE, Acted.SHOT),
        (Acted.DONE, Acted.ATTACKED, Acted.ATTACKED),
    ],
)
def test_the_most_that_was_done_to_a_unit_is_noted(
    field_of_battle: Build, before: Acted | None, how: Acted, after: Acted
) -> None:
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 150)})
    if before is not None:
        noted(battle, ("acted_on", 0, 1, before))

    assert told([acted_on(battle, 0, 1, how)]) == [("acted_on", 0, 1, after)]


def test_a_unit_that_activates_forgets_its_own_deeds_alone(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 150)}, {**BOB, "at": (90, 150)})
    noted(battle, ("acted_on", 0, 2, 1), ("acted_on", 0, 1, 1), ("acted_on", 1, 0, 1))

    assert told(forgotten_deeds(battle, 0)) == [
        ("acted_on", 0, 1, None), ("acted_on", 0, 2, None),
    ]  # fmt: skip
    assert told(forgotten_deeds(battle, 2)) == []


@pytest.mark.rule("emlia.aware.melee")
@pytest.mark.parametrize(
    ("gap", "met", "is_known"), [(0.5, True, True), (0.5, False, False), (30, True, False)]
)
def test_those_who_have_fought_know_each_other_while_they_engage(
    field_of_battle: Build, gap: float, met: bool, is_known: bool
) -> None:
    screen = {"kind": "hedge", "box": (0, 50.6, 200, 50.9), "height": 3}
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 51 + gap)}, terrain=[screen])
    noted(battle, ("hidden", 0, 1, 1), ("hidden", 1, 0, 1))
    if met:
        noted(battle, ("met", 0, 1, 1), ("met", 1, 0, 1))

    assert [is_aware(battle, 0, 1), is_aware(battle, 1, 0)] == [is_known] * 2
    assert (known_to(battle, 0) == (1,)) is is_known
    assert (unknown_to(battle, 0) == (1,)) is not is_known


@pytest.mark.rule("emlia.aware.melee")
def test_the_longer_reach_of_either_is_enough_to_know_each_other(field_of_battle: Build) -> None:
    pike = {"combat_range": 4.0}
    screen = {"kind": "hedge", "box": (0, 50.6, 200, 50.9), "height": 3}
    battle = field_of_battle({"at": (50, 50), **pike}, {**BOB, "at": (50, 54)}, terrain=[screen])
    for pair in ((0, 1), (1, 0)):
        noted(battle, ("hidden", *pair, 1), ("met", *pair, 1))

    assert is_aware(battle, 0, 1)
    assert is_aware(battle, 1, 0)
    assert (known_to(battle, 0), known_to(battle, 1)) == ((1,), (0,))


def test_a_side_knows_what_any_of_its_units_is_aware_of(field_of_battle: Build) -> None:
    sides = (
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    )
    units = [
        {"at": (20, 50)},
        {"at": (60, 50)},
        {**BOB, "at": (40, 150), "name": "hosts"},
        {**BOB, "at": (44, 150), "group": "hosts"},
        {**BOB, "at": (150, 150)},
        {"at": (150, 60), "side": "Carol"},
    ]
    battle = field_of_battle(*units, terrain=[WALL], sides=sides, order=(3, 2, 1))

    assert known_to(battle, 0) == (4,)
    assert known_to(battle, 1) == (0, 1, 5)
    assert (unknown_to(battle, 0), unknown_to_side(battle, 0)) == ((2,), (2, 3))
    assert known_of(battle, 0, [(2, 4), (2,), (4,)]) == [(4,), (4,)]
    assert known_of(battle, 0, [(2, 4), (2,)], charged=2) == [(2, 4), (2,)]
    noted(battle, ("acquired", 1, 2, 9), ("hidden", 0, 4, 1), ("hidden", 1, 4, 1))
    assert known_to(battle, 0) == (2, 4)
    assert unknown_to_side(battle, 0) == ()
    assert unaware_of_some(battle, [0, 1], [2, 4]).tolist() == [True, False]
    assert unaware_of_some(battle, [1], [2, 4]).tolist() == [False, False]
    battle.happen(Event(facts=Unread(event="left"), changes=(Leave(unit=2),)))
    assert known_to(battle, 0) == (4,)


@pytest.mark.rule("emlia.aware.auto-spot")
def test_the_hidden_are_spotted_by_those_who_see_them_plainly_and_are_there(
    field_of_battle: Build, play: Play
) -> None:
    hedge = {"kind": "hedge", "box": (0, 100, 30, 102), "height": 3}
    battle = field_of_battle(
        {"at": (20, 50)}, {"at": (60, 50)}, {"at": (70, 50)}, {**BOB, "at": (20, 150)},
        {**BOB, "at": (60, 150)}, terrain=[hedge],
    )  # fmt: skip
    noted(battle, *(("hidden", own, foe, 1) for foe in (4, 3) for own in (2, 1, 0)))
    battle.happen(Event(facts=Unread(event="left"), changes=(Leave(unit=2),)))

    events = play(battle, spotted(battle))

    assert [(event.unit, event.facts.by) for event in events] == [
        (4, ("unit 0", "unit 1")), (3, ("unit 1",)),
    ]  # fmt: skip
    assert sorted(pair for pair in battle.state.pairs["hidden"] if 2 not in pair) == [(0, 3)]
    assert play(battle, spotted(battle)) == []


@pytest.mark.rule("emlia.aware.detect")
def test_a_search_asks_what_the_subject_did_and_what_was_done_to_it(
    field_of_battle: Build, put: Put
) -> None:
    units = [
        {"at": (50, 50), "size": 2, **ALERT},
        {**BOB, "at": (50, 90), "size": 4},
        {"at": (70, 50)},
        {**BOB, "at": (150, 150)},
        {**BOB, "at": (60, 150)},
    ]
    clear = {"acted_on_known": False, "attacked_source": False, "acted_upon": False}

    def asked(
        *pairs: tuple[str, int, int, float | None], gone: int | None = None
    ) -> dict[str, bool]:
        battle = field_of_battle(*units, terrain=[WALL])
        noted(battle, *pairs)
        if gone is not None:
            battle.happen(Event(facts=Unread(event="left"), changes=(Leave(unit=gone),)))
        search = search_of(battle, 0, 1)
        return {key: getattr(search, key) for key in clear}

    assert asked() == clear
    # The subject has done something to one whom the searcher is aware of, or to itself.
    assert asked(("acted_on", 1, 2, Acted.DONE)) == {**clear, "acted_on_known": True}
    assert asked(("acted_on", 1, 0, Acted.DONE)) == {**clear, "acted_on_known": True}
    assert asked(("acted_on", 1, 3, Acted.DONE)) == {**clear, "acted_on_known": True}
    assert asked(("acted_on", 1, 4, Acted.DONE)) == clear
    assert asked(("acted_on", 1, 2, Acted.DONE), gone=2) == clear
    assert asked(("acted_on", 3, 2, Acted.DONE)) == clear
    for how in (Acted.ATTACKED, Acted.SHOT):
        assert asked(("acted_on", 1, 0, how)) == {
            "acted_on_known": True, "attacked_source": True, "acted_upon": False,
        }  # fmt: skip
    assert asked(("acted_on", 1, 2, Acted.SHOT)) == {**clear, "acted_on_known": True}
    # Something has been done to it by one whom the searcher is aware of.
    assert asked(("acted_on", 2, 1, Acted.DONE)) == {**clear, "acted_upon": True}
    assert asked(("acted_on", 0, 1, Acted.SHOT)) == {**clear, "acted_upon": True}
    assert asked(("acted_on", 4, 1, Acted.DONE)) == clear
    assert asked(("acted_on", 2, 3, Acted.DONE)) == clear


def test_a_search_has_the_sizes_and_states_of_both(field_of_battle: Build, put: Put) -> None:
    battle = field_of_battle({"at": (50, 50), "size": 2}, {**BOB, "at": (50, 91), "size": 4})
    plain = search_of(battle, 0, 1)
    put(battle, 1, moved=1, taking_cover=1)
    noted(battle, ("was_aware", 0, 1, 1), ("hidden", 1, 0, 1))
    later = search_of(battle, 0, 1)

    assert (plain.source_size, plain.subject_size) == (2, 4)
    assert plain.distance == pytest.approx(41 - 2 ** (1 / 3) / 2 - 4 ** (1 / 3) / 2, abs=0.01)
    assert (plain.moved, plain.taking_cover, plain.was_aware, plain.subject_unaware) == (False,) * 4
    assert (later.moved, later.taking_cover, later.was_aware) == (True, True, True)
    assert not later.subject_unaware, "the searcher stands in the open"


def test_only_those_shot_at_in_this_activation_may_be_told_of_freely(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle({"at": (50, 50)}, *({**BOB, "at": (x, 150)} for x in (40, 50, 60)))
    noted(battle, ("acted_on", 0, 1, Acted.SHOT), ("acted_on", 0, 2, Acted.DONE))
    noted(battle, ("acted_on", 3, 0, Acted.SHOT))

    assert shot_at(battle, 0, (3, 2, 1)) == [1]
