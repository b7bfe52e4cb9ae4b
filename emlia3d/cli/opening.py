"""Scenarios and battle files for the window, from the current folder and a file's folder."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files.regular_file import regular
from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.cli.drawing import coloured
from emlia3d.cli.game_file import taken_over
from emlia3d.cli.records.kept_battles import folder_of, picture_of
from emlia3d.cli.rules.pages import rule_page
from emlia3d.scenario import load
from emlia3d.scenario.bundled import path_of
from emlia3d.view.rules import Rules
from emlia3d.view.window.opening import Found, Library, Opened
from emlia3d.view.window.unit_history import Recorded

MOST_READ = 2**20
"""Number of bytes that are read to recognise the kind of a file."""


@dataclass(frozen=True, slots=True)
class Course:
    """A battle in a file, up to its last boundary; for a scenario, its start.

    battle : before the first event; orders : each with the number of events before it
    """

    battle: Battle
    events: tuple[Event, ...]
    orders: tuple[tuple[int, Order], ...] = ()


def course_of(file: str) -> Course:
    """Return the contents of a file: a battle, or a scenario before its first turn."""
    if not is_battle_file(Path(file)):
        scenario = load(file)
        if not scenario.setup.units:
            return Course(scenario.deployed(), ())
        return Course(scenario.battle(), tuple(islice(scenario.battle().run(), 1)))
    record, battle = opened(Path(file))
    # All events are applied once first, so that an invalid event is reported with its line.
    after = record.fold(Battle(battle.setup, battle.system, battle.seed))
    whole = replace(record, lines=record.lines[: len(record.lines) - len(after)])
    return Course(
        battle, tuple(whole.events(kinds_by_name(battle.system.events))), tuple(whole.given())
    )


def library_of(file: Path | None) -> Library:
    """Return the files of the current folder, those beside *file*, and the stored battles."""
    beside = [] if file is None else [path_of(file).parent.resolve()]
    folders = dict.fromkeys([Path.cwd(), *beside, folder_of()])
    return Library(look=partial(_found, tuple(folders)), take=_taken)


def _found(folders: tuple[Path, ...]) -> tuple[Found, ...]:
    return tuple(found for folder in folders for found in _in_folder(folder))


def _in_folder(folder: Path) -> Iterator[Found]:
    """Yield the battle files of a folder, and then its scenarios."""
    where = "" if folder == Path.cwd() else f"{folder.name}/"
    for path in sorted(folder.glob("*.battle.jsonl")):
        picture = picture_of(path)
        yield Found(
            path, where + path.name, _of_battle(path), picture if picture.exists() else None
        )
    for path in sorted(folder.glob("*.toml")):
        what = _of_scenario(_beginning(path, whole=True))
        if what is not None:
            yield Found(path, where + path.name, what)


def _of_battle(path: Path) -> str:
    """Return the title of a battle file's battle, from its first line."""
    try:
        header = json.loads(_beginning(path, whole=False))
        title, seed = _of_scenario(header["scenario"]), header["seed"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return "not a readable battle"
    return f"{title}, seed {seed}"


def _of_scenario(text: str) -> str | None:
    """Return the title of a scenario, or a note that it is unreadable; None for other files."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        known = "[[unit]]" in text or "[field]" in text
        return "not a readable scenario" if known else None
    return str(table.get("title", "without a title")) if "field" in table else None


def _beginning(path: Path, *, whole: bool) -> str:
    """Return the beginning of a file, to recognise it, or its first line; "" if unreadable."""
    try:
        with regular(path).open("rb") as file:
            raw = file.read(MOST_READ) if whole else file.readline(MOST_READ)
    except OSError:
        return ""
    return raw.decode("utf-8", errors="replace")


def _taken(path: Path) -> Opened:
    """Return the battle in a file, for the window."""
    file = str(path)
    course = course_of(file)
    battle = course.battle
    return Opened(
        setup=coloured(battle.setup),
        state=battle.state,
        events=course.events,
        rules=Rules(battle, rule_page),
        take_over=partial(taken_over, file, battle),
        record=Recorded(path, course.orders) if is_battle_file(path) else None,
        library=library_of(path),
    )
