"""A unit's last action, its order and the reason: the lower half of its card."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession

MOST_STEPS_BACK = 400
"""Maximum number of steps that are searched for a unit's action."""

MOST_NAMED = 6

ENDING = "done"
"""The verb that ends a series of choices without an order."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A battle in a file.

    path : of the file; orders : each with the number of events before it
    """

    path: Path
    orders: tuple[tuple[int, Order], ...] = ()


class Deeds:
    """The actions of units in one battle; results are cached until another step is shown."""

    def __init__(self, setup: Setup, course: BattleSession, rules: Rules) -> None:
        self._setup = setup
        self._course = course
        self._rules = rules
        self._orders: tuple[tuple[int, Order], ...] = ()
        self._known: tuple[object, tuple[tuple[str, str], ...]] = None, ()

    def record(self, orders: tuple[tuple[int, Order], ...]) -> None:
        """Store orders of the battle."""
        self._orders = orders

    def rows(self, unit: int, words: Callable[[Event, State], str]) -> tuple[tuple[str, str], ...]:
        """Return a unit's last action, its order and reason, and known enemies: (label, value).

        words : returns an event as a sentence
        """
        asked = unit, self._course.step, self._course.version
        if self._known[0] != asked:
            self._known = asked, (*self._did(unit, words), *self._why(unit), *self._sees(unit))
        return self._known[1]

    def _sees(self, unit: int) -> tuple[tuple[str, str], ...]:
        """Return the enemies that a unit is aware of; empty for enemies of the viewer's side."""
        state, eyes = self._course.state, self._course.in_fog_of
        side, sides = state.units.integer("side", unit), state.units.ints("side")
        hidden = eyes is not None and self._setup.hostile(eyes, side)
        system = self._rules.system
        if not system.can(System.is_aware) or hidden or unit not in units_in_sight(state):
            return ()
        foes = [foe for foe in units_in_sight(state) if self._setup.hostile(side, int(sides[foe]))]
        moment = self._rules.at(state)
        seen = [self._setup.units[foe].name for foe in foes if system.is_aware(moment, unit, foe)]
        if not seen:
            return (("knows of", "no enemy"),)
        more = f" and {len(seen) - MOST_NAMED} more" if len(seen) > MOST_NAMED else ""
        return (("knows of", ", ".join(seen[:MOST_NAMED]) + more),)

    def _did(self, unit: int, words: Callable[[Event, State], str]) -> tuple[tuple[str, str], ...]:
        step, state = self._course.step, self._course.timeline.moment(self._course.step)
        for back in range(step, max(step - MOST_STEPS_BACK, 0), -1):
            events = self._course.timeline.events(back)
            for event in reversed(events):
                if unit not in event.actors or event.gesture == "none":
                    continue
                told = self._course.as_shown(back, event, words(event, state))
                if told:
                    return (("last", told.removeprefix(self._setup.units[unit].name).strip()),)
        return ()

    def _why(self, unit: int) -> tuple[tuple[str, str], ...]:
        """Return the last order to the unit; other sides' orders only in an open battle."""
        if self._course.in_fog_of is not None:
            return ()
        happened = self._course.timeline.count_at(self._course.step)
        at = bisect_left(self._orders, happened, key=lambda one: one[0])
        earlier = (order for _, order in reversed(self._orders[:at]) if order.verb != ENDING)
        given = next((order for order in earlier if unit in order.actors), None)
        if given is None:
            return ()
        rows = (("ordered to", given.verb.replace("-", " ")),)
        return (*rows, ("why", given.why)) if given.why else rows
