"""``[[unit]]``: entries, formations and places into units that stand on the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.hiring import Hirer
from emlia3d.battle.setup import Outline, UnitSetup
from emlia3d.battle.system import Entry, RuleSystem
from emlia3d.field import Field, Scale, outline_of_points, snapped
from emlia3d.force import FORMATIONS, Formation, Muster, Troops, facing_of_degrees
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import usual_files
from emlia3d.scenario.entries import EntryShelf
from emlia3d.scenario.ledger import Ledger
from emlia3d.scenario.model import UnitTable
from emlia3d.scenario.sides import read_lines
from emlia3d.scenario.sources import Sources
from emlia3d.scenario.toml_lines import Path
from emlia3d.scenario.words import no_turn, shown, unknown_key

MOST_FIGURES = 1_000_000
"""A scenario has at most so many figures."""

# Rounding to the grid may push an edge by this much; GSU.
_SLACK = 1 / 256

# Less than this lies between two blocks that stand shoulder to shoulder; square GSU.
_TOUCH = 1 / 16

_SHARED = ("members", "files", "formation")
"""Keys that the scenario and the entry both have."""

_INSTEAD_OF_OUTLINE = ("at", *_SHARED)


@dataclass(slots=True)
class Units:
    """What ``[[unit]]`` says.

    rows : the units that are right
    shelf : where entries come from; None without a rule system
    entries : those that were used, as their files have them, by "set/entry"
    """

    rows: list[UnitSetup] = field(default_factory=list)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    shelf: EntryShelf | None = None


def read_units(
    ledger: Ledger,
    sources: Sources,
    system: RuleSystem | None,
    board: Field | None,
    areas: Mapping[str, Outline],
) -> Units:
    """Every unit that is right, each looked at in its place on the *board*.

    areas : outlines of those that own lines may be at
    """
    if not len(ledger.tables("unit")) and isinstance(ledger.document.data.get("unit", []), list):
        ledger.wrong((), "a scenario wants at least one [[unit]]")
    if system is None:
        return Units()
    reading = _Reading(ledger, EntryShelf(ledger, sources, system), system, board, areas)
    for index in ledger.tables("unit"):
        reading.unit(("unit", index))
    reading.put_together()
    reading.look_for_crowding()
    if sum(unit.muster.members for unit in reading.found.rows) > MOST_FIGURES:
        ledger.wrong(("unit",), f"more than the {MOST_FIGURES} figures that a scenario may have")
    reading.found.entries, reading.found.shelf = reading.shelf.used, reading.shelf
    return reading.found


class _Reading:
    """The units as they are read, and where they stand."""

    def __init__(
        self,
        ledger: Ledger,
        shelf: EntryShelf,
        system: RuleSystem,
        board: Field | None,
        areas: Mapping[str, Outline],
    ) -> None:
        self.ledger = ledger
        self.shelf = shelf
        self.found = Units()
        self._system = system
        self._board = board
        self._areas = areas
        self._scale = board.scale if board else Scale()
        self._sides = ledger.names("side")
        self._names = ledger.names("unit")
        self._solid: list[tuple[Path, str, Polygon]] = []
        self._groups: dict[str, tuple[Path, str]] = {}

    def unit(self, place: Path) -> None:
        """Read one ``[[unit]]``."""
        raw = self.ledger.at(place)
        if not isinstance(raw, Mapping):
            self.ledger.wrong(place, f"a table is wanted here, not {shown(raw)}")
            return
        own, overrides = self._split(place, raw)
        table = self.ledger.table(UnitTable, place, own)
        base = self._base(place, raw)
        if table is not None:
            overrides |= {key: raw[key] for key in _SHARED if key in raw}
            self._check_words(place, table)
        if base is None:
            return
        if table is not None and table.options:
            base = self._with_options(place, base, table.options)
        if "members" in overrides and "files" not in overrides and base.get("files"):
            base["files"] = min(base["files"], overrides["members"])
        entry = self.shelf.read(place, {**base, **overrides}, overrides)
        if table is not None and entry is not None and table.side in self._sides:
            self._muster(place, table, entry)

    def _split(self, place: Path, raw: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The keys of a unit's own, and those that override its entry."""
        fields, attributes = UnitTable.model_fields, self.shelf.model.model_fields
        own = {key: value for key, value in raw.items() if key in fields}
        overrides = {k: v for k, v in raw.items() if k not in fields and k in attributes}
        for key in raw:
            if key not in fields and key not in attributes:
                self.ledger.wrong((*place, key), unknown_key(key, {**fields, **attributes}))
        return own, overrides

    def _base(self, place: Path, raw: Mapping[str, Any]) -> dict[str, Any] | None:
        """The entry under the overrides: of the unit's type, or nothing but a name."""
        kind = raw.get("type")
        if isinstance(kind, str):
            return self.shelf.take(place, kind)
        return {"name": str(raw.get("name", "unit"))} if kind is None else None

    def _with_options(
        self, place: Path, base: dict[str, Any], options: tuple[str, ...]
    ) -> dict[str, Any]:
        """The entry with the options that the unit takes; as it was, and noted, without them."""
        if not isinstance(self._system, Hirer):
            self.ledger.wrong((*place, "options"), f"{self._system.title} knows no options")
            return base
        try:
            return self._system.with_options(base, options)
        except ValueError as fault:
            self.ledger.wrong((*place, "options"), f"options: {fault}")
            return base

    def _check_words(self, place: Path, table: UnitTable) -> None:
        ledger = self.ledger
        if self._names[table.name] != place[1]:
            ledger.wrong((*place, "name"), f"another unit is called {shown(table.name)} already")
        if table.name in self._sides:
            ledger.wrong((*place, "name"), f"a side is called {shown(table.name)} already")
        ledger.known((*place, "side"), "side", table.side, self._sides)
        if table.group == table.name:
            ledger.wrong((*place, "group"), f"{table.name} cannot be a group that it is in itself")
        for number, state in enumerate(table.states):
            ledger.known((*place, "states", number), "state", state, self._system.states)
        spare = [key for key in _INSTEAD_OF_OUTLINE if getattr(table, key) is not None]
        if table.outline is None and table.at is None:
            ledger.wrong(place, "at is missing: a place [east, north] in GSU")
        elif table.outline is not None and spare:
            ledger.wrong((*place, spare[0]), f"an outline says where it stands, without {spare[0]}")

    def _muster(self, place: Path, table: UnitTable, entry: Entry) -> None:
        outline = self._boundary(place, table) if table.outline is not None else None
        muster = None
        if outline is not None:
            muster = self._drawn(table, entry, outline)
        elif table.at is not None:
            muster = self._formed(place, table, entry)
        if muster is None:
            return
        self._look_at_edges(place, muster, outline, solid=not table.arrives)
        lines = None
        if table.lines is not None:
            lines = read_lines(self.ledger, (*place, "lines"), table.lines, self._areas)
        if table.group is not None:
            self._groups[table.name] = ((*place, "group"), table.group)
        self.found.rows.append(
            UnitSetup(
                muster=muster,
                entry=entry,
                kind=table.type or "",
                states=table.states,
                outline=outline,
                lines=lines,
                section=tuple(part for part in table.section.split("/") if part),
                arrives=table.arrives,
            )
        )

    def _formed(self, place: Path, table: UnitTable, entry: Entry) -> Muster | None:
        """A unit of members in a formation."""
        assert table.at is not None
        files = entry.files or usual_files(entry.members)
        if files > entry.members:
            told = f"{files} files are more than the {entry.members} members"
            self.ledger.wrong((*place, "files"), told)
            return None
        try:
            ((x, y),) = snapped([table.at]).tolist()
        except ValueError as fault:
            self.ledger.wrong((*place, "at"), f"at: {fault}")
            return None
        return self._mustered(table, entry.troops(self._scale), entry, (x, y), files)

    def _boundary(self, place: Path, table: UnitTable) -> Polygon | None:
        """The boundary that a unit draws for itself."""
        try:
            return outline_of_points(table.outline or ())
        except ValueError as fault:
            self.ledger.wrong((*place, "outline"), f"outline: {fault}")
            return None

    def _drawn(self, table: UnitTable, entry: Entry, outline: Polygon) -> Muster:
        """A single body with a boundary of its own; its room is measured along its facing."""
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
    ) -> Muster:
        return Muster(
            name=table.name,
            side=self._sides[table.side],
            troops=troops,
            members=1 if table.outline else entry.members,
            at=at,
            facing=facing_of_degrees(table.facing),
            formation=Formation(FORMATIONS.index(entry.formation)),
            files=files,
            on_height=table.on_height,
        )

    def _look_at_edges(
        self, place: Path, muster: Muster, drawn: Polygon | None, solid: bool
    ) -> None:
        """Note a unit that does not stand wholly on the field.

        solid : it is there from the start, and so nobody else may stand in its place
        """
        outline = drawn or muster.boundary
        if solid and muster.formation is not Formation.OPEN:
            self._solid.append((place, muster.name, outline))
        if self._board is None:
            return
        west, south, east, north = outline.bounds
        size = self._board.size
        if min(west, south) < -_SLACK or east > size[0] + _SLACK or north > size[1] + _SLACK:
            told = (
                f"{muster.name} reaches from [{west:g}, {south:g}] to [{east:g}, {north:g}], off "
                f"the field of {size[0]:g} x {size[1]:g} GSU; move it in"
            )
            self.ledger.wrong((*place, "outline" if drawn else "at"), told)

    def put_together(self) -> None:
        """Parts belong to the unit that their groups lead to; a group of a group is flat."""
        rows = {unit.name: row for row, unit in enumerate(self.found.rows)}
        for name, (place, group) in self._groups.items():
            if not self.ledger.known(place, "unit", group, self._names) or group not in rows:
                continue
            if self._leads_back(name):
                if name != group:
                    self.ledger.wrong(place, f"{name} would be part of itself by way of {group}")
                continue
            top = group
            while top in self._groups and self._groups[top][1] in rows:
                top = self._groups[top][1]
            unit, head = self.found.rows[rows[name]], self.found.rows[rows[top]]
            if unit.muster.side != head.muster.side:
                self.ledger.wrong(place, f"{name} and {top} are of different sides")
                continue
            muster = replace(unit.muster, parent=rows[top])
            self.found.rows[rows[name]] = replace(unit, muster=muster, arrives=head.arrives)

    def _leads_back(self, name: str) -> bool:
        """Whether going from a unit to its group, and on, never ends."""
        seen = {name}
        while name in self._groups:
            name = self._groups[name][1]
            if name in seen:
                return True
            seen.add(name)
        return False

    def look_for_crowding(self) -> None:
        """Note every close or ranked unit that stands where another does."""
        if not self._solid:
            return
        outlines = np.array([outline for _, _, outline in self._solid], dtype=object)
        pairs = shapely.STRtree(outlines).query(outlines, predicate="intersects").T.tolist()
        for one, other in sorted(pairs):
            if one <= other:
                continue
            shared = shapely.area(shapely.intersection(outlines[one], outlines[other]))
            if shared > _TOUCH:
                place, name, _ = self._solid[one]
                told = f"{name} stands on {self._solid[other][1]}; move one of them"
                self.ledger.wrong((*place, "at"), told)


def look_at_arrivals(ledger: Ledger, units: Sequence[UnitSetup], turns: int | None) -> None:
    """Note every unit that would come when the battle is over.

    turns : of the battle; None where that is wrong itself
    """
    rows = ledger.names("unit")
    for unit in units:
        if turns is not None and unit.arrives > turns:
            told = f"arrives: {no_turn(unit.arrives, turns)}"
            ledger.wrong(("unit", rows[unit.name], "arrives"), told)
