"""Emlia, chapters 4 and 8 as play: what a unit may still do this turn, and what that uses up.

Holds what `emlia.activate` says of the use of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Decision, Order, OrderValidator, Procedure, Refusal
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.actions import Action, ActionType, Need, action, free_bit
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A type of action: how its orders are offered and carried out.

    verbs : the verbs of its orders
    options : every order that the unit may be given now, or a shortlist; yielded lazily if
        each is expensive
    perform : the procedure of the book
    validator : which other orders are legal, if the options are a shortlist
    without_orders : whether a disordered unit may be offered it too
    validated : whether *validator* allows every one of its options
    is_expensive : whether finding even the first of them is expensive
    among : filters orders for options, if that is faster than finding all
    """

    verbs: tuple[str, ...]
    options: Callable[[Moment, int], Iterable[Order]]
    perform: Callable[[Battle, int, Order], Procedure[None]]
    validator: Callable[[Moment, int], OrderValidator] | None = None
    without_orders: bool = False
    validated: bool = False
    is_expensive: bool = False
    among: Callable[[Moment, int, Sequence[Order]], Collection[Order]] | None = None


def kind_of(name: str, kind: ActionType | None = None) -> ActionType:
    """Return the type as which an action of the table is taken.

    kind : the one that the order says, where the row has several; its first without it
    """
    return action(name).kinds[0] if kind is None else kind


def may_take(
    moment: Moment, unit: int, name: str, kind: ActionType | None = None
) -> Refusal | None:
    """Return whether the unit has what the action uses up, and is as the action needs it to be.

    kind : as for `kind_of`
    """
    wanted, kind = action(name), kind_of(name, kind)
    if kind not in wanted.kinds:
        return Refusal("emlia.action.basic-list", f"it cannot be taken as a {kind.value} action")
    return (
        may_use(moment, unit, kind, name, free_bit(name))
        or may_forfeit(moment, unit, wanted)
        or next(filter(None, (_NEEDS[need](moment, unit) for need in wanted.needs)), None)
    )


@rule("emlia.orders.on-orders", "emlia.disorder.effect", "emlia.lead.ignore.orders")
def may_act_on_orders(moment: Moment, unit: int) -> Refusal | None:
    """Return a disordered unit can act on initiative, not on orders, but for what that leaves it.

    Nor does it matter where it ignores its conditions.
    """
    units = moment.state.units
    if units.value("disordered", unit) and not (
        units.value("leftover", unit) or units.value("ignoring", unit)
    ):
        return Refusal("emlia.disorder.effect", "the unit is disordered")
    return None


@rule("emlia.activate.free-actions")
def may_use(moment: Moment, unit: int, kind: ActionType, name: str, bit: int) -> Refusal | None:
    """One move and one primary action a turn; any number of free ones, each once.

    bit : of the action in the column "free_used"
    """
    units = moment.state.units
    match kind:
        case ActionType.MOVE if units.value("move_used", unit):
            return may_be_second(moment, unit, name)
        case ActionType.PRIMARY if units.value("primary_used", unit):
            return Refusal("emlia.activate.two-actions", "it has used its primary action")
        case ActionType.FREE if units.integer("free_used", unit) & bit:
            return Refusal("emlia.activate.free-actions", "it has already done that this turn")
        case _:
            return None


FOR_POSTURE = 2
"""In the column "move_used": the unit has changed its posture, without a check."""

_SECOND_PARTS = {
    "normal move": "move", "drop down": "drop-down", "stand up": "stand-up",
    "take cover": "take-cover", "break ranks": "break-ranks", "conceal self": "conceal-self-move",
    "improve morale": "improve-morale", "pass awareness": "pass-awareness",
}  # fmt: skip
"""Move actions that may be the second part of a Double Pace, and the verbs of orders for them."""


@rule("emlia.move.double-pace.second")
def may_be_second(moment: Moment, unit: int, name: str) -> Refusal | None:
    """Return why a move action may not be the second part of a Double Pace; None if it may.

    One of the two is a Normal Move, in either order; and no check has been made yet.
    """
    units = moment.state.units
    begun = units.value("moved", unit) or units.value("move_used", unit) == FOR_POSTURE
    spent = ("double_paced", "charged", "leftover", "primary_used", "free_used")
    if not begun or name not in _SECOND_PARTS or any(units.value(cell, unit) for cell in spent):
        return Refusal("emlia.activate.two-actions", "it has used its move action")
    if not units.value("moved", unit) and name != "normal move":
        return Refusal("emlia.move.double-pace", "one part of a Double Pace must be a Normal Move")
    return None


