"""The question for a side's plan at the start of a turn, and the validation of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION, NO_PLAN, PLAN
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event, Facts
from emlia3d.errors import Error, quoted, suggestion
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder, order_from_words, to_words
from emlia3d.rulekit.commander.outlook import Brigade
from emlia3d.rulekit.commander.plan import Mission, Plan, from_words
from emlia3d.rulekit.commander.plan_record import ordered, places_of, planned
from emlia3d.rulekit.english import agreed, articled, body, is_plural, listed, unit_named

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

MOST_WORDS = 100_000
"""Maximum length of a plan, characters; longer plans are refused before they are parsed."""

FEWEST = 6
"""Minimum number of units on the field for which a side is asked for a plan."""

_FAR = 2.0
"""Maximum distance of a line from the field, in widths of the field."""

Brigades = Callable[["Moment", int], tuple[Brigade, ...]]
"""A side's brigades, by number."""


class Planned(Facts, frozen=True, kw_only=True):
    """A side has made a plan.

    side : its name
    plan : its name
    missions : the mission of each brigade, in words
    """

    side: str
    plan: str
    missions: tuple[str, ...]

    @override
    def are_known_to(self, side: str) -> bool:
        return side == self.side


class Ordered(Facts, frozen=True, kw_only=True):
    """A player has given a brigade a mission.

    side : the name of its side
    mission : the brigade and its mission, in words
    """

    side: str
    mission: str

    @override
    def are_known_to(self, side: str) -> bool:
        return side == self.side


class PlanValidator:
    """Validator of plans: it accepts every plan that a side can make."""

    def __init__(self, moment: Moment, side: int, brigades: Brigades) -> None:
        self._moment, self._side, self._brigades = moment, side, brigades

    def for_moment(self, moment: Moment) -> PlanValidator:
        """Return the validator for the battle as the side knows it."""
        return PlanValidator(moment, self._side, self._brigades)

    def refusal(self, order: Order) -> Refusal | None:
        """Return why a plan or a mission is refused; None if it is legal."""
        has_words_alone = order == Order(verb=order.verb, words=order.words)
        if order.verb == MISSION and has_words_alone:
            try:
                self.brigade_order(order)
            except Error as error:
                return Refusal(ASKS_FOR_PLAN, str(error))
            return None
        if order.verb != PLAN or not has_words_alone:
            return Refusal(ASKS_FOR_PLAN, "an answer is a plan or a mission in words, alone")
        if len(order.words) > MOST_WORDS:
            return Refusal(ASKS_FOR_PLAN, f"a plan has at most {MOST_WORDS} letters")
        try:
            plan = from_words(order.words)
        except ValueError as error:
            return Refusal(ASKS_FOR_PLAN, str(error))
        names = [each.name for each in self._brigades(self._moment, self._side)]
        flaw = _flaw(self._moment, self._side, plan, names)
        return None if flaw is None else Refusal(ASKS_FOR_PLAN, flaw)

    def brigade_order(self, order: Order) -> BrigadeOrder:
        """Return the mission in an order; raise Error with the reason if there is none."""
        if len(order.words) > MOST_WORDS:
            raise Error(f"a mission has at most {MOST_WORDS} letters")
        moment, units = self._moment, self._moment.state.units
        brigades = {each.name: each.units for each in self._brigades(moment, self._side)}
        present = [row for row in range(len(units)) if units.value("present", row)]
        # An enemy that the side does not know of must not make a short name ambiguous.
        hidden = moment.system.hidden_from(moment, self._side)
        enemies = {
            moment.setup.units[row].name: row
            for row in present
            if moment.setup.hostile(self._side, units.integer("side", row)) and row not in hidden
        }
        given = order_from_words(order.words, tuple(brigades), places_of(moment), enemies)
        rows = brigades[given.brigade]
        if not any(moment.setup.deployed_as(row) in rows for row in present):
            raise Error(f"{given.brigade} has no units on the field")
        return given


def _flaw(moment: Moment, side: int, plan: Plan, brigades: Sequence[str]) -> str | None:
    """Return the first fault of a plan; None if it has none."""
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
    """Yield the faults of a mission."""
    setup, sides, places = moment.setup, moment.state.units.ints("side"), places_of(moment)
    if mission.brigade not in brigades:
        yield f"there is no such brigade{suggestion(mission.brigade, brigades)}"
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
        yield f"there is no place {quoted(mission.area)}{suggestion(mission.area, places)}"


