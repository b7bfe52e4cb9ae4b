"""Terrain: its kinds in the rulebook, the pieces and contours of a field, and their effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Columns, Derived, List
from emlia3d.battle.moment import Moment
from emlia3d.geometry.contours import nesting_levels, sections, shared_edges, steps
from emlia3d.geometry.free_moves import Walls, walls
from emlia3d.geometry.outline_crossings import Outlines
from emlia3d.rulekit.situation.base_shapes import edge_of
from emlia3d.rulekit.terrain_book import TerrainBook
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.elevation import height_of, level_at

BOOK = TerrainBook("runolfsson", {
    "rock": "rock", "building": "rock", "village": "rock", "keep": "rock", "tower": "rock",
    "gate": "rock",
    "tree": "tree", "large-tree": "tree", "forest": "tree", "orchard": "tree",
    "bush": "bush", "shrub": "bush", "hedge": "bush",
    "wall": "wall", "fence": "wall", "earthwork": "wall", "rampart": "wall",
    "pool": "pool", "lake": "pool", "river": "pool",
    "stream": "stream", "ford": "ford", "bridge": "ford",
    "mire": "mire", "marsh": "mire",
    "rough": "rough", "scrub": "rough", "plough": "rough", "camp": "rough",
    "hill": "hill", "cliff": "cliff",
    "road": "road", "track": "road", "field": "clear",
})  # fmt: skip
"""The kind in the rulebook of each kind of terrain."""


OWN = (
    BOOK.own("bush", 1.0, "sparse", "shrub"),
    BOOK.own("pool", -2.0, "sparse", "lake"),
    BOOK.own("mire", 0.0, "sparse", "marsh"),
    BOOK.own("rough", 0.5, "sparse", "scrub"),
    BOOK.own("cliff", 1.0, "solid", "rock"),
)
"""Kinds of the book that have other names elsewhere, and a cliff."""

MOVEMENT: Mapping[str, str] = {
    "clear": "none", "road": "none", "ford": "none", "wall": "none", "hill": "none",
    "rock": "impassable", "tree": "impassable", "pool": "impassable", "bush": "impassable",
    "smoke": "none", "rough": "double", "mire": "double", "cliff": "impassable", "stream": "die",
}  # fmt: skip
"""Effects on movement of the kinds of the book."""

SECTION = 2.0
"""Length of the section of a wall that is destroyed as one piece, inches."""

TOUGHNESS = 2
"""Hits, and saving dice, of a tree or a section of wall."""

SMOKE = 2.0
"""Radius of smoke, inches."""

_IN_THE_WAY = {"rock", "tree", "bush", "wall"}


@rule("runolfsson.terrain.movement-table")
def effect_on_movement(kind: str) -> str:
    """Return the effect of a kind on movement: "none", "double", "die" or "impassable"."""
    return MOVEMENT[kind]


@rule("runolfsson.terrain.impassable", "runolfsson.terrain.cliff")
def is_impassable(kind: str) -> bool:
    """Return whether no model moves through a kind on the ground."""
    return effect_on_movement(kind) == "impassable"


@rule("runolfsson.terrain.rough", "runolfsson.terrain.slope")
def cost_factor(kind: str) -> int:
    """Return the movement cost of an inch of this ground; slopes cost no extra."""
    return 2 if effect_on_movement(kind) == "double" else 1


@rule("runolfsson.terrain.hostile-block")
def may_pass_through(side: int, other: int) -> bool:
    """Return whether a model of a side moves through a model of a side."""
    return side == other


@rule("runolfsson.stream.table")
def stream_result(face: int) -> str:
    """Return the result of the die for a stream; 3 stands in two rows, and the first counts."""
    return "swamped" if face <= 3 else "floundering" if face <= 5 else "crosses"


@rule("runolfsson.stream.when")
def left_after_stream(face: int, left: float) -> float:
    """Return the remaining inches of a model that enters, or starts in, a stream."""
    return {"swamped": 0.0, "floundering": left / 2, "crosses": left}[stream_result(face)]


@rule("runolfsson.stream.double")
def at_a_target_in_stream(attacker: Any, target: Any) -> Any:
    """Return the multiplier of dice at a target in a stream; -1 is no stream."""
    return np.where((np.asarray(target) >= 0) & (np.asarray(attacker) < 0), 2.0, 1.0)


@rule("runolfsson.stream.half")
def out_of_a_stream(attacker: Any, target: Any) -> Any:
    """Return the multiplier of dice of an attacker that is not in the stream of its target."""
    return np.where((np.asarray(attacker) >= 0) & np.not_equal(attacker, target), 0.5, 1.0)


@rule("runolfsson.rock.block")
def rock_blocks(crossed: Any, shot_over: Any) -> Any:
    """Return whether a rock on the fire line stops it, touched or not."""
    return crossed & ~shot_over


@rule("runolfsson.bush.as-tree")
def is_tree(kind: str) -> bool:
    """Return whether the rules for trees apply to a kind of terrain; bushes count as low trees."""
    return kind in {"tree", "bush"}


@rule("runolfsson.tree.half")
def tree_halves(crossed: Any, shot_over: Any, attacker_touches: Any) -> Any:
    """Return whether a tree, a bush or smoke on the fire line halves the dice."""
    return crossed & ~shot_over & ~attacker_touches


@rule("runolfsson.wall.half", "runolfsson.wall.other-levels")
def wall_halves(crossed: Any, shot_over: Any, target_touches: Any, attacker_touches: Any) -> Any:
    """Return whether a wall on the fire line halves the dice, on any levels."""
    return crossed & ~shot_over & target_touches & ~attacker_touches


@rule("runolfsson.tree.target")
def saving_dice_of_piece(hits_left: int) -> int:
    """Return the saving dice of a tree, bush or section of wall: 2, and 1 after a hit."""
    return hits_left * TOUGHNESS // 2


@rule("runolfsson.tree.close")
def is_parted(one: tuple[float, float], other: tuple[float, float], trees: Outlines) -> bool:
    """Return whether a tree is between two models, so that they are not in contact."""
    ends = np.array([one, other])
    return bool(trees.crossed(ends[:1], ends[1:]).through.any())


@rule("runolfsson.wall.target")
def sections_of(outline: Polygon) -> list[Polygon]:
    """Return a wall in sections of 2 inches of its length, each a target of its own."""
    return sections(outline, SECTION)


@dataclass(frozen=True, slots=True)
class Piece:
    """A possible obstacle for fire.

    kind : of the book, or "smoke"
    feature, section : its row, -1 for smoke, and the number of its section
    level : of the ground under it
    """

    name: str
    kind: str
    feature: int
    section: int
    level: int
    outline: Polygon

    @property
    def top(self) -> int:
        """The level of its top."""
        return self.level + height_of(self.kind)

    @property
    def number(self) -> int:
        """The number by which an order names it."""
        return self.feature * MOST_SECTIONS + self.section

    @property
    def is_breakable(self) -> bool:
        """True if it can be attacked."""
        return self.kind == "wall" or is_tree(self.kind)


MOST_SECTIONS = 31
"""Maximum number of sections of a feature; the damage of each has two bits in a column."""


def hits_taken(damage: int, section: int) -> int:
    """Return the hits that a section has taken, from the damage of its feature."""
    return damage >> 2 * section & 3


class Terrain:
    """The current terrain of a field.

    pieces, outlines : possible obstacles for fire
    kinds, green, tops : of the pieces: their kinds, which are trees or bushes, and their tops
    contours, levels : outlines of higher ground, and the level inside each
    """

    def __init__(self, moment: Moment) -> None:
        board, state = moment.setup.field, moment.state
        self._board = board
        self._features = BOOK.features(moment)
        ground, inch = board.ground, board.scale.metres_per_gsu
        raised = steps(ground.elevation_m, inch, ground.cell, board.size[1])
        self.contours = Outlines([*self._shapes("hill"), *raised])
        self.levels = nesting_levels(self.contours.shapes)
        damage = state.features.ints("damage").tolist()
        parts = [
            ("smoke", -1, 0, "smoke", shapely.Point(x, y).buffer(SMOKE))
            for x, y in zip(*(state.lists["smoke"].floats(c).tolist() for c in "xy"), strict=True)
        ]
        for row, feature, kind in self._features:
            if kind in _IN_THE_WAY:
                shapes = sections_of(feature.outline) if kind == "wall" else [feature.outline]
                parts += [
                    (feature.name, row, section, kind, shape)
                    for section, shape in enumerate(shapes[:MOST_SECTIONS])
                    if hits_taken(damage[row], section) < TOUGHNESS
                ]
        spots = np.array([part[4].representative_point().coords[0] for part in parts])
        levels = level_at(self.contours, spots.reshape(-1, 2)).tolist()
        self.pieces = [
            Piece(name, kind, row, section, level, shape)
            for (name, row, section, kind, shape), level in zip(parts, levels, strict=True)
        ]
        self.outlines = Outlines([piece.outline for piece in self.pieces])
        self.kinds = np.array([piece.kind for piece in self.pieces], dtype="U8")
        self.green = np.array([is_tree(piece.kind) for piece in self.pieces], dtype=np.bool_)
        self.tops = np.array([piece.top for piece in self.pieces], dtype=np.int64)
        self.streams = Outlines(self._shapes("stream"))
        self._fords = Outlines(self._shapes("ford"))

    def _shapes(self, *kinds: str) -> list[BaseGeometry]:
        return [feature.outline for _, feature, kind in self._features if kind in kinds]

    @cached_property
    def trees(self) -> Outlines:
        """Trees and bushes; models on both sides of one are not in contact."""
        return Outlines([p.outline for p in self.pieces if is_tree(p.kind)])

    @cached_property
    def obstacles(self) -> list[BaseGeometry]:
        """Shapes that no base on the ground can enter."""
        standing = [p.outline for p in self.pieces if is_impassable(p.kind)]
        return [*standing, *self._shapes("pool", "cliff"), *shared_edges(self.contours.shapes)]

    @cached_property
    def no_standing(self) -> Outlines:
        """Shapes on which no move ends."""
        low = [piece.outline for piece in self.pieces if piece.kind == "wall"]
        return Outlines([*self.obstacles, *low])

    @cached_property
    def _walls(self) -> dict[tuple[bool, bool], Walls]:
        edge = [edge_of(self._board)]
        return {
            (free, leaving): walls([*([] if free else self.obstacles), *([] if leaving else edge)])
            for free in (False, True)
            for leaving in (False, True)
        }

    def outlines_for(self, free: bool, leaving: bool) -> Walls:
        """Return the edges that end a move: of terrain, unless *free*, and of the table."""
        return self._walls[free, leaving]

    @cached_property
    def slow(self) -> BaseGeometry:
        """Ground on which an inch costs double."""
        kinds = [kind for kind in MOVEMENT if cost_factor(kind) == 2]
        return shapely.union_all(self._shapes(*kinds))

    def is_water(self, spot: tuple[float, float]) -> bool:
        """Return whether a point is in a pool, or on an island in one."""
        place = shapely.Point(spot)
        return any(shape.intersects(place) for shape in self._shapes("pool"))

    @cached_property
    def waters(self) -> list[BaseGeometry]:
        """The water of each stream, without its fords."""
        fords = shapely.union_all(self._fords.shapes)
        return [shapely.difference(stream, fords) for stream in self.streams.shapes]

    def stream_at(self, spots: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return (spots,) the number of the stream that each place is in; -1 for none."""
        if not len(self.streams):
            return np.full(len(spots), -1)
        held = self.streams.holds(spots)
        if len(self._fords):
            held &= ~self._fords.holds(spots).any(axis=1, keepdims=True)
        return np.where(held.any(axis=1), held.argmax(axis=1), -1)


terrain_of = Derived(Columns("present", "damage", table="feature"), List("smoke"), make=Terrain)
