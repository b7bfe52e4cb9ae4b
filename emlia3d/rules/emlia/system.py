"""Emlia as a rule system: the interface through which a battle calls the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from shapely.geometry.base import BaseGeometry
from typing_extensions import override

from emlia3d.battle.changes import Append, Change, Pair, Set
from emlia3d.battle.commanders import ASKS_FOR_PLAN
from emlia3d.battle.questions.area import silent
from emlia3d.battle.system import System
from emlia3d.rulekit.commander.intents import intents_of
from emlia3d.rules.emlia import questions
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.basics.scale import metres_at
from emlia3d.rules.emlia.basics.victories import LEVELS
from emlia3d.rules.emlia.columns import COLUMNS
from emlia3d.rules.emlia.events import EVENTS
from emlia3d.rules.emlia.events.turn import StepBegun
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.parts import head_of, starting_morale
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import starting_speed
from emlia3d.rules.emlia.tables.morale import STATES
from emlia3d.rules.emlia.tables.terrain import EFFECTS
from emlia3d.rules.emlia.unit_sets import hire
from emlia3d.rules.emlia.unit_sets.strike import HazardModel, Strike
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.entries import Advice, Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import SightAnswer
    from emlia3d.battle.questions.area import Floats, Observer, PointVisibility, Progress
    from emlia3d.battle.questions.attacks import AttackRoll
    from emlia3d.battle.questions.highlights import Highlight
    from emlia3d.battle.questions.intents import Intent
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.options import Place
    from emlia3d.battle.questions.ranges import Range
    from emlia3d.battle.questions.report import Happening, Passage
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup, UnitSetup
    from emlia3d.rulekit.words import WordTable
    from emlia3d.rules.emlia.play.sight.side_picture import SidePicture

POSTURES = {"prone": ("posture", 1), "taking cover": ("taking_cover", 1)}
CONCEALED = "concealed"
"""A starting state: hidden from all enemies that do not see the unit without concealment."""


class Emlia(System):
    """The rule system."""

    name = "emlia"
    title = "Emlia"
    columns = COLUMNS
    events = EVENTS
    phases = (StepBegun,)
    numbers = HouseNumbers()
    entry_model = Entry
    strike_model = Strike
    harm_model = HazardModel
    terrain = tuple(EFFECTS)
    states = (*POSTURES, CONCEALED)
    levels = LEVELS
    commanders = ("doctrine", "doctrine:bold", "doctrine:cautious", "doctrine:steady", "plain")

    morale_scale = "; ".join(f"from {each.lowest} {each.name}" for each in STATES)

    @override
    @property
    def rows(self) -> Mapping[str, int]:
        return questions.ROWS

    @override
    @property
    def words(self) -> WordTable:
        return questions.WORDS

    @override
    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        return metres_at(scale)

    @override
    @property
    def army_model(self) -> type[BaseModel]:
        return questions.ArmyList

    @override
    def with_options(self, entry: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
        return hire.with_options(entry, options)

    @override
    def entries_of(self, army: BaseModel) -> set[str]:
        assert isinstance(army, questions.ArmyList)
        return army.named()

    @override
    def cost(self, force: Sequence[Hired], army: str) -> float:
        return questions.cost(force, army)

    @override
    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        assert isinstance(army, questions.ArmyList)
        return questions.army_faults(army, force)

    @override
    def advice(self, setup: Setup, purpose: str) -> list[Advice]:
        return questions.advice(setup, purpose)

    @override
    def bodies(self, setup: Setup, unit: UnitSetup) -> int:
        assert isinstance(setup.numbers, HouseNumbers)
        return setup.numbers.bodies if unit.muster.members > 1 else 1

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        changes: list[Change] = [Append(table="aim", row={}) for _ in setup.aims]
        for row, unit in enumerate(setup.units):
            if unit.muster.spare_for >= 0:
                continue
            assert isinstance(unit.entry, Entry)
            whole = [row, *(part for part, u in enumerate(setup.units) if u.muster.parent == row)]
            cells: list[tuple[str, float]] = [
                ("morale", starting_morale(setup, whole)),
                ("timing", unit.entry.timing or 0),
            ]
            if unit.entry.starting_speed:
                cells.append(("last_speed", starting_speed(unit.entry.starting_speed)))
            cells += [POSTURES[state] for state in unit.states if state in POSTURES]
            changes += [
                Set(table="unit", row=row, column=name, value=value) for name, value in cells
            ]
            if unit.arrives:
                changes.append(Set(table="unit", row=row, column="present", value=0))
            if CONCEALED in unit.states and unit.muster.parent < 0:
                changes += [
                    Pair(column="hidden", a=enemy, b=row, value=1)
                    for enemy, other in enumerate(setup.units)
                    if max(other.muster.parent, other.muster.spare_for) < 0
                    and setup.hostile(other.muster.side, unit.muster.side)
                ]
        return tuple(changes)

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        from emlia3d.rules.emlia.play.turn import timing  # noqa: PLC0415  to play only

        return timing.next_step(battle)

    @override
    def result(self, moment: Moment) -> Result | None:
        from emlia3d.rules.emlia.play.turn import objectives  # noqa: PLC0415  to play only

        return objectives.decided(moment) if moment.state.battle.value("ended", 0) else None

    @override
    def picture(self, moment: Moment, side: int) -> SidePicture:
        return questions.SidePicture(moment, side)

    @override
    def commander(self, name: str) -> Commander | None:
        """Return "doctrine", or "doctrine:bold" for its personality, or "plain", its forerunner."""
        from emlia3d.rules.emlia.commander.commander import LedByRulekit  # noqa: PLC0415  to play only
        from emlia3d.rules.emlia.doctrine.ai_context import doctrine_personality_of  # noqa: PLC0415
        from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine  # noqa: PLC0415

        kind, colon, words = name.partition(":")
        personality = doctrine_personality_of(words if colon else "steady")
        if personality is None:
            return None
        if kind == "doctrine":
            return LedByRulekit(personality)
        return Doctrine(personality) if kind == "plain" else None

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> SightAnswer:
        return questions.answer(
            moment, head_of(moment, observer), head_of(moment, target), damage, what_if
        )

    @override
    def sight_area(
        self,
        moment: Moment,
        post: Observer,
        spots: Floats,
        height: float,
        reverse: bool,
        progress: Progress = silent,
    ) -> PointVisibility:
        whole = post if post.unit is None else replace(post, unit=head_of(moment, post.unit))
        return questions.sight_area(moment, whole, spots, height, reverse, progress)

    @override
    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> SightAnswer:
        return questions.answer_abroad(self, facts, observer, target, damage)

    @override
    def taken_over(self, facts: BattleFacts) -> Moment:
        return questions.battle_abroad(self, facts)

    @override
    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        rows = head_of(battle, attacker), head_of(battle, target)
        return questions.odds(battle, *rows, action, weapon)

    @override
    def hidden_from(self, moment: Moment, side: int) -> tuple[int, ...]:
        return questions.unknown_to_side(moment, side)

    @override
    def pointed(self, moment: Moment, decision: Decision) -> tuple[str, ...]:
        return questions.pointed(moment, decision)

    @override
    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        if decision.asks == ASKS_FOR_PLAN:
            return questions.proposals(moment, decision)
        return questions.more(moment, decision)

    @override
    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        return questions.order_to(moment, decision, verb, place, facing)

    @override
    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
        return questions.reach_of(moment, decision, verb)

    @override
    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        return questions.odds_of(battle, order)

    @override
    def ranges(self, moment: Moment, unit: int) -> tuple[Range, ...]:
        return questions.ranges(moment, unit)

    @override
    def grounds(self, moment: Moment, unit: int) -> Iterator[BaseGeometry]:
        return questions.grounds(moment, head_of(moment, unit))

    @override
    def impassable(self, moment: Moment, unit: int | None) -> Sequence[BaseGeometry]:
        head = None if unit is None else head_of(moment, unit)
        return tuple(questions.impassable(moment, head))

    @override
    def height(self, moment: Moment, unit: int) -> float:
        return situation_of(moment).height(unit)

    @override
    def report(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        return questions.chronicle(battle, story, dice=dice)

    @override
    def highlights(self, setup: Setup, event: Event) -> tuple[Highlight, ...]:
        return questions.highlights(setup, event)

    @override
    def attack(self, setup: Setup, event: Event) -> AttackRoll | None:
        return questions.attack(setup, event)

    @override
    def morale(self, moment: Moment, unit: int) -> float | None:
        return float(moment.state.units.value("morale", unit))

    @override
    def contacts(self, moment: Moment) -> Sequence[tuple[int, int]]:
        return questions.contacts(moment)

    @override
    def is_aware(self, moment: Moment, observer: int, observed: int) -> bool:
        return questions.is_aware(moment, head_of(moment, observer), head_of(moment, observed))

    @override
    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        return questions.card(moment, unit)

    @override
    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        return intents_of(moment, side, brigades_of(moment, side), order)


SYSTEM = Emlia()
