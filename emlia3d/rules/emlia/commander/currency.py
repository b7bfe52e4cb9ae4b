"""The unit of the commander's evaluations: army value.

The worth of a unit is the army value of its subunits times their remaining proportion of members,
times the fitness of the unit. The worth of an order is the loss of the enemy minus its cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.rules.emlia.play.situation.parts import entry_of, parts_of
from emlia3d.rules.emlia.tables.morale import FALLS_BACK, HIGHEST, LOWEST, RETREATS, ROUTS

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

LEAST_VALUE = 0.5
"""Minimum army value of a unit, so that any fighting unit is worth an attack."""

_STEADY = 7
"""Morale at which a unit has its maximum fitness."""

_POINT = 0.04
"""Loss of fitness per point of morale below that."""

_SHAKEN, _RETREATING, _ROUTED = 0.8, 0.4, 0.2
"""Factors of a unit's fitness at a morale of 0 to -3, of -4 to -6, and of -7."""

_DISORDERED = 0.8
"""Factor of its fitness when disordered, so that it does not act on orders."""


def fitness(morale: int, *, disordered: bool = False) -> float:
    """Return the fitness of a unit, 0 to 1, from its morale and order."""
    return _FITNESS[min(max(morale, LOWEST), HIGHEST) - LOWEST] * (_DISORDERED if disordered else 1)


def _at(morale: int) -> float:
    heart = 1 - _POINT * max(_STEADY - morale, 0)
    if morale <= ROUTS:
        return heart * _ROUTED
    if morale <= RETREATS:
        return heart * _RETREATING
    return heart * (_SHAKEN if morale <= FALLS_BACK + 1 else 1.0)


_FITNESS = tuple(map(_at, range(LOWEST, HIGHEST + 1)))


def value_of(moment: Moment, unit: int, lost: float = 0.0) -> float:
    """Return the current worth of a unit, in army value.

    lost : expected further losses of members, fractional
    """
    units = moment.state.units
    disordered = bool(units.value("disordered", unit))
    fit = fitness(units.integer("morale", unit), disordered=disordered)
    return value_when_fit(moment, unit, lost) * fit


def value_when_fit(moment: Moment, unit: int, lost: float = 0.0) -> float:
    """Return the worth of a unit's members at the best morale and in order."""
    units = moment.state.units
    if not units.value("present", unit):
        return 0.0
    whole, members = 0.0, 0
    for part in parts_of(moment, unit):
        value = max(entry_of(moment.setup, part).army_value, LEAST_VALUE)
        left = units.integer("members", part)
        members += left
        whole += value * left / max(units.integer("strength", part), 1)
    return whole * max(members - lost, 0.0) / members if members else 0.0
