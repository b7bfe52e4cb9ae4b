"""Which test executes which line of the rules of a system, for the mutation run.

The first run plays the tests once under `coverage` and writes the result to the folder
``.mutation``. Later runs read it. A file of the rules may change in between: lines are then matched
with the lines that the map knows. Tests that are added later are unknown to it.
"""

from __future__ import annotations

import ast
import difflib
import functools
import hashlib
import importlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants import ROOT, Mutant, module_name, text_of

BATTLES = tuple(f"tests/rules/{system}/test_golden" for system in ("emlia", "runolfsson"))
OPTIONS = ("-q", "-s", "-m", "not slow", "--tb=no", "-p", "no:cacheprovider", f"--rootdir={ROOT}")


@dataclass(frozen=True)
class Executed:
    """Which tests execute which lines, and the duration of each test.

    lines : file -> line -> tests
    on_import : file -> lines that run before the first test
    seconds : test -> duration under coverage
    texts : file -> its source when the map was made
    state : digest of all sources and tests at that time
    """

    lines: dict[str, dict[int, list[str]]]
    on_import: dict[str, set[int]]
    seconds: dict[str, float]
    texts: dict[str, str]
    state: str
    _then: dict[str, dict[int, int]] = field(default_factory=dict)

    @functools.cached_property
    def is_stale(self) -> bool:
        """Whether a source or a test has changed since the map was made."""
        return self.state != state_of_sources()

    def tests_of(self, mutant: Mutant, most_seconds: float) -> list[str]:
        """Return the tests that execute a mutant, shortest first, up to a total duration.

        Recorded battles and answers, which notice most changes, have as much time of their own.
        For code that runs only on import (tables, default arguments) any test may use the result.
        The tests of the files that import the module come first, then those of all files that
        execute it or a module that imports it.
        """
        by_line = self.lines.get(mutant.file, {})
        found = {test for n in self._lines_of(mutant) for test in by_line.get(n, ())}
        near = set[str]()
        if not found:
            near, found = self._tests_of_module(mutant.file)
        chosen = self._shortest(near, most_seconds) if near else []
        chosen += self._shortest(found.difference(chosen), most_seconds)
        recorded = {test for test in found.difference(chosen) if test.startswith(BATTLES)}
        return [*chosen, *self._shortest(recorded, most_seconds)]

    def _tests_of_module(self, file: str) -> tuple[set[str], set[str]]:
        """The tests of the files that import a module, and of all that may use it."""
        users = {file, *(path for path in self.texts if is_imported(file, path))}
        names = {file_of(test) for test in self.seconds}
        near = {name for name in names if is_imported(file, name)}
        using = {file_of(test) for user in users for test in self._tests_in(user)}
        using |= near | {name for name in names if name.startswith(BATTLES)}
        return (
            {test for test in self.seconds if file_of(test) in near},
            {test for test in self.seconds if file_of(test) in using},
        )

    def _tests_in(self, file: str) -> set[str]:
        """The tests that execute any line of a module."""
        return {test for tests in self.lines.get(file, {}).values() for test in tests}

    def _shortest(self, tests: Iterable[str], most_seconds: float) -> list[str]:
        """Return the shortest of some tests, at least one, up to a total duration."""
        chosen, total = [], 0.0
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            total += self.seconds[test]
            if chosen and total > most_seconds:
                break
            chosen.append(test)
        return chosen

    def runs_on_import(self, mutant: Mutant) -> bool:
        """Return whether the mutant runs before the first test, when modules are loaded."""
        return not self.on_import.get(mutant.file, set()).isdisjoint(self._lines_of(mutant))

    def _lines_of(self, mutant: Mutant) -> list[int]:
        """The lines of a mutant's statement, as they were numbered when the map was made."""
        if mutant.file not in self._then:
            now = text_of(mutant.file)
            self._then[mutant.file] = matched_lines(self.texts.get(mutant.file, now), now)
        then = self._then[mutant.file]
        return [then[n] for n in range(mutant.line, mutant.end + 1) if n in then]


def file_of(test: str) -> str:
    """Return the file of a test, below the root of the project."""
    return test.partition("::")[0]


@functools.cache
def imports_of(file: str) -> frozenset[str]:
    """Return the full names of the modules, and of what is in them, that a file imports."""
    found = set[str]()
    for node in ast.walk(ast.parse(text_of(file))) if (ROOT / file).is_file() else ():
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def is_imported(file: str, by: str) -> bool:
    """Return whether a file imports a module, which is given by its file too."""
    return module_name(file) in imports_of(by)


