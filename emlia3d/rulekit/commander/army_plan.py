"""A side's plan: its main position and the mission of each brigade."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from emlia3d.rulekit.commander.detachments import detached
from emlia3d.rulekit.commander.front import Front, advance, front_of, fronts_apart, on_field
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.ordered import ordered_mission
from emlia3d.rulekit.commander.outlook import Brigade, Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Plan
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rulekit.commander.wings import on_the_wings
from emlia3d.rulekit.english import articled

_COVERS = 20.0
"""The depth of a position that lies in front of the line that occupies it, GSU."""

_FEWEST = 3
"""The minimum number of formed units for a plan with missions; fewer units act on their own."""


def plan_for(outlook: Outlook, orders: Iterable[BrigadeOrder] = ()) -> Plan:
    """Return the plan that serves the victory conditions best.

    A side that holds its positions, or has few formed units, gets a plan without missions: each of
    its units acts on its own.

    orders : missions that a player has given to brigades; the plan is for the other brigades
    """
    main = main_objective(outlook)
    given = [mission for order in orders if (mission := ordered_mission(outlook, order))]
    formed = [body for body in outlook.own if body.role == "line" and body.holds_formation]
    if outlook.holds or len(formed) < _FEWEST:
        return Plan(name=_name(outlook, main), missions=tuple(given))
    rest = _without(outlook, {mission.brigade for mission in given})
    away = detached(rest, main)
    line, fronts = _fronts(rest, away, main)
    if main is not None and not any(_is_before(rest, front, main) for front in fronts):
        # The lines miss the position on both sides, so a single unit goes there.
        away = detached(rest, None)
        line, fronts = _fronts(rest, away, main)
    sent = {unit for mission in away for unit in mission.units}
    missions = [
        _mission(rest, name, bodies, front, main)
        for (name, bodies), front in zip(line.items(), fronts, strict=True)
    ]
    led = [each for each in given if any(outlook.by_unit[unit] in formed for unit in each.units)]
    if missions or led:
        missions += on_the_wings(rest, [*missions, *led], sent)
    return Plan(name=_name(outlook, main), missions=(*given, *missions, *away))


def _fronts(
    outlook: Outlook, away: Iterable[Mission], main: Objective | None
) -> tuple[dict[str, tuple[UnitProfile, ...]], list[Front]]:
    """Return the formed units of each brigade that have no detached mission, and their fronts."""
    sent = {unit for mission in away for unit in mission.units}
    line = {
        brigade.name: bodies
        for brigade in outlook.brigades
        if (bodies := _formed(outlook, brigade, sent))
    }
    ahead = [outlook.by_unit[unit] for unit in sorted(sent)]
    fronts = fronts_apart([front_of(outlook, bodies, main, ahead) for bodies in line.values()])
    return line, [on_field(outlook, front) for front in fronts]


def _is_before(outlook: Outlook, front: Front, objective: Objective) -> bool:
    """Return whether a front reaches a position if it advances."""
    left, _, right, _ = outlook.frame.bounds(*objective.outline.bounds)
    return min(front.right, right) - max(front.left, left) > _COVERS


def _without(outlook: Outlook, brigades: Collection[str]) -> Outlook:
    """Return the outlook without some of the brigades."""
    if not brigades:
        return outlook
    return replace(
        outlook,
        own=tuple(b for b in outlook.own if outlook.brigade_of.get(b.unit) not in brigades),
        brigades=tuple(each for each in outlook.brigades if each.name not in brigades),
    )


def main_objective(outlook: Outlook) -> Objective | None:
    """Return the position on which most victory conditions depend; None if there is none."""
    frame = outlook.frame
    mine = [body for body in outlook.own if body.role == "line"] or list(outlook.own)
    if not mine:
        return None
    along = sum(frame.of(body.x, body.y)[1] for body in mine) / len(mine)

    def value(each: Objective) -> tuple[float, float]:
        centre = each.outline.centroid
        away = abs(frame.of(centre.x, centre.y)[1] - along)
        return each.worth, -away

    return max(outlook.objectives, key=value, default=None)


def _formed(outlook: Outlook, brigade: Brigade, sent: set[int]) -> tuple[UnitProfile, ...]:
    """Return the formed infantry of a brigade without broken and detached units."""
    return tuple(
        body
        for unit in brigade.units
        if (body := outlook.by_unit.get(unit)) is not None
        and body.role == "line"
        and unit not in sent
        and body.holds_formation
        and not body.is_broken
    )


def _mission(
    outlook: Outlook,
    brigade: str,
    bodies: tuple[UnitProfile, ...],
    front: Front,
    objective: Objective | None,
) -> Mission:
    """Return the mission of a brigade of the line."""
    kind = _task(outlook, bodies, objective)
    along, limit = advance(outlook, front, objective, kind)
    target = outlook.agreed_target(bodies, objective)
    return Mission(
        brigade=brigade,
        units=tuple(body.unit for body in (*front.first, *front.second)),
        kind=kind,
        line=outlook.frame.line(front.left, front.right, along),
        limit=limit,
        target=None if target is None else target.unit,
        area="" if objective is None else objective.name,
    )


def _task(
    outlook: Outlook, bodies: Sequence[UnitProfile], objective: Objective | None
) -> MissionKind:
    """Return the task of a brigade of the line at a position, or against the enemy."""
    if objective is None:
        return "attack"
    if outlook.is_kept(objective):
        return "hold"
    if outlook.should_assault(objective):
        return "assault"
    return "hold" if objective.holds(bodies) else "attack"


def _name(outlook: Outlook, main: Objective | None) -> str:
    aim = "attack the enemy"
    if main is not None:
        aim = f"{'hold' if outlook.holds else 'take'} {articled(main.name)}"
    return " ".join(filter(None, (aim, outlook.personality.adverb)))
