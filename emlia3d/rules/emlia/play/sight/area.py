"""Emlia, chapter 19: how much of a figure at each of many places is seen, or what it sees.

The figure is one character whose size equals its height, with the footprint of that size around
the place. Each place is a separate question, under the same rules as for two units of the field.
"""

from __future__ import annotations

import copy
import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.area import (
    GROUND,
    Floats,
    Levels,
    Observer,
    PointVisibility,
    Progress,
    silent,
)
from emlia3d.force.formation import Formation, FormationLayout, figure_outline, footprints
from emlia3d.geometry import Bodies
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.emlia.play.sight.account import MEMBERWISE, Account, accounts
from emlia3d.rules.emlia.play.sight.alike import alike
from emlia3d.rules.emlia.play.sight.batch_sight import BY_GROUND, BatchSight
from emlia3d.rules.emlia.play.sight.fronts import hidden_from_front
from emlia3d.rules.emlia.play.sight.ground_first import (
    OPEN,
    PostStand,
    SettledByGround,
    Upright,
    levels_by_ground,
)
from emlia3d.rules.emlia.play.sight.ground_shares import ground_shares
from emlia3d.rules.emlia.play.sight.member_sight import scattered
from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene, surface_of
from emlia3d.rules.emlia.play.sight.sight_cache import SightCache, sight_cache_of
from emlia3d.rules.emlia.play.sight.sight_pairs import SightEndpoints, SightLevels, Strangers
from emlia3d.rules.emlia.tables.equipment import combat_range
from emlia3d.rules.emlia.tables.sight import Party, Verdict, conceal
from emlia3d.rules.emlia.unit_sets.unit_set import footprint

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_ANYONE = Party(footing=0.0, height=1.0, size=1.0, combat_range=0.0)

POINT = 1 / 1024
"""Size and height of the figure that represents a point: small, but with an outline."""

_BY_GROUND = conceal(_ANYONE, _ANYONE, (), (1.0, 1.0))

_FIGURES_AT_ONCE = 1 << 13
"""Figures whose corridors are examined in one call; a bound on memory."""

_LOOKS_AT_ONCE = 256
"""Pairs of a figure and a member in one call, unless more figures are left."""

Rows: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]


def sight_area(
    moment: Moment,
    post: Observer,
    spots: Floats,
    height: float,
    reverse: bool,
    progress: Progress = silent,
) -> PointVisibility:
    """Find the concealment of figures from a post; in *reverse*, of the post from each figure."""
    sight_cache = sight_cache_of(moment)
    looks = PointVisibility(np.zeros(len(spots), dtype=np.uint8), Counter(), Counter())
    settled = _by_ground(sight_cache, post, spots, height, reverse)
    _tally(looks, np.flatnonzero(settled.levels == Level.TOTAL), _BY_GROUND, [GROUND])
    left = np.flatnonzero(settled.levels == OPEN)
    for start in range(0, len(left), _FIGURES_AT_ONCE):
        some = left[start : start + _FIGURES_AT_ONCE]
        figures = _Figures(sight_cache.scene, spots[some], height)
        found = _looked_at_each(sight_cache, post, figures, settled.clear[some], reverse)
        looks.levels[some] = found.levels
        looks.because.update(found.because)
        looks.hides.update(found.hides)
        progress((start + len(some)) / len(left))
    return looks


def _by_ground(
    sight_cache: SightCache, post: Observer, spots: Floats, height: float, reverse: bool
) -> SettledByGround:
    """Return what the ground settles for a post."""
    scene, situation = sight_cache.scene, sight_cache.situation
    surface, scale = surface_of(scene.moment), scene.moment.setup.field.scale
    figure = Upright(radius=footprint(height, scale) / 2, height=height)
    if post.unit is None:
        footing = float(situation.ground_at(np.array([post.place]))[0]) + post.on_height
        stand = PostStand(
            who=Upright(radius=footprint(1.0, scale) / 2, height=1.0),
            place=post.place,
            footing=footing,
        )
    else:
        stand = PostStand(
            who=Upright(radius=_radius(situation.outline(post.unit)),
                        height=situation.height(post.unit)),
            place=situation.centre(post.unit),
            footing=float(situation.footings[post.unit]),
            own=int(scene.row_of[post.unit]),
        )  # fmt: skip
    ground = situation.ground_at(spots)
    if post.unit is not None and len(situation.places(post.unit)) != 1:
        return hidden_from_front(surface, stand, figure, spots, ground)
    return levels_by_ground(surface, scene, stand, figure, spots, ground, reverse=reverse)


