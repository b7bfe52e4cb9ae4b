"""Evaluation of moments, fire and assaults for a side, in points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, partial
from math import ceil

from emlia3d.battle.derived import Columns, Each
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.odds import added, at_least, compared, highest, mapped, successes
from emlia3d.rules.epic.assault import result_bonus
from emlia3d.rules.epic.commander.places import OBJECTIVE, freed, goal_of
from emlia3d.rules.epic.core import FACES, chance, modified, tiles_apart
from emlia3d.rules.epic.crossfire import is_crossfire, save_modifier
from emlia3d.rules.epic.formations import (
    capacity_left,
    is_broken,
    kind_of,
    shock_of,
    strength,
    units_of,
)
from emlia3d.rules.epic.movement import CHARGE_REACH
from emlia3d.rules.epic.shooting import expected_fire
from emlia3d.rules.epic.unit_set import options_of
from emlia3d.rules.epic.victory import HOLDS_WITHIN, held, result_of

VICTORY = 300.0
"""Points of victory in addition to the objectives."""

SHOCK = 8.0
"""Points of one Shock."""

BREAKING = 60.0
"""Points of a break in addition to the Shock."""

WAY = 3.0
"""Cost per tile of a formation's distance from its goal at the end of a rehearsal, points."""

RISK = 0.3
"""Probability that an enemy makes a possible assault and passes its test."""

MARGIN = 2
"""Mean additional losses of the loser of an assault, units."""


def standing(moment: Moment, side: int) -> float:
    """Return the value of a moment for a side, in points: objectives, units and Shock.

    After the last round each objective counts double, and victory also counts.
    """
    counts = held(moment)
    last = moment.state.turn >= moment.setup.turns
    found = OBJECTIVE * (1 + last) * (counts[side] - counts[1 - side])
    if moment.state.battle.value("ended", 0):
        result, names = result_of(moment), [each.name for each in moment.setup.sides]
        if result is not None and result.winner is not None:
            found += VICTORY if result.winner == names[side] else -VICTORY
    units = units_of(moment)
    for own, sign in ((side, 1), (1 - side, -1)):
        for row in units.with_carried(units.of_side(own)):
            entry = kind_of(moment, row)
            found += sign * entry.points * capacity_left(moment, row) / entry.dc
        for leader in units.formations(own):
            found -= sign * WAY * _way_off(moment, leader)
            found -= sign * SHOCK * shock_of(moment, leader)
            found -= sign * BREAKING * is_broken(moment, leader)
    return found


def _way_off(moment: Moment, leader: int) -> int:
    """Return the distance of a formation from holding its goal, tiles."""
    own = units_of(moment).tile[units_of(moment).of_formation(leader)]
    return max(int(tiles_apart(own, goal_of(moment, leader)).min()) - HOLDS_WITHIN, 0)


_POSITION = units_of, Columns("morale", "shock", "damage")
"""Dependencies of the worth of fire and assaults, in addition to the round."""


class Fire:
    """Possible fire of a formation at an enemy formation, without the modifier of the action.

    target : the leader of the enemy formation
    """

    def __init__(self, moment: Moment, leader: int, target: int) -> None:
        """Find the weapons that fire, and the units that they can hit."""
        self._moment, self.target = moment, target
        fire = expected_fire(moment, leader, target, 0)
        self._guns = fire.guns
        if not fire.guns:
            return
        shooters = sorted({gun.unit for gun, _ in fire.guns})
        saves = save_modifier(crossfire=is_crossfire(moment, leader, target, shooters))
        entries = [kind_of(moment, row) for row in fire.eligible]
        fails = [1 - chance(entry.save + saves) for entry in entries]
        self._lost = sum(fails, Fraction(0)) / len(fails)
        self._points = sum(entry.points / entry.dc for entry in entries) / len(entries)

    def worth(self, modifier: int) -> float:
        """Return its expected worth, points; 0 if no weapon fires.

        Losses and Shock are means; the probability of a break is exact for them.

        modifier : of the action
        """
        if not self._guns:
            return 0.0
        moment, target = self._moment, self.target
        losses = added(
            *(
                successes(
                    gun.weapon.shots,
                    chance(modified(need, modifier)) * (1 if gun.weapon.mw else self._lost),
                )
                for gun, need in self._guns
            )
        )
        fallen = float(sum(count * share for count, share in losses.items()))
        if is_broken(moment, target):
            more = (1 + fallen) * options_of(moment.setup).broken_extra_shock
            return (fallen + more) * self._points
        left = strength(moment, units_of(moment).of_formation(target))
        breaks = at_least(losses, ceil((left - shock_of(moment, target) - 1) / 2))
        prize = BREAKING + freed(moment, target)
        return fallen * (self._points + SHOCK) + SHOCK + float(breaks) * prize


def fires_of(moment: Moment, leader: int) -> list[Fire]:
    """Return the possible fire of a formation at each enemy formation."""
    side = int(units_of(moment).side[leader])
    return [_fire_at(moment, leader, foe) for foe in units_of(moment).formations(1 - side)]


def _fire_at(moment: Moment, leader: int, target: int) -> Fire:
    find = partial(Fire, moment, leader, target)
    return _FIRES.entry(moment, (moment.state.turn, leader, target), find)


