"""Formations: units, tiles, cohesion and zones of control."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Change, Place, Set
from emlia3d.battle.derived import Columns, Derived
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup
from emlia3d.field.hexes import Tiles, is_one_chain
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import snapped
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.unit_set import Entry, entry_of
from emlia3d.rules.rulebook import rule

LONGEST_LINK = 2
"""Maximum distance between units of a chain in cohesion, tiles."""


_leaders_of = Derived(
    make=lambda moment: np.array(
        [moment.setup.leader_of(row) for row in range(len(moment.state.units))]
    ),
    same=lambda *_: False,
)
"""Return (units,) the leader of each unit's formation, which does not change."""


class UnitsOnTiles:
    """The units on the field with their tiles.

    there : (units,) whether each is on the field
    side, leader : (units,) of each
    tile : (units, 2) q and r of each
    number : (units,) the number of its tile; -1 off the field
    carrier : (units,) the unit that carries it, off the field; -1 for none
    """

    def __init__(self, moment: Moment) -> None:
        """Find the tiles of all units."""
        units = moment.state.units
        self.there: NDArray[np.bool_] = units.ints("present") != 0
        self.side = units.ints("side").copy()
        self.carrier = units.ints("carrier").copy()
        self.leader = _leaders_of(moment)
        self.board = terrain_of(moment).board
        half = units.floats("depth") / 2
        facings = units.ints("facing").tolist()
        ahead = np.array([unit_vector(facing) for facing in facings]).reshape(-1, 2)
        place = np.column_stack((units.floats("x"), units.floats("y"))) - half[:, None] * ahead
        place[~self.there] = 0.0
        self.tile: Tiles = self.board.grid.tiles_at(place)
        self.number = np.where(self.there, self.board.numbers(self.tile), -1)
        self._by_formation: dict[int, list[int]] = {}
        self._by_side: tuple[list[int], list[int]] = [], []
        columns = self.leader.tolist(), self.side.tolist(), self.there.tolist()
        for row, (leader, of, there) in enumerate(zip(*columns, strict=True)):
            if there:
                self._by_formation.setdefault(leader, []).append(row)
                self._by_side[of].append(row)

    def of_formation(self, leader: int) -> list[int]:
        """Return the remaining units of a formation, by row."""
        return [*self._by_formation.get(leader, ())]

    def carried_by(self, carrier: int) -> list[int]:
        """Return the units that a unit carries, by row."""
        return np.flatnonzero(self.carrier == carrier).tolist()

    def with_carried(self, rows: Iterable[int]) -> list[int]:
        """Return units and the units that they carry."""
        return [unit for row in rows for unit in (row, *self.carried_by(row))]

    def formations(self, side: int) -> list[int]:
        """Return the formations of a side with units left, by their leaders."""
        own = self._by_formation.items()
        return sorted(leader for leader, rows in own if self.side[rows[0]] == side)

    def of_side(self, side: int) -> list[int]:
        """Return the remaining units of a side."""
        return [*self._by_side[side]]

    def gaps(self, rows: Iterable[int], others: Iterable[int]) -> NDArray[np.int64]:
        """Return the distances between units, (rows, others)."""
        one, other = self.tile[[*rows]], self.tile[[*others]]
        if not (len(one) and len(other)):
            return np.zeros((len(one), len(other)), dtype=np.int64)
        gaps: NDArray[np.int64] = tiles_apart(one[:, None, :], other[None, :, :])
        return gaps

    def tile_gaps(self, numbers: NDArray[np.int64], rows: Iterable[int]) -> NDArray[np.int64]:
        """Return the distances of tiles from the nearest unit, (numbers,); there must be a unit."""
        tiles, others = self.board.tiles[numbers], self.tile[[*rows]]
        gaps: NDArray[np.int64] = tiles_apart(tiles[:, None, :], others[None, :, :]).min(axis=1)
        return gaps


units_of = Derived(
    Columns("x", "y", "facing", "present", "side", "depth", "carrier"),
    make=UnitsOnTiles,
    same=lambda *_: False,
)
"""The units on their tiles."""


