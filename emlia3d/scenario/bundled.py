"""The bundled scenarios, and the file that a name on a command line means."""

from __future__ import annotations

import os
from pathlib import Path

from emlia3d.errors import Mistake, ScenarioError
from emlia3d.scenario import DEFAULT
from emlia3d.scenario.sources import MAPS, read_text
from emlia3d.scenario.words import nearest


def shipped() -> list[tuple[str, str, str]]:
    """Name, title and summary of each scenario that ships, the usual one first."""
    found = []
    for path in sorted(MAPS.glob("*.toml"), key=lambda path: (path.stem != DEFAULT, path.stem)):
        data = read_text(path, path.name).data
        found.append((path.stem, str(data.get("title", "")), str(data.get("summary", ""))))
    return found


def path_of(source: str | os.PathLike[str]) -> Path:
    """The file of a scenario, or of the one of this name that ships; ScenarioError for neither."""
    path = Path(source)
    if path.is_file():
        return path
    name = os.fspath(source)
    ships = [shipped.stem for shipped in MAPS.glob("*.toml")]
    if name in ships:
        return MAPS / f"{name}.toml"
    told = f"there is no such file, and no scenario of that name ships; {nearest(name, ships)}"
    if name and path.exists():
        told = "this is a folder" if path.is_dir() else "this is no regular file"
    raise ScenarioError([Mistake(name, None, told)])
