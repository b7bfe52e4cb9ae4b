"""Many battles of one scenario, one seed each, on several processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.progress import TimeRemainingColumn

import emlia3d
from emlia3d.cli.interrupt import heeded
from emlia3d.cli.many_processes import in_processes
from emlia3d.cli.mustering import mustered
from emlia3d.cli.outcome import outcome_of
from emlia3d.cli.progress import bar_of
from emlia3d.cli.writing import echo
from emlia3d.scenario import Scenario
from emlia3d.study.tally import BattleResult, Summary, Tally, tally

_SEEDS = 2**63
Field = tuple[str, tuple[str, ...], bool, float | None]
"""The name of a scenario, its commanders, whether they change places, and their time limit."""

_scenarios: dict[Field, Scenario] = {}
"""Read once in each process."""


def play_many(  # noqa: PLR0913  as the command's options
    name: str, seeds: range, *, turns: int | None, commanders: tuple[str, ...], swap_sides: bool,
    time_limit_s: float | None, processes: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Play the scenario once for each of the *seeds*, and print the results.

    Independent of the number of processes. Raises ScenarioError before the first battle.
    """
    if seeds[-1] >= _SEEDS:
        raise click.BadParameter(f"seeds end at {_SEEDS - 1}: begin with a smaller --seed")
    field = name, commanders, swap_sides, time_limit_s
    scenario = _scenario(field)
    games = [(field, seed, turns) for seed in seeds]
    ended = list(_with_progress(scenario.title, in_processes(_play, games, processes), len(games)))
    sides = [side.name for side in scenario.setup.sides]
    if as_json:
        echo(json.dumps(_document(scenario, ended, sides), ensure_ascii=False))
    else:
        echo("\n".join(_told(scenario, ended, tally(ended, sides))))


Game = tuple[Field, int, int | None]


def _play(game: Game) -> BattleResult:
    field, seed, turns = game
    fought = _scenario(field).battle(seed, turns)
    for _ in heeded(fought.run()):
        pass
    result = fought.result
    assert result is not None, "a battle that is over has a result"
    outcome = outcome_of(fought, 0.0)
    return BattleResult(
        seed=seed,
        turns=outcome["turns"],
        winner=result.winner,
        level=result.level,
        lost={
            side: losses["figures"] - losses["figures_left"]
            for side, losses in outcome["sides"].items()
        },
        digest=outcome["digest"],
    )


def _scenario(field: Field) -> Scenario:
    if field not in _scenarios:
        _scenarios[field] = mustered(*field)
    return _scenarios[field]


def _digest(battles: Iterable[BattleResult]) -> str:
    """SHA-256 over the digests of all battles, in the order of their seeds."""
    return hashlib.sha256("".join(ended.digest for ended in battles).encode()).hexdigest()


def _document(
    scenario: Scenario, ended: Sequence[BattleResult], sides: Sequence[str]
) -> dict[str, Any]:
    """All of it as plain JSON values."""
    return {
        "program": emlia3d.__version__,
        "title": scenario.title,
        "rules": scenario.setup.rules,
        "first_seed": ended[0].seed,
        **asdict(tally(ended, sides)),
        "digest": _digest(ended),
        "each": [asdict(one) for one in ended],
    }


def _told(scenario: Scenario, ended: Sequence[BattleResult], found: Tally) -> Iterator[str]:
    """Yield the table, line by line."""
    seeds = f"seeds {ended[0].seed} to {ended[-1].seed}"
    yield f"{scenario.title} ({scenario.setup.rules}): {found.battles:,} battles, {seeds}"
    yield ""
    drawn = "draw"
    width = max(len(name) for name in (*found.won, drawn))
    yield f"{'':{width}}  {'won':>7}  {'share':>6}  95 in 100"
    for name, won in (*found.won.items(), (drawn, found.undecided)):
        levels = found.levels["" if name == drawn and name not in found.won else name]
        how = ", ".join(f"{level} {count:,}" for level, count in levels.items())
        line = f"{name:{width}}  {won.count:>7,}  {won.share:>6.1%}"
        yield f"{line}  {won.low:>5.1%} to {won.high:>5.1%}  {how}".rstrip()
    strengths = _strengths(scenario)
    yield ""
    heads = ("least", "1/4", "1/2", "3/4", "most")
    yield "  ".join((f"{'':{width}}", f"{'mean':>7}", *(f"{head:>7}" for head in heads)))
    yield _spread("turns", width, found.turns)
    for name, lost in found.lost.items():
        yield f"{_spread(name, width, lost)}  figures lost of {strengths[name]:,}"
    yield ""
    yield (
        f"over soonest: seed {found.shortest}; bloodiest: seed {found.bloodiest}; "
        f"digest {_digest(ended)[:16]}"
    )


def _strengths(scenario: Scenario) -> dict[str, int]:
    """Figures of each side as the battle begins."""
    out = dict.fromkeys((side.name for side in scenario.setup.sides), 0)
    names = list(out)
    for unit in scenario.setup.units:
        out[names[unit.muster.side]] += unit.muster.members
    return out


def _spread(name: str, width: int, found: Summary) -> str:
    quarters = (found.least, found.lower, found.median, found.upper, found.most)
    cells = (f"{number:>7g}" for number in quarters)
    return "  ".join((f"{name:{width}}", f"{found.mean:>7.1f}", *cells))


def _with_progress(
    title: str, battles: Iterator[BattleResult], count: int
) -> Iterator[BattleResult]:
    """Yield the battles' results, with a progress bar on a terminal."""
    with bar_of(TimeRemainingColumn()) as bar:
        task = bar.add_task(title, total=count)
        for number, ended in enumerate(heeded(battles), 1):
            bar.update(task, completed=number, description=f"{title}: {number:,} of {count:,}")
            yield ended
