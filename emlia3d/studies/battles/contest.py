"""One battle of a study, for any process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from emlia3d.battle.events import Event
from emlia3d.battle.questions.statistics import BattleStatistics, statistics
from emlia3d.scenario import Scenario, load
from emlia3d.scenario.changed_text import load_changed, steps_of
from emlia3d.studies.battles.design import Trial
from emlia3d.studies.battles.side_losses import losses_by_side
from emlia3d.studies.battles.tally import BattleResult

Watch = Callable[[Iterable[Event]], Iterable[Event]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A scenario with the settings and commanders of a variant; hashable, for other processes.

    source : the file, or the name of a bundled scenario
    settings : values of its keys as TOML text, by the paths of the keys
    commanders : commanders by side
    turns : maximum number of turns; None for the scenario's
    """

    source: str
    settings: tuple[tuple[str, str], ...] = ()
    commanders: tuple[tuple[str, str], ...] = ()
    turns: int | None = None
    time_limit_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A battle to play.

    counted : whether to return the statistics of units, turns and luck too
    """

    contest: Contest
    trial: Trial
    seed: int
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A battle that was played.

    seconds : CPU time of its process
    statistics : statistics of the battle; None if not requested
    """

    trial: Trial
    result: BattleResult
    reason: str
    units_left: dict[str, int]
    figures_left: dict[str, int]
    seconds: float
    statistics: BattleStatistics | None = None


@lru_cache(maxsize=64)
def scenario_of(contest: Contest) -> Scenario:
    """Return the scenario of a contest; each process reads it once.

    Raises
    ------
    Error
        If the scenario has no units, or if a commander, a side or a key is unknown.
    ScenarioError
        If its text has errors. It lists all of them.
    """
    settings, commanders = {}, dict(contest.commanders)
    for key, value in contest.settings:
        side = commanded_side(key)
        if side is None:
            settings[key] = value
        else:
            # As on the command line, because scenarios cannot name code.
            commanders[side] = value.strip("\"'")
    scenario = load_changed(contest.source, settings) if settings else load(contest.source)
    scenario.require_units()
    if commanders:
        scenario = scenario.with_commanders(commanders, contest.time_limit_s)
    return scenario


def commanded_side(key: str) -> str | None:
    """Return the side whose commander a key of the scenario names; None for other keys."""
    steps = steps_of(key)
    is_commander = len(steps) == 3 and steps[0] == "side" and steps[2] == "commander"
    return steps[1] if is_commander else None


@lru_cache(maxsize=64)
def _swapped(contest: Contest) -> Scenario:
    return scenario_of(contest).with_sides_swapped()


def play(job: Job, watch: Watch = iter) -> Played:
    """Play one battle to its end.

    watch : receives and yields the events; it can stop the battle with an exception
    """
    scenario = (_swapped if job.trial.swapped else scenario_of)(job.contest)
    begun = time.process_time()
    battle = scenario.battle(job.seed, job.contest.turns)
    story, counted = watch(battle.run()), None
    if job.counted:
        counted = statistics(battle, story)
    for _ in story:
        pass
    result, sides = battle.result, losses_by_side(battle)
    assert result is not None, "a battle that is over has a result"
    return Played(
        trial=job.trial,
        result=BattleResult(
            seed=job.seed,
            turns=battle.state.turn,
            winner=result.winner,
            level=result.level,
            lost={name: side["figures"] - side["figures_left"] for name, side in sides.items()},
            digest=battle.digest.hexdigest(),
        ),
        reason=result.reason,
        units_left={name: side["units_left"] for name, side in sides.items()},
        figures_left={name: side["figures_left"] for name, side in sides.items()},
        seconds=time.process_time() - begun,
        statistics=counted,
    )


def play_chunk(jobs: tuple[Job, ...]) -> list[Played]:
    """Play several battles, one after another."""
    return [play(job) for job in jobs]
