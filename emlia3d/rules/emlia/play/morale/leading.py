"""Emlia, chapter 10 as play: leaders, the units in their range, and the modifiers of leading.

The tables are in `emlia3d.rules.emlia.tables.leadership`.

Holds `emlia.lead.leader`, `emlia.lead.who`, `emlia.lead.range` and `emlia.lead.friendly`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.changes import Change, Leave, Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.derived import Anything, Each
from emlia3d.force.formation import GRID, Formation, boundary, front_of
from emlia3d.rules.emlia.actions import action
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import LOST, OWN
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import attempt_of, total_modifier
from emlia3d.rules.emlia.play.morale.morale_update import value_of
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.parts import (
    head_of,
    is_led_from,
    leading_part,
    members_of_all,
    parts_of,
    starting_morale,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.leadership import TABLES, LeadershipCheck, lead_modifier
from emlia3d.rules.emlia.tables.morale import army_value_of
from emlia3d.rules.emlia.tables.skills import Attempt, Check, roll_check
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

VERBS = {
    "reorder": "reorder",
    "improve-morale": "improve morale",
    "improve-morale-primary": "improve morale",
    "ignore-initiative": "ignore initiative",
    "take-command": "take command",
    "join-units": "join units",
    "split-unit": "split unit",
}
"""The leadership action that an order is of."""


@rule("emlia.lead.leader", "emlia.lead.orders-needed", "emlia.lead.who")
def leader_of(moment: Moment, unit: int) -> int | None:
    """Return the unit that the leader of a unit is of, itself but where another has taken command.

    None where it has lost its leader, and so has no source of orders.
    """
    leader = moment.state.units.integer("leader", unit)
    return {OWN: unit, LOST: None}.get(leader, head_of(moment, leader))


@rule("emlia.lead.leader.loss", "emlia.gloss.leader")
def without(moment: Moment, gone: int) -> list[Change]:
    """Return the changes that disorder units led by a unit that is gone.

    A mixed unit is disordered too if its leader's subunit is gone and others are left.
    """
    units = moment.state.units
    head = head_of(moment, gone)
    led = np.flatnonzero(units.ints("leader") == gone).tolist()
    if is_led_from(moment, head, gone) and head not in led:
        led.append(head)
    survives = any(part != gone for part in parts_of(moment, head))
    return [
        Set(table="unit", row=unit, column=column, value=value)
        for unit in led
        if unit != head or survives
        for column, value in (("leader", LOST), ("disordered", 1))
    ]


def withdrawn(moment: Moment, unit: int) -> list[Change]:
    """Return the changes that remove a unit with all its parts; units it led have no leader."""
    rows = dict.fromkeys((unit, *parts_of(moment, unit)))
    return [change for row in rows for change in (Leave(unit=row), *without(moment, row))]


@rule("emlia.lead.leader.casualty-order")
def leader_place(moment: Moment, unit: int) -> Polygon:
    """Return the footprint of a unit's leader: the member nearest to the centroid.

    In a mixed unit, only the leader's subunit is searched. The first of several equally
    near, to 1/1024 square GSU.
    """
    situation = situation_of(moment)
    row = leading_part(moment, unit)
    outline, spots = situation.alone(row)
    if len(spots) == 1:
        return outline
    spot = spots[leader_among(moment, row)]
    alone = replace(moment.state.roster.drill(row), count=1, files=1)
    facing = moment.state.units.integer("facing", row)
    x, y = front_of(alone, float(spot[0]), float(spot[1]), facing)
    return boundary(alone, x, y, facing, spot[None, :])


def leader_among(moment: Moment, row: int) -> int:
    """Return which of the members of a subunit, or of a plain unit, that stand is its leader."""
    outline, spots = situation_of(moment).alone(row)
    centre = shapely.get_coordinates(outline.centroid)
    away = ((spots - centre) ** 2).sum(axis=1)
    return int(np.argmin(np.round(away * GRID)))


@rule("emlia.lead.range", "emlia.lead.friendly")
def subjects_of(moment: Moment, unit: int) -> list[int]:
    """Friendly units within command range, the unit itself before all.

    20 GSU between the nearest edges of the leader and the other unit. Kept until anything changes,
    as each kind of order that a leader may give asks for them.
    """
    kept = _IN_COMMAND_RANGE(moment)
    if unit not in kept:
        kept[unit] = _in_command_range(moment, unit)
    return [unit, *kept[unit]]


_IN_COMMAND_RANGE: Each[int, list[int]] = Each(Anything())


def _in_command_range(moment: Moment, unit: int) -> list[int]:
    reach = numbers_of(moment).command_range
    friends = whereabouts_of(moment).about(unit, friends_of(moment, unit), reach)
    if not friends:
        return []
    gaps = shapely.distance(
        leader_place(moment, unit), situation_of(moment).outlines(friends)
    ).tolist()
    return [other for other, gap in zip(friends, gaps, strict=True) if in_reach(gap, reach)]


def leader_value(moment: Moment, unit: int) -> float:
    """Return the army value of a unit's own leader now: that of the leader's subunit."""
    printed = situation_of(moment).entry(leading_part(moment, unit)).army_value
    return army_value_of(printed, moment.state.units.integer("morale", unit))


@rule("emlia.lead.rows")
def appeal_of(moment: Moment, source: int, subject: int) -> LeadershipCheck:
    """Return the facts that the leadership tables require for one action.

    Cached until any change, because several actions need the same facts of two units.
    """
    kept, pair = _APPEALS(moment), (source, subject)
    if pair not in kept:
        kept[pair] = _appeal_of(moment, source, subject)
    return kept[pair]


_APPEALS: Each[tuple[int, int], LeadershipCheck] = Each(Anything())


def _appeal_of(moment: Moment, source: int, subject: int) -> LeadershipCheck:
    situation, units = situation_of(moment), moment.state.units
    formation = units.integer("formation", subject)
    several = members_of_all(moment, subject) > 1
    outline = situation.outline(subject)
    corners = shapely.get_coordinates(shapely.convex_hull(outline))
    spans = corners[:, None, :] - corners[None, :, :]
    same = source == subject
    reach = numbers_of(moment).command_range
    drill = situation.drill(subject)
    spots = shapely.points(situation.places(subject))
    gaps = np.atleast_1d(shapely.distance(spots, leader_place(moment, source)))
    gaps -= max(drill.width, drill.depth) / 2
    tops = [situation.footing(unit) + situation.height(unit) for unit in (source, subject)]
    concealment = Level.NONE if same else level_on(moment, subject, source)
    return LeadershipCheck(
        source_morale=units.integer("morale", source),
        subject_morale=units.integer("morale", subject),
        subject_start=starting_morale(moment.setup, parts_of(moment, subject)),
        value_lower=leader_value(moment, source) < value_of(moment, subject),
        subject_unaware=not same and not is_aware(moment, subject, source),
        partial=concealment is Level.PARTIAL,
        total=concealment is Level.TOTAL,
        higher=not same and tops[0] > tops[1],
        ranked=several and formation == Formation.RANKED,
        open=several and formation == Formation.OPEN,
        across=float(np.sqrt((spans**2).sum(axis=2).max())),
        all_within=not several or in_reach(float(gaps.max()), reach),
    )


def to_both(one: LeadershipCheck, other: LeadershipCheck) -> LeadershipCheck:
    """Return the appeal to two units: a fact holds if true of either, `higher` if true of both."""
    wide = [each.across for each in (one, other) if each.open]
    return replace(
        one,
        subject_morale=min(one.subject_morale, other.subject_morale),
        value_lower=one.value_lower or other.value_lower,
        subject_unaware=one.subject_unaware or other.subject_unaware,
        partial=one.partial or other.partial,
        total=one.total or other.total,
        higher=one.higher and other.higher,
        one_ranked=one.ranked != other.ranked,
        open=one.open or other.open,
        across=max(wide, default=0.0),
        all_within=one.all_within and other.all_within,
    )


class Try(NamedTuple):
    """The roll of a leadership action."""

    tried: Attempt
    modifier: Modified

    def roll(self, battle: Battle, name: str) -> Check:
        """Return the check of the action of this name."""
        return roll_check(action(name).because, self.tried.dice, self.modifier.total, battle.dice)

    def because(self, moment: Moment, order: Order, check: Check, *effects: str) -> tuple[str, ...]:
        """Return the rules of that check, of its effects, and last the rows of its table."""
        assert order.unit is not None
        name = VERBS[order.verb]
        others = {order.target, order.number if name == "join units" else None} - {None}
        return (
            action(name).because,
            "emlia.lead.friendly" if others == {order.unit} else "emlia.lead.range",
            *(("emlia.lead.who",) if leader_of(moment, order.unit) is None else ()),
            *check_because(moment, order.unit, name, self.tried, check, self.modifier),
            *(effects if check.succeeded else ()),
            *self.modifier.because,
        )


def try_of(moment: Moment, order: Order) -> Try:
    """Return the dice and the modifier of a leadership action."""
    assert order.unit is not None
    assert order.target is not None
    name = VERBS[order.verb]
    tried = attempt_of(moment, order.unit, name)
    appeal = appeal_of(moment, order.unit, order.target)
    if name == "join units":
        other = order.unit if order.number is None else order.number
        appeal = to_both(appeal, appeal_of(moment, order.unit, other))
    rows = lead_modifier(appeal, in_force(moment, TABLES[name]))
    return Try(tried, total_modifier(moment, order.unit, rows, tried))
