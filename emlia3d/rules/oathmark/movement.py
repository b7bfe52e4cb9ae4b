"""Straight moves and manoeuvres: their lengths and legal ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Refusal
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, Blocks, blocks_of, entry_of, has_room
from emlia3d.rules.oathmark.core import (
    INCH,
    SLACK,
    BlockSide,
    files_of_last,
    keeps_distance,
    mm,
    officer_file,
)
from emlia3d.rules.oathmark.terrain import Track, officer_limit, reaches_far_side, terrain_of
from emlia3d.rules.rulebook import rule

WAYS = {
    BlockSide.FRONT: "forward",
    BlockSide.LEFT: "left",
    BlockSide.RIGHT: "right",
    BlockSide.REAR: "back",
}
"""The four directions of straight moves."""


@rule("oathmark.move.forward")
def forward(move: float) -> float:
    """Return how far a unit moves straight ahead, mm."""
    return mm(move)


@rule("oathmark.move.half")
def allowance(move: float, way: BlockSide) -> float:
    """Return how far a unit can move in a direction, mm: half as far back and to the side."""
    return forward(move) if way is BlockSide.FRONT else forward(move) / 2


@rule("oathmark.move.second-half")
def limited(allowed: float, moves: int) -> float:
    """Return the limit of a move after other moves of the activation: the second is halved."""
    return allowed / 2 if moves else allowed


def stretches_on(
    block: Block, facing: int, shapes: Sequence[BaseGeometry]
) -> list[tuple[float, float]]:
    """Return the ranges of a straight move in which a base of the block is on a shape.

    facing : of one of the facings of the block
    """
    if not shapes:
        return []
    frame = np.column_stack((unit_vector(facing), unit_vector(facing + FULL_CIRCLE // 4)))

    def local(spots: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(spots @ frame)

    found = []
    for corners in block.footprints.corners():
        (rear, left), (front, side) = local(corners).min(axis=0), local(corners).max(axis=0)
        for shape in shapes:
            strip = shapely.clip_by_rect(
                shapely.transform(shape, local), -1e6, left + SLACK, 1e6, side - SLACK
            )
            for part in shapely.get_parts(strip):
                near, _, far, _ = shapely.bounds(part).tolist()
                found.append((near - front, far - rear))
    return sorted(found)


class StraightMove:
    """A straight move of a unit in one direction.

    start : its block now
    budget : cost that the move may have, mm
    """

    def __init__(
        self,
        moment: Moment,
        unit: int,
        way: BlockSide,
        activity: Activity,
        blocks: Blocks | None = None,
    ) -> None:
        self.moment, self.unit, self.way, self.activity = moment, unit, way, activity
        self.blocks = blocks_of(moment) if blocks is None else blocks
        self.start = self.blocks.of[unit]
        self.terrain = terrain_of(moment)
        move = entry_of(moment.setup, unit).move
        self.budget = limited(allowance(move, way), activity.moves)
        self.ahead = unit_vector(self.start.facing_of(way))

    def at(self, distance: float) -> Block:
        """Return the block after a part of the move."""
        east, north = self.ahead
        return self.start.shifted(east * distance, north * distance)

    @cached_property
    def track(self) -> Track:
        """The officer's path."""
        (x, y), (east, north) = self.start.officer, self.ahead
        return self.terrain.track((x, y), (x + east * self.budget, y + north * self.budget))

    @cached_property
    def reach(self) -> float:
        """The distance that terrain, friends and the edge of the table allow, mm."""
        far = officer_limit(self.track, self.budget)
        ignored = (self.unit, *self.blocks.enemies(self.unit))
        way = self.ahead[0] * far, self.ahead[1] * far
        free, _ = self.blocks.travel(self.start, way, ignored, walls=self.terrain.edge)
        return free

    @cached_property
    def contacts(self) -> list[tuple[float, int]]:
        """Enemies in the way, each with the distance at which bases touch, the nearest first."""
        way = self.ahead[0] * self.reach, self.ahead[1] * self.reach
        ignored, found = (self.unit, *self.blocks.friends(self.unit)), []
        # Most moves meet no enemy, so one query is enough.
        if self.blocks.travel(self.start, way, ignored)[1] is None:
            return []
        for foe in self.blocks.enemies(self.unit):
            others = [row for row in self.blocks.of if row != foe]
            at, met = self.blocks.travel(self.start, way, others)
            if met is not None:
                found.append((at, foe))
        return sorted(found)

    @cached_property
    def _closed(self) -> list[tuple[float, float]]:
        """The ranges in which a base is on an obstacle."""
        return stretches_on(self.start, self.start.facing_of(self.way), self.terrain.obstacles)

    def _is_blocked(self, distance: float) -> float | None:
        """Return the start of a range in which no move can end; None if a distance is in none."""
        for begins, ends in self._closed:
            if begins + SLACK < distance < ends - SLACK:
                return begins
        return None

    def _crosses(self, distance: float) -> bool:
        """Return whether a second move takes the unit across its obstacle."""
        if self.activity.left < 2:
            return False
        end = self.at(distance)
        after = StraightMove(
            self.moment, self.unit, self.way, self.activity.after_move(),
            self.blocks.with_block(self.unit, end),
        )  # fmt: skip
        needed = max(ends for begins, ends in after._closed if begins < 0 < ends)
        return reaches_far_side(needed, after.end(after.reach))

    def end(self, wish: float) -> float:
        """Return the longest move without contact, up to a limit, mm.

        It ends 1 inch from enemies, and not on an obstacle unless a second move can cross it.
        """
        gaps = self.blocks.gaps(self.start)
        distance = min(wish, self.reach, *(at for at, _ in self.contacts))
        while distance > SLACK:
            begins = self._is_blocked(distance)
            if begins is not None and not self._crosses(distance):
                distance = max(begins, 0.0)
                continue
            then = self.blocks.gaps(self.at(distance))
            near = [
                foe
                for foe in self.blocks.enemies(self.unit)
                if not keeps_distance(then[foe], gaps[foe])
            ]
            if not near:
                return distance
            others = [row for row in self.blocks.of if row != near[0]]
            way = self.ahead[0] * distance, self.ahead[1] * distance
            margin = min(INCH, gaps[near[0]])
            limit, _ = self.blocks.travel(self.start, way, others, margin=margin)
            distance = min(limit, distance - SLACK)
        return 0.0

    def refusal(self, distance: float) -> Refusal | None:
        """Return why a move cannot end at a distance; None if it can."""
        if distance > self.reach + 2 * SLACK:
            return Refusal("oathmark.move.forward", f"its speed is {self.reach / INCH:.1f} inches")
        if abs(self.end(distance) - distance) > 3 * SLACK:
            return Refusal("oathmark.core.separation", "the position is not free")
        return None


