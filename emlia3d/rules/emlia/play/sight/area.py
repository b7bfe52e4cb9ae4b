"""Emlia, chapter 19: what is seen of a figure at each of many places, or by it from there.

The figure in question is one character whose size is its height, with the footprint of that size
round the place. Every place is asked by itself, by the same rules as two units of the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.area import GROUND, Floats, Looks, Post
from emlia3d.force.formation import Drill, Formation, footprint_corners
from emlia3d.geometry import Bodies, Surface, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.equipment import combat_range
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.play.sight.members import member_outlines, scattered
from emlia3d.rules.emlia.play.sight.scene import End, Scene, surface_of
from emlia3d.rules.emlia.play.sight.watch import MEMBERWISE, watch_of
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.sight import Party, Verdict, conceal
from emlia3d.rules.emlia.thresholds import half_or_more
from emlia3d.rules.emlia.unit_set import footprint

if TYPE_CHECKING:
    from shapely import Polygon

    from emlia3d.battle.battle import Battle

_ANYONE = Party(footing=0.0, height=1.0, size=1.0, combat_range=0.0)

POINT = 1 / 1024
"""Size and height of what stands for a point, which has none: the least that has an outline."""

_GIVEN_BY_GROUND = {
    (top, half): conceal(_ANYONE, _ANYONE, (), (float(top), float(half)))
    for top in (False, True)
    for half in (False, True)
}

# Heights are compared to nine places; and sums in another order differ by less than this.
_DOUBT = 1e-8
_NEARLY_HALF = 0.5 - _DOUBT

Rows: TypeAlias = NDArray[np.intp]
Levels: TypeAlias = NDArray[np.uint8]


def sight_area(battle: Battle, post: Post, spots: Floats, height: float, reverse: bool) -> Looks:
    """What a post sees of a figure at each place; or, in *reverse*, what each figure sees of it."""
    scene = watch_of(battle).scene
    figures = _Figures(scene, spots, height)
    looks = Looks(np.zeros(len(spots), dtype=np.uint8), Counter(), Counter())
    by_boundary = _Corridors(scene, _end_of(scene, post), figures, from_figures=reverse)
    for figure, verdict, names in by_boundary.verdicts(np.arange(len(spots)), looks.levels.copy()):
        if verdict.level:
            looks.levels[figure] = verdict.level
            looks.because.update(verdict.because)
            looks.hides.update(names)
    if post.unit is not None:
        _look_at_members(scene, figures, post.unit, looks, reverse)
    return looks


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
        self._standard = Party(
            footing=0.0, height=height, size=height, combat_range=combat_range(height)
        )
        self._step = numbers_of(scene.battle).elevation_step
        raised = np.full(len(spots), on_height > 0)
        for hill in scene.lie.hills():
            raised |= shapely.intersects(hill, self.outlines)
        self._raised: list[bool] = raised.tolist()

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
    """The end that all corridors share: a post, or one member of its unit.

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


def _end_of(scene: Scene, post: Post) -> _Fixed:
    if post.unit is None:
        figure = _Figures(scene, np.array([post.place]), 1.0, post.on_height)
        return _Fixed(
            unit=None,
            outline=figure.outlines[0],
            footing=figure.footings[0],
            height=figure.height,
            alone=True,
            party=partial(figure.party, 0),
        )
    lie, unit = scene.lie, post.unit
    footing, alone = lie.footing(unit), len(lie.places(unit)) == 1
    return _of_unit(scene, unit, lie.outline(unit), footing, alone=alone)


def _of_unit(scene: Scene, unit: int, outline: Polygon, footing: float, *, alone: bool) -> _Fixed:
    """A unit, or one of its members who stands so high."""
    return _Fixed(
        unit=unit,
        outline=outline,
        footing=footing,
        height=scene.lie.height(unit),
        alone=alone,
        party=partial(scene.party, unit, footing),
    )


