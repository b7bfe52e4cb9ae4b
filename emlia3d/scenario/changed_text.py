"""Changes of single values in the text of a scenario; the rest stays unchanged."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from emlia3d.errors import Error, MissingExtraError
from emlia3d.scenario.bundled import named_file
from emlia3d.scenario.scenario import Scenario, from_text
from emlia3d.scenario.sources import FolderSources, read_text
from emlia3d.scenario.toml_lines import Path, read_document

_PART = re.compile(r'"([^"]*)"|([^."]+)')
_NAME = "this text"
_HOUSE = "house"
"""The table of house rules; its keys are slugs, which contain dots."""


def load_changed(source: str | os.PathLike[str], settings: Mapping[str, str]) -> Scenario:
    """Return a scenario from a file, or a bundled scenario, with some values changed.

    settings : values in TOML or as plain words, by the paths of their keys: ``turns``,
        ``game.victory``, ``unit.archers.members``, ``side."Red guard".commander``,
        ``victory.1.level`` (the first of a list), ``house.emlia.fire.mod.unaware``. Missing tables
        are added.

    Raises
    ------
    Error
        A path does not exist.
    ScenarioError
        The changed text has errors; the exception lists all of them, with their lines there.
    MissingExtraError
        The optional library for editing TOML is missing.
    """
    path, name = named_file(source)
    text = changed(read_text(path, name).text, settings)
    return from_text(text, name, sources=FolderSources(path.parent))


def changed(text: str, settings: Mapping[str, str]) -> str:
    """Return the text of a scenario with some values changed; comments and order stay.

    Raises
    ------
    Error
        A path does not exist.
    """
    try:
        # Editing tables needs an optional library.
        from emlia3d.scenario.editing.table_text import changed_table  # noqa: PLC0415
    except MissingExtraError as fault:
        raise MissingExtraError("a study of variants", "study") from fault
    for key, value in settings.items():
        steps = steps_of(key)
        path = _path_of(read_document(_NAME, text).data, steps, key)
        try:
            text = changed_table(text, path, steps[len(path) :], value)
        except Error as fault:
            raise Error(f"{key}: {fault}") from None
    return text


def steps_of(key: str) -> list[str]:
    """Return the parts of a key; the slug of a house rule is one part.

    Raises
    ------
    Error
        The key is empty.
    """
    steps = [quoted or plain for quoted, plain in _PART.findall(key)]
    if not steps:
        raise Error(f"{key!r} is not the path of a value, such as unit.archers.members")
    return [_HOUSE, ".".join(steps[1:])] if steps[0] == _HOUSE and steps[1:] else steps


def _path_of(data: Mapping[str, Any], steps: Sequence[str], key: str) -> Path:
    """Return the path of the innermost existing table on the way to the last step."""
    table: Any = data
    path: Path = ()
    for step in steps[:-1]:
        at = _within(table, step, key)
        if at is None:
            break
        table, path = table[at], (*path, at)
    if not isinstance(table, Mapping):
        last = steps[len(path)]
        raise Error(f"{key}: {last!r} needs the name or the number of one table before it")
    return path


def _within(table: Any, step: str, key: str) -> str | int | None:
    """Return the key for *step* in a table, or the index in a list, by `name` or number.

    Return None if a table has no such key.
    """
    if isinstance(table, list):
        names = [str(row["name"]) for row in table if isinstance(row, Mapping) and "name" in row]
        if step in names:
            return names.index(step)
        if step.isdecimal() and 1 <= int(step) <= len(table):
            return int(step) - 1
        told = ", ".join(names) if names else f"{len(table)}, by their numbers from 1"
        raise Error(f"{key}: there is no {step!r}; there are {told}")
    if not isinstance(table, Mapping):
        raise Error(f"{key}: there is no {step!r}, because the key before it holds no tables")
    return step if step in table else None
