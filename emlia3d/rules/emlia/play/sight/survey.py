"""How much many units see of each other, found for all of them at once.

The facts that `Scene` gathers for one corridor, in columns for thousands, and only those that the
answer can turn on; `emlia3d.geometry.levels_behind` then does what `sight.conceal` does for one.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import (
    Asked,
    Ends,
    Limits,
    Obstacles,
    Ranks,
    Screen,
    Screened,
    Standing,
    blocked_fractions,
    fractions_of_pairs,
    levels_behind,
    screened,
    solidity,
    standing,
)
from emlia3d.geometry.shadow import FROM_SHADOW
from emlia3d.geometry.standing import NO, OPEN, YES
from emlia3d.rules.emlia.cover import NEAR_OBSTACLE
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.play.engagement.reach import reach_of
from emlia3d.rules.emlia.play.sight.gaps import Gaps
from emlia3d.rules.emlia.play.sight.lineup import (
    Corridors,
    Flags,
    Floats,
    Levels,
    Lineup,
    Numbers,
)
from emlia3d.rules.emlia.play.sight.scene import Scene, surface_of
from emlia3d.rules.emlia.play.sight.unsure import depths, is_solid
from emlia3d.rules.emlia.terrain import EFFECTS
from emlia3d.rules.emlia.thresholds import REACH_TOLERANCE, SHARE_TOLERANCE

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.rules.emlia.play.sight.lie import Lie

LIMITS = Limits(half=0.5 - SHARE_TOLERANCE, slack=REACH_TOLERANCE, crouch=NEAR_OBSTACLE)
"""The borders of the sight rules."""

_MARKS = np.array([1.0, 0.5])
"""To how much of the height of the observed sight lines over the ground run."""
BY_GROUND, NOTHING_ALONE = -1, -2
"""Stand for the ground, and for nothing, where the number of a body is told that hides alone."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Single figures that are no units, in columns.

    height : (n,) float64, height units; their sizes too
    reach : (n,) float64, GSU, own combat range
    raised : (n,) bool, stands on something that could be seen by itself
    hills : (n,) the outlines of the hills that they stand on, or None
    """

    height: Floats
    reach: Floats
    raised: Flags
    hills: NDArray[np.object_]


class Survey:
    """Answers many sight questions at once, as the field lies.

    scene : set anew by `look_round` whenever a unit or feature has changed
    """

    def __init__(self, battle: Battle, lie: Lie) -> None:
        self.battle = battle
        self.lie = lie
        units, features = len(battle.state.units), battle.setup.field.features
        self.scene: Scene
        self._screen: Screen
        self.gaps = Gaps()
        self._height, self._size, self._reach, self._radius = np.zeros((4, units))
        self._hills = np.full(units, None, dtype=object)
        self._crouched, self._raised = np.zeros((2, units), dtype=np.bool_)
        self._camouflaged = np.zeros((units, units + len(features)), dtype=np.bool_)
        # Beyond how much of it a body is solid; NaN where it is as it is.
        limits = [EFFECTS[feature.kind].limits_sight for feature in features]
        self._thickness = np.array([np.nan] * units + [limit or np.nan for limit in limits])
        # By how many hits a body is destroyed; NaN where nothing destroys it.
        hits = [*(lie.entry(unit).hits for unit in range(units)), *(f.hits for f in features)]
        self._hits = np.array([np.nan if each is None else each for each in hits], np.float64)

    def look_round(self, scene: Scene, changed: Numbers) -> None:
        """Take in how the field lies now, and which bodies are not what they were."""
        self.scene = scene
        self._screen = Screen(scene.bodies, np.arange(len(scene.bodies)))
        self._wholes: Lineup | None = None
        # By rows; before the first, where no row is told, stands that nothing is there.
        self._numbers = np.array([*scene.numbers, NOTHING_ALONE], dtype=np.intp)
        self._obstacles = Obstacles(self._thickness[self._numbers[:-1]], scene.convex)
        self.gaps.forget(changed)
        lie, units = self.lie, self.battle.state.units
        for unit in changed[changed < len(units)].tolist():
            if scene.row_of[unit] < 0:
                continue
            self._height[unit], self._size[unit] = lie.height(unit), lie.size(unit)
            self._reach[unit] = reach_of(lie, unit)
            self._crouched[unit] = units.value("taking_cover", unit)
            self._hills[unit] = lie.hill_under(lie.outline(unit))
            if any(lie.entry(part).all_abilities for part in lie.parts(unit)):
                for number in range(len(units), self._camouflaged.shape[1]):
                    self._camouflaged[unit, number] = scene.camouflages(number, unit)
            self._raised[unit] = units.value("on_height", unit) or self._hills[unit] is not None
            self._radius[unit] = lie.radius(unit)
        self._ranks = Ranks(*lie.corner_places(), self._radius)

    def units(self) -> Lineup:
        """All units as wholes, in the order of their numbers."""
        if self._wholes is None:
            self._wholes = self._lined_up()
        return self._wholes

    def _lined_up(self) -> Lineup:
        count, lie = len(self._height), self.lie
        alone = np.zeros(count, dtype=np.bool_)
        alone[self.scene.here] = [len(lie.places(unit)) == 1 for unit in self.scene.here]
        return Lineup(
            bodies=self.scene.bodies,
            unit=np.arange(count),
            row=self.scene.row_of[:count],
            footing=lie.footings,
            alone=alone,
        )

    def with_figures(self, figures: Figures) -> Survey:
        """The same with figures that are no units, numbered after them."""
        twin, count = copy.copy(self), len(figures.height)
        twin._height = np.append(self._height, figures.height)
        twin._size = np.append(self._size, figures.height)
        twin._reach = np.append(self._reach, figures.reach)
        twin._raised = np.append(self._raised, figures.raised)
        twin._hills = np.append(self._hills, figures.hills)
        twin._crouched = np.append(self._crouched, np.zeros(count, dtype=np.bool_))
        none = np.zeros((count, self._camouflaged.shape[1]), dtype=np.bool_)
        twin._camouflaged = np.concatenate([self._camouflaged, none])
        return twin

    def by_boundary(self, one: Numbers, other: Numbers) -> tuple[Levels, Numbers]:
        """The concealment of each *other* from its *one*, and after them the reverse.

        By boundaries alone. And for each pair what by itself hides both wholly: the number of a
        body, BY_GROUND or NOTHING_ALONE.
        """
        there, count = self._corridors(one, other), len(one)
        asked = Corridors(
            near=np.concatenate([one, other]),
            far=np.concatenate([other, one]),
            question=np.concatenate([there.question, there.question + count]),
            number=np.tile(there.number, 2),
            fraction=np.tile(there.fraction, 2),
        )
        screens = np.full(2 * count, NOTHING_ALONE)
        levels = self.levels(self.units(), asked, screens)
        both = screens[:count] == screens[count:]
        return levels, np.where(both, screens[:count], NOTHING_ALONE)

    def covers(self, near: Numbers, far: Numbers, base_damage: int) -> Levels:
        """The cover of each *far* against an attack from its *near*, by boundaries alone.

        What `sight.cover_of` finds for one: the level that those give who stop the attack.
        """
        asked = self._corridors(near, far)
        stops = base_damage < self._hits[asked.number]
        lasting = np.flatnonzero(np.isnan(self._hits[asked.number]))
        stops[lasting] = self._are_solid(asked, lasting)
        return self.levels(self.units(), asked.only(np.ones(len(near), np.bool_), stops))

    def _are_solid(self, asked: Corridors, rows: Numbers) -> Flags:
        """Whether what stands in corridors between units is solid to these observed."""
        lineup, question = self.units(), asked.question[rows]
        near, far = asked.near[question], asked.far[question]
        ends = np.column_stack((lineup.row[near], lineup.row[far])).astype(np.int32)
        bodies = self.scene.row_of[asked.number[rows]].astype(np.int32)
        camouflaged = self._camouflaged[far, asked.number[rows]]
        found = solidity(lineup.bodies, self._obstacles, ends, bodies, camouflaged)
        open_ = np.flatnonzero(found == OPEN)
        if len(open_):
            found[open_] = self._thick_enough(lineup, asked, rows[open_])
        return np.asarray(found == YES)

    def _corridors(self, near: Numbers, far: Numbers) -> Corridors:
        """What stands between units; of two that touch the areas that both stand in."""
        question, row, fraction = self._between(self.units(), near, far)
        rows = self._or_areas(near, far, (question, self._numbers[row], fraction))
        return Corridors(near, far, *rows)

    def _or_areas(
        self, one: Numbers, other: Numbers, rows: tuple[Numbers, Numbers, Floats]
    ) -> tuple[Numbers, Numbers, Floats]:
        """The rows, and for two units that touch instead of theirs the areas that both stand in."""
        touch = shapely.intersects(self.lie.outlines(one), self.lie.outlines(other))
        if not touch.any():
            return rows
        areas = [
            (pair, number)
            for pair in np.flatnonzero(touch).tolist()
            for number in self.scene.areas_round(
                self.lie.outline(one[pair]), self.lie.outline(other[pair])
            )
        ]
        question, number, fraction = rows
        apart = ~touch[question]
        more = np.array(areas, dtype=np.intp).reshape(-1, 2)
        question = np.concatenate([question[apart], more[:, 0]])
        order = np.argsort(question, kind="stable")
        number = np.concatenate([number[apart], more[:, 1]])
        fraction = np.concatenate([fraction[apart], np.ones(len(more))])
        return question[order], number[order], fraction[order]

    def between(self, lineup: Lineup, near: Numbers, far: Numbers) -> Corridors:
        """What stands between each of *near* and of *far*, as bodies of the scene."""
        question, row, fraction = self._between(lineup, near, far)
        unit, units = lineup.unit[far], self.scene.units
        own = np.where(unit < units, self.scene.row_of[np.minimum(unit, units - 1)], -1)
        others = row != own[question]
        number = self._numbers[row[others]]
        return Corridors(near, far, question[others], number, fraction[others])

    def _between(
        self, lineup: Lineup, near: Numbers, far: Numbers
    ) -> tuple[Numbers, Numbers, Floats]:
        """For each question in turn the rows of what stands in its corridor, rising."""
        question, row, fraction = fractions_of_pairs(
            lineup.bodies, lineup.row[near], lineup.row[far], self._screen
        )
        return question.astype(np.intp), row.astype(np.intp), fraction

    def levels(
        self,
        lineup: Lineup,
        asked: Corridors,
        screens: Numbers | None = None,
        floors: Levels | None = None,
    ) -> Levels:
        """How much each question's observed is concealed from its observer.

        What settles most of them is looked at first: bodies as tall as both, then the ground.

        screens : where to write what by itself hides the observed wholly, whoever he is
        floors : what it is by other reasons; a level that is not above it may be told as a lower
        """
        questions = self._asked(lineup, asked)
        found = screened(lineup.bodies, self._obstacles, questions, LIMITS.half)
        open_ = np.flatnonzero(found.solid == OPEN)
        if len(open_):
            found.solid[open_] = self._thick_enough(lineup, asked, open_)
            solid = open_[found.solid[open_] == YES]
            found.hidden[asked.question[solid]] = True
            found.by[asked.question[solid]] = questions.rows[solid]
        ground = self._ground(lineup, asked, questions, found.hidden, floors)
        by_ground = ground[:, 0] >= LIMITS.half
        if screens is not None:
            screens[:] = np.where(by_ground, BY_GROUND, self._numbers[found.by])
        found.hidden[by_ground] = True
        facts, bears = self._facts(lineup, asked, questions, ground, found)
        out = levels_behind(
            questions.starts, questions.observers, questions.observed, facts, ground, LIMITS
        )
        out[~bears] = Level.NONE
        out[found.hidden] = Level.TOTAL
        return out

    def _asked(self, lineup: Lineup, asked: Corridors) -> Asked:
        ends = np.column_stack((lineup.row[asked.near], lineup.row[asked.far])).astype(np.int32)
        return Asked(
            ends=ends,
            observers=self._ends(lineup, asked.near, asked.far),
            observed=self._ends(lineup, asked.far, asked.near),
            starts=asked.starts,
            rows=self.scene.row_of[asked.number].astype(np.int32),
            fraction=asked.fraction,
            camouflaged=self._camouflaged[lineup.unit[asked.far[asked.question]], asked.number],
        )

    def _thick_enough(self, lineup: Lineup, asked: Corridors, rows: Numbers) -> Levels:
        """(k,) uint8: YES or NO, whether woods are solid where rounding could decide."""
        limits = self._thickness[asked.number[rows]]
        thick = is_solid(self.scene, lineup, asked, rows, limits)
        return np.where(thick, YES, NO).astype(np.uint8)

    def _facts(
        self, lineup: Lineup, asked: Corridors, questions: Asked, ground: Floats, found: Screened
    ) -> tuple[Standing, Flags]:
        """What the levels rest on; and whether all together can take anything from sight."""
        whose = np.column_stack(
            [np.where(lineup.alone[end], -1, lineup.unit[end]) for end in (asked.near, asked.far)]
        ).astype(np.int32)
        facts, bears, unsure = standing(
            lineup.bodies, self._obstacles, questions, (self._ranks, whose), ground, found
        )  # fmt: skip
        open_ = np.flatnonzero(found.solid == OPEN)
        if len(open_):
            found.solid[open_] = self._thick_enough(lineup, asked, open_)
            facts.solid[open_] = found.solid[open_] == YES
        rows = np.flatnonzero(unsure)
        if len(rows):
            ends = asked.near[asked.question[rows]], asked.far[asked.question[rows]]
            eyes = found.which[rows] == FROM_SHADOW
            shorter, taller = np.where(eyes, *ends), np.where(eyes, *ends[::-1])
            deep = depths(self.scene, self.gaps, lineup, asked.number[rows], (shorter, taller))
            facts.observer_depth[rows[eyes]] = deep[eyes]
            facts.observed_depth[rows[~eyes]] = deep[~eyes]
        return self._perched(facts, asked, lineup, found), bears

    def _ends(self, lineup: Lineup, these: Numbers, those: Numbers) -> Ends:
        unit, footing = lineup.unit[these], lineup.footing[these]
        step = numbers_of(self.battle).elevation_step
        return Ends(
            footing=footing,
            height=self._height[unit],
            size=self._size[unit],
            reach=self._reach[unit],
            crouched=self._crouched[unit],
            perched=self._raised[unit] | (footing - lineup.footing[those] >= step),
        )

    def _ground(
        self,
        lineup: Lineup,
        asked: Corridors,
        questions: Asked,
        hidden: Flags,
        floors: Levels | None,
    ) -> Floats:
        """The fractions of each corridor that the ground blocks, to the top and to half height."""
        out = np.zeros((len(asked.near), 2))
        surface = surface_of(self.battle)
        if surface is None:
            return out
        some = np.flatnonzero(~hidden)
        low, high = np.minimum(asked.near, asked.far)[some], np.maximum(asked.near, asked.far)[some]
        # Two who look at each other come together, as their corridor is then laid out once.
        some = some[np.argsort(low * len(lineup.unit) + high, kind="stable")]
        observers, observed = questions.observers, questions.observed
        eye = (observers.footing + observers.height)[some]
        marks = observed.footing[some, None] + observed.height[some, None] * _MARKS
        # Half to the top hides wholly, whatever there is below; and of one who is hidden in part
        # anyhow what is below tells nothing more.
        enough = np.full(len(some), LIMITS.half)
        if floors is not None:
            enough[floors[some] >= Level.PARTIAL] = 0.0
        out[some] = blocked_fractions(
            surface, lineup.bodies, questions.ends[some], eye, marks, enough=enough
        )
        return out

    def _perched(
        self, facts: Standing, asked: Corridors, lineup: Lineup, found: Screened
    ) -> Standing:
        """The same with the distances to the hills that the observed stand on."""
        hills = self._hills[lineup.unit[asked.far[asked.question]]]
        on_hill = (found.which == FROM_SHADOW) & (hills != None)  # noqa: E711  of each
        if not on_hill.any():
            return facts
        to_perch = facts.to_perch.copy()
        bodies = self.scene.outlines[self.scene.row_of[asked.number[on_hill]]]
        to_perch[on_hill] = shapely.distance(hills[on_hill], bodies)
        return replace(facts, to_perch=to_perch)
