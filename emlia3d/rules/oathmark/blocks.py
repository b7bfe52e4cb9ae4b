"""Blocks: the figures of a unit at a pose, its arcs and facings, gaps and straight moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, inf

import numpy as np
from shapely import MultiPolygon, Polygon, shortest_line

from emlia3d.battle.changes import Change, Place, Stand
from emlia3d.battle.derived import Columns, Derived
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.force.formation import GRID, Formation, snapped
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.footprints import Footprints, edge_gaps
from emlia3d.geometry.free_moves import NO_WALLS, Walls, free_moves
from emlia3d.rules.oathmark.core import (
    BlockSide,
    Ranks,
    arc_of,
    facing_places,
    figure_places,
    files_of_last,
    is_within,
    keeps_distance,
    officer_file,
    ranks_of,
)
from emlia3d.rules.oathmark.unit_set import Entry

Spot = tuple[float, float]

_TURNED = {BlockSide.FRONT: 0, BlockSide.RIGHT: 1, BlockSide.REAR: 2, BlockSide.LEFT: 3}
"""Quarter turns clockwise from the front to each facing."""


@dataclass(frozen=True)
class Block:
    """The figures of a unit at a pose.

    x, y : centre of its front line, mm
    facing : 64ths of a degree
    files : figures of a complete rank
    width, depth : of a base, mm
    """

    x: float
    y: float
    facing: int
    count: int
    files: int
    width: float
    depth: float

    @cached_property
    def ahead(self) -> Spot:
        """The direction that it faces."""
        return unit_vector(self.facing)

    @property
    def frontage(self) -> float:
        """The length of its front line, mm."""
        return min(self.files, self.count) * self.width

    @property
    def length(self) -> float:
        """From its front line to its rear, mm."""
        return -(-self.count // self.files) * self.depth

    def at(self, right: float, forward: float) -> Spot:
        """Return the point at an offset from the centre of the front line."""
        east, north = self.ahead
        return (
            self.x + right * north + forward * east,
            self.y - right * east + forward * north,
        )

    def offset(self, spot: Spot) -> Spot:
        """Return the offset of a point from the centre of the front, right and forward."""
        (east, north), x, y = self.ahead, spot[0] - self.x, spot[1] - self.y
        return x * north - y * east, x * east + y * north

    @property
    def centre(self) -> Spot:
        """The centre of its outline."""
        return self.at(0, -self.length / 2)

    def place_of(self, rank: int, file: int) -> Spot:
        """Return the centre of the base in a rank and file."""
        columns = min(self.files, self.count)
        return self.at((file - (columns - 1) / 2) * self.width, -(rank + 0.5) * self.depth)

    @cached_property
    def officer(self) -> Spot:
        """The centre of the base of its officer."""
        return self.place_of(0, officer_file(self.count, self.files))

    def arc(self, spot: Spot) -> BlockSide:
        """Return the arc that contains a point."""
        right, forward = self.offset(spot)
        return arc_of(right, forward + self.length / 2, self.frontage / 2, self.length / 2)

    @property
    def places(self) -> list[tuple[int, int]]:
        """The ranks and files of its figures."""
        return figure_places(self.count, self.files)

    @cached_property
    def _facings(self) -> dict[BlockSide, tuple[tuple[int, int], ...]]:
        return facing_places(self.count, self.files)

    def facing_figures(self, side: BlockSide) -> list[Spot]:
        """Return the centres of the figures that compose a facing."""
        return [self.place_of(*place) for place in self._facings[side]]

    def base_at(self, centre: Spot) -> Floats:
        """Return (5, 2) the centre and the corners of a base."""
        east, north = self.ahead
        right, forward = np.array([north, -east]), np.array([east, north])
        s = np.array([0, 1, 1, -1, -1])[:, None] * self.width / 2
        t = np.array([0, 1, -1, -1, 1])[:, None] * self.depth / 2
        return np.asarray(np.array(centre) + s * right + t * forward)

    def facing_of(self, side: BlockSide) -> int:
        """Return the direction of a facing."""
        return (self.facing + _TURNED[side] * FULL_CIRCLE // 4) % FULL_CIRCLE

    def line_of(self, side: BlockSide) -> tuple[Spot, float]:
        """Return the centre and the length of the line of a facing."""
        half, deep = self.frontage / 2, self.length
        middles = {
            BlockSide.FRONT: (0.0, 0.0),
            BlockSide.REAR: (0.0, -deep),
            BlockSide.LEFT: (-half, -deep / 2),
            BlockSide.RIGHT: (half, -deep / 2),
        }
        return self.at(*middles[side]), deep if side.is_flank else 2 * half

    def is_outside(self, spot: Spot, side: BlockSide) -> bool:
        """Return whether a point is on the outer side of the line of a facing."""
        (x, y), (east, north) = self.line_of(side)[0], unit_vector(self.facing_of(side))
        return (spot[0] - x) * east + (spot[1] - y) * north > 0

    def shifted(self, east: float, north: float) -> Block:
        """Return the block at another position on the grid, with the same facing."""
        return replace(self, x=snapped(self.x + east), y=snapped(self.y + north))

    def turned_about(self, rank: int, file: int, facing: int) -> Block:
        """Return the block with another facing, turned around a base."""
        x, y = self.place_of(rank, file)
        turned = replace(self, facing=facing % FULL_CIRCLE)
        u, v = turned.place_of(rank, file)
        return turned.shifted(x - u, y - v)

    @cached_property
    def footprints(self) -> Footprints:
        """Its complete ranks, and the last rank if it is incomplete, as rectangles."""
        return self._footprints(0.0, 0.0)

    def _footprints(self, radius: float, less: float) -> Footprints:
        full, rest = divmod(self.count, self.files)
        parts = [(self.at(0, -full * self.depth / 2), self.files, full)] if full else []
        if rest:
            last = files_of_last(self.count, self.files)
            one, other = self.place_of(full, last[0]), self.place_of(full, last[-1])
            parts.append((((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), rest, 1))
        columns = [
            (*spot, *self.ahead, wide * self.width / 2 - less, deep * self.depth / 2 - less, radius)
            for spot, wide, deep in parts
        ]
        return Footprints(np.array(columns))

    def widened(self, radius: float) -> Footprints:
        """Return its rectangles, widened by a distance."""
        return self._footprints(radius, 0.0)

    @cached_property
    def inner(self) -> Footprints:
        """Its rectangles, slightly smaller, so that contact is not an overlap."""
        return self._footprints(0.0, 4 / GRID)

    def nearest_on(self, other: Block) -> Spot:
        """Return the point on another block that is nearest to this one."""
        shapes = [
            MultiPolygon([Polygon(each) for each in block.footprints.corners()])
            for block in (other, self)
        ]
        x, y = shortest_line(*shapes).coords[0]
        return x, y


@dataclass(frozen=True, eq=False)
class Blocks:
    """All units on the field.

    of : blocks by row
    sides : the side of each row
    parts, owner : the rectangles of all units, and the unit of each
    """

    of: dict[int, Block]
    sides: Sequence[int]
    parts: Footprints
    owner: np.ndarray[tuple[int], np.dtype[np.int64]]

    def enemies(self, unit: int) -> list[int]:
        """Return the enemies of a unit on the field."""
        return [row for row in self.of if self.sides[row] != self.sides[unit]]

    def friends(self, unit: int) -> list[int]:
        """Return the other units of its side on the field."""
        return [row for row in self.of if row != unit and self.sides[row] == self.sides[unit]]

    def gaps(self, block: Block, *, inner: bool = False) -> dict[int, float]:
        """Return the gap from a block, at any position, to each unit, mm.

        inner : whether contact of bases counts as a small gap, and an overlap as none
        """
        found = edge_gaps(block.inner if inner else block.footprints, self.parts).min(axis=0)
        gaps = dict.fromkeys(self.of, inf)
        for row, gap in zip(self.owner.tolist(), found.tolist(), strict=True):
            gaps[row] = min(gaps[row], gap)
        return gaps

    def gap(self, one: int, other: int) -> float:
        """Return the gap between two units, mm."""
        return self.gaps(self.of[one])[other]

    def overlapped(self, block: Block, ignored: Collection[int]) -> list[int]:
        """Return the units that a block overlaps; contact is not an overlap."""
        gaps = self.gaps(block, inner=True)
        return [row for row, gap in gaps.items() if gap <= 0 and row not in ignored]

    def travel(
        self,
        block: Block,
        way: Spot,
        ignored: Collection[int],
        *,
        margin: float = 0.0,
        walls: Walls = NO_WALLS,
    ) -> tuple[float, int | None]:
        """Return how far a block moves straight before it touches a unit, and the unit.

        way : the whole move, east and north, mm
        margin : of the block, mm
        walls : edges that also end the move
        """
        passed = np.flatnonzero(np.isin(self.owner, [*ignored]))
        mover = block.widened(margin)
        found = [
            free_moves(mover.take([part]), [way], self.parts, passed, walls)[0]
            for part in range(len(mover))
        ]
        free = min(found, key=lambda free: free.part)
        met = None if free.body is None else int(self.owner[free.body])
        return free.part * hypot(*way), met

    def with_block(self, unit: int, block: Block) -> Blocks:
        """Return a copy with a unit at another position."""
        return _gathered({**self.of, unit: block}, self.sides)


def _gathered(of: dict[int, Block], sides: Sequence[int]) -> Blocks:
    columns = [block.footprints.columns for block in of.values()]
    owner = np.repeat(np.array([*of], dtype=np.int64), [len(part) for part in columns])
    parts = np.concatenate(columns) if columns else np.empty((0, 7))
    return Blocks(of, sides, Footprints(parts), owner)


def block_at(state: State, unit: int) -> Block:
    """Return the block of a unit at its position, with the rectangles of its figures."""
    units = state.units
    return Block(
        x=float(units.value("x", unit)),
        y=float(units.value("y", unit)),
        facing=units.integer("facing", unit),
        count=units.integer("members", unit),
        files=units.integer("files", unit),
        width=float(units.value("width", unit)),
        depth=float(units.value("depth", unit)),
    )


def _all_blocks(moment: Moment) -> Blocks:
    present = np.flatnonzero(moment.state.units["present"] != 0).tolist()
    of = {row: block_at(moment.state, row) for row in present}
    return _gathered(of, moment.state.units.ints("side").tolist())


blocks_of = Derived(
    Columns("present", "x", "y", "facing", "members", "files", "width", "depth"),
    make=_all_blocks,
)
"""The blocks of all units in their current positions."""


def entry_of(setup: Setup, unit: int) -> Entry:
    """Return a unit's entry in its unit set."""
    entry = setup.units[unit].entry
    assert isinstance(entry, Entry)
    return entry


