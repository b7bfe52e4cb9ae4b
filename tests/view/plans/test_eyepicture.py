"""The picture of what an eye sees: as much of the target's colour as the answer says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from emlia3d.battle.plain_geometry.solids import solids_of
from emlia3d.scenario import load
from emlia3d.view.plans import eyepicture
from emlia3d.view.plans.eyenames import rims, write_names
from emlia3d.view.plans.eyepicture import ROWS_PX, SKY, eye_picture
from emlia3d.view.plans.paper import FINE, MARGINS_PX, PAPER, Sheet
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
LEFT_PX = MARGINS_PX[0]


def drawn(tmp_path: Path, height: float) -> tuple[NDArray[np.int64], float]:
    """The view, and the share that the answer tells."""
    picture, share = sheet(tmp_path, height)
    return picture[ROWS_PX[0] : ROWS_PX[1]], share


def sheet(tmp_path: Path, height: float) -> tuple[NDArray[np.int64], float]:
    """The view with the words around it, and the share that the answer tells."""
    file = tmp_path / "wall.toml"
    file.write_text(SCENE.replace("HEIGHT", str(height)), encoding="utf-8")
    asked = load(file)
    battle = asked.battle()
    next(battle.run())
    answer = asked.sight("scout", "giant", "true")
    picture = np.asarray(eye_picture(asked.setup, solids_of(battle), answer), dtype=np.int64)
    assert picture.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    return picture, answer.visible_share


def about(picture: NDArray[np.int64], colour: str, within: int = 4) -> int:
    """How many pixels have a colour, or nearly."""
    off = np.abs(picture - np.array(ImageColor.getrgb(colour)[:3]))
    return int((off.max(axis=2) <= within).sum())


@pytest.mark.long
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


def written(picture: NDArray[np.int64], columns: slice, colour: str = PAPER) -> bool:
    """Whether words of a colour stand in some columns of the view."""
    return about(picture[:, columns], colour, 30) > 100


def test_what_hides_the_target_is_named_beside_what_it_hides(tmp_path: Path, monkeypatch) -> None:
    named = []
    monkeypatch.setattr(eyepicture, "write_names", lambda _, names, corner: named.extend(names))

    drawn(tmp_path, 5)

    (giant, its_colour, where), (wall, solid, beside) = named
    assert [giant, its_colour, wall, solid] == ["giant", GIANT, "wall", SOLID]
    assert where.any()
    assert beside[:, 10].any()
    assert beside[:, -10].any()
    assert not beside[:, where.any(axis=0)][: where.any(axis=1).nonzero()[0].max() + 1].any()


def test_what_is_seen_has_a_rim(tmp_path: Path) -> None:
    picture, _ = drawn(tmp_path, 5)

    column = picture[:, LEFT_PX + 40]
    first = np.flatnonzero(np.abs(column - ImageColor.getrgb(SOLID)).max(axis=1) < 5)[0]
    assert column[first - 2 : first].max(axis=1).min() < 120


def test_the_target_is_named_upon_itself_seen_or_hidden(tmp_path: Path) -> None:
    middle = slice(SIZE_PX[0] // 2 - 200, SIZE_PX[0] // 2 + 200)

    for height in (0.1, 20):
        assert written(drawn(tmp_path, height)[0][30:-30], middle)


def test_a_name_stands_where_all_of_it_fits_or_over_what_it_names() -> None:
    image = Image.new("RGB", (400 * FINE, 300 * FINE), "#8c6d4f")
    small, large = np.zeros((2, 300, 400), dtype=bool)
    small[200:210, 195:205] = large[50:150, 250:390] = True

    write_names(
        Sheet(ImageDraw.Draw(image)),
        [("wood", "#000000", small), ("wall", "#000000", large)],
        (0, 0),
    )

    marked = (
        np.abs(np.asarray(image, dtype=int)[::FINE, ::FINE] - [0x8C, 0x6D, 0x4F]).sum(axis=2) > 60
    )
    assert marked[50:150, 250:390].any()
    assert marked[150:200, 150:250].any()
    assert not marked[210:].any()
    assert marked.sum() == marked[50:150, 250:390].sum() + marked[150:200, 150:250].sum()


def test_a_rim_is_where_two_things_meet_and_nowhere_else() -> None:
    owners = np.array([[-1, -1, 4], [-1, 4, 4], [4, 4, 4]])

    assert rims(owners).tolist() == [
        [False, True, False],
        [True, False, False],
        [False, False, False],
    ]