def best_fire(fires: Iterable[Fire], modifier: int) -> float:
    """Return the worth of the best of several fires; 0 without one."""
    return max((fire.worth(modifier) for fire in fires), default=0.0)


_FIRES: Each[tuple[int, int, int], Fire] = Each(*_POSITION, forks=False)
"""Fire by round, formation and target; not copied in forks, because it refers to its moment."""


@cache
def chances_of_result(bonus: int) -> tuple[float, float]:
    """Return the probabilities to win and to lose an assault, by the difference of bonuses."""
    dice = highest(2, FACES)
    lost, _, won = compared(mapped(dice, lambda face: face + bonus), dice)
    return float(won), float(lost)


def worth_of_assault(moment: Moment, leader: int, target: int) -> tuple[float, float]:
    """Return the expected worth of an assault, points, and the probability to win it.

    Losses are means; the probabilities of the result are exact for them. Infantry dismounts to
    charge, and units near the target give supporting fire.
    """
    weigh = partial(_weighed_assault, moment, leader, target)
    return _ASSAULTS.entry(moment, (moment.state.turn, leader, target), weigh)


_ASSAULTS: Each[tuple[int, int, int], tuple[float, float]] = Each(*_POSITION)
"""Worth of assaults, by round, attacker and target."""


def _weighed_assault(moment: Moment, leader: int, target: int) -> tuple[float, float]:
    units = units_of(moment)
    own, foes = units.with_carried(units.of_formation(leader)), units.of_formation(target)

    def hits(rows: Sequence[int], others: Sequence[int], *, charges: bool) -> float:
        fight = _chargers(moment, leader, target) if charges else rows
        entries = [kind_of(moment, row) for row in fight]
        dice = sum(max(e.cc, e.ff) if charges else (e.cc + e.ff) / 2 for e in entries)
        # Attackers can come near units that are not near the target itself.
        near = CHARGE_REACH if charges else 2 * CHARGE_REACH
        support = _supporters(moment, rows[0], (leader, target), near)
        dice += sum(kind_of(moment, row).ff for row in support)
        saves = sum(float(1 - chance(kind_of(moment, row).save)) for row in others) / len(others)
        return min(dice / FACES * saves, strength(moment, others))

    def points(rows: Sequence[int]) -> float:
        entries = [kind_of(moment, row) for row in rows]
        return sum(entry.points for entry in entries) / sum(entry.dc for entry in entries)

    kills = hits(own, foes, charges=True), hits(foes, own, charges=False)
    strong = sum(kind_of(moment, row).dc for row in own), strength(moment, foes)
    left = [max(strong[at] - round(kills[1 - at]), 0) for at in (0, 1)]
    shock = shock_of(moment, leader), shock_of(moment, target)
    bonus = result_bonus(round(kills[0]), (left[0], left[1]), shock)
    against = result_bonus(round(kills[1]), (left[1], left[0]), (shock[1], shock[0]))
    won, lost = chances_of_result(bonus - against)
    worth = kills[0] * points(foes) - kills[1] * points(own)
    prizes = [
        left[at] * points(rows)
        if is_broken(moment, each)
        else BREAKING + min(MARGIN, left[at]) * points(rows) + freed(moment, each)
        for at, (rows, each) in enumerate(((own, leader), (foes, target)))
    ]
    return worth + won * prizes[1] - lost * prizes[0], won


def _chargers(moment: Moment, leader: int, target: int) -> list[int]:
    """Return the units of a formation that can end a charge near a target, with their infantry."""
    units = units_of(moment)
    rows = units.of_formation(leader)
    gaps = units.gaps(rows, units.of_formation(target)).min(axis=1).tolist()
    return units.with_carried(
        row
        for row, gap in zip(rows, gaps, strict=True)
        if gap <= kind_of(moment, row).speed + CHARGE_REACH
    )


def _supporters(moment: Moment, row: int, both: tuple[int, int], near: int) -> list[int]:
    """Return the units of a unit's side that are near an assault of two other formations.

    both : the attacker and the target
    near : maximum distance from the target, tiles
    """
    units = units_of(moment)
    others = [
        unit
        for unit in units.of_side(int(units.side[row]))
        if units.leader[unit] not in both and not is_broken(moment, int(units.leader[unit]))
    ]
    gaps = units.gaps(others, units.of_formation(both[1])).tolist()
    return [unit for unit, away in zip(others, gaps, strict=True) if min(away) <= near]


def threats_to(moment: Moment, leader: int) -> list[tuple[int, int, float]]:
    """Return the enemies that can profitably assault a formation before the battle ends.

    Returns the leader of each, its charge distance, tiles, and the worth of the assault.
    """
    units = units_of(moment)
    is_last = moment.state.turn >= moment.setup.turns
    found = []
    for foe in units.formations(1 - int(units.side[leader])):
        has_acted = bool(moment.state.units.value("acted", foe))
        if is_broken(moment, foe) or (has_acted and is_last):
            continue
        worth, _ = worth_of_assault(moment, foe, leader)
        if worth > 0:
            speed = max(kind_of(moment, row).speed for row in units.of_formation(foe))
            found.append((foe, speed + CHARGE_REACH, RISK * worth))
    return found
