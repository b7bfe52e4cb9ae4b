"""Moves of formations, unit by unit: reach, zones of control, cohesion, dangerous terrain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order, Procedure, Refusal
from emlia3d.battle.derived import Columns, Each
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.field.hexes import SIDE_DEGREES, SIDES, HexBoard, TileReach, Tiles, walk_reach
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.damage import cross_danger
from emlia3d.rules.epic.events import Moved
from emlia3d.rules.epic.formations import (
    LONGEST_LINK,
    cell,
    enemies_of,
    is_broken,
    kind_of,
    nearest_to_cohesion,
    put,
    rows_by_distance,
    units_of,
)
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.transport.carrying import ride
from emlia3d.rules.epic.unit_set import formation_of, game_of, options_of
from emlia3d.rules.rulebook import rule

CHARGE_REACH = 4
"""Maximum distance from the target at the end of a charge and for fighting, tiles."""

MOST_OPTIONS = 6
"""Maximum number of listed ends of a move; others are also legal."""

FACINGS = tuple(degrees * 64 for degrees in SIDE_DEGREES)
"""The facings towards the six neighbouring tiles, 64ths of a degree."""

_DANGER = 1 / 1024
"""Extra cost of dangerous ground for paths, tiles; too small to reduce the speed."""


@rule("epic.move.zoc")
def zone_of_control(moment: Moment, side: int) -> NDArray[np.bool_]:
    """Return (tiles,) whether tiles are next to unbroken enemies of a side."""
    units = units_of(moment)
    zone = np.zeros(len(units.board), dtype=np.bool_)
    if options_of(moment.setup).zoc:
        for row in enemies_of(moment, side):
            if not is_broken(moment, formation_of(moment.setup, row)):
                near = units.board.neighbours[units.number[row]]
                zone[near[near >= 0]] = True
    return zone


@rule("epic.move.speed")
def allowance(speed: int, moves: int = 1) -> int:
    """Return the tiles of moves; each tile costs 1 on any terrain."""
    return speed * moves


@rule("epic.move.passing")
def enterable(moment: Moment, unit: int) -> NDArray[np.bool_]:
    """Return (tiles,) whether a unit can pass tiles: neither impassable nor with enemies."""
    terrain, units = terrain_of(moment), units_of(moment)
    free = ~terrain.is_passed(kind_of(moment, unit).unit_type, "impassable")
    free[units.number[enemies_of(moment, int(units.side[unit]))]] = False
    return free


def reach_of_unit(moment: Moment, unit: int, tiles: int, *, zone: bool) -> TileReach:
    """Return the reach of a unit with a number of tiles.

    zone : whether the zones of control of its enemies stop it
    """
    find = partial(_find_reach, moment, unit, tiles, zone=zone)
    return _REACHES.entry(moment, (unit, tiles, zone), find)


_REACHES: Each[tuple[int, int, bool], TileReach] = Each(units_of, Columns("morale"))
"""The reach of units, by unit, tiles, and whether zones of control stop it."""


def _find_reach(moment: Moment, unit: int, tiles: int, *, zone: bool) -> TileReach:
    terrain, units = terrain_of(moment), units_of(moment)
    entry = kind_of(moment, unit)
    free = enterable(moment, unit)
    if zone:
        free &= ~zone_of_control(moment, int(units.side[unit]))
    dangerous = terrain.is_passed(entry.unit_type, "dangerous")
    cost = np.where(free, np.where(dangerous, 1 + _DANGER, 1.0), np.inf)
    limit = tiles + 0.5 if tiles else 0.0
    return walk_reach(terrain.board, units.tile[unit], cost, limit=limit, barred=terrain.cliffs)


def facing_of(order: Order) -> int | None:
    """Return the facing at the end of a move in an order; None if it has none."""
    return order.legs[-1].facing if order.legs else None


@dataclass(frozen=True, eq=False)
class MoveEnds:
    """The tiles on which a unit can end a move, or be placed.

    unit : the unit
    here : number of its tile; -1 for a unit that is placed
    allowed : numbers of tiles, ascending
    front : number of the allowed tile nearest to the enemy
    rest : the units of the formation that move after it, and can follow
    follows : whether another unit of the formation has moved, so that it can do the same
    together : numbers of tiles in reach of it or of *rest*, for pictures
    verb : of its orders
    slug : of the rule that allows these tiles
    goals : tiles; the nearest to each are listed
    """

    board: HexBoard
    unit: int
    here: int
    allowed: NDArray[np.int64]
    front: int = -1
    rest: tuple[int, ...] = ()
    follows: bool = False
    together: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    verb: str = "move"
    slug: str = "epic.move.speed"
    goals: tuple[tuple[int, int], ...] = ()

    @property
    def all_verb(self) -> str:
        """The verb of orders of all units that have yet to move."""
        return f"{self.verb} all"

    def tile_of(self, order: Order) -> int:
        """Return the number of the tile to which an order leads; -1 for none."""
        if order.point is None:
            return self.here
        return int(self.board.numbers(self.board.grid.tiles_at(order.point)))

    def nearest(self, point: tuple[float, float]) -> int:
        """Return the allowed tile nearest to a point."""
        tile = self.board.grid.tiles_at(point)
        gaps = tiles_apart(self.board.tiles[self.allowed], tile)
        centres = self.board.grid.centres(self.board.tiles[self.allowed])
        off = ((centres - np.asarray(point)) ** 2).sum(axis=1)
        return int(self.allowed[np.lexsort((self.allowed, off, gaps))[0]])

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is refused; None if it is allowed."""
        together = (
            order.verb == self.all_verb and bool(self.rest) and order.units in {(), self.rest}
        )
        if order.unit != self.unit or (order.verb != self.verb and not together):
            return Refusal(self.slug, "this unit has no such order")
        if order.point is None or order.target is not None or (together and order.legs):
            return Refusal(self.slug, "the order needs exactly one tile")
        if together:
            return None
        number, facing = self.tile_of(order), facing_of(order)
        if number not in self.allowed:
            return Refusal(self.slug, "the unit cannot end on that tile")
        turned = self.to(number, facing=facing).legs == order.legs and number != self.here
        if facing is not None and not (turned and facing in FACINGS):
            return Refusal("epic.move.facing", "it must end a move facing a neighbouring tile")
        return None

    def for_moment(self, battle: Battle) -> MoveEnds:
        """Return the same object, because nothing is hidden."""
        return self

    def to(self, number: int, verb: str = "", facing: int | None = None) -> Order:
        """Return the order to a tile, with an optional facing at the end.

        verb : "" for the verb of one unit
        """
        x, y = self.board.grid.centres(self.board.tiles[number]).tolist()
        legs = () if facing is None else (Leg(step="march", x=x, y=y, facing=facing),)
        return Order(verb=verb or self.verb, unit=self.unit, point=(x, y), legs=legs)

    def listed(self) -> list[int]:
        """Return the tiles nearest to each goal, and the foremost."""
        centres = self.board.grid.centres(self.board.tiles[self.allowed])[:, None, :]
        goals = self.board.grid.centres(np.array(self.goals, dtype=np.int64).reshape(-1, 2))
        near = self.allowed[((centres - goals) ** 2).sum(axis=2).argmin(axis=0)]
        return [*dict.fromkeys((*near.tolist(), self.front))]

    def options(self) -> tuple[Order, ...]:
        """Return a shortlist of orders: to stay if legal, for all units, and to tiles around."""
        others = self.allowed[self.allowed != self.here]
        step = max(1, len(others) // MOST_OPTIONS)
        stays = self.here in self.allowed
        may = {"stay": stays, "all stay": stays and self.rest, "as the others": self.follows}
        found = [
            Order(verb=verb, unit=self.unit, units=() if verb == "stay" else self.rest)
            for verb in filter(may.get, may)
        ]
        if self.rest:
            found += [replace(self.to(n, self.all_verb), units=self.rest) for n in self.listed()]
        return (*found, *(self.to(int(number)) for number in others[::step]))


class FormationMove:
    """A move of a formation in progress: the units that have moved, and options of the others.

    target : the enemy formation of a charge; without one, zones of control stop units
    most : maximum number of tiles for each unit; None for its speed
    order : the units, the nearest to the enemy first
    done : units that have moved
    """

    def __init__(
        self, moment: Moment, leader: int, *, target: int | None = None, most: int | None = None
    ) -> None:
        """Begin a move."""
        units = units_of(moment)
        self.target, self.most = target, most
        rows = units.of_formation(leader)
        self.order = rows_by_distance(moment, rows, self._foes(moment, leader))
        self.done: list[int] = []
        self.alone = {row: self._ends_alone(moment, row) for row in rows}
        # Large gaps are slow to compute, so only if the formation cannot end in cohesion.
        self._near_gaps = self._gaps_after(units.board, LONGEST_LINK)

    def _gaps_after(self, board: HexBoard, limit: float) -> dict[int, NDArray[np.float64]]:
        """Return the distance of each tile from the ends of each unit; infinite beyond a limit."""
        return {
            row: walk_reach(board, board.tiles[ends], limit=limit).costs
            for row, ends in self.alone.items()
        }

    def _ends_alone(self, moment: Moment, unit: int) -> NDArray[np.int64]:
        """Return the tiles on which a unit can end, by terrain, zones and units."""
        units = units_of(moment)
        speed = allowance(kind_of(moment, unit).speed)
        speed = speed if self.most is None else min(speed, self.most)
        reach = reach_of_unit(moment, unit, speed, zone=self.target is None)
        ends = reach.is_reached.copy()
        here = int(units.number[unit])
        ends[units.number[units.there]] = False
        ends[here] = True
        if self.target is None:
            leave = ends & ~zone_of_control(moment, int(units.side[unit]))
            ends = leave if leave.any() else ends
        else:
            gaps = units.tile_gaps(np.arange(len(units.board)), units.of_formation(self.target))
            ends &= gaps <= gaps[here]
        return np.flatnonzero(ends)

    def ends(self, moment: Moment, unit: int) -> MoveEnds:
        """Return the ends that a unit can choose, so that the formation can end in cohesion."""
        units = units_of(moment)
        alone = self._ends_alone(moment, unit)
        done = [row for row in self.done if units.there[row]]

        def lacks_by(gaps: Mapping[int, NDArray[np.float64]]) -> NDArray[np.float64]:
            lacks = np.zeros(len(alone))
            if done:
                lacks = lacks + np.maximum(units.tile_gaps(alone, done) - LONGEST_LINK, 0)
            for row in self.order:
                if row != unit and row not in self.done:
                    gap = gaps[row][alone]
                    if done:
                        gap = np.minimum(gap, gaps[row][units.number[done]].min())
                    lacks = lacks + np.maximum(gap - LONGEST_LINK, 0)
            return lacks

        lacks = lacks_by(self._near_gaps)
        if lacks.min() > 0:
            lacks = lacks_by(self._gaps_after(units.board, np.inf))
        allowed = alone[nearest_to_cohesion(lacks)]
        if self.target is not None and not self._has_closed(moment):
            close = allowed[self.gap_to_target(moment, allowed) <= CHARGE_REACH]
            allowed = close if len(close) else allowed
        here = int(units.number[unit])
        rest = tuple(r for r in self.order if r not in (unit, *self.done) and units.there[r])
        foes = self._foes(moment, unit)
        front = int(allowed[units.tile_gaps(allowed, foes).argmin()]) if foes else here
        together = np.unique(np.concatenate([allowed, *(self.alone[row] for row in rest)]))
        goals = game_of(moment.setup).objectives if self.target is None else ()
        found = MoveEnds(units.board, unit, here, allowed, front, rest, bool(self.done), together)
        return replace(found, goals=goals)

    def _foes(self, moment: Moment, unit: int) -> list[int]:
        """Return the relevant enemies: the target of a charge, otherwise all."""
        units = units_of(moment)
        if self.target is None:
            return enemies_of(moment, int(units.side[unit]))
        return units.of_formation(self.target)

    def gap_to_target(self, moment: Moment, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the distances of tiles from the target of a charge."""
        assert self.target is not None
        units = units_of(moment)
        return units.tile_gaps(numbers, units.of_formation(self.target))

    def _has_closed(self, moment: Moment) -> bool:
        units = units_of(moment)
        numbers = units.number[[row for row in self.done if units.there[row]]]
        return bool(len(numbers)) and bool(
            (self.gap_to_target(moment, numbers) <= CHARGE_REACH).any()
        )


def move_formation(
    battle: Battle,
    leader: int,
    *,
    target: int | None = None,
    how: str = "moves",
    most: int | None = None,
) -> Procedure[None]:
    """Move a formation, a question for each unit; see `FormationMove`."""
    move = FormationMove(battle, leader, target=target, most=most)
    asks = "epic.move.speed" if target is None else "epic.assault.charge"
    start = units_of(battle).tile.copy()
    # The unit that the others follow, and its goal.
    led: tuple[int, NDArray[np.float64]] | None = None
    before = -1, -1
    for unit in list(move.order):
        if not units_of(battle).there[unit]:
            continue
        ends = move.ends(battle, unit)
        board = units_of(battle).board
        facing = None
        if led is None:
            order = yield Decision(
                side=int(units_of(battle).side[unit]), asks=asks, unit=unit,
                options=ends.options(), validator=ends,
            )  # fmt: skip
            end, facing = ends.tile_of(order), facing_of(order)
            if order.verb == "move all":
                led = unit, np.asarray(order.point)
            elif order.verb in {"all stay", "as the others"}:
                first, tile = (unit, end) if order.verb == "all stay" else before
                led = first, board.grid.centres(board.tiles[tile])
        if led is not None:
            first, to = led
            shift = board.grid.centres(start[unit]) - board.grid.centres(start[first])
            x, y = (to + shift).tolist()
            end = ends.nearest((x, y))
        before = unit, end
        move.done.append(unit)
        yield from walk(battle, unit, (end, facing), how=how, zone=target is None)


def walk(
    battle: Battle, unit: int, to: tuple[int, int | None], *, how: str, zone: bool, moves: int = 1
) -> Procedure[None]:
    """Move a unit to a tile by the shortest path, and test for dangerous terrain.

    to : the tile, and the facing there; None for that of the last step
    """
    end, facing = to
    units = units_of(battle)
    if end == units.number[unit]:
        return
    board = units.board
    reach = reach_of_unit(battle, unit, allowance(kind_of(battle, unit).speed, moves), zone=zone)
    path = reach.path(board.tiles[end])
    faced = facing_after(path, facing)
    charged = (cell(unit, "charged", 1),) if how in {"charges", "countercharges"} else ()
    yield Event(
        facts=Moved(how=how, tiles=len(path) - 1, to=tuple(path[-1].tolist())),
        unit=unit,
        gesture="march",
        because=("epic.move.speed",),
        changes=(
            put(battle, unit, path[-1].tolist(), faced),
            *ride(battle, unit, path[-1].tolist(), faced),
            *charged,
        ),
    )
    yield from cross_danger(battle, unit, board.numbers(path))


@rule("epic.move.stay-still")
def must_leave(moment: Moment, leader: int) -> bool:
    """Return whether a formation must move, because a unit starts in a zone of control."""
    units = units_of(moment)
    zone = zone_of_control(moment, int(units.side[leader]))
    return bool(zone[units.number[units.of_formation(leader)]].any())


@rule("epic.move.facing")
def facing_after(path: Tiles, chosen: int | None = None) -> int:
    """Return the facing at the end of a path, 64ths of a degree; units turn freely.

    chosen : by its player; without a choice it faces along its last step
    """
    if chosen is not None:
        return chosen
    side = np.flatnonzero((path[-1] - path[-2] == SIDES).all(axis=1))[0]
    return FACINGS[int(side)]