def cell(unit: int, column: str, value: float) -> Change:
    """Return the change of a cell of a unit."""
    return Set(table="unit", row=unit, column=column, value=value)


def shock_of(moment: Moment, leader: int) -> int:
    """Return the Shock of a formation."""
    return moment.state.units.integer("shock", leader)


def is_broken(moment: Moment, leader: int) -> bool:
    """Return whether a formation is broken."""
    return bool(moment.state.units.value("morale", leader))


def kind_of(moment: Moment, unit: int) -> Entry:
    """Return a unit's entry in its unit set."""
    return entry_of(moment.setup, unit)


def capacity_left(moment: Moment, unit: int) -> int:
    """Return the number of hits that destroy a unit."""
    return kind_of(moment, unit).dc - moment.state.units.integer("damage", unit)


def strength(moment: Moment, rows: Iterable[int]) -> int:
    """Return the strength of units for breaking and outnumbering, with carried units."""
    counted = units_of(moment).with_carried(rows)
    return sum(counted_units(kind_of(moment, row)) for row in counted)


@rule("epic.warengine.damage")
def counted_units(entry: Entry) -> int:
    """Return the number of units for which one counts: for a War Engine, its damage capacity."""
    return entry.dc


def changes_of_capacity(setup: Setup) -> tuple[Change, ...]:
    """Return the changes that record the capacity of vehicles and War Engines at the start."""
    rows = [row for row in range(len(setup.units)) if entry_of(setup, row).unit_type != "INF"]
    return tuple(cell(row, "capacity", entry_of(setup, row).dc) for row in rows)


def enemies_of(moment: Moment, side: int) -> list[int]:
    """Return the remaining enemy units."""
    return units_of(moment).of_side(1 - side)


def rows_by_distance(moment: Moment, rows: Sequence[int], others: Sequence[int]) -> list[int]:
    """Return units sorted by distance from the nearest of others, then by row."""
    if not rows or not others:
        return [*rows]
    gaps = units_of(moment).gaps(rows, others).min(axis=1)
    return [rows[place] for place in np.lexsort((rows, gaps))]


def title_of(moment: Moment, unit: int) -> str:
    """Return the tile of a unit as text."""
    q, r = units_of(moment).tile[unit].tolist()
    return f"{q},{r}"


def put(moment: Moment, unit: int, tile: Iterable[int], facing: int | None = None) -> Place:
    """Return the change that puts a unit in a tile.

    facing : 64ths of a degree; by default as before
    """
    units = moment.state.units
    if facing is None:
        facing = units.integer("facing", unit)
    x, y = units_of(moment).board.grid.centres([*tile]).tolist()
    east, north = unit_vector(facing)
    half = float(units.value("depth", unit)) / 2
    return Place(
        unit=unit, x=snapped(x + half * east), y=snapped(y + half * north), facing=facing,
        formation=units.integer("formation", unit), files=units.integer("files", unit),
    )  # fmt: skip


# Cohesion


@rule("epic.cohesion.definition")
def is_in_cohesion(tiles: Tiles) -> bool:
    """Return whether units on tiles form one chain with steps of at most 2 tiles."""
    return is_one_chain(tiles, LONGEST_LINK)


def in_cohesion(moment: Moment, leader: int) -> bool:
    """Return whether a formation is in cohesion."""
    units = units_of(moment)
    return is_in_cohesion(units.tile[units.of_formation(leader)])


@rule("epic.cohesion.must-regain")
def actions_in_cohesion(actions: Iterable[str], moving: Iterable[str], *, whole: bool) -> list[str]:
    """Return the actions that a formation can declare; out of cohesion, only moves."""
    return [action for action in actions if whole or action in {*moving}]


@rule("epic.cohesion.check-time")
def nearest_to_cohesion(lacks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which ends of a move are legal: those nearest to cohesion.

    lacks : (ends,) missing tiles for cohesion if a unit ends there; 0 is cohesion
    """
    return lacks == lacks.min() if lacks.size else np.zeros(0, dtype=np.bool_)
