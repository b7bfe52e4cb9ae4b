"""The distances that a unit can shoot, strike and move as it stands, as a public function."""

from __future__ import annotations

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.ranges import Range
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of


def ranges(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range of each kind of ranged weapon, then of close combat and of a move.

    The limit of a move is on open ground.
    """
    situation, parts = situation_of(moment), parts_of(moment, unit)
    weapons = {
        weapon.name: weapon
        for part in parts
        for weapon in situation.entry(part).ranged_weapons
        if weapon.range is not None
    }
    found = [
        Range(what=name, limits=weapon.range, arc_deg=weapon.arc)
        for name, weapon in weapons.items()
        if weapon.range is not None
    ]
    found.sort(key=lambda each: -each.limits[-1])
    arm = max(own_reach(situation, part) for part in parts)
    found.append(Range(what="close combat", limits=(float(arm),), sighted=False))
    speed = speed_of(moment, unit)
    if speed > 0:
        found.append(Range(what="a move", limits=(speed,), sighted=False, over_ground=True))
    return tuple(found)
