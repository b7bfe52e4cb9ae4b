"""Mutation run: change the rules of Emlia in small ways and see whether a test fails.

Run it with ``python -m tests.mutation`` (extra `mutation`); it is no part of the suite. It draws
mutants by a seed, runs for each the tests that execute the changed lines, and prints those that
survive. The first run plays the suite once under `coverage` to learn which test executes which
line, and keeps that in the folder ``.mutation`` until a source or a test changes.

``tests/equivalent_mutants.txt`` lists mutants that no test can tell from the original, each with
the reason below it. They are counted apart.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from tests.mutants import ROOT, Mutant, all_mutants

MAP = ROOT / ".mutation"
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
SUITES = ("tests/rules", "tests/scenario", "tests/battle", "tests/study", "tests/cli")
BATTLES = "tests/rules/emlia/test_golden"
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", f"--rootdir={ROOT}")
LOADED_ONCE = ("numpy", "shapely", "pydantic", "typer", "rich", "PIL.Image")
"""Libraries that every run of tests needs; loaded before the processes part."""

MOST_MEMORY = 6 * 2**30
NO_TESTS = 5


@dataclass(frozen=True, slots=True)
class Executed:
    """Which tests execute which lines, and how long each takes.

    lines : file -> line -> tests
    seconds : test -> duration
    """

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def tests_of(self, mutant: Mutant, most_seconds: float) -> list[str]:
        """The tests that execute a mutant, the shortest first, up to a total duration.

        Code that runs on import alone (tables, default arguments) is covered by every test of the
        module, and by whole battles.
        """
        by_line = self.lines.get(mutant.file, {})
        found = {test for n in range(mutant.line, mutant.end + 1) for test in by_line.get(n, ())}
        if not found:
            found = {test for tests in by_line.values() for test in tests}
            found |= {test for test in self.seconds if test.startswith(BATTLES)}
        chosen, total = [], 0.0
        for test in sorted(found, key=lambda test: (self.seconds[test], test)):
            total += self.seconds[test]
            if chosen and total > most_seconds:
                break
            chosen.append(test)
        return chosen


class _Timed:
    """A pytest plugin that names the running test to coverage and notes how long it takes."""

    def __init__(self, coverage: Any) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        yield
        self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)


class _Chosen:
    """A pytest plugin that runs some tests alone, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place),
            key=lambda item: self.place[item.nodeid],
        )


