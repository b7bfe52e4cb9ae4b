"""Running a study: the remaining battles, their processes and the result."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import emlia3d
from emlia3d.errors import Error
from emlia3d.studies.battles.cluster import on_cluster
from emlia3d.studies.battles.contest import (
    Contest,
    Job,
    Played,
    Watch,
    commanded_side,
    play,
    scenario_of,
)
from emlia3d.studies.battles.design import (
    Trial,
    Variant,
    factor,
    grid,
    in_words,
    latin_hypercube,
    round_robin,
    seed_of,
    trials,
)
from emlia3d.studies.battles.processes import in_processes
from emlia3d.studies.battles.stop import Stop
from emlia3d.studies.battles.store import FORMAT, Battles, Store, in_order, winners_of
from emlia3d.studies.battles.study_result import StudyResult

if TYPE_CHECKING:
    import pyarrow as pa

FLUSH_S = 2.0
"""Interval between writes of results to disk, seconds."""

USUAL_RUNS, USUAL_RUNS_UNTIL = 100, 10_000
"""Default number of runs; default maximum with a width of intervals."""

MOST_BATTLES = 1_000_000
"""Maximum number of battles of a study, over all variants."""

Progress = Callable[[int, int], None]
"""Called with the number of finished battles, and of all planned battles."""


def study(  # noqa: PLR0913  each is one choice of a study
    scenario: str | os.PathLike[str],
    *,
    runs: int | None = None,
    seed: int = 0,
    vary: Mapping[str, Iterable[object]] | Iterable[str] = (),
    design: str = "grid",
    against: Sequence[str] = (),
    commanders: Mapping[str, str] | None = None,
    swap: bool = True,
    turns: int | None = None,
    until: float | None = None,
    out: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    scheduler: str | None = None,
    time_limit_s: float | None = None,
    progress: Progress | None = None,
    watch: Watch = iter,
) -> StudyResult:
    """Play a scenario and its variants many times, and return the results.

    Parameters
    ----------
    scenario
        File of a scenario, or the name of a bundled scenario.
    runs
        Number of seeds. Each variant is played once with each seed, or twice with exchanged
        commanders. All variants together have at most 1,000,000 battles. None for 100, or for
        10,000 with *until*.
    seed
        Seed of the study, from which the seeds of the runs are derived.
    vary
        Values by key of the scenario (``{"unit.archers.members": [10, 20]}``), a range
        (``{"turns": "8:14"}``), or texts as on the command line (``["turns=8:14"]``).
    design
        "grid" for all combinations, "lhs:N" for a Latin hypercube of N variants.
    against
        Commanders that play against each other in all pairs.
    commanders
        Commanders by side.
    swap
        Whether to play each seed a second time with exchanged commanders, if they differ.
    turns
        Maximum number of turns; None for the scenario's.
    until
        Maximum distance from each win rate to the ends of its 95% interval, at which the study
        stops. *runs* is then the maximum.
    out
        Folder of the results. If it contains a part of this study, only the rest is played.
    processes
        Number of processes; None for one on each core.
    scheduler
        Address of a Dask scheduler whose workers play the battles.
    time_limit_s
        Time limit for each answer of commanders in other code, seconds.
    progress, watch
        Functions that are called with the progress, and with the events of battles in this process.

    Raises
    ------
    Error
        If the scenario, a key, a value, a commander or the folder is invalid.
    MissingExtraError
        If the libraries of the extra `study` are not installed.
    """
    if out is not None and not os.fspath(out):
        raise Error("out: the name of the folder is empty")
    contest = Contest(
        source=os.fspath(scenario),
        commanders=tuple((commanders or {}).items()),
        turns=turns,
        time_limit_s=time_limit_s,
    )
    base = scenario_of(contest)
    sides = tuple(side.name for side in base.setup.sides)
    variants = _variants(vary, design, against, seed, sides)
    contests = [_contest_of(contest, variant) for variant in variants]
    led = [_commanders_of(one, variant) for one, variant in zip(contests, variants, strict=True)]
    # Variants of a side's commander concern that side, so sides are not swapped.
    of_a_side = any(map(commanded_side, variants[0].settings))
    differ = len({side.commander for side in base.setup.sides}) > 1
    swaps = swap and (bool(against) or (differ and not of_a_side))
    both = [swaps and len(set(names)) > 1 for names in led]
    runs = _extent(runs, until, sum(1 + swapped for swapped in both))
    manifest = {
        "format": FORMAT,
        "program": emlia3d.__version__,
        "scenario": base.name,
        "seed": seed,
        "turns": turns,
        "variants": [
            {"settings": dict(one.settings), "commanders": dict(zip(sides, names, strict=True))}
            for one, names in zip(variants, led, strict=True)
        ],
        "swapped": both,
        "digest": _digest_of(base.header(0, turns)),
    }
    battles = Battles(variants, sides)
    store = None if out is None else Store(Path(out), manifest, battles)
    run = _Run(
        contests=contests, seed=seed, swaps=both, battles=battles, store=store,
        play=_player(processes, scheduler, watch), progress=progress or (lambda *_: None),
    )  # fmt: skip
    try:
        table = run.played(runs, until)
    finally:
        if store is not None:
            store.close()
    return StudyResult(battles=table, variants=tuple(variants), sides=sides, commanders=tuple(led))


@dataclass(slots=True, kw_only=True)
class _Run:
    """A study that is running.

    play : plays jobs, and yields their results in any order
    """

    contests: Sequence[Contest]
    seed: int
    swaps: Sequence[bool]
    battles: Battles
    store: Store | None
    play: Callable[[Sequence[Job]], Generator[Played]]
    progress: Progress

    def played(self, runs: int, until: float | None) -> pa.Table:
        """Play until *runs* or *until*; return the battles in order."""
        import pyarrow as pa  # noqa: PLC0415  known to be there: the battles have a schema

        table = self.battles.schema.empty_table() if self.store is None else self.store.table
        winners = winners_of(table)
        wanted = list(trials(self.swaps, range(runs)))
        due = [trial for trial in wanted if trial not in winners]
        if due and self.store is not None:
            self.store.check_writable()
        stop = None if until is None else Stop(until, runs, self.swaps, self.battles.sides)
        if stop is not None:
            for trial, winner in winners.items():
                stop.add(trial, winner)
        played = self._played(due, len(wanted), stop)
        table = pa.concat_tables([table, *played])
        end = runs if stop is None or stop.runs is None else stop.runs
        return in_order(table.filter([run < end for run in table["run"].to_pylist()]))

    def _played(self, due: Sequence[Trial], planned: int, stop: Stop | None) -> list[pa.Table]:
        """Play the remaining battles until *stop*; return them after they are stored."""
        if stop is not None and stop.runs is not None:
            return []
        fresh: list[Played] = []
        tables: list[pa.Table] = []
        done, flushed = planned - len(due), time.monotonic()
        battles = self.play([self._job(trial) for trial in due])
        try:
            for one in battles:
                fresh.append(one)
                done += 1
                if stop is not None:
                    stop.add(one.trial, one.result.winner)
                self.progress(done, planned if stop is None else stop.planned)
                if stop is not None and stop.runs is not None:
                    break
                if time.monotonic() - flushed > FLUSH_S:
                    self._keep(fresh, tables)
                    fresh, flushed = [], time.monotonic()
        finally:
            battles.close()
            self._keep(fresh, tables)
        return tables

    def _job(self, trial: Trial) -> Job:
        return Job(
            contest=self.contests[trial.variant],
            trial=trial,
            seed=seed_of(self.seed, trial.run),
            counted=self.store is not None,
        )

    def _keep(self, fresh: Sequence[Played], tables: list[pa.Table]) -> None:
        if fresh:
            table = self.battles.table(fresh)
            tables.append(table)
            if self.store is not None:
                self.store.add(fresh, table)


def _variants(
    vary: Mapping[str, Iterable[object]] | Iterable[str],
    design: str,
    against: Sequence[str],
    seed: int,
    sides: Sequence[str],
) -> list[Variant]:
    """Return the variants for a study's options."""
    words = (
        [in_words(key, values) for key, values in vary.items()]
        if isinstance(vary, Mapping)
        else list(vary)
    )
    factors = [factor(each) for each in words]
    if len({one.key for one in factors}) < len(factors):
        raise Error("a key varies twice: list all of its values once")
    kind, _, number = design.partition(":")
    if against:
        if factors:
            raise Error("--against and --vary exclude each other: play one study for each variant")
        return round_robin(against, sides)
    if kind == "lhs" and number.isdigit():
        return latin_hypercube(factors, int(number), seed)
    if design != "grid":
        raise Error(f"design {design!r}: expected grid, or lhs:N for N variants")
    return grid(factors)


