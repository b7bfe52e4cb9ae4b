"""``[[unit]]``: units from entries, formations and positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from shapely import Point, Polygon

from emlia3d.battle.entries import Entry
from emlia3d.battle.setup import Lines, Outline, UnitSetup
from emlia3d.battle.system import System
from emlia3d.errors import near
from emlia3d.field import Field, Scale, outline_of_points, snapped
from emlia3d.force import FORMATIONS, Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import usual_files
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import UnitTable
from emlia3d.scenario.messages import no_turn, shown, unknown_key
from emlia3d.scenario.sources import Sources
from emlia3d.scenario.tables.groups import Groups
from emlia3d.scenario.tables.sides import read_lines
from emlia3d.scenario.tables.spots import StartingPlaces
from emlia3d.scenario.tables.starting import Recruit, StartingPlace, Units
from emlia3d.scenario.tables.tile_keys import TileKeys
from emlia3d.scenario.tables.unit_set_files import UnitSetLibrary
from emlia3d.scenario.toml_lines import Path

MOST_FIGURES = 1_000_000
"""Largest number of figures in a scenario."""

_SHARED = ("members", "files", "formation")
"""Keys that exist both in the scenario and in the entry."""

_INSTEAD_OF_OUTLINE = ("at", "tile", *_SHARED, "row")

_SHAPED_BY = {"outline", "facing", *_INSTEAD_OF_OUTLINE}
"""Keys that determine the positions of a unit's members."""


def read_units(
    collector: ErrorCollector,
    sources: Sources,
    system: System | None,
    board: Field | None,
    areas: Mapping[str, Outline | None],
    turns: int | None,
) -> Units:
    """Read every unit, and check its position on the *board*.

    A unit with errors is read as far as possible, so that one error hides no other.

    areas : outlines of areas for own lines; None for an invalid one
    turns : of the battle; None if invalid
    """
    shelf = None if system is None else UnitSetLibrary(collector, sources, system)
    reading = _Reading(collector, shelf, system, board, areas, turns)
    for index in collector.tables("unit"):
        reading.unit(("unit", index))
    reading.finish()
    found = reading.found
    if sum(unit.muster.members for unit in found.rows) > MOST_FIGURES:
        collector.wrong(("unit",), f"more than {MOST_FIGURES} figures, the maximum of a scenario")
    if shelf is not None:
        found.entries, found.shelf = shelf.used, shelf
    return found


