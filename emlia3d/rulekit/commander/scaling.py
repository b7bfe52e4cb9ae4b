"""Conversion of lengths between the rules and plans.

The distances in this package, such as the distance between neighbours, suit units that move about
30 GSU in a turn. For a rule system with other moves, a factor multiplies its lengths before
planning, and divides the lengths of the plan.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry

from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.plan import Mission, Plan, Spot
from emlia3d.rulekit.commander.unit_profile import UnitProfile


def scaled_outlook(outlook: Outlook, by: float) -> Outlook:
    """Return an outlook with all lengths multiplied."""
    if by == 1:
        return outlook
    width, height = outlook.size
    return replace(
        outlook,
        own=tuple(_body(each, by) for each in outlook.own),
        foes=tuple(_body(each, by) for each in outlook.foes),
        objectives=tuple(
            replace(each, outline=_outline(each.outline, by)) for each in outlook.objectives
        ),
        size=(width * by, height * by),
        rough=_outline(outlook.rough, by),
        places={name: _outline(each, by) for name, each in outlook.places.items()},
    )


def scaled_plan(plan: Plan, by: float) -> Plan:
    """Return a plan with all lengths multiplied."""
    if by == 1:
        return plan
    missions = tuple(_mission(each, by) for each in plan.missions)
    return Plan(name=plan.name, missions=missions)


def _body(body: UnitProfile, by: float) -> UnitProfile:
    lengths = ("x", "y", "width", "depth", "speed", "reach")
    return replace(
        body,
        bands=tuple(by * band for band in body.bands),
        **{name: by * getattr(body, name) for name in lengths},
    )


def _mission(mission: Mission, by: float) -> Mission:
    def there(spot: Spot) -> Spot:
        return by * spot[0], by * spot[1]

    left, right = mission.line
    return msgspec.structs.replace(
        mission, line=(there(left), there(right)), limit=by * mission.limit
    )


def _outline(outline: BaseGeometry, by: float) -> BaseGeometry:
    return scale(outline, by, by, origin=(0.0, 0.0))
