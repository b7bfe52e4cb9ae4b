"""People at a battle: asked, taking back, going on from any moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.game import (
    Game,
    OrderUndoneError,
    PendingDecision,
    PlayerLeftError,
    Rewind,
    branch,
)
from emlia3d.errors import LogError
from tests.battle.toy_events import EVENTS

HEADER = {"title": "Nursery", "seed": 7}

Fresh = Callable[[], Battle]


@pytest.fixture
def file(tmp_path: Path, fresh: Fresh) -> Path:
    path = tmp_path / "game.battle.jsonl"
    BattleLog.begin(path, HEADER, fresh()).close()
    return path


def first(asked: PendingDecision) -> Order:
    return asked.decision.options[0]


def play(game: Game) -> list[Event]:
    """Play on; the events that stand in the end."""
    events: list[Event] = []
    for told in game.run():
        if isinstance(told, Rewind):
            del events[told.events :]
        else:
            events.append(told)
    game.close()
    return events


def recorded(path: Path) -> list[Event]:
    return list(read_record(path).events(kinds_by_name(EVENTS)))


def test_only_the_sides_of_people_are_asked(file: Path, fresh: Fresh) -> None:
    asked: list[int] = []

    def ask(question: PendingDecision) -> Order:
        asked.append(question.decision.side)
        return first(question)

    play(Game(file, fresh(), [1], ask))

    assert set(asked) == {1}


def test_what_is_told_is_what_is_recorded(file: Path, fresh: Fresh) -> None:
    events = play(Game(file, fresh(), [0, 1], first))

    assert events == recorded(file)


def test_the_doctrine_answers_where_it_is_left_to_it(file: Path, fresh: Fresh) -> None:
    alone = fresh()
    alone.run_to_end()

    game = Game(file, fresh(), [0, 1], lambda asked: None)
    play(game)

    assert game.battle.digest.hexdigest() == alone.digest.hexdigest()


@pytest.mark.parametrize("back", [0, 1, 4, 7])
def test_any_order_can_be_taken_back_and_given_otherwise(
    file: Path, fresh: Fresh, tmp_path: Path, back: int
) -> None:
    """After eight orders it is thought better; the end is that of who never went astray."""
    astray = [True]

    def ask(asked: PendingDecision) -> Order:
        if not astray[0]:
            return first(asked)
        if asked.number == 8:
            astray[0] = False
            game.take_back(back)
            raise OrderUndoneError
        return asked.decision.options[-1] if asked.number >= back else first(asked)

    game = Game(file, fresh(), [0, 1], ask)
    events = play(game)
    other = tmp_path / "straight.battle.jsonl"
    BattleLog.begin(other, HEADER, fresh()).close()
    straight = Game(other, fresh(), [0, 1], first)

    assert events == play(straight)
    assert game.battle.digest.hexdigest() == straight.battle.digest.hexdigest()
    assert recorded(file) == events


def test_a_battle_that_is_over_is_gone_on_with_when_an_order_is_taken_back(
    file: Path, fresh: Fresh
) -> None:
    game = Game(file, fresh(), [0], first)
    before = list(game.run())
    number = game.choice_before(game.orders)
    assert number is not None

    game.take_back(number)
    told = list(game.run())
    game.close()

    assert isinstance(told[0], Rewind)
    assert [*before[: told[0].events], *told[1:]] == before
    assert read_record(file).result is not None


def test_who_leaves_finds_the_battle_as_it_was(file: Path, fresh: Fresh) -> None:
    def leave(asked: PendingDecision) -> Order:
        if asked.number == 5:
            raise PlayerLeftError
        return first(asked)

    before = play(Game(file, fresh(), [0, 1], leave))
    after = play(Game(file, fresh(), [0, 1], first))

    assert after[: len(before)] == before
    assert after == recorded(file)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_game_torn_off_anywhere_is_gone_on_with(
    file: Path, fresh: Fresh, tmp_path: Path, share: float
) -> None:
    def wavering(asked: PendingDecision) -> Order:
        if asked.number == 6 and '"back"' not in file.read_text("utf-8"):
            game.take_back(3)
            raise OrderUndoneError
        return first(asked)

    game = Game(file, fresh(), [0, 1], wavering)
    whole = play(game)
    raw = file.read_bytes()
    header = raw.index(b"\n") + 1
    torn = tmp_path / "torn.battle.jsonl"
    torn.write_bytes(raw[: header + round(share * (len(raw) - header))])

    assert play(Game(torn, fresh(), [0, 1], first)) == whole


@pytest.mark.parametrize("events", [0, 1, 9, 12])
def test_a_battle_is_played_on_from_any_moment_of_another(
    file: Path, fresh: Fresh, tmp_path: Path, events: int
) -> None:
    story = play(Game(file, fresh(), [0, 1], first))
    before = file.read_bytes()
    other = tmp_path / "other.battle.jsonl"

    branch(read_record(file), fresh(), events, other)
    mine = play(Game(other, fresh(), [0, 1], lambda asked: asked.decision.options[-1]))

    assert mine[:events] == story[:events]
    assert mine != story
    assert file.read_bytes() == before


def test_only_an_order_that_stands_can_be_taken_back(file: Path, fresh: Fresh) -> None:
    play(Game(file, fresh(), [0, 1], first))
    lines = file.read_bytes().splitlines(keepends=True)
    event = next(row for row, line in enumerate(lines, 1) if b'"event"' in line)

    file.write_bytes(b"".join([*lines, json.dumps({"back": event}).encode() + b"\n"]))

    with pytest.raises(LogError, match=f":{len(lines) + 1}: line {event} has no order"):
        read_record(file)
