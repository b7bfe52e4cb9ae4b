"""Emlia, chapters 8 and 9: one unit's activation.

A unit has one move action and one primary action, in either order, and free actions before,
between and after them. What low morale compels comes first (`emlia.orders.priority`); a
disordered unit does nothing on orders.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Add, Append, Change, Fill, Pair, Set
from emlia3d.battle.decisions import Decision, LazyOptions, OptionGroup, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.actions import listing
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.turn import Activated, ActivationEnded, Delayed, DoublePaceDeclared
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.acting.actions import Deed, is_second, may_act_on_orders, used_by
from emlia3d.rules.emlia.play.acting.beginning import begun_because, ended_because
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.charges import charging, preparing, structures
from emlia3d.rules.emlia.play.charges.note_conditions import TriggerEvent
from emlia3d.rules.emlia.play.combat import (
    close_combat,
    concentrated,
    disengage,
    granted,
    scenery,
    shooting,
    volley,
)
from emlia3d.rules.emlia.play.combat import scheduled_events as happenings
from emlia3d.rules.emlia.play.engagement import ranks
from emlia3d.rules.emlia.play.free_actions import hiding, joining, rally
from emlia3d.rules.emlia.play.morale.friends_in_view import noted_by
from emlia3d.rules.emlia.play.movement import driving, leaving, manoeuvre
from emlia3d.rules.emlia.play.retreat import compulsion
from emlia3d.rules.emlia.play.retreat import leave_skirmish as slipping
from emlia3d.rules.emlia.play.sight.awareness import forgotten_deeds, remembered
from emlia3d.rules.emlia.play.situation.contact import in_reach_of, melee_of
from emlia3d.rules.emlia.play.situation.parts import head_of, leading_part
from emlia3d.rules.emlia.play.situation.prepared_notes import lapsed
from emlia3d.rules.emlia.play.turn import command, initiative
from emlia3d.rules.emlia.play.turn import subunit_conflicts as parting
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

DONE = "done"


@rule("emlia.activate.act-or-delay", "emlia.activate.two-actions")
def activate(battle: Battle, unit: int) -> Procedure[None]:
    """Let the unit perform its actions, or delay."""
    yield begun(battle, unit)
    yield from brace(battle, unit)
    unit = yield from obey(battle, unit)
    first, units = True, battle.state.units
    come = bool(units.value("moved", unit))
    while units.value("present", unit):
        voice = leading_part(battle, unit)
        delaying = first and may_delay(battle, unit) is None
        order = yield from ask(battle, unit, delaying=delaying, come=come)
        if order.verb == "delay":
            assert order.number is not None
            yield delayed(battle, unit, order.number)
            yield from preparing.triggered(battle, TriggerEvent(unit, "delay"), carry_out)
            return
        if order.verb == DONE:
            break
        first, come = False, order.verb in manoeuvre.PACES
        if order.verb == declaring.DECLARE:
            assert order.number is not None
            yield declaring.declared(battle, unit, Formation(order.number))
            continue
        yield from carry_out(battle, unit, order)
        # The leader that gives these orders may have joined another unit, or split its own.
        unit = head_of(battle, voice)
        if battle.state.units.value("resumes", unit):
            return
    if battle.state.units.value("present", unit):
        yield from driving.coast(battle, unit)
    yield ended(battle, unit)
    yield from happenings.harmed(battle, unit)


def activate_early(battle: Battle, unit: int) -> Procedure[None]:
    """Let the unit act on initiative alone; it forfeits all actions no condition calls for.

    Its activation this turn is over with that (`emlia.orders.initiative-early`).
    """
    yield begun(battle, unit)
    unit = yield from obey(battle, unit)
    yield ended(battle, unit)
    yield from happenings.harmed(battle, unit)


def obey(battle: Battle, unit: int) -> Procedure[int]:
    """Carry out what morale compels, then the unit's own conditions.

    Return the unit that goes on; subunits with conflicting conditions have left it.
    """
    units, before = battle.state.units, battle.state.units.value("move_used", unit)
    yield from compulsion.obey(battle, unit)
    if units.value("move_used", unit) != before:
        name = "double pace" if units.value("double_paced", unit) else "normal move"
        yield from preparing.triggered(battle, TriggerEvent(unit, name), carry_out)
    unit = yield from parting.part(battle, unit)
    yield from initiative.obey(battle, unit, carry_out)
    return unit


@rule("emlia.activate.free-when")
def brace(battle: Battle, unit: int) -> Procedure[None]:
    """Offer free actions before the others: a leader may try to prevent a compelled action."""
    while compulsion.is_compelled(battle, unit) or initiative.is_called(battle, unit):
        options = command.command_options(battle, unit)
        if not options:
            return
        order = yield Decision(
            side=battle.state.units.integer("side", unit),
            asks="emlia.activate.free-when",
            unit=unit,
            options=(*options, Order(verb=DONE, unit=unit)),
        )
        if order.verb == DONE:
            return
        yield from carry_out(battle, unit, order)


def ask(
    moment: Moment, unit: int, *, delaying: bool = False, come: bool = False
) -> Procedure[Order]:
    """Ask the unit's player for the next order; ask nothing if only 'done' is left.

    Dividing members of one kind is not offered alone either; it can wait for the next activation.

    come : it has just come to where it stands, and may be declared in another formation
    """
    shooting.foresee(moment, unit)
    done = Order(verb=DONE, unit=unit)
    offer, lower = LazyOptions(_deeds_of(moment, unit)), range(0)
    if delaying:
        lower = range(moment.state.units.integer("timing", unit))
    delays = [Order(verb="delay", unit=unit, number=number) for number in reversed(lower)]
    side = moment.state.units.integer("side", unit)
    if come:
        listed = partial(declaring.orders, moment, unit)
        offer = offer.followed_by(
            OptionGroup(verbs=(declaring.DECLARE,), generate=listed, is_expensive=True)
        )
    if not (
        lower or offer.has_other_than(joining.SPLIT.verbs) or joining.has_parts_to_split(offer)
    ):
        return done
    last = OptionGroup(verbs=(DONE, "delay"), generate=lambda: (done, *delays))
    answer = yield Decision(
        side=side, asks="emlia.activate.two-actions", unit=unit, options=offer.followed_by(last),
        validator=_OrderValidator(moment, unit),
    )  # fmt: skip
    return answer


class _OrderValidator:
    """All orders that a unit may be given beyond the shortlist."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> _OrderValidator:
        """Return the orders within reach, for a unit of the battle as its side knows it."""
        return _OrderValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the order may be given."""
        deed = DEEDS.get(order.verb)
        if deed is None or deed.validator is None:
            return Refusal("emlia.activate.two-actions", "it is not one of the options")
        return deed.validator(self._moment, self._unit).refusal(order)


REPERTOIRE: tuple[Deed, ...] = (
    charging.CHARGE,
    close_combat.CLOSE_COMBAT,
    disengage.DISENGAGE,
    scenery.HEW,
    shooting.AIMED_FIRE,
    volley.AREA_VOLLEY,
    concentrated.CONCENTRATED_VOLLEY,
    rally.RALLY,
    command.COMMAND,
    joining.JOIN,
    joining.SPLIT,
    hiding.CONCEAL_SELF,
    hiding.DETECT_HIDDEN,
    hiding.PASS_AWARENESS,
    granted.ABILITIES,
    manoeuvre.MOVES,
    manoeuvre.POSTURES,
    leaving.LEAVE,
    ranks.BREAK_RANKS,
    preparing.PREPARE,
    slipping.SLIP_OUT,
    structures.FIRE_AT_FEATURE,
    structures.VOLLEY_AT_FEATURE,
    structures.CHARGE_AT_FEATURE,
)
"""All actions that a unit can be ordered to take."""

DEEDS = {verb: deed for deed in REPERTOIRE for verb in deed.verbs}
"""The repertoire by the verbs of its orders."""

_ACTION_OF = {
    "move": "normal move", "leave-field": "normal move", "fire": "aimed fire", "aim": "aimed fire",
    "prepare": "prepare actions", "hew": "close combat", "charge-feature": "charge",
    "fire-feature": "aimed fire", "aim-feature": "aimed fire",
    "volley-feature": "concentrated volley",
    "improve-morale-primary": "improve morale", "leave-cover": "", "show-note": "",
    **dict.fromkeys(hiding.CONCEAL_SELF.verbs, "conceal self"),
    **dict.fromkeys(hiding.PASS_AWARENESS.verbs, "pass awareness"),
}  # fmt: skip
"""The action of the list that an order is of, where its verb has another name; "" for none."""


def action_of(verb: str) -> str:
    """Return the name of the action that an order is of."""
    return _ACTION_OF.get(verb, verb.replace("-", " "))


@rule("emlia.action.any-unit")
def options_of(moment: Moment, unit: int) -> list[Order]:
    """Return the unit's options now; moves are a shortlist.

    Any unit may take any core action; a unit that cannot act on orders only actions that need none.
    """
    return [*LazyOptions(_deeds_of(moment, unit))]


def _deeds_of(moment: Moment, unit: int) -> list[OptionGroup]:
    ordered = may_act_on_orders(moment, unit) is None
    return [
        OptionGroup(
            verbs=deed.verbs,
            generate=partial(deed.options, moment, unit),
            validated=deed.validated,
            is_expensive=deed.is_expensive,
            among=None if deed.among is None else partial(deed.among, moment, unit),
        )
        for deed in REPERTOIRE
        if ordered or deed.without_orders
    ]


@rule("emlia.activate.delay", "emlia.gloss.delay-free")
def may_delay(moment: Moment, unit: int) -> Refusal | None:
    """Once a turn, before any other action, to any lower timing; a unit at 0 cannot."""
    units = moment.state.units
    if units.value("delayed", unit):
        return Refusal("emlia.activate.delay", "it has already delayed")
    if units.value("move_used", unit) or units.value("leftover", unit):
        return Refusal("emlia.activate.delay", "it has already acted")
    if units.value("timing", unit) == 0:
        return Refusal("emlia.activate.delay", "there is no lower timing than 0")
    return may_act_on_orders(moment, unit) or may_do(moment, unit, "delay")


@rule("emlia.activate.delay-counts")
def delayed(moment: Moment, unit: int, timing: int) -> Event:
    """Delaying counts as activating; the unit acts later, at the lower timing.

    Its activation ends only then, so what a free strike has cost it is still owed.
    """
    owed = moment.state.units.integer("primary_used", unit)
    debt = (Set(table="unit", row=unit, column="strike_owed", value=1),) if owed else ()
    return Event(
        facts=Delayed(timing=timing),
        unit=unit,
        because=("emlia.activate.delay", listing("delay"), "emlia.activate.delay-counts"),
        changes=(
            Set(table="unit", row=unit, column="timing", value=timing),
            Set(table="unit", row=unit, column="delayed", value=1),
            Set(table="unit", row=unit, column="activated", value=0),
            *debt,
            *used_by(moment, unit, "delay"),
        ),
    )


@rule("emlia.gloss.activation")
def begun(moment: Moment, unit: int) -> Event:
    """Return the activation begins; what the morale tables ask about this moment is noted."""
    units = moment.state.units
    count = moment.state.battle.integer("activations", 0) + 1
    kept = ("move_used", "primary_used", "free_used") if units.value("resumes", unit) else ()
    used = ("move_used", "primary_used", "free_used", "charged", "leftover", "moved", "hid")
    fresh = ("resumes", *(column for column in used if column not in kept))
    changes: list[Change] = [
        Set(table="battle", row=0, column="activations", value=count),
        Set(table="battle", row=0, column="acted", value=1),
        Set(table="side", row=units.integer("side", unit), column="last_activation", value=count),
        Fill(table="side", column="declined", value=0),
        Set(table="unit", row=unit, column="activated", value=1),
        Add(table="unit", row=unit, column="activations", value=1),
        *(Set(table="unit", row=unit, column=column, value=0) for column in fresh),
    ]
    if units.value("strike_owed", unit):
        changes += [
            Set(table="unit", row=unit, column="strike_owed", value=0),
            Set(table="unit", row=unit, column="primary_used", value=1),
        ]
    changes += [
        Append(table="note", row={"unit": unit, "what": what, "amount": amount})
        for what, amount in noted_by(moment, unit)
    ]
    changes += [
        Pair(column=column, a=a, b=b, value=None)
        for column in ("mourned", "ran_through")
        for a, b in sorted(moment.state.pairs[column])
        if a == unit
    ]
    changes += forgotten_deeds(moment, unit)
    changes += lapsed(moment, unit)
    resolutions = moment.state.battle.integer("resolutions", 0)
    changes.append(Set(table="unit", row=unit, column="acted_at", value=resolutions))
    return Event(
        facts=Activated(),
        unit=unit,
        because=tuple(begun_because(moment, unit, changes)),
        changes=tuple(changes),
    )


def ended(moment: Moment, unit: int) -> Event:
    """Return the event that ends the activation and records odds in numbers and known units.

    Aligning has been paid for.
    """
    units = moment.state.units
    changes: list[Change] = [
        Set(table="unit", row=unit, column=column, value=0)
        for column in ("aligned", "commanded", "ignoring")
    ]
    changes += [
        Pair(column=column, a=attacker, b=unit, value=None)
        for column in ("attack", "harmed")
        for attacker, subject in sorted(moment.state.pairs[column])
        if head_of(moment, subject) == unit
    ]
    if units.value("present", unit) and in_reach_of(moment, unit):
        numbers = close_combat.strengths_of(moment, unit, melee_of(moment, unit))
        if numbers.source != numbers.subject:
            more = numbers.source > numbers.subject
            what = MoraleNote.OUTNUMBERS if more else MoraleNote.OUTNUMBERED
            changes.append(Append(table="note", row={"unit": unit, "what": what, "amount": 1}))
    if units.value("present", unit):
        changes += remembered(moment, unit)
    because = tuple(ended_because(moment, unit, changes))
    return Event(
        facts=ActivationEnded(),
        unit=unit,
        because=because,
        changes=tuple(changes),
        part_of_last=True,
    )


@rule("emlia.gloss.prepared-after")
def carry_out(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Carry out an order's whole action, and then the prepared actions that it triggers.

    The second part of a Double Pace is declared first.
    """
    if is_second(battle, unit, order):
        yield Event(
            facts=DoublePaceDeclared(),
            unit=unit,
            because=(
                "emlia.move.double-pace",
                listing("double pace"),
                "emlia.move.double-pace.second",
            ),
            changes=(Set(table="unit", row=unit, column="double_paced", value=1),),
        )
    yield from DEEDS[order.verb].perform(battle, unit, order)
    done = TriggerEvent(unit, action_of(order.verb))
    yield from preparing.triggered(battle, done, carry_out)
