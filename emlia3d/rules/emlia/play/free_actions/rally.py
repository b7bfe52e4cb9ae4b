"""Emlia, chapter 10 as play: leaders improve morale and reorder units.

Holds `emlia.lead.improve` and `emlia.lead.reorder`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.losses import Encouraged, Reordered
from emlia3d.rules.emlia.play.acting.actions import Deed, may_act_on_orders, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import facts_of
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.morale.leading import leader_of, subjects_of, try_of
from emlia3d.rules.emlia.play.sight.awareness import acted_on
from emlia3d.rules.emlia.play.situation.parts import leading_part
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import HIGHEST
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_IMPROVE = {"improve-morale-primary": ActionType.PRIMARY, "improve-morale": ActionType.MOVE}


def rally_options(moment: Moment, unit: int) -> list[Order]:
    """Units within command range that the unit's own leader may rally.

    A disordered unit may have actions left for Improve Morale, but only an ordered commander, one
    with the skill, brings others back to order.
    """
    if leader_of(moment, unit) != unit or may_act_on_orders(moment, unit) is not None:
        return []
    units = moment.state.units
    near = subjects_of(moment, unit)
    orders = []
    leads = situation_of(moment).entry(leading_part(moment, unit)).skill("leadership")
    commands = leads and not units.value("disordered", unit)
    if commands and may_take(moment, unit, "reorder") is None:
        orders += [
            Order(verb="reorder", unit=unit, target=other)
            for other in near
            if units.value("disordered", other)
            and may_target(moment, unit, "reorder", other) is None
        ]
    return orders + [
        Order(verb=verb, unit=unit, target=other)
        for verb, kind in _IMPROVE.items()
        if may_take(moment, unit, "improve morale", kind) is None
        for other in near
        if may_target(moment, unit, "improve morale", other) is None
        and may_improve(moment, other) is None
    ]


def may_improve(moment: Moment, subject: int) -> Refusal | None:
    """Once between two activations of the subject, whether it succeeds or not.

    Nor where its morale stands at the table's top, as that would change nothing.
    """
    units = moment.state.units
    if units.integer("improved_at", subject) == units.integer("activations", subject):
        return Refusal(
            "emlia.lead.improve", "its morale has already been treated since its last activation"
        )
    if units.integer("morale", subject) >= HIGHEST:
        return Refusal("emlia.morale.bounds", "its morale cannot rise")
    return None


@rule("emlia.lead.improve", "emlia.lead.reorder")
def rally(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Leadership: each success adds 1 to morale, or one success brings a unit back to order.

    Both take effect in the resolution.
    """
    subject = order.target
    assert subject is not None
    reorders = order.verb == "reorder"
    if order.verb == "improve-morale":
        yield from free_strike.provoked(battle, unit, pose_of(battle, unit))
    attempt = try_of(battle, order)
    check = attempt.roll(battle, "reorder" if reorders else "improve morale")
    changes: list[Change] = [acted_on(battle, unit, subject)]
    if reorders:
        changes += used_by(battle, unit, "reorder")
    else:
        since = battle.state.units.integer("activations", subject)
        changes += [
            *used_by(battle, unit, "improve morale", _IMPROVE[order.verb]),
            Set(table="unit", row=subject, column="improved_at", value=since),
        ]
    if check.succeeded:
        what = MoraleNote.REORDERED if reorders else MoraleNote.IMPROVED
        row = {"unit": subject, "what": what, "amount": check.successes}
        changes.append(Append(table="note", row=row))
    yield Event(
        facts=(Reordered if reorders else Encouraged)(**facts_of(check)),
        unit=unit,
        target=subject,
        gesture="rally" if check.succeeded else "none",
        because=attempt.because(
            battle, order, check, *(("emlia.disorder.cure",) if reorders else ())
        ),
        changes=tuple(changes),
    )


RALLY = Deed(verbs=("reorder", *_IMPROVE), options=rally_options, perform=rally)