def ranks_now(moment: Moment, unit: int) -> Ranks:
    """Return the current ranks of a unit."""
    entry, block = entry_of(moment.setup, unit), block_at(moment.state, unit)
    return ranks_of(block.count, block.files, alone=entry.is_one or bool(entry.crew))


def dice_figures(moment: Moment, unit: int) -> int:
    """Return the number of figures in the front rank that give dice; for artillery, its crew."""
    if entry_of(moment.setup, unit).crew:
        return moment.state.units.integer("crew", unit)
    return min(
        moment.state.units.integer("members", unit), moment.state.units.integer("files", unit)
    )


def commanders_near(moment: Moment, unit: int, inches: float) -> list[int]:
    """Return the friendly units with Command within a distance of a unit, itself included."""
    blocks = blocks_of(moment)
    gaps = blocks.gaps(blocks.of[unit])
    return [
        row
        for row in (unit, *blocks.friends(unit))
        if entry_of(moment.setup, row).level("command") and is_within(gaps[row], inches)
    ]


def has_room(blocks: Blocks, unit: int, block: Block) -> bool:
    """Return whether no enemy is within 1 inch of a block, except those already there."""
    now, then = blocks.gaps(blocks.of[unit]), blocks.gaps(block)
    return all(keeps_distance(then[foe], now[foe]) for foe in blocks.enemies(unit))


