"""The roofs over a point of impact and the bodies round it.

Holds nothing of its own; the rules of volleys are in `emlia3d.rules.emlia.tables.volley`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.force.formation import footprint_corners
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.cover import stops
from emlia3d.rules.emlia.tables.terrain import effect_of
from emlia3d.rules.emlia.tables.volley import overhead_cover

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def overhead_of(moment: Moment, unit: int, base_damage: int) -> Level:
    """Return the vertical cover of a unit against an attack of this base damage."""
    situation = situation_of(moment)
    outline = situation.outline(unit)
    return _overhead(moment, outline, situation.footing(unit) + situation.height(unit), base_damage)


def overhead_of_feature(moment: Moment, feature: int, base_damage: int) -> Level:
    """Return the vertical cover of a feature, by number, against this base damage."""
    shape = moment.setup.field.features[feature]
    top = situation_of(moment).feature_footing(feature) + shape.height
    return _overhead(moment, shape.outline, top, base_damage)


def _overhead(moment: Moment, outline: Polygon, top: float, base_damage: int) -> Level:
    above, solid = _over(moment, outline, top, base_damage)
    shares = [shapely.area(shapely.intersection(outline, roof)) for roof in (above, solid)]
    whole = shapely.area(outline)
    return overhead_cover(float(shares[0] / whole), float(shares[1] / whole))


def overhead_at(moment: Moment, point: tuple[float, float], base_damage: int) -> Level:
    """Return the vertical cover of a point on the ground."""
    place = Point(point)
    footing = float(situation_of(moment).ground_at(np.array([point]))[0])
    above, solid = _over(moment, place, footing, base_damage)
    return overhead_cover(float(above.intersects(place)), float(solid.intersects(place)))


def _over(
    moment: Moment, body: BaseGeometry, top: float, base_damage: int
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the outlines over a body that stop the attack: all of them, and the solid part.

    An outline that does not rise above the body's top is not over it.
    """
    situation = situation_of(moment)
    over = [
        feature
        for row, feature in enumerate(moment.setup.field.features)
        if effect_of(feature).overhead
        and moment.state.features.value("present", row)
        and feature.outline.intersects(body)
        and situation.feature_footing(row) + feature.height > top
        and stops(feature.hits, feature.body == "solid", base_damage)
    ]
    solid = [feature.outline for feature in over if feature.body == "solid"]
    return shapely.union_all([feature.outline for feature in over]), shapely.union_all(solid)


def struck_within(moment: Moment, point: tuple[float, float], radius: float) -> dict[int, int]:
    """Return the number of members of each unit whose footprints meet a circle.

    Friends and enemies alike, by the row of the head unit, rising; units without any are left out.
    A single body with a boundary of its own counts as one.
    """
    situation, middle = situation_of(moment), Point(point)
    struck = {}
    for unit in on_field(moment):
        if not in_reach(float(situation.outline(unit).distance(middle)), radius):
            continue
        count = sum(
            _members_within(moment, part, middle, radius) for part in parts_of(moment, unit)
        )
        if count:
            struck[unit] = count
    return struck


def _members_within(moment: Moment, row: int, middle: Point, radius: float) -> int:
    """Return this number for one subunit, or for a plain unit."""
    outline, spots = situation_of(moment).alone(row)
    if moment.setup.units[row].outline is not None:
        return int(in_reach(float(outline.distance(middle)), radius))
    drill = moment.state.roster.drill(row)
    facing = moment.state.units.integer("facing", row)
    bodies = shapely.polygons(footprint_corners(drill, spots, facing))
    gaps = np.asarray(shapely.distance(bodies, middle))
    return sum(in_reach(gap, radius) for gap in gaps.tolist())
