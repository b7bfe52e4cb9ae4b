"""The question for a side's plan as a turn begins, and the plans that are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.commanders import ASKS_FOR_PLAN, NO_PLAN, PLAN
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event, Facts
from emlia3d.errors import near, quoted
from emlia3d.rulekit.commander.plan import Mission, Plan, from_words
from emlia3d.rulekit.commander.record import places_of, planned
from emlia3d.rulekit.english import listed

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

MOST_WORDS = 100_000
"""Letters of a plan; longer ones are refused before they are read."""

FEWEST = 6
"""Units on the field from which a side is asked for a plan; with fewer each acts for itself."""

_FAR = 2.0
"""Widths of the field beyond which no line may be."""

Brigades = Callable[["Moment", int], tuple[str, ...]]
"""Names of a side's brigades, by number."""


class Planned(Facts, frozen=True, kw_only=True):
    """A side has made a plan.

    side : its name
    plan : what the plan is called
    missions : what each brigade is to do, in words
    """

    side: str
    plan: str
    missions: tuple[str, ...]


class PlanReach:
    """Every plan that a side may make."""

    def __init__(self, moment: Moment, side: int, brigades: Brigades) -> None:
        self._moment, self._side, self._brigades = moment, side, brigades

    def known(self, moment: Moment) -> PlanReach:
        """Return the same for the battle as the side knows it."""
        return PlanReach(moment, self._side, self._brigades)

    def refusal(self, order: Order) -> Refusal | None:
        """Return why a plan is refused; None if it may be made."""
        if order.verb != PLAN:
            return Refusal(ASKS_FOR_PLAN, "that is no plan")
        if len(order.words) > MOST_WORDS:
            return Refusal(ASKS_FOR_PLAN, f"a plan has at most {MOST_WORDS} letters")
        try:
            plan = from_words(order.words)
        except ValueError as error:
            return Refusal(ASKS_FOR_PLAN, str(error))
        flaw = _flaw(self._moment, self._side, plan, self._brigades(self._moment, self._side))
        return None if flaw is None else Refusal(ASKS_FOR_PLAN, flaw)


def _flaw(moment: Moment, side: int, plan: Plan, brigades: Sequence[str]) -> str | None:
    """Return what is wrong with a plan; None if nothing is."""
    seen = set[int]()
    for mission in plan.missions:
        flaw = next(_flaws(moment, side, mission, brigades), None)
        twice = len(set(mission.units)) < len(mission.units) or seen.intersection(mission.units)
        seen.update(mission.units)
        if flaw is None and twice:
            flaw = "a unit is in the plan twice"
        if flaw is not None:
            return f"mission of {quoted(mission.brigade)}: {flaw}"
    return None


def _flaws(moment: Moment, side: int, mission: Mission, brigades: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with a mission."""
    setup, sides, places = moment.setup, moment.state.units.ints("side"), places_of(moment)
    if mission.brigade not in brigades:
        yield f"there is no such brigade{_meant(mission.brigade, brigades)}"
    if not mission.units:
        yield "the brigade has no units"
    rows = range(len(sides))
    if any(one not in rows or sides[one] != side for one in mission.units):
        yield "it has a unit that is not of its side"
    numbers = [number for end in mission.line for number in end]
    if not all(map(isfinite, (*numbers, mission.limit))) or mission.limit < 0:
        yield "its line and its limit need finite numbers, the limit 0 or more"
    if mission.line[0] == mission.line[1]:
        yield "its line has no length"
    if any(
        abs(x) > _FAR * setup.field.size[0] or abs(y) > _FAR * setup.field.size[1]
        for x, y in mission.line
    ):
        yield "its line is far off the field"
    foe = mission.target
    if foe is not None and (foe not in rows or not setup.hostile(side, int(sides[foe]))):
        yield "its target is no enemy"
    if mission.area and mission.area not in places:
        yield f"there is no place {quoted(mission.area)}{_meant(mission.area, places)}"


def _meant(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence that suggests the nearest of *known*; "" if none is near."""
    name = near(word, known)
    return f"; did you mean {quoted(name)}?" if name else ""


def ask_for_plans(battle: Battle, brigades: Brigades) -> Procedure[None]:
    """Ask each side for its plan, one after another, if it has units enough for one."""
    units = battle.state.units
    leads = (units["present"] != 0) & (units.ints("parent") < 0)
    sides, counts = np.unique(units.ints("side")[leads], return_counts=True)
    for side in sides[counts >= FEWEST].tolist():
        order = yield Decision(
            side=side,
            asks=ASKS_FOR_PLAN,
            options=(Order(verb=NO_PLAN),),
            reach=PlanReach(battle, side, brigades),
        )
        if order.verb == PLAN:
            yield _made(battle, side, from_words(order.words), brigades(battle, side))


def _made(moment: Moment, side: int, plan: Plan, brigades: tuple[str, ...]) -> Event:
    """Return the event that makes a plan stand."""
    return Event(
        facts=Planned(
            side=moment.setup.sides[side].name,
            plan=plan.name,
            missions=tuple(in_words(moment, each) for each in plan.missions),
        ),
        changes=planned(moment, side, plan, brigades),
    )


def told_plan(facts: Planned) -> str:
    """Return a plan as a sentence of a report."""
    return f"{facts.side} plans to {facts.plan}: {listed(facts.missions)}"


_VERBS = {
    "hold": "holds",
    "attack": "attacks",
    "support": "supports the attack",
    "pin": "pins",
    "flank": "goes round the flank of",
    "pursue": "pursues",
    "screen": "covers the flank",
    "reserve": "is in reserve",
    "withdraw": "withdraws",
}


def in_words(moment: Moment, mission: Mission) -> str:
    """Return a mission in words, with the name of the brigade."""
    return f"the {mission.brigade} {purpose(moment, mission)}"


def purpose(moment: Moment, mission: Mission) -> str:
    """Return what a mission is, in words that follow the name of the brigade."""
    aims = []
    if mission.kind in {"hold", "attack", "pin", "flank", "pursue"}:
        if mission.target is not None:
            aims.append(moment.setup.units[mission.target].name)
        elif mission.area:
            aims.append(f"the {mission.area}")
        else:
            aims.append("its place" if mission.kind == "hold" else "the enemy")
    return " ".join([_VERBS[mission.kind], listed(aims)]) if aims else _VERBS[mission.kind]
