"""Lines of sight from an officer to half of the figures of a facing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.derived import Each
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import SightLine
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.footprints import Footprints, chords, edge_gaps
from emlia3d.geometry.outline_crossings import Outlines
from emlia3d.geometry.sightline import lines_of_sight
from emlia3d.rules.oathmark.activation import Activity, may_shoot
from emlia3d.rules.oathmark.blocks import Block, blocks_of, entry_of
from emlia3d.rules.oathmark.core import INCH, SLACK, BlockSide, is_within
from emlia3d.rules.oathmark.shooting import (
    Aim,
    by_priority,
    facings_to_try,
    in_range,
    is_in_front,
    maximum_range,
    sees_half,
    unit_blocks,
)
from emlia3d.rules.oathmark.terrain import AIM, EYE, Piece, is_transparent, terrain_of, wood_blocks
from emlia3d.rules.rulebook import rule

OUTSIDE = "outside its front arc"
"""Name of the area in which lines end, in words."""


@dataclass(frozen=True, slots=True)
class View:
    """A facing, as an officer sees it.

    seen : numbers of the visible figures, from the left
    of : number of figures of the facing
    lines : one for each figure
    """

    side: BlockSide
    seen: tuple[int, ...]
    of: int
    lines: tuple[SightLine, ...]

    @property
    def is_enough(self) -> bool:
        """True if there is a line of sight to the unit."""
        return sees_half(len(self.seen), self.of)


@rule("oathmark.geometry.elevation")
def line_heights(eye: float | Floats, aim: float | Floats, at: Floats) -> Floats:
    """Return the heights of lines at proportions of their lengths, mm.

    eye, aim : heights of the ground at their ends
    """
    return np.asarray(eye + EYE + (aim + AIM - eye - EYE) * at)


class Blockers:
    """Units, woods and ground that can stop lines of a shooter.

    shooter : its row; -1 for a figure without a unit
    ignored : rows of units that stop no line: the shooter and its target
    woods : woods and ruins that can stop lines
    """

    def __init__(
        self, moment: Moment, shooter: int, ignored: Collection[int], woods: Sequence[Piece]
    ) -> None:
        blocks, self.terrain = blocks_of(moment), terrain_of(moment)
        entry = entry_of(moment.setup, shooter) if shooter >= 0 else None
        indirect = entry is not None and bool(entry.level("indirect fire"))
        over = entry is not None and bool(entry.level("fire over"))
        friend = blocks.sides[shooter] if shooter >= 0 else -1
        self.woods = [wood for wood in woods if wood_blocks(wood.kind, indirect=indirect)]
        self.outlines = Outlines([wood.outline for wood in self.woods])
        self.hills = self.terrain.of("hill")
        heights = {row: entry_of(moment.setup, row).height for row in blocks.of}
        rows = [
            row
            for row in blocks.of
            if row not in ignored
            and unit_blocks(
                over=over,
                friendly=blocks.sides[row] == friend,
                height=heights[row],
                indirect=indirect,
            )
        ]
        parts = np.flatnonzero(np.isin(blocks.owner, rows))
        owners = blocks.owner[parts].tolist()
        self.bodies = blocks.parts.take(parts)
        self.tops = np.array([heights[row] * INCH for row in owners])
        self.names = [moment.setup.units[row].name for row in owners]

    def stopped(self, start: Floats, end: Floats, *, at_end: bool = False) -> NDArray[np.str_]:
        """Return (lines,) the names of obstacles that stop lines; "" for clear lines.

        at_end : whether woods around the end of a line are ignored, as for a figure in them
        """
        by = np.full(len(start), "", dtype="U80")
        ground = [self._ground(spots) for spots in (start, end)]
        self._units(start, end, ground, by)
        if not self.terrain.is_flat:
            free = lines_of_sight(
                self.terrain.surface,
                np.column_stack((start, ground[0] + EYE)),
                np.column_stack((end, ground[1] + AIM)),
            )
            by[~free] = "the ground"
            self._hills(start, end, ground, by)
        if self.woods:
            through = self.outlines.crossed(start, end).through
            if at_end:
                through &= ~self.outlines.holds(end)
            for wood, crossed in zip(self.woods, through.T, strict=True):
                lines = np.flatnonzero(crossed)
                inside = runs_inside(wood.outline, start[lines], end[lines])
                by[lines[inside]] = wood.name
        return by

    def _ground(self, spots: Floats) -> Floats:
        return np.zeros(len(spots)) if self.terrain.is_flat else self.terrain.height_at(spots)

    def _units(
        self, start: Floats, end: Floats, ground: list[Floats], by: NDArray[np.str_]
    ) -> None:
        inside = chords(self.bodies, start, end)
        for place, name in enumerate(self.names):
            lines = np.flatnonzero(~np.isnan(inside[:, place, 0]))
            for at in (0.0, 0.5, 1.0):
                part = inside[lines, place, 0] * (1 - at) + inside[lines, place, 1] * at
                spots = start[lines] + (end[lines] - start[lines]) * part[:, None]
                high = line_heights_of(ground, lines, part)
                low = high < self._ground(spots) + self.tops[place] - SLACK
                by[lines[low]] = name

    def _hills(
        self, start: Floats, end: Floats, ground: list[Floats], by: NDArray[np.str_]
    ) -> None:
        length = np.hypot(*(end - start).T)
        crossed = Outlines([hill.outline for hill in self.hills]).crossed(start, end)
        for place, hill in enumerate(self.hills):
            lines = np.flatnonzero(crossed.through[:, place])
            for edge in (crossed.near, crossed.far):
                part = edge[lines, place] / length[lines]
                spots = start[lines] + (end[lines] - start[lines]) * part[:, None]
                raster = self.terrain.field.footing(*spots.T) * self.terrain.mm
                low = line_heights_of(ground, lines, part) < raster + hill.height - SLACK
                by[lines[low]] = hill.name


def runs_inside(outline: Polygon, start: Floats, end: Floats) -> NDArray[np.bool_]:
    """Return (lines,) whether lines run inside an outline, not only along its edge."""
    lines = shapely.linestrings(np.stack((start, end), axis=1))
    return np.asarray(shapely.relate_pattern(lines, outline, "1********"))


def line_heights_of(ground: list[Floats], lines: NDArray[np.intp], part: Floats) -> Floats:
    """Return heights of some lines, each at a proportion of its length."""
    return line_heights(ground[0][lines], ground[1][lines], part)


@rule("oathmark.geometry.los-algorithm", "oathmark.geometry.los-vectors")
def view(moment: Moment, shooter: int, target: int) -> View:
    """Return what a unit's officer sees of another unit: the first facing with a line of sight.

    Without a line of sight, it is the first facing towards the officer.
    """
    known = _views(moment)
    if (shooter, target) not in known:
        blocks = blocks_of(moment)
        one, other = blocks.of[shooter], blocks.of[target]
        woods = [wood for wood in terrain_of(moment).woods if not is_transparent(wood, one, other)]
        blockers = Blockers(moment, shooter, (shooter, target), woods)
        views = (_view(one, other, side, blockers) for side in facings_to_try(one, other))
        first = next(views, View(other.arc(one.officer), (), 1, ()))
        known[shooter, target] = next(
            (found for found in chain((first,), views) if found.is_enough), first
        )
    return known[shooter, target]


_views: Each[tuple[int, int], View] = Each(blocks_of, terrain_of)


def _view(shooter: Block, target: Block, side: BlockSide, blockers: Blockers) -> View:
    figures = target.facing_figures(side)
    eyes = shooter.base_at(shooter.officer)
    aims = np.concatenate([target.base_at(figure) for figure in figures])
    front = is_in_front(shooter, aims)
    start, end = np.repeat(eyes, len(aims), axis=0), np.tile(aims, (len(eyes), 1))
    by = np.where(np.tile(front, len(eyes)), "", OUTSIDE).astype("U80")
    inside = np.flatnonzero(by == "")
    if len(inside):
        by[inside] = blockers.stopped(start[inside], end[inside])
    of_figure = np.tile(np.repeat(np.arange(len(figures)), 5), len(eyes))
    seen, lines = [], []
    for number in range(len(figures)):
        own = np.flatnonzero(of_figure == number)
        free = own[by[own] == ""]
        best = int(free[0] if len(free) else own[0])
        if len(free):
            seen.append(number)
        (a, b), (c, d) = start[best].tolist(), end[best].tolist()
        stopped_by = str(by[best]) or None
        lines.append(
            SightLine(start=(a, b), end=(c, d), clear=stopped_by is None, stopped_by=stopped_by)
        )
    return View(side, tuple(seen), len(figures), tuple(lines))


# Targets


@rule("oathmark.geometry.primitives")
def distance_to(shooter: Block, target: Block, side: BlockSide) -> float:
    """Return the distance from an officer's base to the nearest base of a facing, mm."""
    officer = _bases(shooter, [shooter.officer])
    return float(edge_gaps(officer, _bases(target, target.facing_figures(side))).min())


