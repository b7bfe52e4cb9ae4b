"""The picture of a sight question: whose colours are where, and shadows where they fall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor

from emlia3d.scenario import load
from emlia3d.view.corridor import PARTIAL, TOTAL
from emlia3d.view.sightplan import SIZE_PX, SOLID, draw_sight


def drawn(tmp_path: Path, scenario: str, observer: str, target: str) -> NDArray[np.int64]:
    asked = load(scenario)
    path = tmp_path / "sight.png"
    draw_sight(asked.setup, asked.battle().state, asked.sight(observer, target), path)
    return np.asarray(Image.open(path).convert("RGB"), dtype=np.int64)


def where(picture: NDArray[np.int64], colour: str) -> NDArray[np.bool_]:
    """Where a picture has just this colour, (height, width)."""
    found: NDArray[np.bool_] = (picture == ImageColor.getrgb(colour)).all(axis=2)
    return found


@pytest.mark.parametrize("roles", [("archers", "bandits"), ("bandits", "archers")])
def test_both_halves_show_both_units_the_rock_and_its_shadow(
    tmp_path: Path, roles: tuple[str, str]
) -> None:
    picture = drawn(tmp_path, "bandits", *roles)

    assert picture.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    for half in np.split(picture, 2, axis=1):
        for colour in ("#2a5caa", "#8a2f1d", SOLID, TOTAL):
            assert where(half, colour).sum() > 500


def test_the_end_of_a_shadow_hides_in_part(tmp_path: Path) -> None:
    _, section = np.split(drawn(tmp_path, "bandits", "archers", "bandits"), 2, axis=1)

    east_of_total = np.flatnonzero(where(section, TOTAL).any(axis=0)).max()
    partial = np.flatnonzero(where(section, PARTIAL).any(axis=0))
    assert len(partial) > 5
    assert partial.min() > east_of_total - 3


def test_what_is_too_narrow_to_count_casts_no_shadow(tmp_path: Path) -> None:
    picture = drawn(tmp_path, "bandits", "archers", "raiders")

    assert not where(picture, TOTAL).any()
    assert not where(picture, PARTIAL).any()


def test_ground_that_blocks_is_in_the_way_of_the_line(tmp_path: Path) -> None:
    picture = drawn(tmp_path, "ridge", "Jarlby Regiment", "Bessing Regiment")
    _, section = np.split(picture, 2, axis=1)

    earth = where(section, "#cdb893")
    heights = earth.sum(axis=0)
    assert heights.max() > 3 * heights[heights > 0].min()
