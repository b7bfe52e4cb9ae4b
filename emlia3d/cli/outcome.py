"""The outcome of a battle, in JSON and in words."""

from __future__ import annotations

from typing import TypedDict

from emlia3d.battle.battle import Battle
from emlia3d.battle.result import Result
from emlia3d.studies.battles.side_losses import SideLosses, losses_by_side


class Ending(TypedDict):
    """The winner (None for a draw), the level and the reason."""

    winner: str | None
    level: str
    reason: str


class BattleOutcome(TypedDict):
    """The document that ``emlia3d battle --json`` prints.

    result : None for a battle that was stopped before its end
    digest : SHA-256 of the event lines
    seconds : wall-clock time
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
    """Return the current outcome of *battle*."""
    result = battle.result
    return BattleOutcome(
        title=battle.setup.title,
        rules=battle.setup.rules,
        seed=battle.seed,
        turns=battle.state.turn,
        result=None if result is None else _ending(result),
        sides=losses_by_side(battle),
        events=battle.digest.events,
        digest=battle.digest.hexdigest(),
        seconds=round(seconds, 3),
    )


def in_words(outcome: BattleOutcome) -> str:
    """Return the outcome as a few lines of text."""
    result = outcome["result"]
    turns = f"{outcome['turns']} turn{'' if outcome['turns'] == 1 else 's'}"
    lines = [f"{outcome['title']} ({outcome['rules']}, seed {outcome['seed']}): {turns}"]
    if result is None:
        lines.append("No result: the battle was stopped before its end.")
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
