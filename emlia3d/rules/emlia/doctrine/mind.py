"""What a doctrine commander decides from: what his side knows, and what manner of man he is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from emlia3d.errors import Error
from emlia3d.rules.emlia.play.sight.picture import Picture
from emlia3d.rules.emlia.play.situation.parts import members_of_each
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.morale import RETREATS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_LAST = 3
"""Turns at the end of a battle in which time runs out."""

_SUPERIOR = 1.5
"""How many times the enemy's number gives the upper hand."""

_FIGURE = re.compile(r"(?P<name>aggression|caution)=(?P<value>0|1|0?\.\d+|1\.0+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a commander leads; both from 0 to 1, and a half is the book's middle way.

    aggression : how readily he closes and charges
    caution : how soon he gives up a fight, gives ground, and lets the enemy come to him
    """

    aggression: float = 0.5
    caution: float = 0.5

    def __post_init__(self) -> None:
        """Raise Error for what is not from 0 to 1."""
        for name in ("aggression", "caution"):
            if not 0 <= getattr(self, name) <= 1:
                raise Error(f"{name} is a number from 0 to 1, not {getattr(self, name)}")

    @property
    def least_odds(self) -> float:
        """What the odds from which a unit charges are multiplied with."""
        return 1.5 - self.aggression

    @property
    def distance(self) -> float:
        """What the range to shoot from is multiplied with."""
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
        """Whether he would rather have the enemy come to him than go and meet him."""
        return self.caution - self.aggression > 0.5


MANNERS = {
    "cautious": Manner(aggression=0.15, caution=0.85),
    "steady": Manner(),
    "bold": Manner(aggression=0.9, caution=0.15),
}
"""Manners that have a name."""


def manner_of(words: str) -> Manner | None:
    """The manner that is named, or given by figures: "bold", "aggression=0.8,caution=0.2".

    None for anything else.
    """
    if words in MANNERS:
        return MANNERS[words]
    figures = [_FIGURE.fullmatch(part) for part in words.split(",")]
    found = {match["name"]: float(match["value"]) for match in figures if match}
    return Manner(**found) if len(found) == len(figures) else None


class Mind:
    """A picture in the mind of one who leads in a manner of his own.

    picture : what the side knows
    battle, side, own, known, missing : those of the picture
    axis : the facing in which the side advances, once it has been worked out
    line : its line infantry in good order, likewise
    """

    def __init__(self, picture: Picture, manner: Manner = MANNERS["steady"]) -> None:
        self.manner = manner
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
        """Whether these are the last turns."""
        return self.battle.state.turn > self.battle.setup.turns - _LAST

    @property
    def is_pressed(self) -> bool:
        """Whether these are the last turns, and the objective is not the side's yet."""
        return self.is_late and not self.has_objective

    @property
    def has_objective(self) -> bool:
        """Whether the objective, where there is one, is the side's, as far as it knows."""
        if self.battle.setup.sides[self.side].objective is None:
            return True
        return not self.contesting and bool(self._on_objective(self.own))

    @cached_property
    def contesting(self) -> list[int]:
        """The enemies that the side knows of on its objective."""
        return self._on_objective(self.known)

    @property
    def sought(self) -> list[int]:
        """Whom the side goes for: in the last turns those on its objective, where there are any."""
        return (self.contesting if self.is_pressed else []) or self.standing

    @cached_property
    def standing(self) -> list[int]:
        """The known enemies who do not run, or only over its objective; all where nobody else is.

        Who retreats or is routed is out of the fight unless he is rallied.
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
        """Whether the reserves are sent in.

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
        """What a unit is called."""
        return self.battle.setup.units[unit].name
