"""Battle reports on the command line."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import click

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.flow import NullRecorder
from emlia3d.battle.questions.report import Happening, Passage, Rank
from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.cli.writing import echo
from emlia3d.errors import Error
from emlia3d.scenario import load

WIDTH = 92
"""Width of a line of plain text, characters."""

_MARKUP = re.compile(r"([\\`*_<>])")


def tell_battle(
    file: str, *, seed: int | None, turn: int | None, dice: bool, markdown: bool, as_json: bool
) -> None:
    """Answer ``emlia3d report FILE``."""
    battle, story = story_of(file, seed)
    passages = _of_turn(battle, battle.system.report(battle, story, dice=dice), turn)
    try:
        if as_json:
            echo(json.dumps([asdict(passage) for passage in passages], ensure_ascii=False))
            return
        written = _markdown if markdown else _plain
        after: Rank | None = None
        for passage in passages:
            echo(written(passage, after))
            after = passage.rank
    except ValueError as flaw:
        raise Error(f"{file}: {flaw}") from None


def _of_turn(battle: Battle, passages: Iterable[Passage], turn: int | None) -> Iterator[Passage]:
    """Yield the passages of one turn or of all; raise BadParameter if the turn has none."""
    found = False
    for passage in passages:
        if turn is not None and passage.turn > turn:
            break
        if turn in {None, passage.turn}:
            found = True
            yield passage
    if not found:
        raise click.BadParameter(f"--turn {turn}: the battle has {battle.state.turn} turns")


def story_of(file: str, seed: int | None) -> tuple[Battle, Iterator[Happening]]:
    """Return a battle before its first event, and its orders and events."""
    if not is_battle_file(Path(file)):
        battle = load(file).battle(seed or 0)
        return battle, _played(battle)
    if seed is not None:
        raise click.BadParameter("a battle file has its seed; leave --seed out")
    record, battle = opened(Path(file))
    # All events are applied once first, so that an invalid event is reported with its line.
    record.fold(Battle(battle.setup, battle.system, battle.seed))
    return battle, record.story(battle)


class _Listener(NullRecorder):
    """Collects the orders given since the last call."""

    def __init__(self) -> None:
        self.heard: list[Order] = []

    def order(self, side: int, order: Order) -> None:
        del side
        self.heard.append(order)


def _played(battle: Battle) -> Iterator[Happening]:
    """Yield the orders and events of a battle while its commanders play it."""
    listener = _Listener()
    for event in battle.run(recorder=listener):
        yield from listener.heard
        listener.heard.clear()
        yield event


def _plain(passage: Passage, after: Rank | None) -> str:
    """Return a passage as plain text, with an empty line before it if necessary."""
    text = passage.text
    match passage.rank:
        case "title":
            return f"{text}\n{'=' * len(text)}"
        case "turn":
            told = f"{text}\n{'-' * len(text)}"
        case "step":
            told = text
        case "item":
            told = textwrap.fill(text, WIDTH, initial_indent="  - ", subsequent_indent="    ")
        case "deed":
            told = textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"{_gap(passage, after)}{told}"


_MARKS: Mapping[Rank, str] = {
    "title": "# ", "turn": "## ", "step": "### ", "deed": "", "item": "- ",
}  # fmt: skip


def _markdown(passage: Passage, after: Rank | None) -> str:
    """Return a passage as Markdown, with an empty line before it if necessary."""
    text = _MARKUP.sub(r"\\\1", passage.text)
    return f"{_gap(passage, after)}{_MARKS[passage.rank]}{text}"


def _gap(passage: Passage, after: Rank | None) -> str:
    """Return an empty line before a passage, except between items of a list."""
    return "" if after is None or passage.rank == after == "item" else "\n"