class _Met(NamedTuple):
    """What stands in corridors: which corridor, rising; the row of the body; how much of it."""

    pairs: Rows
    rows: Rows
    fractions: Floats


class _Corridors:
    """All corridors between a fixed end and figures.

    from_figures : the figures are the observers
    """

    def __init__(
        self, scene: Scene, fixed: _Fixed, figures: _Figures, *, from_figures: bool
    ) -> None:
        self.scene = scene
        self.fixed = fixed
        self.figures = figures
        self.from_figures = from_figures
        self._own = _bodies(np.array([fixed.outline], dtype=object))
        observed = fixed.unit if from_figures else None
        self._crouched = observed is not None and bool(
            scene.battle.state.units.value("taking_cover", observed)
        )
        self._may_be_solid = scene.bodies.solid | [
            scene.may_be_solid(number, observed) for number in scene.numbers
        ]

    def verdicts(self, which: Rows, floors: Levels) -> Iterator[tuple[int, Verdict, list[str]]]:
        """Figure, verdict by the boundary, and names of what conceals it.

        Only where it may be above the figure's level in *floors*: what is too low to conceal, or
        does not fill half of a corridor all together, is not looked into.
        """
        scene, figures = self.scene, self.figures
        between = np.flatnonzero([number != self.fixed.unit for number in scene.numbers])
        bodies = self._own.joined(figures.bodies.chosen(which)).joined(scene.bodies)
        first, asked = 1 + len(which), 1 + np.arange(len(which))
        pairs, obstacles, fractions = corridor_fractions(bodies, [0], asked, first + between)
        rows = obstacles.astype(np.intp) - first
        met = _Met(pairs.astype(np.intp), rows, fractions)
        starts = np.searchsorted(met.pairs, np.arange(len(which) + 1)).tolist()
        numbers = np.array(scene.numbers)[met.rows].tolist()
        things = list(zip(numbers, met.fractions.tolist(), strict=True))
        # Where floors are partial, only what hides wholly is looked for.
        grounds = self._grounds(bodies, which, half=bool((floors[which] < Level.PARTIAL).any()))
        touch = shapely.intersects(figures.outlines[which], self.fixed.outline)
        may_tell = self._most(which, met, grounds) > floors[which]
        for place in np.flatnonzero(touch | may_tell).tolist():
            figure, ground = int(which[place]), None if grounds is None else tuple(grounds[place])
            corridor = things[starts[place] : starts[place + 1]]
            if touch[place]:
                areas = scene.areas_round(self.fixed.outline, figures.outlines[figure])
                corridor, ground = [(number, 1.0) for number in areas], None
            yield figure, *self._verdict(figure, corridor, ground)

    def _most(self, which: Rows, met: _Met, grounds: Floats | None) -> Levels:
        """(n,) uint8: a level that the verdict of none of these figures is above, by heights."""
        feet, fixed = np.array(self.figures.footings)[which], self.fixed
        base = np.minimum(feet, fixed.footing)
        ends = feet + self.figures.height - base, fixed.footing + fixed.height - base
        low, high = np.minimum(*ends)[met.pairs], np.maximum(*ends)[met.pairs]
        top = (self.scene.bodies.base + self.scene.bodies.height)[met.rows] - base[met.pairs]
        # At least as tall as one of the two, it is tall or has a shadow (`emlia.sight.case`).
        tall = (top >= low - _DOUBT) & (top >= -_DOUBT)
        counts = tall | (2 * top >= high - _DOUBT) | self._crouched
        wholly = tall & self._may_be_solid[met.rows]
        blocked = np.zeros((len(which), 2)) if grounds is None else grounds
        total, partly = blocked[:, 0], blocked.max(axis=1)
        total = total + np.bincount(met.pairs[wholly], met.fractions[wholly], len(which))
        partly = partly + np.bincount(met.pairs[counts], met.fractions[counts], len(which))
        most: Levels = (partly >= _NEARLY_HALF).astype(np.uint8)
        most[total >= _NEARLY_HALF] = Level.TOTAL
        return most

    def _verdict(
        self, figure: int, corridor: list[tuple[int, float]], ground: tuple[float, float] | None
    ) -> tuple[Verdict, list[str]]:
        if not corridor or (ground is not None and half_or_more(ground[0])):
            # Nothing conceals more than wholly: who they are and what else there is can wait.
            return _by_ground(ground), [GROUND]
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

    def _grounds(self, bodies: Bodies, which: Rows, *, half: bool) -> Floats | None:
        """(n, 2): of each corridor what the ground blocks, to the top and to half height.

        None where it is level.

        half : look at half height too; else what it blocks to the top stands for it
        """
        surface = surface_of(self.scene.battle)
        if surface is None:
            return None
        pairs = np.column_stack((np.zeros(len(which), np.intp), 1 + np.arange(len(which))))
        feet = np.array(self.figures.footings)[which]
        to_top = self._blocked(surface, bodies, pairs, feet, 1.0)
        to_half = to_top.copy()
        if half:
            # Where the line to the top is blocked the other adds nothing.
            low = np.flatnonzero([not half_or_more(share) for share in to_top.tolist()])
            to_half[low] = self._blocked(surface, bodies, pairs[low], feet[low], 0.5)
        return np.column_stack((to_top, to_half))

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