class _Mutated(SourceFileLoader, MetaPathFinder):
    """Loads one module from changed source, all others as ever."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        super().__init__(name, str(ROOT / mutant.file))
        self.source = mutant.source()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


def executed(rebuild: bool) -> Executed:
    """Which test executes which line: as kept from an earlier run, or found now."""
    kept = MAP / "map.json"
    state = _digest()
    if kept.is_file() and not rebuild:
        body = json.loads(kept.read_text("utf-8"))
        if body["state"] != state:
            _say("sources or tests have changed since the map was made; --rebuild makes it anew")
        lines = {
            file: {int(line): [body["tests"][i] for i in tests] for line, tests in by.items()}
            for file, by in body["lines"].items()
        }
        return Executed(lines, body["seconds"])
    MAP.mkdir(exist_ok=True)
    child = _process(lambda: _make_map(kept, state))
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit("the suite could not be run under coverage")
    return executed(rebuild=False)


def _make_map(kept: Path, state: str) -> int:
    coverage = importlib.import_module("coverage").Coverage(
        data_file=None, config_file=False, source=[str(ROOT / "emlia3d" / "rules" / "emlia")]
    )
    timed = _Timed(coverage)
    coverage.start()
    pytest.main(["-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", *SUITES], plugins=[timed])
    coverage.stop()
    for test in timed.failed:
        _say(f"fails without any change, left out: {test}")
    tests = [test for test in timed.seconds if test not in timed.failed]
    number = {test: place for place, test in enumerate(tests)}
    data = coverage.get_data()
    lines = {
        Path(file).relative_to(ROOT).as_posix(): {
            line: sorted(number[test] for test in contexts if test in number)
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    seconds = {test: round(timed.seconds[test], 4) for test in tests}
    body = {"state": state, "tests": tests, "seconds": seconds, "lines": lines}
    kept.write_text(json.dumps(body), encoding="utf-8")
    return 0


def _digest() -> str:
    found = hashlib.sha256()
    for path in sorted([*ROOT.glob("emlia3d/**/*.py"), *ROOT.glob("tests/**/*.py")]):
        found.update(path.read_bytes())
    return found.hexdigest()


def equivalents() -> dict[str, str]:
    """The mutants that are listed as equivalent, by key, with the reason."""
    text = EQUIVALENT.read_text("utf-8") if EQUIVALENT.is_file() else ""
    return dict(re.findall(r"^(\S.*)\n    (\S.*)$", text, re.MULTILINE))


def run_all(
    mutants: Sequence[Mutant], known: Executed, jobs: int, most_seconds: float
) -> Iterator[tuple[Mutant, str]]:
    """Try mutants, several at once; yield each with "killed", "survived" or "not executed"."""
    waiting, running = list(mutants), dict[int, tuple[Mutant, float]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            tests = known.tests_of(mutant, most_seconds)
            if not tests:
                yield mutant, "not executed"
                continue
            expected = sum(known.seconds[test] for test in tests)
            child = _process(partial(_tried, mutant, tests))
            running[child] = mutant, time.monotonic() + 60 + 5 * expected
        for child, (mutant, deadline) in list(running.items()):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                del running[child]
                yield mutant, "killed" if os.waitstatus_to_exitcode(status) else "survived"
            elif time.monotonic() > deadline:
                with suppress(ProcessLookupError):
                    os.kill(child, 9)
        time.sleep(0.02)


def _tried(mutant: Mutant | None, tests: Sequence[str]) -> int:
    """Run tests against a mutant or the original, in a process of its own; 0 if all pass."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    if mutant is not None:
        sys.meta_path.insert(0, _Mutated(mutant))
    files = sorted({test.split("::")[0] for test in tests})
    status = pytest.main([*OPTIONS, *files], plugins=[_Chosen(tests)])
    return 0 if status == NO_TESTS else int(status)


def check_original(known: Executed) -> None:
    """Run one quick test of the original.

    Raises
    ------
    SystemExit
        It fails, so that every mutant would count as killed.
    """
    test = min(known.seconds, key=lambda test: (known.seconds[test], test))
    child = _process(partial(_tried, None, [test]))
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit(f"fails without any change: {test}")


def _process(work: Callable[[], int]) -> int:
    """Do some work in a process that parts here and ends with its status; the process."""
    child = os.fork()
    if not child:
        status = 1
        try:
            status = work()
        finally:
            os._exit(status)
    return child


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Try a sample of mutants and print what survived; 1 where under the asked kill rate."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="draws the sample [default: 1]")
    parser.add_argument("--count", type=int, default=200, help="sample size [default: 200]")
    parser.add_argument("--only", default="", help="files whose path contains this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    parser.add_argument("--seconds", type=float, default=90.0, help="longest tests per mutant")
    parser.add_argument("--at-least", type=float, default=95.0, help="required kill rate, percent")
    parser.add_argument("--rebuild", action="store_true", help="learn the executed lines anew")
    given = parser.parse_args()
    os.chdir(ROOT)
    for name in LOADED_ONCE:
        importlib.import_module(name)
    every = [mutant for mutant in all_mutants() if given.only in mutant.file]
    sample = Random(given.seed).sample(every, min(given.count, len(every)))
    listed = equivalents()
    found = Counter[str]()
    for mutant in sample:
        found["equivalent"] += mutant.key in listed
    trying = [mutant for mutant in sample if mutant.key not in listed]
    known = executed(given.rebuild)
    check_original(known)
    for mutant, outcome in run_all(trying, known, given.jobs, given.seconds):
        found[outcome] += 1
        if outcome != "killed":
            _say(f"{outcome}: {mutant}")
    decided = len(trying) or 1
    rate = 100 * found["killed"] / decided
    share = 100 * found["equivalent"] / (len(sample) or 1)
    _say(
        f"seed {given.seed}: {found['killed']} of {decided} killed ({rate:.1f}%); "
        f"{found['equivalent']} listed as equivalent ({share:.1f}% of {len(sample)})"
    )
    return int(rate < given.at_least)


if __name__ == "__main__":
    raise SystemExit(main())
