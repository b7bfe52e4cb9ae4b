"""Sources of a scenario's files: its folder, the bundled files, or a battle file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from emlia3d.battle.files.regular_file import regular
from emlia3d.errors import Diagnostic, FileError, ScenarioError
from emlia3d.field import sibling_path
from emlia3d.scenario.shelves import unit_set_file, unit_set_files
from emlia3d.scenario.toml_lines import Document, read_document

MOST_BYTES = 4 * 2**20
"""Maximum size of a scenario or a unit set, bytes."""

_BATTLE_FILE = '{"emlia3d":'

_SET_NAME = re.compile(r"[A-Za-z0-9_-]+")


class Sources(Protocol):
    """The files that a scenario can name."""

    def file(self, name: str) -> Path:
        """Return the file with this name; raise FileError if there is none in the folder."""
        ...

    def unit_set(self, name: str) -> Document | None:
        """Return the unit set with this name; None if there is none."""
        ...

    def unit_sets(self) -> list[str]:
        """Return the names of all unit sets."""
        ...


def read_text(path: Path, name: str) -> Document:
    """Return the document in a file; raise ScenarioError if it cannot be read."""
    try:
        raw = regular(path).read_bytes()
    except OSError as fault:
        raise ScenarioError([Diagnostic(name, None, f"cannot be read: {fault.strerror}")]) from None
    if len(raw) > MOST_BYTES:
        told = f"longer than the {MOST_BYTES // 2**20} MiB that are read"
        raise ScenarioError([Diagnostic(name, None, told)])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw[: fault.start].count(b"\n") + 1
        raise ScenarioError([Diagnostic(name, line, "this is not UTF-8 text")]) from None
    if not text.strip():
        raise ScenarioError([Diagnostic(name, None, "the file is empty")])
    if text.startswith(_BATTLE_FILE):
        told = (
            "this is a battle file, and a scenario is expected here: emlia3d view shows it, "
            "emlia3d battle --resume continues it"
        )
        raise ScenarioError([Diagnostic(name, None, told)])
    return read_document(name, text)


@dataclass(frozen=True, slots=True)
class FolderSources:
    """The files in the scenario's folder or below it, and the bundled unit sets."""

    folder: Path

    def file(self, name: str) -> Path:
        """Return the file with this name beside the scenario."""
        return sibling_path(self.folder, name)

    def unit_set(self, name: str) -> Document | None:
        """Return the unit set beside the scenario, or else the bundled one."""
        if not _SET_NAME.fullmatch(name):
            return None
        if (self.folder / f"{name}.toml").is_file():
            path = sibling_path(self.folder, f"{name}.toml")
            return read_text(path, str(self.folder / f"{name}.toml"))
        shipped = unit_set_file(name)
        return None if shipped is None else read_text(shipped, shipped.name)

    def unit_sets(self) -> list[str]:
        """Return the names of unit sets of this program and of packages, without the folder's."""
        return list(unit_set_files())


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSources:
    """The contents of a battle file's header, and the files that it identifies by hash.

    folders : searched in this order
    """

    name: str
    entries: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, Mapping[str, Any]]
    folders: tuple[Path, ...]

    def file(self, name: str) -> Path:
        """Return the file with which the battle began, identified by its hash."""
        if name not in self.files:
            raise FileError(f"{name}: the battle file does not list this file")
        told = "it is not beside the battle file; put a copy there"
        for folder in self.folders:
            try:
                path = sibling_path(folder, name)
            except FileError:
                continue
            if fingerprint(path) == dict(self.files[name]):
                return path
            told = "it differs from the file with which the battle began"
        raise FileError(f"{name}: {told}")

    def unit_set(self, name: str) -> Document | None:
        """Return the entries of a unit set that the battle uses."""
        found = {
            key.partition("/")[2]: dict(entry)
            for key, entry in self.entries.items()
            if key.partition("/")[0] == name
        }
        return Document(self.name, {"entry": found}, {}) if found else None

    def unit_sets(self) -> list[str]:
        """Return the unit sets that the battle uses."""
        return sorted({key.partition("/")[0] for key in self.entries})


def fingerprint(path: Path) -> dict[str, Any]:
    """Return a file's identity: size in bytes, SHA-256 in hexadecimal digits."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as stream:
        while block := stream.read(2**20):
            digest.update(block)
            size += len(block)
    return {"size": size, "sha256": digest.hexdigest()}
