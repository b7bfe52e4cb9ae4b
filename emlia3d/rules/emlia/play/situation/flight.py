"""Emlia, chapter 12 as play: flying, at any altitude, over whatever lies below.

A flyer's altitude is how far it is above the ground, the column "on_height" of its unit. What a
flight costs is its length in space; on its way only bodies bar it that it would meet at
its height, and it does not come down into what it could not stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.field.ground import median
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.situation.going import modes_of
from emlia3d.rules.emlia.play.situation.pose import Pose, at_altitude, gone
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import FLYING, GROUND, flight_length
from emlia3d.rules.emlia.tables.terrain import movement_cost

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_BESIDE = 1e-6
"""Distance from the edge of a hill, along the way, at which the ground is sampled."""

_HALVINGS = 24


def can_fly(moment: Moment, unit: int) -> bool:
    """Return whether flying is among its modes."""
    return FLYING in modes_of(moment, unit)


def is_aloft(moment: Moment, unit: int) -> bool:
    """Return whether it is in the air now."""
    return bool(moment.state.units.value("on_height", unit)) and can_fly(moment, unit)


def ceiling_of(moment: Moment) -> float:
    """Return the highest altitude that the scenario allows; 0 where it sets none."""
    return numbers_of(moment).ceiling


def foot_at(moment: Moment, pose: Pose) -> float:
    """Return the height above map level at which a unit at a pose stands, altitude included."""
    return median(situation_of(moment).ground_at(pose.places)) + pose.altitude


def flight_cost(moment: Moment, start: Pose, end: Pose) -> float:
    """GSU of the shortest flight from one pose straight to another, over all ground between."""
    return _flown(moment, start, foot_at(moment, start), end)


def _flown(moment: Moment, start: Pose, foot: float, end: Pose) -> float:
    """Return the length of a flight in space from a pose with a known base elevation."""
    (ax, ay), (bx, by) = start.middle, end.middle
    length = sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    profile = [(0.0, foot), (length, foot_at(moment, end))]
    if length:
        shares = _breaks(moment, (ax, ay), (bx, by))
        spots = np.array([ax, ay]) + shares[:, None] * np.array([bx - ax, by - ay])
        heights = situation_of(moment).ground_at(spots)
        profile[1:1] = zip((shares * length).tolist(), heights.tolist(), strict=True)
    return flight_length(profile)


def _breaks(
    moment: Moment, start: tuple[float, float], end: tuple[float, float]
) -> NDArray[np.float64]:
    """Shares of the way, ascending, at which the slope of the ground may change."""
    field, situation = moment.setup.field, situation_of(moment)
    cell = field.ground.cell
    shares: list[NDArray[np.float64]] = [np.empty(0)]
    if not field.ground.is_level:
        east, south = (
            [(x - cell / 2) / cell for x in (start[0], end[0])],
            [(field.size[1] - y - cell / 2) / cell for y in (start[1], end[1])],
        )
        slant = [a + b for a, b in zip(east, south, strict=True)]
        for first, last in (east, south, slant):
            low, high = sorted((first, last))
            if high > low:
                marks = np.arange(ceil(low), floor(high) + 1)
                shares.append(np.asarray((marks - first) / (last - first), dtype=np.float64))
    way = shapely.linestrings([start, end])
    for hill in situation.hills():
        rims = shapely.get_coordinates(shapely.intersection(way, shapely.boundary(hill)))
        along = np.atleast_1d(shapely.line_locate_point(way, shapely.points(rims), normalized=True))
        shares += [along - _BESIDE, along + _BESIDE]
    found = np.unique(np.concatenate(shares))
    return found[(found > 0) & (found < 1)]


def glide(
    moment: Moment, pose: Pose, way: int, distance: float, altitude: float, budget: float
) -> tuple[Pose, float]:
    """As much of a straight flight as there is movement for: where it ends, and its cost.

    distance, altitude : GSU that are wanted, and height above the ground at their end
    """
    foot = foot_at(moment, pose)

    def part(share: float) -> tuple[Pose, float]:
        high = snapped(pose.altitude + share * (altitude - pose.altitude))
        end = at_altitude(gone(pose, way, share * distance), high)
        return end, _flown(moment, pose, foot, end)

    end, cost = part(1.0)
    if cost <= budget:
        return end, cost
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if part(middle)[1] <= budget else (low, middle)
    return part(low)


def met_between(
    moment: Moment, unit: int, others: Sequence[int], poses: Sequence[Pose]
) -> list[int]:
    """Return the units of *others* whose height overlaps the unit's own on its way."""
    situation = situation_of(moment)
    feet = [foot_at(moment, pose) for pose in poses]
    low, high = min(feet, default=inf), max(feet, default=-inf) + situation.height(unit)
    return [
        other
        for other in others
        if situation.footing(other) < high
        and low < situation.footing(other) + situation.height(other)
    ]


def landing_barred(moment: Moment, unit: int, altitude: float) -> NDArray[np.object_]:
    """Outlines of what a flyer may not be in at this altitude: deep water, and what rises so high.

    It may be above them.
    """
    entry = situation_of(moment).entry(unit)
    present = moment.state.features.ints("present")
    found = [
        feature.outline
        for row, feature in enumerate(moment.setup.field.features)
        if present[row]
        and altitude < abs(feature.height)
        and movement_cost(feature, mode=GROUND, size=entry.size, height=entry.height) is None
    ]
    return np.array(found, dtype=object)
