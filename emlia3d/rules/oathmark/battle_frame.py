"""The frame of a battle: its length, its victory, and deployment in play.

Sides alternately place the units that the scenario leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import Decision, Leg, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Edge
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.rulekit.deployment import Deployed, LeftOut, roll_off, side_to_deploy, waiting
from emlia3d.rulekit.situation.field_edges import INWARD, distance_from
from emlia3d.rules.oathmark.blocks import (
    Block,
    Spot,
    block_at,
    blocks_of,
    figures_by_slot,
    put,
)
from emlia3d.rules.oathmark.columns import Phase
from emlia3d.rules.oathmark.core import INCH, SLACK, larger, roll
from emlia3d.rules.oathmark.terrain import terrain_of
from emlia3d.rules.rulebook import rule

TURNS = 6
"""Default number of turns of a battle."""

STRIP = 9.0
"""Depth of a deployment strip, inches."""

SLUG = "oathmark.battle.table"

_COLUMNS, _ROWS = 12, 3
"""Numbers of points across and along a strip that are tried for the shortlist."""

_MOST_OPTIONS = 9


@rule("oathmark.battle.length")
def is_last(turn: int, turns: int = TURNS) -> bool:
    """Return whether no turn follows."""
    return turn >= turns


@rule("oathmark.battle.victory")
def winner_by_points(lost: Sequence[float], units: Sequence[int]) -> int | None:
    """Return the side that wins: the one that lost fewer points; None for a draw.

    units : number left of each side; a side without units loses
    """
    own, other = units
    stands = larger(bool(own), bool(other))
    return larger(lost[1], lost[0]) if stands is None else stands


@rule("oathmark.battle.table")
def is_in_strip(spots: Iterable[Spot], edge: Edge, size: Spot) -> bool:
    """Return whether points are in the deployment strip along an edge."""
    off = [distance_from(edge, spot, size) for spot in spots]
    return all(-SLACK <= away <= STRIP * INCH + SLACK for away in off)


def deploy_next(battle: Battle) -> Procedure[None]:
    """Roll for the side that deploys first, or let a side deploy one unit."""
    if battle.state.battle.integer("phase", 0) == Phase.BEFORE:
        return roll_off(battle, SLUG, roll, phase=Phase.DEPLOYMENT, acts="to_act")
    return deploy_one(battle, side_to_deploy(battle, battle.state.battle.integer("to_act", 0)))


def deploy_one(battle: Battle, side: int) -> Procedure[None]:
    """Ask a side for a unit and its position in the strip."""
    rows = waiting(battle, side)
    options = tuple(Order(verb="deploy", unit=row) for row in rows)
    unit = rows[0]
    if len(rows) > 1:
        order = yield Decision(side=side, asks=SLUG, options=options)
        assert order.unit is not None
        unit = order.unit
    done = set_cells("battle", 0, to_act=1 - side)
    validator = DeploymentStrip(battle, unit)
    places = tuple(validator.options())
    if not places:
        out = set_cells("unit", unit, waits=0)
        yield Event(facts=LeftOut(), unit=unit, because=(SLUG,), changes=(*out, *done))
        return
    order = yield Decision(side=side, asks=SLUG, unit=unit, options=places, validator=validator)
    block = validator.block(order.legs[0])
    there = set_cells("unit", unit, present=1, waits=0)
    yield Event(
        facts=Deployed(),
        unit=unit,
        because=(SLUG,),
        changes=(*put(unit, block, figures_by_slot(battle.state, unit)), *there, *done),
    )


@dataclass(frozen=True, slots=True)
class DeploymentStrip:
    """Validator of the position at which a unit is deployed."""

    moment: Moment
    unit: int

    def for_moment(self, battle: Battle) -> DeploymentStrip:
        """Return the validator for another battle."""
        return replace(self, moment=battle)

    @property
    def edge(self) -> Edge:
        """The edge along which the unit deploys."""
        edge = self.moment.setup.lines_of(self.unit)
        assert isinstance(edge, str), "the system refuses other lines"
        return edge

    def block(self, leg: Leg) -> Block:
        """Return the block of the unit at the end of an order."""
        own = block_at(self.moment.state, self.unit)
        return replace(own, x=leg.x, y=leg.y, facing=leg.facing % FULL_CIRCLE).shifted(0, 0)

    def to(self, place: Spot, facing: int | None = None) -> Order:
        """Return the order to deploy with the centre of the front at a point.

        facing : 64ths of a degree; None for straight into the table
        """
        towards = INWARD[self.edge] * 64 if facing is None else facing
        block = self.block(Leg(step="march", x=place[0], y=place[1], facing=towards))
        leg = Leg(step="march", x=block.x, y=block.y, facing=block.facing)
        return Order(verb="place", unit=self.unit, legs=(leg,))

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is illegal; None if it is legal."""
        if len(order.legs) != 1:
            return Refusal(SLUG, "a unit needs exactly one position")
        (leg,) = order.legs
        if order != self.to((leg.x, leg.y), leg.facing):
            return Refusal(SLUG, "another unit is being placed")
        block = self.block(leg)
        corners = [(x, y) for x, y in block.footprints.corners().reshape(-1, 2).tolist()]
        if not is_in_strip(corners, self.edge, self.moment.setup.field.size):
            return Refusal(SLUG, f"it is not within {STRIP:g} inches of the {self.edge} edge")
        return None if self._is_free(block) else Refusal(SLUG, "the position is not free")

    def _is_free(self, block: Block) -> bool:
        terrain = terrain_of(self.moment)
        free = not blocks_of(self.moment).overlapped(block, (self.unit,))
        return free and terrain.is_on_table(block) and terrain.is_clear(block)

    def corners(self) -> tuple[Spot, ...]:
        """Return the corners of the strip."""
        (east, north), deep = self.moment.setup.field.size, STRIP * INCH
        west, south = 0.0, 0.0
        match self.edge:
            case "south":
                north = deep
            case "north":
                south = north - deep
            case "west":
                east = deep
            case "east":
                west = east - deep
        return (west, south), (east, south), (east, north), (west, north)

    def options(self) -> Iterator[Order]:
        """Yield a shortlist of positions, the foremost and nearest to the centre first."""
        found = 0
        for place in self._places():
            order = self.to(place)
            if found < _MOST_OPTIONS and self.refusal(order) is None:
                found += 1
                yield order

    def _places(self) -> Iterator[Spot]:
        """Yield centres of fronts in the strip, from its centre outwards, the foremost first."""
        east, north = self.moment.setup.field.size
        own = block_at(self.moment.state, self.unit)
        deep = STRIP * INCH - 1
        across = east if self.edge in {"south", "north"} else north
        room = deep - own.length
        middles = sorted(
            (across * (2 * column + 1) / (2 * _COLUMNS) for column in range(_COLUMNS)),
            key=lambda at: (abs(at - across / 2), at),
        )
        for row in range(_ROWS):
            off = deep - room * row / (_ROWS - 1)
            for at in middles:
                yield {
                    "south": (at, off), "north": (at, north - off),
                    "west": (off, at), "east": (east - off, at),
                }[self.edge]  # fmt: skip
