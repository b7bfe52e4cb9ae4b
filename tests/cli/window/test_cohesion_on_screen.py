"""Links of cohesion in a real window, on a screen that nobody sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.on_screen import last_line_on_screen

PROGRAM = """
import os
import numpy as np
from emlia3d.scenario import load
from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.cohesion import links_of
from emlia3d.view.moment.scene import Camera, Stroke
from emlia3d.view.panda.app import App
from emlia3d.view.rules import Rules
from tests.cli.x11_input import Typist

battle = load("outpost").battle(seed=1)
units = battle.state.units
app = App(battle.setup, battle.state, (), rules=Rules(battle), size=(800, 450))

def picture():
    for _ in range(4):
        app.step(0.1)
    return app.image().astype(int)

before = picture()
left, top = app.surface.output.get_properties().get_origin()
with Typist(os.environ["DISPLAY"]) as typist:
    typist.point(left + 400, top + 100)
    typist.press("n")
    app.step(0.1)
after = picture()
chosen = app.viewer.selected
cohesion = battle.system.cohesion(battle, chosen)
marks = links_of(battle.setup, battle.state, cohesion, app._showing.scene.terrain)
links = [mark for mark in marks if isinstance(mark, Stroke)]
middles = np.array([(np.array(mark.start) + np.array(mark.end)) / 2 for mark in links])
spots = np.round(eyesight(app.steering.camera, app.size).project(middles)).astype(int)
lit = [
    (after[y - 2 : y + 3, x - 2 : x + 3] - before[y - 2 : y + 3, x - 2 : x + 3]).max() > 40
    for x, y in spots.tolist()
    if 2 < x < 797 and 2 < y < 447
]
app.close()
print(battle.setup.units[chosen].name, len(cohesion.links), len(lit) > 20, np.mean(lit) > 0.6)
"""


@pytest.mark.long
def test_the_links_of_the_selected_formation_are_drawn(screen: str, tmp_path: Path) -> None:
    assert last_line_on_screen(PROGRAM, screen, tmp_path) == "Blue line 1 5 True True"
