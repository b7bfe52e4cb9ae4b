"""The editor of a scenario: its text, review, undo and saving."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from emlia3d.atomic_write import atomic_write
from emlia3d.battle.files.regular_file import regular
from emlia3d.errors import Error, unwritable
from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.checking import Review, review_text
from emlia3d.scenario.editing.relief_brush import raised
from emlia3d.scenario.editing.renaming import renamed
from emlia3d.scenario.editing.table_text import (
    changed,
    copied,
    deleted,
    inserted,
    tables_of,
)
from emlia3d.scenario.reading import references_in
from emlia3d.scenario.shelves import map_folders
from emlia3d.scenario.sources import FolderSources, read_text
from emlia3d.scenario.systems import Systems, or_installed

DRAFT = ".draft.toml"
"""Ending of the file name of a scenario that was saved with errors."""

KINDS = ("terrain", "side", "area", "unit", "victory", "event")
"""The tables of which a scenario can have several."""

Point = tuple[float, float]
Table = tuple[str, int]
"""A table: its kind, and its number within the kind, from 0."""


class ScenarioEditor:
    """The text of a scenario, edit by edit.

    path : of the opened file, to which *save* writes by default
    text : the current text; every edit replaces it
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        systems: Systems | None = None,
        *,
        text: str | None = None,
    ) -> None:
        """Open a scenario file or a bundled scenario.

        text : of a new scenario; *source* is then the file that *save* writes

        Raises
        ------
        ScenarioError
            The file cannot be read, or is not TOML. A file with other errors can be edited.
        """
        self._systems = systems
        self._now = 0
        self._reviewed: tuple[str, Review] | None = None
        self._saved: str | None = None
        self._crlf = False
        if text is not None:
            self.path = pathlib.Path(source)
            self._texts = [text]
            self._seen = _bytes_of(self.path)
            return
        self.path = path_of(source)
        document = read_text(self.path, os.fspath(source))
        self._seen = self.path.read_bytes()
        self._crlf = b"\r\n" in self._seen
        self._texts = [document.text]
        self._saved = document.text

    @property
    def text(self) -> str:
        """The current text."""
        return self._texts[self._now]

    @property
    def is_saved(self) -> bool:
        """True if the file contains the current text."""
        return self.text == self._saved

    @property
    def is_bundled(self) -> bool:
        """True if the file belongs to this program or a package, so that it cannot be replaced."""
        return self.path.parent.resolve() in {folder.resolve() for folder in map_folders()}

    @property
    def is_changed_outside(self) -> bool:
        """True if another program has written or deleted the file since it was read or saved."""
        return _bytes_of(self.path) != self._seen

    def heed_outside(self) -> None:
        """Accept the current contents of the file, so that `save` can replace them."""
        self._seen = _bytes_of(self.path)

    def review(self) -> Review:
        """Return the findings of ``emlia3d check`` about the current text."""
        if self._reviewed is None or self._reviewed[0] != self.text:
            found = review_text(self.text, self.path.name, self.path.parent, self._systems)
            self._reviewed = self.text, found
        return self._reviewed[1]

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        self._now -= 1 if (back := self._now > 0) else 0
        return back

    def redo(self) -> bool:
        """Redo the edit that was undone last; return whether there was one."""
        self._now += 1 if (again := self._now + 1 < len(self._texts)) else 0
        return again

    def table(self, kind: str, row: int) -> dict[str, Any]:
        """Return the data of a table by its kind and its number, from 0."""
        return tables_of(self.text).table((kind, row))

    def count(self, kind: str) -> int:
        """Return the number of tables of a kind."""
        return tables_of(self.text).count((kind,))

    def add(self, kind: str, values: Mapping[str, Any]) -> int:
        """Insert a table after the others of its kind; return its number.

        If its name is taken, it gets the next free number.
        """
        if kind not in KINDS:
            raise Error(f"unknown kind of table {kind!r}; there are {', '.join(KINDS)}")
        free = {"name": self.free_name(values["name"])} if "name" in values else {}
        self._do(inserted(self.text, (kind,), {**values, **free}))
        return self.count(kind) - 1

    def change(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Change values of a table; None removes a key."""
        self._do(changed(self.text, (kind, row), values))

    def change_all(self, changes: Mapping[Table, Mapping[str, Any]]) -> None:
        """Change values of several tables in one edit."""
        text = self.text
        for table, values in changes.items():
            text = changed(text, table, values)
        self._do(text)

    def rename(self, kind: str, row: int, name: str) -> None:
        """Rename a table, and all references to it."""
        document = replace(tables_of(self.text).document, name=self.path.name)
        systems = or_installed(self._systems)
        references = references_in(document, FolderSources(self.path.parent), systems)
        self._do(renamed(self.text, kind, row, name, references))

    def change_heading(self, values: Mapping[str, Any]) -> None:
        """Change values above the first table: title, summary, turns, rules."""
        self._do(changed(self.text, (), values))

    def delete(self, kind: str, row: int) -> None:
        """Delete a table. The review then lists references to it as errors."""
        self._do(deleted(self.text, (kind, row)))

    def delete_all(self, tables: Iterable[Table]) -> None:
        """Delete several tables in one edit."""
        text = self.text
        for table in sorted(tables, reverse=True):
            text = deleted(text, table)
        self._do(text)

    def copy(self, kind: str, row: int, values: Mapping[str, Any]) -> int:
        """Copy a table under a free name, with changed *values*; return the number of the copy."""
        ((_, number),) = self.copy_all({(kind, row): values})
        return number

    def copy_all(self, changes: Mapping[Table, Mapping[str, Any]]) -> tuple[Table, ...]:
        """Copy tables under free names, with changed values, in one edit; return the copies."""
        text, copies = self.text, list[Table]()
        for kind, row in sorted(changes):
            # Earlier copies of its kind are now above it.
            now = row + sum(each == kind for each, _ in copies)
            name = tables_of(text).table((kind, now)).get("name")
            free = {} if name is None else {"name": _free_name(text, name)}
            text = copied(text, (kind, now), {**free, **changes[kind, row]})
            copies.append((kind, now + 1))
        self._do(text)
        return tuple(copies)

    def place_unit(
        self, name: str, side: str, entry: str, at: Point, facing: float = 0.0, **form: Any
    ) -> int:
        """Place a unit of a unit-set entry; return its number.

        at : its centre, GSU; facing : degrees clockwise from north
        form : formation, members, files and other keys of its table
        """
        values = {"name": name, "side": side, "type": entry, "at": list(at), "facing": facing}
        return self.add("unit", values | form)

    def move_unit(self, row: int, at: Point) -> None:
        """Move the centre of a unit, or of the units of a row, to a point, GSU."""
        self.change("unit", row, {"at": list(at)})

    def turn_unit(self, row: int, facing: float) -> None:
        """Turn a unit to *facing*, degrees clockwise from north."""
        self.change("unit", row, {"facing": facing % 360})

    def shape(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Change the shape of a feature or an area: outline, circle, or path and width."""
        keys = ("outline", "circle", "path", "width", "edge", "depth", "of")
        old = dict.fromkeys(key for key in keys if key in self.table(kind, row))
        self.change(kind, row, {**old, **values})

    def raise_ground(self, at: Point, radius: float, height_m: float) -> None:
        """Raise the generated ground around a point, or lower it if *height_m* is negative."""
        self._do(raised(self.text, at, radius, height_m))

    def free_name(self, name: str) -> str:
        """Return *name*, with a number if a unit, an area, a feature or a side has that name."""
        return _free_name(self.text, name)

    def save(self, path: pathlib.Path | None = None) -> pathlib.Path:
        """Save the text in one atomic write; return the file.

        path : None for the opened file

        Raises
        ------
        Error
            The text has errors, the scenario is bundled, another program has changed the file, a
            new file already exists, or it cannot be written. The edit is not lost.
        """
        path = self.path if path is None else path
        same = path == self.path
        if same and self.is_bundled:
            raise Error(f"{path.name}: a bundled scenario is saved under another name")
        if wrong := self.review().diagnostics:
            errors = f"{len(wrong)} errors" if len(wrong) > 1 else "1 error"
            raise Error(f"{path}: {errors}; it can be saved as a draft: {draft_of(path).name}")
        if same and self.is_changed_outside:
            raise Error(f"{path}: another program has changed this file since it was read")
        if not same:
            self._check_new(path)
        self._write(path)
        self.path, self._saved, self._seen = path, self.text, _bytes_of(path)
        self._reviewed = None
        return path

    def _check_new(self, path: pathlib.Path) -> None:
        """Raise Error if the scenario cannot be saved as another file."""
        if path.exists():
            raise Error(f"{path}: exists; choose another name")
        wrong = review_text(self.text, path.name, path.parent, self._systems).diagnostics
        if wrong:
            raise Error(f"{path}: with the files of its folder, {wrong[0].message}")

    def save_draft(self) -> pathlib.Path:
        """Save the text with its errors as a draft beside the file; return the draft's file.

        The draft of a bundled scenario goes to the current folder.

        Raises
        ------
        Error
            The file cannot be written. The edit is not lost.
        """
        own = pathlib.Path(self.path.name) if self.is_bundled else self.path
        path = draft_of(own)
        self._write(path)
        return path

    def _write(self, path: pathlib.Path) -> None:
        newline = "\r\n" if self._crlf else "\n"
        try:
            with atomic_write(path) as fresh:
                fresh.write_text(self.text, encoding="utf-8", newline=newline)
        except OSError as flaw:
            raise Error(unwritable(path, flaw)) from flaw

    def _do(self, text: str) -> None:
        """Make a text the current one, and discard undone texts."""
        if text != self.text:
            self._texts[self._now + 1 :] = [text]
            self._now += 1


def _free_name(text: str, name: str) -> str:
    """Return a name, with a number if the text already uses it."""
    data = tables_of(text).document.data
    taken = {row.get("name") for kind in KINDS for row in data.get(kind, []) if row}
    number, stem = 1, name.rstrip("0123456789").rstrip() or name
    while name in taken:
        number += 1
        name = f"{stem} {number}"
    return name


def _bytes_of(path: pathlib.Path) -> bytes | None:
    """Return the contents of a file; None if it cannot be read."""
    try:
        return regular(path).read_bytes()
    except OSError:
        return None


def draft_of(path: pathlib.Path) -> pathlib.Path:
    """Return the file for a draft of a scenario."""
    stem = path.name.removesuffix(".toml").removesuffix(".draft")
    return path.with_name(f"{stem}{DRAFT}")
