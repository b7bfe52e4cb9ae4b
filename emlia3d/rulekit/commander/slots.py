"""The place of each unit in the line that its brigade's mission gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import BEHIND, INTERVAL
from emlia3d.rulekit.commander.plan import Mission, Spot

_ASIDE, _BEFORE = 24.0, 150.0
"""GSU to a side, and ahead, within which a unit places itself opposite an enemy."""


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


def slots_of(
    mission: Mission, bodies: Mapping[int, Body], foes: Sequence[Body] = (), scale: float = 1.0
) -> dict[int, Slot]:
    """Return the slots of a mission's units that are on the field, by row.

    The line is formed from left to right, each unit as near as can be to where it stands, or
    opposite an enemy before it; units for which it has no room stand behind it.

    foes : enemies; the units of the first line are to stand opposite those in line
    scale : that of the rules, as `Adapter` has it
    """
    interval, behind, room = INTERVAL / scale, BEHIND / scale, _ASIDE / scale if foes else 0.0
    frame = Frame(facing_of(mission))
    left, along = frame.of(*mission.line[0])
    right, _ = frame.of(*mission.line[1])
    units = [bodies[unit] for unit in mission.units if unit in bodies]
    left_over = right - left + 1
    first = list[Body]()
    for body in units:
        left_over -= body.width
        if left_over < 0:
            break
        left_over -= interval
        first.append(body)
    second = units[len(first) :]
    opposite = [_opposite(frame, body, foes, scale) for body in first]
    here = [frame.of(body.x, body.y)[0] for body in second]
    slots = dict[int, Slot]()
    for line, back, places in (
        (first, 0.0, _abreast(first, opposite, (left - room, right + room), interval)),
        (second, behind, _abreast(second, here, (left, right), interval)),
    ):
        for body, across in zip(line, places, strict=True):
            x, y = frame.on_field(across, along - back)
            slots[body.unit] = Slot(x, y, frame.facing, is_first=not back)
    return slots


def _opposite(frame: Frame, body: Body, foes: Sequence[Body], scale: float) -> float:
    """Return where a unit wants to stand across: opposite the nearest enemy before it, or here."""
    across, along = frame.of(body.x, body.y)
    best, least = across, _ASIDE / scale
    for foe in foes:
        there, far = frame.of(foe.x, foe.y)
        ahead = foe.role == "line" and 0 < far - along < _BEFORE / scale
        if ahead and abs(there - across) < least:
            best, least = there, abs(there - across)
    return best


def _abreast(
    line: Sequence[Body], wanted: Sequence[float], ends: Spot, interval: float
) -> list[float]:
    """Return where units stand across, side by side between two ends.

    Each as near as can be to where it wants to: blocks of units that would overlap are centred on
    that (the pooling of adjacent violators).
    """
    left, right = ends
    blocks = list[tuple[float, int]]()
    offsets, used = list[float](), 0.0
    for body, middle in zip(line, wanted, strict=True):
        offsets.append(used + body.width / 2)
        used += body.width + interval
        start, count = middle - offsets[-1], 1
        while blocks and blocks[-1][0] > start:
            before, units = blocks.pop()
            start = (before * units + start * count) / (units + count)
            count += units
        blocks.append((start, count))
    last = max(right - (used - interval), left)
    starts = [min(max(start, left), last) for start, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]
