"""A process ends well although a window, or a picture buffer on a screen, is still open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.on_screen import last_line_on_screen

PROGRAM = """
from emlia3d.scenario import load
from emlia3d.view.panda.app import App

battle = load("bandits").battle()
apps = [
    App(battle.setup, battle.state, (), offscreen=offscreen, size=(320, 180))
    for offscreen in (False, True)
]
for app in apps:
    app.step(0.1)
print("left open")
"""


@pytest.mark.long
def test_windows_that_are_left_open_do_not_abort_the_process(screen: str, tmp_path: Path) -> None:
    assert last_line_on_screen(PROGRAM, screen, tmp_path) == "left open"
