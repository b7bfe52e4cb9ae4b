"""A command of the program in a real window, on the X display of the fixture `screen`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

NO_WINDOW = (
    "no display found",
    "no renderer on this machine can open a window",
    "opens no window here",
    "cannot be opened",
)
"""Parts of the errors on a machine that opens no window, as `DisplayError` words them."""


@contextmanager
def in_a_window(screen: str, folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run ``emlia3d`` with these words in a folder, which also has its settings; end it after."""
    settings = {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-m", "emlia3d", *words], cwd=folder, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, **settings, "DISPLAY": screen, "PYTHONPATH": str(ROOT)},
    ) as program:  # fmt: skip
        try:
            yield program
        finally:
            program.terminate()


def require_running(program: subprocess.Popen[str]) -> None:
    """Fail if the program has ended; skip if it did because this machine opens no window."""
    if program.poll() is None:
        return
    told = program.communicate()[1]
    if any(words in told for words in NO_WINDOW):
        pytest.skip(told)
    raise AssertionError(told)


def last_line_on_screen(program: str, screen: str, folder: Path) -> str:
    """Return the last line that a Python program prints which runs on a screen."""
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "DISPLAY": screen, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    if "DisplayError" in told.stderr:
        pytest.skip(told.stderr.splitlines()[-1])
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()[-1]
