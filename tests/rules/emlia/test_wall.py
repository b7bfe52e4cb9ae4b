"""Chapter 20 as a wall: what a commander is given does not lead to what his side does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair, Place
from emlia3d.battle.commanders import Picture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice, SeededDice
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.state import State
from emlia3d.force import Formation
from emlia3d.rulekit.testing import reachable
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.doctrine import Doctrine
from emlia3d.rules.emlia.play.turn.activation import activate

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
ALICE: dict[str, Any] = {"at": (50, 50), "members": 10, "files": 5, "formation": "ranked"}
BOB: dict[str, Any] = {**ALICE, "at": (50, 150), "side": "Bob", "facing": 180}
WALL = {"kind": "rock", "box": (0, 100, 200, 102), "height": 20}


class Spy:
    """A foreign commander: looks round for the true battle, and gives the first order."""

    def __init__(self) -> None:
        self.battle: Battle | None = None
        self.asked = 0

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        true = self.battle
        assert true is not None
        self.asked += 1
        if self.asked % 25 == 1:
            figures = [true.state.figures["x"], true.state.units["x"]]
            for thing in reachable(decision, picture, dice):
                assert thing is not true
                assert thing is not true.state
                assert thing is not true.dice
                assert not (isinstance(thing, np.ndarray) and any(
                    np.shares_memory(thing, array) for array in figures
                ))  # fmt: skip
        return decision.options[self.asked % len(decision.options)]


@pytest.mark.rule("emlia.aware.picture")
def test_a_foreign_commander_finds_no_way_to_the_true_battle() -> None:
    battle = emlia3d.load("thieves").battle(seed=3, turns=1)
    spy = Spy()
    spy.battle = battle

    for _ in battle.run([spy, spy]):
        pass

    assert spy.asked > 25


def test_the_search_finds_a_way_where_there_is_one(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)

    class Leak:
        def ask(self) -> State:
            return battle.state

    assert any(thing is battle.state for thing in reachable(Leak().ask))


def test_a_deciders_dice_do_not_tell_how_those_of_the_battle_will_fall(
    field_of_battle: Build,
) -> None:
    rolled: list[tuple[int, ...]] = []

    class Gambler:
        def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
            rolled.append(dice.roll("test", 20, 12))
            assert picture.battle.seed == 0
            return decision.options[-1]

    battle = emlia3d.load("duel").battle(seed=5, turns=1)
    for _ in battle.run([Gambler(), Gambler()]):
        pass

    streams = {
        SeededDice(5, stretch, purpose).roll("test", 20, 12)
        for stretch in range(battle.state.stretch)
        for purpose in range(9)
    }
    assert rolled
    assert not streams & set(rolled)


@pytest.mark.rule("emlia.aware.picture")
def test_nothing_of_a_hidden_enemy_is_in_the_picture(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB, {**BOB, "at": (120, 60)}, terrain=[WALL])

    picture = SYSTEM.picture(battle, 0)
    state, units = picture.battle.state, picture.battle.setup.units

    assert picture.known == [2]
    assert picture.missing
    assert state.units["present"][:3].tolist() == [1, 0, 1]
    assert state.units["y"].tolist()[1] == 0
    assert set(state.figures.floats("y")[10:20].tolist()) == {0.0}
    assert units[1].muster.at == units[2].muster.at == (0.0, 0.0)
    assert state.figures["y"][20:].tolist() == battle.state.figures["y"][20:].tolist()


@pytest.mark.rule("emlia.aware.picture")
def test_who_comes_into_sight_comes_into_the_picture_and_leaves_it_again(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, BOB, terrain=[{**WALL, "box": (0, 100, 100, 102)}])
    seen = []
    for x in (50, 190, 50):
        place = Place(unit=1, x=x, y=150, facing=180 * 64, formation=Formation.RANKED, files=5)
        battle.happen(Event(facts=Unread(event="put"), changes=(place,)))
        picture = SYSTEM.picture(battle, 0)
        seen.append((picture.known, picture.battle.state.units.floats("x").tolist()[1]))

    assert seen == [([], 0), ([1], 190), ([], 0)]


@pytest.mark.rule("emlia.aware.picture")
def test_an_enemys_morale_is_seen_by_how_he_bears_himself(
    field_of_battle: Build, put: Callable[..., None]
) -> None:
    battle = field_of_battle(ALICE, BOB)
    seen = []
    for morale in (1, 2, 3, 4, 0, -3, -4):
        put(battle, 1, morale=morale)
        seen.append(SYSTEM.picture(battle, 0).battle.state.units.integer("morale", 1))

    # Normal is 1 to 3, eager 4 to 6; falling back -1 to -3, retreating -4 to -6.
    assert len(set(seen[:3])) == 1
    assert len({seen[2], *seen[3:]}) == 5
    assert SYSTEM.picture(battle, 1).battle.state.units.integer("morale", 1) == -4


@pytest.mark.rule("emlia.prepare.note")
def test_a_note_is_in_the_picture_of_others_when_it_is_shown(field_of_battle: Build) -> None:
    def noted(status: NoteState) -> list[int]:
        battle = field_of_battle(ALICE, BOB)
        row = {"holder": 1, "note": 1, "status": status}
        battle.happen(
            Event(facts=Unread(event="put"), changes=(Append(table="prepared", row=row),))
        )
        return [len(SYSTEM.picture(battle, side).battle.state.lists["prepared"]) for side in (0, 1)]

    assert noted(NoteState.SECRET) == [0, 1]
    assert noted(NoteState.SHOWN) == [1, 1]


def test_what_is_noted_of_a_hidden_enemy_is_not_in_the_picture(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB, {**BOB, "at": (120, 60)}, terrain=[WALL])
    marks = (
        *(Append(table="marker", row={"subject": 0, "attacker": foe, "hits": 1}) for foe in (1, 2)),
        *(Pair(column="acted_on", a=foe, b=0, value=1) for foe in (1, 2)),
    )
    battle.happen(Event(facts=Unread(event="put"), changes=marks))

    state = SYSTEM.picture(battle, 0).battle.state

    assert state.lists["marker"].ints("attacker").tolist() == [2]
    assert list(state.pairs["acted_on"]) == [(2, 0)]


@pytest.mark.parametrize("change", ["place", "morale", "disordered"])
def test_the_doctrine_decides_the_same_whatever_a_hidden_enemy_does(
    change: str, field_of_battle: Build, question: Ask, put: Callable[..., None]
) -> None:
    battle = field_of_battle(ALICE, BOB, terrain=[WALL])
    decision = question(battle, activate(battle, 0))

    def answer() -> Order:
        picture = SYSTEM.picture(battle, 0)
        return Doctrine().decide(decision.for_moment(picture.battle), picture, SeededDice(0, 0))

    before = answer()
    if change == "place":
        place = Place(unit=1, x=150, y=120, facing=0, formation=Formation.RANKED, files=2)
        battle.happen(Event(facts=Unread(event="put"), changes=(place,)))
    else:
        put(battle, 1, **{change: -4 if change == "morale" else 1})

    assert answer() == before
