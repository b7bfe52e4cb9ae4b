"""Sight between units at the present positions of units and features.

Levels are found for many pairs at once and kept until a change can affect them. An `Account` gives
the reasons for one pair, from the columns of the same query.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Columns, Rows, owned_copy
from emlia3d.battle.spare_rows import rows_before_spares
from emlia3d.geometry import corridor_may_intersect, pairs_met
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.account import Account, accounts
from emlia3d.rules.emlia.play.sight.batch_sight import BY_GROUND, NOTHING_ALONE, BatchSight
from emlia3d.rules.emlia.play.sight.member_sight import MemberSight
from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene
from emlia3d.rules.emlia.play.situation.parts import stand_for_themselves
from emlia3d.rules.emlia.play.situation.situation import SITUATION, Situation, situation_of
from emlia3d.rules.emlia.play.situation.unit_distances import with_room
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


Units = Sequence[int] | NDArray[np.intp]

_LEVELS = tuple(Level)
UNKNOWN = 255
"""The value of a level that has not been computed yet."""
# Number of other units of a side that are queried together with one unit.
_WITH_HIM = 4
_NOBODY = np.empty((0, 2), dtype=np.intp)
_NO_UNITS = np.empty(0, dtype=np.intp)
# Pairs whose corridors' rows are held at once.
_PAIRS_AT_ONCE = 1024


class Expected(NamedTuple):
    """Pairs whose levels will be needed, and each of *observers* with each of *observed*."""

    pairs: NDArray[np.intp]
    observers: NDArray[np.intp]
    observed: NDArray[np.intp]


class SightCache:
    """The answers to all sight questions so far about the present positions.

    Bodies are numbered: the units, then the features. When some have changed, the results for pairs
    that they cannot affect are kept.

    looks : increases each time that a body has changed
    finds : increases each time that a level was found
    """

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.looks = self.finds = 0
        # The looks and finds of another cache up to which results were copied.
        self._told = (-1, -1, -1)
        units, features = len(moment.state.units), moment.setup.field.features
        self._standing = moment.state.features.ints("present").copy()
        self._boxes = np.full((units + len(features), 4), np.nan)
        for row, feature in enumerate(features):
            self._boxes[units + row] = feature.outline.bounds
        # There is no room for rows that are kept for parts until one of them is on the field.
        self._levels = np.empty((0, 0), dtype=np.uint8)
        # The cells above the diagonal of that square, of pairs of units on the field.
        self._pairs_here = np.empty((0, 0), dtype=np.bool_)
        # The body that alone hides both units of a pair totally from each other.
        self._screened_by = np.empty((0, 0), dtype=np.int32)
        # The levels by boundaries alone, and the minimum of the members, where it is above.
        self._floors = np.empty((0, 0), dtype=np.uint8)
        self._members = np.empty((0, 0), dtype=np.uint8)
        self._make_room(rows_before_spares(moment.setup))
        self._expected = _NOBODY
        # Likewise each of some units from each of others.
        self._expected_among: list[tuple[Units, Units]] = []
        self._expected_then: dict[Hashable, Expected] = {}
        self._here = np.zeros(units, dtype=np.bool_)
        # Changes since the last query; only a query processes them.
        self._news = np.ones(units + len(features), dtype=np.bool_)
        self._scene: SightScene | None = None
        self._survey = BatchSight(moment, self.situation)
        self._one_by_one = MemberSight(self._survey)

    def forked(self, moment: Moment) -> SightCache:
        """Return a copy for another battle at the same moment, without expected pairs."""
        twin = owned_copy(self)
        twin.moment, twin._survey = moment, self._survey.forked(moment)
        twin._one_by_one = MemberSight(twin._survey)
        twin._expected, twin._expected_among, twin._expected_then = _NOBODY, [], {}
        return twin

    @property
    def situation(self) -> Situation:
        """The units and features where they are now."""
        return situation_of(self.moment)

    @property
    def scene(self) -> SightScene:
        """The bodies at their present positions."""
        return self.batch_sight.scene

    @property
    def batch_sight(self) -> BatchSight:
        """The batch engine for the present layout."""
        news, scene = np.flatnonzero(self._news), self._scene
        if len(news) or scene is None or scene.moment is not self.moment:
            self._news[news] = False
            self._survey.situation = self.situation
            self._scene = SightScene(self.moment, self.situation, scene)
            self._survey.update(self._scene, news)
        return self._survey

    @property
    def one_by_one(self) -> MemberSight:
        """The search for exposed members, at the present positions."""
        self._one_by_one.batch_sight = self.batch_sight
        return self._one_by_one

    def renew(self, moment: Moment, rows: Sequence[int]) -> None:
        """Delete the levels that changed units and features can affect."""
        standing = moment.state.features.ints("present")
        units = np.array(rows, dtype=np.intp)
        features = np.flatnonzero(self._standing != standing)
        self.looks += 1
        self._standing[:] = standing
        here = stand_for_themselves(moment)
        self._make_room(1 + int(np.flatnonzero(here).max(initial=-1)))
        room = len(self._levels)
        if len(self._pairs_here) != room or not np.array_equal(here, self._here):
            self._pairs_here = np.triu(here[:room, None] & here[:room], 1)
        self._here = here
        changed = np.concatenate([units, len(self._here) + features])
        self._news[changed] = True
        self._forget(units, changed)
        self._expected = _NOBODY
        self.expect(
            np.concatenate([_NOBODY, *(each.pairs for each in self._expected_then.values())])
        )
        self._expected_among = [
            (each.observers[self._here[each.observers]], each.observed[self._here[each.observed]])
            for each in self._expected_then.values()
        ]
        self._expected_then.clear()

    def _make_room(self, rows: int) -> None:
        """Make room for the first *rows* rows of units."""
        if rows <= len(self._levels):
            return
        self._levels = with_room(self._levels, rows, UNKNOWN)
        np.fill_diagonal(self._levels, Level.NONE)
        self._screened_by = with_room(self._screened_by, rows, NOTHING_ALONE)
        self._floors = with_room(self._floors, rows, Level.NONE)
        self._members = with_room(self._members, rows, Level.NONE)

    def _forget(self, units: NDArray[np.intp], changed: NDArray[np.intp]) -> None:
        """Delete the levels that changed bodies can affect at their old and new positions."""
        was = self._boxes[changed]
        self._boxes[units] = whereabouts_of(self.moment).boxes[units]
        boxes = np.vstack([was, self._boxes[changed]])
        boxes = boxes[~np.isnan(boxes[:, 0])]
        here = units[units < len(self._levels)]
        self._levels[here] = self._levels[:, here] = UNKNOWN
        self._levels[here, here] = Level.NONE
        moved = np.zeros(len(self._boxes), dtype=np.bool_)
        moved[changed] = True
        known = self._levels != UNKNOWN
        one, other = pairs_met(known, self._boxes[: len(known)], boxes).T
        stale = ~self._is_screened(one, other, moved)
        one, other = one[stale], other[stale]
        self._levels[one, other] = self._levels[other, one] = UNKNOWN

    def _is_screened(
        self, one: NDArray[np.intp], other: NDArray[np.intp], changed: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return (k,) whether what alone hid the two units of each pair is unchanged."""
        screen = self._screened_by[one, other]
        return np.asarray((screen == BY_GROUND) | ((screen >= 0) & ~changed[screen]))

    def level(self, observer: int, observed: int) -> Level:
        """Return how much of *observed* is concealed from *observer*."""
        if self._levels[observer, observed] == UNKNOWN:
            self.look([observer], self.with_him(observer, observed))
        return _LEVELS[self._levels.item(observer, observed)]

    def levels(self, observers: NDArray[np.intp], observed: NDArray[np.intp]) -> NDArray[np.uint8]:
        """(n, m) uint8: the levels of each of m from each of n; of a unit from itself none."""
        near, far = (part.ravel() for part in np.meshgrid(observers, observed, indexing="ij"))
        self.find(np.column_stack((near, far)))
        return self._levels[near, far].reshape(len(observers), len(observed))

    def so_far(self, observers: Units, observed: Units) -> NDArray[np.uint8]:
        """Return the levels found so far, and `UNKNOWN` elsewhere."""
        return self._levels.take(observers, axis=0).take(observed, axis=1)

    def levels_of(self, pairs: NDArray[np.intp]) -> NDArray[np.uint8]:
        """(k,) uint8: the levels of pairs of observer and observed; UNKNOWN if not found."""
        return np.asarray(self._levels[pairs[:, 0], pairs[:, 1]])

    def look(self, observers: Sequence[int], observed: Sequence[int]) -> None:
        """Find the levels of all pairs of these in one query."""
        pairs = self._unknown(observers, observed)
        if len(pairs):
            self.find(pairs)

    def learn(self, other: SightCache, strangers: NDArray[np.intp]) -> None:
        """Copy the levels found in a battle that is this one with additional units.

        strangers : the additional units of *other*; levels that they can affect are not copied
        """
        told = other.looks, other.finds, self.looks
        if told == self._told:
            return
        self._told = told
        rows = slice(min(len(self._levels), len(other._levels)))
        news = self._pairs_here[rows, rows] & (self._levels[rows, rows] == UNKNOWN)
        news &= other._levels[rows, rows] != UNKNOWN
        one, two = np.divmod(np.flatnonzero(news), len(news))
        boxes = other._boxes[strangers]
        absent = np.zeros(len(self._boxes), dtype=np.bool_)
        absent[strangers] = True
        alike = other._is_screened(one, two, absent)
        rest = np.flatnonzero(~alike)
        ends = self._boxes[one[rest]], self._boxes[two[rest]]
        alike[rest] = ~corridor_may_intersect(*ends, boxes[~np.isnan(boxes[:, 0])])
        one, two = one[alike], two[alike]
        self._levels[one, two] = other._levels[one, two]
        self._levels[two, one] = other._levels[two, one]
        self._screened_by[one, two] = other._screened_by[one, two]
        for mine, theirs in ((self._floors, other._floors), (self._members, other._members)):
            mine[one, two], mine[two, one] = theirs[one, two], theirs[two, one]

    def expect(self, pairs: NDArray[np.intp]) -> None:
        """Add pairs to be found together with the next question."""
        here = self._here[pairs[:, 0]] & self._here[pairs[:, 1]]
        self._expected = np.concatenate([self._expected, pairs[here]])

    def expect_then(
        self,
        asker: Hashable,
        pairs: NDArray[np.intp],
        observers: NDArray[np.intp] = _NO_UNITS,
        observed: NDArray[np.intp] = _NO_UNITS,
    ) -> None:
        """Expect these pairs after the next change, because the asker will then need them again.

        asker : these pairs replace its earlier ones
        observers, observed : also each of *observed* from each of *observers*
        """
        self._expected_then[asker] = Expected(pairs, observers, observed)

    def look_ahead(self) -> None:
        """Find the expected pairs that no question has covered yet."""
        self.find(self._all_expected())

    def _all_expected(self) -> NDArray[np.intp]:
        """Return the expected pairs, (k, 2); the levels of some may be known."""
        among = (self._unknown(*each) for each in self._expected_among)
        return np.concatenate([self._expected, *among])

    def _unknown(self, observers: Units, observed: Units) -> NDArray[np.intp]:
        """(k, 2) the pairs of some units and others whose levels are unknown."""
        near, far = (np.array(each, dtype=np.intp) for each in (observers, observed))
        row, column = np.nonzero(self.so_far(near, far) == UNKNOWN)
        return np.column_stack((near[row], far[column]))

    def apart(self, observers: Units, observed: Units) -> NDArray[np.float64]:
        """Return approximate squared distances, (n, m) float64."""
        west, south, east, north = self._boxes.T
        x, y = (west + east) / 2, (south + north) / 2
        one, other = np.asarray(observers), np.asarray(observed)
        ways = x[one][:, None] - x[other], y[one][:, None] - y[other]
        return np.asarray(ways[0] ** 2 + ways[1] ** 2)

    def least_of_members(self, observers: Units, observed: Units) -> NDArray[np.uint8]:
        """Return the minimum level of the members of each, (k,), where the boundary's is lower.

        Elsewhere it is NONE. The levels must have been found.
        """
        return np.asarray(self._members[observers, observed])

    def with_him(self, observer: int, observed: int) -> list[int]:
        """Return the observed unit and the nearest units of its side, often asked about next."""
        side = self.moment.state.units.ints("side")
        others = np.flatnonzero(self._here & (side == side[observed]))
        gaps = self.apart([observer], others)[0]
        nearest = others[np.argsort(gaps, kind="stable")[:_WITH_HIM]].tolist()
        return list(dict.fromkeys((observed, *nearest)))

    def find(self, pairs: NDArray[np.intp]) -> None:
        """Fill in the levels of these pairs, both ways, where they are unknown."""
        units = len(self._levels)
        if not (self.levels_of(pairs) == UNKNOWN).any():
            return
        pairs = np.concatenate([pairs, self._all_expected()])
        self._expected, self._expected_among = _NOBODY, []
        one, other = pairs[self.levels_of(pairs) == UNKNOWN].T
        self.finds += 1
        keys = np.unique(np.minimum(one, other) * units + np.maximum(one, other))
        for start in range(0, len(keys), _PAIRS_AT_ONCE):
            one, other = np.divmod(keys[start : start + _PAIRS_AT_ONCE], units)
            near, far = np.concatenate([one, other]), np.concatenate([other, one])
            found = self.one_by_one.both_ways(one, other)
            self._levels[near, far], self._floors[near, far] = found.levels, found.floors
            self._members[near, far] = found.members
            self._screened_by[one, other] = found.screens

    def account(self, observer: int, observed: int) -> Account:
        """Return how much of *observed* is concealed from *observer*, and by what."""
        level, units = self.level(observer, observed), self.batch_sight.units()
        # In the order in which play computes the corridor of the two.
        one, other = min(observer, observed), max(observer, observed)
        near, far = np.array([one, other]), np.array([other, one])
        glance = self.batch_sight.look(units, near, far, every=True)
        which = np.array([int(observer > observed)])
        (account,) = accounts(self.batch_sight, units, glance, which)
        if level is account.level:
            return account
        members = Level(self._members.item(observer, observed)) or None
        return replace(account, level=level, members=members)


sight_cache_of = Rows(
    SITUATION,
    Columns("present", table="feature"),
    start=SightCache,
    renew=SightCache.renew,
    by_row=True,
    forks=True,
)
"""The answers to sight questions at this moment."""


def level_on(moment: Moment, observer: int, observed: int) -> Level:
    """Return how much of *observed* is concealed from *observer*."""
    return sight_cache_of(moment).level(observer, observed)
