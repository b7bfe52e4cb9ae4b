"""Emlia, chapter 10 as play: leaders put heart into units and bring them back to order.

The tables are in `emlia3d.rules.emlia.leadership`. The other leadership actions are not played
yet.

Holds `emlia.lead.improve`, `emlia.lead.reorder`, `emlia.lead.range` and `emlia.lead.friendly`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.changes import Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia import free_strike
from emlia3d.rules.emlia.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.columns import Note
from emlia3d.rules.emlia.contact import friends_of
from emlia3d.rules.emlia.leadership import Appeal, improve_modifier, reorder_modifier
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.lie import lie_of
from emlia3d.rules.emlia.morale import army_value_of
from emlia3d.rules.emlia.movement import pose_of
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.skills import roll_check
from emlia3d.rules.emlia.thresholds import in_reach
from emlia3d.rules.emlia.watch import sees, verdict_on
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_REORDER_BIT = 1


def options(battle: Battle, unit: int) -> list[Order]:
    """Units within command range that the unit's leader may rally."""
    units = battle.state.units
    if units.value("disordered", unit) and not units.value("leftover", unit):
        return []
    near = [unit, *subjects_of(battle, unit)]
    orders = []
    if lie_of(battle).entry(unit).skill("leadership") and not units.value("free_used", unit):
        orders += [
            Order(verb="reorder", unit=unit, target=other)
            for other in near
            if other != unit and units.value("disordered", other)
        ]
    verbs = []
    if not units.value("primary_used", unit):
        verbs.append("improve-morale-primary")
    elif not units.value("move_used", unit):
        verbs.append("improve-morale")
    if not lie_of(battle).entry(unit).skill("leadership"):
        near = [unit]
    return orders + [
        Order(verb=verb, unit=unit, target=other)
        for verb in verbs
        for other in near
        if may_improve(battle, other) is None
    ]


@rule("emlia.lead.range", "emlia.lead.friendly")
def subjects_of(battle: Battle, unit: int) -> list[int]:
    """Friendly units within command range, 20 GSU between nearest edges."""
    lie, reach = lie_of(battle), numbers_of(battle).command_range
    return [
        other for other in friends_of(battle, unit) if in_reach(lie.distance(unit, other), reach)
    ]


def may_improve(battle: Battle, subject: int) -> Refusal | None:
    """Once between two activations of the subject, whether it succeeds or not; below the top."""
    units = battle.state.units
    if units.integer("improved_at", subject) == units.integer("activations", subject):
        return Refusal("emlia.lead.improve", "it has been worked on since it last activated")
    if units.integer("morale", subject) >= lie_of(battle).entry(subject).morale:
        return Refusal("emlia.lead.improve", "its heart is as high as ever")
    return None


def appeal_of(battle: Battle, source: int, subject: int) -> Appeal:
    """Everything that the leadership tables ask about one action."""
    lie, units = lie_of(battle), battle.state.units
    formation = units.integer("formation", subject)
    several = units.integer("members", subject) > 1
    outline = lie.outline(subject)
    corners = shapely.get_coordinates(shapely.convex_hull(outline))
    spans = corners[:, None, :] - corners[None, :, :]
    same = source == subject
    reach = numbers_of(battle).command_range
    gaps = np.atleast_1d(shapely.distance(shapely.points(lie.places(subject)), lie.outline(source)))
    tops = [lie.footing(unit) + lie.height(unit) for unit in (source, subject)]
    values = [
        army_value_of(lie.entry(unit).army_value, units.integer("morale", unit))
        for unit in (source, subject)
    ]
    return Appeal(
        source_morale=units.integer("morale", source),
        subject_morale=units.integer("morale", subject),
        subject_start=lie.entry(subject).morale,
        value_lower=values[0] < values[1],
        subject_unaware=not same and not sees(battle, subject, source),
        concealment=Level.NONE if same else verdict_on(battle, subject, source).level,
        higher=not same and tops[0] > tops[1],
        ranked=several and formation == Formation.RANKED,
        open=several and formation == Formation.OPEN,
        across=float(np.sqrt((spans**2).sum(axis=2).max())),
        all_within=same or not several or all(in_reach(gap, reach) for gap in gaps.tolist()),
    )


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
    tried = attempt_of(battle, unit, "leadership", improvise=not reorders)
    appeal = appeal_of(battle, unit, subject)
    rows = reorder_modifier(appeal) if reorders else improve_modifier(appeal)
    modifier = total_modifier(battle, unit, rows, tried)
    slug = "emlia.lead.reorder" if reorders else "emlia.lead.improve"
    check = roll_check(slug, tried.dice, modifier.total, battle.dice)
    changes: list[Change] = []
    if reorders:
        changes.append(Set(table="unit", row=unit, column="free_used", value=_REORDER_BIT))
    else:
        used = "move_used" if order.verb == "improve-morale" else "primary_used"
        since = battle.state.units.integer("activations", subject)
        changes += [
            Set(table="unit", row=unit, column=used, value=1),
            Set(table="unit", row=subject, column="improved_at", value=since),
        ]
    if check.succeeded:
        what = Note.REORDERED if reorders else Note.IMPROVED
        row = {"unit": subject, "what": what, "amount": check.successes}
        changes.append(Append(table="note", row=row))
    yield Event(
        name="reordered" if reorders else "encouraged",
        unit=unit,
        target=subject,
        gesture="rally" if check.succeeded else "none",
        facts=facts_of(check),
        because=(slug, *modifier.because),
        changes=tuple(changes),
    )
