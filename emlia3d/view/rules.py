"""The rules of a battle that is looked at, asked about any moment of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from emlia3d.battle.battle import Battle
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.plain_geometry.geometric_viewshed import geometric_viewshed
from emlia3d.battle.questions.area import Floats, Levels, Observer, silent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State


@dataclass(frozen=True, slots=True)
class ObserverSpec:
    """The observer of a viewshed, and how its sight is computed.

    unit : by row, from where it stands; None for a figure at *place*, GSU
    by_rules : by the rules of the battle, or else by straight lines past ground and bodies
    """

    unit: int | None
    place: tuple[float, float] = (0.0, 0.0)
    by_rules: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """A rule to read.

    title : its name in words; paragraphs : our own summary
    rows : (label, value): its figures and its place in the book
    """

    title: str
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]


RuleBook: TypeAlias = Callable[[str], RulePage | None]
"""Looks a rule up by its slug; None for a slug without an entry."""


class Rules:
    """A rule system, and the moment of a battle that it is asked about.

    The moment is not the one that the battle has come to: any state of it may be looked at, as it
    is or as one side knows it. What follows from a state is kept from one question to the next.

    system : to be asked about `at` a state
    rulebook : looks a rule up; None without one
    """

    def __init__(self, battle: Battle, rulebook: RuleBook | None = None) -> None:
        self.rulebook = rulebook
        self.setup, self.system = battle.setup, battle.system
        self._true = battle.fork()
        self._seen = self._true
        self._side: int | None = None

    @classmethod
    def unknown(cls, setup: Setup) -> Rules:
        """Return such as answer everything by default, for a battle without a rule system."""
        return cls(Battle(setup, NoRules(), seed=0))

    def at(self, state: State) -> Battle:
        """Return the battle with this state, which is of the kind that is looked through."""
        self._seen.state = state
        return self._seen

    def truly_at(self, state: State) -> Battle:
        """Return the battle with this state, which must be a true one, not what a side knows."""
        self._true.state = state
        return self._true

    def look_through(self, side: int | None) -> None:
        """Ask about states that a side knows from now on, or with None about true ones.

        Also to be called when the battle takes another course than before.
        """
        self._side, self._seen = side, self._true

    def known(self, side: int, state: State) -> State:
        """Return what a side knows of the battle in a true state, as a state of its own."""
        picture = self.system.picture(self.truly_at(state), side).battle
        if self._side == side and self._seen.setup is not picture.setup:
            self._seen = picture.fork()
        return picture.state.copy()

    def seen_by(self, lookout: ObserverSpec, spots: Floats, height: float, state: State) -> Levels:
        """Return how much of a figure at each place is concealed from a lookout.

        spots : (n, 2) float64, GSU
        height : of the figure, height units

        Returns (n,) uint8: 0 for nothing, 1 for a part, 2 for all of it.
        """
        shown = self.at(state)
        post = Observer(name="lookout", unit=lookout.unit, place=lookout.place)
        if lookout.by_rules:
            return self.system.sight_area(shown, post, spots, height, reverse=False).levels
        return geometric_viewshed(shown, height, reverse=False)(post, spots, silent).levels
