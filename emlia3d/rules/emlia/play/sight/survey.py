"""How much many units see of each other, found for all of them at once.

The facts that `Scene` gathers for one corridor, in columns for thousands, and only those that the
answer can turn on; `emlia3d.geometry.levels_behind` then does what `sight.conceal` does for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import (
    Ends,
    Limits,
    Screen,
    Standing,
    blocked_fractions,
    fractions_of_pairs,
    height_cases,
    levels_behind,
)
from emlia3d.geometry.shadow import FROM_SHADOW, HALF, NOTHING, SHADOW, TALL
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
from emlia3d.rules.emlia.play.sight.scene import Scene, along, surface_of
from emlia3d.rules.emlia.terrain import EFFECTS
from emlia3d.rules.emlia.thresholds import REACH_TOLERANCE, SHARE_TOLERANCE

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.rules.emlia.play.sight.lie import Lie

LIMITS = Limits(half=0.5 - SHARE_TOLERANCE, slack=REACH_TOLERANCE, crouch=NEAR_OBSTACLE)
"""The borders of the sight rules."""

BY_GROUND, NOTHING_ALONE = -1, -2
"""Stand for the ground, and for nothing, where the number of a body is told that hides alone."""

# Sums in another order differ by less than this.
_DOUBT = 1e-12


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
        self.gaps = Gaps(units, units + len(features))
        self._height, self._size, self._reach = np.zeros((3, units))
        self._hills = np.full(units, None, dtype=object)
        self._crouched, self._raised = np.zeros((2, units), dtype=np.bool_)
        self._camouflaged = np.zeros((units, units + len(features)), dtype=np.bool_)
        # Beyond how much of it a body is solid; NaN where it is as it is.
        limits = [EFFECTS[feature.kind].limits_sight for feature in features]
        self._thickness = np.array([np.nan] * units + [limit or np.nan for limit in limits])

    def look_round(self, scene: Scene, changed: Numbers) -> None:
        """Take in how the field lies now, and which bodies are not what they were."""
        self.scene = scene
        self._screen = Screen(scene.bodies, np.arange(len(scene.bodies)))
        self._wholes: Lineup | None = None
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

    def units(self) -> Lineup:
        """All units as wholes, in the order of their numbers."""
        if self._wholes is None:
            self._wholes = self._lined_up()
        return self._wholes

    def _lined_up(self) -> Lineup:
        count = len(self._height)
        return Lineup(
            bodies=self.scene.bodies,
            unit=np.arange(count),
            row=self.scene.row_of[:count],
            footing=self.lie.footings,
            outlines=self.lie.outlines(range(count)),
            alone=np.array([len(self.lie.places(unit)) == 1 for unit in range(count)], dtype=bool),
        )

    def by_boundary(self, one: Numbers, other: Numbers) -> tuple[Levels, Numbers]:
        """The concealment of each *other* from its *one*, and after them the reverse.

        By boundaries alone. And for each pair what by itself hides both wholly: the number of a
        body, BY_GROUND or NOTHING_ALONE.
        """
        lineup, count = self.units(), len(one)
        question, row, fraction = self._between(lineup, one, other)
        number = np.asarray(self.scene.numbers, dtype=np.intp)[row]
        question, number, fraction = self._or_areas(one, other, (question, number, fraction))
        asked = Corridors(
            near=np.concatenate([one, other]),
            far=np.concatenate([other, one]),
            question=np.concatenate([question, question + count]),
            number=np.tile(number, 2),
            fraction=np.tile(fraction, 2),
        )
        screens = np.full(2 * count, NOTHING_ALONE)
        levels = self.levels(lineup, asked, screens)
        both = screens[:count] == screens[count:]
        return levels, np.where(both, screens[:count], NOTHING_ALONE)

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
        own = self.scene.row_of[lineup.unit[far]]
        others = row != own[question]
        number = np.asarray(self.scene.numbers, dtype=np.intp)[row[others]]
        return Corridors(near, far, question[others], number, fraction[others])

    def _between(
        self, lineup: Lineup, near: Numbers, far: Numbers
    ) -> tuple[Numbers, Numbers, Floats]:
        """For each question in turn the rows of what stands in its corridor, rising."""
        question, row, fraction = fractions_of_pairs(
            lineup.bodies, lineup.row[near], lineup.row[far], self._screen
        )
        return question.astype(np.intp), row.astype(np.intp), fraction

    def levels(self, lineup: Lineup, asked: Corridors, screens: Numbers | None = None) -> Levels:
        """How much each question's observed is concealed from its observer.

        What settles most of them is looked at first: bodies as tall as both, then the ground.

        screens : where to write what by itself hides the observed wholly, whoever he is
        """
        out = np.zeros(len(asked.near), dtype=np.uint8)
        observers, observed = (
            self._ends(lineup, asked.near, asked.far),
            self._ends(lineup, asked.far, asked.near),
        )
        row = self.scene.row_of[asked.number]
        top = self.scene.bodies.base[row] + self.scene.bodies.height[row]
        which = height_cases(asked.starts, observers, observed, top)
        camouflaged = self._camouflaged[lineup.unit[asked.far[asked.question]], asked.number]
        solid = self.scene.bodies.solid[row] | camouflaged
        varies = ~np.isnan(self._thickness[asked.number]) & ~camouflaged
        tall = (which == TALL) & (asked.fraction >= LIMITS.half)
        hidden = np.zeros(len(out), dtype=np.bool_)
        hidden[asked.question[tall & solid & ~varies]] = True
        through = tall & varies & ~hidden[asked.question]
        solid[through] = self._is_solid(lineup, asked, through)
        hidden[asked.question[through & solid]] = True
        if screens is not None:
            alone = tall & solid & ~camouflaged & (through | ~varies)
            screens[asked.question[alone]] = asked.number[alone]
        ground = self._ground(lineup, asked, observers, observed, hidden)
        hidden |= ground[:, 0] >= LIMITS.half
        if screens is not None:
            screens[ground[:, 0] >= LIMITS.half] = BY_GROUND
        counts = (which != NOTHING) | observed.crouched[asked.question]
        weight = np.bincount(asked.question[counts], asked.fraction[counts], len(out))
        open_ = ~hidden & (weight + ground.max(axis=1) >= LIMITS.half - _DOUBT)
        out[hidden] = Level.TOTAL
        if open_.any():
            unsure = varies & ~through & counts & open_[asked.question]
            unsure &= (which != HALF) & (which != NOTHING)
            solid[unsure] = self._is_solid(lineup, asked, unsure)
            rows = counts & open_[asked.question]
            rest = asked.only(open_, counts)
            standing = self._standing(
                lineup, rest, which[rows], observed.crouched[open_], (top[rows], solid[rows])
            )
            out[open_] = levels_behind(
                rest.starts, _some(observers, open_), _some(observed, open_),
                standing, ground[open_], LIMITS,
            )  # fmt: skip
        return out

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

    def _is_solid(self, lineup: Lineup, asked: Corridors, rows: Flags) -> Flags:
        """Whether terrain that limits visibility is thick enough along the corridors' axes."""
        question, number = asked.question[rows], asked.number[rows]
        ends = asked.near[question], asked.far[question]
        first = np.where(lineup.unit[ends[0]] < lineup.unit[ends[1]], *ends)
        last = np.where(lineup.unit[ends[0]] < lineup.unit[ends[1]], *ends[::-1])
        size, width = len(lineup.unit), len(self._thickness)
        keys, place = np.unique((first * size + last) * width + number, return_inverse=True)
        first, last, number = keys // width // size, keys // width % size, keys % width
        axes = shapely.linestrings(
            np.stack([_middles(lineup.outlines[some]) for some in (first, last)], axis=1)
        )
        shapes = self.scene.outlines[self.scene.row_of[number]]
        chords = shapely.intersection(axes, shapes)
        limit = self._thickness[number]
        thick = np.asarray(shapely.length(chords) > limit)
        for end in (first, last):
            chords[thick] = shapely.difference(chords[thick], lineup.outlines[end[thick]])
            thick &= shapely.length(chords) > limit
        return thick[place]

    def _ground(
        self, lineup: Lineup, asked: Corridors, observers: Ends, observed: Ends, hidden: Flags
    ) -> Floats:
        """The fractions of each corridor that the ground blocks, to the top and to half height."""
        out = np.zeros((len(asked.near), 2))
        surface = surface_of(self.battle)
        if surface is None:
            return out
        eye = observers.footing + observers.height
        # To the top is the same both ways.
        size = len(lineup.unit)
        low, high = np.minimum(asked.near, asked.far), np.maximum(asked.near, asked.far)
        some = np.flatnonzero(~hidden)
        _, first, place = np.unique(
            (low * size + high)[some], return_index=True, return_inverse=True
        )
        for column, share in enumerate((1.0, 0.5)):
            lines = some[first] if column == 0 else some[out[some, 0] < LIMITS.half]
            rows = np.column_stack((lineup.row[asked.near[lines]], lineup.row[asked.far[lines]]))
            mark = observed.footing + share * observed.height
            blocked = blocked_fractions(surface, lineup.bodies, rows, eye[lines], mark[lines])
            if column == 0:
                out[some, 0] = blocked[place]
            else:
                out[lines, 1] = blocked
        return out

    def _standing(
        self,
        lineup: Lineup,
        asked: Corridors,
        which: Levels,
        crouched: Flags,
        bodies: tuple[Floats, Flags],
    ) -> Standing:
        """The rows with the distances that count for them, and no others."""
        near, far = asked.near[asked.question], asked.far[asked.question]
        deep_near, deep_far = which == FROM_SHADOW, which == SHADOW
        half = which == HALF
        to_observer = self._gaps(
            lineup, near, asked.number, half | deep_far | (deep_near & lineup.alone[near])
        )
        to_observed = self._gaps(
            lineup,
            far,
            asked.number,
            half | deep_near | (deep_far & lineup.alone[far]) | crouched[asked.question],
        )
        return Standing(
            top=bodies[0],
            solid=bodies[1],
            fraction=asked.fraction,
            to_observer=to_observer,
            to_observed=to_observed,
            observer_depth=self._depths(lineup, (near, far), asked.number, deep_near, to_observer),
            observed_depth=self._depths(lineup, (far, near), asked.number, deep_far, to_observed),
            to_perch=self._to_perch(lineup.unit[far], asked.number, deep_near, to_observed),
        )

    def _gaps(self, lineup: Lineup, ends: Numbers, numbers: Numbers, wanted: Flags) -> Floats:
        out = np.full(len(ends), np.nan)
        whole = wanted & (ends < self.scene.units)
        out[whole] = self.gaps.nearest(self.scene, lineup.unit[ends[whole]], numbers[whole])
        single = wanted & ~whole
        shapes = self.scene.outlines[self.scene.row_of[numbers[single]]]
        out[single] = shapely.distance(shapes, lineup.outlines[ends[single]])
        return out

    def _depths(
        self,
        lineup: Lineup,
        ends: tuple[Numbers, Numbers],
        numbers: Numbers,
        wanted: Flags,
        gaps: Floats,
    ) -> Floats:
        """To the farthest member of the shorter; NaN where the body does not shade him.

        ends : the shorter and the taller of each row that is wanted
        """
        out = gaps.copy()
        shorter, taller = (some[wanted] for some in ends)
        shades = is_behind(
            lineup.outlines[shorter],
            lineup.outlines[taller],
            self.scene.outlines[self.scene.row_of[numbers[wanted]]],
        )
        out[np.flatnonzero(wanted)[~shades]] = np.nan
        many = wanted & ~lineup.alone[ends[0]]
        many[wanted] &= shades
        out[many] = self.gaps.depth(self.scene, lineup.unit[ends[0][many]], numbers[many])
        return out

    def _to_perch(self, observed: Numbers, numbers: Numbers, wanted: Flags, gaps: Floats) -> Floats:
        """To the hill that the observed stands on, or else to him."""
        out, hills = gaps.copy(), self._hills[observed]
        on_hill = wanted & (hills != None)  # noqa: E711  of each
        bodies = self.scene.outlines[self.scene.row_of[numbers[on_hill]]]
        out[on_hill] = shapely.distance(hills[on_hill], bodies)
        return out


