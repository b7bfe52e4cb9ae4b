"""Moves with carriers: mounting and dismounting before and after, and fire on overwatch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.damage import cross_danger
from emlia3d.rules.epic.events import Mounted
from emlia3d.rules.epic.formations import (
    cell,
    enemies_of,
    in_cohesion,
    is_in_cohesion,
    kind_of,
    put,
    units_of,
)
from emlia3d.rules.epic.movement import move_formation, zone_of_control
from emlia3d.rules.epic.overwatch import interrupt
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.transport.carrying import dismount, has_room, landing_tiles

BEGIN, END = "begin the move", "end the move"
"""Verbs of the orders that end mounting and dismounting, before and after a move."""

TOGETHER = {"mount all": "mount", "dismount all": "dismount"}
"""Verbs of orders for all units, with the verbs of the single orders that they combine."""


def move_with_carriers(
    battle: Battle,
    leader: int,
    *,
    target: int | None = None,
    how: str = "moves",
    first: bool = True,
) -> Procedure[bool]:
    """Move a formation and its carriers, with enemy fire on overwatch in between.

    Units mount and dismount before the first move of an action, and after each.

    target : the enemy formation of a charge
    Returns whether the formation continues its action.
    """
    dismounted = first and (yield from board(battle, leader, BEGIN, target))
    if dismounted and not (yield from interrupt(battle, leader)):
        return False
    yield from move_formation(battle, leader, target=target, how=how)
    if not (yield from interrupt(battle, leader)):
        return False
    if (yield from board(battle, leader, END, target)):
        return (yield from interrupt(battle, leader))
    return True


@dataclass(frozen=True, slots=True)
class Boarding:
    """Units of a formation that can mount or dismount, and tiles for dismounting.

    done : the verb of the order that ends it
    mounts : pairs of a unit and its carrier
    landings : numbers of tiles, the best first, for each carried unit
    """

    moment: Moment
    leader: int
    done: str
    mounts: tuple[tuple[int, int], ...]
    landings: dict[int, NDArray[np.int64]]

    def options(self) -> tuple[Order, ...]:
        """Return the listed orders: each unit's best tile, and all together."""
        leader, done = self.leader, Order(verb=self.done, unit=self.leader)
        mounts = [Order(verb="mount", unit=unit, target=to) for unit, to in self.mounts]
        lands = [self.to(unit, int(tiles[0])) for unit, tiles in self.landings.items()]
        single = [*mounts, *lands]
        verbs = {order.verb for order in single}
        together = [Order(verb=v, unit=leader) for v, one in TOGETHER.items() if one in verbs]
        return (done, *together, *single)

    def to(self, unit: int, number: int) -> Order:
        """Return the order to dismount on a tile."""
        board = units_of(self.moment).board
        x, y = board.grid.centres(board.tiles[number]).tolist()
        return Order(verb="dismount", unit=unit, point=(x, y))

    def tile_of(self, order: Order) -> int:
        """Return the number of the tile to which an order leads."""
        assert order.point is not None
        board = units_of(self.moment).board
        return int(board.numbers(board.grid.tiles_at(order.point)))

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is illegal; None if it is legal."""
        landing = self.landings.get(-1 if order.unit is None else order.unit)
        if order.verb != "dismount" or landing is None or order.point is None:
            return Refusal("epic.transport.basic", "no unit of the formation can do that now")
        if order != Order(verb="dismount", unit=order.unit, point=order.point):
            return Refusal("epic.transport.basic", "dismounting needs exactly one tile")
        if self.tile_of(order) not in landing:
            return Refusal("epic.transport.basic", "the unit cannot dismount on that tile")
        return None

    def for_moment(self, battle: Battle) -> Boarding:
        """Return the same object, because nothing is hidden."""
        return Boarding(battle, self.leader, self.done, self.mounts, self.landings)


def boarding(
    moment: Moment, leader: int, done: str, target: int | None, changed: list[int]
) -> Boarding:
    """Return the options of a formation's units, except units that are done.

    In a charge units only dismount.
    """
    rows = [row for row in units_of(moment).of_formation(leader) if row not in changed]
    carriers = [row for row in units_of(moment).of_formation(leader) if kind_of(moment, row).carry]
    mounts = [
        (unit, carrier)
        for unit in rows
        for carrier in carriers
        if target is None and may_mount(moment, leader, unit, carrier, ends=done == END)
    ]
    landings = {}
    for carrier in carriers:
        for unit in units_of(moment).carried_by(carrier):
            tiles = _landings(moment, unit, carrier, target)
            if unit not in changed and len(tiles):
                landings[unit] = tiles
    return Boarding(moment, leader, done, tuple(mounts), landings)


def may_mount(moment: Moment, leader: int, unit: int, carrier: int, *, ends: bool) -> bool:
    """Return whether a unit may mount a carrier beside it.

    ends : whether the move is over, so that the formation has to stay in cohesion
    """
    units, terrain = units_of(moment), terrain_of(moment)
    held = len(units.carried_by(carrier))
    if not has_room(kind_of(moment, carrier), kind_of(moment, unit), held) or unit == carrier:
        return False
    here = units.number[unit]
    beside = (units.board.neighbours[here] == units.number[carrier]) & ~terrain.cliffs[here]
    if not beside.any() or units.carried_by(unit):
        return False
    left = [row for row in units.of_formation(leader) if row != unit]
    return not ends or not in_cohesion(moment, leader) or is_in_cohesion(units.tile[left])


def _landings(moment: Moment, unit: int, carrier: int, target: int | None) -> NDArray[np.int64]:
    """Return the tiles on which a unit may dismount, the nearest to the enemy first."""
    units = units_of(moment)
    side = int(units.side[carrier])
    tiles = landing_tiles(moment, unit, int(units.number[carrier]))
    foes = enemies_of(moment, side) if target is None else units.of_formation(target)
    if target is None:
        tiles = tiles[~zone_of_control(moment, side)[tiles]]
    if not foes:
        return tiles
    to_foe = units.tile_gaps(tiles, foes)
    if target is not None:
        nearer = to_foe <= int(units.gaps([carrier], foes).min())
        tiles, to_foe = tiles[nearer], to_foe[nearer]
    nearest: NDArray[np.int64] = tiles[np.lexsort((tiles, to_foe))]
    return nearest


def board(battle: Battle, leader: int, done: str, target: int | None = None) -> Procedure[bool]:
    """Let units of a formation mount and dismount, each once; return whether any dismounted.

    done : the verb of the order that ends it
    """
    changed: list[int] = []
    has_dismounted, together = False, ""
    while True:
        choice = boarding(battle, leader, done, target, changed)
        options = choice.options()
        order = next((option for option in options if option.verb == together), None)
        if order is None:
            if len(options) == 1:
                return has_dismounted
            order = yield Decision(
                side=int(units_of(battle).side[leader]), asks="epic.transport.basic", unit=leader,
                options=options, validator=choice,
            )  # fmt: skip
            if order.verb == done:
                return has_dismounted
            together = TOGETHER.get(order.verb, "")
            if together:
                continue
        assert order.unit is not None
        if order.target is not None:
            yield from _mount(battle, order.unit, order.target)
        else:
            number = choice.tile_of(order)
            charged = (cell(order.unit, "charged", 1),) if target is not None else ()
            yield dismount(battle, order.unit, number, *charged)
            yield from cross_danger(battle, order.unit, np.array([number]))
            has_dismounted = True
        changed.append(order.unit)


def _mount(battle: Battle, unit: int, carrier: int) -> Procedure[None]:
    """Let a unit mount, after its test for dangerous terrain that it leaves."""
    units = units_of(battle)
    yield from cross_danger(battle, unit, units.number[[unit]])
    if not units_of(battle).there[unit]:
        return
    yield Event(
        facts=Mounted(),
        unit=unit,
        target=carrier,
        gesture="march",
        because=("epic.transport.basic",),
        changes=(
            put(battle, unit, units.tile[carrier].tolist(),
                battle.state.units.integer("facing", carrier)),
            cell(unit, "carrier", carrier),
            cell(unit, "present", 0),
        ),
    )  # fmt: skip
