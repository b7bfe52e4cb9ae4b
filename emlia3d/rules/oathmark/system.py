"""Oathmark as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, set_cells
from emlia3d.battle.entries import Advice, Fault
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.force.formation import front_of
from emlia3d.rulekit.commander.search import Search
from emlia3d.rulekit.led_system import LedSystem
from emlia3d.rulekit.two_sided import TwoSidedSystem
from emlia3d.rules.oathmark import answers, odds, pointing, turn
from emlia3d.rules.oathmark.battle_frame import TURNS, is_in_strip
from emlia3d.rules.oathmark.blocks import Block, Spot, entry_of, last_rank
from emlia3d.rules.oathmark.columns import COLUMNS
from emlia3d.rules.oathmark.combat import chances_of_hits
from emlia3d.rules.oathmark.commander import OathmarkSide, near_end, proposals, worth_of
from emlia3d.rules.oathmark.core import INCH
from emlia3d.rules.oathmark.events import EVENTS, Fought, Shot
from emlia3d.rules.oathmark.terrain import BOOK, OWN, terrain_of
from emlia3d.rules.oathmark.unit_set import Entry, HouseRules, force_cost
from emlia3d.rules.oathmark.words import WORDS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.setup import Setup


TRIES = 4
"""Number of trials of each order for the commander "search"."""


class Oathmark(LedSystem, TwoSidedSystem):
    """The rule system."""

    name = "oathmark"
    title = "Oathmark"
    entry_model = Entry
    numbers = HouseRules()
    columns = COLUMNS
    events = EVENTS
    words = WORDS
    turns = TURNS
    deploys = True
    rehearses = True
    morale_scale = "1 in order, 0 disordered"
    commanders = ("doctrine", "search")
    scales: ClassVar[Mapping[str, float]] = {"millimetres": answers.MILLIMETRE_M}
    adapter = OathmarkSide
    next_step = staticmethod(turn.next_step)
    outcome = staticmethod(turn.result_of)
    worth = staticmethod(worth_of)
    line_of_sight = staticmethod(answers.answer)
    sight_area = staticmethod(answers.sight_area)
    ranges = staticmethod(answers.ranges_of)
    terrain = BOOK.shared
    own_terrain = OWN

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        yield from super().faults(setup)
        for row, unit in enumerate(setup.units):
            entry, members = entry_of(setup, row), unit.muster.members
            if not unit.placed and not isinstance(setup.lines_of(row), str):
                yield Fault(message="lines: expected an edge of the field", at=("unit", row))
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
            if not unit.placed or not isinstance(edge, str):
                continue
            if not is_in_strip(corners, edge, setup.field.size):
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
                changes += set_cells("unit", row, crew=crew)
            figures = range(first, first + muster.members)
            first += muster.members
            x, y = front_of(muster.drill, *muster.at, muster.facing)
            drill = muster.drill
            block = Block(x, y, muster.facing, drill.count, drill.files, drill.width, drill.depth)
            if unit.placed:
                changes += last_rank(row, block, figures)
            else:
                changes += set_cells("unit", row, waits=1)
        return tuple(changes)

    @override
    def search(self, doctrine: Commander) -> Commander:
        return Search(doctrine, proposals, tries=TRIES, until=near_end)

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
        return answer(battle, attacker, target)

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
    def taken_over(self, facts: BattleFacts) -> Moment:
        return answers.abroad(self, facts)

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
        """Return 1 for a unit in order, 0 for a disordered one."""
        return 1.0 - moment.state.units.integer("disordered", unit)