def is_second(moment: Moment, unit: int, order: Order) -> bool:
    """Return whether an order is for the second part of a Double Pace."""
    return order.verb in SECOND_VERBS and bool(moment.state.units.value("move_used", unit))


SECOND_VERBS = frozenset(_SECOND_PARTS.values())
"""The verbs of the orders for move actions that may be the second part of a Double Pace."""


@rule("emlia.activate.forfeit")
def may_forfeit(moment: Moment, unit: int, wanted: Action) -> Refusal | None:
    """Return why the move action cannot be forfeited; None if it is unused."""
    if wanted.forfeits_move and moment.state.units.value("move_used", unit):
        return Refusal("emlia.activate.forfeit", "it has used the move action that this forfeits")
    return None


_NOTED_ELSEWHERE = frozenset({"delay", "prepare actions"})
"""Free actions without a bit in "free_used": the column "delayed" and notes record them."""


def used_by(
    moment: Moment,
    unit: int,
    name: str,
    kind: ActionType | None = None,
    *,
    forfeits_move: bool = False,
) -> tuple[Change, ...]:
    """Return the changes that use up what an action of the table costs.

    kind : as for `kind_of`
    forfeits_move : the order gives up the move action too, whatever the table says
    """
    kind = kind_of(name, kind)
    if kind is ActionType.FREE:
        return () if name in _NOTED_ELSEWHERE else (used_free(moment, unit, name),)
    return used(unit, kind, forfeits_move=forfeits_move or action(name).forfeits_move)


def used(unit: int, kind: ActionType, *, forfeits_move: bool = False) -> tuple[Change, ...]:
    """Return the changes that use up a move or a primary action, of the table or not."""
    columns = [f"{kind.value}_used"]
    if forfeits_move and kind is not ActionType.MOVE:
        columns.append("move_used")
    return tuple(Set(table="unit", row=unit, column=column, value=1) for column in columns)


def used_free(moment: Moment, unit: int, name: str) -> Change:
    """Return the change that notes a free action as taken."""
    return used_bit(moment, unit, free_bit(name))


def used_bit(moment: Moment, unit: int, bit: int) -> Change:
    """Return the change that notes the free action of a bit as taken."""
    taken = moment.state.units.integer("free_used", unit) | bit
    return Set(table="unit", row=unit, column="free_used", value=taken)


def chosen(
    moment: Moment,
    unit: int,
    asks: str,
    options: Sequence[Order],
    validator: OrderValidator | None = None,
) -> Procedure[Order]:
    """Ask the unit's player for one of some orders, if there is a choice, and return it."""
    if validator is None and len(options) == 1:
        return options[0]
    side = moment.state.units.integer("side", unit)
    order = yield Decision(
        side=side, asks=asks, unit=unit, options=tuple(options), validator=validator
    )
    return order


def _on_orders(moment: Moment, unit: int) -> Refusal | None:
    """Not what a disordered unit does with leftovers (`emlia.orders.leftover`)."""
    units = moment.state.units
    if units.value("disordered", unit) and not units.value("ignoring", unit):
        return Refusal("emlia.disorder.effect", "the unit is disordered")
    return None


@rule("emlia.engage.restrictions")
def _unengaged(moment: Moment, unit: int) -> Refusal | None:
    if engaged_by(moment, unit):
        return Refusal("emlia.engage.restrictions", "it is engaged")
    return None


def _in_close_formation(moment: Moment, unit: int) -> Refusal | None:
    if moment.state.units.integer("formation", unit) != Formation.CLOSE:
        return Refusal("emlia.conc", "it is not in close formation")
    return None


def _not_double_paced(moment: Moment, unit: int) -> Refusal | None:
    if moment.state.units.value("double_paced", unit):
        return Refusal("emlia.charge", "it has double paced")
    return None


_NEEDS: dict[Need, Callable[[Moment, int], Refusal | None]] = {
    "on orders": _on_orders,
    "unengaged": _unengaged,
    "close formation": _in_close_formation,
    "not double paced": _not_double_paced,
}
