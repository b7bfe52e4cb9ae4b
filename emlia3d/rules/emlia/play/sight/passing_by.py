"""Emlia, chapter 20 as play: who sees a hidden enemy without concealment during a move.

The bodies that an event moves are placed at positions along their ways in a copy of the battle, and
the usual sight rules apply there. Ruling: between the points of its way, a body moves straight,
with the formation, facing and height that it has at the end of the move. So the position of a body
that turns on its way can be wrong by the displacement of that turn about the middle of its front
line. All bodies of one event move at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.member_sight import MemberSight
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import head_of, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.stances import Stance, stances_along

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Pairs: TypeAlias = NDArray[np.intp]
Points: TypeAlias = NDArray[np.float64]

SPACING = 1.0
"""Distance between sampled positions along the longest way, GSU; points of ways are also sampled.

A view through a gap that is open for a shorter part of the way can be missed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedWay:
    """The ways of the bodies that one event moves.

    ends : the change that places each body at its end
    ways : (n, 2) GSU, the points of each way, including its start and its end
    """

    ends: tuple[Place, ...]
    ways: tuple[Points, ...]

    def places(self) -> list[tuple[Place, ...]]:
        """Return the places of all bodies at each sampled moment, from the start to the end."""
        marks = [_lengths(way) for way in self.ways]
        longest = max(float(lengths[-1]) for lengths in marks)
        count = ceil(longest / SPACING)
        shares = {step / count for step in range(1, count)}
        for lengths in marks:
            if lengths[-1]:
                shares.update((lengths[1:-1] / lengths[-1]).tolist())
        return [
            tuple(
                _at(end, way, lengths, share)
                for end, way, lengths in zip(self.ends, self.ways, marks, strict=True)
            )
            for share in sorted(shares)
        ]


def _lengths(way: Points) -> Points:
    """(n,) GSU from the start of a way to each of its points."""
    steps = np.sqrt((np.diff(way, axis=0) ** 2).sum(axis=1))
    return np.concatenate([[0.0], np.cumsum(steps)])


def _at(end: Place, way: Points, lengths: Points, share: float) -> Place:
    """Return the body at this share of its way."""
    x, y = (float(np.interp(share * lengths[-1], lengths, way[:, axis])) for axis in (0, 1))
    return structs.replace(end, x=snapped(x), y=snapped(y))


def passage_of(moment: Moment, event: Event) -> PassedWay | None:
    """Return the ways of an event about to happen; None if none matters to a hidden unit."""
    hidden = moment.state.pairs["hidden"]
    if not hidden:
        return None
    units = moment.state.units
    ends = tuple(
        change
        for change in event.changes
        if isinstance(change, Place) and units.value("present", change.unit)
    )
    moving = {end.unit for end in ends}
    if not any(one in moving or other in moving for one, other in hidden):
        return None
    ways = tuple(_way(moment, event, end) for end in ends)
    if all(_lengths(way)[-1] <= 0 for way in ways):
        return None
    return PassedWay(ends=ends, ways=ways)


def _way(moment: Moment, event: Event, end: Place) -> Points:
    """Return the points of a body's way: the recorded path, or a straight line."""
    units = moment.state.units
    points = [(float(units.value("x", end.unit)), float(units.value("y", end.unit)))]
    told = np.array(getattr(event.facts, "path", None) or (), dtype=np.float64).reshape(-1, 2)
    if event.unit is not None and len(told) and end.unit in parts_of(moment, event.unit):
        # A part keeps its place in the whole unit.
        points += (told - told[-1] + (end.x, end.y)).tolist()
    return np.array([*points, (end.x, end.y)])


def seen_on_the_way(moment: Moment, passage: PassedWay, hidden: Pairs) -> list[tuple[int, int]]:
    """Return the pairs of an observer and a hidden enemy that it saw plainly on the way.

    moment : after the move
    hidden : (k, 2) the pairs in question; only pairs with a unit that moved count
    """
    moving = [end.unit for end in passage.ends]
    left = hidden[np.isin(hidden, moving).any(axis=1)]
    if not len(left):
        return []
    movers = {head_of(moment, unit) for unit in moving}
    if len(movers) == 1 and np.isin(left, list(movers)).any(axis=1).all():
        return _seen_along(moment, movers.pop(), passage, left)
    scene, seen = moment.fork(), list[tuple[int, int]]()
    for _ in _each_place(scene, passage):
        sight_cache = sight_cache_of(scene)
        sight_cache.find(left)
        plain = sight_cache.levels_of(left) == Level.NONE
        seen += _pairs(left[plain])
        left = left[~plain]
        if not len(left):
            break
    return sorted(seen)


def _each_place(scene: Moment, passage: PassedWay) -> Iterator[None]:
    """Put the bodies at each place of their ways in turn."""
    for places in passage.places():
        scene.suppose(places)
        yield


def _seen_along(
    moment: Moment, unit: int, passage: PassedWay, pairs: Pairs
) -> list[tuple[int, int]]:
    """Return the same if one unit moves that is in every pair; query all places at once."""
    stances = _stances(moment, unit, passage)
    if not stances:
        return []
    rows = len(moment.state.units) + np.arange(len(stances))
    one = np.tile(rows, len(pairs))
    other = np.repeat(np.where(pairs[:, 0] == unit, pairs[:, 1], pairs[:, 0]), len(stances))
    observes = np.repeat(pairs[:, 0] == unit, len(stances))
    search = MemberSight(sight_cache_of(moment).batch_sight.along(unit, stances))
    plain = search.is_plain(np.where(observes, one, other), np.where(observes, other, one))
    return sorted(_pairs(pairs[plain.reshape(len(pairs), -1).any(axis=1)]))


def _stances(moment: Moment, unit: int, passage: PassedWay) -> list[Stance]:
    """Return where the unit stands at each place of its way."""
    situation, places = situation_of(moment), passage.places()
    if not places:
        return []
    if situation.parts(unit) == (unit,) and len(passage.ends) == 1 and not situation.is_drawn(unit):
        fronts = np.array([(at.x, at.y) for (at,) in places])
        return stances_along(situation, unit, fronts)
    scene = moment.fork()
    return [situation_of(scene).stance(unit) for _ in _each_place(scene, passage)]


def _pairs(rows: Pairs) -> Sequence[tuple[int, int]]:
    return [(one, other) for one, other in rows.tolist()]
