"""Routine orders in the battle file: they come back when it is resumed, and end with an undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.files.record import read_record
from emlia3d.battle.files.verification import verify
from emlia3d.battle.game import (
    Game,
    OrderUndoneError,
    PendingDecision,
    PlayerLeftError,
    Rewind,
)
from emlia3d.battle.questions.routines import Routine
from emlia3d.cli.game_file import begun
from emlia3d.errors import LogError
from emlia3d.scenario import load

HOLD, FIRE = Routine(kind="hold"), Routine(kind="fire")
GO = Routine(kind="go", place=(80.0, 30.5))
NAME = "crossroads"

Answer = Callable[[Game, PendingDecision], Order | None]


class Player:
    """Answers questions in turn, and leaves after the last answer.

    asked : the units of the questions that no routine order answered
    """

    def __init__(self, file: Path, *answers: Answer) -> None:
        self._answers = [*answers]
        self.asked: list[int | None] = []
        self.game = Game(file, fresh(), (0,), self._ask)

    def play(self) -> None:
        """Play until the answers are used up."""
        for _ in self.game.run():
            pass

    def _ask(self, asked: PendingDecision) -> Order | None:
        order = self.game.routines.answer(asked)
        if order is not None:
            return order
        self.asked.append(asked.decision.unit)
        if not self._answers:
            raise PlayerLeftError
        return self._answers.pop(0)(self.game, asked)


def fresh() -> Battle:
    return load(NAME).battle(3, 2)


def first(game: Game, asked: PendingDecision) -> Order | None:
    return asked.decision.options[0]


def give(units: tuple[int, ...], routine: Routine | None) -> Answer:
    """Give a routine order, then the answer that it has, or else the first."""

    def answer(game: Game, asked: PendingDecision) -> Order | None:
        game.give_routine(0, units, routine)
        return game.routines.answer(asked) or asked.decision.options[0]

    return answer


def undo(game: Game, asked: PendingDecision) -> Order | None:
    number = game.choice_before(asked.number)
    assert number is not None
    game.take_back(number)
    raise OrderUndoneError


def own_units() -> tuple[int, ...]:
    units = fresh().state.units
    return tuple(row for row in range(len(units)) if units.integer("side", row) == 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.battle.jsonl"
    begun(load(NAME), path, 3, 2)
    return path


def test_routine_orders_come_back_when_a_game_is_resumed(file: Path) -> None:
    one, two, three, *_ = own_units()
    before = Player(file, give((one, two), FIRE), give((three,), GO), give((two,), None))
    before.play()
    before.game.close()

    again = Player(file)

    assert [again.game.routines[unit] for unit in (one, two, three)] == [FIRE, None, GO]
    again.play()
    assert again.game.orders == before.game.orders
    again.game.close()
    assert again.asked == before.asked[-1:]
    assert verify(read_record(file), fresh()) is None


def test_undo_ends_the_routine_order_that_answered_last_and_no_earlier_one(file: Path) -> None:
    units = own_units()
    player = Player(file, give(units[:1], FIRE), first, give(units, HOLD))
    player.play()
    assert all(player.game.routines[unit] == HOLD for unit in units)
    assert player.game.battle.result is not None
    last = player.game.choice_before(player.game.orders)
    assert last is not None

    player.game.take_back(last)
    told = list(player.game.run())

    assert isinstance(told[0], Rewind)
    assert player.game.orders == last
    assert player.game.routines[units[0]] == FIRE
    assert [player.game.routines[unit] for unit in units[1:]] == [None] * (len(units) - 1)
    player.game.close()


def test_orders_of_earlier_routine_orders_are_no_choice_to_undo(file: Path) -> None:
    units = own_units()
    acted = fresh().state.units
    held = [row for row in units if acted.integer("members", row) > 1]
    player = Player(file, first, give(tuple(held), HOLD), *[first] * 8, undo)
    player.play()

    given = [line.body for line in read_record(file).lines if "order" in line.body]
    assert any(body.get("why", "").startswith("routine order: ") for body in given)
    assert all(player.game.routines[unit] == HOLD for unit in held)
    player.game.close()


@pytest.mark.parametrize(
    ("line", "flaw"),
    [
        ({"routine": "sleep", "side": 0, "units": [1]}, "not a routine order: "),
        ({"routine": "hold", "side": 0, "units": [999]}, "units are numbers from 0 to"),
        ({"routine": "hold", "side": 0, "units": "all"}, "not a routine order: "),
        ({"routine": "go", "side": 0, "units": [1]}, '"go" has a place'),
        ({"routine": "fire", "side": 0, "units": [1], "place": [1, 2]}, '"go" has a place'),
    ],
)
def test_a_line_that_is_no_routine_order_is_told_with_its_place(
    file: Path, line: dict[str, object], flaw: str
) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")

    with pytest.raises(LogError, match=rf"a\.battle\.jsonl:2: .*{flaw}"):
        Player(file)
