"""The position of each unit in the line of its brigade's mission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import BEHIND, INTERVAL
from emlia3d.rulekit.commander.plan import Mission, Spot

_ASIDE, _BEFORE = 24.0, 150.0
"""Distance to a side and ahead within which a unit moves opposite an enemy, GSU."""

_LAGS, _LATE = 40.0, 0.02
"""Distance behind the line at which a unit makes way for units in it, GSU; its weight then."""


class PlacedUnit(Protocol):
    """A unit at its current position."""

    @property
    def x(self) -> float:
        """East of its centre, GSU."""

    @property
    def y(self) -> float:
        """North of its centre, GSU."""

    @property
    def width(self) -> float:
        """The width of its formation, GSU."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Place of a unit in a line.

    x, y : centre of its front, GSU
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
    mission: Mission,
    standing: Mapping[int, PlacedUnit],
    foes: Sequence[PlacedUnit] = (),
    scale: float = 1.0,
) -> dict[int, Slot]:
    """Return the slots of a mission's units that are on the field, by row.

    The line is formed from left to right. Each unit is as near as possible to its current position,
    or opposite an enemy in front of it. Units without room stand behind the line.

    foes : enemies in line, opposite which the units of the first line stand
    scale : of the rules, as in `Adapter`
    """
    interval, behind, room = INTERVAL / scale, BEHIND / scale, _ASIDE / scale if foes else 0.0
    frame = Frame(facing_of(mission))
    left, along = frame.of(*mission.line[0])
    right, _ = frame.of(*mission.line[1])
    units = [unit for unit in mission.units if unit in standing]
    left_over, count = right - left + 1, 0
    for unit in units:
        left_over -= standing[unit].width
        if left_over < 0:
            break
        left_over -= interval
        count += 1
    first, second = ([standing[unit] for unit in line] for line in (units[:count], units[count:]))
    here = _in_frame(frame, first)
    opposite = _opposite(here, _in_frame(frame, foes), scale)
    weights = [_LATE if along - far > _LAGS / scale else 1.0 for far in here[:, 1].tolist()]
    behind_it = _in_frame(frame, second)[:, 0].tolist()
    slots = dict[int, Slot]()
    for line, back, places in (
        (
            units[:count],
            0.0,
            _abreast(first, opposite, weights, (left - room, right + room), interval),
        ),
        (
            units[count:],
            behind,
            _abreast(second, behind_it, [1.0] * len(second), (left, right), interval),
        ),
    ):
        for unit, across in zip(line, places, strict=True):
            x, y = frame.on_field(across, along - back)
            slots[unit] = Slot(x, y, frame.facing, is_first=not back)
    return slots


def _in_frame(frame: Frame, bodies: Sequence[PlacedUnit]) -> NDArray[np.float64]:
    """Return the (n, 2) positions of units, across and along."""
    return frame.of_all(np.array([(body.x, body.y) for body in bodies]).reshape(-1, 2))


def _opposite(here: NDArray[np.float64], foes: NDArray[np.float64], scale: float) -> list[float]:
    """Return the best positions across: opposite the nearest enemy ahead, or unchanged."""
    wanted = here[:, 0].copy()
    if len(here) and len(foes):
        across, along = (foes[:, axis] - here[:, axis, None] for axis in (0, 1))
        aside = np.abs(across)
        aside[(along <= 0) | (along >= _BEFORE / scale)] = np.inf
        nearest = aside.argmin(axis=1)
        is_near = aside[np.arange(len(here)), nearest] < _ASIDE / scale
        wanted[is_near] = foes[nearest[is_near], 0]
    found: list[float] = wanted.tolist()
    return found


def _abreast(
    line: Sequence[PlacedUnit],
    wanted: Sequence[float],
    weights: Sequence[float],
    ends: Spot,
    interval: float,
) -> list[float]:
    """Return the positions of units across, side by side between two ends.

    Each unit is as near as possible to its best position. Blocks of units that would overlap are
    centred on the weighted mean of these (pool-adjacent-violators algorithm).
    """
    left, right = ends
    blocks = list[tuple[float, float, int]]()
    offsets, used = list[float](), 0.0
    for body, middle, own in zip(line, wanted, weights, strict=True):
        offsets.append(used + body.width / 2)
        used += body.width + interval
        start, weight, count = middle - offsets[-1], own, 1
        while blocks and blocks[-1][0] > start:
            before, heavy, units = blocks.pop()
            start = (before * heavy + start * weight) / (heavy + weight)
            weight, count = weight + heavy, count + units
        blocks.append((start, weight, count))
    last = max(right - (used - interval), left)
    starts = [min(max(start, left), last) for start, _, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]
