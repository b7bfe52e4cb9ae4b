"""Emlia, chapter 15.8: free strikes against a unit that moves while engaged.

Holds `emlia.freestrike`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.combat import FreeStrike
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation import arms
from emlia3d.rules.emlia.play.situation.contact import enemies_of, engaged_by
from emlia3d.rules.emlia.play.situation.flight import can_fly, foot_at
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.reach import (
    engages,
    gap_between,
    reach_of,
    reaches_of,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.engagement import is_engaged, vertical_gap
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@rule("emlia.freestrike.trigger")
@rule("emlia.freestrike.cost")
def provoked(battle: Battle, unit: int, end: Pose, path: Sequence[Pose] = ()) -> Procedure[None]:
    """Every enemy that engages the mover may strike it at once, with +4 if it breaks away.

    So may those whose reach it comes into and leaves again. The strike costs the striker its
    next primary action, and it makes no other until then.

    path : poses on the way; straight to *end* without them
    """
    side = battle.state.units.ints("side")
    for foe, occasion in strikers(battle, unit, end, path or (end,)):
        strikes = arms.with_each_weapon(battle, foe, unit)
        strike = yield Decision(
            side=int(side[foe]),
            asks="emlia.freestrike.who",
            unit=foe,
            options=(*strikes, Order(verb="hold-back", unit=foe)),
        )
        if strike.verb == "hold-back":
            continue
        yield Event(
            facts=FreeStrike(),
            unit=foe,
            target=unit,
            because=("emlia.freestrike.trigger", "emlia.freestrike.cost"),
            changes=(Set(table="unit", row=foe, column="strike_owed", value=1),),
        )
        yield from close_combat.close_combat(battle, foe, strike, occasion)


@rule("emlia.freestrike.who", "emlia.freestrike.bonus")
def strikers(
    moment: Moment, unit: int, end: Pose, path: Sequence[Pose]
) -> list[tuple[int, close_combat.Occasion]]:
    """Return the units that may strike the mover, and how: engaged units before passed ones."""
    situation, units = situation_of(moment), moment.state.units
    engaged = engaged_by(moment, unit)
    ground = swept(pose_of(moment, unit), path)
    near = reaches_of(moment).bear_on(ground.bounds).tolist()
    others = [foe for foe in enemies_of(moment, unit) if near[foe] and foe not in engaged]
    gaps = shapely.distance(ground, situation.outlines(others)).tolist()
    passed = [
        foe
        for foe, gap in zip(others, gaps, strict=True)
        if in_reach(gap, reach_of(situation, foe))
    ]
    found = []
    for foe in (*engaged, *passed):
        reach, outline = reach_of(situation, foe), situation.outline(foe)
        above = _height_between(moment, unit, foe, (end,))
        leaves = not is_engaged(float(end.outline.distance(outline)), reach, above)
        passing = None
        if foe not in engaged:
            gap = _height_between(moment, unit, foe, (pose_of(moment, unit), *path))
            if not leaves or not is_engaged(float(ground.distance(outline)), reach, gap):
                continue
            passing = ground
        busy = barred_of(moment, foe)
        if busy and busy >= arms.able_for(moment, foe, unit, passing):
            continue
        if is_aware(moment, foe, unit) and not units.value("strike_owed", foe):
            occasion = close_combat.Occasion(
                free_strike=True, breaks_away=leaves, passing=passing, barred=busy
            )
            found.append((foe, occasion))
    return found


@rule("emlia.freestrike.barred")
def barred_of(moment: Moment, unit: int) -> int:
    """Return the number of a unit's members that other units bar from free strikes.

    Until the turn ends, or the two are no longer engaged with each other.
    """
    situation = situation_of(moment)
    return sum(
        int(members)
        for (source, foe), members in sorted(moment.state.pairs["barred"].items())
        if foe == unit
        and moment.state.units.value("present", source)
        and (engages(situation, foe, source) or engages(situation, source, foe))
    )


def _height_between(moment: Moment, unit: int, foe: int, path: Sequence[Pose]) -> float:
    """Height units between an enemy and the mover at its nearest on its way."""
    situation = situation_of(moment)
    if not can_fly(moment, unit):
        return gap_between(situation, foe, unit)
    feet, foot = [foot_at(moment, pose) for pose in path], situation.footing(foe)
    return vertical_gap(
        min(feet), max(feet) + situation.height(unit), foot, foot + situation.height(foe)
    )


def swept(start: Pose, path: Sequence[Pose]) -> BaseGeometry:
    """Return the ground that a unit goes over."""
    outlines = [start.outline, *(pose.outline for pose in path)]
    legs = [
        shapely.convex_hull(shapely.union(before, after))
        for before, after in itertools.pairwise(outlines)
    ]
    return shapely.union_all(legs)
