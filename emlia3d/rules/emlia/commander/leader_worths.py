"""The worth of a leader's actions at places that it could ride to, in army value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.recovery import Deed, Need, need_of
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.acting.checks import attempt_of
from emlia3d.rules.emlia.play.free_actions.rally import may_improve
from emlia3d.rules.emlia.play.morale.leading import leader_value
from emlia3d.rules.emlia.play.morale.morale_update import value_of as army_value_now
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.parts import members_of_all, parts_of, starting_morale
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.leadership import TABLES, LeadershipCheck, lead_modifier
from emlia3d.rules.emlia.tables.skills import (
    GENERAL,
    SkillPenalties,
    general_modifier,
    success_chance,
)

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Floats = NDArray[np.float64]

CLOSER = 7.0
"""GSU from a unit at which a leader stands behind it to have its ends in reach."""

_OTHERS = 0.5
"""Factor for the worth of what a leader does for units of other brigades than its own."""

_LATER = 0.5
"""Factor for what a leader can do a turn later, and for each move on the way."""

_SPARE = 1.0
"""GSU within its reach in which a leader counts on reaching a unit."""


@dataclass(frozen=True, slots=True)
class LedSubject:
    """A friend as the subject of a leader's actions.

    improve, reorder : army value that the actions bring, with all its members in reach, or not
    in_haste : army value of reordering it after a Double Pace, alike
    ready : its morale can be improved now; it has not been since it last acted
    """

    unit: int
    improve: tuple[float, float]
    reorder: tuple[float, float]
    in_haste: tuple[float, float]
    ready: bool

    @property
    def worth(self) -> float:
        """The army value that both actions bring."""
        return self.improve[0] + self.reorder[0]


@dataclass(frozen=True, slots=True)
class LeaderWorths:
    """(n, m) army value that a leader's actions bring at each place for each friend.

    improve, reorder : by each action this turn
    later : by both together in later turns
    """

    improve: Floats
    reorder: Floats
    later: Floats


def subjects_for(
    ai: AiContext, leader: int, units: Iterable[int], led: Sequence[int]
) -> list[LedSubject]:
    """Return the friends for which a leader can do something, wherever they are.

    led : the units of the leader's brigade
    """
    battle = ai.battle
    reorders = may_take(battle, leader, "reorder") is None
    found = []
    for unit in units:
        need, share = need_of(battle, unit), 1.0 if unit in led else _OTHERS
        if not need.disordered and need.morale >= need.start:
            continue
        appeals = _appeals(ai, leader, unit)
        ordering = share if reorders and need.disordered else 0.0
        one = LedSubject(
            unit,
            improve=_gains(battle, leader, need, "improve morale", share, appeals),
            reorder=_gains(battle, leader, need, "reorder", ordering, appeals),
            in_haste=_gains(battle, leader, need, "reorder", ordering, appeals, hasty=True),
            ready=may_improve(battle, unit) is None,
        )
        if one.worth > 0:
            found.append(one)
    return found


_Appeals: TypeAlias = tuple[LeadershipCheck, LeadershipCheck]


def _appeals(ai: AiContext, leader: int, unit: int) -> _Appeals:
    """Return the facts of leadership actions from close behind a unit, and from farther off.

    Close behind it a leader has all members of a unit in reach that is not too wide.
    """
    battle, body = ai.battle, body_of(ai.battle, unit)
    units, formation = battle.state.units, situation_of(battle).drill(unit).formation
    several = members_of_all(battle, unit) > 1
    far = LeadershipCheck(
        source_morale=units.integer("morale", leader),
        subject_morale=units.integer("morale", unit),
        subject_start=starting_morale(battle.setup, parts_of(battle, unit)),
        value_lower=leader_value(battle, leader) < army_value_now(battle, unit),
        ranked=several and formation is Formation.RANKED,
        open=several and formation is Formation.OPEN,
        across=hypot(body.width, body.depth),
        all_within=not several,
    )
    corner = hypot(body.width / 2, body.depth + CLOSER)
    is_in_reach = corner <= numbers_of(battle).command_range + _SPARE
    return replace(far, all_within=is_in_reach or not several), far


def _gains(  # noqa: PLR0913  an action, its subject and its circumstances
    moment: Moment,
    leader: int,
    need: Need,
    deed: Deed,
    share: float,
    appeals: _Appeals,
    *,
    hasty: bool = False,
) -> tuple[float, float]:
    """Return a share of the worth of an action from close behind a unit, and from farther off.

    hasty : after a Double Pace
    """
    if not share:
        return 0.0, 0.0
    dice = attempt_of(moment, leader, deed).dice
    paced = general_modifier(SkillPenalties(double_paced=hasty), in_force(moment, GENERAL)).total
    rows = in_force(moment, TABLES[deed])
    close, far = (
        share * need.gain(deed, dice, float(success_chance(lead_modifier(one, rows).total + paced)))
        for one in appeals
    )
    return close, far


def worths_at(
    ai: AiContext, leader: int, spots: Floats, subjects: Sequence[LedSubject]
) -> LeaderWorths:
    """Return what a leader's actions are worth at each place for each friend."""
    battle, speed = ai.battle, max(speed_of(ai.battle, leader), 1.0)
    reach = numbers_of(battle).command_range - _SPARE
    outlines = situation_of(battle).outlines([each.unit for each in subjects])
    points = np.asarray(shapely.points(spots), dtype=object)
    gaps = shapely.distance(points[:, None], np.array(outlines, dtype=object))
    hasty = np.hypot(*(spots - spots[0]).T) > speed
    improve, reorder, later = np.zeros((3, len(spots), len(subjects)))
    for number, (subject, outline) in enumerate(zip(subjects, outlines, strict=True)):
        corners = shapely.get_coordinates(shapely.convex_hull(outline))
        far = np.hypot(*(spots[:, None] - corners).transpose(2, 0, 1)).max(axis=1)
        part = (far > reach + 2 * _SPARE).astype(int)
        ordered = np.array([subject.reorder, subject.in_haste])[hasty.astype(int), part]
        near = gaps[:, number] <= reach
        improved = np.array(subject.improve)[part]
        improve[:, number] = improved * (near & ~hasty & subject.ready)
        reorder[:, number] = ordered * near
        moves = np.maximum(gaps[:, number] - reach, 0.0) / speed
        later[:, number] = subject.worth * _LATER ** (1 + moves)
    return LeaderWorths(improve, reorder, later)
