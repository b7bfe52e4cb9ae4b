"""Terrain: kinds, heights, woods, works, and the cost of the officer's path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, inf
from typing import Literal

import numpy as np
import shapely
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Columns, Derived
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.free_moves import Walls, walls
from emlia3d.geometry.ground_surface import Surface
from emlia3d.rulekit.situation.base_shapes import edge_of
from emlia3d.rulekit.situation.walks import spans
from emlia3d.rulekit.terrain_book import TerrainBook
from emlia3d.rules.oathmark.blocks import Block, Spot
from emlia3d.rules.oathmark.core import INCH, SLACK, BlockSide, majority
from emlia3d.rules.rulebook import rule

Cover = Literal["none", "light", "heavy"]

BOOK = TerrainBook("oathmark", {
    "forest": "woods", "orchard": "woods",
    "ruins": "ruins", "building": "ruins", "village": "ruins", "keep": "ruins", "tower": "ruins",
    "gate": "ruins", "camp": "ruins",
    "rough": "rough", "scrub": "rough", "plough": "rough", "marsh": "rough", "stream": "rough",
    "impassable": "impassable", "rock": "impassable", "river": "impassable", "lake": "impassable",
    "bridge": "passable", "ford": "passable",
    "bush": "bush", "shrub": "bush", "hedge": "bush", "tree": "bush", "large-tree": "bush",
    "wall": "wall", "fence": "wall",
    "fortification": "fortification", "earthwork": "fortification", "rampart": "fortification",
    "hill": "hill", "road": "clear", "track": "clear", "field": "clear",
})  # fmt: skip
"""The kind in the rulebook of each kind of terrain."""


OWN = (
    BOOK.own("ruins", 2.0, "solid", "building"),
    BOOK.own("rough", 0.5, "sparse", "scrub"),
    BOOK.own("impassable", 2.0, "solid", "rock"),
    BOOK.own("bush", 1.0, "sparse", "shrub"),
    BOOK.own("fortification", 0.75, "solid", "earthwork"),
)
"""Kinds of the rulebook that have other names elsewhere."""

EYE, AIM = INCH, INCH / 2
"""Heights above the ground from which, and to which, lines of sight lead, mm."""


@rule("oathmark.terrain.ruins", "oathmark.terrain.woods-rough")
def is_rough(kind: str) -> bool:
    """Return whether a kind of ground is rough: woods, and ruins by their rules."""
    return kind in {"rough", "woods", "ruins"}


@rule("oathmark.terrain.rough")
def ground_factor(*, rough: bool) -> int:
    """Return the movement cost of an inch."""
    return 2 if rough else 1


@rule("oathmark.terrain.climb")
def climbing_cost(rise: float, fall: float) -> float:
    """Return the extra cost of a climb."""
    return 2 * (rise + fall)


@rule("oathmark.terrain.hill")
def slope_cost(rise: float) -> float:
    """Return the extra cost of a slope: 0."""
    del rise
    return 0.0


@rule("oathmark.terrain.woods-cover")
def cover_in_woods(*, shooting: bool) -> Cover:
    """Return the cover of a unit in woods: light against shooting, none in combat."""
    return "light" if shooting else "none"


def cover_of(kind: str) -> Cover:
    """Return the cover that a feature gives to figures behind it."""
    return "heavy" if kind == "fortification" else "light" if kind in {"bush", "wall"} else "none"


@rule("oathmark.terrain.woods-los", "oathmark.terrain.ruins-indirect")
def wood_blocks(kind: str, *, indirect: bool) -> bool:
    """Return whether woods or ruins of any height stop a line; Indirect Fire passes over ruins."""
    return not (kind == "ruins" and indirect)


@rule("oathmark.terrain.woods-inside")
def is_transparent(wood: Piece, shooter: Block, target: Block) -> bool:
    """Return whether a wood is transparent because one of the two units is in it."""
    return is_in(shooter, wood.outline) or is_in(target, wood.outline)


@rule("oathmark.terrain.woods-morale")
def must_test_in_woods(enters: float | None, distance: float, *, shy: bool, tested: bool) -> bool:
    """Return whether a unit tests its morale on a move: once, at the edge of woods.

    enters : distance at which the officer's path enters woods or ruins, mm; None if it does not
    shy : whether it is artillery or cavalry
    """
    return shy and not tested and enters is not None and enters < distance


@rule("oathmark.terrain.impassable-crossing")
def reaches_far_side(needed: float, left: float) -> bool:
    """Return whether the remaining movement takes the rear of a unit off an obstacle."""
    return needed <= left + SLACK


@rule("oathmark.terrain.flow-around", "oathmark.terrain.climb-flow")
def officer_limit(track: Track, budget: float) -> float:
    """Return how far a unit can move around obstacles: as far as its officer's path is open."""
    return track.reach(budget)


