"""Compares the entries that the marked tests have proven with the lists of untested rules.

Tests may run in several processes: each tells what its tests have proven when it ends, and the one
that the user started compares. It does so only when all of ``tests/rules`` has run and passed.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from emlia3d.rules.catalogue import SYSTEMS, catalogue, import_rule_modules, untested
from tests.rules.proofs import Proofs

HERE = Path(__file__).parent


def conformance_files() -> set[str]:
    """Return the test files of the folder."""
    return {path.relative_to(HERE).as_posix() for path in HERE.rglob("test_*.py")}


def difference(system: str, entries: set[str]) -> list[str]:
    """Return the slugs that are listed as untested and proven, or neither."""
    return sorted(set(untested(system)) ^ (set(catalogue(system)) - entries))


def rewrite(system: str, entries: set[str]) -> None:
    """List as untested what has not been proven."""
    listed = Path(str(files("emlia3d.rules").joinpath("untested", f"{system}.txt")))
    slugs = [slug for slug in catalogue(system) if slug not in entries]
    listed.write_text("".join(f"{slug}\n" for slug in slugs), encoding="utf-8")


class Proving:
    """A pytest plugin: watches the marked tests, and compares at the end.

    told : what the processes have told: the marked tests there are, those of them that passed, the
        entries that they have proven, and the files that were collected
    """

    def __init__(self) -> None:
        self._proofs: Proofs | None = None
        self.told: dict[str, set[str]] = {
            key: set() for key in ("marked", "passed", "entries", "files")
        }
        self.wrong: dict[str, list[str]] = {}
        # Paths are compared once for each file, not for each of thousands of tests.
        self._in_folder: dict[Path, bool] = {}

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if item.path not in self._in_folder:
            self._in_folder[item.path] = item.path.is_relative_to(HERE)
            if self._in_folder[item.path]:
                self.told["files"].add(item.path.relative_to(HERE).as_posix())
        if not self._in_folder[item.path]:
            return
        if item.get_closest_marker("rule") and not item.get_closest_marker("slow"):
            self.told["marked"].add(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        slugs = {slug for mark in item.iter_markers("rule") for slug in mark.args}
        if not slugs:
            return (yield)
        if self._proofs is None:
            import_rule_modules()
            self._proofs = Proofs()
        with self._proofs.of(slugs):
            result = yield
        self.told["passed"].add(item.nodeid)
        self.told["entries"] |= self._proofs.entries
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a process of pytest-xdist has told."""
        for key, values in getattr(node, "workeroutput", {}).get("proofs", {}).items():
            self.told[key].update(values)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            told = {key: sorted(values) for key, values in self.told.items()}
            session.config.workeroutput["proofs"] = told
        elif self.ran_whole():
            import_rule_modules()
            if session.config.getoption("--regenerate"):
                for system in SYSTEMS:
                    rewrite(system, self.told["entries"])
            found = {system: difference(system, self.told["entries"]) for system in SYSTEMS}
            self.wrong = {system: slugs for system, slugs in found.items() if slugs}
            if self.wrong and not session.exitstatus:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.wrong:
            terminalreporter.section("rules that are listed wrongly as tested or untested")
        for system, slugs in self.wrong.items():
            terminalreporter.line(f"{system}: {', '.join(slugs)}")
            terminalreporter.line("pytest tests/rules --regenerate")

    def ran_whole(self) -> bool:
        """Whether all of the folder was collected, and each marked test has run and passed."""
        return (
            conformance_files() <= self.told["files"] and self.told["marked"] <= self.told["passed"]
        )
