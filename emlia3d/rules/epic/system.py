"""Epic as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import override

from emlia3d.battle.entries import Advice, Fault
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.field.hexes import board_of
from emlia3d.rulekit.two_sided import TwoSidedSystem
from emlia3d.rules.epic import answers, turn
from emlia3d.rules.epic.actions import action_named, declarable
from emlia3d.rules.epic.columns import COLUMNS
from emlia3d.rules.epic.commander.doctrine import DOCTRINE
from emlia3d.rules.epic.commander.trials import search
from emlia3d.rules.epic.commander.weighing import standing
from emlia3d.rules.epic.core import chance
from emlia3d.rules.epic.deployment import tile_pointing
from emlia3d.rules.epic.deployment.starting import (
    advice_on_strips,
    changes_of_waiting,
    faults_of_tiles,
)
from emlia3d.rules.epic.events import (
    EVENTS,
    ActionPhaseBegan,
    EndPhaseBegan,
    Fired,
    Fought,
)
from emlia3d.rules.epic.formations import changes_of_capacity
from emlia3d.rules.epic.movement import MoveEnds
from emlia3d.rules.epic.overwatch import overwatch_modifier
from emlia3d.rules.epic.report import paragraphs
from emlia3d.rules.epic.terrain import BOOK, OWN
from emlia3d.rules.epic.transport.carrying import changes_of_carrying, faults_of_carrying
from emlia3d.rules.epic.unit_set import (
    Entry,
    GameTable,
    Options,
    SideGameTable,
    force_cost,
    game_of,
)
from emlia3d.rules.epic.victory import ROUNDS, objectives_at, result_of
from emlia3d.rules.epic.words import WORDS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.options import Place
    from emlia3d.battle.setup import Setup


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
        yield from faults_of_tiles(setup, board)

    @override
    def advice(self, setup: Setup, purpose: str) -> Sequence[Advice]:
        return advice_on_strips(setup)

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        return (
            *changes_of_capacity(setup),
            *changes_of_carrying(setup),
            *changes_of_waiting(setup),
        )

    @override
    def commander(self, name: str) -> Commander | None:
        if name == "search":
            return search()
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
        if not isinstance(event.facts, Fired | Fought):
            return None
        hit = chance(event.facts.need) if isinstance(event.facts, Fired) else None
        found = rolled_attack(event, () if hit is None else (1 - hit, hit))
        if found is None or event.target is None:
            return found
        # Hits on a formation can be allocated to each of its units.
        leader = setup.leader_of(event.target)
        units = (row for row in range(len(setup.units)) if setup.leader_of(row) == leader)
        return replace(found, struck=tuple((row, found.hits) for row in units))

    @override
    def pointed(self, moment: Moment, decision: Decision) -> tuple[str, ...]:
        return tile_pointing.pointed(decision) or super().pointed(moment, decision)

    @override
    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        if tile_pointing.pointed(decision):
            return tile_pointing.order_to(decision, verb, place, facing)
        order = super().order_to(moment, decision, verb, place, None)
        return order if order is None else tile_pointing.turned(decision, order, facing)

    @override
    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
        ends = decision.validator
        if not isinstance(ends, MoveEnds):
            return super().reach_of(moment, decision, verb)
        numbers = ends.together if verb == "move all" else ends.allowed
        return answers.outline_of(ends.board, ends.board.tiles[numbers])
