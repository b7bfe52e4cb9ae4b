"""Emlia, chapters 7 and 14.4 as play: the weapons of hand-to-hand combat and their reach.

Each subunit of a mixed unit has its own weapons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.basics.tables import Modified, single
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.play.situation.contact import (
    Melee,
    able_against,
    able_at,
    able_in,
    melee_of,
)
from emlia3d.rules.emlia.play.situation.parts import members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import parry_modifier
from emlia3d.rules.emlia.unit_sets.weapon import Attack, Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

FISTS = Weapon(name="Fists", base_damage=0)


def weapon_of(moment: Moment, unit: int) -> Weapon:
    """Return the hardest of a unit's melee weapons."""
    return weapons_of(moment, unit)[0]


@rule("emlia.equip.no-weapon")
def weapons_of(moment: Moment, row: int) -> list[Weapon]:
    """Return the melee weapons of a subunit, or of a plain unit, the hardest first.

    Bare fists, base damage 0, without one.
    """
    weapons = situation_of(moment).entry(row).melee_weapons
    return sorted(weapons, key=lambda weapon: -weapon.base_damage) or [FISTS]


def armed(moment: Moment, unit: int) -> list[tuple[int, list[Weapon]]]:
    """Every subunit of a unit, with the weapons that it may strike with."""
    return [(row, weapons_of(moment, row)) for row in parts_of(moment, unit)]


Armed = Sequence[tuple[int, Sequence[Weapon]]]
"""Subunits, each with the weapons that it may use."""


def armed_for(moment: Moment, unit: int, attack: Attack) -> list[tuple[int, tuple[Weapon, ...]]]:
    """Return the subunits that have weapons for an attack from afar, each with them."""
    entry = situation_of(moment).entry
    found = ((row, entry(row).weapons_for(attack)) for row in parts_of(moment, unit))
    return [(row, weapons) for row, weapons in found if weapons]


def usable_for(attack: Attack) -> Callable[[Moment, int], Sequence[Weapon]]:
    """Return a function that gives the weapons that a unit may use for an attack from afar.

    A mixed unit uses the weapons of its first subunit that is armed for the attack.
    """

    def weapons(moment: Moment, unit: int) -> Sequence[Weapon]:
        armed = armed_for(moment, unit, attack)
        return armed[0][1] if armed else ()

    return weapons


@rule("emlia.equip.one-weapon")
def with_each_weapon(
    moment: Moment, unit: int, target: int | None, verb: str = "close-combat"
) -> list[Order]:
    """Return an attack with each melee weapon of the unit, by number, as it uses one for an action.

    Of a mixed unit with each combination of its subunits' weapons.
    """
    count = prod(len(weapons) for _, weapons in armed(moment, unit))
    numbers: list[int | None] = [None] if count == 1 else [*range(count)]
    return [Order(verb=verb, unit=unit, target=target, number=number) for number in numbers]


def possible_targets(moment: Moment, foes: Sequence[int]) -> list[int]:
    """Return the subunits that enemies are made of."""
    return [part for foe in foes for part in parts_of(moment, foe)]


def reaches(moment: Moment, unit: int, row: int) -> bool:
    """Return whether any member of a unit has one subunit in its combat range."""
    situation = situation_of(moment)
    return any(
        in_reach(situation.apart(part, row), own_reach(situation, part))
        for part in situation.parts(unit)
    )


def parried(moment: Moment, unit: int, melee: Melee, focus: int | None) -> Modified:
    """Return the dice that the enemy's parrying weapons cost a Close Combat (`emlia.equip.parry`).

    focus : the subunit that is singled out
    """
    side = moment.state.units.integer("side", unit)
    engaged = parrying = 0
    for other in melee.group:
        if not moment.setup.hostile(side, moment.state.units.integer("side", other)):
            continue
        able = able_in(moment, other, melee)
        engaged += int(able.sum())
        parrying += int((able & _who_parries(moment, other)).sum())
    focused = focus is not None and _has_parry(moment, focus)
    change = parry_modifier(engaged, parrying, focused)
    return single("emlia.equip.parry", change)


def _has_parry(moment: Moment, row: int) -> bool:
    weapons = situation_of(moment).entry(row).melee_weapons
    return any(weapon.ability("parry") for weapon in weapons)


def _who_parries(moment: Moment, unit: int) -> NDArray[np.bool_]:
    """Return which members of a unit have a weapon that parries: bool, (members,)."""
    parts = parts_of(moment, unit)
    counts = [moment.state.units.integer("members", part) for part in parts]
    return np.repeat([_has_parry(moment, part) for part in parts], counts)


def able_for(moment: Moment, unit: int, foe: int, passing: BaseGeometry | None) -> int:
    """Members who could make a free strike at an enemy that goes, or goes over some ground."""
    if passing is not None:
        return int(able_at(moment, unit, passing).sum())
    melee = melee_of(moment, unit)
    if melee.ranked:
        return int(able_against(moment, unit, foe).sum())
    return members_of_all(moment, unit)
