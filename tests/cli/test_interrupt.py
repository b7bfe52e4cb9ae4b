"""Ctrl-C ends a battle wherever it lands, even where Python drops exceptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from emlia3d.cli import interrupt
from emlia3d.cli.drawing import show_in_window
from emlia3d.scenario import load

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")

ROOT = Path(__file__).parents[2]

_FALLS = """
import signal, sys, weakref
from collections import Counter
from emlia3d.battle import battle, flow
from emlia3d.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)
where, words = sys.argv[1], sys.argv[2:]

class Finalised:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

class Referred:
    pass

def press():
    if where == "finaliser":
        Finalised()
    elif where == "weak reference":
        referred = Referred()
        press.kept = weakref.ref(referred, lambda _: signal.raise_signal(signal.SIGINT))
        del referred
    else:
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            pass

happen, seen = battle.Battle.happen, Counter()

def counted(self, event):
    seen["events"] += 1
    happen(self, event)
    if seen["events"] == 7:
        press()

battle.Battle.happen = counted
status = main(words)
print(seen["events"])
sys.exit(status)
"""


@pytest.mark.long
@pytest.mark.parametrize("where", ["finaliser", "weak reference", "what drops all exceptions"])
@pytest.mark.parametrize(
    "words",
    [
        ["battle", "duel", "--headless"],
        ["battle", "duel", "--times", "2", "--processes", "1"],
        ["play", "duel", "--text"],
    ],
)
def test_an_interrupt_that_is_dropped_ends_the_battle_at_the_next_event(
    tmp_path: Path, where: str, words: list[str]
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    ended = subprocess.run(
        [sys.executable, "-c", _FALLS, where, *words],
        input="rest\n" * 50, cwd=tmp_path, capture_output=True, text=True, env=environment,
        timeout=120, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (130, "emlia3d: interrupted\n")
    assert int(ended.stdout.splitlines()[-1]) in {7, 8}


_LOADING = """
import signal, sys
from emlia3d.__main__ import main

class Pressed:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Pressed())
main()
"""


@pytest.mark.parametrize("module", ["emlia3d.cli", "click", "emlia3d.cli.interrupt"])
def test_an_interrupt_while_the_command_line_is_loaded_is_one_line(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _LOADING, module],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (130, "emlia3d: interrupted\n")


def test_an_interrupt_that_nothing_heeds_is_still_told(run, monkeypatch) -> None:
    def deaf() -> list[tuple[str, str, str]]:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return [("duel", "Duel", "")]

    monkeypatch.setattr("emlia3d.cli.scenario.bundled.shipped", deaf)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        told = run(["scenarios"])
    finally:
        signal.signal(signal.SIGINT, before)

    assert (told.status, told.err) == (130, "emlia3d: interrupted\n")


def test_a_window_heeds_an_interrupt_before_its_next_frame(
    bandits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread of the window does not: only the main thread can end the command."""
    watched: dict[str, Any] = {}
    monkeypatch.setattr("emlia3d.view.watch", lambda *told, **named: watched.update(named))
    show_in_window(load(bandits).battle(), ())
    pressed = threading.Event()
    pressed.set()
    monkeypatch.setattr(interrupt, "_pressed", pressed)

    with ThreadPoolExecutor() as pool:
        pool.submit(watched["each_frame"]).result()
    with pytest.raises(KeyboardInterrupt):
        watched["each_frame"]()


def test_what_ignores_interrupts_goes_on_ignoring_them() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupt.noted():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
        interrupt.heed()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_command_that_runs_in_a_thread_leaves_signals_alone() -> None:
    before, seen = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with interrupt.noted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert seen == [before]
