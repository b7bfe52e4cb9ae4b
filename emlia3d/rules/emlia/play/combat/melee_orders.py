"""Emlia, chapter 14.4 as play: the orders for Close Combat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order, Refusal
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.sight.awareness import known_of
from emlia3d.rules.emlia.play.situation.arms import possible_targets, reaches, with_each_weapon
from emlia3d.rules.emlia.play.situation.contact import (
    Melee,
    boundary_of,
    melee_of,
    own_able_at,
    skirmish_of,
)
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, parts_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.moment import Moment

STRIKE_FIRST = "close-combat-first"
"""The verb of a blow at all enemies, in which members in reach of several strike one named."""

Party = tuple[int, ...]
"""Enemies that one check is made against."""


def may_strike(moment: Moment, unit: int) -> Refusal | None:
    """Return a primary action is left and a known enemy is in combat range."""
    refusal = may_take(moment, unit, "close combat")
    if refusal is not None:
        return refusal
    enemies = melee_of(moment, unit).enemies
    if not enemies:
        return Refusal("emlia.melee", "no enemy is in its combat range")
    return may_target(moment, unit, "close combat", *enemies)


def melee_options(moment: Moment, unit: int) -> list[Order]:
    """With each weapon: all enemies in reach at once, or in ranked combat any one of them.

    Or all of them, with one named that members in reach of several strike. Or any one subunit
    among them alone, of a skirmish any one unit.
    """
    if may_strike(moment, unit) is not None:
        return []
    orders = with_each_weapon(moment, unit, None)
    melee = melee_of(moment, unit)
    known = known_of(moment, unit, melee.parties)
    if melee.ranked and len(known) > 1:
        for party in known:
            orders += with_each_weapon(moment, unit, party[0])
        for party in _contested(moment, unit, known):
            orders += with_each_weapon(moment, unit, party[0], STRIKE_FIRST)
    verb = f"close-combat{FOCUSED}"
    foes = [foe for party in known for foe in party]
    single = [row for row in possible_targets(moment, foes) if _may_focus(moment, melee, row)]
    for row in single if len(single) > 1 else ():
        if not melee.ranked or reaches(moment, unit, row):
            orders += with_each_weapon(moment, unit, row, verb)
    return orders


def _may_focus(moment: Moment, melee: Melee, row: int) -> bool:
    """Return whether one subunit, or one unit of a skirmish, may be singled out."""
    return not melee.ranked or is_mixed(moment, head_of(moment, row))


def body_of(moment: Moment, party: Party) -> BaseGeometry:
    """Return the boundary of an enemy in ranked combat, with that of its skirmish if it has one."""
    return boundary_of(moment, skirmish_of(moment, party[0]) or party)


def _contested(moment: Moment, unit: int, known: Sequence[Party]) -> list[Party]:
    """Return the enemies in reach of members that strike an earlier one by default."""
    rows = parts_of(moment, unit)
    able = [[own_able_at(moment, row, body_of(moment, party)) for row in rows] for party in known]
    return [
        party
        for place, party in enumerate(known)
        if any(
            (own & other).any()
            for before in able[:place]
            for own, other in zip(able[place], before, strict=True)
        )
    ]


def led_by(struck: Sequence[Party], target: int | None) -> list[Party]:
    """Return enemies with the named one first, because members strike the first in their reach."""
    return sorted(struck, key=lambda party: target not in party)
