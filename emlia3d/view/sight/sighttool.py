"""The sight tool: observer and target, the picture and the text of the answer. No window.

It gets the rules' answers for the shown battle from a plain function.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.answer import CorridorAnswer, SightAnswer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.errors import Error
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.rules import ObserverSpec, Rules
from emlia3d.view.sight.ground_view import GroundVisibility, ViewshedQuery
from emlia3d.view.sight.sight_overlay import SightOverlay, sight_overlay_of
from emlia3d.view.sight.sightcard import SightCard, degree_of, rows_of, verdict_of

Role = Literal["observer", "target"]

FIRST = "Select the observer: click a unit, or press N and P, then Tab"
SECOND = "Select the target: click a unit, or press N and P"
GONE = "is not on the field at this moment"


Vantage = Literal["none", "unit", "pointer"]
"""The viewshed shown: none, the observer's, or that of a figure under the cursor."""

HEIGHTS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
"""Heights of the figure of the viewshed, height units; a tall person is 1."""

SEEN = ("seen", "seen in part", "hidden")


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """One answer: its overlay and its text.

    sight_overlay : of the answer; ground : the hidden ground, under it
    """

    sight_overlay: SightOverlay
    card: SightCard
    ground: Overlay | None = None


class SightTool:
    """The sight question of the viewer.

    active : whether it is in use
    observer, target : selected units by row; None for none
    picks : the role that is selected next
    vantage : the viewshed that is shown
    by_rules : whether the rules decide about it, or straight lines
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        self._setup = setup
        self._rules = rules
        self._outlook = GroundVisibility(setup, rules)
        self._answered: tuple[tuple[int, int | None, int | None, Role], Sight] | None = None
        self._kept: tuple[tuple[object, ...], Sight] | None = None
        self._height = HEIGHTS.index(1.0)
        self._pointer: tuple[float, float] | None = None
        self.vantage: Vantage = "none"
        self.by_rules = rules.system.can(System.sight_area)
        self.active = False
        self.observer: int | None = None
        self.target: int | None = None
        self.picks: Role = "observer"

    def open(self, chosen: int | None = None, target: int | None = None) -> None:
        """Open the tool with *chosen* as the observer."""
        self.active = True
        self.observer, self.target = chosen, target
        self.picks = "observer" if chosen is None else "target"

    def begin(self, observer: int, target: int | None) -> None:
        """Open the tool with a question; without a target, show the observer's viewshed."""
        self.open(observer, target)
        self.vantage = "unit" if target is None else "none"

    def settle(self, state: State, step: int) -> None:
        """Compute the viewshed at its final resolution."""
        lookout = self._lookout(state)
        if lookout is not None:
            self._outlook.settle(ViewshedQuery(lookout, HEIGHTS[self._height], step), state)

    def close(self) -> None:
        """Close the tool."""
        self.active = False
        self.observer = self.target = None

    def pick(self, unit: int | None) -> None:
        """Select a unit for the next role; ignore None."""
        if unit is None:
            return
        if self.picks == "observer":
            self.observer = unit
            self.target = None if self.target == unit else self.target
            self.picks = "target"
        elif unit != self.observer:
            self.target = unit

    def pick_next(self, state: State, by: int) -> None:
        """Select the next or previous unit on the field for the same role."""
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
        """Let the next click select the other unit: the target or the observer."""
        self.picks = "target" if self.picks == "observer" else "observer"

    def exchange(self) -> None:
        """Exchange observer and target."""
        if self.target is not None:
            self.observer, self.target = self.target, self.observer

    def forget(self) -> None:
        """Discard the results, because the course of the battle has changed."""
        self._answered = self._kept = None
        self._outlook = GroundVisibility(self._setup, self._rules)

    def next_vantage(self) -> None:
        """Show the viewshed of the observer, of a figure at the cursor, or none."""
        order: tuple[Vantage, ...] = ("none", "unit", "pointer")
        self.vantage = order[(order.index(self.vantage) + 1) % len(order)]

    def other_measure(self) -> None:
        """Switch the viewshed between straight lines and the rules."""
        self.by_rules = not self.by_rules and self._rules.system.can(System.sight_area)

    def taller(self, by: int) -> None:
        """Select a taller or lower figure for the viewshed."""
        self._height = min(max(self._height + by, 0), len(HEIGHTS) - 1)

    def point(self, place: tuple[float, float] | None) -> None:
        """Move the cursor to this point of the ground, GSU; None for none."""
        self._pointer = place

    def tick(self, dt: float, state: State, step: int) -> None:
        """Advance by *dt* seconds: compute or refine the viewshed."""
        lookout = self._lookout(state)
        if lookout is not None:
            self._outlook.tick(dt, ViewshedQuery(lookout, HEIGHTS[self._height], step), state)

    def look(self, state: State, step: int) -> Sight:
        """Return the picture and the text for the battle after a step."""
        asked = step, self.observer, self.target, self.picks
        if self._answered is None or self._answered[0] != asked:
            self._answered = asked, self._looked(state)
        sight = self._answered[1]
        outlook = self._outlook if self._lookout(state) is not None else None
        if outlook is None or outlook.levels is None:
            return sight
        here = None if self._pointer is None else outlook.level_at(self._pointer)
        key = sight, outlook.version, here, self.vantage, self.by_rules, self._height
        if self._kept is None or self._kept[0] != key:
            card = replace(sight.card, ground=self._ground_rows(outlook, here))
            self._kept = key, Sight(sight.sight_overlay, card, outlook.overlay())
        return self._kept[1]

    def _lookout(self, state: State) -> ObserverSpec | None:
        """Return the observer of the viewshed shown; None without one."""
        if not self.active or self.observer is None or self.vantage == "none":
            return None
        if self.vantage == "pointer" and self._pointer is not None:
            return ObserverSpec(None, self._pointer, by_rules=self.by_rules)
        if self.observer not in units_in_sight(state):
            return None
        return ObserverSpec(self.observer, by_rules=self.by_rules)

    def _ground_rows(
        self, outlook: GroundVisibility, here: int | None
    ) -> tuple[tuple[str, str], ...]:
        """Return the text about the viewshed."""
        at_pointer = self.vantage == "pointer" and self._pointer is not None
        rows = [
            ("ground seen from", "under the cursor" if at_pointer else "its position"),
            *zip(SEEN, map(percent, outlook.shares()), strict=True),
            ("height of a figure", f"{HEIGHTS[self._height]:g}"),
            ("method", "the rules" if self.by_rules else "straight lines"),
        ]
        if here is not None and not at_pointer:
            rows.append(("under the cursor", SEEN[here]))
        return tuple(rows)

    def _looked(self, state: State) -> Sight:
        try:
            answer = self._answer(state)
        except Error as flaw:
            return Sight(SightOverlay(), self._card(None, str(flaw)))
        if isinstance(answer, str):
            return Sight(SightOverlay(), self._card(None, answer))
        return Sight(sight_overlay_of(self._setup, state, answer), self._card(answer, ""))

    def _answer(self, state: State) -> SightAnswer | str:
        """Return the answer, or the reason for none."""
        here = units_in_sight(state)
        for unit in (self.observer, self.target):
            if unit is not None and unit not in here:
                return f"{self._setup.units[unit].name} {GONE}"
        if self.observer is None or self.target is None:
            return FIRST if self.picks == "observer" else SECOND
        return self._rules.system.sight(self._rules.at(state), self.observer, self.target, 0)

    def _card(self, answer: SightAnswer | None, note: str) -> SightCard:
        ends = [(self._name(unit), self._colour(unit)) for unit in (self.observer, self.target)]
        card = SightCard(observer=ends[0], target=ends[1], picks=self.picks, note=note)
        if answer is None:
            return card
        return replace(
            card,
            verdict=verdict_of(answer),
            degree=degree_of(answer),
            by_lines=not isinstance(answer, CorridorAnswer),
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
