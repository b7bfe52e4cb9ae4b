"""Emlia, chapter 14 as play: which enemies are in which band of a weapon, for all of them at once.

What `targets.ranging` beside this module says of each, kept until one of the two moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.rules.emlia.equipment import Band
from emlia3d.rules.emlia.play.combat.targets import Subject, ranging
from emlia3d.rules.emlia.play.engagement.contact import enemies_of
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_OUT_OF_RANGE = len(Band)
"""The number of no band, beyond them all."""


def enemies_within(battle: Battle, unit: int, weapon: Weapon, band: Band) -> list[int]:
    """The enemies of a unit in a band of its weapon or in a nearer one, by number."""
    bands: Bands = battle.kept("emlia.bands", Bands)
    foes = np.array(enemies_of(battle, unit), dtype=np.intp)
    near: list[int] = foes[bands.of(unit, weapon, foes) <= band].tolist()
    return near


class Bands:
    """The bands that units are in, by who shoots and with what."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._kept: dict[tuple[int, object], _Ranged] = {}

    def of(self, unit: int, weapon: Weapon, foes: NDArray[np.intp]) -> NDArray[np.int8]:
        """The band that each of some units is in; `len(Band)` for those beyond them all."""
        lie = lie_of(self._battle)
        versions = lie.versions
        kept = self._kept.get((unit, weapon.range))
        if kept is None or kept.version != versions[unit]:
            kept = _Ranged(int(versions[unit]), len(versions))
            self._kept[unit, weapon.range] = kept
        moved = foes[kept.versions[foes] != versions[foes]]
        if len(moved):
            # Measured in one go, which each is then asked for by itself.
            lie.gaps(unit, moved.tolist())
            found = [ranging(self._battle, unit, Subject(foe), weapon) for foe in moved.tolist()]
            kept.bands[moved] = [_OUT_OF_RANGE if one.band is None else one.band for one in found]
            kept.versions[moved] = versions[moved]
        return kept.bands[foes]


class _Ranged:
    """What is known of one unit with one weapon where it stands.

    version : of the unit
    versions : of everybody when his band was found; -1 where it was not
    """

    def __init__(self, version: int, units: int) -> None:
        self.version = version
        self.versions = np.full(units, -1, dtype=np.int64)
        self.bands = np.full(units, _OUT_OF_RANGE, dtype=np.int8)
