"""Bundled scenarios, and the files of scenarios named on the command line."""

from __future__ import annotations

import os
from pathlib import Path

from emlia3d.errors import Diagnostic, ScenarioError
from emlia3d.scenario import DEFAULT
from emlia3d.scenario.messages import nearest
from emlia3d.scenario.shelves import scenario_file, scenario_files
from emlia3d.scenario.sources import read_text


def shipped() -> list[tuple[str, str, str]]:
    """Return name, title and summary of each bundled scenario, the default one first."""
    found = []
    for path in sorted(
        scenario_files().values(), key=lambda path: (path.stem != DEFAULT, path.stem)
    ):
        data = read_text(path, path.name).data
        found.append((path.stem, str(data.get("title", "")), str(data.get("summary", ""))))
    return found


def named_file(source: str | os.PathLike[str]) -> tuple[Path, str]:
    """Return the file of a scenario, as `path_of` does, and its name in errors."""
    path = path_of(source)
    return path, os.fspath(source) if path == Path(source) else path.name


def path_of(source: str | os.PathLike[str]) -> Path:
    """Return the file of a scenario or a bundled scenario; raise ScenarioError if there is none."""
    path = Path(source)
    if path.is_file():
        return path
    name = os.fspath(source)
    shipped = scenario_file(name)
    if shipped is not None:
        return shipped
    near = nearest(name, scenario_files())
    told = f"no such file or bundled scenario; {near}"
    if name and path.exists():
        told = "this is a folder" if path.is_dir() else "this is not a regular file"
    raise ScenarioError([Diagnostic(name, None, told)])
