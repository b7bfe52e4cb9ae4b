"""Emlia, chapter 9 as play: units that act on initiative.

A unit's initiative conditions are worked through as it activates, in the order in which they are
printed, after what its morale compels it to. Each is judged when its turn comes. What they say
is data: `emlia3d.rules.emlia.unit_sets.initiative_conditions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order, OrderValidator, Procedure, Refusal
from emlia3d.battle.derived import Derived
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.turn import ActedOfItself
from emlia3d.rules.emlia.play.acting.actions import chosen
from emlia3d.rules.emlia.play.acting.triggers import concerned
from emlia3d.rules.emlia.play.retreat import compulsion
from emlia3d.rules.emlia.play.situation.parts import entry_of, is_mixed, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.condition_orders import (
    MetCondition,
    fulfils,
    takes,
    ways_to_follow,
)
from emlia3d.rules.emlia.tables.morale import FALLS_BACK
from emlia3d.rules.emlia.unit_sets.initiative_conditions import InitiativeCondition
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

CarryOut = Callable[["Battle", int, Order], Procedure[None]]


@rule("emlia.orders.example-thieves", "emlia.orders.example-cruiser", "emlia.orders.mixed.override")
def conditions_of(moment: Moment, unit: int) -> tuple[tuple[int, InitiativeCondition], ...]:
    """Return the conditions of a unit in their order; for a mixed unit, of each part.

    Each comes with its subunit.
    """
    situation = situation_of(moment)
    return tuple(
        (part, condition)
        for part in parts_of(moment, unit)
        for condition in situation.entry(part).initiative
    )


@rule("emlia.orders.initiative")
def calls(moment: Moment, unit: int) -> Iterator[MetCondition]:
    """Yield the conditions that are met, computed on demand; none if ignored."""
    for number, (part, condition) in enumerate(conditions_of(moment, unit), 1):
        units = moment.state.units
        if units.value("ignoring", unit) or not units.value("present", unit):
            return
        foes = concerned(moment, unit, condition.when)
        if foes:
            yield MetCondition(number, condition, foes, part)


def is_called(moment: Moment, unit: int) -> bool:
    """Return whether any initiative condition of the unit is met."""
    return next(calls(moment, unit), None) is not None


@rule("emlia.orders.initiative-early")
def may_act_early(moment: Moment, unit: int) -> Refusal | None:
    """Return why a unit may not act early; None if it is ready and a condition calls it."""
    units = moment.state.units
    if units.value("activated", unit) or units.value("delayed", unit):
        return Refusal("emlia.orders.initiative-early", "it has activated this turn")
    if compulsion.is_compelled(moment, unit) or is_called(moment, unit):
        return None
    return Refusal("emlia.orders.initiative-early", "none of its conditions is met")


def acting_early(moment: Moment, units: Sequence[int]) -> list[int]:
    """Return the units that may act early.

    Only units that low morale or a condition of theirs could call are examined.
    """
    low = moment.state.units.ints("morale") <= FALLS_BACK
    asked = (low | _HEEDING(moment)).tolist()
    return [
        unit
        for unit in units
        if (asked[unit] or is_mixed(moment, unit)) and may_act_early(moment, unit) is None
    ]


def _heeding(moment: Moment) -> NDArray[np.bool_]:
    """(units,) whether each row has conditions of its own, of initiative or of morale."""
    entries = (entry_of(moment.setup, row) for row in range(len(moment.state.units)))
    return np.array([bool(one.initiative or one.morale_conditions) for one in entries])


_HEEDING = Derived(make=_heeding, same=np.array_equal)


@rule("emlia.orders.priority")
def obey(battle: Battle, unit: int, carry_out: CarryOut) -> Procedure[None]:
    """Carry out the actions of the first condition met, then of the next with what is left.

    Conditions that are no longer possible are skipped. How a condition is followed is the
    player's choice.
    """
    for call in calls(battle, unit):
        answers, reach = ways_for_all(battle, unit, call)
        if not answers:
            continue
        yield _called(battle, unit, call)
        order = yield from chosen(battle, unit, "emlia.orders.initiative", answers, reach)
        yield from carry_out(battle, unit, order)


def ways_for_all(
    battle: Battle, unit: int, call: MetCondition
) -> tuple[list[Order], OrderValidator | None]:
    """Return the orders that do what a condition calls for.

    If any do what the condition of another subunit calls for too, those alone.
    """
    answers, reach = ways_to_follow(battle, unit, call)
    for other in calls(battle, unit) if is_mixed(battle, unit) else ():
        if other.part != call.part and takes(other) is takes(call):
            both = [order for order in answers if fulfils(battle, unit, order, other)]
            if both:
                return both, None
    return answers, reach


_CAVEMEN = "emlia/cavemen"
"""The unit set's entry that the book prints, its initiative conditions among it."""


def _called(moment: Moment, unit: int, call: MetCondition) -> Event:
    printed = moment.setup.units[call.part].kind == _CAVEMEN
    return Event(
        facts=ActedOfItself(condition=call.number, does=call.condition.do),
        unit=unit,
        target=call.foes[0],
        because=(
            "emlia.attr.initiative-conditions",
            "emlia.orders.trigger-vocabulary",
            "emlia.orders.initiative",
            *((f"emlia.caveman.initiative.{call.number}",) if printed else ()),
            *(("emlia.orders.priority",) if call.number > 1 else ()),
        ),
        changes=(Set(table="unit", row=unit, column="leftover", value=1),),
    )
