"""A battle of Tin between two armies of eight, for the tests of the commander that leads both."""

from __future__ import annotations

from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Area, Setup, Side, UnitSetup, VictoryCondition
from emlia3d.field import Field, Ground, Scale
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from tests.battle.tin_commander import LedTin

SIZE = (260.0, 250.0)
ALICE, BOB = 0, 1
AREAS = (
    Area(name="rug", outline=box(95, 105, 165, 145)),
    Area(name="box", outline=box(5, 110, 35, 140)),
)

_ASKEW = (20, -25, 10, 0, -15, 25, -5, 15)
"""Degrees by which the units look away from their front at first."""

_BEHIND = (0, 9, 3, 12, 6, 0, 4, 8)
"""GSU by which they stand behind the foremost at first."""


def setup(*commanders: str, turns: int = 14, apart: float = 74.0) -> Setup:
    """Return two armies in disarray, each to take the rug and the box.

    The rows of the sides alternate, because springs are longer in later rows.

    commanders : of Alice and of Bob; "doctrine" if none is given
    apart : the gap between the foremost units of both, GSU
    """
    given = (*commanders, "doctrine", "doctrine")[:2]
    sides = (
        Side(name="Alice", colour="#2a5caa", lines="south", commander=given[ALICE]),
        Side(name="Bob", colour="#b03030", lines="north", commander=given[BOB]),
    )
    return Setup(
        title="Nursery war",
        rules="tin",
        turns=turns,
        field=Field(
            size=SIZE,
            scale=Scale(metres_per_gsu=0.5, metres_per_height=1.0),
            ground=Ground.flat(SIZE),
            features=(),
        ),
        sides=sides,
        units=tuple(_unit(number, side, apart) for number in range(8) for side in (ALICE, BOB)),
        numbers=None,
        areas=AREAS,
        aims=tuple(
            VictoryCondition(side=side.name, level=level, controls=(area,))
            for side in sides
            for level, area in (("major victory", "rug"), ("minor victory", "box"))
        ),
    )


def _unit(number: int, side: int, apart: float) -> UnitSetup:
    """Return a unit: six of each side in ranks in two brigades, and two of sailors."""
    light = number in {0, 7}
    east, north = 40.0 + 24 * number, (SIZE[1] - apart) / 2 - _BEHIND[number]
    muster = UnitDeployment(
        name=f"{('Alice', 'Bob')[side]}'s {number + 1}.",
        side=side,
        troops=Troops(model="foot_bow", width=2.0, depth=1.0),
        members=5 if light else 18,
        at=(east, north) if side == ALICE else (SIZE[0] - east, SIZE[1] - north),
        facing=facing_of_degrees(180 * side + _ASKEW[number]),
        formation=Formation.OPEN if light else Formation.RANKED,
        files=5 if light else 6,
    )
    section = "Sailors" if light else "Guards" if number < 4 else "Lancers"
    return UnitSetup(muster=muster, entry=None, kind="tin/soldier", section=(section,))


def battle(*commanders: str, seed: int = 1, turns: int = 14, apart: float = 74.0) -> Battle:
    """Return such a battle before its first event."""
    return Battle(setup(*commanders, turns=turns, apart=apart), LedTin(), seed)
