"""Emlia, chapter 9 as play: subunits of a mixed unit that want to go different ways.

It is settled before any of them acts on initiative. Parting is no Split Unit: it needs no
check. What becomes of the state is in `emlia3d.rules.emlia.play.situation.merging`.

Holds `emlia.orders.mixed`, but for what a leader may override.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.engagement import BrokeApart
from emlia3d.rules.emlia.play.acting.actions import chosen, may_act_on_orders
from emlia3d.rules.emlia.play.situation.merging import parted
from emlia3d.rules.emlia.play.situation.parts import is_mixed, parts_of
from emlia3d.rules.emlia.play.turn.condition_orders import (
    MetCondition,
    fulfils,
    takes,
    ways_to_follow,
)
from emlia3d.rules.emlia.play.turn.initiative import calls
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

STAY, BREAK_AWAY = "stay-together", "break-away"


@rule("emlia.orders.mixed.part-orders")
def part(battle: Battle, unit: int) -> Procedure[int]:
    """Separate subunits with conflicting conditions; return the unit that goes on.

    Subunits that no condition calls, and that could act on orders, may follow or break away.
    """
    if not is_mixed(battle, unit):
        return unit
    wanted = _wanted(battle, unit)
    if not wanted:
        return unit
    first, *others = wanted
    against = [row for row in others if conflict(battle, unit, wanted[first], wanted[row])]
    if against:
        unit = yield from _separate(battle, unit, against, "emlia.orders.mixed.conflict")
    free = [row for row in parts_of(battle, unit) if row not in wanted]
    if not free or may_act_on_orders(battle, unit) is not None:
        return unit
    slug = "emlia.orders.mixed.part-orders"
    options = [Order(verb=verb, unit=unit) for verb in (STAY, BREAK_AWAY)]
    order = yield from chosen(battle, unit, slug, options)
    if order.verb == BREAK_AWAY:
        unit = yield from _separate(battle, unit, free, slug)
    return unit


def _wanted(battle: Battle, unit: int) -> dict[int, MetCondition]:
    """Return the first condition of each subunit that can be met, in their order."""
    found: dict[int, MetCondition] = {}
    for call in calls(battle, unit):
        if call.part not in found and ways_to_follow(battle, unit, call)[0]:
            found[call.part] = call
    return found


@rule("emlia.orders.mixed.conflict")
def conflict(battle: Battle, unit: int, one: MetCondition, other: MetCondition) -> bool:
    """Return whether a unit cannot do what two conditions call for while it stays together.

    It can where they use different actions, or where one order does what both want.
    """
    if takes(one) is not takes(other):
        return False
    return not any(
        fulfils(battle, unit, order, another)
        for this, another in ((one, other), (other, one))
        for order in ways_to_follow(battle, unit, this)[0]
    )


@rule("emlia.orders.mixed.separate-costs")
def _separate(moment: Moment, unit: int, leaving: Sequence[int], slug: str) -> Procedure[int]:
    """Make some subunits a unit of their own; return the unit that goes on without them.

    Each keeps the actions that are left, and has a leader as normal; the leavers use theirs
    at their own timing. Both will be disordered in the next resolution.
    """
    rows = leaving
    if unit in leaving:
        rows = [row for row in parts_of(moment, unit) if row not in leaving]
    new, division = parted(moment, unit, rows)
    goes_on, waits = (new, unit) if unit in leaving else (unit, new)
    changes: list[Change] = [
        *division,
        Set(table="unit", row=waits, column="activated", value=0),
        Set(table="unit", row=waits, column="resumes", value=1),
        *(
            Append(table="note", row={"unit": each, "what": MoraleNote.BROKE_APART, "amount": 0.0})
            for each in (unit, new)
        ),
    ]
    yield Event(
        facts=BrokeApart(),
        unit=goes_on,
        target=waits,
        because=(slug, "emlia.orders.mixed.separate-costs"),
        changes=tuple(changes),
    )
    return goes_on
