"""``emlia3d edit`` in a real window, with real keys and a real mouse."""

from __future__ import annotations

import subprocess
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.scenario import check, load
from tests.cli.on_screen import in_a_window, require_running
from tests.cli.x11_input import Typist

PATIENCE_S = 200.0


@pytest.mark.long
def test_a_unit_is_placed_and_the_scenario_is_saved_and_played(screen: str, tmp_path: Path) -> None:
    # The window is as large as the screen, so that their pixels are the same.
    file = tmp_path / "duel.toml"
    file.write_bytes(load("duel").path.read_bytes())
    before = len(tomllib.loads(file.read_text("utf-8"))["unit"])
    words = ("edit", "duel.toml", "--size", "1280x720")
    with in_a_window(screen, tmp_path, *words) as program, Typist(screen) as typist:
        _until(program, lambda: file.read_bytes().count(b"[[unit]]") > before,
               lambda: _place_and_save(typist))  # fmt: skip
        _until(program, (tmp_path / "duel.battle.jsonl").exists,
               lambda: typist.press("f5"))  # fmt: skip

    assert check(file) == ()


def _place_and_save(typist: Typist) -> None:
    """Place a unit at the side of the field, and press Save in the title bar."""
    typist.point(640, 360)
    typist.press("y", "2")
    time.sleep(1)
    typist.click(528, 416)
    time.sleep(1)
    typist.click(975, 19)
    time.sleep(1)


def _until(program: subprocess.Popen[str], so: Callable[[], bool], act: Callable[[], None]) -> None:
    """Do something now and then until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not so():
        require_running(program)
        assert time.monotonic() < end, "nothing happens"
        act()
        pause = time.monotonic() + 3
        while not so() and time.monotonic() < pause:
            time.sleep(0.1)
