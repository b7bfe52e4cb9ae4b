"""The ridge battle on real ground: a window of measured elevation in place of the made relief."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import emlia3d
from emlia3d import view
from emlia3d.battle.battle import Battle
from emlia3d.scenario.shelves import MAPS
from emlia3d.view.moment.describe import scene_of
from tests.view.panda.window_driver import drawing

REAL = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"

pytestmark = pytest.mark.skipif(not REAL.exists(), reason="the measured elevation is not here")


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> emlia3d.Scenario:
    folder = tmp_path_factory.mktemp("real")
    shutil.copy(REAL, folder / "real.tif")
    text = (MAPS / "ridge.toml").read_text()
    start = text.index("[field.relief]")
    end = text.index("[[terrain]]")
    window = 'ground = {file = "real.tif", window = [40, 40, 110, 110], cell_m = 15}\n\n'
    text = text[:start].rstrip() + "\n" + window + text[end:]
    (folder / "real-ridge.toml").write_text(re.sub(r"turns = \d+", "turns = 3", text, count=1))
    return emlia3d.load(folder / "real-ridge.toml")


@pytest.fixture(scope="module")
def played(scenario: emlia3d.Scenario) -> Battle:
    battle = scenario.battle(seed=1)
    battle.run_to_end()
    return battle


def test_the_ridge_battle_plays_to_its_end_on_measured_ground(played: Battle) -> None:
    assert played.result is not None
    assert played.state.turn == 3
    assert played.setup.field.ground.high_m - played.setup.field.ground.low_m > 20


def test_figures_stand_on_the_measured_ground(played: Battle) -> None:
    scene = scene_of(played.setup, played.state)

    figures = scene.figures
    ground = played.setup.field.ground
    expected = ground.elevations_m(
        np.asarray(figures.x_m, dtype=float) / 2, np.asarray(figures.y_m, dtype=float) / 2
    )

    drawn = scene.terrain.heights(figures.x_m, figures.y_m)
    np.testing.assert_allclose(drawn, expected, atol=0.05)


def test_the_battle_on_measured_ground_is_drawn(played: Battle, tmp_path: Path) -> None:
    path = tmp_path / "real.png"

    with drawing():
        view.picture(played.setup, played.state, path=path, size=(640, 360))

    pixels = np.asarray(Image.open(path).convert("RGB"), dtype=int)
    blue = (pixels[..., 2] > pixels[..., 0] + 40) & (pixels[..., 2] > 60)
    red = (pixels[..., 0] > pixels[..., 2] + 60) & (pixels[..., 0] > pixels[..., 1] + 60)
    assert blue.sum() > 40
    assert red.sum() > 40
    assert pixels.std() > 20
