"""The outcome of a battle: as one JSON document, and in words."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.result import Result


class Ending(TypedDict):
    """The winner (None for a draw), the level and the reason."""

    winner: str | None
    level: str
    reason: str


class SideLosses(TypedDict):
    """A side's strength at the beginning and at the end."""

    units: int
    units_left: int
    figures: int
    figures_left: int


class BattleOutcome(TypedDict):
    """The document that ``emlia3d battle --json`` prints.

    result : None for a battle that was left before its end
    digest : SHA-256 over the event lines
    seconds : how long it took, on the wall's clock
    """

    title: str
    rules: str
    seed: int
    turns: int
    result: Ending | None
    sides: dict[str, SideLosses]
    events: int
    digest: str
    seconds: float


def outcome_of(battle: Battle, seconds: float) -> BattleOutcome:
    """Return how *battle* stands now."""
    result = battle.result
    return BattleOutcome(
        title=battle.setup.title,
        rules=battle.setup.rules,
        seed=battle.seed,
        turns=battle.state.turn,
        result=None if result is None else _ending(result),
        sides={side.name: _losses(battle, row) for row, side in enumerate(battle.setup.sides)},
        events=battle.digest.events,
        digest=battle.digest.hexdigest(),
        seconds=round(seconds, 3),
    )


def in_words(outcome: BattleOutcome) -> str:
    """Return the outcome as a few lines for people."""
    result = outcome["result"]
    turns = f"{outcome['turns']} turn{'' if outcome['turns'] == 1 else 's'}"
    lines = [f"{outcome['title']} ({outcome['rules']}, seed {outcome['seed']}): {turns}"]
    if result is None:
        lines.append("No result: the battle was left before its end.")
    elif result["winner"] is None:
        lines.append(f"A {result['level']}. {result['reason']}")
    else:
        lines.append(f"{result['winner']}: {result['level']}. {result['reason']}")
    width = max(map(len, outcome["sides"]), default=0)
    for name, side in outcome["sides"].items():
        lines.append(
            f"  {name:<{width}}  {side['units_left']} of {side['units']} units,"
            f" {side['figures_left']:,} of {side['figures']:,} figures left"
        )
    lines.append(f"{outcome['events']:,} events, digest {outcome['digest'][:16]}")
    return "\n".join(lines)


def _ending(result: Result) -> Ending:
    return Ending(winner=result.winner, level=result.level, reason=result.reason)


def _losses(battle: Battle, side: int) -> SideLosses:
    """Return the losses of units that took the field with figures, parts included."""
    units, setup = battle.state.units, battle.setup
    mine = (units.ints("side") == side) & (units.ints("strength") > 0)
    left = mine & (units["present"] != 0)
    mustered = np.array([setup.mustered_as(row) for row in range(len(units))], dtype=np.int64)
    return SideLosses(
        units=len(np.unique(mustered[mine])),
        units_left=len(np.unique(mustered[left])),
        figures=int(units.ints("strength")[mine].sum()),
        figures_left=int(units.ints("members")[left].sum()),
    )
