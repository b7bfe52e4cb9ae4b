"""Measurements of a task: time, memory, and baselines in the same run."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from emlia3d.errors import quoted
from emlia3d.studies.growth import forecast
from emlia3d.studies.host import SyntheticArmies, Task, checksum
from emlia3d.studies.tasks import KINDS, TaskSpec

_ENOUGH_S, _ROUNDS = 0.5, 20
"""Short work is repeated for these seconds, or this many rounds; the best round counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison of a baseline with a kernel.

    ratio : CPU time per counted item relative to the kernel, independent of threads and other
        programs; None if not installed
    agrees : whether its result is the same
    """

    name: str
    ratio: float | None
    agrees: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One task at one size.

    seconds : minimum wall-clock time; for turns, the longest of six
    processor : CPU time of all threads
    bytes : peak memory; None if it took too long
    """

    task: str
    ground: str
    figures: int
    units: int
    counted: str
    count: int
    seconds: float
    processor: float
    bytes: int | None
    checksum: str
    baselines: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedSize:
    """A size that would have taken too long."""

    task: str
    ground: str
    figures: int
    forecast: float


def kinds_of(names: str) -> Sequence[TaskSpec]:
    """Return the tasks with these names; raise BadParameter for an unknown name."""
    known = [kind.name for kind in KINDS]
    wanted = names.split(",")
    for name in wanted:
        if name not in known:
            raise click.BadParameter(
                f"--tasks: unknown task {quoted(name)}; there are {', '.join(known)}"
            )
    return [kind for kind in KINDS if kind.name in wanted]


def measures(
    kinds: Sequence[TaskSpec], figures: Sequence[int], limit: float, *, seed: int, unit: int
) -> Iterator[Measure | SkippedSize]:
    """Yield the measurements of every task on its grounds, from the smallest size on."""
    for kind in kinds:
        for ground in ("level",) * kind.on_level + ("hills",) * kind.on_hills:
            sizes: list[float] = []
            seconds: list[float] = []
            for size in figures:
                ahead = forecast(sizes, seconds, size) if sizes else 0.0
                if ahead > limit:
                    yield SkippedSize(
                        task=kind.name, ground=ground, figures=size, forecast=round(ahead, 1)
                    )
                    continue
                host = SyntheticArmies(size, hills=ground == "hills", seed=seed, unit=unit)
                best, measure = _measure(kind, host, limit)
                sizes.append(size)
                seconds.append(best.whole)
                yield measure


def _measure(kind: TaskSpec, host: SyntheticArmies, limit: float) -> tuple[_Best, Measure]:
    task = kind.make(host)
    best = _best(task)
    return best, Measure(
        task=kind.name,
        ground="hills" if host.hills else "level",
        figures=host.figures,
        units=host.units,
        counted=task.counted,
        count=task.count,
        seconds=best.seconds,
        processor=best.processor,
        bytes=_held(task) if best.whole < limit / 5 else None,
        checksum=checksum(best.result),
        baselines=tuple(_baselines(task, best.processor / task.count, best.result)),
    )


@dataclass(frozen=True, slots=True)
class _Best:
    """Minimum times of several rounds, for the longest lap and for all laps together.

    seconds, processor : wall-clock time and CPU time of the longest lap
    whole : wall-clock time of all laps
    """

    seconds: float
    processor: float
    whole: float
    result: Any


def _best(task: Task) -> _Best:
    """Measure rounds until enough time has passed."""
    rounds: list[_Best] = []
    while len(rounds) < _ROUNDS and sum(done.whole for done in rounds) <= _ENOUGH_S:
        rounds.append(_round(task))
    return _Best(
        min(done.seconds for done in rounds),
        min(done.processor for done in rounds),
        min(done.whole for done in rounds),
        rounds[-1].result,
    )


def _round(task: Task) -> _Best:
    """Measure one round, lap by lap."""
    laps, result = task.laps(task.fresh()), None
    seconds, processor = [], []
    start, worked = time.perf_counter(), time.process_time()
    for so_far in laps:
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - worked)
        result = so_far
        start, worked = time.perf_counter(), time.process_time()
    return _Best(max(seconds), max(processor), sum(seconds), result)


def _held(task: Task) -> int:
    """Return the peak memory of the work beyond its input, bytes."""
    given = task.fresh()
    tracemalloc.start()
    try:
        task.work(given)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _baselines(task: Task, each: float, result: Any) -> Iterator[Comparison]:
    for baseline in task.baselines:
        try:
            work = baseline.make()
        except ImportError:
            yield Comparison(name=baseline.name, ratio=None, agrees=None)
            continue
        agrees = baseline.agrees(work(), result)
        taken = min(_timed(baseline.make() if baseline.keeps else work) for _ in range(2))
        ratio = round(taken / baseline.count / each, 2)
        yield Comparison(name=baseline.name, ratio=ratio, agrees=agrees)


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