# Manoeuvres


@rule("oathmark.manoeuvre.not-a-move")
def after_manoeuvre(activity: Activity) -> Activity:
    """Return the activity after a manoeuvre, which is an action but not a move."""
    return replace(activity, actions=activity.actions + 1)


@rule("oathmark.manoeuvre.pivot")
def pivot(block: Block, facing: int) -> Block:
    """Return a block turned around its officer."""
    return block.turned_about(0, officer_file(block.count, block.files), facing)


def corners(block: Block) -> tuple[tuple[int, int], ...]:
    """Return the ranks and files of the end figures: front left and right, rear left and right."""
    last = files_of_last(block.count, block.files)
    rear = -(-block.count // block.files) - 1
    front = min(block.count, block.files) - 1
    return ((0, 0), (0, front), (rear, last[0]), (rear, last[-1]))


@rule("oathmark.manoeuvre.wheel")
def wheel(block: Block, corner: int, facing: int) -> Block:
    """Return a block turned around an end figure of its front or last rank."""
    return block.turned_about(*corners(block)[corner], facing)


@rule("oathmark.manoeuvre.about-face")
def about_face(block: Block) -> Block:
    """Return a block that faces the other way, on the same ground."""
    x, y = block.at(0, -block.length)
    turned = replace(block, facing=(block.facing + FULL_CIRCLE // 2) % FULL_CIRCLE)
    return replace(turned, x=x, y=y).shifted(0, 0)


@rule("oathmark.manoeuvre.no-contact")
def manoeuvre_refusal(moment: Moment, unit: int, block: Block) -> Refusal | None:
    """Return why a manoeuvre cannot end at a block; None if it can."""
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    slug = "oathmark.manoeuvre.no-contact"
    if not has_room(blocks, unit, block):
        return Refusal(slug, "it would end within 1 inch of an enemy")
    if blocks.overlapped(block, (unit,)):
        return Refusal(slug, "another unit is in the way")
    if not (terrain.is_on_table(block) and terrain.is_clear(block)):
        return Refusal(slug, "it would end on impassable terrain or off the table")
    return None


def turns(block: Block, towards: list[int]) -> Iterator[tuple[str, int | None, Block]]:
    """Yield manoeuvres: verb, corner and block; towards some facings, and by 45 and 90 degrees."""
    yield "about face", None, about_face(block)
    eighth = FULL_CIRCLE // 8
    facings = [(block.facing + step * eighth) % FULL_CIRCLE for step in (-2, -1, 1, 2)]
    for facing in dict.fromkeys([*towards, *facings]):
        if facing != block.facing:
            yield "pivot", None, pivot(block, facing)
    for corner in range(4 if block.count > block.files else 2):
        for facing in (facings[1], facings[2]):
            yield "wheel", corner, wheel(block, corner, facing)
