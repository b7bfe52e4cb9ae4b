"""Routine orders, without a window: what units do, in play as text and in the battle file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.decisions import Order
from emlia3d.battle.files.record import read_record
from emlia3d.battle.files.verification import verify
from emlia3d.battle.game import Game, PendingDecision
from emlia3d.battle.questions.routines import Routine, Routines, routine_from_words
from emlia3d.cli.game_file import begun
from emlia3d.errors import Error
from emlia3d.scenario import load


def played(name: str, file: Path, routines: Routines, turns: int = 2) -> Game:
    """The battle, whose first side is led by routine orders, and else by the doctrine."""

    def ask(asked: PendingDecision) -> Order | None:
        return routines.answer(asked)

    battle = load(name).battle(3, turns)
    begun(load(name), file, 3, turns)
    game = Game(file, battle, (0,), ask)
    for _ in game.run():
        pass
    game.close()
    return game


def own_units(name: str) -> dict[int, tuple[float, float]]:
    units = load(name).battle(3, 2).state.units
    return {
        row: (float(units.value("x", row)), float(units.value("y", row)))
        for row in range(len(units))
        if units.integer("side", row) == 0 and units.value("present", row)
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["crossroads", "kings-road", "shallows"])
def test_units_advance_to_their_goals_and_the_file_replays(name: str, tmp_path: Path) -> None:
    routines, places = Routines(), own_units(name)
    for unit, (x, y) in places.items():
        routines.give((unit,), Routine(kind="go", place=(x, y + 30.0)))
    file = tmp_path / "a.battle.jsonl"

    game = played(name, file, routines, turns=1)

    after = game.battle.state.units
    nearer = [unit for unit, (_, y) in places.items() if float(after.value("y", unit)) > y + 1.0]
    assert len(nearer) > len(places) / 2
    assert verify(read_record(file), load(name).battle(3, 1)) is None


def test_a_unit_that_holds_gives_no_order_but_to_end(tmp_path: Path) -> None:
    routines = Routines()
    routines.give(own_units("bandits"), Routine(kind="hold"))
    file = tmp_path / "a.battle.jsonl"

    played("bandits", file, routines)

    lines = [line.body for line in read_record(file).lines]
    orders = [body for body in lines if "order" in body and body["side"] == 0]
    assert {body["order"] for body in orders} == {"done"}


def test_a_unit_that_fires_at_will_shoots_and_does_not_move(tmp_path: Path) -> None:
    routines = Routines()
    routines.give(own_units("bandits"), Routine(kind="fire"))
    file = tmp_path / "a.battle.jsonl"

    played("bandits", file, routines, turns=1)

    lines = [line.body for line in read_record(file).lines]
    orders = {body["order"] for body in lines if "order" in body and body["side"] == 0}
    assert orders & {"aim", "fire"}
    assert not orders & {"move", "double-pace"}


def test_a_unit_without_a_routine_order_is_asked_about() -> None:
    routines = Routines()
    routines.give((1, 2), Routine(kind="hold"))
    routines.give((2,), None)

    assert routines[1] == Routine(kind="hold")
    assert routines[2] is None
    routines.clear()
    assert not routines


@pytest.mark.parametrize(
    ("words", "routine", "name"),
    [
        ("hold", Routine(kind="hold"), ""),
        ("fire Harrow bows", Routine(kind="fire"), "Harrow bows"),
        ("go 60 -3.5 Harrow bows", Routine(kind="go", place=(60.0, -3.5)), "Harrow bows"),
        ("none archers", None, "archers"),
    ],
)
def test_words_give_a_routine_order(words: str, routine: Routine | None, name: str) -> None:
    assert routine_from_words(words) == (routine, name)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "there is no routine order"),
        ("holt", "hold"),
        ("go 60", "go: expected X Y"),
        ("go nan inf", "go: expected X Y"),
    ],
)
def test_other_words_are_refused_with_what_is_meant(words: str, reason: str) -> None:
    with pytest.raises(Error, match=reason):
        routine_from_words(words)


@given(st.text())
def test_any_words_give_a_routine_order_or_one_line(words: str) -> None:
    try:
        routine, _ = routine_from_words(words)
        said = repr(routine)
    except Error as flaw:
        said = str(flaw)

    assert len(said.splitlines()) == 1
