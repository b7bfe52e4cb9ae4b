"""Emlia, chapter 2 as play: how far a unit goes so that each of its members finds a free place.

Circles about members and other bodies decide nearly all of it for a whole way at once; outlines are
compared only where circles leave it open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID, Formation, FormationLayout
from emlia3d.rules.emlia.play.situation import flight
from emlia3d.rules.emlia.play.situation.footing import (
    SKIN,
    Bodies,
    bodies_of,
    is_open,
    meet,
    men_of_all,
    passed,
)
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.pose import Pose, gone
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

    Floats = NDArray[np.float64]

_BACK = 0.5
"""GSU between the distances that are tried, from the farthest back."""

WITHIN = 0.98
"""The radius of a circle within the outline of a member, a disc of sixteen sides: a proportion."""

_ROUNDED = 8 / GRID
"""GSU by which rounding may put a member elsewhere than straight on."""


def to_free_places(  # noqa: PLR0913  the unit, its line, what it ignores and why it moves
    moment: Moment,
    unit: int,
    pose: Pose,
    way: int,
    distance: float,
    through: Sequence[int],
    *,
    forced: bool = False,
) -> float:
    """Return how far of a straight way a unit goes so that each of its members finds a place.

    Members of open units step aside for one another as they go, and a unit passes over others of
    up to a quarter of its height; where it halts each member has room for its feet.
    """
    if distance <= 0:
        return 0.0
    end = gone(pose, way, distance)
    near = passed(moment, unit, end, through, end.outline.envelope, forced=forced)
    if has_places(moment, end, near):
        return distance
    _, *steps = _steps(distance)
    if flight.can_fly(moment, unit) or _any_aloft(moment):
        # At each distance other units are at its height.
        for step in steps:
            end = gone(pose, way, step)
            near = passed(moment, unit, end, through, end.outline.envelope, forced=forced)
            if has_places(moment, end, near):
                return step
        return 0.0
    corners = [shapely.get_coordinates(each.outline) for each in (pose, end)]
    swept: BaseGeometry = shapely.MultiPoint(np.concatenate(corners)).convex_hull
    others = passed(moment, unit, pose, through, swept, forced=forced)
    return _first_free(moment, pose, way, steps, others) or 0.0


def _any_aloft(moment: Moment) -> bool:
    raised = np.flatnonzero(moment.state.units["on_height"] != 0).tolist()
    return any(flight.is_aloft(moment, unit) for unit in raised)


def _steps(distance: float) -> Iterator[float]:
    """Yield the distances that are tried."""
    while distance > 0:
        yield distance
        distance -= _BACK


def has_places(moment: Moment, pose: Pose, others: Sequence[int]) -> bool:
    """Return whether the members of a unit would stand in no members of some others."""
    return _first_free(moment, pose, pose.facing, [0.0], others) is not None


def _first_free(
    moment: Moment, pose: Pose, way: int, steps: Sequence[float], others: Sequence[int]
) -> float | None:
    """Return the first of some distances straight on at which a unit stands in no others."""
    if not others or not steps:
        return next(iter(steps), None)
    contacts = _contacts(_discs_of(pose), _discs_of_all(moment, others), way, steps)
    men: Bodies | None = None
    for step in steps:
        apart = np.abs(step - contacts.middle)
        if (apart < contacts.surely).any():
            continue
        doubtful = apart <= contacts.perhaps
        if doubtful.any():
            end = gone(pose, way, step) if step else pose
            own = bodies_of(end)[np.unique(contacts.own[doubtful])]
            men = men_of_all(moment, others) if men is None else men
            if meet(own, men[np.unique(contacts.other[doubtful])]):
                continue
        return step
    return None


class TakenPlaces:
    """The bodies that may take the places of an open unit on any straight way from where it stands.

    They rule out most ways without a free place; but none for any other unit, or if a unit flies.
    """

    def __init__(self, moment: Moment, unit: int, pose: Pose, distance: float) -> None:
        """Take in what the unit may meet within *distance* GSU of its *pose*."""
        self._discs = _NO_DISCS
        if flight.can_fly(moment, unit) or _any_aloft(moment):
            return
        (x, y), far = pose.middle, float(distance + farthest_corner(pose))
        area = shapely.box(x - far, y - far, x + far, y + far)
        self._discs = _discs_of_all(moment, passed(moment, unit, pose, (), area))

    def surely_bar(self, pose: Pose, way: int, least: float, most: float) -> bool:
        """Return whether the unit has no free place between *least* and *most* GSU straight on."""
        if not len(self._discs.centres) or pose.drill.formation is not Formation.OPEN:
            return False
        contacts = _contacts(_discs_of(pose), self._discs, way, (least, most))
        start, end = contacts.middle - contacts.surely, contacts.middle + contacts.surely
        reach = least
        for row in np.argsort(start, kind="stable").tolist():
            if start[row] >= reach:
                return False
            reach = max(reach, float(end[row]))
            if reach > most:
                return True
        return False

    def surely_taken(self, pose: Pose, way: int, steps: Sequence[float]) -> NDArray[np.bool_]:
        """Return (steps,) whether the unit surely has no free place at these steps ahead."""
        if not len(self._discs.centres) or pose.drill.formation is not Formation.OPEN:
            return np.zeros(len(steps), dtype=np.bool_)
        contacts = _contacts(_discs_of(pose), self._discs, way, steps)
        apart = np.abs(np.array(steps)[:, None] - contacts.middle)
        return np.asarray((apart < contacts.surely).any(axis=1))


def farthest_corner(pose: Pose) -> float:
    """Return how far from its middle any part of a unit may be, however the unit turns, GSU."""
    away = shapely.get_coordinates(pose.outline) - np.array(pose.middle)
    return float(np.sqrt((away**2).sum(axis=1)).max())


@dataclass(frozen=True, slots=True)
class _Discs:
    """Circles about bodies: centres (n, 2), and the radii of one round each and one inside it.

    inner : minus infinity for a body of which no such circle is known
    """

    centres: Floats
    outer: Floats
    inner: Floats


def _discs_of(pose: Pose) -> _Discs:
    """Return the circles of the bodies of a unit at a pose, in the order of `bodies_of`."""
    if pose.drill.formation is not Formation.OPEN:
        return _round_outline(pose.outline)
    own = _round_members(pose.drill, pose.own_places)
    return _joined([own, *(_discs_of(part) for _, part in pose.parts)])


def _discs_of_all(moment: Moment, units: Sequence[int]) -> _Discs:
    """Return the circles of the bodies of units where they stand, in the order of `men_of_all`."""
    situation, roster = situation_of(moment), moment.state.roster
    found = [_NO_DISCS]
    for unit in units:
        if not is_open(moment, unit) or situation.is_drawn(unit):
            found.append(_round_outline(situation.outline(unit)))
            continue
        for part in situation.parts(unit):
            drill, (outline, spots) = roster.drill(part), situation.alone(part)
            is_loose = drill.formation is Formation.OPEN
            found.append(_round_members(drill, spots) if is_loose else _round_outline(outline))
    return _joined(found)


def _round_outline(outline: BaseGeometry) -> _Discs:
    west, south, east, north = outline.bounds
    centre = np.array([[(west + east) / 2, (south + north) / 2]])
    radius = np.hypot(east - west, north - south) / 2
    return _Discs(centre, np.array([radius]), np.array([-np.inf]))


def _round_members(drill: FormationLayout, spots: Floats) -> _Discs:
    radius = np.full(len(spots), max(drill.width, drill.depth) / 2)
    return _Discs(spots, radius, WITHIN * radius)


def _joined(discs: Sequence[_Discs]) -> _Discs:
    return _Discs(*(
        np.concatenate([getattr(each, name) for each in discs])
        for name in ("centres", "outer", "inner")
    ))  # fmt: skip


_NO_DISCS = _Discs(np.empty((0, 2)), np.empty(0), np.empty(0))


@dataclass(frozen=True, slots=True)
class _Contacts:
    """Pairs of bodies that may meet on a straight way, in columns.

    own, other : their places among the bodies of the unit and of the others
    middle : the distance gone at which their centres are nearest, GSU
    surely, perhaps : the distances from it within which they meet for certain, and may meet, GSU
    """

    own: NDArray[np.intp]
    other: NDArray[np.intp]
    middle: Floats
    surely: Floats
    perhaps: Floats


def _contacts(own: _Discs, others: _Discs, way: int, steps: Sequence[float]) -> _Contacts:
    """Return the pairs whose circles meet anywhere between the least and the greatest step."""
    east, north = unit_vector(way)
    one, other = _candidates(own, others, way, steps)
    gaps = [others.centres[other, axis] - own.centres[one, axis] for axis in (0, 1)]
    along = gaps[0] * east + gaps[1] * north
    across = (gaps[0] * north - gaps[1] * east) ** 2
    reach = (own.outer[one] + others.outer[other] + SKIN + _ROUNDED) ** 2 - across
    half = np.sqrt(np.maximum(reach, 0.0))
    met = (reach >= 0) & (along + half >= min(steps)) & (along - half <= max(steps))
    one, other, along, half, across = (c[met] for c in (one, other, along, half, across))
    within = np.where(own.inner > SKIN, own.inner - SKIN - _ROUNDED, -np.inf)
    inner = np.maximum(within[one] + others.inner[other], 0.0)
    surely = inner**2 - across
    return _Contacts(one, other, along, np.sqrt(np.maximum(surely, 0.0)), half)


def _candidates(
    own: _Discs, others: _Discs, way: int, steps: Sequence[float]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of which the other is in the lane that the one goes along, or nearly so."""
    course = MarchWay.towards(way)
    across, along = course.points(own.centres).T
    other_across, other_along = course.points(others.centres).T
    far = own.outer.max(initial=0.0) + others.outer.max(initial=0.0) + 1.0
    least, most = along.min(initial=np.inf) + min(steps), along.max(initial=-np.inf) + max(steps)
    near = np.flatnonzero((other_along > least - far) & (other_along < most + far))
    near = near[np.argsort(other_across[near])]
    lane = other_across[near]
    first, last = lane.searchsorted(across - far), lane.searchsorted(across + far)
    counts = last - first
    one = np.repeat(np.arange(len(across)), counts)
    # The places of each run in the sorted ones: counted on from its first.
    begin = np.repeat(first - (np.cumsum(counts) - counts), counts)
    return one, near[begin + np.arange(len(one))]