@dataclass(frozen=True, slots=True)
class Piece:
    """A terrain feature.

    height : above the ground, mm
    """

    name: str
    kind: str
    outline: Polygon
    height: float


class Terrain:
    """The current terrain of a field; lengths and heights in mm.

    pieces : features with their kinds of the rulebook
    """

    def __init__(self, moment: Moment) -> None:
        field = moment.setup.field
        self.field = field
        self.mm = field.scale.metres_per_height / field.scale.metres_per_gsu
        self.pieces = [
            Piece(feature.name, kind, feature.outline, feature.height * self.mm)
            for _, feature, kind in BOOK.features(moment)
        ]
        self.is_flat = not np.ptp(field.ground.elevation_m) and not self.of("hill")

    def of(self, *kinds: str) -> list[Piece]:
        """Return the pieces of some kinds."""
        return [piece for piece in self.pieces if piece.kind in kinds]

    @cached_property
    def surface(self) -> Surface:
        """The raster, heights in mm."""
        raster = self.field.surface()
        heights = raster.heights * self.mm
        return Surface(heights=heights, cell=raster.cell, west=raster.west, north=raster.north)

    def height_at(self, spots: Floats) -> Floats:
        """Return (spots,) heights of the ground with hills, mm."""
        found = np.asarray(self.field.footing(spots[:, 0], spots[:, 1]) * self.mm)
        for hill in self.of("hill"):
            found = found + hill.height * shapely.contains_xy(hill.outline, spots)
        return found

    def mean_height(self, spots: Sequence[Spot]) -> float:
        """Return the mean height of the ground at points, mm."""
        return float(self.height_at(np.array(spots)).mean())

    @cached_property
    def woods(self) -> list[Piece]:
        """Woods and ruins."""
        return self.of("woods", "ruins")

    @cached_property
    def closed(self) -> list[BaseGeometry]:
        """Impassable ground, without its passable areas."""
        open_ground = shapely.union_all([piece.outline for piece in self.of("passable")])
        closed = [piece.outline.difference(open_ground) for piece in self.of("impassable")]
        return [shape for shape in closed if not shape.is_empty]

    @cached_property
    def obstacles(self) -> list[BaseGeometry]:
        """Impassable obstacles, on which no figure can end an activation."""
        return [piece.outline for piece in self.of("impassable")]

    @cached_property
    def _rough(self) -> BaseGeometry:
        rough = [piece.outline for piece in self.pieces if is_rough(piece.kind)]
        return shapely.union_all(rough)

    @cached_property
    def edge(self) -> Walls:
        """The edge of the table, which ends moves."""
        return walls([edge_of(self.field)])

    @cached_property
    def beyond(self) -> BaseGeometry:
        """The area beyond the edges of the table, as far as moves can reach."""
        east, north = self.field.size
        return box(-east, -north, 2 * east, 2 * north).difference(box(0.0, 0.0, east, north))

    @cached_property
    def stops(self) -> Walls:
        """Edges that end a pushback: of obstacles, of works and of the table."""
        works = [piece.outline for piece in self.of("wall", "fortification")]
        return walls([*self.obstacles, *works, edge_of(self.field)])

    def is_on_table(self, block: Block) -> bool:
        """Return whether a block is within the edges of the table."""
        east, north = self.field.size
        corners = block.footprints.corners().reshape(-1, 2)
        low, high = corners.min(), corners - (east, north)
        return bool(low >= -SLACK and high.max() <= SLACK)

    def is_clear(self, block: Block) -> bool:
        """Return whether no base of a block overlaps an impassable obstacle."""
        if not self.obstacles:
            return True
        bases = [Polygon(corners) for corners in block.inner.corners()]
        return not any(base.intersects(shape) for base in bases for shape in self.obstacles)

    @rule("oathmark.terrain.track")
    def track(self, start: Spot, end: Spot) -> Track:
        """Return the cost of an officer's straight path, and where it is closed."""
        way, length = LineString([start, end]), hypot(end[0] - start[0], end[1] - start[1])
        rough = spans(way, self._rough, SLACK)
        climbs = [
            (at, piece.height)
            for piece in self.of("wall", "fortification")
            for span in spans(way, piece.outline, SLACK)
            for at in span
        ]
        closed = [spans(way, shape, SLACK) for shape in self.closed]
        stop = min((enters for found in closed for enters, _ in found), default=inf)
        woods = [
            enters
            for piece in self.woods
            for enters, _ in spans(way, piece.outline, SLACK)
            if not piece.outline.contains(Point(start))
        ]
        return Track(length, rough, sorted(climbs), stop, min(woods, default=None))


