"""Emlia, chapters 15.1 to 15.3: contact, its side, and the members that fight.

Holds `emlia.engage.combat-range`, `emlia.engage.asymmetric`, `emlia.engage.vertical`,
`emlia.ranked.front-of-contact`, `emlia.ranked.engaged-members`, `emlia.ranked.rear-ranks` and
`emlia.ranked.morale`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.rules.emlia.basics.tables import Modified, single
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE, in_reach
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.rulebook import rule


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedBlock:
    """A ranked unit's rectangle.

    front : the middle of its front line, GSU
    ahead : unit vector of its facing, (east, north)
    members, files : their number, and the number in a rank
    width, depth : the cell of one member across and along, GSU
    """

    front: tuple[float, float]
    ahead: tuple[float, float]
    files: int
    members: int
    width: float
    depth: float

    @property
    def ranks(self) -> int:
        """Number of ranks; the last may be incomplete."""
        return -(-self.members // self.files)

    @property
    def frontage(self) -> float:
        """Width from flank to flank, GSU."""
        return min(self.files, self.members) * self.width

    @property
    def length(self) -> float:
        """Depth from front to rear, GSU."""
        return self.ranks * self.depth


@rule("emlia.engage.combat-range", "emlia.engage.asymmetric", "emlia.engage.vertical")
def is_engaged(distance: float, reach: float, gap: float = 0.0) -> bool:
    """Return whether a unit is engaged by an enemy of combat range *reach*, the limit included.

    Engagement can be one-sided: the unit's own range says whether it engages the enemy.

    distance : GSU between the nearest edges
    gap : height units between them, one above the other (`vertical_gap`)
    """
    return in_reach(distance, reach) and in_reach(gap, reach)


def vertical_gap(footing: float, top: float, other_footing: float, other_top: float) -> float:
    """Return the vertical gap between two bodies, height units; 0 if their heights overlap."""
    return max(other_footing - top, footing - other_top, 0.0)


@rule("emlia.ranked.front-of-contact")
def front_of_contact(block: RankedBlock, outline: BaseGeometry) -> UnitEdge:
    """Return the side of a ranked unit nearest to an enemy with this outline.

    If a corner is nearest, or two sides are equally near, return the side that costs the ranked
    unit least, in the order front, left flank, right flank, rear.
    """
    half, deep = block.frontage / 2, block.length
    enemy = _framed(block, outline)
    west, south, east, north = enemy.bounds
    if south >= 0:
        # An enemy wholly ahead is nearest to the front, corners included.
        return UnitEdge.FRONT
    far = max(abs(west), abs(south), abs(east), abs(north), half, deep) + 1
    sides = {
        UnitEdge.FRONT: ((-half, 0.0, half, far), (-half, 0.0, half, 0.0)),
        UnitEdge.LEFT: ((-far, -deep, -half, 0.0), (-half, -deep, -half, 0.0)),
        UnitEdge.RIGHT: ((half, -deep, far, 0.0), (half, -deep, half, 0.0)),
        UnitEdge.REAR: ((-half, -far, half, -deep), (-half, -deep, half, -deep)),
    }
    edges = {side: shapely.LineString([edge[:2], edge[2:]]) for side, (_, edge) in sides.items()}
    nearest = min(float(shapely.distance(edge, enemy)) for edge in edges.values())
    for side, (strip, _) in sides.items():
        before_it = shapely.intersection(enemy, shapely.box(*strip))
        if shapely.area(before_it) > 0 and _near(edges[side], before_it, nearest):
            return side
    return next(side for side in sides if _near(edges[side], enemy, nearest))


def _near(edge: BaseGeometry, body: BaseGeometry, nearest: float) -> bool:
    return float(shapely.distance(edge, body)) <= nearest + REACH_TOLERANCE


def _framed(block: RankedBlock, shape: BaseGeometry) -> BaseGeometry:
    """Return a shape in the block's frame: across to its right, along its facing."""
    framed: BaseGeometry = shapely.transform(shape, partial(_local, block))
    return framed


def _local(block: RankedBlock, spots: NDArray[np.float64]) -> NDArray[np.float64]:
    east, north = block.ahead
    away = spots - np.array(block.front)
    across = away[:, 0] * north - away[:, 1] * east
    along = away[:, 0] * east + away[:, 1] * north
    return np.column_stack([across, along])


