"""Positions of the commander's units: on the objective, in the line, behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.field.ground import median
from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.rulekit.commander.from_setup import AHEAD_OF
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, nearest, role_of, shoots, with_role
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.equipment import Band

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_GAP_OF_LINES = 45.0
"""GSU from one line to the next."""

_IN_LINE = 20.0
"""Maximum lead of a unit over another in the same line, GSU."""

AHEAD_OF_LINE = 30.0
"""GSU that a unit may be before the others; nearer enemies are met even from the objective."""

_FAR = 2000.0
"""Distance that leads beyond any field, GSU."""

_FROM_EDGE = 5.0
"""GSU from the far edge of an objective that are near enough to see beyond it."""


def axis_of(ai: AiContext) -> int:
    """Return the facing of the side's advance: to its objective, else to the enemy's centre.

    Square to its own edge, where that leads there too, and once it has come there.
    """
    if ai.axis is None:
        ai.axis = _axis(ai)
    return ai.axis


def _axis(ai: AiContext) -> int:
    battle = ai.battle
    side = battle.setup.sides[ai.side]
    mine = middle(battle, ai.own)
    area = None if side.objective is None else battle.setup.area(side.objective)
    is_there = area is not None and area.distance(shapely.Point(mine)) < _GAP_OF_LINES
    if is_there and isinstance(side.lines, str):
        return AHEAD_OF[side.lines]
    if area is not None and not (is_there and ai.known):
        goal = (area.centroid.x, area.centroid.y)
    elif ai.known:
        goal = middle(battle, ai.known)
    elif isinstance(side.lines, str):
        return AHEAD_OF[side.lines]
    else:
        goal = (battle.setup.field.size[0] / 2, battle.setup.field.size[1] / 2)
    if isinstance(side.lines, str):
        east, north = unit_vector(AHEAD_OF[side.lines])
        if (goal[0] - mine[0]) * east + (goal[1] - mine[1]) * north > 0:
            return AHEAD_OF[side.lines]
    return facing_towards(goal[0] - mine[0], goal[1] - mine[1])


def middle(moment: Moment, units: list[int]) -> tuple[float, float]:
    """Return the median place of some units, GSU."""
    places = whereabouts_of(moment).centres[units]
    return median(places[:, 0]), median(places[:, 1])


def progress(ai: AiContext, unit: int) -> float:
    """Return how far forward a unit is along the side's axis, GSU."""
    east, north = unit_vector(axis_of(ai))
    x, y = situation_of(ai.battle).centre(unit)
    return x * east + y * north


def progress_of_each(ai: AiContext, units: list[int]) -> NDArray[np.float64]:
    """Return (n,) how far forward several units are along the side's axis, GSU."""
    east, north = unit_vector(axis_of(ai))
    x, y = whereabouts_of(ai.battle).centres[units].T
    ahead: NDArray[np.float64] = x * east + y * north
    return ahead


def should_stand(ai: AiContext, unit: int) -> bool:
    """Return whether a unit is in its place: objective, second line, or gun in range.

    A cautious commander lets an approaching enemy come. A side that holds its objective meets
    intruders with units that cannot shoot at them; in the last turns with all. Skirmishers
    that alone hold a place that counts stay there then.
    """
    battle = ai.battle
    near = nearest(battle, unit, ai.known)
    if holds(ai):
        return not ai.contesting or (shoots(battle, unit) and not ai.is_pressed)
    if ai.is_late and _keeps_a_place(ai, unit):
        return True
    match role_of(battle, unit):
        case Role.GENERAL:
            return False
        case Role.GUNS:
            return near is not None and _has_in_range(ai, unit)
        case Role.CAVALRY:
            return _is_far_enough(ai, unit) and not ai.commits_reserves
        case role:
            waits = role is Role.LINE and in_second_line(ai, unit) and not ai.commits_reserves
            return waits or _has_arrived(ai, unit, near) or _waits(ai, near)


def _keeps_a_place(ai: AiContext, unit: int) -> bool:
    """Return whether skirmishers alone hold a place of less value than the objective."""
    battle, situation = ai.battle, situation_of(ai.battle)
    if role_of(battle, unit) is not Role.SKIRMISH:
        return False
    side = battle.setup.sides[ai.side]
    names = {name for aim in battle.setup.aims if aim.side == side.name for name in aim.controls}
    others = situation.outlines([one for one in ai.own if one != unit])
    return any(
        situation.outline(unit).intersects(area) and not shapely.intersects(others, area).any()
        for area in map(battle.setup.area, sorted(names - {side.objective}))
    )


