"""A battle played in a real window, on a screen that nobody sees."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, time
from pathlib import Path
from emlia3d.cli.drawing import referee_of
from emlia3d.cli.play import begun, fresh
from emlia3d.scenario import load
from emlia3d.view.orders.desk import Desk
from emlia3d.view.panda.app import App

file = Path("game.battle.jsonl")
battle = begun(load("bandits"), file, 3, 1)
desk = Desk(file, fresh(battle), (0,))
app = App(battle.setup, battle.state, (), referee=referee_of(battle), desk=desk, size=(800, 450))

def wait(so):
    end = time.monotonic() + 120
    while not so():
        assert time.monotonic() < end, "nothing happens"
        app.step(0.5)

wait(lambda: app.viewer.seat.sheet is not None)
image = app.image()
app.viewer.press("1")
app.viewer.press("enter")
wait(lambda: app.viewer.seat.sheet is not None)
app.close()
colours = set(map(tuple, image[::9, ::9].reshape(-1, 3).tolist()))
print(json.dumps({"size": image.shape, "colours": len(colours), "orders": desk.game.orders}))
"""


@pytest.fixture
def screen() -> Iterator[str]:
    """The name of an X display without a monitor."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not on this machine")
    words = [server, "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        number = process.stdout.readline().strip()
        if not number:
            pytest.skip("Xvfb does not start on this machine")
        yield f":{number}"
        process.terminate()


def test_a_battle_is_played_in_a_window_on_a_screen(screen: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env={**os.environ, "DISPLAY": screen, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )

    if "DisplayError" in told.stderr:
        pytest.skip(told.stderr.splitlines()[-1])
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout.splitlines()[-1])
    assert found["size"] == [450, 800, 3]
    assert found["colours"] > 50
    assert found["orders"] == 1
