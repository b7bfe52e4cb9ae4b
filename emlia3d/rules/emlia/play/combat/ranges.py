"""The distances that a unit can shoot, strike and move as it stands, as a public function."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.ranges import FireArc, Range
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import state_of


def ranges(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range of each kind of ranged weapon, then of close combat and of a move.

    The limit of a move is on open ground. A routed unit has none.
    """
    if state_of(moment.state.units.integer("morale", unit)).name == "Routed":
        return ()
    situation, parts = situation_of(moment), parts_of(moment, unit)
    weapons = {
        weapon.name: weapon
        for part in parts
        for weapon in situation.entry(part).ranged_weapons
        if weapon.range is not None
    }
    found = [
        Range(what=name, limits=weapon.range, arcs=_arcs(moment, parts, name))
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


def _arcs(moment: Moment, parts: Sequence[int], weapon: str) -> tuple[FireArc, ...]:
    """Return the arc of each subunit with a weapon; () if all of the unit bears all round."""
    situation = situation_of(moment)
    armed = {
        part: found.arc
        for part in parts
        for found in situation.entry(part).ranged_weapons
        if found.name == weapon and found.range is not None
    }
    if len(armed) == len(parts) and all(arc >= 360 for arc in armed.values()):
        return ()
    return tuple(
        FireArc(
            body=situation.alone(part)[0],
            left=situation.centre(part),
            right=situation.centre(part),
            facing=moment.state.units.integer("facing", part),
            arc_deg=arc,
        )
        for part, arc in armed.items()
    )
