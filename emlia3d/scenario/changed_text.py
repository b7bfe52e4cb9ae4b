"""Changes of single values in the text of a scenario, which keeps the rest as it is written."""

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
        # The editing of tables has an optional library.
        from emlia3d.scenario.editing.table_text import changed_table  # noqa: PLC0415
    except MissingExtraError as fault:
        raise MissingExtraError("a study of variants", "study") from fault
    for key, value in settings.items():
        steps = [quoted or plain for quoted, plain in _PART.findall(key)]
        if not steps:
            raise Error(f"{key!r} is no path of a value, such as unit.archers.members")
        data = read_document(_NAME, text).data
        if steps[:-1] == [_HOUSE] and _HOUSE not in data:
            text = f"{text.rstrip()}\n\n[{_HOUSE}]\n"
            data = {**data, _HOUSE: {}}
        text = changed_table(text, _path_of(data, steps, key), steps[-1], value)
    return text


def _path_of(data: Mapping[str, Any], steps: Sequence[str], key: str) -> Path:
    """Return the place of the table that holds the last step."""
    table: Any = data
    path: Path = ()
    for step in steps[:-1]:
        at = _within(table, step, key)
        table, path = table[at], (*path, at)
    if not isinstance(table, Mapping):
        raise Error(f"{key}: {steps[-1]!r} needs the name of one table before it")
    return path


def _within(table: Any, step: str, key: str) -> str | int:
    """Return the key of the table called *step*, or in a list of tables the row, by its `name`."""
    if isinstance(table, list):
        names = [str(row.get("name")) for row in table if isinstance(row, Mapping)]
        if step in names:
            return names.index(step)
        raise Error(f"{key}: nothing is called {step!r}; there are {', '.join(names)}")
    if not isinstance(table, Mapping) or table.get(step) is None:
        names = list(map(str, table)) if isinstance(table, Mapping) else ["no tables"]
        raise Error(f"{key}: there is no {step!r}; there are {', '.join(names)}")
    return step
