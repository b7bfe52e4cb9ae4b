"""Orders that you give by pointing at a tile.

They set the position of a unit, or its facing at the end of a move.
"""

from __future__ import annotations

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.questions.options import Place
from emlia3d.force.facing import facing_towards
from emlia3d.rules.epic.deployment.deployment_strips import nearest_side
from emlia3d.rules.epic.movement import MoveEnds


def pointed(decision: Decision) -> tuple[str, ...]:
    """Return the verbs of placement orders that need only a tile; () if no unit is placed."""
    ends = _placing(decision)
    if ends is None:
        return ()
    return (ends.all_verb, ends.verb) if ends.rest else (ends.verb,)


def order_to(decision: Decision, verb: str, place: Place, facing: int | None) -> Order | None:
    """Return the order to place a unit on the tile at a point.

    None if the point is off the board or the decision places no unit.

    facing : 64ths of a degree; None to face straight into the field
    """
    ends = _placing(decision)
    if ends is None or (number := ends.tile_of(Order(verb=verb, point=place))) < 0:
        return None
    nearest = None if facing is None or verb != ends.verb else nearest_side(facing)
    return ends.to(number, verb, nearest)


def turned(decision: Decision, order: Order, facing: int | None) -> Order:
    """Return the move, with the unit turned at its end to the tile side nearest to *facing*.

    Other orders are returned unchanged.

    facing : 64ths of a degree; None for the direction of the move
    """
    ends = decision.validator
    if not isinstance(ends, MoveEnds) or order.verb != ends.verb or ends.refusal(order) is not None:
        return order
    number = ends.tile_of(order)
    if number == ends.here:
        return order
    if facing is None:
        start, end = ends.board.grid.centres(ends.board.tiles[[ends.here, number]])
        facing = facing_towards(*(end - start).tolist())
    return ends.to(number, facing=nearest_side(facing))


def _placing(decision: Decision) -> MoveEnds | None:
    """Return where the unit of a decision can be placed; None if the decision places no unit."""
    ends = decision.validator
    return ends if isinstance(ends, MoveEnds) and ends.here < 0 else None
