"""A battle of Tin between two armies of eight, for the tests of the commander that leads both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.setup import Area, Setup, Side, UnitSetup, VictoryCondition
from emlia3d.field import Field, Ground, Scale
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.force.facing import turn_between
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.plan import Mission, Plan
from emlia3d.rulekit.commander.plan_record import plan_of
from emlia3d.rulekit.commander.slots import slots_of
from tests.battle.toy_commander import LedTin, TinSide, body_of, brigades_of

SIZE = (260.0, 250.0)
ALICE, BOB = 0, 1
SIDES = (ALICE, BOB)
TWENTY_DEGREES = 20 * 64
AHEAD = {ALICE: Frame(0), BOB: Frame(180 * 64)}
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


def plan_now(battle: Battle, side: int) -> Plan:
    """Return the plan that stands for a side."""
    names = tuple(each.name for each in brigades_of(battle, side))
    found = plan_of(battle, side, names)
    assert found is not None
    return found


def turns_of(battle: Battle, commanders: Sequence[Commander] | None = None) -> Iterator[int]:
    """Yield the turns of a battle that is played, each when all of its units have acted."""
    for event in battle.run(commanders):
        last = battle.state.battle.integer("next", 0) == len(battle.setup.units)
        if last and event.name in {"done", "stood_still"}:
            yield battle.state.turn


def neighbours(battle: Battle, mission: Mission) -> list[tuple[int, int]]:
    """Return the units that stand side by side in a mission's first line."""
    here = [one for one in mission.units if battle.state.units.value("present", one)]
    bodies = {one: body_of(battle, one) for one in here}
    slots = slots_of(mission, bodies, scale=TinSide.scale)
    return [*pairwise(one for one in here if slots[one].is_first)]


def stands_in_line(battle: Battle, one: int, other: int) -> bool:
    """Return whether neighbours look within 20 degrees the same way, within one frontage."""
    left, right = body_of(battle, one), body_of(battle, other)
    frame = AHEAD[battle.state.units.integer("side", one)]
    (across, along), (there, ahead) = (frame.of(*body.front) for body in (left, right))
    gap = abs(there - across) - (left.width + right.width) / 2
    wide = max(left.width, right.width)
    turned = abs(turn_between(left.facing, right.facing))
    return turned <= TWENTY_DEGREES and gap <= wide and abs(ahead - along) <= wide


def share_in_line(battle: Battle, missions: Sequence[Mission]) -> float:
    """Return the proportion of neighbours that stand in line."""
    found = [
        stands_in_line(battle, *pair) for each in missions for pair in neighbours(battle, each)
    ]
    return sum(found) / len(found)


def middle_along(battle: Battle, side: int) -> float:
    """Return how far ahead the middle unit of a side's line stands."""
    frame, units = AHEAD[side], battle.state.units
    there = [
        frame.of(*body.front)[1]
        for row in range(len(units))
        if units.integer("side", row) == side
        and units.value("present", row)
        and (body := body_of(battle, row)).role == "line"
    ]
    return sorted(there)[len(there) // 2]
