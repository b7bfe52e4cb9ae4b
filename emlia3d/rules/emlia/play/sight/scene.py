"""The bodies of the field as they are now, as the sight rules ask about them.

Bodies are numbered: the units, then the features.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.derived import Derived
from emlia3d.field import KINDS
from emlia3d.force.formation import Formation
from emlia3d.geometry import Bodies, Surface
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.situation.parts import head_of, on_field
from emlia3d.rules.emlia.play.situation.reach import own_reach, reach_of
from emlia3d.rules.emlia.play.situation.situation import Lie
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.sight import Between, Case, Party, above, case, datum
from emlia3d.rules.emlia.tables.terrain import effect_of, is_solid_through, kind_of
from emlia3d.rules.emlia.unit_sets.abilities import makes_solid
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class End:
    """One end of a sight corridor: a unit, or one member of it alone.

    unit : None for a figure that belongs to no unit
    """

    unit: int | None
    party: Party
    outline: Polygon
    alone: bool


class Scene:
    """All bodies at one moment.

    numbers : of the bodies, in the order of the rows of `bodies`
    row_of : the row of a body by its number, as a column; -1 for what is not there
    convex : (rows,) bool, whether the outline of each is
    """

    @rule("emlia.form.solidity", "emlia.attr.size-height-all", "emlia.entity.definition")
    def __init__(self, battle: Battle, lie: Lie, before: Scene | None = None) -> None:
        self.battle = battle
        self.lie = lie
        units = battle.state.units
        self.units = len(units)
        self.here = on_field(battle)
        features = [
            (row, feature)
            for row, feature in enumerate(battle.setup.field.features)
            if battle.state.features.value("present", row) and feature.height > 0
        ]
        self.numbers = [*self.here, *(self.units + row for row, _ in features)]
        self.outlines = np.empty(len(self.numbers), dtype=object)
        self.outlines[: len(self.here)] = lie.outlines(self.here)
        self.outlines[len(self.here) :] = [feature.outline for _, feature in features]
        own = np.array(self.here, dtype=np.intp)
        base = [lie.feature_footing(row) for row, _ in features]
        height = [feature.height for _, feature in features]
        solid = [feature.body == "solid" for _, feature in features]
        measured, self.convex = self._measured(before)
        self.bodies = measured.standing(
            np.append(lie.footings[own], base),
            np.append(lie.heights[own], height),
            np.append(units["formation"][own] != Formation.OPEN, np.array(solid, dtype=np.bool_)),
        )
        self.row_of = np.full(self.units + len(battle.setup.field.features), -1, dtype=np.intp)
        self.row_of[self.numbers] = np.arange(len(self.numbers))

    @cached_property
    def rows(self) -> dict[int, int]:
        """The row of a body by its number."""
        return {number: row for row, number in enumerate(self.numbers)}

    def _measured(self, before: Scene | None) -> tuple[Bodies, NDArray[np.bool_]]:
        """The outlines, of which only the new ones are measured; and which are convex."""
        kept = np.full(len(self.outlines), -1, dtype=np.intp)
        if before is not None and not before.numbers:
            before = None
        if before is not None:
            kept = before.row_of[self.numbers]
            alike = map(operator.is_, before.outlines[kept], self.outlines)
            kept[~np.fromiter(alike, np.bool_, len(kept))] = -1
        fresh = np.flatnonzero(kept < 0)
        shapes, plain = self.outlines[fresh], np.zeros(len(fresh))
        spanned = shapely.area(shapely.convex_hull(shapes))
        measured = Bodies(shapes, plain, plain, plain)
        convex = np.asarray(spanned <= shapely.area(shapes) * (1 + _ROUNDING))
        if before is None:
            return measured, convex
        kept[fresh] = len(before.bodies) + np.arange(len(fresh))
        every = before.bodies.joined(measured)
        return every.chosen(kept), np.concatenate([before.convex, convex])[kept]

    def name(self, number: int) -> str:
        """What a body is called."""
        if number < self.units:
            return self.battle.setup.units[number].name
        return self.battle.setup.field.features[number - self.units].name

    @rule("emlia.sight.all-round")
    def end(self, unit: int, other: int) -> End:
        """A unit as one end of a corridor to another."""
        return End(unit, self.party(unit, self.lie.footing(unit), self.lie.footing(other)),
                   self.lie.outline(unit), alone=len(self.lie.places(unit)) == 1)  # fmt: skip

    @rule("emlia.sight.no-model-sight")
    def party(self, unit: int, footing: float, other_footing: float) -> Party:
        """What the sight rules ask of a unit, or of one of its members, that stands so high."""
        lie, units = self.lie, self.battle.state.units
        raised = (
            bool(units.value("on_height", unit)) or lie.hill_under(lie.outline(unit)) is not None
        )
        step = numbers_of(self.battle).elevation_step
        return Party(
            footing=footing,
            height=lie.height(unit),
            size=lie.size(unit),
            combat_range=reach_of(lie, unit),
            taking_cover=bool(units.value("taking_cover", unit)),
            on_entity=raised or has_elevation(footing, other_footing, step),
        )

    def own_party(self, part: int, footing: float, other_footing: float) -> Party:
        """The same of a subunit by itself, whatever else its unit has."""
        lie = self.lie
        whole = self.party(head_of(self.battle, part), footing, other_footing)
        entry, posture = lie.entry(part), lie.posture(part)
        return replace(
            whole,
            height=entry.height * posture,
            size=entry.size * posture,
            combat_range=own_reach(lie, part),
        )

    @rule("emlia.sight.corridor.span")
    def areas_round(self, outline: Polygon, other: Polygon) -> Iterator[int]:
        """Numbers of the areas of terrain that contain the middle of where two bodies touch."""
        meet = shapely.intersection(outline, other).centroid
        features = self.battle.setup.field.features
        for number in self.numbers[len(self.here) :]:
            feature = features[number - self.units]
            if KINDS[kind_of(feature)].shape == "area" and feature.outline.intersects(meet):
                yield number

    def between(
        self, corridor: Sequence[tuple[int, float]], observer: End, observed: End
    ) -> tuple[Between, ...]:
        """What stands in the corridor, as the sight rules ask about it.

        corridor : number of each body and the fraction that it covers
        """
        if not corridor:
            return ()
        outlines = self.outlines[[self.rows[number] for number, _ in corridor]]
        gaps = zip(
            shapely.distance(outlines, observer.outline).tolist(),
            shapely.distance(outlines, observed.outline).tolist(),
            strict=True,
        )
        return tuple(
            self._entity(number, fraction, apart, (observer, observed))
            for (number, fraction), apart in zip(corridor, gaps, strict=True)
        )

    def _entity(
        self, number: int, fraction: float, gaps: tuple[float, float], ends: tuple[End, End]
    ) -> Between:
        observer, observed = ends
        row = self.rows[number]
        top = float(self.bodies.base[row] + self.bodies.height[row])
        base = datum(observer.party.footing, observed.party.footing)
        which = case(
            above(top, base), above(observer.party.top, base), above(observed.party.top, base)
        )
        shaded = {Case.SHADOW: observed, Case.FROM_SHADOW: observer}.get(which)
        far = (
            None
            if shaded is None or shaded.unit is None or shaded.alone
            else self._depth(row, shaded.unit)
        )
        taller = observer if shaded is observed else observed
        perch = self._perch(observed) if which is Case.FROM_SHADOW else None
        return Between(
            top=top,
            solid=self._is_solid(number, observer, observed),
            fraction=fraction,
            to_observer=gaps[0],
            to_observed=gaps[1],
            observer_depth=far if which is Case.FROM_SHADOW else None,
            observed_depth=far if which is Case.SHADOW else None,
            to_perch=None if perch is None else float(shapely.distance(perch, self.outlines[row])),
            shades=shaded is None or self._is_behind(row, shaded, taller),
            hits=self._hits(number),
        )

    def _perch(self, end: End) -> Polygon | None:
        """The hill that a unit stands on, of whichever of its members is asked, or a figure."""
        outline = end.outline if end.unit is None else self.lie.outline(end.unit)
        return self.lie.hill_under(outline)

    def _depth(self, row: int, unit: int) -> float:
        """To the nearest edge of the farthest member, as every one must lie in the shadow."""
        stand = shapely.points(self.candidates(unit, row))
        farthest = float(shapely.distance(stand, self.outlines[row]).max())
        return max(farthest - self.lie.radius(unit), 0.0)

    def candidates(self, unit: int, row: int) -> NDArray[np.float64]:
        """(k, 2) GSU, where members stand of whom one is the farthest from the body of a row."""
        # The farthest from a convex outline is one who stands at a corner of their hull.
        return self.lie.corners(unit) if self.convex[row] else self.lie.places(unit)

    def _is_behind(self, row: int, shorter: End, taller: End) -> bool:
        """Whether, from the taller on, the corridor comes to the body before the shorter."""
        start, end = (shapely.get_coordinates(e.outline.centroid)[0] for e in (taller, shorter))
        way = end - start
        front = along(shapely.get_coordinates(shorter.outline), way).min()
        body = along(shapely.get_coordinates(self.outlines[row]), way)
        if body.max() <= front or body.min() >= front:
            return bool(body.min() < front)
        hull = shapely.convex_hull(shapely.union(taller.outline, shorter.outline))
        inside = shapely.intersection(hull, self.outlines[row])
        within = along(shapely.get_coordinates(inside), way)
        return bool(within.min(initial=math.inf) < front)

    def _hits(self, number: int) -> int | None:
        if number < self.units:
            return self.lie.entry(number).hits
        return self.battle.setup.field.features[number - self.units].hits

    def camouflages(self, number: int, unit: int | None) -> bool:
        """Whether a body is terrain that conceals a unit as if it were solid."""
        if unit is None or number < self.units:
            return False
        kind = kind_of(self.battle.setup.field.features[number - self.units])
        parts = self.lie.parts(unit)
        return all(makes_solid(kind, self.lie.entry(part).all_abilities) for part in parts)

    @rule("emlia.sight.sparse-solid")
    def _is_solid(self, number: int, observer: End, observed: End) -> bool:
        """Tight formations, solid scenery, and woods where the line passes enough of them."""
        if number >= self.units:
            feature = self.battle.setup.field.features[number - self.units]
            if self.camouflages(number, observed.unit):
                return True
            limit = effect_of(feature).limits_sight
            if limit is not None:
                # From the same end whoever asks, so that rounding cannot part the two answers.
                ends = sorted(
                    (observer, observed), key=lambda end: -1 if end.unit is None else end.unit
                )
                axis = shapely.linestrings([end.outline.centroid.coords[0] for end in ends])
                chord = shapely.intersection(axis, feature.outline)
                for end in ends:
                    chord = shapely.difference(chord, end.outline)
                return is_solid_through(float(shapely.length(chord)), limit)
        return bool(self.bodies.solid[self.rows[number]])


def along(points: NDArray[np.float64], way: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points lie in the direction of *way*, in its lengths.

    Without a matrix product, whose last bit differs between machines.
    """
    return np.asarray(points[:, 0] * way[..., 0] + points[:, 1] * way[..., 1])


def share_surface(battle: Battle, known: Battle) -> None:
    """Let the battle as a side knows it stand on the very ground of the true one."""
    surface_of.put(known, surface_of(battle))


def _surface(battle: Battle) -> Surface | None:
    field = battle.setup.field
    return None if field.ground.is_level else field.surface()


surface_of = Derived(make=_surface)
"""The ground in height units; None where it is level."""