def _bases(block: Block, spots: list[tuple[float, float]]) -> Footprints:
    half = block.width / 2, block.depth / 2
    return Footprints(np.array([(*spot, *block.ahead, *half, 0.0) for spot in spots]))


def aims_in_sight(moment: Moment, unit: int) -> list[Aim]:
    """Return the enemies in range to which a unit has a line of sight, the nearest first."""
    entry, blocks = entry_of(moment.setup, unit), blocks_of(moment)
    if entry.weapon is None:
        return []
    own, found = blocks.of[unit], []
    gaps = blocks.gaps(own)
    for foe in blocks.enemies(unit):
        if not is_within(gaps[foe], maximum_range(entry.weapon)):
            continue
        seen = view(moment, unit, foe)
        if seen.is_enough:
            distance = distance_to(own, blocks.of[foe], seen.side)
            if in_range(distance, entry.weapon):
                found.append(Aim(foe, seen.side, distance))
    return sorted(found, key=lambda aim: (aim.distance, aim.target))


def aims_of(moment: Moment, unit: int, activity: Activity) -> list[Aim]:
    """Return the targets that a unit may shoot at now."""
    entry = entry_of(moment.setup, unit)
    if not may_shoot(activity, armed=entry.weapon is not None):
        return []
    return by_priority(aims_in_sight(moment, unit), free=bool(entry.level("aimed fire")))