def _extent(runs: int | None, until: float | None, battles_of_a_run: int) -> int:
    """Return the number of runs; raise Error if there would be no battles, or too many."""
    if until is not None and not 0 < until < 0.5:
        raise Error(f"until {until}: expected a proportion between 0 and 0.5")
    if runs is None:
        usual = USUAL_RUNS if until is None else USUAL_RUNS_UNTIL
        return min(usual, MOST_BATTLES // battles_of_a_run)
    count = runs * battles_of_a_run
    if not 1 <= count <= MOST_BATTLES:
        told = f"{count:,} battles; a study has 1 to {MOST_BATTLES:,}"
        raise Error(f"{told}, of all runs and variants together")
    return runs


def _contest_of(contest: Contest, variant: Variant) -> Contest:
    commanders = {**dict(contest.commanders), **variant.commanders}
    return replace(
        contest,
        settings=tuple(variant.settings.items()),
        commanders=tuple(commanders.items()),
    )


def _commanders_of(contest: Contest, variant: Variant) -> tuple[str, ...]:
    """Return the commanders of the sides; errors of the scenario name the variant."""
    try:
        sides = scenario_of(contest).setup.sides
    except Error as fault:
        if not variant.settings:
            raise
        told = str(fault).splitlines()[0]
        raise Error(f"{variant.name}: {told}") from None
    return tuple(side.commander for side in sides)


def _player(
    processes: int | None, scheduler: str | None, watch: Watch
) -> Callable[[Sequence[Job]], Generator[Played]]:
    if scheduler is not None:
        return partial(on_cluster, scheduler)
    return lambda jobs: in_processes(partial(play, watch=watch), jobs, processes)


def _digest_of(header: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all data at the start of a battle."""
    known = {key: value for key, value in header.items() if key not in {"program", "seed"}}
    words = json.dumps(known, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(words.encode()).hexdigest()
