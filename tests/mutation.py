"""Mutation run: change the rules of a system in small ways and see whether a test fails.

Run it with ``python -m tests.mutation`` (extra `mutation`); it is no part of the suite. It draws
mutants by a seed, runs for each the tests that execute the changed lines, and prints those that
survive. `tests.executed_lines` tells which tests those are.

The tests are collected once. Each mutant is tried in a process that is forked from there and
changes the loaded function. Only mutants that run while modules load (tables, default arguments)
need a process that loads the modules again.

``tests/equivalent_mutants.txt`` lists mutants that no test can tell from the original, each with
the reason below it. They are counted apart.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.executed_lines import OPTIONS, Executed, make_map, map_of, read_map
from tests.mutants import ROOT, RULES, Mutant, all_mutants
from tests.patching import function_path, load_changed, patch

EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
SUITES = ("tests/rules/{system}", "tests/rulekit", "tests/battle")
EMLIA_SUITES = ("tests/rules", "tests/battle")
"""The tests that may execute the rules of a system, and Emlia's, which more of them use."""
LOADED_ONCE = ("numpy", "shapely", "pydantic", "click", "rich", "PIL.Image")
"""Libraries that every run of tests needs; loaded before the processes part."""

MOST_MEMORY = 6 * 2**30
KILLED, NOT_PATCHED = 1, 77
"""Exit statuses; any other but 0 is a process that a mutant has ended."""


@dataclass(frozen=True)
class Trial:
    """A mutant, or the original, and the tests to run against it, in their order.

    most_seconds : after which a test ends the process, as a mutant may loop for ever; 0 for none
    """

    mutant: Mutant | None
    tests: tuple[str, ...]
    most_seconds: float


@dataclass(frozen=True)
class Outcome:
    """The result of a trial.

    status : exit status of its process; negative for a signal that ended it
    failed : the tests that failed: the first alone for a mutant, all for the original
    """

    trial: Trial
    status: int
    failed: tuple[str, ...]


Work = Callable[[Trial], tuple[int, Sequence[str]]]
"""Runs a trial; an exit status and the tests that failed."""


class _Failures:
    """A pytest plugin that notes which tests fail, and ends the process at one that takes long."""

    def __init__(self, most_seconds: float) -> None:
        self.failed: list[str] = []
        self.most_seconds = int(most_seconds)

    def pytest_runtest_logstart(self) -> None:
        signal.alarm(self.most_seconds)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


class _Chosen(_Failures):
    """A pytest plugin that runs some tests alone, in their order."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial.most_seconds)
        self.tests = trial.tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = chosen_of(self.tests, items)


class _FromHere:
    """A pytest plugin that tries mutants on the collected tests, instead of running these."""

    def __init__(self, trials: Sequence[Trial], jobs: int, tell: Callable[[Outcome], None]) -> None:
        self.trials = trials
        self.jobs = jobs
        self.tell = tell

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("tests cannot be collected")
        gc.collect()
        gc.freeze()
        for outcome in run_all(self.trials, self.jobs, partial(_on_loaded, session.items)):
            self.tell(outcome)
        return True


def chosen_of(tests: Sequence[str], items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the collected tests in the order of *tests*, which are names or paths of tests."""
    by_name = {item.nodeid: item for item in items}
    chosen = dict[pytest.Item, None]()
    for test in tests:
        inside = (f"{test.rstrip('/')}/", f"{test}::")
        found = [by_name[test]] if test in by_name else items
        chosen |= {item: None for item in found if f"{item.nodeid}::".startswith(inside)}
    return list(chosen)


