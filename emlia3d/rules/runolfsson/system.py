"""Runolfsson's skirmish as a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from typing_extensions import override

from emlia3d.battle.changes import Change, set_cells
from emlia3d.battle.entries import Fault
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.errors import Error
from emlia3d.rulekit.two_sided import TwoSidedSystem
from emlia3d.rules.runolfsson import answers, turn, victory
from emlia3d.rules.runolfsson.columns import COLUMNS
from emlia3d.rules.runolfsson.commander.doctrine import DOCTRINE
from emlia3d.rules.runolfsson.commander.trials import SEARCH, standing
from emlia3d.rules.runolfsson.contacts import entry_of, first_leaders, models_of, touching
from emlia3d.rules.runolfsson.core import chance, is_within
from emlia3d.rules.runolfsson.events import EVENTS, AttackMade, PhaseBegan
from emlia3d.rules.runolfsson.specials import effect_of
from emlia3d.rules.runolfsson.terrain import BOOK, OWN, terrain_of
from emlia3d.rules.runolfsson.unit_set import Entry, GameTable
from emlia3d.rules.runolfsson.words import WORDS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.battle import Battle
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Order
    from emlia3d.battle.entries import Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.setup import Setup


class Runolfsson(TwoSidedSystem):
    """The rule system."""

    name = "runolfsson"
    title = "Runolfsson's skirmish"
    entry_model = Entry
    game_model = GameTable
    columns = COLUMNS
    events = EVENTS
    phases = (PhaseBegan,)
    words = WORDS
    groups = "leaders"
    turns = victory.TURNS
    rehearses = True
    morale_scale = "2 without a marker, 1 pinned, 0 routed"
    terrain = BOOK.shared
    own_terrain = OWN
    commanders = ("doctrine", "search")
    needs_edges = True
    scales: ClassVar[Mapping[str, float]] = {"inches": answers.FIGURE_M}
    next_step = staticmethod(turn.next_step)
    outcome = staticmethod(victory.winner_of)
    worth = staticmethod(standing)
    line_of_sight = staticmethod(answers.answer)
    sight_area = staticmethod(answers.sight_area)
    ranges = staticmethod(answers.ranges_of)

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        yield from super().faults(setup)
        for row, unit in enumerate(setup.units):
            gap = _gap_to_leader(setup, row)
            reach = entry_of(setup, row).command_radius
            if not is_within(gap, reach):
                told = f"at: expected at most {reach:g} GSU from its leader, got {gap:.2f}"
                yield Fault(message=f"{unit.name}: {told}", at=("unit", row, "at"))

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        changes: list[Change] = []
        for unit, leader in enumerate(first_leaders(setup)):
            entry = entry_of(setup, unit)
            changes += set_cells(
                "unit", unit, leader=leader, hits_left=entry.hits, attack=entry.attack,
                save=entry.save,
            )  # fmt: skip
        return tuple(changes)

    @override
    def commander(self, name: str) -> Commander | None:
        named: dict[str, Commander] = {"doctrine": DOCTRINE, "search": SEARCH}
        return named.get(name)

    @override
    def taken_over(self, facts: BattleFacts) -> Moment:
        return answers.abroad(self, facts)

    @override
    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        if action not in {None, "attack"} or weapon is not None:
            raise Error(f'{self.title} has one action, "attack", and no weapons')
        return answers.odds_of(battle, (attacker,), target)

    @override
    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        if order.verb != "attack together" or order.target is None:
            return None
        return answers.odds_of(battle, order.actors, order.target)

    @override
    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        specials = entry_of(moment.setup, unit).specials
        return (
            *super().card(moment, unit),
            *((special, effect_of(special)) for special in specials),
        )

    @override
    def contacts(self, moment: Moment) -> Sequence[tuple[int, int]]:
        there = np.flatnonzero(models_of(moment).there).tolist()
        return [(unit, foe) for unit in there for foe in touching(moment, unit)]

    @override
    def impassable(self, moment: Moment, unit: int | None) -> Sequence[BaseGeometry]:
        return terrain_of(moment).obstacles

    @override
    def cost(self, force: Sequence[Hired], army: str) -> float:
        return victory.force_cost(force)

    @override
    def attack(self, setup: Setup, event: Event) -> AttackRoll | None:
        if not isinstance(event.facts, AttackMade):
            return None
        hit = chance(event.facts.modifier)
        return rolled_attack(event, (1 - hit, hit))

    @override
    def morale(self, moment: Moment, unit: int) -> float | None:
        """Return 2 for a model without a marker, 1 if it is pinned, 0 if it is routed."""
        return 2.0 - moment.state.units.integer("marker", unit)


def _gap_to_leader(setup: Setup, unit: int) -> float:
    """Return the gap between a model and its leader at the start."""
    leader = setup.leader_of(unit)
    (x, y), (u, v) = (setup.units[row].muster.at for row in (unit, leader))
    bases = sum(entry_of(setup, row).base for row in (unit, leader)) / 2
    return hypot(x - u, y - v) - bases