def _radius(outline: shapely.Polygon) -> float:
    """Return the distance from the middle of an outline to its farthest point, GSU."""
    middle = outline.centroid
    return float(np.hypot(*(shapely.get_coordinates(outline) - (middle.x, middle.y)).T).max())


def _looked_at_each(
    sight_cache: SightCache, post: Observer, figures: _Figures, clear: Flags, reverse: bool
) -> PointVisibility:
    """Return the answer for some figures, each from its corridor.

    clear : (n,) whether the ground is known to block no part of each figure's corridor
    """
    scene, count = sight_cache.scene, len(figures)
    looks = PointVisibility(np.zeros(count, dtype=np.uint8), Counter(), Counter())
    if post.unit is None:
        own = _Figures(scene, np.array([post.place]), 1.0, post.on_height)
        outline, cast = own.outlines[0], _Cast(sight_cache.batch_sight, [figures, own])
        whole = scene.units + count
    else:
        outline = scene.situation.outline(post.unit)
        cast = _Cast(sight_cache.batch_sight, [figures])
        whole = post.unit
    ends = np.full(count, whole), cast.figures
    glance = cast.looked(*(ends[::-1] if reverse else ends), every=True, clear=clear)
    touch = figures.touch(outline)
    by_ground = (glance.screens == BY_GROUND) & ~touch
    _tally(looks, np.flatnonzero(by_ground), _BY_GROUND, [GROUND])
    told = np.flatnonzero(touch | ((glance.levels > 0) & ~by_ground))
    for some, account in cast.accounts(glance, told, clear):
        if account.ground is not None and half_or_more(account.ground[0]):
            # The ground alone hides it, so bodies that also hide it are not named.
            _tally(looks, some, _BY_GROUND, [GROUND])
        else:
            _tally(looks, some, account.verdict, _names(scene, account))
    if post.unit is not None:
        _look_at_members(scene, cast, post.unit, looks, reverse)
    return looks


def _tally(looks: PointVisibility, which: Rows, verdict: Verdict, names: list[str]) -> None:
    """Record the verdict of these figures if they are concealed."""
    if verdict.level and len(which):
        looks.levels[which] = verdict.level
        looks.because.update(dict.fromkeys(verdict.because, len(which)))
        looks.hides.update(dict.fromkeys(names, len(which)))


def _names(scene: SightScene, account: Account) -> list[str]:
    """Return the names of the bodies that decide, and of the ground if it does."""
    verdict = account.verdict
    names = [
        scene.name(number)
        for number, tells in zip(account.numbers, verdict.tells, strict=True)
        if tells
    ]
    return [*names, GROUND] if "emlia.sight.raster-ground" in verdict.because else names


def level_at(moment: Moment, unit: int, point: tuple[float, float]) -> Level:
    """Return how much of a point on the ground is concealed from a unit."""
    post = Observer(name="", unit=unit)
    looks = sight_area(moment, post, np.array([point]), POINT, reverse=False)
    return Level(int(looks.levels[0]))


