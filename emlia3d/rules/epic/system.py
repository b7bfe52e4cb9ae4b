"""Epic as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from emlia3d.battle.entries import Fault
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.field.hexes import board_of
from emlia3d.force.facing import facing_towards, turn_between
from emlia3d.rulekit.commander.search import Search
from emlia3d.rulekit.two_sided import TwoSidedSystem
from emlia3d.rules.epic import answers, turn
from emlia3d.rules.epic.actions import action_named, declarable
from emlia3d.rules.epic.columns import COLUMNS
from emlia3d.rules.epic.commander.doctrine import DOCTRINE, proposals
from emlia3d.rules.epic.commander.weighing import standing
from emlia3d.rules.epic.core import chance
from emlia3d.rules.epic.events import (
    EVENTS,
    ActionPhaseBegan,
    EndPhaseBegan,
    Fired,
)
from emlia3d.rules.epic.formations import (
    changes_of_capacity,
    is_in_cohesion,
)
from emlia3d.rules.epic.movement import FACINGS, MoveEnds
from emlia3d.rules.epic.overwatch import overwatch_modifier
from emlia3d.rules.epic.report import paragraphs
from emlia3d.rules.epic.terrain import BOOK, OWN, terrain_on
from emlia3d.rules.epic.transport.carrying import (
    carried_at_start,
    changes_of_carrying,
    faults_of_carrying,
)
from emlia3d.rules.epic.unit_set import (
    Entry,
    GameTable,
    Options,
    SideGameTable,
    entry_of,
    force_cost,
    formation_of,
    game_of,
)
from emlia3d.rules.epic.victory import ROUNDS, objectives_at, result_of
from emlia3d.rules.epic.words import WORDS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Decision, Order, OrderValidator
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.options import Place
    from emlia3d.battle.setup import Setup


TRIES = 2
"""Trials of each order that the commander "search" compares."""


class Epic(TwoSidedSystem):
    """The rule system."""

    name = "epic"
    title = "Epic"
    entry_model = Entry
    game_model = GameTable
    side_game_model = SideGameTable
    numbers = Options()
    columns = COLUMNS
    events = EVENTS
    phases = (ActionPhaseBegan, EndPhaseBegan)
    words = WORDS
    groups = "leaders"
    cells = ("hexes",)
    terrain = BOOK.shared
    own_terrain = OWN
    commanders = ("doctrine", "search")
    rehearses = True
    turns = ROUNDS
    deploys = True
    needs_edges = True
    next_step = staticmethod(turn.next_step)
    outcome = staticmethod(result_of)
    worth = staticmethod(standing)
    line_of_sight = staticmethod(answers.sight_answer)
    sight_of = staticmethod(answers.sight_abroad)
    sight_area = staticmethod(answers.sight_area)
    ranges = staticmethod(answers.ranges_of)
    cohesion = staticmethod(answers.cohesion_of)
    formations = staticmethod(answers.formation_tags)
    objectives = staticmethod(objectives_at)
    card = staticmethod(answers.card_of)
    report = staticmethod(paragraphs)

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        yield from super().faults(setup)
        if setup.field.cells != "hexes":
            yield Fault(message='cells: expected "hexes"', at=("field",))
            return
        board = board_of(setup.field)
        for tile in game_of(setup).objectives:
            if not board.holds(tile):
                told = f"objectives: the tile {tile[0]},{tile[1]} is off the board"
                yield Fault(message=told, at=("game", "objectives"))
        if wrong := [*faults_of_carrying(setup)]:
            yield from wrong
            return
        terrain = terrain_on(setup.field, board)
        carriers = carried_at_start(setup)
        tiles = board.grid.tiles_at([unit.muster.at for unit in setup.units])
        for row, unit in enumerate(setup.units):
            if row in carriers:
                continue
            number = int(board.numbers(tiles[row]))
            kind = entry_of(setup, row).unit_type
            if number >= 0 and terrain.is_passed(kind, "impassable")[number]:
                told = f"tile: {unit.name} cannot enter the terrain there"
                yield Fault(message=told, at=("unit", row, "tile"))
        for row, unit in enumerate(setup.units):
            if formation_of(setup, row) == row:
                rows = [each for each in (row, *setup.followers_of(row)) if each not in carriers]
                if not is_in_cohesion(tiles[rows]):
                    told = f"tile: the formation of {unit.name} is out of cohesion"
                    yield Fault(message=told, at=("unit", row, "tile"))

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        return (*changes_of_capacity(setup), *changes_of_carrying(setup))

    @override
    def commander(self, name: str) -> Commander | None:
        if name == "search":
            return Search(DOCTRINE, proposals, tries=TRIES)
        return DOCTRINE if name == "doctrine" else None

    @override
    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        shooting = [name for name in declarable() if action_named(name).to_hit is not None]
        name = action or "advance"
        if name not in shooting or weapon is not None:
            raise Error(f"{self.title} has the shooting actions {', '.join(shooting)}")
        modifier = action_named(name).to_hit
        assert modifier is not None
        return answers.odds_of_shooting(battle, attacker, target, modifier, name)

    @override
    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        if order.unit is None or order.target is None:
            return None
        if order.verb == "overwatch fire":
            aim, name = overwatch_modifier(), "overwatch"
        elif order.verb == "shoot":
            aim, name = battle.state.units.integer("aim", order.unit), "shoot"
        else:
            return None
        return answers.odds_of_shooting(battle, order.unit, order.target, aim, name)

    @override
    def cost(self, force: Sequence[Hired], army: str) -> float:
        return force_cost(force)

    @override
    def attack(self, setup: Setup, event: Event) -> AttackRoll | None:
        if not isinstance(event.facts, Fired):
            return None
        hit = chance(event.facts.need)
        return rolled_attack(event, (1 - hit, hit))

    @override
    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        order = super().order_to(moment, decision, verb, place, None)
        return order if order is None else _turned(decision.validator, order, facing)

    @override
    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
        ends = decision.validator
        if not isinstance(ends, MoveEnds):
            return super().reach_of(moment, decision, verb)
        numbers = ends.together if verb == "move all" else ends.allowed
        return answers.outline_of(ends.board, ends.board.tiles[numbers])


def _turned(reach: OrderValidator | None, order: Order, facing: int | None) -> Order:
    """Return a move that ends facing the neighbouring tile nearest to a facing.

    facing : 64ths of a degree; None for the direction of the move
    """
    if not isinstance(reach, MoveEnds) or order.verb != "move" or reach.refusal(order) is not None:
        return order
    number = reach.tile_of(order)
    if number == reach.here:
        return order
    if facing is None:
        start, end = reach.board.grid.centres(reach.board.tiles[[reach.here, number]])
        facing = facing_towards(*(end - start).tolist())
    nearest = min(FACINGS, key=lambda side: abs(turn_between(side, facing)))
    return reach.to(number, facing=nearest)
