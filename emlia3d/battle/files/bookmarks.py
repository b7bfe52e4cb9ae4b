"""Bookmarks: named positions in a battle, stored in a file beside the battle file.

Each line is one JSON object: a header, then the bookmarks. Each write is atomic, and each change
first reads the file again, so that two writers lose no bookmark.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from emlia3d.atomic_write import atomic_write
from emlia3d.battle.digest import line_of
from emlia3d.battle.files.regular_file import regular
from emlia3d.battle.plain_values import is_whole
from emlia3d.errors import FileError, cut, quoted, unwritable

FORMAT = 1
ENDING = ".marks.jsonl"
HEADER = f'{{"emlia3d_bookmarks":{FORMAT}}}'
MOST_LETTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A position in a battle.

    events : number of events before it
    name, note : one line of text each; the note may be empty
    """

    events: int
    name: str
    note: str = ""


def bookmarks_path(battle: Path) -> Path:
    """Return the path of a battle file's bookmarks."""
    return battle.with_name(battle.name + ENDING)


def read(path: Path) -> tuple[Bookmark, ...]:
    """Return the bookmarks of a file in the order of the battle; () if there is no file.

    Raises FileError, with the line, if the file is invalid or from a later version.
    """
    try:
        text = regular(path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ()
    except OSError as flaw:
        raise FileError(f"{path}: cannot be read: {flaw.strerror}") from None
    except UnicodeDecodeError:
        raise FileError(f"{path}: bookmarks are UTF-8 text, this is not") from None
    lines = text.removesuffix("\n").split("\n")
    _check_header(path, lines[0])
    found = [_bookmark(path, number, line) for number, line in enumerate(lines[1:], start=2)]
    return _in_order(found)


def change(
    path: Path, how: Callable[[tuple[Bookmark, ...]], tuple[Bookmark, ...]]
) -> tuple[Bookmark, ...]:
    """Change the bookmarks of a file and return the new ones.

    Raises FileError, without a change, if the file cannot be read or written.
    """
    marks = _in_order(how(read(path)))
    lines = [HEADER, *(line_of(asdict(mark)) for mark in marks)]
    try:
        with atomic_write(path) as fresh:
            fresh.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    except OSError as flaw:
        raise FileError(unwritable(path, flaw)) from None
    return marks


def _in_order(marks: tuple[Bookmark, ...] | list[Bookmark]) -> tuple[Bookmark, ...]:
    return tuple(sorted(marks, key=lambda mark: mark.events))


def _check_header(path: Path, line: str) -> None:
    version = _body(path, 1, line).get("emlia3d_bookmarks")
    if not is_whole(version) or version < 1:
        raise FileError(f"{path}:1: a file of bookmarks begins with a header, {HEADER}")
    if version > FORMAT:
        raise FileError(
            f"{path}:1: a later version of emlia3d has written this; it is left as it is"
        )


def _bookmark(path: Path, number: int, line: str) -> Bookmark:
    body = _body(path, number, line)
    events, words = body.get("events"), (body.get("name"), body.get("note", ""))
    unknown = sorted(set(body) - {"events", "name", "note"})
    if unknown:
        raise FileError(
            f"{path}:{number}: a bookmark has events, name and note, no {cut(unknown[0])}"
        )
    if not is_whole(events) or events < 0:
        raise FileError(f"{path}:{number}: events: expected 0 or more, got {quoted(events)}")
    name, note = (_words(path, number, one) for one in words)
    return Bookmark(events=events, name=name, note=note)


def _words(path: Path, number: int, words: object) -> str:
    if isinstance(words, str) and len(words) <= MOST_LETTERS and words.isprintable():
        return words
    raise FileError(
        f"{path}:{number}: name and note are one line each, of at most {MOST_LETTERS} letters,"
        f" not {quoted(words)}"
    )


def _body(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        raise FileError(f"{path}:{number}: not a JSON object") from None
    if not isinstance(body, dict):
        raise FileError(f"{path}:{number}: not a JSON object")
    return body
