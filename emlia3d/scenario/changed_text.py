"""Changes of single values in the text of a scenario, which keeps the rest as it is written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from emlia3d.errors import Error, MissingExtraError
from emlia3d.scenario.bundled import named_file
from emlia3d.scenario.scenario import Scenario, from_text
from emlia3d.scenario.sources import FolderSources, read_text

_PART = re.compile(r'"([^"]*)"|([^."]+)')
_HOUSE = "house"
"""The table that is made if the scenario has none: each house rule has a usual value."""


def load_changed(source: str | os.PathLike[str], settings: Mapping[str, str]) -> Scenario:
    """Return the scenario in a file, or the bundled one of this name, with some values changed.

    settings : values as they are written in TOML, or plain words, by the paths of their keys:
        ``turns``, ``game.victory``, ``unit.archers.members``, ``side."Red guard".commander``,
        ``house."emlia.fire.mod.unaware"``

    Raises
    ------
    Error
        A path leads nowhere.
    ScenarioError
        With every error of the changed text, each with its line there.
    MissingExtraError
        The optional library that edits TOML is missing.
    """
    path, name = named_file(source)
    text = changed(read_text(path, name).text, settings)
    return from_text(text, name, sources=FolderSources(path.parent))


def changed(text: str, settings: Mapping[str, str]) -> str:
    """Return the text of a scenario with some values changed; comments and order stay.

    Raises
    ------
    Error
        A path leads nowhere.
    """
    try:
        import tomlkit  # noqa: PLC0415  an optional library
    except ImportError as fault:
        raise MissingExtraError("a study of variants", "study") from fault
    document = tomlkit.parse(text)
    for key, value in settings.items():
        *steps, last = [quoted or plain for quoted, plain in _PART.findall(key)]
        if steps == [_HOUSE] and _HOUSE not in document:
            document[_HOUSE] = tomlkit.table()
        table: Any = document
        for step in steps:
            table = _within(table, step, key)
        if isinstance(table, list) or not hasattr(table, "get"):
            raise Error(f"{key}: {last!r} needs the name of one table before it")
        try:
            table[last] = tomlkit.value(value)
        except (tomlkit.exceptions.ParseError, ValueError):
            table[last] = value
    return tomlkit.dumps(document)


def _within(table: Any, step: str, key: str) -> Any:
    """Return the table called *step* in a table, or in a list of tables by its `name`."""
    if isinstance(table, list):
        for row in table:
            if row.get("name") == step:
                return row
        names = ", ".join(str(row.get("name")) for row in table)
        raise Error(f"{key}: nothing is called {step!r}; there are {names}")
    if not hasattr(table, "get") or table.get(step) is None:
        names = ", ".join(map(str, table)) if hasattr(table, "get") else "no tables"
        raise Error(f"{key}: there is no {step!r}; there are {names}")
    return table[step]
