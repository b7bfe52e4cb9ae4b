"""Units of a scenario file, as far as their tables can be read."""

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
    """Starting place of a unit of the file, as far as its table can be read.

    place : the key that says where it stands
    side : the index of its side; -1 if there is no such side
    shape : its boundary; only the place that it names if other keys of its table are wrong
    """

    place: Path
    name: str
    side: int
    arrives: int
    shape: Polygon | Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit:
    """Unit of the file as its army counts and pays it.

    place : its table
    side : the index of its side
    kind : "set/entry"; "" for a unit of no entry
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

    rows : the units that have a place on the field
    places : the table of each unit in `rows`
    standing : where units stand, also of units that are not in `rows`
    recruits : the units whose side and entry are known
    unread : some unit is not among the recruits
    shelf : where entries come from; None without a rule system
    entries : the entries in use, as their files have them, by "set/entry"
    """

    rows: list[UnitSetup] = field(default_factory=list)
    places: list[Path] = field(default_factory=list)
    standing: list[StartingPlace] = field(default_factory=list)
    recruits: list[Recruit] = field(default_factory=list)
    unread: bool = False
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    shelf: UnitSetLibrary | None = None
