"""Emlia, chapter 14 as play: which enemies are in which band of a weapon, for all of them at once.

What `targets.ranging` beside this module says of each, kept until one of the two moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from emlia3d.rules.emlia.elevation import extra_range
from emlia3d.rules.emlia.equipment import Band
from emlia3d.rules.emlia.play.combat.targets import Subject, ranging
from emlia3d.rules.emlia.play.engagement.contact import enemies_of
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.sight.whereabouts import whereabouts_of
from emlia3d.rules.emlia.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_OUT_OF_RANGE = len(Band)
"""The number of no band, beyond them all."""


def enemies_within(battle: Battle, unit: int, weapon: Weapon, band: Band) -> list[int]:
    """The enemies of a unit in a band of its weapon or in a nearer one, by number."""
    bands: Bands = battle.kept("emlia.bands", Bands)
    return [*bands.within(unit, weapon, band, enemies_of(battle, unit))]


class Bands:
    """The bands that units are in, by who shoots and with what."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._kept: dict[tuple[int, object], _Ranged] = {}

    def within(self, unit: int, weapon: Weapon, band: Band, foes: list[int]) -> list[int]:
        """Those of some enemies who are in a band or in a nearer one."""
        version = int(lie_of(self._battle).versions[unit])
        kept = self._kept.get((unit, weapon.range))
        if kept is None or kept.version != version or kept.foes != foes:
            kept = self._kept[unit, weapon.range] = _Ranged(version, foes)
        if kept.clock != self._battle.state.clock:
            kept.clock = self._battle.state.clock
            self._measure(kept, unit, weapon)
        if band not in kept.near:
            kept.near[band] = kept.rows[kept.bands <= band].tolist()
        return kept.near[band]

    def _measure(self, kept: _Ranged, unit: int, weapon: Weapon) -> None:
        """Find the bands of those who have moved, measured in one go and then told one by one."""
        lie = lie_of(self._battle)
        versions = lie.versions[kept.rows]
        rows = np.flatnonzero(kept.versions != versions)
        if not len(rows):
            return
        assert weapon.range is not None
        far = weapon.range[Band.LONG] + extra_range(lie.footing(unit), float(lie.footings.min()))
        moved = kept.rows[rows]
        about = whereabouts_of(self._battle).about(unit, moved.tolist(), far)
        lie.gaps(unit, about)
        found = {foe: ranging(self._battle, unit, Subject(foe), weapon).band for foe in about}
        bands = map(found.get, moved.tolist())
        kept.bands[rows] = [_OUT_OF_RANGE if band is None else band for band in bands]
        kept.versions, kept.near = versions, {}


class _Ranged:
    """What is known of one unit with one weapon where it stands.

    version : of the unit
    foes, rows : those who were asked about, in a list and in an array
    clock : of the state when it was last asked
    versions : (foes,) of each when its band was found; -1 where it was not
    bands : (foes,) the band that each is in, or `_OUT_OF_RANGE`
    near : who is in each band or in a nearer one, once it has been asked
    """

    def __init__(self, version: int, foes: list[int]) -> None:
        self.version = version
        self.foes, self.rows = foes, np.array(foes, dtype=np.intp)
        self.clock = -1
        self.versions = np.full(len(foes), -1, dtype=np.int64)
        self.bands = np.full(len(foes), _OUT_OF_RANGE, dtype=np.int8)
        self.near: dict[Band, list[int]] = {}
