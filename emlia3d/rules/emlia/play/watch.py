"""Who sees whom, from the places where units and features are now.

Joins the facts of `emlia3d.geometry` (what stands in a sight corridor, and how much of it) with
the rules of `emlia3d.rules.emlia.sight`. Answers are kept until the state changes. Members are
not looked at one by one yet: a unit is seen by its boundary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.force.formation import Formation
from emlia3d.geometry import Bodies, Surface, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.play.contact import engages, reach_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.sight import (
    Between,
    Case,
    Party,
    Verdict,
    case,
    conceal,
    datum,
    is_visible,
)
from emlia3d.rules.emlia.sight import cover_of as cover_by
from emlia3d.rules.emlia.terrain import EFFECTS, is_solid_through
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.rules.emlia.levels import Level


@dataclass(frozen=True, slots=True)
class Sighting:
    """A verdict and what it rests on."""

    verdict: Verdict
    between: tuple[Between, ...]
    ground: tuple[float, float] | None


Pair = tuple[int, int]


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
        self._sightings: dict[Pair, Sighting] = {}
        self.aware: dict[int, list[int]] = {}

    def refresh(self) -> Watch:
        """Up to date with the places of all units."""
        if self._clock == self.battle.state.clock:
            return self
        self._clock = self.battle.state.clock
        changed = np.flatnonzero(self.versions != self.lie.versions)
        if len(changed):
            self.versions[:] = self.lie.versions
            self._build()
            self._forget(changed)
        return self

    def _build(self) -> None:
        """The bodies as they are now."""
        battle, lie, units = self.battle, self.lie, self.battle.state.units
        here = [u for u in range(len(units)) if units.value("present", u)]
        features = [
            (row, feature)
            for row, feature in enumerate(battle.setup.field.features)
            if battle.state.features.value("present", row) and feature.height > 0
        ]
        self.numbers = [*here, *(len(units) + row for row, _ in features)]
        self.rows = {number: row for row, number in enumerate(self.numbers)}
        outlines: list[BaseGeometry] = [lie.outline(unit) for unit in here]
        outlines += [feature.outline for _, feature in features]
        self.outlines = np.empty(len(outlines), dtype=object)
        self.outlines[:] = outlines
        base = [lie.footing(u) for u in here]
        base += [lie.feature_footing(row) for row, _ in features]
        own = [lie.height(u) for u in here] + [feature.height for _, feature in features]
        solid = [units.value("formation", u) != Formation.OPEN for u in here]
        solid += [feature.body == "solid" for _, feature in features]
        self.bodies = Bodies(self.outlines, base, own, solid)

    def _forget(self, changed: NDArray[np.intp]) -> None:
        """Drop what units that changed place may bear on: where they were and where they are."""
        boxes = np.vstack([self._boxes[changed], shapely.bounds(self.lie.outlines(changed))])
        boxes = boxes[~np.isnan(boxes[:, 0])]
        self._boxes[changed] = shapely.bounds(self.lie.outlines(changed))
        moved = set(changed.tolist())
        asked = list({_pair(*pair): None for pair in (*self._sightings, *self._fractions)})
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
                self._sightings.pop(pair, None)
                self._sightings.pop(pair[::-1], None)
        for pair in [pair for pair in self._grounds if not moved.isdisjoint(pair)]:
            del self._grounds[pair]
        self.aware.clear()

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
            units = [number for number in self.numbers if number < len(self.versions)]
            wanted = [u for u in units if u != unit and _pair(unit, u) not in self._fractions]
            for target in wanted:
                self._fractions[_pair(unit, target)] = {}
            rows = [self.rows[target] for target in wanted]
            found = corridor_fractions(
                self.bodies, [self.rows[unit]], rows, np.arange(len(self.bodies))
            )
            for pair, obstacle, fraction in zip(*(part.tolist() for part in found), strict=True):
                cells = self._fractions[_pair(unit, wanted[pair])]
                cells[self.numbers[obstacle]] = fraction
        return self._fractions[key]

    def sighting(self, observer: int, observed: int) -> Sighting:
        """How much of *observed* is concealed from *observer*, and by what."""
        key = observer, observed
        if key not in self._sightings:
            self._sightings[key] = self._look(observer, observed)
        return self._sightings[key]

    def _look(self, observer: int, observed: int) -> Sighting:
        a, b = self._party(observer, observed), self._party(observed, observer)
        between = tuple(
            self._entity(number, fraction, (observer, a), (observed, b))
            for number, fraction in sorted(self.between(observer, observed).items())
        )
        ground = self._ground(observer, observed)
        return Sighting(conceal(a, b, between, ground), between, ground)

    def _party(self, unit: int, other: int) -> Party:
        lie, step = self.lie, numbers_of(self.battle).elevation_step
        raised = bool(self.battle.state.units.value("on_height", unit)) or lie.on_hill(unit)
        return Party(
            footing=lie.footing(unit),
            height=lie.height(unit),
            size=lie.size(unit),
            combat_range=reach_of(lie, unit),
            taking_cover=bool(self.battle.state.units.value("taking_cover", unit)),
            on_entity=raised or has_elevation(lie.footing(unit), lie.footing(other), step),
        )

    def _entity(
        self, number: int, fraction: float, observer: tuple[int, Party], observed: tuple[int, Party]
    ) -> Between:
        """What stands in the corridor, as the sight rules ask about it."""
        row = self.rows[number]
        outline = self.outlines[row]
        gaps = shapely.distance(outline, self.lie.outlines([observer[0], observed[0]]))
        top = float(self.bodies.base[row] + self.bodies.height[row])
        base = datum(observer[1].footing, observed[1].footing)
        which = case(
            top - base,
            observer[1].footing + observer[1].height - base,
            observed[1].footing + observed[1].height - base,
        )
        shaded = {Case.SHADOW: observed[0], Case.FROM_SHADOW: observer[0]}.get(which)
        depth = None if shaded is None else self._depth(outline, shaded)
        return Between(
            top=top,
            solid=self._is_solid(number, observer[0], observed[0]),
            fraction=fraction,
            to_observer=float(gaps[0]),
            to_observed=float(gaps[1]),
            observer_depth=depth if which is Case.FROM_SHADOW else None,
            observed_depth=depth if which is Case.SHADOW else None,
            hits=self._hits(number),
        )

    def _depth(self, outline: BaseGeometry, unit: int) -> float | None:
        """To the nearest edge of the farthest member, as every one must lie in the shadow.

        None for a single body: as to the unit.
        """
        drill = self.battle.state.roster.drill(unit)
        if drill.count == 1:
            return None
        farthest = float(shapely.distance(shapely.points(self.lie.places(unit)), outline).max())
        return max(farthest - max(drill.width, drill.depth) / 2, 0.0)

    def _hits(self, number: int) -> int | None:
        units = len(self.versions)
        if number < units:
            return self.lie.entry(number).hits
        return self.battle.setup.field.features[number - units].hits

    @rule("emlia.sight.sparse-solid", "emlia.form.solidity")
    def _is_solid(self, number: int, observer: int, observed: int) -> bool:
        """Tight formations, solid scenery, and woods where the line passes enough of them."""
        units = len(self.versions)
        if number >= units:
            feature = self.battle.setup.field.features[number - units]
            limit = EFFECTS[feature.kind].limits_sight
            if limit is not None:
                axis = shapely.linestrings([self.lie.centre(observer), self.lie.centre(observed)])
                thickness = shapely.length(shapely.intersection(axis, feature.outline))
                return is_solid_through(float(thickness), limit)
        return bool(self.bodies.solid[self.rows[number]])

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
        pairs = [(self.rows[observer], self.rows[observed])] * 2
        eye = lie.footing(observer) + lie.height(observer)
        marks = [lie.footing(observed) + share * lie.height(observed) for share in (1.0, 0.5)]
        top, half = blocked_fractions(surface, self.bodies, pairs, [eye, eye], marks).tolist()
        return top, half


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def surface_of(battle: Battle) -> Surface | None:
    """The ground in height units; None where it is level."""
    if "emlia.surface" not in battle.beside:
        ground, scale = battle.setup.field.ground, battle.setup.field.scale
        level = ground.low_m == ground.high_m
        battle.beside["emlia.surface"] = (
            None
            if level
            else Surface(
                heights=scale.heights_of_metres(ground.elevation_m),
                cell=ground.cell,
                west=ground.cell / 2,
                north=ground.size[1] - ground.cell / 2,
            )
        )
    surface: Surface | None = battle.beside["emlia.surface"]
    return surface


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


def verdict_on(battle: Battle, observer: int, observed: int) -> Verdict:
    """How much of *observed* is concealed from *observer*."""
    return sighting_of(battle, observer, observed).verdict


@rule("emlia.aware.default", "emlia.aware.melee")
def sees(battle: Battle, observer: int, observed: int) -> bool:
    """Whether a unit is aware of another: it sees it, or they have fought and still engage."""
    if is_visible(verdict_on(battle, observer, observed).level):
        return True
    lie = lie_of(battle)
    return (observer, observed) in battle.state.pairs["met"] and (
        engages(lie, observer, observed) or engages(lie, observed, observer)
    )


def cover_of(battle: Battle, observer: int, observed: int, base_damage: int) -> Level:
    """The cover of a unit against an attack of this base damage from another."""
    sighting = sighting_of(battle, observer, observed)
    return cover_by(sighting.between, sighting.verdict, base_damage, sighting.ground)
