"""Emlia, chapter 10 as play: leaders put heart into units and bring them back to order.

The tables are in `emlia3d.rules.emlia.leadership`. The other leadership actions are not played
yet.

Holds `emlia.lead.improve`, `emlia.lead.reorder`, `emlia.lead.range` and `emlia.lead.friendly`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.changes import Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import GRID, Formation, boundary, front_of
from emlia3d.rules.emlia.columns import Note
from emlia3d.rules.emlia.leadership import Appeal, improve_modifier, reorder_modifier
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.morale import HIGHEST
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.play import free_strike
from emlia3d.rules.emlia.play.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.contact import friends_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.morale_update import value_of
from emlia3d.rules.emlia.play.pose import pose_of
from emlia3d.rules.emlia.play.watch import sees, verdict_on
from emlia3d.rules.emlia.skills import roll_check
from emlia3d.rules.emlia.thresholds import in_reach
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_REORDER_BIT = 1


def options(battle: Battle, unit: int) -> list[Order]:
    """Units within command range that the unit's leader may rally.

    A disordered unit may have actions left for Improve Morale, but only an ordered commander, one
    with the skill, brings others back to order.
    """
    units = battle.state.units
    disordered = bool(units.value("disordered", unit))
    if disordered and not units.value("leftover", unit):
        return []
    near = subjects_of(battle, unit)
    orders = []
    commands = lie_of(battle).entry(unit).skill("leadership") and not disordered
    if commands and not units.value("free_used", unit):
        orders += [
            Order(verb="reorder", unit=unit, target=other)
            for other in near
            if units.value("disordered", other)
        ]
    costs = (("improve-morale-primary", "primary_used"), ("improve-morale", "move_used"))
    return orders + [
        Order(verb=verb, unit=unit, target=other)
        for verb, used in costs
        if not units.value(used, unit)
        for other in near
        if may_improve(battle, other) is None
    ]


def leader_of(battle: Battle, unit: int) -> Polygon:
    """The footprint of a unit's leader: of the member nearest to the centroid of its boundary.

    The first of those equally near, to 1/1024 square GSU (`emlia.lead.leader.casualty-order`).
    """
    lie = lie_of(battle)
    spots = lie.places(unit)
    if len(spots) == 1:
        return lie.outline(unit)
    away = ((spots - np.array(lie.centre(unit))) ** 2).sum(axis=1)
    spot = spots[int(np.argmin(np.round(away * GRID)))]
    alone = replace(battle.state.roster.drill(unit), count=1, files=1)
    facing = battle.state.units.integer("facing", unit)
    x, y = front_of(alone, float(spot[0]), float(spot[1]), facing)
    return boundary(alone, x, y, facing, spot[None, :])


@rule("emlia.lead.range", "emlia.lead.friendly")
def subjects_of(battle: Battle, unit: int) -> list[int]:
    """Friendly units within command range, the unit itself before all.

    20 GSU between the nearest edges of the leader and the other unit.
    """
    friends, reach = friends_of(battle, unit), numbers_of(battle).command_range
    gaps = shapely.distance(leader_of(battle, unit), lie_of(battle).outlines(friends)).tolist()
    near = (other for other, gap in zip(friends, gaps, strict=True) if in_reach(gap, reach))
    return [unit, *near]


def may_improve(battle: Battle, subject: int) -> Refusal | None:
    """Once between two activations of the subject, whether it succeeds or not.

    Nor where its morale stands at the table's top, as that would change nothing.
    """
    units = battle.state.units
    if units.integer("improved_at", subject) == units.integer("activations", subject):
        return Refusal("emlia.lead.improve", "it has been worked on since it last activated")
    if units.integer("morale", subject) >= HIGHEST:
        return Refusal("emlia.morale.bounds", "its morale cannot rise")
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
    drill = battle.state.roster.drill(subject)
    spots = shapely.points(lie.places(subject))
    gaps = np.atleast_1d(shapely.distance(spots, leader_of(battle, source)))
    gaps -= max(drill.width, drill.depth) / 2
    tops = [lie.footing(unit) + lie.height(unit) for unit in (source, subject)]
    return Appeal(
        source_morale=units.integer("morale", source),
        subject_morale=units.integer("morale", subject),
        subject_start=lie.entry(subject).morale,
        value_lower=value_of(battle, source) < value_of(battle, subject),
        subject_unaware=not same and not sees(battle, subject, source),
        concealment=Level.NONE if same else verdict_on(battle, subject, source).level,
        higher=not same and tops[0] > tops[1],
        ranked=several and formation == Formation.RANKED,
        open=several and formation == Formation.OPEN,
        across=float(np.sqrt((spans**2).sum(axis=2).max())),
        all_within=not several or in_reach(float(gaps.max()), reach),
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
