"""Emlia, chapter 21.6 as play: whether a move leads closer to the enemy.

Holds `emlia.morale.not-closer`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.pose import Pose
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import MoraleState
from emlia3d.rules.emlia.unit_sets.initiative_conditions import conduct_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def conduct(moment: Moment, unit: int) -> MoraleState:
    """Return the morale state whose conditions the unit follows now."""
    return conduct_of(
        moment.state.units.integer("morale", unit),
        situation_of(moment).entry(unit).morale_conditions,
    )


def may_go_closer(moment: Moment, unit: int) -> bool:
    """Return whether a unit's morale allows moves closer to the enemy at all."""
    return bool(moment.state.units.value("ignoring", unit)) or conduct(moment, unit).highest > 0


@rule("emlia.morale.not-closer")
def is_closer(moment: Moment, unit: int, end: Pose) -> bool:
    """Return whether the nearest enemy that a unit is aware of is nearer to it at *end* than now.

    The nearest one at *end* may be another than now; exactly as near is not nearer.
    """
    situation, foes = situation_of(moment), np.array(enemies_of(moment, unit), dtype=np.intp)
    outlines = situation.outlines(foes)
    now = shapely.distance(situation.outline(unit), outlines)
    then = shapely.distance(end.outline, outlines)
    before = next(
        (gap for gap, foe in _nearest_first(now, foes) if is_aware(moment, unit, foe)), -np.inf
    )
    closer = then < before
    return any(is_aware(moment, unit, foe) for _, foe in _nearest_first(then[closer], foes[closer]))


def _nearest_first(
    gaps: NDArray[np.float64], foes: NDArray[np.intp]
) -> Iterator[tuple[float, int]]:
    """Yield enemies and how far they are, the nearest first."""
    order = np.argsort(gaps, kind="stable")
    return zip(gaps[order].tolist(), foes[order].tolist(), strict=True)


def closer_places(moment: Moment, unit: int) -> tuple[BaseGeometry, ...]:
    """Return the areas in which any part of a unit would be closer to the enemy, by `is_closer`.

    Polygons inside circles: at their edge a place may be closer by a little.
    """
    foes = _known_enemies(moment, unit)
    if not len(foes):
        return ()
    before = shapely.distance(situation_of(moment).outline(unit), foes).min()
    return tuple(shapely.buffer(foes, before, quad_segs=4).tolist()) if before else ()


def _known_enemies(moment: Moment, unit: int) -> NDArray[np.object_]:
    """Return the outlines of the enemies that a unit is aware of."""
    foes = [foe for foe in enemies_of(moment, unit) if is_aware(moment, unit, foe)]
    return situation_of(moment).outlines(foes)
