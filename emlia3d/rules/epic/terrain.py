"""Terrain of tiles: types and their effects on sight, shooting and movement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Derived
from emlia3d.battle.moment import Moment
from emlia3d.field.field import Field
from emlia3d.field.hexes import HexBoard, TileContents, board_of, tile_contents
from emlia3d.rulekit.terrain_book import TerrainBook
from emlia3d.rules.rulebook import rule

Passage = Literal["free", "dangerous", "impassable"]


@dataclass(frozen=True, slots=True)
class TerrainType:
    """A row of the terrain table.

    sight : its effect on lines of sight: "none", "feature" or "obstructing"
    cover : whether infantry and light vehicles are in cover there
    infantry, vehicles, engines : how they pass it
    """

    sight: Literal["none", "feature", "obstructing"]
    cover: bool
    infantry: Passage
    vehicles: Passage
    engines: Passage


TABLE: Mapping[str, TerrainType] = {
    "open": TerrainType("none", False, "free", "free", "free"),
    "road": TerrainType("none", False, "free", "free", "free"),
    "scrub": TerrainType("none", True, "free", "free", "free"),
    "wood": TerrainType("feature", True, "free", "dangerous", "dangerous"),
    "jungle": TerrainType("feature", True, "free", "impassable", "dangerous"),
    "ruin": TerrainType("feature", True, "free", "dangerous", "dangerous"),
    "building": TerrainType("obstructing", True, "free", "impassable", "impassable"),
    "fortification": TerrainType("feature", True, "free", "free", "impassable"),
    "marsh": TerrainType("none", True, "dangerous", "dangerous", "dangerous"),
    "river": TerrainType("none", True, "dangerous", "impassable", "free"),
    "cliff": TerrainType("obstructing", False, "impassable", "impassable", "impassable"),
}

BOOK = TerrainBook("epic", {
    "building": "building", "village": "building", "keep": "building", "tower": "building",
    "gate": "building", "works": "building", "storage-tank": "building",
    "rampart": "fortification", "earthwork": "fortification",
    "wall": "fortification", "forest": "wood", "orchard": "wood", "tree": "wood",
    "large-tree": "wood", "jungle": "jungle", "ruin": "ruin", "camp": "ruin",
    "fortification": "fortification", "cliff": "cliff", "rock": "cliff",
    "scrub": "scrub", "shrub": "scrub", "hedge": "scrub", "field": "scrub",
    "marsh": "marsh", "river": "river", "lake": "river", "stream": "marsh",
    "road": "road", "track": "road", "bridge": "road", "ford": "road", "plough": "open",
    "fence": "open", "hill": "open",
})  # fmt: skip
"""The type of each kind of terrain."""

HINDRANCE: Mapping[str, int] = {
    kind: {"obstructing": 40, "feature": 30, "none": 20 if TABLE[name].cover else 0}[
        TABLE[name].sight
    ]
    for kind, name in BOOK.kinds.items()
    if name not in {"road", "open"}
} | dict.fromkeys(("bridge", "ford"), 50)  # fmt: skip
"""Kinds by hindrance; a bridge or a ford counts before the water under it."""


OWN = (
    BOOK.own("jungle", 3.0, "sparse", "forest"),
    BOOK.own("ruin", 1.25, "sparse", "camp"),
    BOOK.own("works", 2.5, "solid", "building"),
    BOOK.own("storage-tank", 2.5, "solid", "building"),
    BOOK.own("fortification", 0.75, "solid", "earthwork"),
    BOOK.own("cliff", 2.0, "solid", "rock"),
)
"""Kinds of the rulebook that have other names elsewhere, or none."""

STEEP = 2
"""Levels between neighbours that make a cliff."""

DANGEROUS_FACE = 6


@rule("epic.terrain.table")
def passage(terrain: str, kind: str) -> Passage:
    """Return how a type of unit passes a type of terrain."""
    row = TABLE[terrain]
    return {"INF": row.infantry, "WE": row.engines}.get(kind, row.vehicles)


@rule("epic.terrain.dangerous")
def is_hit_by_terrain(face: int) -> bool:
    """Return whether the die for dangerous terrain is a hit."""
    return face == DANGEROUS_FACE


@rule("epic.terrain.level")
def is_cliff(rise: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether steps between levels are cliffs, which are impassable."""
    return np.abs(rise) >= STEEP


@dataclass(frozen=True, eq=False)
class TileTerrain:
    """The terrain of the tiles of a board.

    types : the type of each tile, by its index in `TABLE`
    """

    contents: TileContents
    types: NDArray[np.int64]
    _passed: dict[tuple[str, Passage], NDArray[np.bool_]] = field(default_factory=dict, init=False)

    @property
    def board(self) -> HexBoard:
        """The board."""
        return self.contents.board

    @property
    def levels(self) -> NDArray[np.int64]:
        """(tiles,) the level of each tile."""
        return self.contents.levels

    def is_sight(self, sight: str) -> NDArray[np.bool_]:
        """Return (tiles,) whether each is of a class for lines of sight."""
        return np.array([row.sight == sight for row in TABLE.values()])[self.types]

    @cached_property
    def cover(self) -> NDArray[np.bool_]:
        """(tiles,) whether infantry and light vehicles are in cover."""
        return np.array([row.cover for row in TABLE.values()])[self.types]

    @cached_property
    def cliffs(self) -> NDArray[np.bool_]:
        """(tiles, 6) the steps that are cliffs."""
        return is_cliff(self.contents.rises)

    def is_passed(self, kind: str, how: Passage) -> NDArray[np.bool_]:
        """Return (tiles,) whether units of a type pass each tile in this way; read-only."""
        if (kind, how) not in self._passed:
            is_so = np.array([passage(name, kind) == how for name in TABLE])[self.types]
            is_so.flags.writeable = False
            self._passed[kind, how] = is_so
        return self._passed[kind, how]


def terrain_on(field: Field, board: HexBoard) -> TileTerrain:
    """Return the terrain of the tiles of a board; the height of a level is the width of a tile."""
    scale = field.scale
    contents = tile_contents(
        field,
        board,
        system=BOOK.system,
        hindrance=HINDRANCE,
        step=board.grid.across * scale.metres_per_gsu / scale.metres_per_height,
    )
    names = [*TABLE]
    by_feature = [
        names.index(BOOK.kinds.get(f.kind_for(BOOK.system), "open")) for f in field.features
    ]
    return TileTerrain(contents, np.array([*by_feature, 0], dtype=np.int64)[contents.features])


def _terrain(moment: Moment) -> TileTerrain:
    field = moment.setup.field
    return terrain_on(field, board_of(field))


terrain_of = Derived(make=_terrain, same=lambda *_: False)
"""The terrain of the tiles of a battle, which does not change."""