@dataclass(frozen=True, slots=True)
class Track:
    """The officer's path, by distances from its start, mm.

    rough : segments on rough ground
    climbs : positions and heights of climbs
    stop : start of closed ground; inf if there is none
    woods : position at which it enters woods or ruins; None if it does not
    """

    length: float
    rough: Sequence[tuple[float, float]]
    climbs: Sequence[tuple[float, float]]
    stop: float
    woods: float | None

    def cost(self, distance: float) -> float:
        """Return the cost of the path up to a distance, mm."""
        slow = sum(max(min(distance, end) - start, 0.0) for start, end in self.rough)
        climbed = sum(climbing_cost(height, 0.0) for at, height in self.climbs if at < distance)
        return distance + (ground_factor(rough=True) - 1) * slow + climbed + slope_cost(0.0)

    def reach(self, budget: float) -> float:
        """Return the distance that a budget of cost allows, up to the end or closed ground."""
        most, at = min(self.length, self.stop), 0.0
        marks = sorted({mark for mark, _ in self.climbs} | {m for part in self.rough for m in part})
        for mark in [*(mark for mark in marks if mark < most), most]:
            excess = self.cost(mark) - budget
            if excess > 0:
                # It stops at a climb that costs more than is left.
                rough = any(start <= at < end for start, end in self.rough)
                return max(at, mark - excess / ground_factor(rough=rough))
            at = mark
        return at


terrain_of = Derived(Columns("present", table="feature"), make=Terrain)


# Units in woods and behind works


@rule("oathmark.terrain.in-woods")
def is_in(block: Block, outline: Polygon) -> bool:
    """Return whether at least half of the figures of a block, rounded up, are in an outline."""
    spots = np.array([block.place_of(*place) for place in block.places])
    return majority(int(shapely.contains_xy(outline, spots).sum()), block.count)


def is_sheltered(block: Block, spot: Spot, piece: Piece, enemy: Spot) -> bool:
    """Return whether a figure is within 1 inch of a piece that is between it and an enemy."""
    base = Polygon(block.base_at(spot)[1:])
    near = base.distance(piece.outline) <= INCH + SLACK
    return near and LineString([spot, enemy]).intersects(piece.outline)


@rule("oathmark.terrain.works")
def is_behind_works(terrain: Terrain, block: Block, side: BlockSide, enemy: Spot) -> bool:
    """Return whether more than half of the figures of a facing are behind one defensive work.

    enemy : the attacker's officer
    """
    spots = block.facing_figures(side)
    return any(
        2 * sum(is_sheltered(block, spot, piece, enemy) for spot in spots) > len(spots)
        for piece in terrain.of("wall", "fortification")
    )


def cover_from(terrain: Terrain, block: Block, side: BlockSide, enemy: Spot) -> Cover:
    """Return the cover of a facing: of at least half of its figures; the heavier counts.

    enemy : the shooter's officer
    """
    spots, in_woods = block.facing_figures(side), cover_in_woods(shooting=True)
    found = [
        {
            *(in_woods for piece in terrain.woods if shapely.contains_xy(piece.outline, *spot)),
            *(
                cover_of(piece.kind)
                for piece in terrain.of("bush", "wall", "fortification")
                if is_sheltered(block, spot, piece, enemy)
            ),
        }
        for spot in spots
    ]
    if majority(sum("heavy" in covers for covers in found), len(spots)):
        return "heavy"
    return "light" if majority(sum(map(bool, found)), len(spots)) else "none"
