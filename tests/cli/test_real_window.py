"""A battle played in a real window, on a screen that nobody sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.cli.on_screen import ROOT, last_line_on_screen
from tests.cli.x11_input import Typist

PROGRAM = """
import json, time
from pathlib import Path
from emlia3d.view.rules import Rules
from emlia3d.cli.game_file import begun, fresh
from emlia3d.scenario import load
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.panda.app import App

file = Path("game.battle.jsonl")
battle = begun(load("bandits"), file, 3, 1)
game_thread = GameThread(file, fresh(battle), (0,))
app = App(
    battle.setup, battle.state, (), rules=Rules(battle), game_thread=game_thread, size=(800, 450)
)

def wait(so):
    end = time.monotonic() + 120
    while not so():
        assert time.monotonic() < end, "nothing happens"
        app.step(0.5)

wait(lambda: app.viewer.entry.sheet is not None)
image = app.image()
app.viewer.press("1")
app.viewer.press("enter")
wait(lambda: app.viewer.entry.sheet is not None)
app.close()
colours = set(map(tuple, image[::9, ::9].reshape(-1, 3).tolist()))
print(json.dumps({"size": image.shape, "colours": len(colours), "orders": game_thread.game.orders}))
"""

SCREEN = """
import time
from emlia3d.scenario import load
from emlia3d.view.panda.app import App
from emlia3d.view.panda.window import with_size_of
from emlia3d.view.window.settings import SettingsStore

battle = load("bandits").battle()
kept = []
app = App(battle.setup, battle.state, (), size=(800, 450), liking=SettingsStore(keep=kept.append))

def frames():
    # The screen takes a moment to change.
    for _ in range(12):
        app.step(0.05)
        time.sleep(0.05)
    return app.size

sizes = [frames()]
for _ in range(2):
    app._press(("f11", None))
    sizes.append(frames())
app.viewer.like(with_size_of(app.surface, app.viewer.liking.settings))
app.close()
print(sizes, kept[0].full_screen, (kept[-1].width, kept[-1].height))
"""

QUICK = """
import os
from emlia3d.scenario import load
from emlia3d.view.panda.app import App
from tests.cli.x11_input import Typist

battle = load("bandits").battle()
app = App(battle.setup, battle.state, (), size=(800, 450))
for _ in range(3):
    app.step(0.1)
left, top = app.surface.output.get_properties().get_origin()
button = dict(app._mouse.layout.buttons)["help"]
with Typist(os.environ["DISPLAY"]) as typist:
    typist.point(left + 400, top + 100)
    typist.press("n")
    typist.click(round(left + button.x + button.w / 2), round(top + button.y + button.h / 2))
    typist.point(left + 400, top + 200)
    for _ in range(2):
        app.step(0.1)
east, north = app._controls.pointer()
there = east == 0 and abs(north - (1 - 2 * 200 / 450)) < 1e-6
told = app.viewer.help, app.viewer.selected is not None, there
app.close()
print(*told)
"""

MENU = """
import os
from pathlib import Path
from emlia3d.cli import settings
from emlia3d.scenario import load
from emlia3d.view.panda.app import App
from tests.cli.x11_input import Typist

Path("settings.toml").write_text('[keys]\\nunit_forward = "u"\\nface_left = "n"\\n')
kept = settings.read(Path("settings.toml"))
battle = load("bandits").battle()
liking = settings.liking(kept, kept.settings)
app = App(battle.setup, battle.state, (), size=(800, 450), liking=liking)
for _ in range(3):
    app.step(0.1)
left, top = app.surface.output.get_properties().get_origin()
with Typist(os.environ["DISPLAY"]) as typist:
    typist.point(left + 400, top + 200)
    typist.press("u")
    app.step(0.1)
    for name in ("menu", "group:3", "act:larger"):
        button = dict(app._mouse.layout.buttons)[name]
        typist.click(round(left + button.x + button.w / 2), round(top + button.y + button.h / 2))
        for _ in range(3):
            app.step(0.1)
