"""What a side knows of a battle: its own units, and the enemies that any of them is aware of.

Holds `emlia.aware.picture`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.play.combat.slips import Slip, slips_known_to
from emlia3d.rules.emlia.play.leadership.mixed import on_field
from emlia3d.rules.emlia.play.sight.awareness import known_to
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


class Picture:
    """The battle as one side sees it at the moment of a decision.

    own : its units on the field
    known : hostile units that at least one of its own is aware of
    """

    def __init__(self, battle: Battle, side: int) -> None:
        self.battle = battle
        self.side = side
        units = battle.state.units
        present = on_field(battle)
        self.own = [unit for unit in present if units.integer("side", unit) == side]
        self._hostile = [
            unit for unit in present if battle.setup.hostile(side, units.integer("side", unit))
        ]

    @cached_property
    @rule("emlia.aware.picture")
    def known(self) -> list[int]:
        """Enemies in the picture; those that no unit is aware of are not in it."""
        return [*known_to(self.battle, self.side)]

    @cached_property
    def notes(self) -> list[Slip]:
        """Notes of prepared actions: its own, and those of others that have been shown."""
        return slips_known_to(self.battle, self.side)

    @property
    def missing(self) -> bool:
        """Whether there is an enemy beyond those known; who took the field is no secret."""
        return len(self.known) < len(self._hostile)
