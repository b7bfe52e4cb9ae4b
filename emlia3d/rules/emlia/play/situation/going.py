"""Movement costs of the ground for each kind of troops: slow areas and barriers.

Joins the terrain rules (chapter 18) with the field: outlines by the cost of a GSU, and what may
not be entered at all. Raster ground that is steep counts as rough by a house rule of ours
(`emlia3d.rules.emlia.basics.numbers`), as the book knows no slopes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Columns, Derived, Each
from emlia3d.field import KINDS
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.situation.situation import Situation, situation_of
from emlia3d.rules.emlia.tables.modes import FLYING, GROUND, medium_of
from emlia3d.rules.emlia.tables.pushing import is_brink
from emlia3d.rules.emlia.tables.terrain import effect_of, kind_of, movement_cost
from emlia3d.rules.emlia.unit_sets.abilities import Ability, eased
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

ROUGH = 2.0
VERY_ROUGH = 4.0

Floats = NDArray[np.float64]

# Cells of the raster whose slopes are computed at once.
_AT_ONCE = 4096

# A body that only touches what may not be entered is not in it; GSU.
_TOUCH = 1 / 128

_NOTHING = np.empty(0, dtype=object)

CROSSINGS = frozenset({"bridge", "ford", "road", "track"})
"""Kinds of terrain that lead over or through whatever else lies there, at their own cost alone."""


@dataclass(frozen=True, slots=True)
class MovementCosts:
    """The areas that slow a kind of troops, (cost of a GSU, outline), and its barriers.

    pieces, barriers : the single pieces of each slow outline, and the barriers
    """

    slow: tuple[tuple[float, BaseGeometry], ...]
    barred: NDArray[np.object_]
    pieces: tuple[shapely.STRtree, ...]
    barriers: shapely.STRtree

    def slow_near(self, spot: BaseGeometry) -> list[tuple[float, BaseGeometry]]:
        """Return, for each cost, the whole pieces of the slow area that touch *spot*.

        Steep cells are as many as the field is wide, and a move meets few of them.
        """
        found: list[tuple[float, BaseGeometry]] = []
        for (cost, _), tree in zip(self.slow, self.pieces, strict=True):
            near = tree.geometries[np.sort(tree.query(spot, predicate="intersects"))]
            if len(near):
                found.append((cost, MultiPolygon([*near])))
        return found

    def barred_near(self, spot: BaseGeometry) -> NDArray[np.object_]:
        """Return the barriers that are near a shape."""
        if not len(self.barred):
            return self.barred
        return self.barred[np.sort(self.barriers.query(spot))]


@dataclass(frozen=True, slots=True)
class _Troops:
    """The facts that movement costs depend on: a common mode, the greatest size and height."""

    mode: str
    size: float
    height: float
    abilities: tuple[Ability, ...]

    @classmethod
    def of(cls, situation: Situation, unit: int, mode: str) -> _Troops:
        abilities = _shared([situation.entry(part).all_abilities for part in situation.parts(unit)])
        return cls(mode, situation.size(unit), situation.height(unit), abilities)


def modes_of(moment: Moment, unit: int) -> tuple[str, ...]:
    """Return the modes of movement that a unit and all its parts have, the fastest first."""
    parts = situation_of(moment).parts(unit)
    known = _MODES(moment)
    if parts not in known:
        known[parts] = _modes_of_all([situation_of(moment).entry(part) for part in parts])
    return known[parts]


_MODES: Each[tuple[int, ...], tuple[str, ...]] = Each()
"""By the subunits of a unit."""


def _modes_of_all(entries: Sequence[Entry]) -> tuple[str, ...]:
    slowest = {
        one.mode: min(found.speed for found in all_have if found)
        for one in entries[0].movements
        if all(all_have := [entry.by_mode(one.mode) for entry in entries])
    }
    return tuple(sorted(slowest, key=lambda mode: -slowest[mode]))


def mode_of(moment: Moment, unit: int) -> str:
    """Return the mode in which a unit moves by default: its fastest that serves where it is.

    A unit in the air flies.
    """
    modes = modes_of(moment, unit)
    if not modes:
        return GROUND
    if len(modes) == 1:
        return modes[0]
    if FLYING in modes and moment.state.units.value("on_height", unit):
        return FLYING
    body = situation_of(moment).outline(unit).buffer(-_TOUCH)
    for mode in modes:
        if not shapely.intersects(going_of(moment, unit, mode).barred, body).any():
            return mode
    return modes[0]


@rule("emlia.aware.scenery")
def going_of(moment: Moment, unit: int, mode: str | None = None) -> MovementCosts:
    """Return the going for a unit: walkers cross no deep water, flyers heed no ground.

    mode : its usual one where none is given
    """
    situation, mode = situation_of(moment), mode or mode_of(moment, unit)
    whose, of_parts = (situation.parts(unit), mode, situation.posture(unit)), _OF_PARTS(moment)
    found = of_parts.get(whose)
    if found is None:
        troops, of_troops = _Troops.of(situation, unit, mode), _OF_TROOPS(moment)
        if troops not in of_troops:
            of_troops[troops] = _going(moment, troops)
        found = of_parts[whose] = of_troops[troops]
    return found


def impassable(moment: Moment, unit: int | None) -> NDArray[np.object_]:
    """Return the polygons that a unit may not enter; for None, that a person on foot may not."""
    if unit is not None:
        return going_of(moment, unit).barred
    return _going(moment, _Troops(GROUND, 1.0, 1.0, ())).barred


_OF_TROOPS: Each[_Troops, MovementCosts] = Each(Columns("present", table="feature"))
_OF_PARTS: Each[tuple[tuple[int, ...], str, float], MovementCosts] = Each(
    Columns("present", table="feature")
)
"""By the subunits of a unit, its mode and its posture."""


def _going(moment: Moment, troops: _Troops) -> MovementCosts:
    medium = medium_of(troops.mode)
    if not medium.heeds_ground:
        return MovementCosts((), _NOTHING, (), shapely.STRtree(_NOTHING))
    slow: defaultdict[float, list[BaseGeometry]] = defaultdict(list)
    waded: defaultdict[float, list[BaseGeometry]] = defaultdict(list)
    barred: list[BaseGeometry] = []
    crossings: list[BaseGeometry] = []
    afloat: list[BaseGeometry] = []
    for row, feature in enumerate(moment.setup.field.features):
        if not moment.state.features.value("present", row):
            continue
        cost = movement_cost(feature, mode=troops.mode, size=troops.size, height=troops.height)
        kind = kind_of(feature)
        crosses = kind in CROSSINGS and medium.land
        if crosses:
            crossings.append(feature.outline)
        if cost is not None and KINDS[kind].water:
            afloat.append(feature.outline)
        if cost is None:
            if medium.land or effect_of(feature).barrier:
                barred.append(feature.outline)
            continue
        cost = eased(cost, kind, troops.abilities)
        if cost > 1:
            (waded if crosses else slow)[cost].append(feature.outline)
    if not medium.land:
        barred.append(shapely.box(0, 0, *moment.setup.field.size) - shapely.union_all(afloat))
    steep = dict(_STEEP(moment)) if medium.land else {}
    open_way = shapely.union_all(crossings)
    areas = (
        (factor, _slow_area(steep.get(factor), slow[factor], open_way, waded[factor]))
        for factor in sorted({*waded, *slow, *steep})
    )
    kept = _polygons(shapely.difference(np.array(barred, dtype=object), open_way))
    found = tuple((factor, area) for factor, area in areas if not area.is_empty)
    pieces = tuple(shapely.STRtree(shapely.get_parts(area)) for _, area in found)
    return MovementCosts(found, kept, pieces, shapely.STRtree(kept))


def _slow_area(
    steep: BaseGeometry | None,
    outlines: Sequence[BaseGeometry],
    open_way: BaseGeometry,
    waded: Sequence[BaseGeometry],
) -> BaseGeometry:
    """Return steep ground and outlines as one area, without the open way but with waded ground.

    Rough ground has thousands of pieces: only pieces that touch a feature are united with it.
    """
    pieces = _NOTHING if steep is None else shapely.get_parts(steep)
    shapes = np.array([*outlines, *waded, open_way], dtype=object)
    near = np.unique(shapely.STRtree(pieces).query(shapes, predicate="intersects")[1])
    united = shapely.union_all([*pieces[near], *outlines])
    area = shapely.union_all([shapely.difference(united, open_way), *waded])
    if len(near) == len(pieces):
        return area
    return MultiPolygon([*_polygons(np.array([area], dtype=object)), *np.delete(pieces, near)])


def _shared(carried: Sequence[tuple[Ability, ...]]) -> tuple[Ability, ...]:
    """Return the abilities that all subunits have: one that lacks them holds the others up."""
    first, *others = carried
    return tuple(ability for ability in first if all(ability in other for other in others))


def _polygons(shapes: NDArray[np.object_]) -> NDArray[np.object_]:
    pieces = shapely.get_parts(shapes)
    out: NDArray[np.object_] = pieces[~shapely.is_empty(pieces)]
    return out


def _steep(moment: Moment) -> tuple[tuple[float, BaseGeometry], ...]:
    """Cells of the raster that are steep, as outlines by their cost."""
    field, numbers = moment.setup.field, numbers_of(moment)
    if field.ground.is_level:
        return ()
    cell = field.ground.cell
    east = np.arange(cell / 2, field.size[0], cell)
    north = np.arange(cell / 2, field.size[1], cell)
    # A strip at a time: the slopes take many times the memory of the ground.
    strips = np.array_split(north, min(len(north), len(north) * len(east) // _AT_ONCE + 1))
    slopes = np.vstack([field.ground.slopes(east, strip[:, None], field.scale) for strip in strips])
    rough = (slopes >= numbers.rough_slope) & (slopes < numbers.very_rough_slope)
    classes = ((ROUGH, rough), (VERY_ROUGH, slopes >= numbers.very_rough_slope))
    return tuple(
        (factor, _cells(east, north, cell / 2, here)) for factor, here in classes if here.any()
    )


_STEEP = Derived(make=_steep)


def share_steep_ground(moment: Moment, known: Moment) -> None:
    """Let a side's knowledge of a battle use the steep cells of the true one."""
    _STEEP.put(known, _STEEP(moment))


def _cells(east: Floats, north: Floats, half: float, here: NDArray[np.bool_]) -> BaseGeometry:
    """Return the outline of some cells of the raster, *half* wide to each side of their centres."""
    row, column = np.nonzero(here)
    # Neighbours share their edges to the last bit, which a union of a coverage relies on.
    x, y = np.append(east - half, east[-1] + half), np.append(north - half, north[-1] + half)
    boxes = shapely.box(x[column], y[row], x[column + 1], y[row + 1])
    return shapely.coverage_union_all(boxes)


def brinks_of(moment: Moment, unit: int) -> NDArray[np.bool_]:
    """Return which of the outlines that a unit may not enter are no obstacles: deep water, a drop.

    As a mask over `MovementCosts.barred`.
    """
    barred = going_of(moment, unit).barred
    flat = [
        feature.outline
        for row, feature in enumerate(moment.setup.field.features)
        if moment.state.features.value("present", row) and is_brink(feature.height)
    ]
    bed = shapely.union_all(flat).buffer(1e-6)
    mask: NDArray[np.bool_] = np.asarray(shapely.covers(bed, barred), dtype=np.bool_)
    return mask