def area_levels(moment: Moment, unit: int, spots: Floats, height: float) -> Levels:
    """Return the levels that `sight_area` finds for what a unit sees, without reasons.

    Parameters
    ----------
    unit
        Row of the observer.
    spots
        (n, 2) float64, GSU.
    height
        Height and size of the figure at each place.

    Returns
    -------
    ndarray
        (n,) uint8, the level of concealment at each place.
    """
    sight_cache = sight_cache_of(moment)
    scene, figures = sight_cache.scene, _Figures(sight_cache.scene, spots, height)
    cast = _Cast(sight_cache.batch_sight, [figures])
    levels = cast.looked(np.full(len(spots), unit), cast.figures).levels
    looks = PointVisibility(levels.astype(np.uint8), Counter(), Counter())
    touch = np.flatnonzero(figures.touch(scene.situation.outline(unit)))
    if len(touch):
        post = Observer(name="", unit=unit)
        looks.levels[touch] = sight_area(moment, post, spots[touch], height, reverse=False).levels
    _look_at_members(scene, cast, unit, looks, reverse=False)
    return looks.levels


class _Figures:
    """A figure at each of many places.

    bodies : their outlines, measured
    footings : height units above map level
    """

    def __init__(
        self, scene: SightScene, spots: Floats, height: float, on_height: float = 0.0
    ) -> None:
        ring = _ring(footprint(height, scene.moment.setup.field.scale))
        points = (spots[:, None] + ring).reshape(-1, 2)
        starts = np.arange(0, len(points) + 1, len(ring), dtype=np.int32)
        self.bodies = Bodies.of_footprints(points, starts)
        self.footings = scene.situation.ground_at(spots) + on_height
        hills = np.full(len(spots), None, dtype=object)
        for hill in reversed(scene.situation.hills()):
            hills[self.touch(hill)] = hill
        none = np.full(len(spots), -1)
        self.columns = Strangers(
            build=np.tile((height, height, combat_range(height)), (len(spots), 1)),
            like=none,
            raised=(hills != None) | (on_height > 0),  # noqa: E711  of each
            hills=hills,
            own=none,
        )

    def __len__(self) -> int:
        return len(self.bodies)

    @property
    def outlines(self) -> NDArray[np.object_]:
        """(n,) polygons."""
        return self.bodies.outlines()

    def touch(self, outline: shapely.Polygon) -> Flags:
        """Return which figures touch or overlap an outline."""
        touch = self._box_meets(outline)
        near = self.bodies.take(np.flatnonzero(touch))
        touch[touch] = shapely.intersects(near.outlines(), outline)
        return touch

    def apart(self, outline: shapely.Polygon) -> Flags:
        """Return which figures do not touch an outline."""
        apart = ~self._box_meets(outline)
        near = self.bodies.take(np.flatnonzero(~apart))
        apart[~apart] = shapely.distance(near.outlines(), outline) > 0
        return apart

    def _box_meets(self, outline: shapely.Polygon) -> Flags:
        west, south, east, north = outline.bounds
        boxes = self.bodies.boxes.T
        return np.asarray(
            (boxes[0] <= east) & (boxes[2] >= west) & (boxes[1] <= north) & (boxes[3] >= south)
        )


@functools.lru_cache(maxsize=16)
def _ring(width: float) -> Floats:
    """Return the outline of a figure relative to its place, closed, (n, 2) GSU.

    It has the same corners as the boundary of a unit with one member.
    """
    alone = FormationLayout(formation=Formation.OPEN, count=1, files=1, width=width, depth=width)
    disc = shapely.Polygon(figure_outline(alone, 0))
    return np.asarray(shapely.get_coordinates(shapely.convex_hull(disc)))