liked = app.viewer.liking.settings.text_size
told = app.viewer.selected, liked, app.viewer.lists.menu.shown
app.close()
print(*told, *Path("settings.toml").read_text().splitlines())
"""


@pytest.mark.long
def test_a_battle_is_played_in_a_window_on_a_screen(screen: str, tmp_path: Path) -> None:
    found = json.loads(last_line_on_screen(PROGRAM, screen, tmp_path))

    assert found["size"] == [450, 800, 3]
    assert found["colours"] > 50
    assert found["orders"] == 1


@pytest.mark.long
def test_a_click_is_taken_where_it_was_though_the_pointer_has_moved_on(
    screen: str, tmp_path: Path
) -> None:
    assert last_line_on_screen(QUICK, screen, tmp_path) == "True True True"


@pytest.mark.long
def test_a_window_fills_the_screen_and_remembers_its_size(screen: str, tmp_path: Path) -> None:
    assert last_line_on_screen(SCREEN, screen, tmp_path) == (
        "[(800, 450), (1280, 720), (800, 450)] True (800, 450)"
    )


@pytest.mark.long
def test_the_menu_and_keys_of_the_settings_work_on_a_screen(screen: str, tmp_path: Path) -> None:
    assert last_line_on_screen(MENU, screen, tmp_path) == (
        '0 1.15 False text_size = 1.15 [keys] unit_forward = "u" face_left = "n"'
    )


class Sitter:
    """Someone who plays at a window with real keys, and sees what the program leaves behind."""

    def __init__(self, typist: Typist, folder: Path, program: subprocess.Popen[str]) -> None:
        self.typist = typist
        self._folder = folder
        self._program = program

    def until(self, so: Callable[[], bool], *keys: str) -> None:
        """Press keys now and then until something is so."""
        end = time.monotonic() + 200
        while not so():
            assert self._program.poll() is None, self._program.communicate()[1]
            assert time.monotonic() < end, f"{keys} did nothing"
            self.typist.press(*keys)
            pause = time.monotonic() + 3
            while not so() and time.monotonic() < pause:
                time.sleep(0.1)

    def lines(self, *marks: str) -> int:
        """How many lines of the battle file hold all of some marks."""
        file = self._folder / "game.battle.jsonl"
        texts = file.read_text("utf-8").splitlines() if file.exists() else []
        return sum(all(mark in text for mark in marks) for text in texts)

    def orders(self) -> int:
        """How many orders of the side that is played here were ever given."""
        return self.lines('"order":', '"side":0')

    def picture(self) -> NDArray[np.int64]:
        """What the window shows, as its own key for pictures keeps it."""
        found: list[NDArray[np.int64]] = []
        before = set(self._folder.glob("*.png"))

        def kept() -> bool:
            for file in sorted(set(self._folder.glob("*.png")) - before):
                with suppress(OSError), Image.open(file) as image:  # it may be half written yet
                    found.append(np.asarray(image.convert("RGB"), np.int64))
            return bool(found)

        self.typist.press("f12")
        self.until(kept)
        return found[0]

    def differs(self, other: NDArray[np.int64], share: float) -> bool:
        """Whether the window comes to differ so much from a picture: a key takes a frame or two."""
        end = time.monotonic() + 20
        while _differ(other, self.picture()) <= share:
            if time.monotonic() > end:
                return False
        return True


def _differ(one: NDArray[np.int64], two: NDArray[np.int64]) -> float:
    """The share of their pixels in which two pictures of the field differ much."""
    rows = slice(70, 480)
    return float((np.abs(one[rows] - two[rows]).max(axis=2) > 40).mean())


@pytest.mark.slow
def test_a_whole_play_by_keys_and_clicks(screen: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "emlia3d", "play", "bandits", "--seed", "3", "--turns", "3"]
    with (
        subprocess.Popen(
            [*words, "--save", "game.battle.jsonl"],
            cwd=tmp_path,
            env={**os.environ, "DISPLAY": screen, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as program,
        Typist(screen) as typist,
    ):
        sitter = Sitter(typist, tmp_path, program)
        typist.point(640, 300)
        try:
            sitter.until(lambda: sitter.orders() > 0, "1", "enter")
            sitter.until(lambda: sitter.lines('"back":') > 0, "z")
            taken_back = sitter.orders()
            sitter.until(lambda: sitter.orders() > taken_back, "1", "enter")

            typist.press("end", "n")
            plain = sitter.picture()
            typist.press("v")
            assert sitter.differs(plain, 0.01), "the sight tool shows who sees whom"
            typist.press("v", "f1")
            assert sitter.differs(plain, 0.1), "the list of keys lies over the field"
            typist.press("f1")
            typist.click(1255, 696)
            assert sitter.differs(plain, 0.1), "and so it does by its button"
            typist.click(1255, 696)
            assert _differ(plain, sitter.picture()) < 0.1, "and a second click puts it away"
            typist.press("page_up")
            typist.press(*",,")
            typist.press("f3", *"hill", "enter", "enter")
            marks = tmp_path / "game.battle.jsonl.marks.jsonl"
            sitter.until(lambda: marks.exists() and '"name":"hill"' in marks.read_text("utf-8"))
        finally:
            program.terminate()
