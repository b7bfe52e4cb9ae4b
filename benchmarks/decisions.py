"""Play six turns of two mustered armies on hills, and print the CPU time of turns and decisions.

`python -m benchmarks.decisions 20000 200` prints each turn and the longest steps, with numbers.
A step is what one side decides, or what play does between two events or decisions.
`--turn N` or `--step N` profiles that turn or step.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.scenario.synthetic_armies import armies

TURNS = 6


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of play between two events or decisions.

    seconds : CPU time of the process
    what : the event or answer at its end, and its unit
    """

    number: int
    turn: int
    seconds: float
    what: str


@dataclass
class Stopwatch:
    """Measures the steps of a battle, and profiles one turn or one step."""

    battle: Battle
    turn: int | None = None
    step: int | None = None
    steps: list[Step] = field(default_factory=list)
    profile: cProfile.Profile = field(default_factory=cProfile.Profile)

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin a step."""
        self.of_turn = self.battle.state.turn
        self.profiles = self.of_turn == self.turn or len(self.steps) == self.step
        self.since = time.process_time()
        if self.profiles:
            self.profile.enable()

    def end(self, what: str) -> None:
        """End the step with an event or an answer, and begin the next."""
        if self.profiles:
            self.profile.disable()
        seconds = time.process_time() - self.since
        self.steps.append(Step(len(self.steps), self.of_turn, seconds, what))
        self.begin()

    def name(self, unit: int | None) -> str:
        """Name a unit."""
        return "" if unit is None else f" of {self.battle.setup.units[unit].name}"


@dataclass(frozen=True)
class Timed:
    """A commander whose decisions are measured."""

    commander: Any
    watch: Stopwatch

    def decide(self, decision: Decision, picture: Any, dice: Any) -> Order:
        """Decide as the commander does."""
        unit = self.watch.name(decision.unit)
        self.watch.end(f"asks {decision.asks}{unit}")
        order = self.commander.decide(decision, picture, dice)
        self.watch.end(f"decides {decision.asks}{unit}: {order.verb}")
        return order


def play(figures: int, units: int, turn: int | None = None, step: int | None = None) -> Stopwatch:
    """Play the battle to its end and return its steps."""
    battle = armies(figures, units, ground=True).battle(0, turns=TURNS)
    watch = Stopwatch(battle, turn, step)
    for event in battle.run([Timed(commander, watch) for commander in battle.commanders()]):
        watch.end(f"event {event.name}{watch.name(event.unit)}")
    return watch


def lines(watch: Stopwatch, count: int) -> Iterator[str]:
    """Yield the text: each turn, the worst one, and the longest steps."""
    turns: dict[int, float] = {}
    for step in watch.steps:
        turns[step.turn] = turns.get(step.turn, 0.0) + step.seconds
    for turn, seconds in turns.items():
        longest = max(step.seconds for step in watch.steps if step.turn == turn)
        over = sum(step.seconds > 0.3 for step in watch.steps if step.turn == turn)
        yield f"turn {turn}: {seconds:.2f} s, longest step {longest:.3f} s, {over} over 0.3 s"
    yield f"worst turn: {max(turns.values()):.2f} s; digest {watch.battle.digest.hexdigest()[:16]}"
    for step in sorted(watch.steps, key=lambda step: -step.seconds)[:count]:
        yield f"{step.seconds:7.3f} s  turn {step.turn} step {step.number}: {step.what}"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions", description=__doc__)
    parser.add_argument("figures", type=int)
    parser.add_argument("units", type=int)
    parser.add_argument("--longest", type=int, default=20, help="number of steps to print")
    parser.add_argument("--turn", type=int, help="turn to profile")
    parser.add_argument("--step", type=int, help="step to profile")
    parser.add_argument("--sort", default="tottime", help="order of the profile")
    asked = parser.parse_args()
    # As the command line sets it.
    gc.set_threshold(10_000, 20, 20)
    watch = play(asked.figures, asked.units, asked.turn, asked.step)
    sys.stdout.writelines(f"{line}\n" for line in lines(watch, asked.longest))
    if asked.turn is not None or asked.step is not None:
        pstats.Stats(watch.profile, stream=sys.stdout).sort_stats(asked.sort).print_stats(70)


if __name__ == "__main__":
    main()