def run_all(trials: Sequence[Trial], jobs: int, work: Work) -> Iterator[Outcome]:
    """Run each trial in a process of its own, several at once, and yield how each ends."""
    waiting, running = list(trials), dict[int, tuple[Trial, int]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            trial = waiting.pop(0)
            end, start = os.pipe()
            running[_process(partial(_worked, work, trial, start))] = trial, end
            os.close(start)
        child, status = os.wait()
        if child in running:
            trial, end = running.pop(child)
            with os.fdopen(end, encoding="utf-8") as told:
                failed = tuple(told.read().splitlines())
            yield Outcome(trial, os.waitstatus_to_exitcode(status), failed)


def _worked(work: Work, trial: Trial, start: int) -> int:
    """Run a trial within limits of time and memory; its status, and what failed into a pipe."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(trial.most_seconds))
    _silence()
    status, failed = work(trial)
    os.write(start, "\n".join(failed).encode()[: 2**15])
    return status


def _on_loaded(items: Sequence[pytest.Item], trial: Trial) -> tuple[int, Sequence[str]]:
    """Run a trial with modules and tests that are loaded."""
    if trial.mutant is not None and not patch(trial.mutant):
        return NOT_PATCHED, ()
    chosen = chosen_of(trial.tests, items)
    found = _Failures(trial.most_seconds)
    for item, after in pairwise([*chosen, None]):
        assert item is not None
        if item is chosen[0]:
            item.config.pluginmanager.register(found)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if found.failed and trial.mutant is not None:
            break
    return KILLED if found.failed else 0, found.failed


def _on_import(trial: Trial) -> tuple[int, Sequence[str]]:
    """Run a trial in a process that has loaded neither rules nor tests."""
    if trial.mutant is not None:
        load_changed(trial.mutant)
    chosen = _Chosen(trial)
    files = sorted({test.split("::")[0] for test in trial.tests})
    status = pytest.main([*OPTIONS, "-x", *files], plugins=[chosen])
    passed = status in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return 0 if passed else KILLED, chosen.failed


def suites_of(rules: Path) -> tuple[str, ...]:
    """Return the files and folders of the tests for the rules of a system."""
    if rules == RULES:
        return EMLIA_SUITES
    return tuple(suite.format(system=rules.name) for suite in SUITES)


def collected_run(trials: Sequence[Trial], jobs: int, suites: Sequence[str]) -> Iterator[Outcome]:
    """Collect the tests in a process, run the trials from there, and yield how each ends.

    suites : files and folders of the tests

    Raises
    ------
    SystemExit
        The tests cannot be collected.
    """
    end, start = os.pipe()
    child = _process(partial(_collected, trials, jobs, suites, start))
    os.close(start)
    with os.fdopen(end, encoding="utf-8") as told:
        for line in told:
            place, status, failed = json.loads(line)
            yield Outcome(trials[place], status, tuple(failed))
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit("the tests cannot be collected")


def _collected(trials: Sequence[Trial], jobs: int, suites: Sequence[str], start: int) -> int:
    _silence()
    place = {id(trial): place for place, trial in enumerate(trials)}

    def tell(outcome: Outcome) -> None:
        line = json.dumps([place[id(outcome.trial)], outcome.status, outcome.failed])
        os.write(start, f"{line}\n".encode())

    status = pytest.main([*OPTIONS, *suites], plugins=[_FromHere(trials, jobs, tell)])
    return int(status)


def _process(work: Callable[[], int]) -> int:
    """Do some work in a process that parts here and ends with its status; the process."""
    child = os.fork()
    if not child:
        status = KILLED
        try:
            status = work()
        finally:
            os._exit(status)
    return child


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def executed(rules: Path, rebuild: bool, learn: Sequence[str]) -> Executed:
    """Which test executes which line: as an earlier run found, or found now.

    learn : tests to add to what an earlier run found
    """
    if (anew := rebuild or not map_of(rules).is_file()) or learn:
        suites = suites_of(rules) if anew else learn
        child = _process(lambda: make_map(rules, suites, _say, onto_old=not anew))
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise SystemExit("the suite could not be run under coverage")
    known = read_map(rules)
    if known.is_stale:
        _say("sources or tests have changed since the map was made; --rebuild makes it again")
    return known


def equivalents() -> dict[str, str]:
    """The mutants that are listed as equivalent, by key, with the reason."""
    text = EQUIVALENT.read_text("utf-8") if EQUIVALENT.is_file() else ""
    return dict(re.findall(r"^(\S.*)\n    (\S.*)$", text, re.MULTILINE))


def outcomes(
    mutants: Sequence[Mutant], known: Executed, given: argparse.Namespace
) -> Iterator[Outcome]:
    """Try mutants; yield each with what the tests made of it."""
    loaded, fresh = list[Trial](), list[Trial]()
    usual = suites_of(RULES.parent / given.system)
    suites = [*usual, *(path for path in given.tests if not path.startswith(usual))]
    for mutant in mutants:
        tests = known.tests_of(mutant, given.seconds)
        longest = max((known.seconds[test] for test in tests), default=0)
        trial = Trial(mutant, (*tests, *given.tests), 60 + 5 * longest)
        in_place = function_path(mutant) and not known.runs_on_import(mutant)
        (loaded if in_place else fresh).append(trial)
    killers = dict[str, None]()
    for outcome in collected_run(loaded, given.jobs, suites):
        if outcome.status == NOT_PATCHED:
            fresh.append(outcome.trial)
            continue
        killers |= dict.fromkeys(outcome.failed)
        yield outcome
    for outcome in run_all(fresh, given.jobs, _on_import):
        killers |= dict.fromkeys(outcome.failed)
        yield outcome
    original = Trial(None, tuple(killers), 0)
    yield from collected_run([original], 1, suites)


def main() -> int:
    """Try a sample of mutants and print what survived; 1 where under the asked kill rate."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=main.__doc__)
    parser.add_argument("--system", default=RULES.name, help="the rules [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample [default: 1]")
    parser.add_argument("--count", type=int, default=200, help="sample size [default: 200]")
    parser.add_argument("--only", default="", help="files whose path contains this text")
    parser.add_argument("--again", type=Path, help="the survivors that this log of a run names")
    parser.add_argument("--tests", nargs="*", default=[], help="tests to run for every mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    parser.add_argument("--seconds", type=float, default=90.0, help="longest tests per mutant")
    parser.add_argument("--at-least", type=float, default=95.0, help="required kill rate, percent")
    parser.add_argument("--learn", nargs="*", default=[], help="tests to add to the map of lines")
    parser.add_argument("--verbose", action="store_true", help="print the killed too")
    parser.add_argument("--rebuild", action="store_true", help="learn the executed lines again")
    given = parser.parse_args()
    os.chdir(ROOT)
    for name in LOADED_ONCE:
        importlib.import_module(name)
    sample = _sample(given)
    listed = equivalents()
    trying = [mutant for mutant in sample if mutant.key not in listed]
    found = Counter[str]()
    unsound: tuple[str, ...] = ()
    known = executed(RULES.parent / given.system, given.rebuild, given.learn)
    for outcome in outcomes(trying, known, given):
        if outcome.trial.mutant is None:
            unsound = outcome.failed
            continue
        name = "killed" if outcome.status else "survived"
        name = name if outcome.trial.tests else "not executed"
        found[name] += 1
        if given.verbose or name != "killed":
            by = f" by {outcome.failed[0]}" if outcome.failed else ""
            _say(f"{name}: {outcome.trial.mutant.key} (line {outcome.trial.mutant.line}){by}")
    for test in unsound:
        _say(f"fails without any change, so its kills do not count: {test}")
    decided, equivalent = len(trying) or 1, len(sample) - len(trying)
    rate = 100 * found["killed"] / decided
    _say(
        f"seed {given.seed}: {found['killed']} of {decided} killed ({rate:.1f}%), "
        f"{found['not executed']} not executed; "
        f"{equivalent} listed as equivalent ({100 * equivalent / (len(sample) or 1):.1f}%)"
    )
    return int(rate < given.at_least or bool(unsound))


def moved(key: str, known: Iterable[str]) -> list[str]:
    """Return the keys that may be what a key has become: the same change under another name.

    In another function of the same file, or in a function of the same name in another file.
    """
    name, _, change = key.partition(": ")
    file, _, where = name.partition(" ")
    found = []
    for other in known:
        as_named, _, as_changed = other.partition(": ")
        if as_changed == change and (
            as_named.startswith(f"{file} ") or as_named.endswith(f" {where}")
        ):
            found.append(other)
    return found


def _sample(given: argparse.Namespace) -> list[Mutant]:
    """The mutants to try; says which listed ones no longer exist, and what they may be now."""
    every = all_mutants(RULES.parent / given.system)
    listed, keys = equivalents().keys(), {mutant.key for mutant in every}
    of_the_system = f"emlia3d/rules/{given.system}/"
    for key in sorted(key for key in listed - keys if key.startswith(of_the_system)):
        _say(f"listed as equivalent, but no mutant is: {key}")
        for now in sorted(moved(key, keys - listed)):
            _say(f"    the same change is now: {now}")
    if given.again:
        named = re.findall(
            r"^(?:survived|not executed): (.*) \(line \d+\)$",
            given.again.read_text("utf-8"),
            re.MULTILINE,
        )
        return [mutant for mutant in every if mutant.key in set(named)]
    every = [mutant for mutant in every if given.only in mutant.file]
    return Random(given.seed).sample(every, min(given.count, len(every)))


if __name__ == "__main__":
    raise SystemExit(main())
