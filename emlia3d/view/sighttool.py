"""The sight tool: who looks at whom, and what there is to see and to read of it. No window.

What the rules say it is handed as a plain function, and asks of the battle as it is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from emlia3d.battle.answer import Answer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.exhibit import Exhibit, exhibit_of
from emlia3d.view.scale import units_in_sight
from emlia3d.view.sightcard import SightCard, rows_of, verdict_of

Ask: TypeAlias = Callable[[int, int, State], Answer]
"""What one unit sees of another, by the rules, as the battle stands; Error where it has none."""

Role = Literal["observer", "target"]

FIRST = "Choose who looks: click a unit; or press N and P, then Tab"
SECOND = "Choose who is looked at: click a unit; or press N and P"
GONE = "is not on the field at this moment"
UNASKED = "There is nobody here who could answer by the rules"


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """One look: what is added to the scene, and what is told."""

    exhibit: Exhibit
    card: SightCard


class SightTool:
    """A question in the viewer's hand.

    active : whether it is in use
    observer, target : units by row, as far as they are chosen
    picks : which of the two is chosen next
    """

    def __init__(self, setup: Setup, ask: Ask | None) -> None:
        self._setup = setup
        self._ask = ask
        self._kept: tuple[tuple[int, int | None, int | None, Role], Sight] | None = None
        self.active = False
        self.observer: int | None = None
        self.target: int | None = None
        self.picks: Role = "observer"

    def open(self, chosen: int | None = None, target: int | None = None) -> None:
        """Take it up; *chosen* is the one who looks."""
        self.active = True
        self.observer, self.target = chosen, target
        self.picks = "observer" if chosen is None else "target"

    def close(self) -> None:
        """Put it away."""
        self.active = False
        self.observer = self.target = None

    def pick(self, unit: int | None) -> None:
        """Choose a unit for the role that is to be filled; nothing for no unit."""
        if unit is None:
            return
        if self.picks == "observer":
            self.observer = unit
            self.target = None if self.target == unit else self.target
            self.picks = "target"
        elif unit != self.observer:
            self.target = unit

    def pick_next(self, state: State, by: int) -> None:
        """Choose the next unit on the field, or the one before, for the same role."""
        role = self.picks
        now, other = self.observer, self.target
        if role == "target":
            now, other = other, now
        there = [unit for unit in units_in_sight(state) if unit != other or role == "observer"]
        there = there[:: 1 if by > 0 else -1]
        beyond = [unit for unit in there if now is None or (unit - now) * by > 0]
        self.pick(next(iter(beyond or there), None))
        self.picks = role

    def other_role(self) -> None:
        """Choose the other of the two next."""
        self.picks = "target" if self.picks == "observer" else "observer"

    def exchange(self) -> None:
        """Ask it the other way round."""
        if self.target is not None:
            self.observer, self.target = self.target, self.observer

    def look(self, state: State, step: int) -> Sight:
        """What there is to see and to read of the battle after a step."""
        key = step, self.observer, self.target, self.picks
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._looked(state)
        return self._kept[1]

    def _looked(self, state: State) -> Sight:
        try:
            answer = self._answer(state)
        except Error as flaw:
            return Sight(Exhibit(), self._card(None, str(flaw)))
        if isinstance(answer, str):
            return Sight(Exhibit(), self._card(None, answer))
        return Sight(exhibit_of(self._setup, state, answer), self._card(answer, ""))

    def _answer(self, state: State) -> Answer | str:
        """The answer, or why there is none."""
        here = units_in_sight(state)
        for unit in (self.observer, self.target):
            if unit is not None and unit not in here:
                return f"{self._setup.units[unit].name} {GONE}"
        if self.observer is None or self.target is None:
            return FIRST if self.picks == "observer" else SECOND
        if self._ask is None:
            return UNASKED
        return self._ask(self.observer, self.target, state)

    def _card(self, answer: Answer | None, note: str) -> SightCard:
        ends = [(self._name(unit), self._colour(unit)) for unit in (self.observer, self.target)]
        card = SightCard(observer=ends[0], target=ends[1], picks=self.picks, note=note)
        if answer is None:
            return card
        return replace(
            card,
            verdict=verdict_of(answer),
            degree=answer.concealment,
            rows=rows_of(answer, self._setup.field.scale),
            text=answer.text,
            because=answer.because,
        )

    def _name(self, unit: int | None) -> str:
        return "" if unit is None else self._setup.units[unit].name

    def _colour(self, unit: int | None) -> str:
        if unit is None:
            return "#808080"
        return self._setup.sides[self._setup.units[unit].muster.side].colour
