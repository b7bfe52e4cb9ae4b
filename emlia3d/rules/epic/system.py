"""Epic as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from emlia3d.battle.entries import Fault
from emlia3d.battle.questions.area import silent
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.field.hexes import board_of
from emlia3d.field.terrain import KINDS
from emlia3d.rulekit.armies import ListedArmies
from emlia3d.rulekit.commander.search import Search
from emlia3d.rulekit.english import listed
from emlia3d.rules.epic import answers
from emlia3d.rules.epic.actions import action_named, declarable
from emlia3d.rules.epic.columns import COLUMNS
from emlia3d.rules.epic.commander import EpicCommander, proposals, standing
from emlia3d.rules.epic.core import chance
from emlia3d.rules.epic.events import (
    EVENTS,
    ActionPhaseBegan,
    EndPhaseBegan,
    Fired,
    key_events,
)
from emlia3d.rules.epic.formations import (
    capacity_left,
    changes_of_capacity,
    is_in_cohesion,
    kind_of,
    shock_of,
    title_of,
    units_of,
)
from emlia3d.rules.epic.report import paragraphs
from emlia3d.rules.epic.terrain import BOOK, OWN, terrain_on
from emlia3d.rules.epic.transport.carrying import (
    carried_at_start,
    changes_of_carrying,
    faults_of_carrying,
)
from emlia3d.rules.epic.turn import next_step
from emlia3d.rules.epic.unit_set import (
    Entry,
    GameTable,
    Options,
    SideTable,
    entry_of,
    force_cost,
    formation_of,
    game_of,
)
from emlia3d.rules.epic.victory import result_of
from emlia3d.rules.epic.words import WORDS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Procedure
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import Answer
    from emlia3d.battle.questions.area import Floats, Observer, PointVisibility, Progress
    from emlia3d.battle.questions.cohesion import Cohesion
    from emlia3d.battle.questions.highlights import Highlight
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.ranges import Range
    from emlia3d.battle.questions.report import Happening, Passage
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup


TRIES = 2
"""Trials of each order that the commander "search" compares."""


class Epic(ListedArmies):
    """The rule system."""

    name = "epic"
    title = "Epic"
    entry_model = Entry
    game_model = GameTable
    side_game_model = SideTable
    numbers = Options()
    columns = COLUMNS
    events = EVENTS
    phases = (ActionPhaseBegan, EndPhaseBegan)
    words = WORDS
    groups = "leaders"
    cells = ("hexes",)
    terrain = tuple(kind for kind in BOOK if kind in KINDS)
    own_terrain = OWN
    commanders = ("doctrine", "search")
    rehearses = True
    deploys = True

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        if len(setup.sides) != 2:
            yield Fault(message=f"side: expected 2 sides, got {len(setup.sides)}", at=("side",))
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
            if not isinstance(setup.lines_of(row), str):
                yield Fault(message="lines: expected an edge of the field", at=("unit", row))
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
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        return next_step(battle)

    @override
    def result(self, moment: Moment) -> Result | None:
        return result_of(moment) if moment.state.battle.value("ended", 0) else None

    @override
    def commander(self, name: str) -> Commander | None:
        if name == "search":
            return Search(EpicCommander(), proposals, tries=TRIES)
        return EpicCommander() if name == "doctrine" else None

    @override
    def worth(self, moment: Moment, side: int) -> float:
        return standing(moment, side)

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> Answer:
        return answers.sight_answer(moment, self.name, observer, target)

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
    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> Answer:
        return answers.sight_abroad(facts, self.name, observer, target)

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
        return answers.odds_of_shooting(battle, self.name, attacker, target, modifier, name)

    @override
    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        entry, leader = kind_of(moment, unit), formation_of(moment.setup, unit)
        units = units_of(moment)
        stats = f"speed {entry.speed}, save {entry.save}, CC {entry.cc}, FF {entry.ff}"
        weapons = ", ".join(
            f"{gun.name} {gun.range}: {gun.ap or '-'}/{gun.at or '-'}/{gun.mw or '-'}"
            for gun in entry.guns
        )
        rides = [moment.setup.units[row].name for row in units.carried_by(unit)]
        carrier = int(units.carrier[unit])
        on = title_of(moment, unit) if carrier < 0 else f"in {moment.setup.units[carrier].name}"
        broken = moment.state.units.integer("morale", leader)
        return (
            ("unit", f"{moment.setup.units[unit].name}, {entry.name} ({entry.unit_type})"),
            ("tile", on),
            ("values", stats),
            ("weapons", weapons or "small arms"),
            ("damage left", str(capacity_left(moment, unit))),
            *((("carries", listed(rides) or "no unit"),) if entry.carry else ()),
            ("formation", f"{len(units.with_carried(units.of_formation(leader)))} units, "
             f"Shock {shock_of(moment, leader)}{', broken' if broken else ''}"),
            ("overwatch", "yes" if moment.state.units.integer("overwatch", leader) else "no"),
        )  # fmt: skip

    @override
    def report(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        return paragraphs(battle, story)

    @override
    def ranges(self, moment: Moment, unit: int) -> tuple[Range, ...]:
        return answers.ranges_of(moment, unit)

    @override
    def cohesion(self, moment: Moment, unit: int) -> Cohesion:
        return answers.cohesion_of(moment, unit)

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
    def highlights(self, setup: Setup, event: Event) -> tuple[Highlight, ...]:
        return key_events(event)
