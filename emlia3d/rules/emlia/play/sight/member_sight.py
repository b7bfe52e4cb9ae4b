"""Emlia, chapter 19.2: the members of many units inspected one by one, all units in one call.

This matters only if the boundary of a unit of several members does not conceal it totally. The
search in a unit stops at the first member that is exposed; for most units that is the first of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emlia3d.force.formation import figure_outline, footprints
from emlia3d.geometry import Bodies
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.kernels.sight_levels import OPEN, Members
from emlia3d.rules.emlia.play.sight.batch_sight import BatchSight
from emlia3d.rules.emlia.play.sight.sight_pairs import Flags, Levels, Numbers, SightEndpoints
from emlia3d.rules.emlia.tables.sight import with_members

_APART = 16
"""One in this number of members is inspected before the others."""


@dataclass(frozen=True, slots=True)
class MemberLevels:
    """The concealment between k pairs of units, each *other* from its *one*, and then the reverse.

    levels : (2k,) uint8
    floors : (2k,) the same by boundaries alone
    members : (2k,) the minimum of the members alone, where it is above *floors*; elsewhere 0
    screens : (k,) what alone hides both of a pair, as from `BatchSight.by_boundary`
    """

    levels: Levels
    floors: Levels
    members: Levels
    screens: Numbers


class MemberSight:
    """Inspects members; checks the member first that was exposed last time."""

    def __init__(self, batch_sight: BatchSight) -> None:
        self.batch_sight = batch_sight
        self._exposed: dict[tuple[int, int], int] = {}
        # The member of each unit seen last: it is likely to be seen by others too.
        self._exposed_last: dict[int, int] = {}

    def both_ways(self, one: Numbers, other: Numbers) -> MemberLevels:
        """Return how much the units of each pair are concealed from each other."""
        near, far = np.concatenate([one, other]), np.concatenate([other, one])
        floors, screens, touch = self.batch_sight.by_boundary(one, other)
        members = self.levels(near, far, floors, np.tile(touch, 2))
        # A hidden unit does not see; but a minimum that is total stays total.
        back = np.concatenate([members[len(one) :], members[: len(one)]])
        return MemberLevels(
            with_members(floors, members, back == Level.TOTAL), floors, members, screens
        )

    def is_plain(self, observers: Numbers, observed: Numbers) -> Flags:
        """(k,) whether each observer sees the observed without any concealment.

        Members are inspected only for pairs that the boundary does not settle.
        """
        count, out = len(observers), np.zeros(len(observers), dtype=np.bool_)
        floors, _, touch = self.batch_sight.by_boundary(observers, observed)
        forth, back = floors[:count], floors[count:]
        some = np.flatnonzero(forth == Level.NONE)
        members = self.levels(observers[some], observed[some], forth[some], touch[some])
        some = some[members == Level.NONE]
        # A unit that cannot be seen does not see.
        seers = self.levels(observed[some], observers[some], back[some], touch[some])
        out[some[seers != Level.TOTAL]] = True
        return out

    def levels(
        self,
        observers: Numbers,
        observed: Numbers,
        floors: Levels,
        touch: Flags,
        base_damage: int | None = None,
    ) -> Levels:
        """Return the minimum concealment of single members of each *observed*, (k,) uint8.

        It is 0 where it is not above *floors*, the concealment by the boundary; where the unit has
        only one member; and where the two units *touch*.

        base_damage : find cover against such an attack instead; *floors* is then the cover by the
            boundary, or none
        """
        out = np.zeros(len(observers), dtype=np.uint8)
        alone = self.batch_sight.units().alone[observed]
        doubtful = np.flatnonzero((floors < Level.TOTAL) & ~alone & ~touch)
        if not len(doubtful):
            return out
        pairs = np.column_stack((observers[doubtful], observed[doubtful]))
        floors = floors[doubtful]
        levels, exposed = self.batch_sight.field().by_members(
            pairs.astype(np.int32),
            floors,
            self._members(pairs),
            self.batch_sight.stops(base_damage),
        )
        for k in np.flatnonzero(exposed >= 0).tolist():
            self._note(pairs.item(k, 0), pairs.item(k, 1), exposed.item(k))
        for k in np.flatnonzero(levels == OPEN).tolist():
            levels[k] = self._look(pairs.item(k, 0), pairs.item(k, 1), floors.item(k), base_damage)
        out[doubtful] = levels
        return out

    def _note(self, observer: int, observed: int, member: int) -> None:
        """Remember a member that was exposed."""
        self._exposed[observer, observed] = member
        self._exposed_last[observed] = member

    def _first(self, observer: int, observed: int, count: int) -> int:
        """Return which of *count* members to inspect first."""
        last = self._exposed_last.get(observed, count // 2)
        return min(self._exposed.get((observer, observed), last), count - 1)

    def _members(self, pairs: Numbers) -> Members:
        """Return the members of the observed of pairs, each on the ground under it."""
        batch_sight = self.batch_sight
        situation = self.batch_sight.situation
        state = self.batch_sight.moment.state
        units, which = np.unique(pairs[:, 1], return_inverse=True)
        numbers, row = units.tolist(), batch_sight.unit_of[units]
        facing, raised = state.units.ints("facing")[row], state.units.floats("on_height")[row]
        figures = [
            figure_outline(situation.drill(unit), way)
            for unit, way in zip(numbers, facing.tolist(), strict=True)
        ]
        spots = [situation.places(unit) for unit in numbers]
        counts, points = [len(some) for some in spots], [len(figure) for figure in figures]
        starts = np.cumsum([0, *counts[:-1]]), np.cumsum([0, *points[:-1]])
        columns = np.stack((starts[0], counts, starts[1], points), axis=1)
        places = np.empty((len(pairs), 5), dtype=np.int32)
        places[:, 1:] = columns[which]
        places[:, 0] = [
            self._first(observer, observed, count)
            for (observer, observed), count in zip(
                pairs.tolist(), places[:, 2].tolist(), strict=True
            )
        ]
        footings = np.concatenate([situation.ground_under(unit) for unit in numbers])
        return Members(
            spots=np.concatenate(spots), footings=footings + np.repeat(raised, counts),
            figures=np.concatenate(figures), places=places,
        )  # fmt: skip

    def _look(self, observer: int, observed: int, floor: int, base_damage: int | None) -> int:
        """Return the same level of one unit if the kernel leaves a member open."""
        count, least = len(self.batch_sight.situation.places(observed)), int(Level.TOTAL)
        for some in scattered(count, self._first(observer, observed, count)):
            endpoints, far = self._lined_up(observed, some)
            floors, near = np.full(len(some), floor, np.uint8), np.full(len(some), observer)
            glance = self.batch_sight.look(
                endpoints, near, far, floors=floors, base_damage=base_damage
            )
            member = int(glance.levels.argmin())
            least = min(least, glance.levels.item(member))
            if least <= floor:
                self._note(observer, observed, some[member])
                return Level.NONE
        return least

    def _lined_up(self, observed: int, some: list[int]) -> tuple[SightEndpoints, Numbers]:
        """Return the units followed by these members of one, and the positions of the members."""
        batch_sight = self.batch_sight
        situation = self.batch_sight.situation
        whole = self.batch_sight.units()
        units, row = batch_sight.moment.state.units, batch_sight.unit_of.item(observed)
        spots = situation.places(observed).take(some, 0)
        facing = units.integer("facing", row)
        bodies = Bodies.of_footprints(
            *footprints([situation.drill(observed)], [facing], [len(some)], spots)
        )
        raised = float(units.value("on_height", row))
        count = len(whole.unit)
        endpoints = SightEndpoints(
            bodies=whole.bodies.concat(bodies),
            unit=np.append(whole.unit, np.full(len(some), observed)),
            row=np.append(whole.row, len(whole.bodies) + np.arange(len(some))),
            footing=np.append(whole.footing, situation.ground_under(observed)[some] + raised),
            alone=np.append(whole.alone, np.ones(len(some), dtype=np.bool_)),
        )
        return endpoints, np.arange(count, count + len(some))


def scattered(count: int, first: int = 0) -> Iterator[list[int]]:
    """Yield all members in groups: *first*, then a few that are far apart, then the rest.

    If these do not settle the question, the rest rarely do, so they come at once.
    """
    yield [min(first, count - 1)]
    yield list(range(0, count, _APART))
    halves = [_APART >> step for step in range(1, _APART.bit_length())]
    rest = [member for half in halves for member in range(half, count, 2 * half)]
    if rest:
        yield rest
