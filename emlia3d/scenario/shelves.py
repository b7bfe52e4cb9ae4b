"""Folders of unit sets and scenarios: of this program and of other packages.

A package provides a folder of TOML files by an entry point in the group `ARMIES_GROUP` or
`MAPS_GROUP`. The value of the entry point is the import name of the folder.
"""

from __future__ import annotations

from importlib import resources
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

ARMIES = Path(__file__).parents[1] / "armies"
"""The bundled unit sets."""

ARMIES_GROUP, MAPS_GROUP = "emlia3d.armies", "emlia3d.maps"


def _shipped_maps() -> Path:
    try:
        return Path(str(resources.files("emlia3d.maps")))
    except ModuleNotFoundError:
        return Path(__file__).parents[2] / "maps"


MAPS = _shipped_maps()
"""The bundled scenarios and their elevation files."""


def unit_set_file(name: str) -> Path | None:
    """Return the file of a bundled unit set or one of a package; None if there is none."""
    return _file(ARMIES, ARMIES_GROUP, name)


def scenario_file(name: str) -> Path | None:
    """Return the file of a bundled scenario or one of a package; None if there is none."""
    return _file(MAPS, MAPS_GROUP, name)


def unit_set_files() -> dict[str, Path]:
    """Return the files of all unit sets by name; bundled ones hide others of the same name."""
    return _files_in([ARMIES, *_folders(ARMIES_GROUP)])


def scenario_files() -> dict[str, Path]:
    """Return the files of all scenarios by name; bundled ones hide others of the same name."""
    return _files_in([MAPS, *_folders(MAPS_GROUP)])


def map_folders() -> list[Path]:
    """Return the folders of scenarios, the bundled one first."""
    return [MAPS, *_folders(MAPS_GROUP)]


def _file(own: Path, group: str, name: str) -> Path | None:
    found = _files_in([own]).get(name)
    # The search for packages is slow.
    return _files_in(_folders(group)).get(name) if found is None else found


def _files_in(folders: list[Path]) -> dict[str, Path]:
    """Return the TOML files of folders by name without the ending, sorted."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def _folders(group: str) -> list[Path]:
    """Return the existing folders of other packages."""
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    folders: list[Path] = []
    for point in points:
        try:
            spec = find_spec(point.module)
        except (ImportError, AttributeError, ValueError):
            continue
        folders += map(Path, (spec and spec.submodule_search_locations) or ())
    return folders
