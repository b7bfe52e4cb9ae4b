"""Edits of a settings file that keep all other lines and all comments."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from emlia3d.scenario.toml_lines import Document


def text_with(document: Document, values: Mapping[str, str]) -> str:
    """Return the text of a document with keys above its tables set to TOML values.

    An existing key keeps its line and the comment after its value. New keys follow the last one.
    """
    lines = document.text.removesuffix("\n").split("\n") if document.text else []
    there = [name for name in values if (name,) in document.lines]
    # From the last line upwards, so that the numbers of earlier lines stay valid.
    for name in sorted(there, key=lambda name: -document.lines[name,]):
        start = document.lines[name,] - 1
        end = _end_of(lines, start)
        comment = _comment_of("\n".join(lines[start:end]))
        lines[start:end] = [f"{name} = {values[name]}{comment}"]
    new = [f"{name} = {value}" for name, value in values.items() if name not in there]
    at = _end_of_keys(lines)
    lines[at:at] = new
    return "\n".join([*lines, ""])


def _end_of(lines: list[str], start: int) -> int:
    """Return the index after the last line of the ``key = value`` that begins at *start*."""
    return next(
        end for end in range(start + 1, len(lines) + 1) if _read("\n".join(lines[start:end]))
    )


def _comment_of(statement: str) -> str:
    """Return the comment after the value of a ``key = value``, with two spaces before it."""
    data = _read(statement)
    for at, letter in enumerate(statement):
        if letter == "#" and _read(statement[:at]) == data:
            return f"  {statement[at:]}"
    return ""


def _read(text: str) -> dict[str, object]:
    """Return the data of a text; nothing if it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _end_of_keys(lines: list[str]) -> int:
    """Return the index of the line before which a new key above all tables belongs.

    It is before the first table and the comment directly above that table.
    """
    at = 0
    while at < len(lines) and not lines[at].lstrip().startswith("["):
        at = _end_of(lines, at) if _is_statement(lines[at]) else at + 1
    if at < len(lines):
        while at and lines[at - 1].lstrip().startswith("#"):
            at -= 1
    while at and not lines[at - 1].strip():
        at -= 1
    return at


def _is_statement(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
