"""Sight between two bodies by the rules in words and GEOS, one corridor after another.

An oracle for the compiled columns: it shares with them the measured situation and the fractions of
corridors, which `tests/geometry` checks, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.field import KINDS
from emlia3d.force.formation import Formation, footprint_corners
from emlia3d.geometry import Bodies, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of
from emlia3d.rules.emlia.play.situation.parts import head_of, on_field
from emlia3d.rules.emlia.play.situation.reach import own_reach, reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.sight import Between, Case, Party, above, case, conceal, cover_of
from emlia3d.rules.emlia.tables.sight import datum as lower_of
from emlia3d.rules.emlia.tables.terrain import effect_of, is_solid_through, kind_of, own_size
from emlia3d.rules.emlia.unit_sets.abilities import makes_solid


@dataclass(frozen=True)
class End:
    """One end of a corridor; places : of the members that must all lie in a shadow."""

    outline: Polygon
    party: Party
    parts: tuple[int, ...] = ()
    places: tuple[tuple[float, float], ...] = ()
    radius: float = 0.0
    hill: BaseGeometry | None = None


@dataclass(frozen=True)
class Obstacle:
    """A body that may stand in corridors; number : of a unit, or -1 less that of a feature."""

    outline: Polygon
    top: float
    solid: bool
    number: int
    hits: int | None

    @property
    def feature(self) -> int | None:
        return None if self.number >= 0 else -1 - self.number


class Oracle:
    """What units see of each other as they stand now."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.situation = situation_of(battle)
        self.obstacles = [*self._units(), *self._features()]

    def _units(self) -> Iterator[Obstacle]:
        situation, units = self.situation, self.battle.state.units
        for unit in on_field(self.battle):
            solid = units.value("formation", unit) != Formation.OPEN
            top = situation.footing(unit) + situation.height(unit)
            yield Obstacle(situation.outline(unit), top, solid, unit, situation.entry(unit).hits)

    def _features(self) -> Iterator[Obstacle]:
        for row, feature in enumerate(self.battle.setup.field.features):
            if self.battle.state.features.value("present", row) and feature.height > 0:
                top = self.situation.feature_footing(row) + feature.height
                solid = feature.body == "solid"
                yield Obstacle(feature.outline, top, solid, -1 - row, feature.hits)

    def unit(self, unit: int, other_footing: float) -> End:
        """A unit as a whole."""
        situation = self.situation
        places = (
            tuple(map(tuple, situation.places(unit).tolist()))
            if len(situation.places(unit)) > 1
            else ()
        )
        return self._end(
            unit, situation.outline(unit), situation.footing(unit), other_footing, places=places
        )

    def members(self, unit: int, other_footing: float, part: int | None = None) -> list[End]:
        """Each member alone, on the ground under it; of one subunit with its own build."""
        situation, units = self.situation, self.battle.state.units
        spots = situation.places(unit) if part is None else situation.alone(part)[1]
        corners = footprint_corners(situation.drill(unit), spots, units.integer("facing", unit))
        footings = situation.ground_at(spots) + float(units.value("on_height", unit))
        return [
            self._end(unit, Polygon(each), footing, other_footing, part)
            for each, footing in zip(corners, footings.tolist(), strict=True)
        ]

    def _end(
        self, unit: int, outline: Polygon, footing: float, other_footing: float,
        part: int | None = None, places: tuple[tuple[float, float], ...] = (),
    ) -> End:  # fmt: skip
        situation, units = self.situation, self.battle.state.units
        hill = situation.hill_under(situation.outline(unit))
        build = situation.height(unit), situation.size(unit), reach_of(situation, unit)
        if part is not None:
            entry, posture = situation.entry(part), situation.posture(part)
            build = entry.height * posture, entry.size * posture, own_reach(situation, part)
        raised = bool(units.value("on_height", unit)) or hill is not None
        step = numbers_of(self.battle).elevation_step
        party = Party(
            footing=footing, height=build[0], size=build[1], combat_range=build[2],
            taking_cover=bool(units.value("taking_cover", unit)),
            on_entity=raised or has_elevation(footing, other_footing, step),
        )  # fmt: skip
        return End(
            outline, party, tuple(situation.parts(unit)), places, situation.radius(unit), hill
        )

    def seen(
        self, near: End, far: End, left_out: tuple[int, ...] = (), damage: int = 1
    ) -> tuple[Level, Level]:
        """The level, and the cover against an attack, of one end from another.

        left_out : the numbers of bodies that are no obstacles
        """
        between, ground = self._corridor(near, far, left_out)
        verdict = conceal(near.party, far.party, between, ground)
        return verdict.level, cover_of(between, verdict, damage, ground)

    def corridor(self, one: int, other: int) -> tuple[list[Between], tuple[float, float] | None]:
        """Return the bodies between two units, units first, and what the ground blocks."""
        return self._corridor(*self._wholes(one, other), (one, other))

    def _corridor(
        self, near: End, far: End, left_out: tuple[int, ...]
    ) -> tuple[list[Between], tuple[float, float] | None]:
        others = [each for each in self.obstacles if each.number not in left_out]
        ground = None
        if near.outline.intersects(far.outline):
            meet = shapely.intersection(near.outline, far.outline).centroid
            features = self.battle.setup.field.features
            corridor = [
                (each, 1.0)
                for each in others
                if each.feature is not None
                and KINDS[kind_of(features[each.feature])].shape == "area"
                and each.outline.intersects(meet)
            ]
        else:
            shapes = [near.outline, far.outline, *(each.outline for each in others)]
            plain = np.zeros(len(shapes))
            bodies = Bodies(shapes, plain, plain, plain)
            _, rows, shares = corridor_fractions(bodies, [0], [1], 2 + np.arange(len(others)))
            corridor = list(zip((others[row - 2] for row in rows), shares.tolist(), strict=True))
            ground = self._ground(bodies, near.party, far.party)
        return [self._between(each, share, near, far) for each, share in corridor], ground

    def _ground(self, bodies: Bodies, near: Party, far: Party) -> tuple[float, float] | None:
        surface = surface_of(self.battle)
        if surface is None:
            return None
        marks = [far.footing + share * far.height for share in (1.0, 0.5)]
        top, half = blocked_fractions(surface, bodies, [(0, 1)] * 2, near.top, marks).tolist()
        return top, half

    def _between(self, body: Obstacle, share: float, near: End, far: End) -> Between:
        base = lower_of(near.party.footing, far.party.footing)
        which = case(*(above(top, base) for top in (body.top, near.party.top, far.party.top)))
        shorter, taller = (far, near) if which is Case.SHADOW else (near, far)
        casts = which in {Case.SHADOW, Case.FROM_SHADOW}
        depth = self._depth(body, shorter) if casts and shorter.places else None
        perch = far.hill if which is Case.FROM_SHADOW else None
        return Between(
            top=body.top,
            solid=self._is_solid(body, near, far),
            fraction=share,
            to_observer=body.outline.distance(near.outline),
            to_observed=body.outline.distance(far.outline),
            observer_depth=depth if which is Case.FROM_SHADOW else None,
            observed_depth=depth if which is Case.SHADOW else None,
            to_perch=None if perch is None else perch.distance(body.outline),
            shades=not casts or is_behind(body.outline, shorter.outline, taller.outline),
            hits=body.hits,
        )

    def _depth(self, body: Obstacle, end: End) -> float:
        """From a body to the nearest edge of the farthest member."""
        farthest = shapely.distance(shapely.points(end.places), body.outline).max()
        return max(float(farthest) - end.radius, 0.0)

    def _is_solid(self, body: Obstacle, near: End, far: End) -> bool:
        if body.feature is None:
            return body.solid
        feature = self.battle.setup.field.features[body.feature]
        kind, entry = kind_of(feature), self.situation.entry
        if far.parts and all(makes_solid(kind, entry(part).all_abilities) for part in far.parts):
            return True
        limit = effect_of(feature).limits_sight
        if limit is None:
            return body.solid
        axis = shapely.linestrings([end.outline.centroid.coords[0] for end in (near, far)])
        chord = axis.intersection(body.outline).difference(near.outline).difference(far.outline)
        return is_solid_through(float(chord.length), limit)

    def by_boundary(self, one: int, other: int, damage: int = 1) -> tuple[Level, Level]:
        """Level and cover of *other* from *one* by their boundaries alone."""
        near, far = self._wholes(one, other)
        return self.seen(near, far, (one, other), damage)

    def _wholes(self, one: int, other: int) -> tuple[End, End]:
        footing = self.situation.footing
        return self.unit(one, footing(other)), self.unit(other, footing(one))

    def least_of_members(
        self, one: int, other: int, damage: int = 1, part: int | None = None
    ) -> tuple[Level, Level]:
        """The least level and the least cover that any member of *other* has alone."""
        near, _ = self._wholes(one, other)
        seen = [
            self.seen(near, far, (one, other), damage)
            for far in self.members(other, near.party.footing, part)
        ]
        return min(level for level, _ in seen), min(cover for _, cover in seen)

    def level(self, one: int, other: int) -> Level:
        """How much of *other* is concealed from *one*."""
        floor, alone = self._levels(one, other)
        if floor < Level.TOTAL and self._levels(other, one)[1] is Level.TOTAL:
            return Level.TOTAL
        return max(floor, alone)

    def _levels(self, one: int, other: int) -> tuple[Level, Level]:
        """By the boundary; and of every member alone, where there are several, above that."""
        floor = self.by_boundary(one, other)[0]
        several = len(self.situation.places(other)) > 1 and self.situation.distance(one, other) > 0
        if floor is Level.TOTAL or not several:
            return floor, Level.NONE
        alone = self.least_of_members(one, other)[0]
        return floor, alone if alone > floor else Level.NONE

    def cover(self, one: int, other: int, damage: int) -> Level:
        """The cover of *other* against an attack of *one*."""
        cover, (_, alone) = self.by_boundary(one, other, damage)[1], self._levels(one, other)
        return max(cover, self.least_of_members(one, other, damage)[1]) if alone else cover

    def part(self, one: int, part: int, damage: int) -> tuple[Level, Level]:
        """Level and cover of one subunit, which *one* does not touch, by its members."""
        return self.least_of_members(one, head_of(self.battle, part), damage, part)

    def feature(self, one: int, row: int, damage: int) -> tuple[Level, Level]:
        """Level and cover of a feature from a unit."""
        shape = self.battle.setup.field.features[row]
        footing, own = self.situation.feature_footing(row), self.situation.footing(one)
        step = numbers_of(self.battle).elevation_step
        party = Party(
            footing=footing, height=shape.height, size=own_size(shape), combat_range=0.0,
            on_entity=has_elevation(footing, own, step),
        )  # fmt: skip
        return self.seen(
            self.unit(one, footing), End(shape.outline, party), (one, -1 - row), damage
        )


def is_behind(body: Polygon, shorter: Polygon, taller: Polygon) -> bool:
    """Whether, from the taller on, the corridor comes to the body before the shorter."""
    start, end = (np.array(each.centroid.coords[0]) for each in (taller, shorter))
    front = _along(shorter, end - start).min()
    reach = _along(body, end - start)
    if reach.max() <= front or reach.min() >= front:
        return bool(reach.min() < front)
    inside = shapely.convex_hull(shapely.union(taller, shorter)).intersection(body)
    return bool(_along(inside, end - start).min(initial=np.inf) < front)


def _along(outline: BaseGeometry, way: NDArray[np.float64]) -> NDArray[np.float64]:
    points = shapely.get_coordinates(outline)
    return np.asarray(points[:, 0] * way[0] + points[:, 1] * way[1])
