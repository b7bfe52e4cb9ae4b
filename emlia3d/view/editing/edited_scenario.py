"""A scenario as the editor's window needs it; the command line provides one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.rules import Rules

TableKind: TypeAlias = Literal["unit", "terrain", "area", "side", "victory", "event"]
TableRef: TypeAlias = tuple[str, int]
"""A table of the scenario: its kind, and its number within the kind, from 0."""

Changes: TypeAlias = Mapping[TableRef, Mapping[str, Any]]
"""New values of tables; None takes a key away."""

Place: TypeAlias = tuple[float, float]
"""East and north of the south-west corner, GSU."""


@dataclass(frozen=True, slots=True)
class EditFinding:
    """Something that the checks found.

    table : where; None for a place above all tables of a kind
    advice : whether the scenario can be played all the same
    """

    text: str
    table: TableRef | None
    advice: bool = False


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """An entry of a unit set, to be placed.

    entry : "SET/NAME", as scenarios write it; title : of the set
    """

    entry: str
    name: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EditedPosition:
    """The scenario as it can be shown: without the tables that have errors.

    units : the table of each unit by row; None for a unit without one
    footprints : outlines (n, 2) float64, GSU, by tables of units, also of units with errors
    findings : errors or advice, in the order of the file's lines
    """

    setup: Setup
    state: State
    rules: Rules
    units: tuple[TableRef | None, ...]
    footprints: Mapping[TableRef, tuple[NDArray[np.float64], ...]]
    findings: tuple[EditFinding, ...]

    @property
    def wrong(self) -> frozenset[TableRef]:
        """The tables that have errors."""
        return frozenset(
            each.table for each in self.findings if each.table is not None and not each.advice
        )


class EditedScenario(Protocol):
    """A scenario that is edited. Each edit can be undone; all may raise Error."""

    @property
    def path(self) -> Path:
        """The file that `save` writes."""

    @property
    def text(self) -> str:
        """The scenario's text; every edit replaces it."""

    @property
    def is_saved(self) -> bool:
        """True if the file holds the present text."""

    @property
    def is_bundled(self) -> bool:
        """True if it has to be saved under another name."""

    @property
    def is_changed_outside(self) -> bool:
        """True if another program has changed the file."""

    def heed_outside(self) -> None:
        """Accept the present content of the file as known, so that `save` can replace it."""

    def position(self) -> EditedPosition:
        """Return the scenario as it can be shown."""

    @property
    def has_tiles(self) -> bool:
        """True if the field is divided into tiles, in whose centres units stand."""

    def place_for_unit(self, place: Place) -> Place:
        """Return where a unit that is put at a place stands: there, or in the middle of a tile."""

    def position_if(self, changes: Changes) -> EditedPosition | None:
        """Return the position after changes that are not made; None if it would be an error."""

    def choices(self) -> tuple[UnitChoice, ...]:
        """Return the entries that can be placed, by unit set."""

    def terrain_kinds(self) -> tuple[str, ...]:
        """Return the kinds of terrain that its rules know."""

    def levels(self) -> tuple[str, ...]:
        """Return the levels of victory that its rules know."""

    def colours(self) -> tuple[str, ...]:
        """Return the colours of sides, "#rrggbb", in their order."""

    def tables(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        """Return the data of all tables of a kind."""

    def heading(self, key: str) -> Any:
        """Return a value above the first table; None if there is none."""

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""

    def redo(self) -> bool:
        """Make the edit again that was undone last; return whether there was one."""

    def add(self, kind: str, values: Mapping[str, Any]) -> int:
        """Add a table; return its number. A name that is taken gets a number."""

    def change(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Change values of a table; None takes a key away."""

    def change_all(self, changes: Changes) -> None:
        """Change values of several tables in one edit."""

    def rename(self, kind: str, row: int, name: str) -> None:
        """Give a table another name, also where others name it."""

    def change_heading(self, values: Mapping[str, Any]) -> None:
        """Change values above the first table."""

    def delete(self, kind: str, row: int) -> None:
        """Delete a table."""

    def delete_all(self, tables: Sequence[TableRef]) -> None:
        """Delete tables in one edit."""

    def copy_all(self, changes: Changes) -> tuple[TableRef, ...]:
        """Copy tables under free names, with other values, in one edit; return the copies."""

    def raise_ground(self, at: Place, radius: float, height_m: float) -> None:
        """Raise the generated ground round a place, or lower it."""

    def save(self, path: Path | None = None) -> Path:
        """Write the file, or a new one; return it."""

    def save_draft(self) -> Path:
        """Write the text with its errors beside the file; return the draft's file."""
