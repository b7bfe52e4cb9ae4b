"""The record of each side's plan: two lists of its state, written by one event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change, Clear
from emlia3d.force.table import Column
from emlia3d.rulekit.commander.plan import KINDS, Mission, Plan

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

MISSIONS, ASSIGNED = "mission", "assigned"
"""The lists: a row for each mission, and one for each unit that has one."""

_ENDS = ("left_x", "left_y", "right_x", "right_y")

COLUMNS = (
    *(Column(table=MISSIONS, name=name, label=name) for name in ("side", "number", "brigade")),
    Column(table=MISSIONS, name="kind", label="kind", words=KINDS),
    *(Column(table=MISSIONS, name=name, dtype="f8", label=name) for name in (*_ENDS, "limit")),
    Column(table=MISSIONS, name="target", label="target", default=-1),
    Column(table=MISSIONS, name="area", label="area", default=-1),
    *(Column(table=ASSIGNED, name=name, label=name) for name in ("side", "number", "unit")),
)
"""The columns of a rule system whose sides have plans."""


def places_of(moment: Moment) -> list[str]:
    """Return the names of the places that a mission can be about, in a fixed order."""
    setup = moment.setup
    named = [area.name for area in setup.areas]
    return [*named, *(each.name for each in setup.field.features if each.name)]


def plan_of(moment: Moment, side: int, brigades: tuple[str, ...]) -> Plan | None:
    """Return the plan that stands for a side; None if it has none.

    brigades : names of the side's brigades, by number
    """
    rows, assigned = moment.state.lists[MISSIONS], moment.state.lists[ASSIGNED]
    units: dict[int, list[int]] = {}
    for row in range(len(assigned)):
        if assigned.integer("side", row) == side:
            number = assigned.integer("number", row)
            units.setdefault(number, []).append(assigned.integer("unit", row))
    places = places_of(moment)
    missions = []
    for row in range(len(rows)):
        if rows.integer("side", row) != side:
            continue
        left_x, left_y, right_x, right_y = (float(rows.value(name, row)) for name in _ENDS)
        target, area = rows.integer("target", row), rows.integer("area", row)
        missions.append(
            Mission(
                brigade=brigades[rows.integer("brigade", row)],
                units=tuple(units.get(rows.integer("number", row), ())),
                kind=KINDS[rows.integer("kind", row)],
                line=((left_x, left_y), (right_x, right_y)),
                limit=float(rows.value("limit", row)),
                target=None if target < 0 else target,
                area="" if area < 0 else places[area],
            )
        )
    return Plan(name="", missions=tuple(missions)) if missions else None


def planned(moment: Moment, side: int, plan: Plan, brigades: tuple[str, ...]) -> tuple[Change, ...]:
    """Return the changes that make a plan stand for a side; the plans of other sides stay."""
    changes: list[Change] = []
    for name in (MISSIONS, ASSIGNED):
        rows = moment.state.lists[name]
        kept = [row for row in range(len(rows)) if rows.integer("side", row) != side]
        if len(rows):
            changes.append(Clear(table=name))
        changes += [
            Append(table=name, row={c.name: rows.value(c.name, row) for c in rows.columns})
            for row in kept
        ]
    changes += _rows(side, plan, brigades, places_of(moment))
    return tuple(changes)


def _rows(side: int, plan: Plan, brigades: tuple[str, ...], places: list[str]) -> Iterator[Append]:
    """Yield the rows of a side's plan."""
    for number, mission in enumerate(plan.missions):
        (left_x, left_y), (right_x, right_y) = mission.line
        yield Append(
            table=MISSIONS,
            row={
                "side": side,
                "number": number,
                "brigade": brigades.index(mission.brigade),
                "kind": KINDS.index(mission.kind),
                "left_x": left_x,
                "left_y": left_y,
                "right_x": right_x,
                "right_y": right_y,
                "limit": mission.limit,
                "target": -1 if mission.target is None else mission.target,
                "area": places.index(mission.area) if mission.area else -1,
            },
        )
        for unit in mission.units:
            yield Append(table=ASSIGNED, row={"side": side, "number": number, "unit": unit})
