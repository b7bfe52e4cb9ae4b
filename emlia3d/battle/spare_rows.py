"""Spare rows for units that arise when other units are divided.

The number of unit rows is fixed for the whole battle. If a rule system lets a unit be divided, its
spare rows come after all other rows, empty and off the field until `Divide` fills them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.setup import Setup, UnitSetup

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.system import System

_TENS = 10
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def with_spare_rows(setup: Setup, system: System) -> Setup:
    """Return the setup with a spare row for each possible part; unchanged if it has spare rows."""
    spare = any(unit.muster.spare_for >= 0 for unit in setup.units)
    if spare:
        return setup
    names = {unit.name for unit in setup.units}
    rows = []
    for row, unit in enumerate(setup.units):
        for number in range(2, system.bodies(setup, unit) + 1):
            name = f"{unit.name}, {ordinal(number)} part"
            while name in names:
                name = f"{name} of it"
            names.add(name)
            rows.append(_spare(row, unit, name))
    return replace(setup, units=(*setup.units, *rows)) if rows else setup


def _spare(row: int, unit: UnitSetup, name: str) -> UnitSetup:
    muster = replace(unit.muster, name=name, members=0, parent=-1, spare_for=row)
    return replace(unit, muster=muster, states=(), arrives=0)


def rows_before_spares(setup: Setup) -> int:
    """Return the number of unit rows before the spare rows, which come last."""
    return sum(unit.muster.spare_for < 0 for unit in setup.units)


def ordinal(number: int) -> str:
    """Return an ordinal number: 1st, 2nd, 3rd, 4th..."""
    teens = number // _TENS % _TENS == 1
    return f"{number}{'th' if teens else _ENDINGS.get(number % _TENS, 'th')}"


def empty_row_for(moment: Moment, unit: int) -> int | None:
    """Return an empty spare row for a part of the unit that *unit* mustered as; None without one.

    A row is filled once: it stays that part's row even after the part has no figures left.
    """
    whole, strength = moment.setup.deployed_as(unit), moment.state.units.ints("strength")
    rows = moment.setup.bodies_of(whole)
    return next((row for row in rows if row != whole and not strength[row]), None)


def used_rows(moment: Moment) -> list[int]:
    """Return the rows of all units that are or were in the battle, without empty spare rows."""
    strength = moment.state.units.ints("strength")
    return [
        row
        for row, unit in enumerate(moment.setup.units)
        if unit.muster.spare_for < 0 or strength[row]
    ]
