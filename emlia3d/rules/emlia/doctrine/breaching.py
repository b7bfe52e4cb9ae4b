"""How the doctrine commander breaks what stands between his men and their objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.play.combat.scenery import destructible
from emlia3d.rules.emlia.play.engagement.reach import reach_of
from emlia3d.rules.emlia.play.movement.going import going_of
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.thresholds import in_reach


def at_work(mind: Mind, unit: int) -> int | None:
    """The feature in a unit's reach that bars its straight way to the objective; None without."""
    battle = mind.battle
    objective = battle.setup.sides[mind.side].objective
    breakable = destructible(battle)
    if objective is None or not breakable:
        return None
    lie, goal = lie_of(battle), battle.setup.area(objective).centroid
    way = shapely.linestrings([lie.centre(unit), (goal.x, goal.y)])
    reach, barred = reach_of(lie, unit), going_of(battle, unit).barred
    for row in breakable:
        feature = battle.setup.field.features[row]
        near = in_reach(float(lie.outline(unit).distance(feature.outline)), reach)
        if near and feature.outline.intersects(way) and _is_among(feature.outline, barred):
            return row
    return None


def _is_among(outline: Polygon, barred: NDArray[np.object_]) -> bool:
    """Whether a feature is one of those that may not be entered, or part of one."""
    return bool((shapely.area(shapely.intersection(barred, outline)) > 0).any())


def order(mind: Mind, unit: int, by_verb: Mapping[str, list[Order]]) -> Order | None:
    """To break what bars the way; None where nothing does, or it may not."""
    row = at_work(mind, unit) if "hew" in by_verb else None
    hews = [one for one in by_verb.get("hew", []) if one.number == row]
    if row is None or not hews:
        return None
    name = mind.battle.setup.field.features[row].name
    return replace(hews[0], why=f"hews at {name}, which bars the way")
