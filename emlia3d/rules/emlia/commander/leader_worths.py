"""The worth of a leader's actions at the positions in its reach, in army value."""

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
"""Distance of a leader behind a unit at which it has the unit's ends in reach, GSU."""

_OTHERS = 0.5
"""Factor for the worth of actions for units of other brigades."""

_LATER = 0.5
"""Factor for actions a turn later, and for each move on the way."""

_SPARE = 1.0
"""Safety margin of a leader's reach, GSU."""


@dataclass(frozen=True, slots=True)
class LedSubject:
    """A friend as the subject of a leader's actions.

    improve, reorder : worth of the actions, with all its members in reach, and with some
    in_haste : worth of reordering it after a Double Pace, in the same form
    ready : whether its morale can be improved now
    """

    unit: int
    improve: tuple[float, float]
    reorder: tuple[float, float]
    in_haste: tuple[float, float]
    ready: bool

    @property
    def worth(self) -> float:
        """The worth of both actions."""
        return self.improve[0] + self.reorder[0]


@dataclass(frozen=True, slots=True)
class LeaderWorths:
    """Worth of a leader's actions at each position for each friend, (n, m), army value.

    improve, reorder : by each action this turn
    later : by both in later turns
    """

    improve: Floats
    reorder: Floats
    later: Floats


def subjects_for(
    ai: AiContext, leader: int, units: Iterable[int], led: Sequence[int]
) -> list[LedSubject]:
    """Return the friends that a leader's actions can help, at any distance.

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
    """Return the facts of leadership actions from close behind a unit, and from farther away.

    From close behind a unit that is not too wide, a leader has all its members in reach.
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
    """Return the worth of an action from close behind a unit, and from farther away.

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
    """Return the worth of a leader's actions at each position for each friend."""
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
