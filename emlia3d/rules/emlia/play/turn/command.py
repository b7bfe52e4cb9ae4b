"""Emlia, chapter 10 as play: commanders set instinct aside, and take other units under command.

Both are free actions and take effect at once (`emlia.resolve.deferred`).

Holds `emlia.lead.ignore` and `emlia.lead.take-command`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event, Rolled
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.events.losses import Steadied, TookCommand
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import facts_of
from emlia3d.rules.emlia.play.acting.subjects import may_do, may_target
from emlia3d.rules.emlia.play.morale.leading import VERBS, leader_of, subjects_of, try_of
from emlia3d.rules.emlia.play.movement.closeness import conduct
from emlia3d.rules.emlia.play.sight.awareness import acted_on
from emlia3d.rules.emlia.play.situation.parts import is_mixed, leading_part
from emlia3d.rules.emlia.play.situation.prepared_notes import lapsed
from emlia3d.rules.emlia.play.turn.initiative import is_called
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


def command_options(moment: Moment, unit: int) -> list[Order]:
    """Return the leader's options; leaders of disordered units may try too.

    In a unit without a leader, one member may take command, and do nothing else.
    """
    leader = leader_of(moment, unit)
    if leader is None:
        bereft = may_do(moment, unit, "take command", subjects=(unit,)) is None
        return [Order(verb="take-command", unit=unit, target=unit)] if bereft else []
    if leader != unit:
        return []
    tests = (("ignore-initiative", may_ignore), ("take-command", may_take_command))
    return [
        Order(verb=verb, unit=unit, target=other)
        for verb, refusal in tests
        if may_take(moment, unit, VERBS[verb]) is None
        for other in subjects_of(moment, unit)
        if may_target(moment, unit, VERBS[verb], other) is None
        and refusal(moment, unit, other) is None
    ]


def may_ignore(moment: Moment, unit: int, subject: int) -> Refusal | None:
    """Return why a subject's conditions may not be ignored: it has none, or is free already."""
    units = moment.state.units
    if units.value("ignoring", subject):
        return Refusal("emlia.lead.ignore", "it already ignores its conditions")
    if not (conduct(moment, subject).disorders or is_called(moment, subject)):
        return Refusal("emlia.lead.ignore", "no condition applies to it")
    return None


def may_take_command(moment: Moment, unit: int, subject: int) -> Refusal | None:
    """Return the source is not the subject's leader already."""
    if leader_of(moment, subject) == unit:
        return Refusal("emlia.lead.take-command", "it is already under that command")
    return None


@rule("emlia.lead.ignore")
def ignore(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Let the subject act ignoring all morale and initiative conditions.

    In its current activation if it is active, otherwise in its next.
    """
    assert order.target is not None
    freed = Set(table="unit", row=order.target, column="ignoring", value=1)
    yield _commanded(battle, order, Steadied, (freed,))


@rule("emlia.lead.take-command", "emlia.disorder.cure")
def take_command(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Make the source the subject's leader; the subject is ordered, at timing 0 for a round."""
    subject = order.target
    assert subject is not None
    changes: list[Change] = [
        Set(table="unit", row=subject, column=column, value=value)
        for column, value in (
            ("leader", OWN if unit == subject else leading_part(battle, unit)),
            ("disordered", 0),
            ("commanded", 1),
        )
    ]
    if battle.state.units.value("disordered", subject):
        changes += lapsed(battle, subject)
    if not battle.state.units.value("activated", subject):
        changes.append(Set(table="unit", row=subject, column="timing", value=0))
    yield _commanded(battle, order, TookCommand, tuple(changes))


def _commanded(
    battle: Battle, order: Order, kind: type[Rolled], changes: tuple[Change, ...]
) -> Event:
    """One check of the source; what it brings if it succeeds."""
    assert order.unit is not None
    assert order.target is not None
    action = VERBS[order.verb]
    attempt = try_of(battle, order)
    check = attempt.roll(battle, action)
    return Event(
        facts=kind(**facts_of(check)),
        unit=order.unit,
        target=order.target,
        gesture="rally" if check.succeeded else "none",
        because=attempt.because(battle, order, check, *_effects(battle, order)),
        changes=(
            *used_by(battle, order.unit, action),
            acted_on(battle, order.unit, order.target),
            *(changes if check.succeeded else ()),
        ),
    )


def _effects(moment: Moment, order: Order) -> Iterator[str]:
    """Yield the rules of what a success brings."""
    assert order.target is not None
    disordered = moment.state.units.value("disordered", order.target)
    if order.verb == "take-command":
        if disordered:
            yield "emlia.disorder.cure"
        return
    yield "emlia.orders.override"
    if disordered:
        yield "emlia.lead.ignore.orders"
    if is_mixed(moment, order.target):
        yield "emlia.orders.mixed.override"


_VERBS = ("ignore-initiative", "take-command")


def carry_out(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Carry out either action."""
    if order.verb == "ignore-initiative":
        yield from ignore(battle, unit, order)
    else:
        yield from take_command(battle, unit, order)


COMMAND = Deed(verbs=_VERBS, options=command_options, perform=carry_out, without_orders=True)
