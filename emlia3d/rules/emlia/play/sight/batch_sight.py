"""Concealment between many units, found in one batch.

The facts of thousands of corridors come in columns: only facts on which the answer depends, or all
facts if a caller needs the reasons (`emlia3d.rules.emlia.play.sight.account`).
`classify_occlusion` then does for all corridors what `sight.conceal` does for one.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.derived import owned_copy
from emlia3d.geometry import Bodies, ObstacleIndex
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE, SHARE_TOLERANCE
from emlia3d.rules.emlia.kernels.classify_occlusion import (
    Occlusion,
    UnitHulls,
    classify_occlusion,
    reclassify,
)
from emlia3d.rules.emlia.kernels.corridor_obstacles import (
    ALWAYS,
    IF_SOLID,
    NEVER,
    NOT_SOLID,
    SOLID,
    UNCERTAIN,
    CorridorHits,
    Obstacles,
    SightQueries,
    corridor_obstacles,
)
from emlia3d.rules.emlia.kernels.occlusion_levels import FROM_SHADOW, Thresholds
from emlia3d.rules.emlia.kernels.sight_levels import OPEN, SightField, UnitColumns
from emlia3d.rules.emlia.play.sight.body_distances import BodyDistances
from emlia3d.rules.emlia.play.sight.exact_recheck import depths, is_solid
from emlia3d.rules.emlia.play.sight.ground_shares import deciding_shares
from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene, surface_of
from emlia3d.rules.emlia.play.sight.sight_pairs import (
    Flags,
    Floats,
    Levels,
    Numbers,
    SightEndpoints,
    SightLevels,
    SightPairs,
    Strangers,
)
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.tables.cover import NEAR_OBSTACLE
from emlia3d.rules.emlia.tables.terrain import effect_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.situation.situation import Situation
    from emlia3d.rules.emlia.play.situation.stances import Stance

LIMITS = Thresholds(half=0.5 - SHARE_TOLERANCE, slack=REACH_TOLERANCE, crouch=NEAR_OBSTACLE)
"""The borders of the sight rules."""

BY_GROUND, NOTHING_ALONE = -1, -2
"""Values for the ground, and for no body, instead of the number of a body that hides alone."""


class BatchSight:
    """Answers many sight questions at once for the present layout.

    scene : replaced by `update` whenever a unit or feature has changed
    unit_of : (rows,) the unit whose state counts for each row of units
    """

    def __init__(self, moment: Moment, situation: Situation) -> None:
        self.moment = moment
        self.situation = situation
        units, features = len(moment.state.units), moment.setup.field.features
        self.scene: SightScene
        self.unit_of = np.arange(units)
        self._obstacles: Obstacles
        self.gaps = BodyDistances()
        # Height, size and own combat range of each.
        self._build = np.zeros((units, 3))
        self._radius = np.zeros(units)
        self._hills = np.full(units, None, dtype=object)
        self._crouched, self._raised, self._on_hill, self._alone = np.zeros((4, units), np.bool_)
        # By unit and feature: whether the feature counts as solid when that unit is observed.
        self._camouflaged = np.zeros((units, len(features)), dtype=np.bool_)
        # By rows of obstacles, for the kernels; and whether any is camouflage to any unit.
        self._ready_camouflage = np.zeros((0, 0), np.bool_), False
        # The thickness above which a body counts as solid, GSU; NaN if thickness does not matter.
        limits = [effect_of(feature).limits_sight for feature in features]
        self._thickness = np.array([np.nan] * units + [limit or np.nan for limit in limits])
        # The number of hits that destroys a body; NaN if nothing destroys it.
        hits = [*(situation.entry(unit).hits for unit in range(units)), *(f.hits for f in features)]
        self._hits = np.array([np.nan if each is None else each for each in hits], np.float64)

    def forked(self, moment: Moment) -> BatchSight:
        """Return a copy for another battle at the same moment; call `update` before use."""
        twin = owned_copy(self)
        twin.moment, twin.gaps = moment, BodyDistances()
        return twin

    def update(self, scene: SightScene, changed: Numbers) -> None:
        """Use another scene, in which these bodies have changed."""
        self.scene = scene
        self._wholes: SightEndpoints | None = None
        self._field: SightField | None = None
        # By rows; the last two are for the negative values that kernels return instead of a row.
        self._numbers = np.array([*scene.numbers, BY_GROUND, NOTHING_ALONE], dtype=np.intp)
        self.gaps.forget(changed)
        situation, units = self.situation, self.moment.state.units
        for unit in changed[changed < len(units)].tolist():
            if scene.row_of[unit] < 0:
                continue
            self._build[unit, :2] = situation.height(unit), situation.size(unit)
            self._build[unit, 2] = reach_of(situation, unit)
            self._crouched[unit] = units.value("taking_cover", unit)
            self._hills[unit] = situation.hill_under(situation.outline(unit))
            if any(situation.entry(part).all_abilities for part in situation.parts(unit)):
                for row in range(self._camouflaged.shape[1]):
                    self._camouflaged[unit, row] = scene.camouflages(len(units) + row, unit)
            self._raised[unit] = units.value("on_height", unit) or self._hills[unit] is not None
            self._on_hill[unit] = self._hills[unit] is not None
            self._radius[unit] = situation.radius(unit)
            self._alone[unit] = len(situation.places(unit)) == 1
        self._ranks = UnitHulls(*situation.corner_places(), self._radius)
        self._own = scene.row_of[: len(units)].astype(np.int32)
        self._obstacles = self._ready()

    def _ready(self) -> Obstacles:
        """Return all that stands on the field as obstacles."""
        scene, numbers = self.scene, self._numbers[:-2]
        first = len(scene.here)
        shape, hides = (len(self._camouflaged), len(numbers)), self._camouflaged.any()
        if hides or self._ready_camouflage[0].shape != shape or self._ready_camouflage[1]:
            columns = np.zeros(shape, dtype=np.bool_)
            columns[:, first:] = self._camouflaged[:, numbers[first:] - scene.units]
            self._ready_camouflage = columns, bool(hides)
        return Obstacles(
            screen=ObstacleIndex(scene.bodies, np.arange(len(numbers))),
            tops=scene.bodies.base + scene.bodies.height,
            thickness=self._thickness[numbers],
            convex=scene.convex,
            camouflaged=self._ready_camouflage[0],
            counts=np.full(len(numbers), ALWAYS, dtype=np.uint8),
        )

    def units(self) -> SightEndpoints:
        """All units as wholes, in the order of their numbers."""
        if self._wholes is None:
            count = len(self._radius)
            self._wholes = SightEndpoints(
                bodies=self.scene.bodies,
                unit=np.arange(count),
                row=self.scene.row_of[:count],
                footing=self.situation.footings,
                alone=self._alone.copy(),
            )
        return self._wholes

    def numbers(self, rows: NDArray[np.int32]) -> tuple[int, ...]:
        """Return the numbers of the bodies of some rows."""
        return tuple(self._numbers[rows].tolist())

    def tops(self, rows: NDArray[np.int32]) -> Floats:
        """(k,) height units: the tops of the bodies of some rows."""
        return self._obstacles.tops[rows]

    def hits(self, numbers: Sequence[int]) -> list[int | None]:
        """Return the number of hits that destroys each of some bodies; None if nothing does."""
        return [None if np.isnan(hits) else int(hits) for hits in self._hits[[*numbers]]]

    def crouched(self, units: NDArray[np.int32]) -> Flags:
        """Return which of these units take cover."""
        return self._crouched[units]

    def with_strangers(self, strangers: Strangers) -> BatchSight:
        """Return a copy with ends that are not whole units, numbered after the units."""
        twin, like = copy.copy(self), strangers.like
        twin._field, known = None, self._obstacles.camouflaged
        alike = like >= 0  # the others take an added last row; there may be no units
        raised = np.where(alike, np.append(self._raised, False)[like], strangers.raised)
        own = np.where(alike, np.append(self._own, -1)[like], strangers.own).astype(np.int32)
        hills = np.where(alike, np.append(self._hills, np.array([None]))[like], strangers.hills)
        twin._build = np.concatenate([self._build, strangers.build])
        twin._raised, twin._own = np.append(self._raised, raised), np.append(self._own, own)
        twin._hills = np.append(self._hills, hills)
        twin._on_hill = twin._hills != None  # noqa: E711  of each
        twin._crouched = np.append(self._crouched, np.append(self._crouched, False)[like])
        plain = np.zeros((1, known.shape[1]), np.bool_)
        camouflaged = np.concatenate([known, np.append(known, plain, 0)[like]])
        twin._obstacles = replace(self._obstacles, camouflaged=camouflaged)
        return twin

    def along(self, unit: int, stances: Sequence[Stance]) -> BatchSight:
        """Return a copy with more rows after the units: one unit at each of some places.

        The unit is not an obstacle at its own place.
        """
        twin, scene, count = copy.copy(self), copy.copy(self.scene), len(stances)
        twin.situation = scene.situation = self.situation.with_stances(unit, stances)
        twin.scene, twin.gaps, twin._field = scene, BodyDistances(), None
        as_it_is = np.append(np.arange(len(self._radius)), np.full(count, unit))
        for name in ("unit_of", "_build", "_radius", "_hills", "_crouched", "_raised", "_alone"):
            setattr(twin, name, getattr(self, name)[as_it_is])
        outlines = [stance.outline for stance in stances]
        twin._hills[-count:] = [self.situation.hill_under(outline) for outline in outlines]
        twin._on_hill = twin._hills != None  # noqa: E711  of each
        raised = self.moment.state.units.value("on_height", unit) != 0
        twin._raised[-count:] = twin._on_hill[-count:] | raised
        twin._ranks = UnitHulls(*twin.situation.corner_places(), twin._radius)
        twin._own = np.append(self._own, np.full(count, -1, dtype=np.int32))
        itself = np.arange(len(scene.bodies)) == scene.row_of[unit]
        twin._obstacles = replace(
            self._obstacles,
            camouflaged=self._obstacles.camouflaged[as_it_is],
            counts=np.where(itself, np.uint8(NEVER), self._obstacles.counts),
        )
        whole, plain = self.units(), np.zeros(count)
        twin._wholes = SightEndpoints(
            bodies=whole.bodies.concat(Bodies(outlines, plain, plain, plain)),
            unit=np.arange(len(as_it_is)),
            row=np.append(whole.row, len(whole.bodies) + np.arange(count)),
            footing=twin.situation.footings,
            alone=twin._alone.copy(),
        )
        return twin

    def by_boundary(self, one: Numbers, other: Numbers) -> tuple[Levels, Numbers, Flags]:
        """Return the concealment of each *other* from its *one*, then the reverse, by boundaries.

        Also return, for each pair, what alone hides each from the other totally (the number of a
        body, BY_GROUND or NOTHING_ALONE), and whether the two touch.
        """
        pairs = np.stack((one, other), axis=1)
        levels, by, touch = self.field().by_boundary(pairs.astype(np.int32))
        screens = self._numbers[by]
        left = (levels == OPEN).any(axis=1)
        if len(self.scene.numbers) > len(self.scene.here):
            # Units that touch can be in the same area.
            left |= touch
        some = np.flatnonzero(left)
        if len(some):
            # The two directions of a pair are adjacent, so their corridor is computed once.
            near, far = pairs[some].ravel(), pairs[some, ::-1].ravel()
            glance = self.look(self.units(), near, far)
            levels[some] = glance.levels.reshape(-1, 2)
            screens[some] = glance.screens.reshape(-1, 2)
        there, back = screens.T
        both = np.where(there == back, there, NOTHING_ALONE)
        return levels.T.ravel(), both, touch

    def field(self) -> SightField:
        """Return all bodies and units, ready for the kernel that finds levels."""
        if self._field is None:
            units = self.units()
            columns = UnitColumns(
                rows=units.row.astype(np.int32), own=self._own, build=self._build,
                footings=units.footing, crouched=self._crouched, raised=self._raised,
                alone=units.alone, on_hill=self._on_hill,
            )  # fmt: skip
            self._field = SightField(
                units.bodies, self._obstacles, columns, self._ranks,
                surface=surface_of(self.moment), limits=LIMITS,
                elevation_step=numbers_of(self.moment).elevation_step,
            )  # fmt: skip
        return self._field

    def stops(self, base_damage: int | None) -> NDArray[np.uint8]:
        """Return for each obstacle of `Obstacles` whether it conceals, or stops *base_damage*."""
        obstacles = self._obstacles if base_damage is None else self._stopping(base_damage)
        return obstacles.counts

    def _stopping(self, base_damage: int) -> Obstacles:
        """Return the obstacles that stop an attack of this base damage; they give cover."""
        hits = self._hits[self._numbers[:-2]]
        stops = np.where(base_damage < hits, ALWAYS, NEVER)
        stops[np.isnan(hits)] = IF_SOLID
        stops[self._obstacles.counts == NEVER] = NEVER
        return replace(self._obstacles, counts=stops.astype(np.uint8))

    @rule("emlia.sight.corridor", "emlia.sight.fraction", "emlia.sight.excluded")
    def look(  # noqa: PLR0913  the questions, and how they are asked
        self, ends: SightEndpoints, near: Numbers, far: Numbers, *, floors: Levels | None = None,
        base_damage: int | None = None, every: bool = False, clear: Flags | None = None,
    ) -> SightLevels:  # fmt: skip
        """Return how much of each *far* is concealed from its *near*, by these boundaries alone.

        floors : the level for other reasons; a level at or below it can be reported as lower
        base_damage : only obstacles that stop such an attack count; the levels are cover
        every : also measure bodies that cannot change the answer
        clear : (n,) whether the ground is known to block no part of each corridor
        """
        obstacles = self._obstacles if base_damage is None else self._stopping(base_damage)
        questions = SightPairs(ends, near, far, clear)
        asked = self._asked(questions, floors)
        found = corridor_obstacles(ends.bodies, obstacles, asked, LIMITS.half, every=every)
        if found.touch.any():
            areas = self._areas(questions, found.touch)
            if len(areas[1]):
                found = corridor_obstacles(
                    ends.bodies, obstacles, asked, LIMITS.half, areas=areas, every=every
                )
        return self._judged(questions, obstacles, found, every=every)

    def _areas(self, questions: SightPairs, touch: Flags) -> tuple[Numbers, NDArray[np.int32]]:
        """Return starts by pair, and the rows of the areas that two touching units share."""
        rows: list[int] = []
        starts, endpoints = np.zeros(len(touch) + 1, dtype=np.intp), questions.endpoints
        ends = questions.ends
        for pair, touches in enumerate(touch.tolist()):
            if touches:
                rows += self.scene.areas_round(*endpoints.outlines(ends[pair]))
            starts[pair + 1] = len(rows)
        return starts, np.array(rows, dtype=np.int32)

    @rule("emlia.sight.all-round", "emlia.sight.no-model-sight")
    def _asked(self, questions: SightPairs, floors: Levels | None = None) -> SightQueries:
        """Return the questions in the form that the kernels require."""
        endpoints, ends = questions.endpoints, questions.ends
        units, footings = endpoints.unit[ends], endpoints.footing[ends]
        figures = np.empty((2, len(ends), 4))
        figures[:, :, 0] = footings.T
        figures[:, :, 1:] = self._build[units.T]
        step = numbers_of(self.moment).elevation_step
        observed = units[:, 1]
        return SightQueries(
            ends=endpoints.row[ends].astype(np.int32),
            observers=figures[0],
            observed=figures[1],
            crouched=self._crouched[observed],
            perched=self._raised[observed] | (footings[:, 1] - footings[:, 0] >= step),
            units=units.astype(np.int32),
            alone=endpoints.alone[ends],
            own=self._own[observed],
            floors=np.zeros(len(ends), dtype=np.uint8) if floors is None else floors,
        )

    @rule("emlia.sight.sparse-solid")
    def _judged(
        self, questions: SightPairs, obstacles: Obstacles, found: CorridorHits, *, every: bool
    ) -> SightLevels:
        """Return the levels that the bodies between and the ground give."""
        ground = deciding_shares(surface_of(self.moment), questions, found)
        by_ground = ground[:, 0] >= LIMITS.half
        screens = np.where(by_ground, BY_GROUND, self._numbers[found.by])
        found.hidden[by_ground] = True
        bodies = questions.endpoints.bodies
        first = classify_occlusion(
            bodies, obstacles, found, self._ranks, ground, LIMITS, every=every
        )
        if not (first.is_open or self._on_hill[found.asked.units[:, 1]].any()):
            return SightLevels(first.levels, screens, found, first.measures)
        self._settle_open(questions, obstacles, found)
        self._settle_depths(questions, found, first)
        self._settle_perches(found, first)
        levels = reclassify(obstacles, found, first.measures, ground, LIMITS)
        return SightLevels(levels, screens, found, first.measures)

    def _settle_open(
        self, questions: SightPairs, obstacles: Obstacles, found: CorridorHits
    ) -> None:
        """Find whether woods are solid where rounding could decide."""
        rows = np.flatnonzero(found.solid == UNCERTAIN)
        if not len(rows):
            return
        question, bodies = found.question, found.rows
        limits = obstacles.thickness[bodies[rows]]
        thick = is_solid(self.scene, questions, question[rows], bodies[rows], limits)
        found.solid[rows] = np.where(thick, SOLID, NOT_SOLID)
        found.fraction[rows[~thick & (obstacles.counts[bodies[rows]] == IF_SOLID)]] = 0

    def _settle_depths(self, questions: SightPairs, found: CorridorHits, first: Occlusion) -> None:
        """Find how deep in shadows the shorter unit is, where that is still open."""
        rows = np.flatnonzero(first.unsure)
        if not len(rows):
            return
        question, numbers = found.question[rows], self._numbers[found.rows[rows]]
        ends = questions.near[question], questions.far[question]
        eyes = found.which[rows] == FROM_SHADOW
        sides = np.where(eyes, *ends), np.where(eyes, *ends[::-1])
        deep = depths(self.scene, self.gaps, questions.endpoints, numbers, sides)
        observer_depth, observed_depth = first.measures[2:4]
        observer_depth[rows[eyes]] = deep[eyes]
        observed_depth[rows[~eyes]] = deep[~eyes]

    def _settle_perches(self, found: CorridorHits, first: Occlusion) -> None:
        """Find how far bodies are from the hills that the observed stand on."""
        unit = found.asked.units[found.question, 1]
        rows = np.flatnonzero((found.which == FROM_SHADOW) & self._on_hill[unit])
        hills, bodies = self._hills[unit[rows]], self.scene.outlines[found.rows[rows]]
        first.measures[4, rows] = shapely.distance(hills, bodies)
