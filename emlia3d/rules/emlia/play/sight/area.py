"""Emlia, chapter 19: what is seen of a figure at each of many places, or by it from there.

The figure in question is one character whose size is its height, with the footprint of that size
round the place. Every place is asked by itself, by the same rules as two units of the field.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.area import GROUND, Floats, Looks, Post
from emlia3d.force.formation import Drill, Formation, footprint_corners, footprints
from emlia3d.geometry import Bodies, Surface, blocked_fractions
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.emlia.kernels.corridor_obstacles import Found
from emlia3d.rules.emlia.play.sight.batch_sight import BY_GROUND, Figures, Survey
from emlia3d.rules.emlia.play.sight.lineup import Glance, Lineup
from emlia3d.rules.emlia.play.sight.members import scattered
from emlia3d.rules.emlia.play.sight.scene import End, Scene, surface_of
from emlia3d.rules.emlia.play.sight.sight_cache import MEMBERWISE, watch_of
from emlia3d.rules.emlia.tables.equipment import combat_range
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.sight import Party, Verdict, conceal
from emlia3d.rules.emlia.unit_sets.unit_set import footprint

if TYPE_CHECKING:
    from shapely import Polygon

    from emlia3d.battle.battle import Battle

_ANYONE = Party(footing=0.0, height=1.0, size=1.0, combat_range=0.0)

POINT = 1 / 1024
"""Size and height of what stands for a point, which has none: the least that has an outline."""

_BY_GROUND = conceal(_ANYONE, _ANYONE, (), (1.0, 1.0))

Rows: TypeAlias = NDArray[np.intp]
Levels: TypeAlias = NDArray[np.uint8]


def sight_area(battle: Battle, post: Post, spots: Floats, height: float, reverse: bool) -> Looks:
    """What a post sees of a figure at each place; or, in *reverse*, what each figure sees of it."""
    watch = watch_of(battle)
    scene, figures = watch.scene, _Figures(watch.scene, spots, height)
    looks = Looks(np.zeros(len(spots), dtype=np.uint8), Counter(), Counter())
    if post.unit is None:
        own = _Figures(scene, np.array([post.place]), 1.0, post.on_height)
        fixed, cast = _figure_end(own), _Cast(watch.survey, [figures, own])
        whole = scene.units + len(spots)
    else:
        fixed, cast = _unit_end(scene, post.unit), _Cast(watch.survey, [figures])
        whole = post.unit
    ends = np.full(len(spots), whole), cast.figures
    glance = cast.looked(*(ends[::-1] if reverse else ends), every=True)
    touch = shapely.intersects(figures.outlines, fixed.outline)
    by_ground = (glance.screens == BY_GROUND) & ~touch
    _tally(looks, np.flatnonzero(by_ground), _BY_GROUND, [GROUND])
    told = np.flatnonzero(touch | ((glance.levels > 0) & ~by_ground))
    corridors = _Corridors(scene, fixed, figures, from_figures=reverse)
    for figure, verdict, names in corridors.verdicts(told, glance.found, touch):
        _tally(looks, np.array([figure]), verdict, names)
    if post.unit is not None:
        _look_at_members(scene, cast, post.unit, looks, reverse)
    return looks


def _tally(looks: Looks, which: Rows, verdict: Verdict, names: list[str]) -> None:
    """Note a verdict that these figures have, if it is any concealment."""
    if verdict.level and len(which):
        looks.levels[which] = verdict.level
        looks.because.update(dict.fromkeys(verdict.because, len(which)))
        looks.hides.update(dict.fromkeys(names, len(which)))


def level_at(battle: Battle, unit: int, point: tuple[float, float]) -> Level:
    """How much of a point on the ground is concealed from a unit."""
    post = Post(name="", unit=unit)
    looks = sight_area(battle, post, np.array([point]), POINT, reverse=False)
    return Level(int(looks.levels[0]))


class _Figures:
    """A figure at each of many places.

    outlines : (n,) polygons
    bodies : the same, measured
    footings : height units above map level
    """

    def __init__(self, scene: Scene, spots: Floats, height: float, on_height: float = 0.0) -> None:
        wide = footprint(height, scene.battle.setup.field.scale)
        alone = Drill(formation=Formation.OPEN, count=1, files=1, width=wide, depth=wide)
        discs = shapely.polygons(footprint_corners(alone, spots, 0))
        # Corner by corner the boundary that a unit of one member has.
        self.outlines = np.asarray(shapely.convex_hull(discs), dtype=object)
        self.bodies = _bodies(self.outlines)
        self.footings: list[float] = (scene.lie.ground_at(spots) + on_height).tolist()
        self.height = height
        reach = combat_range(height)
        self._standard = Party(footing=0.0, height=height, size=height, combat_range=reach)
        self._step = numbers_of(scene.battle).elevation_step
        hills = np.full(len(spots), None, dtype=object)
        for hill in reversed(scene.lie.hills()):
            hills[shapely.intersects(hill, self.outlines)] = hill
        self.columns = Figures(
            height=np.full(len(spots), height),
            reach=np.full(len(spots), reach),
            raised=np.array([on_height > 0 or hill is not None for hill in hills], dtype=np.bool_),
            hills=hills,
        )
        self._raised: list[bool] = self.columns.raised.tolist()

    def party(self, figure: int, other_footing: float) -> Party:
        """What the sight rules ask of one of them."""
        footing = self.footings[figure]
        on_entity = self._raised[figure] or has_elevation(footing, other_footing, self._step)
        return replace(self._standard, footing=footing, on_entity=on_entity)

    def end(self, figure: int, other_footing: float) -> End:
        """One of them as an end of a corridor."""
        return End(None, self.party(figure, other_footing), self.outlines[figure], alone=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fixed:
    """The end that all corridors share: a post.

    unit : its row; None for a figure
    alone : it stands for itself, as one character
    party : what the sight rules ask of it, from the footing of the other end
    """

    unit: int | None
    outline: Polygon
    footing: float
    height: float
    alone: bool
    party: Callable[[float], Party]

    def end(self, other_footing: float) -> End:
        """As one end of a corridor to what stands so high."""
        return End(self.unit, self.party(other_footing), self.outline, alone=self.alone)


def _figure_end(figure: _Figures) -> _Fixed:
    """The only one of these figures."""
    return _Fixed(
        unit=None,
        outline=figure.outlines[0],
        footing=figure.footings[0],
        height=figure.height,
        alone=True,
        party=partial(figure.party, 0),
    )


def _unit_end(scene: Scene, unit: int) -> _Fixed:
    lie = scene.lie
    footing = lie.footing(unit)
    return _Fixed(
        unit=unit,
        outline=lie.outline(unit),
        footing=footing,
        height=lie.height(unit),
        alone=len(lie.places(unit)) == 1,
        party=partial(scene.party, unit, footing),
    )


class _Cast:
    """All who stand at ends of corridors: the units, after them figures, and members of a unit.

    figures : where the figures stand in the line-up, without that of a post
    """

    def __init__(self, survey: Survey, groups: Sequence[_Figures]) -> None:
        columns = [group.columns for group in groups]
        self._survey = survey.with_figures(
            Figures(
                height=np.concatenate([each.height for each in columns]),
                reach=np.concatenate([each.reach for each in columns]),
                raised=np.concatenate([each.raised for each in columns]),
                hills=np.concatenate([each.hills for each in columns]),
            )
        )
        self.of = groups[0]
        self._lineup, units = survey.units(), survey.scene.units
        self.figures = units + np.arange(len(self.of.outlines))
        for group in groups:
            numbers = len(self._lineup.unit) + np.arange(len(group.outlines))
            self._add(group.bodies, numbers, np.array(group.footings))

    def with_members(self, unit: int, spots: Floats) -> tuple[_Cast, Rows]:
        """The same with members of a unit who stand there; and where these are in the line-up."""
        scene, twin = self._survey.scene, copy.copy(self)
        units, drill = scene.battle.state.units, scene.lie.drill(unit)
        places = len(self._lineup.unit) + np.arange(len(spots))
        facing = units.integer("facing", unit)
        bodies = Bodies.of_footprints(*footprints([drill], [facing], [len(spots)], spots))
        footings = scene.lie.ground_at(spots) + float(units.value("on_height", unit))
        twin._add(bodies, np.full(len(spots), unit), footings)
        return twin, places

    def _add(self, bodies: Bodies, unit: Rows, footing: Floats) -> None:
        line = self._lineup
        self._lineup = Lineup(
            bodies=line.bodies.joined(bodies),
            unit=np.concatenate([line.unit, unit]),
            row=np.concatenate([line.row, len(line.bodies) + np.arange(len(unit))]),
            footing=np.concatenate([line.footing, footing]),
            alone=np.concatenate([line.alone, np.ones(len(unit), dtype=np.bool_)]),
        )

    def looked(self, near: Rows, far: Rows, *, every: bool = False) -> Glance:
        """How much each of *near* sees of each of *far*; with *every*, past what stands there."""
        return self._survey.look(self._lineup, near, far, every=every)


class _Corridors:
    """All corridors between a fixed end and figures, one by one.

    from_figures : the figures are the observers
    """

    def __init__(
        self, scene: Scene, fixed: _Fixed, figures: _Figures, *, from_figures: bool
    ) -> None:
        self.scene = scene
        self.fixed = fixed
        self.figures = figures
        self.from_figures = from_figures

    def verdicts(
        self, which: Rows, found: Found, touch: NDArray[np.bool_]
    ) -> Iterator[tuple[int, Verdict, list[str]]]:
        """Figure, verdict by the boundary, and names of what conceals it.

        found : what stands between, of every figure
        touch : of each figure, whether it touches the fixed end
        """
        scene, fixed = self.scene, self.fixed
        starts = found.starts.tolist()
        grounds = self._grounds(which)
        for figure, ground in zip(which.tolist(), grounds, strict=True):
            if touch[figure]:
                areas = scene.areas_round(fixed.outline, self.figures.outlines[figure])
                yield figure, *self._verdict(figure, [(number, 1.0) for number in areas], None)
                continue
            rows = slice(starts[figure], starts[figure + 1])
            numbers = [scene.numbers[row] for row in found.rows[rows].tolist()]
            fractions = found.fraction[rows].tolist()
            corridor = list(zip(numbers, fractions, strict=True))
            yield figure, *self._verdict(figure, corridor, ground)

    def _verdict(
        self, figure: int, corridor: list[tuple[int, float]], ground: tuple[float, float] | None
    ) -> tuple[Verdict, list[str]]:
        if not corridor or (ground is not None and half_or_more(ground[0])):
            # Nothing conceals more than wholly: who they are and what else there is can wait.
            return conceal(_ANYONE, _ANYONE, (), ground), [GROUND]
        fixed = self.fixed.end(self.figures.footings[figure])
        other = self.figures.end(figure, self.fixed.footing)
        near, far = (other, fixed) if self.from_figures else (fixed, other)
        between = self.scene.between(corridor, near, far)
        verdict = conceal(near.party, far.party, between, ground)
        names = [
            self.scene.name(number)
            for (number, _), tells in zip(corridor, verdict.tells, strict=True)
            if tells
        ]
        if "emlia.sight.raster-ground" in verdict.because:
            names.append(GROUND)
        return verdict, names

    def _grounds(self, which: Rows) -> list[tuple[float, float] | None]:
        """For each corridor the fractions that the ground blocks, to the top and to half height."""
        surface = surface_of(self.scene.battle)
        if surface is None:
            return [None] * len(which)
        own = _bodies(np.array([self.fixed.outline], dtype=object))
        bodies = own.joined(self.figures.bodies.chosen(which))
        pairs = np.column_stack((np.zeros(len(which), np.intp), 1 + np.arange(len(which))))
        feet = np.array(self.figures.footings)[which]
        to_top = self._blocked(surface, bodies, pairs, feet, 1.0)
        to_half = to_top.copy()
        # Where the line to the top is blocked the other adds nothing.
        low = np.flatnonzero([not half_or_more(share) for share in to_top.tolist()])
        to_half[low] = self._blocked(surface, bodies, pairs[low], feet[low], 0.5)
        return list(zip(to_top.tolist(), to_half.tolist(), strict=True))

    def _blocked(
        self, surface: Surface, bodies: Bodies, pairs: Rows, feet: Floats, share: float
    ) -> Floats:
        """The fractions that the ground blocks of the line to this share of the observed."""
        fixed, figure = self.fixed, self.figures.height
        if self.from_figures:
            mark = fixed.footing + share * fixed.height
            return blocked_fractions(surface, bodies, pairs[:, ::-1], feet + figure, mark)
        eye = fixed.footing + fixed.height
        return blocked_fractions(surface, bodies, pairs, eye, feet + share * figure)


def _bodies(outlines: NDArray[np.object_]) -> Bodies:
    """Outlines alone: footing, height and substance are asked of the scene."""
    _, coords, (rings, bodies) = shapely.to_ragged_array(outlines)
    plain = np.zeros(len(outlines))
    return Bodies((coords, rings, bodies), plain, plain, plain)


def _look_at_members(scene: Scene, cast: _Cast, unit: int, looks: Looks, reverse: bool) -> None:
    """Look at the members of the post one by one, where that can make the concealment more.

    Of the figures' side, what each sees of every member. If it is the figures that look, that is
    the concealment of the post (`emlia.sight.memberwise-combine`); if it is the post, and none of
    its members can be seen, it does not see (`emlia.sight.mutual`).
    """
    spots = scene.lie.places(unit)
    if len(spots) < 2:
        return
    floors = looks.levels.copy() if reverse else np.full_like(looks.levels, Level.PARTIAL)
    least = np.full_like(looks.levels, Level.TOTAL)
    left = np.flatnonzero((looks.levels < Level.TOTAL) & _apart(scene, cast.of, unit))
    if not len(left):
        return
    cast, members = cast.with_members(unit, spots)
    for member in (one for some in scattered(len(spots), 0) for one in some):
        if not len(left):
            return
        there = np.full(len(left), members[member])
        levels = cast.looked(cast.figures[left], there).levels
        least[left] = np.minimum(least[left], levels)
        left = left[least[left] > floors[left]]
    for figure in left.tolist():
        level = Level(least[figure])
        looks.levels[figure] = level
        looks.because.update(MEMBERWISE[level] if reverse else ("emlia.sight.mutual",))


def _apart(scene: Scene, figures: _Figures, unit: int) -> NDArray[np.bool_]:
    """Which figures do not touch a unit: of others there is no corridor to its members."""
    return np.asarray(shapely.distance(figures.outlines, scene.lie.outline(unit)) > 0)
