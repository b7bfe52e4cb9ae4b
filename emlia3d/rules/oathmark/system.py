"""Oathmark as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, Set
from emlia3d.battle.commanders import ASKS_FOR_PLAN, Commander, OpenPicture
from emlia3d.battle.entries import Advice, Fault
from emlia3d.battle.questions.area import silent
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.field.terrain import KINDS
from emlia3d.force.formation import front_of
from emlia3d.rulekit.armies import ListedArmies
from emlia3d.rulekit.commander import plan_record
from emlia3d.rulekit.commander.intents import intents_of
from emlia3d.rulekit.commander.led import Led
from emlia3d.rulekit.commander.personality import personality_of
from emlia3d.rulekit.commander.proposals import proposals as plans
from emlia3d.rulekit.commander.search import Search
from emlia3d.rules.oathmark import answers, odds, pointing
from emlia3d.rules.oathmark.blocks import Block, Spot, entry_of, last_rank
from emlia3d.rules.oathmark.brigades import brigades_of
from emlia3d.rules.oathmark.columns import COLUMNS
from emlia3d.rules.oathmark.combat import chances_of_hits
from emlia3d.rules.oathmark.commander import OathmarkSide
from emlia3d.rules.oathmark.core import INCH
from emlia3d.rules.oathmark.events import EVENTS, Fought, Shot
from emlia3d.rules.oathmark.terrain import BOOK, OWN, terrain_of
from emlia3d.rules.oathmark.trials import near_end, proposals, worth_of
from emlia3d.rules.oathmark.turn import is_in_strip, next_step, result_of
from emlia3d.rules.oathmark.unit_set import Entry, force_cost
from emlia3d.rules.oathmark.words import WORDS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import Answer
    from emlia3d.battle.questions.area import Floats, Observer, PointVisibility, Progress
    from emlia3d.battle.questions.intents import Intent
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.ranges import Range
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup


TRIES = 4
"""Trials of each order that the commander "search" compares."""


class Oathmark(ListedArmies):
    """The rule system."""

    name = "oathmark"
    title = "Oathmark"
    entry_model = Entry
    columns = COLUMNS
    events = EVENTS
    words = WORDS
    rehearses = True
    commanders = ("doctrine", "search")
    terrain = tuple(kind for kind in BOOK if kind in KINDS)
    own_terrain = OWN

    @override
    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        if scale.get("name") == "millimetres":
            return answers.MILLIMETRE_M
        raise ValueError('scale: expected "millimetres"')

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        if len(setup.sides) != 2:
            yield Fault(message=f"side: expected 2 sides, got {len(setup.sides)}", at=("side",))
        for row, unit in enumerate(setup.units):
            entry, members = entry_of(setup, row), unit.muster.members
            most = 1 if entry.is_one or entry.crew else entry.maximum
            if members > most:
                message = f"members: expected {most} at most, got {members}"
                yield Fault(message=message, at=("unit", row, "members"))

    @override
    def advice(self, setup: Setup, purpose: str) -> Sequence[Advice]:
        found = []
        for row, unit in enumerate(setup.units):
            edge = setup.lines_of(row)
            corners = [(x, y) for x, y, *_ in unit.starts_in.exterior.coords]
            if isinstance(edge, str) and not is_in_strip(corners, edge, setup.field.size):
                told = f"it starts farther than 9 inches from the {edge} edge"
                about = ("unit", unit.name)
                found.append(Advice(slug="oathmark.battle.table", told=told, about=about))
        return found

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        changes: list[Change] = []
        first = 0
        for row, unit in enumerate(setup.units):
            muster, crew = unit.muster, entry_of(setup, row).crew
            if crew:
                changes.append(Set(table="unit", row=row, column="crew", value=crew))
            figures = range(first, first + muster.members)
            first += muster.members
            x, y = front_of(muster.drill, *muster.at, muster.facing)
            drill = muster.drill
            block = Block(x, y, muster.facing, drill.count, drill.files, drill.width, drill.depth)
            changes += last_rank(row, block, figures)
        return tuple(changes)

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        return next_step(battle)

    @override
    def result(self, moment: Moment) -> Result | None:
        return result_of(moment) if moment.state.battle.value("ended", 0) else None

    @override
    def picture(self, battle: Battle, side: int) -> OpenPicture:
        picture = super().picture(battle, side)
        picture.battle.suppose(plan_record.without_plans_of_others(battle, side))
        return OpenPicture(picture.battle, side)

    @override
    def commander(self, name: str) -> Commander | None:
        kind, colon, rest = name.partition(":")
        personality = personality_of(rest if colon else "steady")
        if kind not in self.commanders or personality is None:
            return None
        doctrine = Led(lambda picture: OathmarkSide(picture.battle, picture.side, personality))
        if kind == "doctrine":
            return doctrine
        return Search(doctrine, proposals, tries=TRIES, until=near_end)

    @override
    def worth(self, moment: Moment, side: int) -> float:
        return worth_of(moment, side)

    @override
    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        if decision.asks != ASKS_FOR_PLAN:
            return []
        return plans(OathmarkSide(moment, decision.side))

    @override
    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        return intents_of(moment, side, brigades_of(moment, side), order)

    @override
    def pointed(self, moment: Moment, decision: Decision) -> tuple[str, ...]:
        return pointing.pointed(decision)

    @override
    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Spot, facing: int | None
    ) -> Order | None:
        return pointing.order_to(decision, verb, place, facing)

    @override
    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Spot, ...]:
        return pointing.reach_corners(decision, verb)

    @override
    def impassable(self, moment: Moment, unit: int | None) -> Sequence[BaseGeometry]:
        return terrain_of(moment).closed

    @override
    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        entry = entry_of(moment.setup, unit)
        abilities = ", ".join(f"{name} ({level})" for name, level in entry.abilities.items())
        return (
            *super().card(moment, unit),
            ("values", entry.stats),
            *((("weapon", entry.weapon),) if entry.weapon else ()),
            *((("abilities", abilities),) if abilities else ()),
        )

    @override
    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        own = entry_of(battle.setup, attacker).weapon
        if action not in {None, "attack", "shoot"} or weapon not in {None, own}:
            raise Error(f'{self.title} has the actions "attack" and "shoot", the latter with {own}')
        shoots = action == "shoot" or (action is None and own is not None)
        answer = odds.odds_of_shot if shoots else odds.odds_of_attack
        return answer(battle, self.name, attacker, target)

    @override
    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        if order.unit is None or order.target is None or order.verb not in {"attack", "shoot"}:
            return None
        return self.odds(battle, order.unit, order.target, order.verb)

    @override
    def height(self, moment: Moment, unit: int) -> float:
        entry = entry_of(moment.setup, unit)
        scale = moment.setup.field.scale
        return entry.height * INCH * scale.metres_per_gsu / scale.metres_per_height

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> Answer:
        return answers.answer(moment, self.name, observer, target)

    @override
    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> Answer:
        return answers.answer(answers.abroad(self, facts), self.name, observer, target)

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
        return answers.sight_area(moment, post, spots, reverse, progress)

    @override
    def ranges(self, moment: Moment, unit: int) -> tuple[Range, ...]:
        return answers.ranges_of(moment, unit)

    @override
    def cost(self, force: Sequence[Hired], army: str) -> float:
        return force_cost(force)

    @override
    def attack(self, setup: Setup, event: Event) -> AttackRoll | None:
        if not isinstance(event.facts, Fought | Shot):
            return None
        return rolled_attack(event, chances_of_hits(event.facts.target_number))

    @override
    def morale(self, moment: Moment, unit: int) -> float | None:
        """Return 1 for a unit in order, 0 if it is disordered."""
        return 1.0 - moment.state.units.integer("disordered", unit)
