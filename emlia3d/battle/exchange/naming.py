"""The names of commanders that other code provides: ``python:``, ``exec:`` and installed ones.

A package provides a commander by an entry point in the group `GROUP`, and its name is the name of
that entry point. No file may contain a name of the other two forms
(`emlia3d.battle.commanders.names_code`), only a command line or a program.
"""

from __future__ import annotations

import os
import pkgutil
import shlex
import shutil
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from emlia3d.battle.commanders import EXEC, PYTHON, Commander, names_code
from emlia3d.battle.exchange.channel import Opener
from emlia3d.battle.exchange.outside import OutsideCommander
from emlia3d.battle.exchange.process_channel import ProcessChannel
from emlia3d.battle.exchange.python_channel import PythonChannel, in_words
from emlia3d.errors import Error, cut, quoted

GROUP = "emlia3d.commanders"
"""The group of entry points that a package with a commander has one in."""


def installed_commanders() -> dict[str, EntryPoint]:
    """Return the entry point of each commander of another package, by name."""
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    return {point.name: point for point in found if not names_code(point.name)}


def outside_commander(name: str, default: Commander, time_limit_s: float) -> Commander | None:
    """Return the commander of other code with this name; None if the name is unknown.

    Nothing is started before its first decision, but the code of a Python class is imported.

    Parameters
    ----------
    default
        Decides whenever the code gives no legal answer.
    time_limit_s
        Seconds that the code has for each answer.

    Raises
    ------
    Error
        If the class or the program cannot be found.
    """
    opener = _opener(name)
    return None if opener is None else OutsideCommander(name, opener, default, time_limit_s)


def _opener(name: str) -> Opener | None:
    word, colon, rest = name.partition(":")
    if colon and word == EXEC:
        return partial(ProcessChannel, _program(rest))
    if colon and word == PYTHON:
        return partial(PythonChannel, _class_of(rest))
    point = installed_commanders().get(name)
    return None if point is None else partial(PythonChannel, _loaded(name, point.load))


def _program(command: str) -> list[str]:
    """Return a command as words; Error unless its first word is a program."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as flaw:
        raise Error(f"{EXEC}: {quoted(command)}: {str(flaw).lower()}") from None
    if not words:
        raise Error(f"{EXEC}: expected a command, such as {EXEC}:./commander.sh")
    if shutil.which(words[0]) is None:
        raise Error(f"{EXEC}: unknown program {quoted(words[0])}")
    return words


def _class_of(place: str) -> Callable[..., Any]:
    """Return the class at MODULE:CLASS; modules of the current folder come last."""
    module, colon, attribute = place.partition(":")
    if not (colon and module and attribute):
        raise Error(f"expected {PYTHON}:MODULE:CLASS, got {quoted(f'{PYTHON}:{place}')}")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return _loaded(f"{PYTHON}:{place}", partial(pkgutil.resolve_name, place))


def _loaded(name: str, load: Callable[[], Any]) -> Callable[..., Any]:
    """Return the class that *load* imports; Error if it raises an exception or is no class."""
    try:
        found = load()
    except (Exception, SystemExit) as fault:  # the code of others
        raise Error(f"the commander {cut(name)} cannot be loaded: {in_words(fault)}") from None
    if not callable(found) or not callable(getattr(found, "decide", None)):
        raise Error(f"the commander {cut(name)} is not a class with a method decide")
    return found  # type: ignore[no-any-return]  # checked to be callable
