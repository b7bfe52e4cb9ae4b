"""The picture of what an eye sees: as much of the target's colour as the answer says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor

from emlia3d.battle.solids import solids_of
from emlia3d.scenario import load
from emlia3d.view.plans.eyepicture import ROWS_PX, SKY, draw_eye
from emlia3d.view.plans.sightquestion import SIZE_PX, SOLID
from emlia3d.view.sight.corridor import TOTAL

SCENE = """
format = 1
title = "A giant behind a wall"
rules = "emlia"
turns = 1
[field]
size = [100, 100]
metres_per_gsu = 1.83
[[terrain]]
name = "wall"
kind = "wall"
outline = [[0, 50], [100, 50], [100, 51], [0, 51]]
height = HEIGHT
[[side]]
name = "West"
colour = "#2a5caa"
[[side]]
name = "East"
colour = "#8a2f1d"
[[unit]]
name = "scout"
side = "West"
outline = [[49, 9], [51, 9], [51, 11], [49, 11]]
size = 1
height = 1
[[unit]]
name = "giant"
side = "East"
outline = [[45, 80], [55, 80], [55, 81], [45, 81]]
size = 8
height = 10
"""
GIANT = "#8a2f1d"


def drawn(tmp_path: Path, height: float) -> tuple[NDArray[np.int64], float]:
    """The view, and the share that the answer tells."""
    picture, share = sheet(tmp_path, height)
    return picture[ROWS_PX[0] : ROWS_PX[1]], share


def sheet(tmp_path: Path, height: float) -> tuple[NDArray[np.int64], float]:
    """The view with the words around it, and the share that the answer tells."""
    file, path = tmp_path / "wall.toml", tmp_path / "eye.png"
    file.write_text(SCENE.replace("HEIGHT", str(height)), encoding="utf-8")
    asked = load(file)
    battle = asked.battle()
    next(battle.run())
    answer = asked.sight("scout", "giant", "true")
    draw_eye(asked.setup, solids_of(battle), answer, path)
    picture = np.asarray(Image.open(path).convert("RGB"), dtype=np.int64)
    assert picture.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    return picture, answer.visible_share


def about(picture: NDArray[np.int64], colour: str, within: int = 4) -> int:
    """How many pixels have a colour, or nearly."""
    off = np.abs(picture - np.array(ImageColor.getrgb(colour)[:3]))
    return int((off.max(axis=2) <= within).sum())


@pytest.mark.parametrize("height", [0.1, 3, 5])
def test_as_much_of_the_target_is_painted_as_the_answer_says(tmp_path: Path, height: float) -> None:
    picture, share = drawn(tmp_path, height)
    hidden = 0.25 * np.array(ImageColor.getrgb(SOLID)) + 0.75 * np.array(
        ImageColor.getrgb(TOTAL)[:3]
    )
    violet = about(picture, "#" + "".join(f"{round(part):02x}" for part in hidden))
    painted = about(picture, GIANT)

    assert painted / (painted + violet) == pytest.approx(share, abs=0.02)
    assert about(picture, SKY) > 10_000


def test_who_is_hidden_wholly_is_violet_and_nothing_else(tmp_path: Path) -> None:
    picture, share = drawn(tmp_path, 20)

    assert share == 0
    assert about(picture, GIANT) == 0


@pytest.mark.parametrize(("height", "explained"), [(0.1, False), (5, True)])
def test_what_violet_means_is_said_where_something_is_hidden(
    tmp_path: Path, height: float, explained: bool
) -> None:
    picture, share = sheet(tmp_path, height)

    assert (share < 1) is explained
    assert (about(picture[ROWS_PX[1] :], TOTAL) > 0) is explained
