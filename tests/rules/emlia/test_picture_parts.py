"""Chapter 20: what a side is told of morale, markers and notes of units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.columns import NoteState
from tests.rules.emlia.combat.notes import note, wrote

Build = Callable[..., Battle]
Put = Callable[..., None]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (90, 150), "side": "Bob", "facing": 180}
HIDDEN: dict[str, Any] = {**BOB, "at": (50, 150)}
WALL = {"kind": "rock", "box": (0, 100, 60, 102), "height": 20}


def crowd(build: Build, *more: dict[str, Any]) -> Battle:
    """Alice's unit 0, Bob's unit 1 in view, and his unit 2 behind a rock."""
    return build(ALICE, BOB, HIDDEN, *more, terrain=[WALL])


@pytest.mark.rule("emlia.aware.picture")
def test_the_morale_of_enemies_is_known_by_their_state_and_that_of_own_units_by_its_value(
    field_of_battle: Build, put: Put
) -> None:
    battle = crowd(field_of_battle)
    shown = {7: 7, 6: 5, 5: 5, 4: 5, 3: 2, 2: 2, 1: 2, 0: 0, -1: -2, -2: -2, -3: -2, -4: -5,
             -5: -5, -6: -5, -7: -7}  # fmt: skip

    for morale, told in shown.items():
        put(battle, 0, morale=morale)
        put(battle, 1, morale=morale)
        mine, theirs = SYSTEM.picture(battle, 0), SYSTEM.picture(battle, 1)
        assert mine.battle.state.units.integer("morale", 1) == told
        assert mine.battle.state.units.integer("morale", 0) == morale
        assert theirs.battle.state.units.integer("morale", 0) == told
        assert theirs.battle.state.units.integer("morale", 1) == morale
    assert battle.state.units.integer("morale", 1) == -7


@pytest.mark.rule("emlia.aware.picture")
def test_the_picture_leaves_out_unknown_enemies_and_says_that_some_are_missing(
    field_of_battle: Build,
) -> None:
    battle = crowd(field_of_battle, {**HIDDEN, "at": (46, 150), "name": "x"})
    open_field = field_of_battle(ALICE, BOB)

    mine, theirs = SYSTEM.picture(battle, 0), SYSTEM.picture(battle, 1)

    assert (mine.own, mine.known, mine.missing) == ([0], [1], True)
    assert (theirs.own, theirs.known, theirs.missing) == ([1, 2, 3], [0], False)
    assert mine.battle.state.units.ints("present").tolist()[:4] == [1, 1, 0, 0]
    assert theirs.battle.state.units.ints("present").tolist()[:4] == [1, 1, 1, 1]
    assert not SYSTEM.picture(open_field, 0).missing


@pytest.mark.rule("emlia.aware.picture")
def test_the_parts_of_a_known_mixed_unit_are_known_and_of_an_unknown_one_not(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "name": "seen"}, {**BOB, "at": (93, 150), "group": "seen"},
        {**HIDDEN, "name": "unseen"}, {**HIDDEN, "at": (47, 150), "group": "unseen"},
        terrain=[WALL],
    )  # fmt: skip

    present = SYSTEM.picture(battle, 0).battle.state.units.ints("present")

    assert present.tolist()[:5] == [1, 1, 1, 0, 0]


@pytest.mark.rule("emlia.aware.picture")
def test_allies_are_known_whole(field_of_battle: Build) -> None:
    sides = (
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    )
    ally = {"at": (50, 150), "side": "Carol", "put": {"morale": 3}}
    battle = field_of_battle(ALICE, BOB, ally, terrain=[WALL], sides=sides, order=(3, 2, 1))

    picture = SYSTEM.picture(battle, 0)

    assert (picture.own, picture.known) == ([0], [1])
    assert picture.battle.state.units.integer("present", 2) == 1
    assert picture.battle.state.units.integer("morale", 2) == 3


@pytest.mark.rule("emlia.aware.picture")
def test_markers_that_name_an_unknown_enemy_are_unknown_and_those_of_nobody_are_not(
    field_of_battle: Build,
) -> None:
    battle = crowd(field_of_battle)
    laid = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (0, -1), (2, -1)]
    changes = tuple(
        Append(table="marker", row={
            "subject": subject, "attacker": attacker, "base_damage": 1, "hits": 1, "party": -1,
        })
        for subject, attacker in laid
    )  # fmt: skip
    battle.happen(Event(facts=Unread(event="put"), changes=changes))

    def told(side: int) -> list[tuple[int, int]]:
        rows = SYSTEM.picture(battle, side).battle.state.lists["marker"]
        return list(zip(rows["subject"].tolist(), rows["attacker"].tolist(), strict=True))

    assert told(0) == [(0, 1), (1, 0), (0, -1)]
    assert told(1) == laid
    assert len(battle.state.lists["marker"]["subject"]) == len(laid)


@pytest.mark.rule("emlia.aware.picture")
def test_notes_of_enemies_are_known_when_they_have_been_shown(
    field_of_battle: Build, play: Play
) -> None:
    battle = crowd(field_of_battle)
    wrote(battle, play, 0, note("drop down", within=1.0))
    wrote(battle, play, 1, note("drop down", within=1.0))

    def holders(side: int) -> list[int]:
        return [slip.unit for slip in SYSTEM.picture(battle, side).notes]

    assert (holders(0), holders(1)) == ([0], [1])
    rows = battle.state.lists["prepared"]
    rows.writable("status")[rows.ints("holder") == 1] = NoteState.SHOWN
    battle.happen(Event(facts=Unread(event="put")))
    assert (sorted(holders(0)), holders(1)) == ([0, 1], [1])
