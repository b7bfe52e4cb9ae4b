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
    bodies_of,
    is_open,
    meet,
    men_of_all,
    passed,
)
from emlia3d.rules.emlia.play.situation.pose import Pose, gone
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

    Floats = NDArray[np.float64]

_BACK = 0.5
"""GSU between the distances that are tried, from the farthest back."""

_WITHIN = 0.98
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
    steps = [*_steps(distance)]
    if not steps:
        return 0.0
    end = gone(pose, way, distance)
    near = passed(moment, unit, end, through, end.outline.envelope, forced=forced)
    if has_places(moment, end, near):
        return distance
    if flight.can_fly(moment, unit) or _any_aloft(moment):
        # At each distance other units are at its height.
        for step in steps[1:]:
            end = gone(pose, way, step)
            near = passed(moment, unit, end, through, end.outline.envelope, forced=forced)
            if has_places(moment, end, near):
                return step
        return 0.0
    corners = [shapely.get_coordinates(each.outline) for each in (pose, end)]
    swept: BaseGeometry = shapely.MultiPoint(np.concatenate(corners)).convex_hull
    others = passed(moment, unit, pose, through, swept, forced=forced)
    return _first_free(moment, pose, way, steps[1:], others) or 0.0


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
    for step in steps:
        apart = np.abs(step - contacts.middle)
        if (apart < contacts.surely).any():
            continue
        doubtful = apart <= contacts.perhaps
        if doubtful.any():
            end = gone(pose, way, step) if step else pose
            own = bodies_of(end)[np.unique(contacts.own[doubtful])]
            men = men_of_all(moment, others)[np.unique(contacts.other[doubtful])]
            if meet(own, men):
                continue
        return step
    return None


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
    found: list[_Discs] = []
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
    return _Discs(spots, radius, _WITHIN * radius)


def _joined(discs: Sequence[_Discs]) -> _Discs:
    return _Discs(*(
        np.concatenate([getattr(each, name) for each in discs])
        for name in ("centres", "outer", "inner")
    ))  # fmt: skip


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
    gaps = [others.centres[:, axis] - own.centres[:, axis][:, None] for axis in (0, 1)]
    along = gaps[0] * east + gaps[1] * north
    across = (gaps[0] * north - gaps[1] * east) ** 2
    reach = (own.outer[:, None] + others.outer + SKIN + _ROUNDED) ** 2 - across
    half = np.sqrt(np.maximum(reach, 0.0))
    met = (reach >= 0) & (along + half >= min(steps)) & (along - half <= max(steps))
    one, other = np.nonzero(met)
    within = np.where(own.inner > SKIN, own.inner - SKIN - _ROUNDED, -np.inf)
    inner = np.maximum(within[one] + others.inner[other], 0.0)
    surely = inner**2 - across[met]
    return _Contacts(one, other, along[met], np.sqrt(np.maximum(surely, 0.0)), half[met])
