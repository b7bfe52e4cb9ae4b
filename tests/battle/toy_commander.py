"""Tin as a system that the shared commander leads by plan: its events, questions and adapter.

`LedTin` asks for plans as a turn begins and heeds victory conditions. `TinSide` is its adapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import hypot

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import ASKS_FOR_PLAN, Commander, OpenPicture
from emlia3d.battle.decisions import Decision, Leg, Order, Procedure
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.result import Result
from emlia3d.battle.setup import VictoryCondition
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.force.formation import Formation, snapped
from emlia3d.rulekit.commander import plan_words
from emlia3d.rulekit.commander.adapter import Adapter, Attack
from emlia3d.rulekit.commander.asking import Ordered, Planned, ask_for_plans
from emlia3d.rulekit.commander.from_setup import brigades_by_section, outlook_of
from emlia3d.rulekit.commander.intents import intents_of
from emlia3d.rulekit.commander.led import Led
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.personality import PERSONALITIES, Personality, personality_of
from emlia3d.rulekit.commander.plan import Mission
from emlia3d.rulekit.commander.plan_record import COLUMNS, without_plans_of_others
from emlia3d.rulekit.commander.proposals import proposals
from emlia3d.rulekit.commander.slots import Slot
from emlia3d.rulekit.commander.unit_profile import UnitProfile, standing
from emlia3d.rulekit.words import WordTable
from tests.battle.toy_system import REACH, Tin
from tests.battle.toy_words import WORDS

LEVELS = ("minor victory", "victory", "major victory")

STEADY = PERSONALITIES["steady"]

SPEED = 8.0
"""GSU that a spring drives in a turn."""

_WEAR = 3.5
"""By how much a bump runs a spring down, on average."""

_RUNS = 3
"""Figures from which on a unit stands whatever it wishes."""

_NUDGE = 0.5
"""A move that is not made for its own sake, GSU."""


class LedTin(Tin):
    """Tin whose sides have plans, and whose victory conditions count."""

    columns = (*Tin.columns, *COLUMNS)
    events = (*Tin.events, Planned, Ordered)
    words = WordTable(
        events={**WORDS.events, **plan_words.EVENTS},
        orders={**WORDS.orders, **plan_words.ORDERS},
        questions={**WORDS.questions, **plan_words.QUESTIONS},
    )

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """A turn begins with its plans."""
        step = super().next_step(battle)
        done = battle.state.battle.value("next", 0) == len(battle.setup.units)
        if step is None or not (battle.state.turn == 0 or done):
            return step
        return _with_plans(battle, step)

    @override
    def result(self, moment: Moment) -> Result | None:
        """By the highest victory condition that is met, or else by who knocked more over."""
        by_score = super().result(moment)
        met = [aim for aim in moment.setup.aims if _is_met(moment, aim)]
        if by_score is None or not met:
            return by_score
        best = max(met, key=lambda aim: LEVELS.index(aim.level))
        return Result(winner=best.side, level=best.level, reason="Mother looks where they stand.")

    @override
    def picture(self, battle: Battle, side: int) -> OpenPicture:
        """Show all but the plans of others."""
        found = super().picture(battle, side)
        found.battle.suppose(without_plans_of_others(battle, side))
        return OpenPicture(found.battle, side)

    @override
    def commander(self, name: str) -> Commander | None:
        """The commander that knows no rules, with a personality: "doctrine:bold"."""
        kind, colon, rest = name.partition(":")
        personality = personality_of(rest if colon else "steady")
        if kind != "doctrine" or personality is None:
            return None
        return Led(partial(TinSide, personality=personality))

    @override
    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        if decision.asks != ASKS_FOR_PLAN:
            return []
        assert isinstance(moment, Battle)
        return proposals(TinSide(OpenPicture(moment, decision.side)))

    @override
    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        return intents_of(moment, side, brigades_of(moment, side), order)


def _with_plans(battle: Battle, step: Procedure[None]) -> Procedure[None]:
    yield from step
    if not battle.state.battle.value("over", 0):
        yield from ask_for_plans(battle, brigades_of)


def brigades_of(moment: Moment, side: int) -> tuple[Brigade, ...]:
    """The sections of a side."""
    return brigades_by_section(moment.setup, side)


def holders(moment: Moment, area: str) -> set[int]:
    """The sides that have a unit in an area."""
    outline, units = moment.setup.area(area), moment.state.units
    return {
        units.integer("side", row)
        for row in range(len(units))
        if outline_of(moment.setup, moment.state, row).intersects(outline)
    }


def _is_met(moment: Moment, aim: VictoryCondition) -> bool:
    mine = {moment.setup.side_of(aim.side)}
    return all(holders(moment, area) == mine for area in aim.controls)


def body_of(moment: Moment, unit: int) -> UnitProfile:
    """A unit as its commander sees it: a bump is its shot, and toys in ranks are its line."""
    in_ranks = moment.state.roster.drill(unit).formation is Formation.RANKED
    return standing(
        moment,
        unit,
        role="line" if in_ranks else "skirmish",
        speed=SPEED,
        reach=REACH,
        bands=(REACH,),
        worth=float(moment.state.units.value("members", unit)),
        is_fit=moment.state.units.integer("spring", unit) > 0,
        holds_formation=in_ranks,
    )


@dataclass(frozen=True, slots=True)
class _Toys:
    """Units that stand on the floor: dice that they bump with, figures, and tension."""

    dice: int
    left: int
    spring: int

    @classmethod
    def of(cls, moment: Moment, unit: int) -> _Toys:
        drill = moment.state.roster.drill(unit)
        left, spring = drill.count, moment.state.units.integer("spring", unit)
        return cls(min(drill.files, left), left, spring)

    @property
    def fells(self) -> float:
        """The figures that a bump of theirs fells: a third of its dice."""
        return self.dice / 3 if self.spring > 0 else 0.0

    def without(self, fallen: float) -> _Toys:
        """Return them when some have fallen; the rest of the front rank rolls its dice."""
        left = max(self.left - fallen, 0.0)
        return replace(self, dice=min(self.dice, round(left)), left=round(left))


class TinSide(Adapter):
    """One side of Tin, for the commander that knows no rules."""

    scale = 30 / SPEED

    def __init__(self, picture: OpenPicture, personality: Personality = STEADY) -> None:
        super().__init__(picture.battle, picture.side)
        self._personality = personality

    @property
    @override
    def brigades(self) -> tuple[Brigade, ...]:
        return brigades_of(self.moment, self.side)

    @override
    def see(self) -> Outlook:
        moment, there = self.moment, self.moment.state.units["present"]
        bodies = [body_of(moment, row) for row in range(len(there)) if there[row]]
        return outlook_of(
            moment, self.side, self.brigades, bodies, LEVELS, personality=self._personality
        )

    @override
    def answer(self, decision: Decision) -> Order | None:
        """Run from a bump if the bumps that the unit has left are not worth its figures."""
        if decision.asks != "tin.flee":
            return None
        assert decision.unit is not None
        toys = _Toys.of(self.moment, decision.unit)
        hopes = toys.fells * max(toys.spring, 0) / _WEAR
        runs = toys.left < _RUNS and hopes < self._personality.fear * toys.left
        verb = "flee" if runs else "stand"
        why = f"{hopes:.1f} could still fall by it, and {toys.left} of its own stand"
        return replace(decision.of(verb)[0], why=why)

    @override
    def attacks(self, decision: Decision) -> Iterator[Attack]:
        """A bump is worth the figures that it fells, and their answer."""
        assert decision.unit is not None
        felled = _Toys.of(self.moment, decision.unit).fells
        for order in decision.of("bump"):
            assert order.target is not None
            theirs = _Toys.of(self.moment, order.target)
            falls = min(felled, theirs.left)
            spared = theirs.fells - theirs.without(falls).fells
            name = self.moment.setup.units[order.target].name
            why = f"bumps {name}: {falls:.1f} should fall"
            yield Attack(order=replace(order, why=why), worth=falls + spared)

    @override
    def to_slot(self, decision: Decision, slot: Slot, why: str) -> Order | None:
        assert decision.unit is not None
        units = self.moment.state.units
        x, y = float(units.value("x", decision.unit)), float(units.value("y", decision.unit))
        away = hypot(slot.x - x, slot.y - y)
        if away < _NUDGE and units.value("facing", decision.unit) == slot.facing:
            return None
        # A little less than all, because places are on a grid.
        share = min((SPEED - 0.01) / max(away, 0.01), 1.0)
        leg = Leg(
            step="march",
            x=snapped(x + share * (slot.x - x)),
            y=snapped(y + share * (slot.y - y)),
            facing=slot.facing,
        )
        return Order(verb="march", unit=decision.unit, legs=(leg,), why=why)

    @override
    def to_post(self, decision: Decision, mission: Mission | None) -> Order | None:
        """A unit without a mission goes for the nearest enemy."""
        assert decision.unit is not None
        outlook = self.outlook
        own = outlook.by_unit[decision.unit]
        near = min(outlook.standing, key=lambda foe: (own.apart(foe), foe.unit), default=None)
        if mission is not None or near is None or outlook.holds:
            return None
        slot = Slot(near.x, near.y, own.facing, is_first=True)
        return self.to_slot(decision, slot, f"goes for {self.moment.setup.units[near.unit].name}")
