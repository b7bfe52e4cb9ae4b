"""Plans of sides and missions from players, as lists of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change, Clear
from emlia3d.battle.derived import Each, List
from emlia3d.force.table import Column, Table
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.plan import KINDS, Mission, Plan

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

MISSIONS, ASSIGNED, ORDERED = "mission", "assigned", "ordered"
"""The lists: a row for each mission, each unit with a mission, and each order from a player."""

_ENDS = ("left_x", "left_y", "right_x", "right_y")

COLUMNS = (
    *(Column(table=MISSIONS, name=name, label=name) for name in ("side", "number", "brigade")),
    Column(table=MISSIONS, name="kind", label="kind", words=KINDS),
    *(Column(table=MISSIONS, name=name, dtype="f8", label=name) for name in (*_ENDS, "limit")),
    Column(table=MISSIONS, name="target", label="target", default=-1),
    Column(table=MISSIONS, name="area", label="area", default=-1),
    *(Column(table=ASSIGNED, name=name, label=name) for name in ("side", "number", "unit")),
    *(Column(table=ORDERED, name=name, label=name) for name in ("side", "brigade")),
    Column(table=ORDERED, name="kind", label="kind", words=KINDS),
    Column(table=ORDERED, name="target", label="target", default=-1),
    Column(table=ORDERED, name="area", label="area", default=-1),
)
"""The columns of a rule system whose sides have plans."""


def places_of(moment: Moment) -> list[str]:
    """Return the names of all possible goals of missions, in a fixed order."""
    setup = moment.setup
    named = [area.name for area in setup.areas]
    return [*named, *(each.name for each in setup.field.features if each.name)]


def plan_of(moment: Moment, side: int, brigades: tuple[str, ...]) -> Plan | None:
    """Return the current plan of a side; None if it has none.

    brigades : names of the side's brigades, by number
    """
    plans = _PLANS(moment)
    if side not in plans:
        plans[side] = _plan_of(moment, side, brigades)
    return plans[side]


_PLANS: Each[int, Plan | None] = Each(List(MISSIONS), List(ASSIGNED))
"""Cache of current plans, by side."""


def _plan_of(moment: Moment, side: int, brigades: tuple[str, ...]) -> Plan | None:
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
    """Return the changes that record a side's plan; the plans of other sides stay."""
    others = [
        change
        for name in (MISSIONS, ASSIGNED)
        for change in _without(moment, name, lambda rows, row: rows.integer("side", row) == side)
    ]
    return (*others, *_rows(side, plan, brigades, places_of(moment)))


def orders_of(moment: Moment, side: int, brigades: tuple[str, ...]) -> tuple[BrigadeOrder, ...]:
    """Return the current missions from a side's player.

    brigades : names of the side's brigades, by number
    """
    rows, places = moment.state.lists[ORDERED], places_of(moment)
    orders = []
    for row in range(len(rows)):
        if rows.integer("side", row) != side:
            continue
        target, area = rows.integer("target", row), rows.integer("area", row)
        orders.append(
            BrigadeOrder(
                brigade=brigades[rows.integer("brigade", row)],
                kind=KINDS[rows.integer("kind", row)],
                target=None if target < 0 else target,
                area="" if area < 0 else places[area],
            )
        )
    return tuple(orders)


def ordered(
    moment: Moment, side: int, order: BrigadeOrder, brigades: tuple[str, ...]
) -> tuple[Change, ...]:
    """Return the changes that record a player's order, in place of one to the same brigade."""
    brigade = brigades.index(order.brigade)

    def is_replaced(rows: Table, row: int) -> bool:
        return rows.integer("side", row) == side and rows.integer("brigade", row) == brigade

    changes = _without(moment, ORDERED, is_replaced)
    if order.kind is not None:
        cells = {
            "side": side,
            "brigade": brigade,
            "kind": KINDS.index(order.kind),
            "target": -1 if order.target is None else order.target,
            "area": places_of(moment).index(order.area) if order.area else -1,
        }
        changes.append(Append(table=ORDERED, row=cells))
    return tuple(changes)


def without_plans_of_others(moment: Moment, side: int) -> list[Change]:
    """Return the changes that remove the plans and orders of all other sides, for a picture."""

    def is_of_another(rows: Table, row: int) -> bool:
        return rows.integer("side", row) != side

    return [
        change
        for name in (MISSIONS, ASSIGNED, ORDERED)
        for change in _without(moment, name, is_of_another)
    ]


def _without(moment: Moment, name: str, drops: Callable[[Table, int], bool]) -> list[Change]:
    """Return the changes that remove rows of a list and keep the order of the others."""
    rows = moment.state.lists[name]
    if not len(rows):
        return []
    kept = [row for row in range(len(rows)) if not drops(rows, row)]
    return [
        Clear(table=name),
        *(
            Append(table=name, row={c.name: rows.value(c.name, row) for c in rows.columns})
            for row in kept
        ),
    ]


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