class _Cast:
    """All ends of corridors in a line-up: the units, then figures, then members of a unit.

    figures : positions of the figures in the line-up, without the figure of a post
    """

    def __init__(self, batch_sight: BatchSight, groups: Sequence[_Figures]) -> None:
        columns = [group.columns for group in groups]
        self._survey = batch_sight.with_strangers(
            Strangers(
                build=np.concatenate([each.build for each in columns]),
                like=np.concatenate([each.like for each in columns]),
                raised=np.concatenate([each.raised for each in columns]),
                hills=np.concatenate([each.hills for each in columns]),
                own=np.concatenate([each.own for each in columns]),
            )
        )
        self.of = groups[0]
        self._lineup, units = batch_sight.units(), batch_sight.scene.units
        self.figures = units + np.arange(len(self.of))
        for group in groups:
            numbers = len(self._lineup.unit) + np.arange(len(group))
            self._add(group.bodies, numbers, group.footings)

    def with_members(self, unit: int, spots: Floats) -> tuple[_Cast, Rows]:
        """Return a line-up with a unit's members at *spots* added, and their positions in it."""
        scene, twin = self._survey.scene, copy.copy(self)
        units, drill = scene.moment.state.units, scene.situation.drill(unit)
        places = len(self._lineup.unit) + np.arange(len(spots))
        facing = units.integer("facing", unit)
        bodies = Bodies.of_footprints(*footprints([drill], [facing], [len(spots)], spots))
        footings = scene.situation.ground_at(spots) + float(units.value("on_height", unit))
        twin._add(bodies, np.full(len(spots), unit), footings)
        return twin, places

    def _add(self, bodies: Bodies, unit: Rows, footing: Floats) -> None:
        line = self._lineup
        self._lineup = SightEndpoints(
            bodies=line.bodies.concat(bodies),
            unit=np.concatenate([line.unit, unit]),
            row=np.concatenate([line.row, len(line.bodies) + np.arange(len(unit))]),
            footing=np.concatenate([line.footing, footing]),
            alone=np.concatenate([line.alone, np.ones(len(unit), dtype=np.bool_)]),
        )

    def looked(
        self, near: Rows, far: Rows, *, every: bool = False, clear: Flags | None = None
    ) -> SightLevels:
        """Return how much of each *far* is concealed from its *near*.

        every : also measure bodies that cannot change the answer
        clear : (n,) whether the ground is known to block no part of each corridor
        """
        return self._survey.look(self._lineup, near, far, every=every, clear=clear)

    def accounts(
        self, glance: SightLevels, which: Rows, clear: Flags
    ) -> Iterator[tuple[Rows, Account]]:
        """Yield groups of these questions, each with the account that explains all of it.

        clear : as for `looked`, for all questions
        """
        surface, ground = surface_of(self._survey.moment), np.zeros((len(which), 2))
        if surface is not None:
            asked, some = glance.found.asked, ~clear[which]
            ground[some] = ground_shares(surface, self._lineup.bodies, asked, which[some])
        groups = list(alike(self._survey, glance, which, ground))
        firsts = np.array([group[0] for group in groups], dtype=np.intp)
        told = accounts(self._survey, self._lineup, glance, firsts)
        yield from zip(groups, told, strict=True)


def _look_at_members(
    scene: SightScene, cast: _Cast, unit: int, looks: PointVisibility, reverse: bool
) -> None:
    """Inspect the members of the post one by one where that can increase the concealment.

    The minimum concealment of the members from a figure decides. If the figures observe, it is the
    concealment of the post (`emlia.sight.memberwise-combine`). If the post observes and none of its
    members can be seen, the post sees nothing (`emlia.sight.mutual`).
    """
    spots = scene.situation.places(unit)
    if len(spots) < 2:
        return
    floors = looks.levels.copy() if reverse else np.full_like(looks.levels, Level.PARTIAL)
    least = np.full_like(looks.levels, Level.TOTAL)
    left = np.flatnonzero(
        (looks.levels < Level.TOTAL) & cast.of.apart(scene.situation.outline(unit))
    )
    if not len(left):
        return
    cast, members = cast.with_members(unit, spots)
    order = [one for some in scattered(len(spots), 0) for one in some]
    while order and len(left):
        # One member settles most figures. The rest are few, so one call inspects many members.
        some = max(_LOOKS_AT_ONCE // len(left), 1)
        asked, order = np.array(order[:some]), order[some:]
        looked = cast.looked(
            np.repeat(cast.figures[left], len(asked)), np.tile(members[asked], len(left))
        )
        levels = looked.levels.reshape(len(left), len(asked)).min(axis=1)
        least[left] = np.minimum(least[left], levels)
        left = left[least[left] > floors[left]]
    for figure in left.tolist():
        level = Level(least[figure])
        looks.levels[figure] = level
        looks.because.update(MEMBERWISE[level] if reverse else ("emlia.sight.mutual",))
