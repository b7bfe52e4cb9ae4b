"""The place of each unit in the line that its brigade's mission gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import BEHIND, INTERVAL
from emlia3d.rulekit.commander.plan import Mission


@dataclass(frozen=True, slots=True)
class Slot:
    """Place of a unit in a line.

    x, y : the middle of its front, GSU
    facing : 64ths of a degree
    is_first : in the first line
    """

    x: float
    y: float
    facing: int
    is_first: bool


def facing_of(mission: Mission) -> int:
    """Return the facing of a mission's line."""
    (left_x, left_y), (right_x, right_y) = mission.line
    return facing_towards(-(right_y - left_y), right_x - left_x)


def slots_of(mission: Mission, bodies: Mapping[int, Body]) -> dict[int, Slot]:
    """Return the slots of a mission's units that are on the field, by row.

    The line is filled from left to right; units for which it has no room stand behind it.
    """
    frame = Frame(facing_of(mission))
    left, along = frame.of(*mission.line[0])
    right, _ = frame.of(*mission.line[1])
    units = [bodies[unit] for unit in mission.units if unit in bodies]
    slots, used, second = {}, 0.0, list[Body]()
    for body in units:
        if used + body.width > right - left + 1:
            second.append(body)
            continue
        x, y = frame.on_field(left + used + body.width / 2, along)
        slots[body.unit] = Slot(x, y, frame.facing, is_first=True)
        used += body.width + INTERVAL
    for number, body in enumerate(second):
        across = left + (right - left) * (number + 1) / (len(second) + 1)
        x, y = frame.on_field(across, along - BEHIND)
        slots[body.unit] = Slot(x, y, frame.facing, is_first=False)
    return slots
