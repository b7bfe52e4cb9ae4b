"""The context of an AI decision: the picture of its side, and its personality."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from emlia3d.rulekit.commander.personality import PERSONALITIES, Personality, personality_of
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.parts import members_of_each
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.morale import RETREATS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_LAST = 3
"""Turns at the end of a battle in which time runs out."""

_SUPERIOR = 1.5
"""Ratio of numbers to the enemy's that counts as superiority."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctrinePersonality(Personality):
    """Personality of a commander under Emlia's rules.

    aggression : how readily it closes and charges
    caution : how soon it gives up a fight, gives ground, and lets the enemy come to it
    """

    @property
    def least_odds(self) -> float:
        """Factor for the odds from which a unit charges."""
        return 1.5 - self.aggression

    @property
    def light_push(self) -> int:
        """GSU up to which a unit takes the press hits rather than give ground."""
        return round(4 * (1 - self.caution))

    @property
    def hopeless(self) -> float:
        """The odds hand to hand below which a unit rather leaves."""
        return 0.1 + 0.5 * self.caution

    @property
    def waits(self) -> bool:
        """True if the commander prefers to wait for the enemy."""
        return self.caution - self.aggression > 0.5


def _doctrine_personality(given: Personality) -> DoctrinePersonality:
    return DoctrinePersonality(aggression=given.aggression, caution=given.caution)


DOCTRINES = {name: _doctrine_personality(given) for name, given in PERSONALITIES.items()}
"""Personalities by name, such as "bold"."""


def doctrine_personality_of(words: str) -> DoctrinePersonality | None:
    """Return the personality of a name or of values, as `personality_of` reads them."""
    found = personality_of(words)
    return None if found is None else _doctrine_personality(found)


class AiContext:
    """A side's picture with the personality of its commander.

    picture : the side's picture
    battle, side, own, known, missing : as in the picture
    axis : the facing in which the side advances, once computed
    line : its line infantry in good order, likewise
    """

    def __init__(
        self,
        picture: SidePicture,
        personality: DoctrinePersonality = DOCTRINES["steady"],
    ) -> None:
        self.personality = personality
        self.picture = picture
        self.battle: Battle = picture.battle
        self.side = picture.side
        self.own = picture.own
        self.known = picture.known
        self.missing = picture.missing
        self.axis: int | None = None
        self.line: list[int] | None = None

    @property
    def is_late(self) -> bool:
        """True if these are the last turns."""
        return self.battle.state.turn > self.battle.setup.turns - _LAST

    @property
    def is_pressed(self) -> bool:
        """True if these are the last turns, and the objective is not the side's yet."""
        return self.is_late and not self.has_objective

    @property
    def has_objective(self) -> bool:
        """True if the objective, where there is one, is the side's, as far as it knows."""
        if self.battle.setup.sides[self.side].objective is None:
            return True
        return not self.contesting and bool(self._on_objective(self.own))

    @cached_property
    def contesting(self) -> list[int]:
        """The enemies that the side knows of on its objective."""
        return self._on_objective(self.known)

    @property
    def sought(self) -> list[int]:
        """The enemies that the side goes for: in the last turns any on its objective."""
        return (self.contesting if self.is_pressed else []) or self.standing

    @cached_property
    def standing(self) -> list[int]:
        """The known enemies that do not flee, or flee only over its objective; else all.

        Retreating and routed units are out of the fight unless rallied.
        """
        morale = self.battle.state.units.ints("morale")
        stand = [foe for foe in self.known if morale[foe] > RETREATS or foe in self.contesting]
        return stand or self.known

    def _on_objective(self, units: list[int]) -> list[int]:
        objective = self.battle.setup.sides[self.side].objective
        if objective is None:
            return []
        area, situation = self.battle.setup.area(objective), situation_of(self.battle)
        near = whereabouts_of(self.battle).near(area.bounds)
        return [unit for unit in units if near[unit] and situation.outline(unit).intersects(area)]

    @property
    def commits_reserves(self) -> bool:
        """True if the reserves are sent in.

        After a third of the battle if the objective is not the side's yet; after half of it if
        those still fit to fight outnumber the enemy's.
        """
        turn, turns = self.battle.state.turn, self.battle.setup.turns
        if 3 * turn > turns and not self.has_objective:
            return True
        return 2 * turn > turns and self._fit(self.own) >= _SUPERIOR * self._fit(self.known)

    def _fit(self, units: list[int]) -> int:
        """Members of those units that are not shaken."""
        fit = self.battle.state.units.ints("morale")[units] > 0
        return int(members_of_each(self.battle, units)[fit].sum())

    def name(self, unit: int) -> str:
        """Return the name of a unit."""
        return self.battle.setup.units[unit].name
