"""The interface of an edited scenario for the editor's window; the command line implements it."""

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
"""New values of tables; None removes a key."""

Place: TypeAlias = tuple[float, float]
"""East and north of the south-west corner, GSU."""


@dataclass(frozen=True, slots=True)
class EditFinding:
    """A finding of the review.

    table : its table; None for a place outside such tables
    advice : whether it is advice, which does not prevent play
    """

    text: str
    table: TableRef | None
    advice: bool = False


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """An entry of a unit set to place.

    entry : "SET/NAME", as in scenarios; title : of the set
    """

    entry: str
    name: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EditedPosition:
    """The part of the scenario that can be shown, without tables that have errors.

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
    """An edited scenario. Each edit can be undone, and can raise Error."""

    @property
    def path(self) -> Path:
        """The file that `save` writes."""

    @property
    def text(self) -> str:
        """The scenario's text; every edit replaces it."""

    @property
    def is_saved(self) -> bool:
        """True if the file contains the current text."""

    @property
    def is_bundled(self) -> bool:
        """True if it must be saved under another name."""

    @property
    def is_changed_outside(self) -> bool:
        """True if another program has changed the file."""

    def heed_outside(self) -> None:
        """Accept the current contents of the file, so that `save` can replace them."""

    def position(self) -> EditedPosition:
        """Return the part of the scenario that can be shown."""

    @property
    def has_tiles(self) -> bool:
        """True if the field is divided into tiles; units are then at their centres."""

    def place_for_unit(self, place: Place) -> Place:
        """Return the position of a unit placed at a point; on tiles, the centre of a tile."""

    def position_if(self, changes: Changes) -> EditedPosition | None:
        """Return the position after hypothetical changes; None if they would be an error."""

    def choices(self) -> tuple[UnitChoice, ...]:
        """Return the entries that can be placed, by unit set."""

    def terrain_kinds(self) -> tuple[str, ...]:
        """Return the kinds of terrain of its rules."""

    def levels(self) -> tuple[str, ...]:
        """Return the levels of victory of its rules."""

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
        """Add a table; return its number. If its name is taken, it gets a number."""

    def change(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Change values of a table; None removes a key."""

    def change_all(self, changes: Changes) -> None:
        """Change values of several tables in one edit."""

    def rename(self, kind: str, row: int, name: str) -> None:
        """Rename a table, and all references to it."""

    def change_heading(self, values: Mapping[str, Any]) -> None:
        """Change values above the first table."""

    def delete(self, kind: str, row: int) -> None:
        """Delete a table."""

    def delete_all(self, tables: Sequence[TableRef]) -> None:
        """Delete tables in one edit."""

    def copy_all(self, changes: Changes) -> tuple[TableRef, ...]:
        """Copy tables under free names, with changed values, in one edit; return the copies."""

    def raise_ground(self, at: Place, radius: float, height_m: float) -> None:
        """Raise the generated ground around a point, or lower it."""

    def save(self, path: Path | None = None) -> Path:
        """Write the file, or a new one; return it."""

    def save_draft(self) -> Path:
        """Write the text with its errors beside the file; return the draft's file."""
