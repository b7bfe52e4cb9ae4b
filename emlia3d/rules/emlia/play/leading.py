"""Emlia, chapter 10 as play: who leads whom, whom he reaches, and how hard it is.

The tables are in `emlia3d.rules.emlia.leadership`.

Holds `emlia.lead.leader`, `emlia.lead.who`, `emlia.lead.range` and `emlia.lead.friendly`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Order
from emlia3d.force.formation import GRID, Formation, boundary, front_of
from emlia3d.rules.emlia.actions import action
from emlia3d.rules.emlia.leadership import TABLES, Appeal, lead_modifier
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.numbers import in_force, numbers_of
from emlia3d.rules.emlia.play.awareness import is_aware
from emlia3d.rules.emlia.play.checks import attempt_of, total_modifier
from emlia3d.rules.emlia.play.contact import friends_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.morale_update import value_of
from emlia3d.rules.emlia.play.watch import level_on
from emlia3d.rules.emlia.skills import Attempt, Check, roll_check
from emlia3d.rules.emlia.tables import Modified
from emlia3d.rules.emlia.thresholds import in_reach
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

OWN, LOST = -1, -2
"""In the column "leader": one of the unit's own members, or nobody; else the unit he is of."""

VERBS = {
    "reorder": "reorder",
    "improve-morale": "improve morale",
    "improve-morale-primary": "improve morale",
    "ignore-initiative": "ignore initiative",
    "take-command": "take command",
}
"""The leadership action that an order is of."""


@rule("emlia.lead.leader", "emlia.lead.orders-needed")
def leader_of(battle: Battle, unit: int) -> int | None:
    """The unit that the leader of a unit is of, itself but where another has taken command.

    None where it has lost its leader, and so has no source of orders.
    """
    leader = battle.state.units.integer("leader", unit)
    return {OWN: unit, LOST: None}.get(leader, leader)


@rule("emlia.lead.leader.loss", "emlia.gloss.leader")
def without(battle: Battle, gone: int) -> list[Change]:
    """Whoever was led by one who is gone is disordered, until somebody else takes command."""
    led = np.flatnonzero(battle.state.units.ints("leader") == gone).tolist()
    return [
        Set(table="unit", row=unit, column=column, value=value)
        for unit in led
        if unit != gone
        for column, value in (("leader", LOST), ("disordered", 1))
    ]


@rule("emlia.lead.leader.casualty-order")
def leader_place(battle: Battle, unit: int) -> Polygon:
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
    gaps = shapely.distance(leader_place(battle, unit), lie_of(battle).outlines(friends)).tolist()
    near = (other for other, gap in zip(friends, gaps, strict=True) if in_reach(gap, reach))
    return [unit, *near]


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
    gaps = np.atleast_1d(shapely.distance(spots, leader_place(battle, source)))
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


class Try(NamedTuple):
    """What a leadership action rolls."""

    tried: Attempt
    modifier: Modified

    def roll(self, battle: Battle, name: str) -> Check:
        """The check of the action of this name."""
        return roll_check(action(name).because, self.tried.dice, self.modifier.total, battle.dice)


def try_of(battle: Battle, order: Order) -> Try:
    """The dice and the modifier of a leadership action."""
    assert order.unit is not None
    assert order.target is not None
    name = VERBS[order.verb]
    tried = attempt_of(battle, order.unit, name)
    appeal = appeal_of(battle, order.unit, order.target)
    rows = lead_modifier(appeal, in_force(battle, TABLES[name]))
    return Try(tried, total_modifier(battle, order.unit, rows, tried))
