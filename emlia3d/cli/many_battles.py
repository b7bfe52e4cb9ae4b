"""Many battles of one scenario, one seed each, on several processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import click
from rich.progress import TimeRemainingColumn

import emlia3d
from emlia3d.cli.interrupt import heeded
from emlia3d.cli.mustering import appointments, mustered
from emlia3d.cli.progress import bar_of
from emlia3d.cli.writing import echo
from emlia3d.scenario import Scenario
from emlia3d.studies.battles.contest import Contest, Job, Played, play
from emlia3d.studies.battles.design import Trial
from emlia3d.studies.battles.processes import in_processes
from emlia3d.studies.battles.tally import BattleResult, Summary, Tally, tally

_SEEDS = 2**63


def play_many(  # noqa: PLR0913  as the command's options
    name: str, seeds: range, *, turns: int | None, commanders: tuple[str, ...], swap_sides: bool,
    time_limit_s: float | None, processes: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Play the scenario once for each of the *seeds*, and print the results.

    The results do not depend on the number of processes. Raises ScenarioError before the first
    battle.
    """
    if seeds[-1] >= _SEEDS:
        raise click.BadParameter(f"seeds end at {_SEEDS - 1}: begin with a smaller --seed")
    scenario = mustered(name, commanders, swap_sides, time_limit_s)
    contest = Contest(
        source=name, commanders=tuple(appointments(commanders).items()), turns=turns,
        time_limit_s=time_limit_s,
    )  # fmt: skip
    jobs = [
        Job(contest=contest, trial=Trial(variant=0, run=run, swapped=swap_sides), seed=seed)
        for run, seed in enumerate(seeds)
    ]
    played = in_processes(partial(play, watch=heeded), jobs, processes)
    ended = [one.result for one in _with_progress(scenario.title, played, len(jobs))]
    sides = [side.name for side in scenario.setup.sides]
    if as_json:
        echo(json.dumps(_document(scenario, ended, sides), ensure_ascii=False))
    else:
        echo("\n".join(_result_lines(scenario, ended, tally(ended, sides))))


def _digest(battles: Iterable[BattleResult]) -> str:
    """Return the SHA-256 of the digests of all battles, in the order of their seeds."""
    return hashlib.sha256("".join(ended.digest for ended in battles).encode()).hexdigest()


def _document(
    scenario: Scenario, ended: Sequence[BattleResult], sides: Sequence[str]
) -> dict[str, Any]:
    """Return the results as plain JSON values."""
    return {
        "program": emlia3d.__version__,
        "title": scenario.title,
        "rules": scenario.setup.rules,
        "first_seed": ended[0].seed,
        **asdict(tally(ended, sides)),
        "digest": _digest(ended),
        "each": [asdict(one) for one in ended],
    }


def _result_lines(scenario: Scenario, ended: Sequence[BattleResult], found: Tally) -> Iterator[str]:
    """Yield the table, line by line."""
    seeds = f"seeds {ended[0].seed} to {ended[-1].seed}"
    yield f"{scenario.title} ({scenario.setup.rules}): {found.battles:,} battles, {seeds}"
    yield ""
    drawn = "draw"
    width = max(len(name) for name in (*found.won, drawn))
    yield f"{'':{width}}  {'won':>7}  {'rate':>6}  95% interval"
    for name, won in (*found.won.items(), (drawn, found.undecided)):
        levels = found.levels["" if name == drawn and name not in found.won else name]
        how = ", ".join(f"{level} {count:,}" for level, count in levels.items())
        line = f"{name:{width}}  {won.count:>7,}  {won.share:>6.1%}"
        yield f"{line}  {won.low:>5.1%} to {won.high:>5.1%}  {how}".rstrip()
    strengths = _strengths(scenario)
    yield ""
    heads = ("min", "1/4", "median", "3/4", "max")
    yield "  ".join((f"{'':{width}}", f"{'mean':>7}", *(f"{head:>7}" for head in heads)))
    yield _spread("turns", width, found.turns)
    for name, lost in found.lost.items():
        yield f"{_spread(name, width, lost)}  figures lost of {strengths[name]:,}"
    yield ""
    yield (
        f"shortest: seed {found.shortest}; bloodiest: seed {found.bloodiest}; "
        f"digest {_digest(ended)[:16]}"
    )


def _strengths(scenario: Scenario) -> dict[str, int]:
    """Return the number of figures of each side at the start."""
    out = dict.fromkeys((side.name for side in scenario.setup.sides), 0)
    names = list(out)
    for unit in scenario.setup.units:
        out[names[unit.muster.side]] += unit.muster.members
    return out


def _spread(name: str, width: int, found: Summary) -> str:
    quarters = (found.least, found.lower, found.median, found.upper, found.most)
    cells = (f"{number:>7g}" for number in quarters)
    return "  ".join((f"{name:{width}}", f"{found.mean:>7.1f}", *cells))


def _with_progress(title: str, battles: Iterator[Played], count: int) -> Iterator[Played]:
    """Yield the battles' results, with a progress bar on a terminal."""
    with bar_of(TimeRemainingColumn()) as bar:
        task = bar.add_task(title, total=count)
        for number, ended in enumerate(heeded(battles), 1):
            bar.update(task, completed=number, description=f"{title}: {number:,} of {count:,}")
            yield ended