@dataclass(frozen=True, slots=True)
class _Cells:
    """Members of a block, front rank first and each rank from left to right."""

    rank: NDArray[np.intp]
    place: NDArray[np.intp]
    in_rank: NDArray[np.intp]

    @classmethod
    def of(cls, block: RankedBlock) -> _Cells:
        slot = np.arange(block.members)
        rank = slot // block.files
        last = block.members - (block.ranks - 1) * block.files
        return cls(rank, slot % block.files, np.where(rank == block.ranks - 1, last, block.files))

    def boxes(self, block: RankedBlock) -> NDArray[np.object_]:
        """Return each member's cell in the block's frame; an incomplete last rank is centred."""
        left = (self.place - self.in_rank / 2) * block.width
        front = -self.rank * block.depth
        cells: NDArray[np.object_] = shapely.box(
            left, front - block.depth, left + block.width, front
        )
        return cells

    def foremost(self, side: UnitEdge, block: RankedBlock) -> NDArray[np.bool_]:
        """Return the members in the foremost rank towards a side."""
        stands: dict[UnitEdge, NDArray[np.bool_]] = {
            UnitEdge.FRONT: self.rank == 0,
            UnitEdge.REAR: self.rank == block.ranks - 1,
            UnitEdge.LEFT: self.place == 0,
            UnitEdge.RIGHT: self.place == self.in_rank - 1,
        }
        return stands[side]


def divided(links: Mapping[int, Sequence[int]], steps: int) -> list[tuple[int, ...]]:
    """Divide units that contact links into engagements around fighting pairs.

    The first pair is that of the lowest numbers. Its engagement takes every unit up to *steps*
    links away; the next pair is one of the units that remain. A unit that remains without an
    enemy to pair with belongs to the engagement of the lowest number that it is linked with.

    links : units that each unit is linked with; at least one each, both ways
    steps : 1 or more
    """
    fight_of: dict[int, list[int]] = {}
    fights: list[list[int]] = []
    for one in sorted(links):
        partner = min((other for other in links[one] if other not in fight_of), default=None)
        if one in fight_of or partner is None:
            continue
        fight = edge = [one, partner]
        for _ in range(steps):
            near = {other for here in edge for other in links[here]}
            edge = sorted(near.difference(fight, fight_of))
            fight = [*fight, *edge]
        fights.append(fight)
        fight_of |= dict.fromkeys(fight, fight)
    for one in sorted(links.keys() - fight_of.keys()):
        fight_of[min(links[one])].append(one)
    return [tuple(sorted(fight)) for fight in fights]


@rule("emlia.ranked.engaged-members", "emlia.ranked.rear-ranks")
def who_reaches(
    block: RankedBlock, outline: BaseGeometry, reach: float, size: float
) -> NDArray[np.bool_]:
    """Return which members of a ranked unit can strike an enemy in contact: bool, (members,).

    A member can strike if its cell lies within its combat range of the enemy's boundary, limit
    included. Behind the foremost rank on that side, the range must also exceed its size. If no
    member can, the nearest does.

    outline : the enemy's boundary, GSU
    reach : combat range, GSU
    size : current size of one member
    """
    cells = _Cells.of(block)
    gaps = shapely.distance(cells.boxes(block), _framed(block, outline))
    able: NDArray[np.bool_] = gaps <= reach + REACH_TOLERANCE
    if reach <= size:
        able &= cells.foremost(front_of_contact(block, outline), block)
    return _or_nearest(gaps, able)


def who_of_loose_reaches(
    places: NDArray[np.float64], radius: float, outline: BaseGeometry, reach: float
) -> NDArray[np.bool_]:
    """Return which members of an open or close unit can strike an enemy: bool, (members,).

    A member can strike within its combat range of the enemy's boundary, limit included. If no
    member can, the nearest does.

    places : (members, 2), GSU
    radius : of a member's footprint, GSU
    outline : the enemy's boundary, GSU
    """
    gaps = np.atleast_1d(shapely.distance(shapely.points(places), outline)) - radius
    return _or_nearest(gaps, gaps <= reach + REACH_TOLERANCE)


def _or_nearest(gaps: NDArray[np.float64], able: NDArray[np.bool_]) -> NDArray[np.bool_]:
    if not able.any():
        able[int(np.argmin(gaps))] = True
    return able


def files_of(block: RankedBlock) -> NDArray[np.intp]:
    """Return the file of each member, 0 on the left; nearest files for an incomplete rank."""
    cells = _Cells.of(block)
    return cells.place + (block.files - cells.in_rank) // 2 if block.ranks > 1 else cells.place


@rule("emlia.ranked.morale")
def ranked_morale(fought: Collection[UnitEdge], engaged: Collection[UnitEdge]) -> Modified:
    """Return the morale that fighting to its flanks and rear costs a ranked unit.

    One for each flank, two for the rear, and one more if it is engaged on several sides.

    fought : sides with Close Combat in this step, by the unit or against it
    engaged : sides on which enemies engage it
    """
    flanks = sum(side in fought for side in (UnitEdge.LEFT, UnitEdge.RIGHT))
    rear = UnitEdge.REAR in fought
    several = (flanks > 0 or rear) and len(set(engaged)) > 1
    change = -flanks - 2 * rear - several
    return single("emlia.ranked.morale", change)
