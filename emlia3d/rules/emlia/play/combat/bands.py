"""Emlia, chapter 14 as play: which enemies are in which band of a weapon, for all of them at once.

What `targets.ranging` beside this module says of each, kept until one of the two moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.derived import Rows
from emlia3d.rules.emlia.play.combat.targets import Subject, ranging
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.situation import SITUATION, situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.elevation import extra_range
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Key = tuple[int, tuple[float, float, float]]
"""A unit, and the ranges of a weapon that it has."""


def enemies_within(moment: Moment, unit: int, weapon: Weapon, band: Band) -> list[int]:
    """Return the enemies of a unit in a band of its weapon or in a nearer one, by number."""
    found = bands_of(moment).of(unit, weapon)
    return sorted(foe for foe, there in found.items() if there <= band)


class RangeBands:
    """The range bands that enemies are in, by shooter and weapon.

    A unit that moves is measured again for all shooters queried together, if it may be in range.
    """

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._kept: dict[Key, tuple[Weapon, dict[int, Band]]] = {}

    def renew(self, moment: Moment, changed: Sequence[int]) -> None:
        """Measure moved units as targets again, and forget their own targets."""
        del moment
        for key in [key for key in self._kept if key[0] in changed]:
            del self._kept[key]
        for _, bands in self._kept.values():
            for foe in changed:
                bands.pop(foe, None)
        self._measure([*self._kept], [*changed])

    def of(self, unit: int, weapon: Weapon) -> Mapping[int, Band]:
        """Return the band that each enemy in range of a weapon of a unit is in."""
        assert weapon.range is not None
        key = unit, weapon.range
        if key not in self._kept:
            self._kept[key] = weapon, {}
            self._measure([key], enemies_of(self._moment, unit))
        return self._kept[key][1]

    def _measure(self, keys: list[Key], others: list[int]) -> None:
        """Find the bands of the hostile units among *others* that may be in range."""
        battle, situation = self._moment, situation_of(self._moment)
        if not keys or not others:
            return
        lowest = float(situation.footings.min())
        far = [
            ranges[Band.LONG] + extra_range(situation.footing(row), lowest) for row, ranges in keys
        ]
        at_least = whereabouts_of(battle).at_least([unit for unit, _ in keys], others)
        for row, column in np.argwhere(at_least <= np.array(far)[:, None]).tolist():
            (unit, _), other = keys[row], others[column]
            weapon, bands = self._kept[keys[row]]
            if other in enemies_of(battle, unit):
                band = ranging(battle, unit, Subject(other), weapon).band
                if band is not None:
                    bands[other] = band


bands_of = Rows(SITUATION, start=RangeBands, renew=RangeBands.renew)
"""The bands that enemies are in at this moment."""
