"""The places where a unit could stand aside, and what else that would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.formatting import format_value
from emlia3d.field import KINDS, Feature
from emlia3d.rules.emlia.play.situation.flight import is_aloft
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.terrain import kind_of

if TYPE_CHECKING:
    from shapely import Polygon

    from emlia3d.battle.moment import Moment

# Less than this lies between two bodies that stand shoulder to shoulder; square GSU.
_TOUCH = 1 / 16


class FreeSpace:
    """The free places for one unit while all others stand still."""

    def __init__(self, moment: Moment, who: int) -> None:
        setup, units = moment.setup, moment.state.units
        self._size = setup.field.size
        self._here = here = situation_of(moment).outline(who)
        self._taken = _apart_from(here, [*_others(moment, who), *going_of(moment, who).barred])
        aloft = is_aloft(moment, who)
        stood_on = [] if aloft else [each for each in _standing(moment) if _is_stood_on(each)]
        self._hills = [each for each in stood_on if KINDS[each.kind].shape == "area"]
        walls = [each.outline for each in stood_on if KINDS[each.kind].shape != "area"]
        self._wall = shapely.union_all(walls)
        self._on_wall = self._share(here)
        self._raised = 0.0 if aloft else float(units.value("on_height", who))
        before = moment.state.turn == 0
        self._zone = setup.zone_of(setup.units[who].muster.side) if before else None

    def holds(self, outline: Polygon) -> bool:
        """Return whether a unit of this outline may stand there; touching is no hindrance.

        On the field, in no other unit, in nothing solid and nothing that it may not enter, unless
        it is in that now; and on a wall or tower with as much of it as now.
        """
        west, south, east, north = outline.bounds
        if min(west, south) < 0 or east > self._size[0] or north > self._size[1]:
            return False
        if self._share(outline) < self._on_wall - _TOUCH:
            return False
        return bool((shapely.area(shapely.intersection(self._taken, outline)) <= _TOUCH).all())

    def side_effects(self, outline: Polygon) -> str | None:
        """Return what else would change if the unit stood there; None if nothing."""
        return ", ".join(self._changes(outline)) or None

    def _changes(self, outline: Polygon) -> Iterator[str]:
        if self._zone is not None and not self._zone.covers(outline):
            yield "outside its deployment zone"
        for hill in self._hills:
            was, is_now = hill.outline.intersects(self._here), hill.outline.intersects(outline)
            if was is not is_now:
                yield f"{'off' if was else 'onto'} {hill.name}"
        if self._raised:
            yield f"still {format_value(self._raised)} height units above the ground"

    def _share(self, outline: Polygon) -> float:
        return float(shapely.area(shapely.intersection(self._wall, outline)))


def _standing(moment: Moment) -> Iterator[Feature]:
    for row, feature in enumerate(moment.setup.field.features):
        if moment.state.features.value("present", row):
            yield feature


def _is_stood_on(feature: Feature) -> bool:
    return KINDS[kind_of(feature)].stood_on and feature.height > 0


def _others(moment: Moment, who: int) -> Iterator[Polygon]:
    """Yield the bodies in every unit's way: units, and solid features that cannot be stood on."""
    situation = situation_of(moment)
    yield from (situation.outline(unit) for unit in range(len(moment.setup.units)) if unit != who)
    for feature in _standing(moment):
        if feature.body == "solid" and feature.height > 0 and not KINDS[kind_of(feature)].stood_on:
            yield feature.outline


def _apart_from(here: Polygon, shapes: list[Polygon]) -> NDArray[np.object_]:
    """Return the shapes that a unit does not stand in now."""
    bodies = np.array([each for each in shapes if not each.is_empty], dtype=object)
    apart: NDArray[np.object_] = bodies[shapely.area(shapely.intersection(bodies, here)) <= _TOUCH]
    return apart
