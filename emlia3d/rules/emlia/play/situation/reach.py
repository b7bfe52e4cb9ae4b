"""Emlia, chapter 15: the combat range of each unit and the enemies that it engages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Rows, owned_copy
from emlia3d.rules.emlia.play.situation.parts import hostile_to, stand_for_themselves
from emlia3d.rules.emlia.play.situation.situation import SITUATION, Situation, situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.engagement import is_engaged, vertical_gap
from emlia3d.rules.emlia.tables.equipment import combat_range
from emlia3d.rules.emlia.unit_sets.abilities import added_reach
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def reach_of(situation: Situation, unit: int) -> float:
    """Combat range; of a mixed unit the longest among its subunits."""
    return max(own_reach(situation, part) for part in situation.parts(unit))


def own_reach(situation: Situation, row: int) -> float:
    """Combat range of one subunit, or of a plain unit.

    The attribute, else the size now, and what weapons and abilities with reach add.
    """
    posture = situation.posture(row)
    found = situation.reaches.get((row, posture))
    if found is None:
        entry = situation.entry(row)
        longest = max((weapon.ability("reach") or 0 for weapon in entry.melee_weapons), default=0)
        longer = longest + added_reach(entry.all_abilities)
        found = combat_range(entry.size * posture, entry.combat_range, longer)
        situation.reaches[row, posture] = found
    return found


@rule("emlia.engage.direction")
def engages(situation: Situation, unit: int, other: int) -> bool:
    """Return whether *other* lies in the combat range of *unit*, on the ground and in height.

    All round its boundary. One-sided where their ranges differ (`emlia.engage.asymmetric`,
    `emlia.engage.vertical`); of a mixed unit each subunit reaches as far as it does by itself.
    """
    above = gap_between(situation, unit, other)
    return any(
        is_engaged(situation.gap(part, other), own_reach(situation, part), above)
        for part in situation.parts(unit)
    )


def gap_between(situation: Situation, unit: int, other: int) -> float:
    """Height units between two units one above the other; 0 where their heights overlap."""
    low, other_low = situation.footing(unit), situation.footing(other)
    return vertical_gap(
        low, low + situation.height(unit), other_low, other_low + situation.height(other)
    )


class Reaches:
    """The engagements, computed on first use and cached until a unit nearby changes."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        units = len(moment.state.units)
        self._boxes = np.full((units, 4), np.nan)
        self._far = np.zeros(units)
        self._close: dict[int, list[int]] = {}
        self._engagers: dict[int, list[int]] = {}
        self._reached: dict[int, list[int]] = {}
        # Examined units that engage an enemy or are engaged.
        self._in_touch = np.zeros(units, dtype=np.bool_)
        self._looked_at = np.zeros(units, dtype=np.bool_)

    def forked(self, moment: Moment) -> Reaches:
        """Return a copy for another battle at the same moment."""
        twin = owned_copy(self)
        twin.moment = moment
        return twin

    def renew(self, moment: Moment, rows: Sequence[int]) -> None:
        """Forget all that the changed units may affect, and measure their reach again."""
        differs = np.zeros(len(self._far), dtype=np.bool_)
        differs[list(rows)] = True
        changed = np.flatnonzero(differs)
        touched = self._near(changed)
        self._boxes[changed] = whereabouts_of(moment).boxes[changed]
        situation = situation_of(moment)
        self._far[changed] = [reach_of(situation, unit) for unit in changed.tolist()]
        forgotten = touched | self._near(changed) | differs
        self._looked_at &= ~forgotten
        for unit in np.flatnonzero(forgotten).tolist():
            for kept in (self._close, self._engagers, self._reached):
                kept.pop(unit, None)

    def engagers(self, unit: int) -> list[int]:
        """Enemies in whose combat range *unit* lies."""
        if unit not in self._engagers:
            situation, foes = situation_of(self.moment), self._foes_near(unit)
            self._engagers[unit] = [foe for foe in foes if engages(situation, foe, unit)]
        return [*self._engagers[unit]]

    def reached(self, unit: int) -> list[int]:
        """Enemies in the combat range of *unit*."""
        if unit not in self._reached:
            situation, foes = situation_of(self.moment), self._foes_near(unit)
            self._reached[unit] = [foe for foe in foes if engages(situation, unit, foe)]
        return [*self._reached[unit]]

    def in_touch(self) -> list[int]:
        """Return the numbers of the units on the field that engage an enemy or are engaged."""
        here = stand_for_themselves(self.moment)
        for unit in np.flatnonzero(here & ~self._looked_at).tolist():
            self._in_touch[unit] = bool(self.engagers(unit) or self.reached(unit))
            self._looked_at[unit] = True
        return np.flatnonzero(here & self._in_touch).tolist()

    def _foes_near(self, unit: int) -> list[int]:
        """Enemies near enough to ask about; a first sieve by bounding boxes."""
        if unit not in self._close:
            foes = hostile_to(self.moment, self.moment.state.units.integer("side", unit))
            near = self._near(np.array([unit])).tolist()
            self._close[unit] = [foe for foe in foes if near[foe]]
        return self._close[unit]

    def _near(self, units: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n,) whether the box of each lies within reach of that of one of *units*."""
        found = np.zeros(len(self._boxes), dtype=np.bool_)
        # A unit off the field has no box.
        for unit in units[~np.isnan(self._boxes[units, 0])].tolist():
            found |= self.bear_on(tuple(self._boxes[unit].tolist()), float(self._far[unit]))
        return found

    def bear_on(
        self, box: tuple[float, float, float, float], reach: float = 0.0
    ) -> NDArray[np.bool_]:
        """(n,) who may reach a box, or be reached from it; whether it is so must be asked."""
        west, south, east, north = self._boxes.T
        (a, b, c, d), far = box, np.maximum(self._far, reach) + 1
        return (a - far <= east) & (west <= c + far) & (b - far <= north) & (south <= d + far)


reaches_of = Rows(SITUATION, start=Reaches, renew=Reaches.renew, forks=True)
"""The engagements of this moment."""