def _some(ends: Ends, wanted: Flags) -> Ends:
    return Ends(
        footing=ends.footing[wanted],
        height=ends.height[wanted],
        size=ends.size[wanted],
        reach=ends.reach[wanted],
        crouched=ends.crouched[wanted],
        perched=ends.perched[wanted],
    )


def _middles(outlines: NDArray[np.object_]) -> Floats:
    return shapely.get_coordinates(shapely.centroid(outlines))


def is_behind(
    shorter: NDArray[np.object_], taller: NDArray[np.object_], bodies: NDArray[np.object_]
) -> Flags:
    """(k,) whether each corridor, from the taller on, comes to the body before the shorter."""
    if not len(bodies):
        return np.empty(0, dtype=np.bool_)
    ways = _middles(shorter) - _middles(taller)
    front, _ = _reach(shorter, ways)
    least, most = _reach(bodies, ways)
    behind = least < front
    across = np.flatnonzero(behind & (most > front))
    hulls = shapely.convex_hull(shapely.union(taller[across], shorter[across]))
    least, _ = _reach(shapely.intersection(hulls, bodies[across]), ways[across])
    behind[across] = least < front[across]
    return behind


def _reach(outlines: NDArray[np.object_], ways: Floats) -> tuple[Floats, Floats]:
    """How far each outline begins and ends in its direction; infinite and not at all if empty."""
    points, owner = shapely.get_coordinates(outlines, return_index=True)
    far = along(points, ways[owner])
    least, most = np.full(len(outlines), np.inf), np.full(len(outlines), -np.inf)
    np.minimum.at(least, owner, far)
    np.maximum.at(most, owner, far)
    return least, most
