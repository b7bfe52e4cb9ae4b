"""Who sees whom, from the places where units and features are now.

Joins the facts of `emlia3d.geometry` (what stands in a sight corridor, and how much of it) with
the rules of `emlia3d.rules.emlia.sight`. Answers are kept until the state changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.members import by_members, cover_by_members
from emlia3d.rules.emlia.play.scene import Scene, surface_of
from emlia3d.rules.emlia.sight import Between, Verdict, conceal, with_members
from emlia3d.rules.emlia.sight import cover_of as cover_by

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

MEMBERWISE = {
    Level.PARTIAL: ("emlia.sight.memberwise-partial", "emlia.sight.memberwise-combine"),
    Level.TOTAL: ("emlia.sight.memberwise-total", "emlia.sight.memberwise-combine"),
}
"""The rules by which members looked at one by one give a level."""


class Watch:
    """All sight questions that have been asked of the field as it lies.

    Bodies are numbered: the units, then the features. When units have changed place, what was
    found out about pairs that they cannot bear on is kept.
    """

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.lie = lie_of(battle)
        self._clock = -1
        self.versions = np.full(len(battle.state.units), -1, dtype=np.int64)
        self._boxes = np.full((len(battle.state.units), 4), np.nan)
        self._fractions: dict[Pair, dict[int, float]] = {}
        self._grounds: dict[Pair, tuple[float, float] | None] = {}
        self._boundaries: dict[Pair, Sighting] = {}
        self._members: dict[Pair, Level | None] = {}
        self._exposed: dict[Pair, int] = {}
        self._sightings: dict[Pair, Sighting] = {}

    def refresh(self) -> Watch:
        """Up to date with the places of all units."""
        if self._clock == self.battle.state.clock:
            return self
        self._clock = self.battle.state.clock
        changed = np.flatnonzero(self.versions != self.lie.versions)
        if len(changed):
            self.versions[:] = self.lie.versions
            self.scene = Scene(self.battle, self.lie)
            self._forget(changed)
        return self

    def _forget(self, changed: NDArray[np.intp]) -> None:
        """Drop what units that changed place may bear on: where they were and where they are."""
        boxes = np.vstack([self._boxes[changed], shapely.bounds(self.lie.outlines(changed))])
        boxes = boxes[~np.isnan(boxes[:, 0])]
        self._boxes[changed] = shapely.bounds(self.lie.outlines(changed))
        moved = set(changed.tolist())
        asked = list({_pair(*pair): None for pair in (*self._boundaries, *self._fractions)})
        corridors = np.array([self._corridor(*pair) for pair in asked]).reshape(-1, 4)
        met = np.zeros(len(asked), dtype=bool)
        for west, south, east, north in boxes:
            met |= (
                (corridors[:, 0] <= east)
                & (corridors[:, 2] >= west)
                & (corridors[:, 1] <= north)
                & (corridors[:, 3] >= south)
            )
        for pair, stale in zip(asked, met.tolist(), strict=True):
            if stale or not moved.isdisjoint(pair):
                self._fractions.pop(pair, None)
                for kept in (self._boundaries, self._members, self._sightings):
                    kept.pop(pair, None)
                    kept.pop(pair[::-1], None)
        for pair in [pair for pair in self._grounds if not moved.isdisjoint(pair)]:
            del self._grounds[pair]

    def _corridor(self, a: int, b: int) -> tuple[float, float, float, float]:
        """The box round two units and all between them."""
        one, other = self._boxes[a].tolist(), self._boxes[b].tolist()
        return (
            min(one[0], other[0]), min(one[1], other[1]),
            max(one[2], other[2]), max(one[3], other[3]),
        )  # fmt: skip

    def between(self, unit: int, other: int) -> dict[int, float]:
        """The fraction of the corridor between two units that each body covers, by its number."""
        key = _pair(unit, other)
        if key not in self._fractions:
            scene, bodies = self.scene, self.scene.bodies
            wanted = [u for u in scene.here if u != unit and _pair(unit, u) not in self._fractions]
            for target in wanted:
                self._fractions[_pair(unit, target)] = {}
            rows = [scene.rows[target] for target in wanted]
            found = corridor_fractions(bodies, [scene.rows[unit]], rows, np.arange(len(bodies)))
            for pair, obstacle, fraction in zip(*(part.tolist() for part in found), strict=True):
                cells = self._fractions[_pair(unit, wanted[pair])]
                cells[scene.numbers[obstacle]] = fraction
            touched = shapely.intersects(self.lie.outlines(wanted), self.lie.outline(unit))
            for target in np.asarray(wanted)[touched].tolist():
                areas = scene.areas_round(self.lie.outline(unit), self.lie.outline(target))
                self._fractions[_pair(unit, target)] = dict.fromkeys(areas, 1.0)
        return self._fractions[key]

    def sighting(self, observer: int, observed: int) -> Sighting:
        """How much of *observed* is concealed from *observer*, and by what."""
        key = observer, observed
        if key not in self._sightings:
            self._sightings[key] = self._look(observer, observed)
        return self._sightings[key]

    def _look(self, observer: int, observed: int) -> Sighting:
        """By the boundary, and member by member, both ways, where that can make it more."""
        seen = self._by_boundary(observer, observed)
        floor = seen.verdict.level
        if floor is Level.TOTAL:
            return seen
        members = self._by_members(observer, observed)
        back = self._by_members(observed, observer)
        level = with_members(floor, () if members is None else (members,), back is Level.TOTAL)
        if level is floor:
            return seen
        because = MEMBERWISE[level] if members is level else ("emlia.sight.mutual",)
        verdict = replace(seen.verdict, level=level, because=because)
        return replace(seen, verdict=verdict, members=members)

    def _by_members(self, observer: int, observed: int) -> Level | None:
        """What looking at members one by one adds to the concealment by the boundary."""
        key = observer, observed
        if len(self.lie.places(observed)) < 2:
            return None
        if key not in self._members:
            floor = self._by_boundary(observer, observed).verdict.level
            corridor = tuple(self.between(observer, observed))
            self._members[key] = by_members(
                self.scene, observer, observed, floor, corridor, self._exposed
            )
        return self._members[key]

    def _by_boundary(self, observer: int, observed: int) -> Sighting:
        key = observer, observed
        if key not in self._boundaries:
            scene = self.scene
            near, far = scene.end(observer, observed), scene.end(observed, observer)
            between = scene.between(sorted(self.between(observer, observed).items()), near, far)
            ground = self._ground(observer, observed)
            verdict = conceal(near.party, far.party, between, ground)
            self._boundaries[key] = Sighting(verdict, between, ground, verdict.level)
        return self._boundaries[key]

    def _ground(self, observer: int, observed: int) -> tuple[float, float] | None:
        """The fractions of the corridor that the ground blocks, to the top and to half height."""
        key = observer, observed
        if key not in self._grounds:
            self._grounds[key] = self._blocked(observer, observed)
        return self._grounds[key]

    def _blocked(self, observer: int, observed: int) -> tuple[float, float] | None:
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


def watch_of(battle: Battle) -> Watch:
    """The sight questions of this moment."""
    lie_of(battle)
    watch = battle.beside.get("emlia.watch")
    if watch is None:
        watch = battle.beside["emlia.watch"] = Watch(battle)
    found: Watch = watch.refresh()
    return found


def sighting_of(battle: Battle, observer: int, observed: int) -> Sighting:
    """What one unit sees of another, and why."""
    return watch_of(battle).sighting(observer, observed)


def level_on(battle: Battle, observer: int, observed: int) -> Level:
    """How much of *observed* is concealed from *observer*."""
    return sighting_of(battle, observer, observed).verdict.level


def cover_of(battle: Battle, observer: int, observed: int, base_damage: int) -> Level:
    """The cover of a unit against an attack of this base damage from another."""
    watch = watch_of(battle)
    sighting = watch.sighting(observer, observed)
    cover = cover_by(sighting.between, sighting.verdict, base_damage, sighting.ground)
    if sighting.members is None:
        return cover
    corridor = tuple(watch.between(observer, observed))
    alone = cover_by_members(watch.scene, observer, observed, corridor, base_damage)
    return with_members(cover, (alone,))
