"""Units of a scenario file, as far as their tables are valid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from shapely import Point, Polygon

from emlia3d.battle.entries import Entry
from emlia3d.battle.setup import UnitSetup
from emlia3d.scenario.tables.unit_set_files import UnitSetLibrary
from emlia3d.scenario.toml_lines import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPlace:
    """Starting position of a unit of the file, as far as its table is valid.

    place : the key of its position
    side : index of its side; -1 if there is no such side
    shape : its boundary; only its centre if other keys of its table are invalid
    """

    place: Path
    name: str
    side: int
    arrives: int
    shape: Polygon | Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit:
    """A unit of the file for the count and cost of its army.

    place : its table
    side : the index of its side
    kind : "set/entry"; "" for a unit without an entry
    """

    place: Path
    name: str
    side: int
    entry: Entry
    kind: str
    section: tuple[str, ...]


@dataclass(slots=True)
class Units:
    """All units of a file.

    rows : the units with a position on the field
    places : the table of each unit in `rows`
    standing : starting positions, also of units that are not in `rows`
    recruits : the units whose side and entry are known
    unread : whether a unit is missing from the recruits
    shelf : source of entries; None without a rule system
    entries : the entries in use, as in their files, by "set/entry"
    """

    rows: list[UnitSetup] = field(default_factory=list)
    places: list[Path] = field(default_factory=list)
    standing: list[StartingPlace] = field(default_factory=list)
    recruits: list[Recruit] = field(default_factory=list)
    unread: bool = False
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    shelf: UnitSetLibrary | None = None