def _has_in_range(ai: AiContext, unit: int) -> bool:
    """Return whether a gun has an enemy in range and in sight."""
    far = range_of(ai.battle, unit, Band.LONG)
    return any(
        situation_of(ai.battle).distance(unit, foe) <= far and is_aware(ai.battle, unit, foe)
        for foe in ai.known
    )


def _has_arrived(ai: AiContext, unit: int, near: tuple[int, float] | None) -> bool:
    """Return whether a unit is on the objective and has no enemy to drive off or to seek.

    Only units that cannot shoot meet near enemies.
    """
    if not on_objective(ai, unit) or ai.contesting or unsearched(ai, unit):
        return False
    return near is None or near[1] > AHEAD_OF_LINE or shoots(ai.battle, unit)


def unsearched(ai: AiContext, unit: int) -> float:
    """Return how far the objective goes on before a unit that is on it, GSU, to its far edge.

    0 if the unit has reached that edge, or if no missing enemy may be in dead ground there.
    """
    objective = ai.battle.setup.sides[ai.side].objective
    if objective is None or not ai.missing or not on_objective(ai, unit):
        return 0.0
    ahead = straight_on(ai, unit).intersection(ai.battle.setup.area(objective))
    left = float(ahead.length) - _FROM_EDGE
    return left if left > _FROM_EDGE else 0.0


def straight_on(ai: AiContext, unit: int) -> shapely.LineString:
    """Return the path of a unit's centre along the side's axis, across the field."""
    (x, y), (east, north) = situation_of(ai.battle).centre(unit), unit_vector(axis_of(ai))
    return shapely.LineString([(x, y), (x + _FAR * east, y + _FAR * north)])


def _waits(ai: AiContext, near: tuple[int, float] | None) -> bool:
    """Return whether the commander lets an enemy come who is on the march."""
    if near is None or not ai.personality.waits:
        return False
    return bool(ai.battle.state.units.value("moved", near[0]))


def holds(ai: AiContext) -> bool:
    """Return whether the side defends: units leave their places only to meet intruders."""
    return ai.battle.setup.sides[ai.side].stance == "hold"


def worth_meeting(ai: AiContext) -> list[int]:
    """Return the enemies that the side would close with: standing ones, or intruders."""
    return ai.contesting if holds(ai) else ai.standing


def range_of(moment: Moment, unit: int, band: Band) -> float:
    """Return the greatest range of the unit's weapons in a band; 0 without one."""
    weapons = situation_of(moment).entry(unit).ranged_weapons
    return max((weapon.range[band] for weapon in weapons if weapon.range), default=0.0)


def on_objective(ai: AiContext, unit: int) -> bool:
    """Return whether a unit's middle is on the side's objective."""
    battle = ai.battle
    objective = battle.setup.sides[ai.side].objective
    if objective is None:
        return False
    area = battle.setup.area(objective)
    middle = shapely.Point(situation_of(battle).centre(unit))
    return bool(area.contains(middle))


def line_units(ai: AiContext) -> list[int]:
    """Return the line infantry in good order."""
    if ai.line is None:
        morale = ai.battle.state.units.ints("morale")
        line = np.array(with_role(ai.battle, ai.own, Role.LINE), dtype=np.intp)
        ai.line = line[morale[line] > 0].tolist()
    return ai.line


def in_second_line(ai: AiContext, unit: int) -> bool:
    """Return whether a sound line unit of one's own is close ahead in the same lane."""
    return bool(second_line(ai, [unit]))


def second_line(ai: AiContext, units: list[int]) -> list[int]:
    """Return the units that have another ahead of them."""
    found, line = whereabouts_of(ai.battle), np.array(line_units(ai), dtype=np.intp)
    ones = np.array(units, dtype=np.intp)
    east, north = unit_vector(axis_of(ai))
    away_x, away_y = np.moveaxis(found.centres[line] - found.centres[ones, None], 2, 0)
    ahead = away_x * east + away_y * north
    across = np.abs(away_x * north - away_y * east)
    wide, deep = np.moveaxis((found.rooms[ones, None] + found.rooms[line]) / 2, 2, 0)
    far = _GAP_OF_LINES * ai.personality.distance + found.rooms[line, 1]
    close = (np.maximum(deep, _IN_LINE) < ahead) & (ahead < far)
    before = close & (across < 0.8 * wide) & (line != ones[:, None])
    behind: list[int] = ones[before.any(axis=1)].tolist()
    return behind


def _is_far_enough(ai: AiContext, unit: int) -> bool:
    """Return whether a mounted unit is two intervals behind the foremost line."""
    line = line_units(ai)
    if not line:
        return False
    front = float(progress_of_each(ai, line).max())
    return progress(ai, unit) > front - 2 * _GAP_OF_LINES
