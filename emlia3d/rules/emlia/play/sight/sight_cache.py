"""Who sees whom, from the places where units and features are now.

Joins the facts of `emlia3d.geometry` (what stands in a sight corridor, and how much of it) with
the rules of `emlia3d.rules.emlia.tables.sight`. Answers are kept until the state changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Columns, Rows
from emlia3d.battle.dividing import rows_before_spares
from emlia3d.geometry import between_meets, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.play.sight.batch_sight import BY_GROUND, NOTHING_ALONE, Survey
from emlia3d.rules.emlia.play.sight.member_sight import OneByOne
from emlia3d.rules.emlia.play.sight.members import by_members
from emlia3d.rules.emlia.play.sight.scene import Scene, surface_of
from emlia3d.rules.emlia.play.situation.parts import stand_for_themselves
from emlia3d.rules.emlia.play.situation.situation import LIE, lie_of
from emlia3d.rules.emlia.play.situation.unit_distances import with_room
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.sight import Between, Verdict, conceal, with_members
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@dataclass(frozen=True, slots=True)
class Sighting:
    """A verdict and what it rests on.

    verdict : after members are looked at one by one
    by_boundary : the concealment before that
    members : the least concealment of every member alone; None where it did not decide
    """

    verdict: Verdict
    between: tuple[Between, ...]
    ground: tuple[float, float] | None
    by_boundary: Level
    members: Level | None = None


Pair = tuple[int, int]
Units = Sequence[int] | NDArray[np.intp]

MEMBERWISE = {
    Level.PARTIAL: ("emlia.sight.memberwise-partial", "emlia.sight.memberwise-combine"),
    Level.TOTAL: ("emlia.sight.memberwise-total", "emlia.sight.memberwise-combine"),
}
"""The rules by which members looked at one by one give a level."""

_LEVELS = tuple(Level)
UNKNOWN = 255
"""Stands for a level that nobody has asked about yet."""
# With how many others of a side somebody who looks at one of it is asked about.
_WITH_HIM = 4
_NOBODY = np.empty((0, 2), dtype=np.intp)
# Pairs whose corridors' rows are held at once.
_PAIRS_AT_ONCE = 1024


class Watch:
    """All sight questions that have been asked of the field as it lies.

    Bodies are numbered: the units, then the features. When some have changed, what was found out
    about pairs that they cannot bear on is kept.

    looks : one more each time that any has changed
    finds : one more each time that anything was found out
    """

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.lie = lie_of(battle)
        self.looks = self.finds = 0
        # At which looks and finds of another it was told what that one had found.
        self._told = (-1, -1, -1)
        units, features = len(battle.state.units), battle.setup.field.features
        self._standing = battle.state.features.ints("present").copy()
        self._boxes = np.full((units + len(features), 4), np.nan)
        for row, feature in enumerate(features):
            self._boxes[units + row] = feature.outline.bounds
        # There is no room for rows that are kept for parts until one of them is on the field.
        self._levels = np.empty((0, 0), dtype=np.uint8)
        # Of a square of as many units, the cells above its diagonal.
        self._above = np.empty((0, 0), dtype=np.bool_)
        # What alone hides both units of a pair wholly from each other, whatever else there is.
        self._screened_by = np.empty((0, 0), dtype=np.int32)
        # Whether members looked at one by one made a level another than the boundary does.
        self._by_members = np.empty((0, 0), dtype=np.bool_)
        self._make_room(rows_before_spares(battle.setup))
        self._expected = _NOBODY
        self._expected_then: dict[Hashable, NDArray[np.intp]] = {}
        self._here = np.zeros(units, dtype=np.bool_)
        # What has changed since anybody looked round: who is not asked need not look.
        self._news = np.ones(units + len(features), dtype=np.bool_)
        self._scene: Scene | None = None
        self._survey = Survey(battle, self.lie)
        self._members = OneByOne(self._survey)
        self._fractions: dict[Pair, dict[int, float]] = {}
        self._boundaries: dict[Pair, Sighting] = {}
        self._sightings: dict[Pair, Sighting] = {}

    @property
    def scene(self) -> Scene:
        """The bodies as they are."""
        return self.survey.scene

    @property
    def survey(self) -> Survey:
        """What answers many questions at once, as the field lies."""
        news = np.flatnonzero(self._news)
        if len(news):
            self._news[news] = False
            self._scene = Scene(self.battle, self.lie, self._scene)
            self._survey.look_round(self._scene, news)
        return self._survey

    @property
    def one_by_one(self) -> OneByOne:
        """The search for exposed members, as the field lies."""
        self._members.survey = self.survey
        return self._members

    def renew(self, battle: Battle, rows: Sequence[int]) -> None:
        """Forget what units and features that have changed may bear on."""
        standing = battle.state.features.ints("present")
        units = np.array(rows, dtype=np.intp)
        features = np.flatnonzero(self._standing != standing)
        self.looks += 1
        self._standing[:] = standing
        self._here = stand_for_themselves(battle)
        self._make_room(1 + int(np.flatnonzero(self._here).max(initial=-1)))
        changed = np.concatenate([units, len(self._here) + features])
        self._news[changed] = True
        self._forget(units, changed)
        self._expected = _NOBODY
        self.expect(np.concatenate([_NOBODY, *self._expected_then.values()]))
        self._expected_then.clear()

    def _make_room(self, rows: int) -> None:
        """Let the first so many rows of units be among those of whom something can be known."""
        if rows <= len(self._levels):
            return
        self._above = np.triu(np.ones((rows, rows), dtype=np.bool_), 1)
        self._levels = with_room(self._levels, rows, UNKNOWN)
        np.fill_diagonal(self._levels, Level.NONE)
        self._screened_by = with_room(self._screened_by, rows, NOTHING_ALONE)
        self._by_members = with_room(self._by_members, rows, False)

    def _forget(self, units: NDArray[np.intp], changed: NDArray[np.intp]) -> None:
        """Drop what bodies that changed may bear on: where they were and where they are."""
        was = self._boxes[changed]
        self._boxes[units] = whereabouts_of(self.battle).boxes[units]
        boxes = np.vstack([was, self._boxes[changed]])
        boxes = boxes[~np.isnan(boxes[:, 0])]
        here = units[units < len(self._levels)]
        self._levels[here] = self._levels[:, here] = UNKNOWN
        self._levels[here, here] = Level.NONE
        moved = np.zeros(len(self._boxes), dtype=np.bool_)
        moved[changed] = True
        one, other = self._pairs(self._levels != UNKNOWN)
        rest = np.flatnonzero(~self._is_screened(one, other, moved))
        one, other = one[rest], other[rest]
        stale = between_meets(self._boxes[one], self._boxes[other], boxes)
        one, other = one[stale], other[stale]
        self._levels[one, other] = self._levels[other, one] = UNKNOWN
        self._fractions.clear()
        self._boundaries.clear()
        self._sightings.clear()

    def _pairs(self, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The chosen cells of a square of the first units above its diagonal, by row and column."""
        rows = len(chosen)
        return np.divmod(np.flatnonzero(chosen & self._above[:rows, :rows]), rows)

    def _is_screened(
        self, one: NDArray[np.intp], other: NDArray[np.intp], changed: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Whether each two are still hidden from each other by what hid them alone."""
        screen = self._screened_by[one, other]
        return np.asarray((screen == BY_GROUND) | ((screen >= 0) & ~changed[screen]))

    def level(self, observer: int, observed: int) -> Level:
        """How much of *observed* is concealed from *observer*."""
        if self._levels[observer, observed] == UNKNOWN:
            self.look([observer], self.with_him(observer, observed))
        return _LEVELS[self._levels.item(observer, observed)]

    def levels(self, observers: NDArray[np.intp], observed: NDArray[np.intp]) -> NDArray[np.uint8]:
        """(n, m) uint8: the levels of each of m from each of n; of a unit from itself none."""
        near, far = (part.ravel() for part in np.meshgrid(observers, observed, indexing="ij"))
        self.find(np.column_stack((near, far)))
        return self._levels[near, far].reshape(len(observers), len(observed))

    def so_far(self, observers: Units, observed: Units) -> NDArray[np.uint8]:
        """The same of what has been found out, and elsewhere `UNKNOWN`."""
        return self._levels.take(observers, axis=0).take(observed, axis=1)

    def levels_of(self, pairs: NDArray[np.intp]) -> NDArray[np.uint8]:
        """(k,) uint8: the levels of pairs of observer and observed; UNKNOWN what is not found."""
        return np.asarray(self._levels[pairs[:, 0], pairs[:, 1]])

    def look(self, observers: Sequence[int], observed: Sequence[int]) -> None:
        """Find out at once what will be asked about each pair of these."""
        near, far = (np.array(each, dtype=np.intp) for each in (observers, observed))
        row, column = np.nonzero(self.so_far(near, far) == UNKNOWN)
        if len(row):
            self.find(np.column_stack((near[row], far[column])))

    def learn(self, other: Watch, strangers: NDArray[np.intp]) -> None:
        """Take over what was found in a battle that is this one and some units more.

        strangers : units of *other* that are not here; what they may bear on is not taken over
        """
        told = other.looks, other.finds, self.looks
        if told == self._told:
            return
        self._told = told
        rows = slice(min(len(self._levels), len(other._levels)))
        here = self._here[rows]
        news = (self._levels[rows, rows] == UNKNOWN) & (other._levels[rows, rows] != UNKNOWN)
        one, two = self._pairs(news & here[:, None] & here)
        boxes = other._boxes[strangers]
        absent = np.zeros(len(self._boxes), dtype=np.bool_)
        absent[strangers] = True
        alike = other._is_screened(one, two, absent)
        rest = np.flatnonzero(~alike)
        ends = self._boxes[one[rest]], self._boxes[two[rest]]
        alike[rest] = ~between_meets(*ends, boxes[~np.isnan(boxes[:, 0])])
        one, two = one[alike], two[alike]
        self._levels[one, two] = other._levels[one, two]
        self._levels[two, one] = other._levels[two, one]
        self._screened_by[one, two] = other._screened_by[one, two]
        self._by_members[one, two] = other._by_members[one, two]
        self._by_members[two, one] = other._by_members[two, one]

    def expect(self, pairs: NDArray[np.intp]) -> None:
        """Find out of these too as soon as anything is found out, as somebody will ask."""
        here = self._here[pairs[:, 0]] & self._here[pairs[:, 1]]
        self._expected = np.concatenate([self._expected, pairs[here]])

    def expect_then(self, asker: Hashable, pairs: NDArray[np.intp]) -> None:
        """Expect these as soon as anything has changed: who asks now will ask anew then.

        asker : what he expected before, he expects no more
        """
        self._expected_then[asker] = pairs

    def look_ahead(self) -> None:
        """Find out what is expected, if nobody has asked yet."""
        self.find(self._expected)

    def apart(self, observers: Units, observed: Units) -> NDArray[np.float64]:
        """(n, m) float64, about how far they are from each other, squared."""
        west, south, east, north = self._boxes.T
        x, y = (west + east) / 2, (south + north) / 2
        one, other = np.asarray(observers), np.asarray(observed)
        ways = x[one][:, None] - x[other], y[one][:, None] - y[other]
        return np.asarray(ways[0] ** 2 + ways[1] ** 2)

    def is_by_members(self, observer: int, observed: int) -> bool:
        """Whether members looked at one by one made the level another than the boundary does."""
        self.level(observer, observed)
        return bool(self._by_members[observer, observed])

    def with_him(self, observer: int, observed: int) -> list[int]:
        """One who is looked at, and the nearest of his side: who looks at one looks at others."""
        side = self.battle.state.units.ints("side")
        others = np.flatnonzero(self._here & (side == side[observed]))
        gaps = self.apart([observer], others)[0]
        nearest = others[np.argsort(gaps, kind="stable")[:_WITH_HIM]].tolist()
        return list(dict.fromkeys((observed, *nearest)))

    def find(self, pairs: NDArray[np.intp]) -> None:
        """Fill in the levels of these pairs, both ways, where they are unknown."""
        units = len(self._levels)
        if not (self.levels_of(pairs) == UNKNOWN).any():
            return
        pairs, self._expected = np.concatenate([pairs, self._expected]), _NOBODY
        one, other = pairs[self.levels_of(pairs) == UNKNOWN].T
        self.finds += 1
        keys = np.unique(np.minimum(one, other) * units + np.maximum(one, other))
        for start in range(0, len(keys), _PAIRS_AT_ONCE):
            one, other = np.divmod(keys[start : start + _PAIRS_AT_ONCE], units)
            near, far = np.concatenate([one, other]), np.concatenate([other, one])
            found = self.one_by_one.both_ways(one, other)
            levels, floors, self._screened_by[one, other] = found
            self._levels[near, far], self._by_members[near, far] = levels, levels != floors

    @rule("emlia.sight.corridor", "emlia.sight.fraction", "emlia.sight.excluded")
    def between(self, unit: int, other: int) -> dict[int, float]:
        """The fraction of the corridor between two units that each body covers, by its number."""
        key = _pair(unit, other)
        if key not in self._fractions:
            scene = self.scene
            one, two = ([scene.rows[end]] for end in key)
            found = corridor_fractions(scene.bodies, one, two, np.arange(len(scene.bodies)))
            numbers = [scene.numbers[row] for row in found[1].tolist()]
            self._fractions[key] = dict(zip(numbers, found[2].tolist(), strict=True))
            outlines = [self.lie.outline(end) for end in key]
            if outlines[0].intersects(outlines[1]):
                self._fractions[key] = dict.fromkeys(scene.areas_round(*outlines), 1.0)
        return self._fractions[key]

    def sighting(self, observer: int, observed: int) -> Sighting:
        """How much of *observed* is concealed from *observer*, and by what."""
        key = observer, observed
        if key not in self._sightings:
            self._sightings[key] = self._look(observer, observed)
        return self._sightings[key]

    def _look(self, observer: int, observed: int) -> Sighting:
        """By the boundary, and member by member, both ways, where that can make it more."""
        seen = self.by_boundary(observer, observed)
        floor = seen.verdict.level
        if floor is Level.TOTAL:
            return seen
        members = by_members(self.scene, observer, observed, floor)
        behind = self.by_boundary(observed, observer).verdict.level
        back = by_members(self.scene, observed, observer, behind)
        level = with_members(floor, () if members is None else (members,), back is Level.TOTAL)
        if level is floor:
            return seen
        because = MEMBERWISE[level] if members is level else ("emlia.sight.mutual",)
        verdict = replace(seen.verdict, level=level, because=because)
        return replace(seen, verdict=verdict, members=members)

    def by_boundary(self, observer: int, observed: int) -> Sighting:
        """The same before members are looked at one by one."""
        key = observer, observed
        if key not in self._boundaries:
            self._boundaries[key] = self._seen(observer, observed)
        return self._boundaries[key]

    def _seen(self, observer: int, observed: int) -> Sighting:
        scene = self.scene
        near, far = scene.end(observer, observed), scene.end(observed, observer)
        between = scene.between(sorted(self.between(observer, observed).items()), near, far)
        ground = self._blocked(observer, observed)
        verdict = conceal(near.party, far.party, between, ground)
        return Sighting(verdict, between, ground, verdict.level)

    def _blocked(self, observer: int, observed: int) -> tuple[float, float] | None:
        """The fractions of the corridor that the ground blocks, to the top and to half height."""
        surface = surface_of(self.battle)
        if surface is None or self.lie.distance(observer, observed) == 0:
            return None
        lie = self.lie
        pairs = [(self.scene.rows[observer], self.scene.rows[observed])] * 2
        eye = lie.footing(observer) + lie.height(observer)
        marks = [lie.footing(observed) + share * lie.height(observed) for share in (1.0, 0.5)]
        top, half = blocked_fractions(surface, self.scene.bodies, pairs, [eye, eye], marks).tolist()
        return top, half


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


watch_of = Rows(
    LIE, Columns("present", table="feature"), start=Watch, renew=Watch.renew, by_row=True
)
"""The sight questions of this moment."""


def level_on(battle: Battle, observer: int, observed: int) -> Level:
    """How much of *observed* is concealed from *observer*."""
    return watch_of(battle).level(observer, observed)
