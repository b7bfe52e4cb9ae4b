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
from emlia3d.rules.emlia.actions import Kind
from emlia3d.rules.emlia.columns import Note
from emlia3d.rules.emlia.leadership import (
    IMPROVE,
    REORDER,
    Appeal,
    improve_modifier,
    reorder_modifier,
)
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.morale import HIGHEST
from emlia3d.rules.emlia.numbers import in_force, numbers_of
from emlia3d.rules.emlia.play import free_strike
from emlia3d.rules.emlia.play.actions import Deed, may_take, used, used_free
from emlia3d.rules.emlia.play.awareness import is_aware
from emlia3d.rules.emlia.play.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.contact import friends_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.morale_update import value_of
from emlia3d.rules.emlia.play.pose import pose_of
from emlia3d.rules.emlia.play.watch import level_on
from emlia3d.rules.emlia.skills import roll_check
from emlia3d.rules.emlia.tables import Modified
from emlia3d.rules.emlia.thresholds import in_reach
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_IMPROVE = {"improve-morale-primary": Kind.PRIMARY, "improve-morale": Kind.MOVE}


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
    if commands and may_take(battle, unit, "reorder", Kind.FREE) is None:
        orders += [
            Order(verb="reorder", unit=unit, target=other)
            for other in near
            if units.value("disordered", other)
        ]
    return orders + [
        Order(verb=verb, unit=unit, target=other)
        for verb, kind in _IMPROVE.items()
        if may_take(battle, unit, "improve morale", kind) is None
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
        subject_unaware=not same and not is_aware(battle, subject, source),
        concealment=Level.NONE if same else level_on(battle, subject, source),
        higher=not same and tops[0] > tops[1],
        ranked=several and formation == Formation.RANKED,
        open=several and formation == Formation.OPEN,
        across=float(np.sqrt((spans**2).sum(axis=2).max())),
        all_within=not several or in_reach(float(gaps.max()), reach),
    )


def rows_of(battle: Battle, order: Order) -> Modified:
    """The rows of its table that hold for a leadership action."""
    assert order.unit is not None
    assert order.target is not None
    appeal = appeal_of(battle, order.unit, order.target)
    if order.verb == "reorder":
        return reorder_modifier(appeal, in_force(battle, REORDER))
    return improve_modifier(appeal, in_force(battle, IMPROVE))


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
    tried = attempt_of(battle, unit, "reorder" if reorders else "improve morale")
    modifier = total_modifier(battle, unit, rows_of(battle, order), tried)
    slug = "emlia.lead.reorder" if reorders else "emlia.lead.improve"
    check = roll_check(slug, tried.dice, modifier.total, battle.dice)
    changes: list[Change] = []
    if reorders:
        changes.append(used_free(battle, unit, "reorder"))
    else:
        since = battle.state.units.integer("activations", subject)
        changes += [
            *used(unit, _IMPROVE[order.verb]),
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


RALLY = Deed(verbs=("reorder", *_IMPROVE), options=options, perform=rally, without_orders=True)