def matched_lines(before: str, after: str) -> dict[int, int]:
    """Return for each line of a changed text, counted from 1, the line that it was before.

    Changed lines are matched in order with the lines that they replace; new lines are left out.
    """
    old, new = before.splitlines(), after.splitlines()
    found: dict[int, int] = {}
    for _, i, i_end, j, j_end in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if i < i_end:
            found |= {n + 1: min(i + n - j, i_end - 1) + 1 for n in range(j, j_end)}
    return found


def map_of(rules: Path) -> Path:
    """Return the file of the map for the rules of a system."""
    return ROOT / ".mutation" / f"{rules.name}.json"


def read_map(rules: Path) -> Executed:
    """Return the map that an earlier run wrote."""
    body = json.loads(map_of(rules).read_text("utf-8"))
    lines = {
        file: {int(line): [body["tests"][i] for i in tests] for line, tests in by.items()}
        for file, by in body["lines"].items()
    }
    on_import = {file: set(numbers) for file, numbers in body["on_import"].items()}
    return Executed(lines, on_import, body["seconds"], body["texts"], body["state"])


def write_map(rules: Path, known: Executed) -> None:
    """Write the map for later runs."""
    tests = list(known.seconds)
    number = {test: place for place, test in enumerate(tests)}
    body = {
        "state": known.state,
        "tests": tests,
        "seconds": known.seconds,
        "lines": {
            file: {line: sorted(number[test] for test in found) for line, found in by.items()}
            for file, by in known.lines.items()
        },
        "on_import": {file: sorted(lines) for file, lines in known.on_import.items()},
        "texts": known.texts,
    }
    path = map_of(rules)
    path.parent.mkdir(exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(body), encoding="utf-8")
    new.replace(path)


def make_map(
    rules: Path, suites: Sequence[str], say: Callable[[str], None], *, onto_old: bool = False
) -> int:
    """Play tests under coverage and write the map; 0 as an exit status.

    The calling process must not have loaded the rules yet.

    rules : folder of the rules whose lines are noted
    onto_old : add the tests to the map that an earlier run wrote
    """
    coverage = importlib.import_module("coverage").Coverage(
        data_file=None, config_file=False, source=[str(rules)]
    )
    timed = _Timed(coverage)
    state = state_of_sources()
    texts = {name_of(path): path.read_text("utf-8") for path in sorted(rules.rglob("*.py"))}
    coverage.start()
    pytest.main([*OPTIONS, *suites], plugins=[timed])
    coverage.stop()
    for test in timed.failed:
        say(f"fails without any change, left out: {test}")
    seconds = {test: round(s, 4) for test, s in timed.seconds.items() if test not in timed.failed}
    data = coverage.get_data()
    contexts = {name_of(Path(f)): data.contexts_by_lineno(f) for f in data.measured_files()}
    found = Executed(
        lines={
            file: {line: [test for test in tests if test in seconds] for line, tests in by.items()}
            for file, by in contexts.items()
        },
        on_import={f: {n for n, tests in by.items() if "" in tests} for f, by in contexts.items()},
        seconds=seconds,
        texts=texts,
        state=state,
    )
    write_map(rules, added(read_map(rules), found) if onto_old else found)
    return 0


def added(old: Executed, new: Executed) -> Executed:
    """Return a map with the tests of both, for the sources of the new one."""
    lines, on_import = {}, {}
    for file, after in new.texts.items():
        then = matched_lines(old.texts.get(file, after), after)
        before, now = old.lines.get(file, {}), new.lines.get(file, {})
        lines[file] = {
            n: list(dict.fromkeys((*before.get(then.get(n, 0), ()), *now.get(n, ()))))
            for n in sorted(then.keys() | now.keys())
        }
        was = old.on_import.get(file, set())
        on_import[file] = new.on_import.get(file, set()) | {n for n in then if then[n] in was}
    return Executed(lines, on_import, old.seconds | new.seconds, new.texts, new.state)


def name_of(path: Path) -> str:
    """Return the path of a file below the root of the project."""
    return path.relative_to(ROOT).as_posix()


def state_of_sources() -> str:
    """Return a digest of every source and test."""
    found = hashlib.sha256()
    for path in sorted([*ROOT.glob("emlia3d/**/*.py"), *ROOT.glob("tests/**/*.py")]):
        found.update(path.read_bytes())
    return found.hexdigest()


class _Timed:
    """A pytest plugin that names the running test to coverage and notes its duration."""

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
