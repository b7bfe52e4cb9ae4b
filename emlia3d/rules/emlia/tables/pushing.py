"""Emlia, chapters 15.5 and 15.6: pushes and press hits.

Holds `emlia.push.net`, `emlia.push.direction`, `emlia.push.hold` and `emlia.press`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.tables.engagement import RankedBlock, files_of
from emlia3d.rules.rulebook import rule

Vector: TypeAlias = tuple[float, float]
"""East and north, GSU."""


@rule("emlia.push.net")
@rule("emlia.push.example-ridiculous")
def net_push(taken: int, inflicted: int) -> int:
    """Return the net push of a unit across one contact, GSU: successes of both sides cancel."""
    return max(taken - inflicted, 0)


@rule("emlia.push.direction")
def push_direction(attacked: UnitEdge, ahead: Vector) -> Vector:
    """Return the direction in which a ranked unit is pushed: straight back from the attacked side.

    ahead : unit vector of its facing
    """
    east, north = ahead
    match attacked:
        case UnitEdge.FRONT:
            return -east, -north
        case UnitEdge.REAR:
            return east, north
        case UnitEdge.LEFT:
            return north, -east
        case UnitEdge.RIGHT:
            return -north, east


def summed(pushes: Iterable[Vector]) -> Vector:
    """Return several pushes as one straight move (`emlia.push.sum`)."""
    east = north = 0.0
    for push_east, push_north in pushes:
        east, north = east + push_east, north + push_north
    return east, north


@rule("emlia.push.hold")
def hold_hits(distance: float, front_pushes: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return the press hits when a ranked unit holds: its own, and each front pusher's.

    One for each full GSU of the summed push; each pusher at the front takes half of its own
    net push back, rounded down, all together at most half of the unit's hits, in the order
    given.

    distance : length of the summed push, GSU
    front_pushes : net push of each pusher at the front
    """
    taken = int(distance + REACH_TOLERANCE)
    left = taken // 2
    back = []
    for push in front_pushes:
        back.append(min(push // 2, left))
        left -= back[-1]
    return taken, tuple(back)


def hold_shares(taken: int, distances: Sequence[float]) -> tuple[int, ...]:
    """Return the press hits for holding by pusher, in proportion to distance pushed.

    The remainder goes to the pushers that pushed farthest, then in the order given.

    taken : hits of all pushers together
    distances : GSU that each would have pushed it alone
    """
    whole = sum(distances)
    shares = [int(taken * distance / whole + REACH_TOLERANCE) for distance in distances]
    farthest_first = sorted(range(len(distances)), key=lambda row: -distances[row])
    for row in farthest_first[: taken - sum(shares)]:
        shares[row] += 1
    return tuple(shares)


@rule("emlia.press.when")
def may_press(side: UnitEdge | None) -> bool:
    """Return whether a unit presses the enemy that it pushes or meets.

    A ranked unit does, to its front alone; from any side it may be pressed itself.

    side : of the unit, on which the enemy stands; None if it is not ranked
    """
    return side is UnitEdge.FRONT


@rule("emlia.press.terrain")
def is_brink(height: float) -> bool:
    """Return whether impassable terrain is a brink, over which pressed units fall.

    height : height units that it rises above the ground; a river bed or a drop is not above it
    """
    return height <= 0


def is_swept_away(inside: int, members: int) -> bool:
    """Return whether a unit pressed over a brink is lost: half of its members are beyond it.

    Source: emlia.press.terrain, emlia.terrain.occupancy.
    """
    return 0 < members <= 2 * inside


@rule("emlia.press.into-enemy")
def presses_on_meeting(side: UnitEdge | None) -> bool:
    """Return whether an enemy presses a unit that is pushed into it, as if it had pushed too.

    The enemy must be one that did not engage the unit before the push.

    side : of the unit met, on which the moved one stands now; None if it is not ranked
    """
    return may_press(side)


def unengaged_behind(
    block: RankedBlock, here: NDArray[np.bool_], anywhere: NDArray[np.bool_]
) -> int:
    """Return the members of a ranked unit that press: unengaged, in a file engaged with one enemy.

    here, anywhere : members engaged with that enemy, and with any; bool, (members,)
    """
    files = files_of(block)
    return int((np.isin(files, files[here]) & ~anywhere).sum())


@rule("emlia.press.number")
@rule("emlia.press.example-file")
def press_number(behind: int, engaged_source: int, engaged_subject: int, depth: int) -> int:
    """Return the press hits of one push, whatever its length.

    One for each member that presses from behind, at most the engaged members of the smaller side
    times the ranks of the subject.

    behind : unengaged members behind the engaged ones of the source
    depth : ranks of a ranked subject, 1 for any other
    """
    return min(behind, min(engaged_source, engaged_subject) * depth)


@rule("emlia.press.base-damage")
def press_base_damage(size_source: float, size_subject: float) -> int | None:
    """Return the base damage of press hits; None if the subject is too large for any.

    0 below twice the subject's size, 1 at exactly twice, and one more for each further doubling
    that is begun. A subject of exactly four times the source's size can still be pressed.
    """
    if size_subject > 4 * size_source:
        return None
    damage, size = 0, size_subject
    if size_source < 2 * size:
        return 0
    while size < size_source:
        damage, size = damage + 1, size * 2
    return damage