class _Reading:
    """The units so far, and their positions."""

    def __init__(
        self,
        collector: ErrorCollector,
        shelf: UnitSetLibrary | None,
        system: System | None,
        board: Field | None,
        areas: Mapping[str, Outline | None],
        turns: int | None,
    ) -> None:
        self.collector = collector
        self.shelf = shelf
        self.found = Units()
        self._system = system
        self._board = board
        self._areas = areas
        self._turns = turns
        self._deploys = system is not None and system.deploys
        self._scale = board.scale if board else Scale()
        self._sides = collector.names("side")
        self._names = collector.names("unit")
        self._spots = StartingPlaces(collector, board)
        self._tiles = TileKeys.of(collector, board)
        self._groups = Groups(collector, self._names)
        self._side_of: dict[str, int] = {}

    def unit(self, place: Path) -> None:
        """Read one ``[[unit]]``."""
        raw = self.collector.at(place)
        if not isinstance(raw, Mapping):
            self.collector.wrong(place, f"expected a table here, got {shown(raw)}")
            self.found.unread = True
            return
        own, overrides, spelt = self._split(place, raw)
        table, wrong = self.collector.salvage(UnitTable, place, own, spelt)
        assert table, "the keys of a unit are a mapping"
        table = self._tiles.placed(place, table, wrong)
        side = self._check_words(place, table, wrong)
        read, known = None, False
        if self.shelf is not None:
            # Files depend on members, so the files of the entry do not apply.
            bad = wrong | {"files"} if "members" in wrong else wrong
            overrides |= {key: raw[key] for key in _SHARED if key in raw and key not in bad}
            read = self._entry(place, raw, table, overrides, spelt)
            known = table.type is None or table.type in self.shelf.used
        if read is None or side < 0 or "name" in wrong or not known:
            self.found.unread = True
        else:
            self.found.recruits.append(
                Recruit(
                    place=place,
                    name=table.name,
                    side=side,
                    entry=read,
                    kind=table.type or "",
                    section=table.sections,
                )
            )
        lines = None
        if table.lines is not None:
            lines = read_lines(self.collector, (*place, "lines"), table.lines, self._areas)
        outline = None if table.outline is None else self._boundary(place, table)
        if read is not None and not wrong & _SHAPED_BY:
            self._muster(place, table, read, outline, lines)
        else:
            self._look_at_spot(place, table, side, outline)

    def _split(
        self, place: Path, raw: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
        """Return a unit's own keys, and the keys that override its entry.

        Report unknown keys, and also return the keys that they misspell.
        """
        fields = UnitTable.model_fields
        own = {key: value for key, value in raw.items() if key in fields}
        if self.shelf is None:
            return own, {}, set()
        attributes = self.shelf.model.model_fields
        overrides = {k: v for k, v in raw.items() if k not in fields and k in attributes}
        meant = set()
        for key in raw:
            if key not in fields and key not in attributes:
                self.collector.wrong((*place, key), unknown_key(key, {**fields, **attributes}))
                meant.add(near(key, {**fields, **attributes}) or "")
        return own, overrides, meant - raw.keys() - {""}

    def _entry(
        self,
        place: Path,
        raw: Mapping[str, Any],
        table: UnitTable,
        overrides: dict[str, Any],
        spelt: set[str],
    ) -> Entry | None:
        """Return the unit's entry without invalid values; None if nothing is left."""
        assert self.shelf is not None
        kind = raw.get("type")
        base: dict[str, Any] | None = None
        if isinstance(kind, str):
            base = self.shelf.take(place, kind)
        elif kind is None and "type" not in spelt:
            base = {"name": str(raw.get("name", "unit"))}
        if base is not None and table.options:
            base = self._with_options(place, base, table.options)
        if base is not None and "members" in overrides and "files" not in overrides:
            base = _fewer_files(base, overrides["members"])
        if base is None:
            self.shelf.check(place, overrides)
            return None
        entry: Entry | None = self.shelf.read(place, base, overrides, spelt)
        return entry

    def _with_options(
        self, place: Path, base: dict[str, Any], options: tuple[str, ...]
    ) -> dict[str, Any]:
        """Return the entry with the unit's valid options."""
        if self._system is None or self._system.army_model is None:
            title = self._system.title if self._system else ""
            self.collector.wrong((*place, "options"), f"{title} has no options")
            return base
        for number, option in enumerate(options):
            try:
                base = self._system.with_options(base, (option,))
            except ValueError as fault:
                self.collector.wrong((*place, "options", number), f"options: {fault}")
        return base

    def _check_words(self, place: Path, table: UnitTable, wrong: frozenset[str]) -> int:
        """Check the names in a unit's table; return the index of its side, -1 if unknown."""
        collector, side = self.collector, -1
        if "name" not in wrong:
            if self._names[table.name] != place[1]:
                told = f"another unit is already called {shown(table.name)}"
                collector.wrong((*place, "name"), told)
            if table.name in self._sides:
                told = f"a side is already called {shown(table.name)}"
                collector.wrong((*place, "name"), told)
            if table.group == table.name:
                told = f"{table.name} cannot be a member of itself"
                collector.wrong((*place, "group"), told)
        if "side" not in wrong and collector.known(
            (*place, "side"), "side", table.side, self._sides
        ):
            side = self._sides[table.side]
        if self._system is not None:
            for number, state in enumerate(table.states):
                collector.known((*place, "states", number), "state", state, self._system.states)
        if self._turns is not None and table.arrives > self._turns:
            told = f"arrives: {no_turn(table.arrives, self._turns)}"
            collector.wrong((*place, "arrives"), told)
        if table.group is not None:
            self._groups.add(str(table.name), (*place, "group"), table.group)
        self._side_of[str(table.name)] = side
        spare = [key for key in _INSTEAD_OF_OUTLINE if getattr(table, key) is not None]
        placed = {"at", "tile", "outline"} & {*wrong, *table.model_fields_set}
        if not placed and not self._deploys:
            collector.wrong(place, self._tiles.missing)
        elif table.outline is not None and spare:
            collector.wrong((*place, spare[0]), f"an outline replaces {spare[0]}")
        return side

    def _look_at_spot(
        self, place: Path, table: UnitTable, side: int, outline: Polygon | None
    ) -> None:
        """Check the position of a unit whose size is unknown because of errors in other keys."""
        if outline is not None:
            self._stands(place, table, side, outline)
        elif table.at is not None and table.outline is None and np.isfinite(table.at).all():
            self._stands(place, table, side, Point(table.at))

    def _muster(
        self,
        place: Path,
        table: UnitTable,
        entry: Entry,
        outline: Polygon | None,
        lines: Lines | None,
    ) -> None:
        """Put a unit with a valid position and formation on the field."""
        muster = None
        if outline is not None:
            muster = self._drawn(table, entry, outline)
        elif table.at is not None or self._deploys:
            muster = self._formed(place, table, entry)
        if muster is None:
            self._look_at_spot(place, table, self._side_of[str(table.name)], outline)
            return
        placed = table.at is not None or outline is not None
        shape = outline or muster.boundary
        solid = muster.formation is not Formation.OPEN
        single = muster.members == 1
        if placed and table.tile is None and not table.arrives and (solid or single):
            self._spots.add(place, muster.name, shape, solid=solid)
        if placed:
            self._stands(place, table, muster.side, shape)
        self.found.places.append(place)
        self.found.rows.append(
            UnitSetup(
                muster=muster,
                entry=entry,
                kind=table.type or "",
                states=table.states,
                outline=outline,
                lines=lines,
                section=table.sections,
                arrives=table.arrives,
                placed=placed,
            )
        )

    def _formed(self, place: Path, table: UnitTable, entry: Entry) -> UnitDeployment | None:
        """Return a unit of members in a formation."""
        files = entry.files or usual_files(entry.members)
        try:
            ((x, y),) = snapped([table.at or (0.0, 0.0)]).tolist()
        except ValueError as fault:
            self.collector.wrong((*place, "at"), f"at: {fault}")
            return None
        return self._mustered(table, entry.troops(self._scale), entry, (x, y), files)

    def _boundary(self, place: Path, table: UnitTable) -> Polygon | None:
        """Return the drawn boundary of a unit."""
        try:
            return outline_of_points(table.outline or ())
        except ValueError as fault:
            self.collector.wrong((*place, "outline"), f"outline: {fault}")
            return None

    def _drawn(self, table: UnitTable, entry: Entry, outline: Polygon) -> UnitDeployment:
        """Return a single body with a drawn boundary; its space is measured along its facing."""
        east, north = unit_vector(facing_of_degrees(table.facing))
        corners = shapely.get_coordinates(outline)
        across = corners[:, 0] * north - corners[:, 1] * east
        along = corners[:, 0] * east + corners[:, 1] * north
        sides, ends = (across.min(), across.max()), (along.min(), along.max())
        room = Troops(
            model=entry.troops(self._scale).model,
            width=float(sides[1] - sides[0]),
            depth=float(ends[1] - ends[0]),
        )
        beside, ahead = sum(sides) / 2, sum(ends) / 2
        ((x, y),) = snapped(
            [[beside * north + ahead * east, ahead * north - beside * east]]
        ).tolist()
        return self._mustered(table, room, entry, (x, y), 1)

    def _mustered(
        self, table: UnitTable, troops: Troops, entry: Entry, at: tuple[float, float], files: int
    ) -> UnitDeployment:
        return UnitDeployment(
            name=table.name or "this unit",
            side=self._side_of[str(table.name)],
            troops=troops,
            members=1 if table.outline else entry.members,
            at=at,
            facing=facing_of_degrees(table.facing),
            formation=Formation(FORMATIONS.index(entry.formation)),
            files=files,
            on_height=table.on_height,
        )

    def _stands(self, place: Path, table: UnitTable, side: int, shape: Polygon | Point) -> None:
        """Record the start of a unit, and report one that is not completely on the field.

        A unit in a tile can be wider than the tile.
        """
        key = "at" if table.tile is None else "tile"
        spot = (*place, key if table.outline is None else "outline")
        name = table.name or "this unit"
        self.found.standing.append(
            StartingPlace(place=spot, name=name, side=side, arrives=table.arrives, shape=shape)
        )
        if table.tile is None:
            self._spots.check_on_field(spot, name, shape)

    def finish(self) -> None:
        """Assign groups, and check that no units overlap."""
        self._groups.put_together(self.found, self._side_of, self._system)
        self._spots.check_apart()


def _fewer_files(base: dict[str, Any], members: int) -> dict[str, Any]:
    """Return an entry with at most as many files as members."""
    return {**base, "files": min(base["files"], members)} if base.get("files") else base