def _by_ground(ground: tuple[float, float] | None) -> Verdict:
    """What the ground alone gives whoever they are."""
    blocked = (0.0, 0.0) if ground is None else ground
    return _GIVEN_BY_GROUND[half_or_more(blocked[0]), half_or_more(max(blocked))]


def _bodies(outlines: NDArray[np.object_]) -> Bodies:
    """Outlines alone: footing, height and substance are asked of the scene."""
    _, coords, (rings, bodies) = shapely.to_ragged_array(outlines)
    plain = np.zeros(len(outlines))
    return Bodies((coords, rings, bodies), plain, plain, plain)


def _look_at_members(
    scene: Scene, figures: _Figures, unit: int, looks: Looks, reverse: bool
) -> None:
    """Look at the members of the post one by one, where that can make the concealment more.

    Of the figures' side, what each sees of every member. If it is the figures that look, that is
    the concealment of the post (`emlia.sight.memberwise-combine`); if it is the post, and none of
    its members can be seen, it does not see (`emlia.sight.mutual`).
    """
    spots = scene.lie.places(unit)
    if len(spots) < 2:
        return
    raised = float(scene.battle.state.units.value("on_height", unit))
    footings = (scene.lie.ground_at(spots) + raised).tolist()
    outlines = member_outlines(scene, unit, spots)
    floors = looks.levels.copy() if reverse else np.full_like(looks.levels, Level.PARTIAL)
    least = np.full_like(looks.levels, Level.TOTAL)
    left = np.flatnonzero((looks.levels < Level.TOTAL) & _apart(scene, figures, unit))
    for member in (one for some in scattered(len(spots), 0) for one in some):
        if not len(left):
            return
        one = _of_unit(scene, unit, outlines[member], footings[member], alone=True)
        found = np.zeros_like(least)
        corridors = _Corridors(scene, one, figures, from_figures=True)
        for figure, verdict, _ in corridors.verdicts(left, floors):
            found[figure] = verdict.level
        least[left] = np.minimum(least, found)[left]
        left = left[least[left] > floors[left]]
    for figure in left.tolist():
        level = Level(least[figure])
        looks.levels[figure] = level
        looks.because.update(MEMBERWISE[level] if reverse else ("emlia.sight.mutual",))


def _apart(scene: Scene, figures: _Figures, unit: int) -> NDArray[np.bool_]:
    """Which figures do not touch a unit: of others there is no corridor to its members."""
    return np.asarray(shapely.distance(figures.outlines, scene.lie.outline(unit)) > 0)
