"""Emlia, chapter 19.2: the members of many units looked at one by one, all units at once.

It can matter only where a unit of several members is not concealed wholly by its boundary. Every
round looks at a few more members of each unit whose members may yet all be concealed; most units
are done after the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emlia3d.force.formation import footprints
from emlia3d.geometry import Bodies
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.play.sight.batch_sight import BatchSight
from emlia3d.rules.emlia.play.sight.lineup import Flags, Levels, Numbers, SightEndpoints
from emlia3d.rules.emlia.tables.sight import with_members

_AT_ONCE = 2048
"""Members looked at together: with so many, more at once would take room and save no time."""
_APART = 16
"""One in this number of members is inspected before the others."""


@dataclass(frozen=True, slots=True)
class MemberLevels:
    """The concealment between k pairs of units, each *other* from its *one*, and then the reverse.

    levels : (2k,) uint8
    floors : (2k,) the same by boundaries alone
    members : (2k,) the minimum of every member by itself, where it is above that; elsewhere 0
    screens : (k,) what by itself hides both of a pair, as of `BatchSight.by_boundary`
    """

    levels: Levels
    floors: Levels
    members: Levels
    screens: Numbers


@dataclass(slots=True)
class _Search:
    """A pair whose observed is still looked at, member by member."""

    pair: int
    observer: int
    observed: int
    floor: int
    rounds: Iterator[list[int]]
    least: int = Level.TOTAL


class MemberSight:
    """Looks at members, and remembers whom it saw, to ask about him first the next time."""

    def __init__(self, batch_sight: BatchSight) -> None:
        self.batch_sight = batch_sight
        self._exposed: dict[tuple[int, int], int] = {}
        # The same of each unit, to whoever looked at it last: he is likely to be so to others.
        self._exposed_last: dict[int, int] = {}

    def both_ways(self, one: Numbers, other: Numbers) -> MemberLevels:
        """Return how much the units of each pair are concealed from each other."""
        near, far = np.concatenate([one, other]), np.concatenate([other, one])
        floors, screens, touch = self.batch_sight.by_boundary(one, other)
        members = self.levels(near, far, floors, np.tile(touch, 2))
        # What cannot be seen does not see; but a floor that is total stays what it is.
        back = np.concatenate([members[len(one) :], members[: len(one)]])
        return MemberLevels(
            with_members(floors, members, back == Level.TOTAL), floors, members, screens
        )

    def levels(
        self,
        observers: Numbers,
        observed: Numbers,
        floors: Levels,
        touch: Flags,
        base_damage: int | None = None,
    ) -> Levels:
        """(k,) uint8: the least concealment that every member of each *observed* has by itself.

        0 where it is not above the concealment by the boundary, *floors*, and so adds nothing; and
        where there are no two members, or the two units *touch*.

        base_damage : find cover against such an attack instead, of which *floors* is that of the
            boundary or none
        """
        out = np.zeros(len(observers), dtype=np.uint8)
        alone = self.batch_sight.units().alone[observed]
        doubtful = np.flatnonzero((floors < Level.TOTAL) & ~alone & ~touch)
        searches = self._searches(doubtful, observers, observed, floors)
        while searches:
            looked = [(search, some) for search in searches for some in _next(search.rounds)]
            done = {search.pair for search, _ in looked}
            for search in searches:
                if search.pair not in done:
                    out[search.pair] = search.least
            searches = [
                left for some in _in_parts(looked) for left in self._look(some, base_damage)
            ]
        return out

    def _searches(
        self, pairs: Numbers, observers: Numbers, observed: Numbers, floors: Levels
    ) -> list[_Search]:
        columns = pairs, observers[pairs], observed[pairs], floors[pairs]
        return [
            _Search(pair, observer, unit, floor, self._rounds(observer, unit))
            for pair, observer, unit, floor in zip(*(c.tolist() for c in columns), strict=True)
        ]

    def _rounds(self, observer: int, observed: int) -> Iterator[list[int]]:
        """Whom to look at, round after round."""
        count = len(self.batch_sight.situation.places(observed))
        last = self._exposed_last.get(observed, count // 2)
        return scattered(count, self._exposed.get((observer, observed), last))

    def _look(
        self, looked: list[tuple[_Search, list[int]]], base_damage: int | None
    ) -> list[_Search]:
        """Look at some members of each; those of whom nobody was exposed are looked at further."""
        lineup, near = self._lined_up(looked)
        far = np.arange(len(self.batch_sight.units().unit), len(lineup.unit))
        counts = [len(some) for _, some in looked]
        floors = np.repeat(np.array([search.floor for search, _ in looked], np.uint8), counts)
        glance = self.batch_sight.look(lineup, near, far, floors=floors, base_damage=base_damage)
        levels = glance.levels.tolist()
        left, start = [], 0
        for search, some in looked:
            mine = levels[start : start + len(some)]
            start += len(some)
            least = min(mine)
            if least <= search.floor:
                member = some[mine.index(least)]
                self._exposed[search.observer, search.observed] = member
                self._exposed_last[search.observed] = member
            else:
                search.least = min(search.least, least)
                left.append(search)
        return left

    def _lined_up(self, looked: list[tuple[_Search, list[int]]]) -> tuple[SightEndpoints, Numbers]:
        """The units, and after them the members who are looked at; and who looks at each of them.

        Each stands on the ground under him.
        """
        batch_sight, state = self.batch_sight, self.batch_sight.moment.state
        counts = [len(some) for _, some in looked]
        unit = np.repeat([search.observed for search, _ in looked], counts)
        spots = np.concatenate(
            [batch_sight.situation.places(s.observed).take(some, 0) for s, some in looked]
        )
        observed = [search.observed for search, _ in looked]
        unit_of = batch_sight.unit_of
        facing = state.units.ints("facing")[unit_of]
        raised = state.units.floats("on_height")[unit_of]
        points, offsets = footprints(
            [batch_sight.situation.drill(each) for each in observed],
            [int(facing[each]) for each in observed], counts, spots,
        )  # fmt: skip
        whole = batch_sight.units()
        bodies = whole.bodies.joined(Bodies.of_footprints(points, offsets))
        lineup = SightEndpoints(
            bodies=bodies,
            unit=np.concatenate([whole.unit, unit]),
            row=np.concatenate([whole.row, len(whole.bodies) + np.arange(len(spots))]),
            footing=np.concatenate(
                [whole.footing, batch_sight.situation.ground_at(spots) + raised[unit]]
            ),
            alone=np.concatenate([whole.alone, np.ones(len(spots), dtype=np.bool_)]),
        )
        return lineup, np.repeat([search.observer for search, _ in looked], counts)


def scattered(count: int, first: int = 0) -> Iterator[list[int]]:
    """All members, *first* before the others, then a few who are far apart.

    Where those do not settle it, hardly ever does anybody: the rest come at once.
    """
    yield [min(first, count - 1)]
    yield list(range(0, count, _APART))
    halves = [_APART >> step for step in range(1, _APART.bit_length())]
    rest = [member for half in halves for member in range(half, count, 2 * half)]
    if rest:
        yield rest


def _in_parts(
    looked: list[tuple[_Search, list[int]]],
) -> Iterator[list[tuple[_Search, list[int]]]]:
    """In their order, as many together as have no more members than are looked at at once."""
    part: list[tuple[_Search, list[int]]] = []
    members = 0
    for search, some in looked:
        if part and members + len(some) > _AT_ONCE:
            yield part
            part, members = [], 0
        part.append((search, some))
        members += len(some)
    if part:
        yield part


def _next(rounds: Iterator[list[int]]) -> list[list[int]]:
    """The next round, if there is one."""
    some = next(rounds, None)
    return [] if some is None else [some]
