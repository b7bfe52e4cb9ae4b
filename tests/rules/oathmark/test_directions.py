"""A scene that is turned as a whole goes as it did before."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.movement import StraightMove
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, table

FULL = Activity(full=True)


def scene(bearing: int) -> StraightMove:
    """Return a move ahead of a scene that is turned as a whole by a number of degrees.

    Ahead are two enemies, at 3 and 2 inches, rough ground and a rock beside the officer's way; on
    the left is a friend, on the right an enemy.
    """
    frame = Block(0, 0, bearing * 64, 1, 1, 25, 25)

    def unit(right: float, ahead: float, turned: int = 0, **other: Any) -> dict[str, Any]:
        place = frame.at(right, ahead)
        return {**SOLDIER, "facing": (bearing + turned) % 360, "officer": place, **other}

    def ground(kind: str, west: float, south: float, east: float, north: float) -> dict[str, Any]:
        corners = [(west, south), (east, south), (east, north), (west, north)]
        spots = [frame.at(*corner) for corner in corners]
        return {"kind": kind, "outline": [[HOME[0] + x, HOME[1] + y] for x, y in spots]}

    battle = table(
        unit(0, 0), unit(-64, 25 + 3 * INCH, 180, side="Blue"),
        unit(64, 25 + 2 * INCH, 180, side="Blue"), unit(-125 - INCH, 0),
        unit(125 + 2 * INCH, 0, side="Blue"),
        terrain=[ground("rough", -20, 20, 20, 40), ground("rock", -60, -130, -40, -100)],
    )  # fmt: skip
    return StraightMove(battle, 0, BlockSide.FRONT, FULL)


@pytest.mark.parametrize("bearing", [0, 40, 90, 180, 233, 270])
def test_a_move_goes_alike_in_every_direction(bearing: int) -> None:
    walk = scene(bearing)
    ways = [StraightMove(walk.moment, 0, way, FULL) for way in BlockSide]

    # The enemies are met 2 and 3 inches ahead. To the left the friend is an inch away; to the
    # right an inch is kept; the rock is 62.5 mm behind the rear.
    assert [foe for _, foe in walk.contacts] == [2, 1]
    assert [far for far, _ in walk.contacts] == pytest.approx([2 * INCH, 3 * INCH], abs=0.02)
    assert [foe for foe, _, _ in Actions(walk.moment, 0, FULL).attacks()] == [2]
    ends = [way.end(way.reach) for way in ways]
    assert ends == pytest.approx([INCH, INCH, INCH, 62.5], abs=0.05)
    assert walk.track.cost(100.0) == pytest.approx(120.0, abs=0.05)
