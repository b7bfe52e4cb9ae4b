"""A scenario file for the editor's window: its text, its review and its position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.cli.rules.pages import rule_page
from emlia3d.errors import Diagnostic, Error, ScenarioError
from emlia3d.scenario.checking import review_text
from emlia3d.scenario.editing.readable_part import ReadablePart
from emlia3d.scenario.editing.scenario_editor import ScenarioEditor
from emlia3d.scenario.editing.table_text import changed, tables_of
from emlia3d.scenario.editing.tile_places import TilePlaces, tile_places
from emlia3d.scenario.reading import ParsedScenario
from emlia3d.scenario.shelves import unit_set_file
from emlia3d.scenario.sources import FolderSources, read_text
from emlia3d.scenario.systems import Systems, or_installed
from emlia3d.scenario.tables.kinds import terrain_names
from emlia3d.scenario.tables.sides import COLOURS
from emlia3d.view.editing.edited_scenario import (
    Changes,
    EditedPosition,
    EditFinding,
    Place,
    TableRef,
    UnitChoice,
)
from emlia3d.view.rules import Rules


class EditedFile:
    """A scenario that is edited, with the position that follows from its text.

    The text is parsed once for each edit. This class implements `EditedScenario` of the view.
    """

    def __init__(self, editor: ScenarioEditor) -> None:
        """Show the scenario of an editor.

        Raises
        ------
        ScenarioError
            Nothing of the scenario can be shown, because its field, its sides or other necessary
            parts have errors.
        """
        self._editor = editor
        self._systems: Systems = or_installed(None)
        self._position: tuple[str, EditedPosition] | None = None
        self._last: ParsedScenario | None = None
        self._data: tuple[str, Mapping[str, Any]] | None = None
        self._choices: tuple[Any, tuple[UnitChoice, ...]] | None = None
        self.position()

    @property
    def path(self) -> Path:
        """The file that `save` writes."""
        return self._editor.path

    @property
    def text(self) -> str:
        """The scenario's text."""
        return self._editor.text

    @property
    def is_saved(self) -> bool:
        """True if the file contains the current text."""
        return self._editor.is_saved

    @property
    def is_bundled(self) -> bool:
        """True if it must be saved under another name."""
        return self._editor.is_bundled

    @property
    def is_changed_outside(self) -> bool:
        """True if another program has changed the file."""
        return self._editor.is_changed_outside

    def heed_outside(self) -> None:
        """Accept the current contents of the file, so that `save` can replace them."""
        self._editor.heed_outside()

    def position(self) -> EditedPosition:
        """Return the part of the scenario that can be shown."""
        text = self.text
        if self._position is None or self._position[0] != text:
            self._position = text, self._read()
        return self._position[1]

    @property
    def has_tiles(self) -> bool:
        """True if the field is divided into tiles."""
        return self._tiles is not None

    def place_for_unit(self, place: Place) -> Place:
        """Return the position of a unit placed at a point; on tiles, the centre of a tile."""
        tiles = self._tiles
        return place if tiles is None else tiles.centre_near(place)

    @property
    def _tiles(self) -> TilePlaces | None:
        last = self._last
        return None if last is None else tile_places(last.setup.field)

    def _written(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return values as in the file, with a unit's tile in place of its centre."""
        tiles = self._tiles
        return values if tiles is None or kind != "unit" else tiles.in_file(values)

    def position_if(self, changes: Changes) -> EditedPosition | None:
        """Return the position after hypothetical changes; None if they would be an error."""
        text = self.text
        try:
            for table, values in changes.items():
                text = changed(text, table, self._written(table[0], values))
        except Error:
            return None
        found = review_text(text, self.path.name, self.path.parent, self._systems)
        return None if found.parsed is None else self._shown(found.parsed, (), {})

    def _read(self) -> EditedPosition:
        """Return the position of the current text, or the last valid one with the errors."""
        review = self._editor.review()
        part = ReadablePart(self.text, self.path.name, self.path.parent, self._systems)
        parsed = review.parsed or part.without_errors(review.diagnostics) or self._last
        if parsed is None:
            raise ScenarioError(review.diagnostics)
        self._last = parsed
        found = [_finding(part, each, advice=False) for each in review.diagnostics]
        found += [_finding(part, each, advice=True) for each in review.advice]
        wrong = {each.table for each in found if not each.advice and each.table is not None}
        outlines = {
            table: part.footprints(table[1]) for table in sorted(wrong) if table[0] == "unit"
        }
        return self._shown(parsed, tuple(found), outlines)

    def _shown(
        self,
        parsed: ParsedScenario,
        findings: tuple[EditFinding, ...],
        outlines: Mapping[TableRef, tuple[NDArray[np.float64], ...]],
    ) -> EditedPosition:
        setup = parsed.setup
        battle = Battle(setup, parsed.system, 0)
        if setup.units:
            battle.happen(opening_event(battle))
        names = _tables_by_unit(self.tables("unit"))
        units = tuple(names.get(unit.name) for unit in setup.units)
        footprints: dict[TableRef, tuple[NDArray[np.float64], ...]] = {}
        for unit, table in zip(setup.units, units, strict=True):
            if table is not None and unit.placed:
                ring = np.asarray(unit.starts_in.exterior.coords, np.float64)[:-1]
                footprints[table] = (*footprints.get(table, ()), ring)
        return EditedPosition(
            setup=setup,
            state=battle.state,
            rules=Rules(battle, rule_page),
            units=units,
            footprints=footprints | dict(outlines),
            findings=findings,
        )

    def _system(self) -> Any:
        last = self._last
        assert last is not None, "a position was read"
        return last.system

    def choices(self) -> tuple[UnitChoice, ...]:
        """Return the entries that can be placed, by unit set."""
        system = self._system()
        if self._choices is None or self._choices[0] is not system:
            self._choices = system, tuple(_choices(self.path.parent, system.name))
        return self._choices[1]

    def terrain_kinds(self) -> tuple[str, ...]:
        """Return the kinds of terrain of its rules."""
        return tuple(sorted(terrain_names(self._system())))

    def levels(self) -> tuple[str, ...]:
        """Return the levels of victory of its rules."""
        return tuple(self._system().levels)

    def colours(self) -> tuple[str, ...]:
        """Return the colours of sides, "#rrggbb", in their order."""
        return COLOURS

    def tables(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        """Return the data of all tables of a kind."""
        rows = self._whole().get(kind, ())
        if not isinstance(rows, list):
            return ()
        tiles = self._tiles if kind == "unit" else None
        return tuple(rows if tiles is None else map(tiles.with_centre, rows))

    def heading(self, key: str) -> Any:
        """Return a value above the first table; None if there is none."""
        return self._whole().get(key)

    def _whole(self) -> Mapping[str, Any]:
        if self._data is None or self._data[0] != self.text:
            self._data = self.text, tables_of(self.text).document.data
        return self._data[1]

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        return self._editor.undo()

    def redo(self) -> bool:
        """Redo the edit that was undone last; return whether there was one."""
        return self._editor.redo()

    def add(self, kind: str, values: Mapping[str, Any]) -> int:
        """Add a table; return its number."""
        return self._editor.add(kind, self._written(kind, values))

    def change(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Change values of a table."""
        self._editor.change(kind, row, self._written(kind, values))

    def change_all(self, changes: Changes) -> None:
        """Change values of several tables in one edit."""
        self._editor.change_all(self._all_written(changes))

    def _all_written(self, changes: Changes) -> Changes:
        return {table: self._written(table[0], values) for table, values in changes.items()}

    def rename(self, kind: str, row: int, name: str) -> None:
        """Rename a table, and all references to it."""
        self._editor.rename(kind, row, name)

    def change_heading(self, values: Mapping[str, Any]) -> None:
        """Change values above the first table."""
        self._editor.change_heading(values)

    def delete(self, kind: str, row: int) -> None:
        """Delete a table."""
        self._editor.delete(kind, row)

    def delete_all(self, tables: Sequence[TableRef]) -> None:
        """Delete tables in one edit."""
        self._editor.delete_all(tables)

    def copy_all(self, changes: Changes) -> tuple[TableRef, ...]:
        """Copy tables under free names, with changed values, in one edit; return the copies."""
        return self._editor.copy_all(self._all_written(changes))

    def raise_ground(self, at: Place, radius: float, height_m: float) -> None:
        """Raise the generated ground around a point, or lower it."""
        self._editor.raise_ground(at, radius, height_m)

    def save(self, path: Path | None = None) -> Path:
        """Write the file, or a new one; return it."""
        return self._editor.save(path)

    def save_draft(self) -> Path:
        """Write the text with its errors beside the file; return the draft's file."""
        return self._editor.save_draft()


def _finding(part: ReadablePart, diagnostic: Diagnostic, *, advice: bool) -> EditFinding:
    line = "" if diagnostic.line is None else f"line {diagnostic.line}: "
    return EditFinding(f"{line}{diagnostic.message}", part.table_of(diagnostic), advice)


def _tables_by_unit(tables: tuple[Mapping[str, Any], ...]) -> dict[str, TableRef]:
    """Return the table of each unit by its name; the units of a row have one table."""
    found: dict[str, TableRef] = {}
    for number, table in enumerate(tables):
        name, row = table.get("name"), table.get("row")
        if isinstance(row, Mapping) and isinstance(row.get("count"), int):
            found |= {f"{name} {each + 1}": ("unit", number) for each in range(row["count"])}
        else:
            found[str(name)] = "unit", number
    return found


def _choices(folder: Path, rules: str) -> list[UnitChoice]:
    """Return the entries of the unit sets for a rule system, the entries of a folder first."""
    found: list[UnitChoice] = []
    sources = FolderSources(folder)
    own = sorted(path.stem for path in folder.glob("*.toml") if unit_set_file(path.stem) is None)
    shipped = sorted(sources.unit_sets(), key=lambda name: (name != rules, name))
    for name in [*own, *shipped]:
        try:
            if name in own and "entry" not in read_text(folder / f"{name}.toml", name).data:
                continue
            document = sources.unit_set(name)
        except Error:
            continue
        if document is None or document.data.get("rules") != rules:
            continue
        title = str(document.data.get("title", name))
        entries = document.data.get("entry")
        for key, entry in entries.items() if isinstance(entries, Mapping) else ():
            called = str(entry.get("name", key)) if isinstance(entry, Mapping) else key
            found.append(UnitChoice(f"{name}/{key}", called, title))
    return found