def ask_for_plans(battle: Battle, brigades: Brigades) -> Procedure[None]:
    """Ask each side that has enough units for its plan, one side after another."""
    units = battle.state.units
    leads = (units["present"] != 0) & (units.ints("parent") < 0)
    sides, counts = np.unique(units.ints("side")[leads], return_counts=True)
    for side in sides[counts >= FEWEST].tolist():
        validator = PlanValidator(battle, side, brigades)
        names = tuple(each.name for each in brigades(battle, side))
        answer = MISSION
        while answer == MISSION:
            order = yield Decision(
                side=side, asks=ASKS_FOR_PLAN, options=(Order(verb=NO_PLAN),), validator=validator
            )
            answer = order.verb
            if answer == MISSION:
                yield _given(battle, side, validator.brigade_order(order), names)
            elif answer == PLAN:
                yield _made(battle, side, from_words(order.words), names)


def _given(moment: Moment, side: int, order: BrigadeOrder, names: tuple[str, ...]) -> Event:
    """Return the event that records a player's mission for a brigade."""
    return Event(
        facts=Ordered(
            side=moment.setup.sides[side].name,
            mission=to_words(order, [unit.name for unit in moment.setup.units]),
        ),
        changes=ordered(moment, side, order, names),
    )


def _made(moment: Moment, side: int, plan: Plan, brigades: tuple[str, ...]) -> Event:
    """Return the event that records a plan."""
    return Event(
        facts=Planned(
            side=moment.setup.sides[side].name,
            plan=plan.name,
            missions=told_missions(moment, plan.missions),
        ),
        changes=planned(moment, side, plan, brigades),
    )


def told_plan(facts: Planned) -> str:
    """Return a plan as a sentence of a report."""
    missions = f": {'; '.join(facts.missions)}" if facts.missions else ""
    return f"{side_does(facts.side, '<plans> to')} {facts.plan}{missions}"


def told_order(facts: Ordered) -> str:
    """Return a player's order as a sentence of a report."""
    return f"{side_does(facts.side, '<gives>')} a mission. {facts.mission}"


def side_does(side: str, words: str) -> str:
    """Return the beginning of a sentence about a side, with its verb, which is marked <thus>."""
    return agreed(f"{_begun(side)} {words}", many=is_plural(side))


def _begun(side: str) -> str:
    """Return a side at the beginning of a sentence: The Southern brigade, but Harrow."""
    generic = " " in side and side.rsplit(maxsplit=1)[-1].islower()
    return f"The {side}" if generic and side == articled(side) else side


_VERBS = {
    "hold": "<holds>",
    "attack": "<attacks>",
    "support": "<supports>",
    "pin": "<pins>",
    "flank": "<moves> around the flank of",
    "pursue": "<pursues>",
    "screen": "<covers> the flank",
    "reserve": "<is> in reserve",
    "withdraw": "<withdraws>",
    "assault": "<assaults>",
}
"""Verbs by kind of mission; words marked <thus> take the number of the brigade's name."""


def told_missions(moment: Moment, missions: Sequence[Mission]) -> tuple[str, ...]:
    """Return the missions in words, one text for each brigade."""
    brigades = dict.fromkeys(each.brigade for each in missions)
    return tuple(
        f"{body(brigade)} {_purposes(moment, [m for m in missions if m.brigade == brigade])}"
        for brigade in brigades
    )


def _purposes(moment: Moment, missions: Sequence[Mission]) -> str:
    """Return the missions of one brigade in words; missions of one kind share a verb."""
    aims = dict[str, dict[str, None]]()
    for each in missions:
        aims.setdefault(_VERBS[each.kind], {})[_aim(moment, each)] = None
    told = listed(f"{verb} {listed(of_verb)}".rstrip() for verb, of_verb in aims.items())
    return agreed(told, many=is_plural(missions[0].brigade))


def in_words(moment: Moment, mission: Mission) -> str:
    """Return a mission in words, with the name of the brigade."""
    return f"{body(mission.brigade)} {purpose(moment, mission)}"


def purpose(moment: Moment, mission: Mission) -> str:
    """Return a mission in words that follow the name of the brigade."""
    return _purposes(moment, [mission])


def _aim(moment: Moment, mission: Mission) -> str:
    """Return the object of a mission's verb; "" for a kind without one."""
    if mission.kind in {"screen", "reserve", "withdraw"}:
        return ""
    if mission.kind == "hold" and mission.target is not None and not mission.area:
        return f"<its> ground against {unit_named(moment.setup.units[mission.target])}"
    if mission.target is not None and mission.kind != "hold":
        aim = unit_named(moment.setup.units[mission.target])
    elif mission.area:
        aim = articled(mission.area)
    else:
        aim = {"hold": "<its> position", "support": "the line"}.get(mission.kind, "the enemy")
    if mission.kind == "support" and (mission.area or mission.target is not None):
        aim = f"the attack on {aim}"
    return aim
