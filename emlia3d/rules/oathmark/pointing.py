"""Orders from points on the table: straight moves towards a point, and pivots."""

from __future__ import annotations

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.oathmark.actions import Actions, turn_order
from emlia3d.rules.oathmark.battle_frame import DeploymentStrip
from emlia3d.rules.oathmark.blocks import Spot, block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.movement import WAYS, pivot


def pointed(decision: Decision) -> tuple[str, ...]:
    """Return the verbs of orders that a point completes."""
    if isinstance(decision.validator, DeploymentStrip):
        return ("place",)
    if not isinstance(decision.validator, Actions):
        return ()
    return tuple(
        verb for verb in ("move", "pivot") if next(iter(decision.each(verb)), None) is not None
    )


def way_to(actions: Actions, place: Spot) -> tuple[BlockSide, float]:
    """Return the straight direction that leads nearest to a point, and the distance, mm."""
    block = block_at(actions.moment.state, actions.unit)
    right, ahead = block.offset(place)
    # Ahead, the front goes to the point; behind, the rear does.
    wishes = {
        BlockSide.FRONT: ahead, BlockSide.REAR: -ahead - block.length,
        BlockSide.LEFT: -right, BlockSide.RIGHT: right,
    }  # fmt: skip
    way = max(wishes, key=wishes.__getitem__)
    return way, wishes[way]


def order_to(decision: Decision, verb: str, place: Spot, facing: int | None) -> Order | None:
    """Return the longest legal move towards a point, or the pivot to face it.

    During deployment, return the order to deploy at the point.

    facing : of a pivot; None for towards the point
    """
    actions = decision.validator
    if isinstance(actions, DeploymentStrip):
        return actions.to(place, facing)
    if not isinstance(actions, Actions):
        return None
    block = block_at(actions.moment.state, actions.unit)
    if verb == "pivot":
        x, y = block.officer
        towards = facing_towards(place[0] - x, place[1] - y) if facing is None else facing
        return turn_order(actions.unit, verb, None, pivot(block, towards))
    if verb != "move":
        return None
    way, wish = way_to(actions, place)
    walk = actions.walk(way)
    far = walk.end(wish)
    return actions.move(walk, far or max(wish, 1.0))


def reach_corners(decision: Decision, verb: str) -> tuple[Spot, ...]:
    """Return the farthest ends of straight moves, as corners around the unit."""
    actions = decision.validator
    if isinstance(actions, DeploymentStrip):
        return actions.corners()
    if verb != "move" or not isinstance(actions, Actions):
        return ()
    found = []
    for way in (BlockSide.FRONT, BlockSide.RIGHT, BlockSide.REAR, BlockSide.LEFT):
        assert way in WAYS
        walk = actions.walk(way)
        block = walk.at(walk.end(walk.reach))
        found.append((block.x, block.y))
    return tuple(found)
