"""A battle in progress: its setup, its state, and the flow of play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from emlia3d.battle import flow
from emlia3d.battle.apply import apply
from emlia3d.battle.commanders import (
    DOCTRINE,
    BrigadeCommanders,
    Commander,
    RandomCommander,
    names_code,
)
from emlia3d.battle.dice import Dice, SeededDice
from emlia3d.battle.digest import EventDigest
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Setup
from emlia3d.battle.spare_rows import with_spare_rows
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.errors import Error, quoted


class Battle(Moment):
    """A battle: a scenario, a seed, and everything that results from the orders.

    setup : setup of the scenario, with spare rows for parts of units that can be divided
    state : current state; only `emlia3d.battle.apply` writes it
    dice : dice of the current segment
    segment : the current segment so far, if the system rehearses orders; None between segments
    """

    def __init__(self, setup: Setup, system: System, seed: int) -> None:
        setup = with_spare_rows(setup, system)
        self.seed = seed
        self.digest = EventDigest()
        state = State.mustered(
            [unit.muster for unit in setup.units],
            len(setup.sides),
            [feature.height for feature in setup.field.features],
            system.columns,
        )
        state.units.writable("present")[[not unit.placed for unit in setup.units]] = 0
        super().__init__(setup, system, state)
        self.dice: Dice = SeededDice(seed, 0)
        self.segment: flow.Segment | None = None

    def fork(self) -> Self:
        """Return an independent copy of the battle, whose digest starts again at this position."""
        twin = super().fork()
        twin.digest, twin.dice = EventDigest(), SeededDice(self.seed, 0)
        twin.segment = None if self.segment is None else self.segment.copy()
        return twin

    def happen(self, event: Event) -> None:
        """Apply *event* to the state and add it to the digest."""
        apply(self.state, event)
        self.digest.add(event)

    def commanders(self) -> tuple[Commander, ...]:
        """Return the commander that the scenario names for each side."""
        return tuple(map(self.commander_of, range(len(self.setup.sides))))

    def commander_of(self, side: int) -> Commander:
        """Return the commander of a side, which includes the commanders of its brigades."""
        setup, own = self.setup, self.setup.sides[side]
        by_section = {name: self.commander(given) for name, given in own.brigades}
        usual = self.commander(own.commander)
        if not by_section:
            return usual
        units = {
            row: by_section[section]
            for row, unit in enumerate(setup.units)
            if unit.muster.side == side and (section := setup.section_of(row)) in by_section
        }
        return BrigadeCommanders(usual, units)

    def commander(self, name: str) -> Commander:
        """Return a commander by name; raise Error if the name is unknown.

        The name can also be the name of a commander in other code
        (`emlia3d.battle.exchange.naming`).
        """
        if name == "random":
            return RandomCommander()
        found = None if names_code(name) else self.system.commander(name)
        return self._outside_commander(name) if found is None else found

    def _outside_commander(self, name: str) -> Commander:
        """Return the commander of other code with this name, or raise Error."""
        from emlia3d.battle.exchange.naming import outside_commander  # noqa: PLC0415  seldom needed

        default = self.commander(DOCTRINE)
        found = outside_commander(name, default, self.setup.time_limit_s)
        if found is None:
            raise Error(f"{self.system.title} has no commander called {quoted(name)}")
        return found

    def run(
        self,
        commanders: Sequence[Commander] | None = None,
        recorder: flow.Recorder | None = None,
    ) -> Iterator[Event]:
        """Play to the end, and yield each event after it is applied."""
        return flow.play(self, commanders or self.commanders(), recorder or flow.NullRecorder())

    def dialogue(self, recorder: flow.Recorder | None = None) -> flow.Dialogue:
        """Play to the end, and let the caller make each decision.

        Yield each event after it is applied, and a request for each decision. The caller must send
        an order for each request.
        """
        return flow.dialogue(self, recorder or flow.NullRecorder())

    def run_to_end(self) -> Result:
        """Play to the end and return the result."""
        for _ in self.run():
            pass
        result = self.result
        assert result is not None, "a battle that is over has a result"
        return result

    @property
    def result(self) -> Result | None:
        """The result; None while the battle is not over."""
        return self.system.result(self)