def figures_by_slot(state: State, unit: int) -> list[int]:
    """Return the standing figures of a unit, front rank first, each rank from the left."""
    standing = state.roster.standing(unit)
    slots = state.figures.ints("slot")[standing]
    return [int(figure) for figure in standing[np.argsort(slots)]]


def put(unit: int, block: Block, figures: Sequence[int]) -> tuple[Change, ...]:
    """Return the changes that put a unit at a block.

    figures : by number, in the order of their slots
    """
    place = Place(
        unit=unit,
        x=block.x,
        y=block.y,
        facing=block.facing,
        formation=Formation.RANKED,
        files=block.files,
    )
    return (place, *last_rank(unit, block, figures))


def last_rank(unit: int, block: Block, figures: Sequence[int]) -> tuple[Change, ...]:
    """Return the change that moves an incomplete last rank into files, if it is between two."""
    rank, rest = divmod(block.count, block.files)
    if not rank or not rest or (block.files - rest) % 2 == 0:
        return ()
    spots = [block.place_of(rank, file) for file in files_of_last(block.count, block.files)]
    return (
        Stand(
            unit=unit,
            figures=tuple(figures[-rest:]),
            east=tuple(round(x * GRID) for x, _ in spots),
            north=tuple(round(y * GRID) for _, y in spots),
        ),
    )
