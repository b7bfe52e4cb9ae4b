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
from shapely.geometry.base import BaseGeometry

from emlia3d.force.formation import Formation
from emlia3d.geometry import Bodies, Surface, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.contact import reach_of
from emlia3d.rules.emlia.lie import lie_of
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


class Watch:
    """All sight questions of one moment."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.clock = battle.state.clock
        lie = lie_of(battle)
        units, state = battle.state.units, battle.state
        self.units = [u for u in range(len(units)) if units.value("present", u)]
        self.features = [
            row
            for row, feature in enumerate(battle.setup.field.features)
            if state.features.value("present", row) and feature.height > 0
        ]
        self._row = {unit: row for row, unit in enumerate(self.units)}
        outlines: list[BaseGeometry] = [lie.outline(unit) for unit in self.units]
        outlines += [battle.setup.field.features[row].outline for row in self.features]
        self.outlines = np.empty(len(outlines), dtype=object)
        self.outlines[:] = outlines
        base = [lie.footing(u) for u in self.units] + [
            lie.feature_footing(f) for f in self.features
        ]
        own = [lie.height(u) for u in self.units]
        own += [battle.setup.field.features[row].height for row in self.features]
        solid = [units.value("formation", u) != Formation.OPEN for u in self.units]
        solid += [battle.setup.field.features[row].body == "solid" for row in self.features]
        self.bodies = Bodies(self.outlines, base, own, solid)
        self.lie = lie
        self._fractions: dict[tuple[int, int], dict[int, float]] = {}
        self._asked: set[int] = set()
        self._sightings: dict[tuple[int, int], Sighting] = {}

    def between(self, unit: int, other: int) -> dict[int, float]:
        """The fraction of the corridor between two units that each body covers, by its row."""
        if unit not in self._asked and other not in self._asked:
            self._asked.add(unit)
            rows = np.arange(len(self.units))
            everything = np.arange(len(self.bodies))
            found = corridor_fractions(self.bodies, [self._row[unit]], rows, everything)
            for pair, obstacle, fraction in zip(*(part.tolist() for part in found), strict=True):
                target = self.units[pair]
                cells = self._fractions.setdefault(_pair(unit, target), {})
                cells[obstacle] = fraction
        return self._fractions.get(_pair(unit, other), {})

    def sighting(self, observer: int, observed: int) -> Sighting:
        """How much of *observed* is concealed from *observer*, and by what."""
        key = observer, observed
        if key not in self._sightings:
            self._sightings[key] = self._look(observer, observed)
        return self._sightings[key]

    def _look(self, observer: int, observed: int) -> Sighting:
        a, b = self._party(observer, observed), self._party(observed, observer)
        between = tuple(
            self._entity(row, fraction, (observer, a), (observed, b))
            for row, fraction in sorted(self.between(observer, observed).items())
        )
        ground = self._ground(observer, observed)
        return Sighting(conceal(a, b, between, ground), between, ground)

    def _party(self, unit: int, other: int) -> Party:
        lie, step = self.lie, self.battle.setup.numbers.elevation_step
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
        self, row: int, fraction: float, observer: tuple[int, Party], observed: tuple[int, Party]
    ) -> Between:
        """What stands in the corridor, as the sight rules ask about it."""
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
            solid=self._is_solid(row, observer[0], observed[0]),
            fraction=fraction,
            to_observer=float(gaps[0]),
            to_observed=float(gaps[1]),
            observer_depth=depth if which is Case.FROM_SHADOW else None,
            observed_depth=depth if which is Case.SHADOW else None,
            hits=self._hits(row),
        )

    def _depth(self, outline: BaseGeometry, unit: int) -> float:
        """To the farthest member: every one must lie in the shadow (`emlia.sight.shadow-distance`)."""
        return float(shapely.distance(shapely.points(self.lie.places(unit)), outline).max())

    def _hits(self, row: int) -> int | None:
        if row < len(self.units):
            return self.lie.entry(self.units[row]).hits
        return self.battle.setup.field.features[self.features[row - len(self.units)]].hits

    @rule("emlia.sight.sparse-solid", "emlia.form.solidity")
    def _is_solid(self, row: int, observer: int, observed: int) -> bool:
        """Tight formations and solid scenery; woods where the line passes through enough of them."""
        if row >= len(self.units):
            feature = self.battle.setup.field.features[self.features[row - len(self.units)]]
            limit = EFFECTS[feature.kind].limits_sight
            if limit is not None:
                axis = shapely.linestrings([self.lie.centre(observer), self.lie.centre(observed)])
                return is_solid_through(float(axis.intersection(feature.outline).length), limit)
        return bool(self.bodies.solid[row])

    def _ground(self, observer: int, observed: int) -> tuple[float, float] | None:
        """The fractions of the corridor that the ground blocks, to the top and to half height."""
        surface = surface_of(self.battle)
        if surface is None or self.lie.distance(observer, observed) == 0:
            return None
        lie = self.lie
        pairs = [(self._row[observer], self._row[observed])] * 2
        eye = lie.footing(observer) + lie.height(observer)
        marks = [lie.footing(observed) + share * lie.height(observed) for share in (1.0, 0.5)]
        top, half = blocked_fractions(surface, self.bodies, pairs, [eye, eye], marks).tolist()
        return top, half


def _pair(a: int, b: int) -> tuple[int, int]:
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
    watch: Watch | None = battle.beside.get("emlia.watch")
    if watch is None or watch.clock != battle.state.clock:
        watch = battle.beside["emlia.watch"] = Watch(battle)
    return watch


def sighting_of(battle: Battle, observer: int, observed: int) -> Sighting:
    """What one unit sees of another, and why."""
    return watch_of(battle).sighting(observer, observed)


def verdict_on(battle: Battle, observer: int, observed: int) -> Verdict:
    """How much of *observed* is concealed from *observer*."""
    return sighting_of(battle, observer, observed).verdict


@rule("emlia.aware.default", "emlia.aware.melee")
def sees(battle: Battle, observer: int, observed: int) -> bool:
    """Whether a unit is aware of another: it sees it, or they have fought and still touch."""
    if is_visible(verdict_on(battle, observer, observed).level):
        return True
    fought = battle.state.pairs["fought"]
    return (observer, observed) in fought or (observed, observer) in fought


def cover_of(battle: Battle, observer: int, observed: int, base_damage: int) -> Level:
    """The cover of a unit against an attack of this base damage from another."""
    sighting = sighting_of(battle, observer, observed)
    return cover_by(sighting.between, sighting.verdict, base_damage, sighting.ground)
