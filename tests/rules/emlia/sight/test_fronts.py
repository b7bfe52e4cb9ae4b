"""What the ground hides from a wide front: at any height above sea level, and at the edges."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emlia3d.geometry import Surface
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.fronts import hidden_from_front
from emlia3d.rules.emlia.play.sight.ground_first import (
    OPEN,
    ROUNDING,
    PostStand,
    Upright,
    levels_by_ground,
)

MANY = 5000


def settled(heights: np.ndarray, place: tuple[float, float], spot: tuple[float, float]) -> set[int]:
    """What the ground settles of figures of 8 height units at a spot, all on the lowest ground.

    The front is 1 GSU wide and its top is 8 height units above the lowest ground, too.
    """
    base = float(heights.min())
    surface = Surface(heights=heights, cell=1.0, west=0.0, north=64.0)
    front = PostStand(who=Upright(radius=1.0, height=1.0), place=place, footing=base + 7)
    figure = Upright(radius=1.0, height=8.0)

    found = hidden_from_front(
        surface, front, figure, np.tile([spot], (MANY, 1)), np.full(MANY, base)
    )

    return set(found.levels.tolist())


@pytest.mark.parametrize("base", [-100.0, 0.0, 300.0])
@pytest.mark.parametrize(("share", "level"), [(0.98, OPEN), (1.02, Level.TOTAL)])
def test_the_error_bound_grows_with_all_heights_above_and_below_sea_level(
    base: float, share: float, level: int
) -> None:
    """The highest ground, the footing, the two tops and the figure count, whatever their signs.

    High ground counts from 3 cells within its edge on: from 15 GSU away. The line over it ends
    after 32 GSU, so it rises 32/15 times as much.
    """
    heights = np.full((65, 65), base)
    bound = ROUNDING * (2 * abs(base + 8) + abs(base) + 8)
    heights[:, 20:32] = base + 8 + share * bound * 15 / 32

    assert settled(heights, (8.0, 32.0), (40.0, 32.0)) == {level}


@pytest.mark.parametrize(("beyond", "level"), [(0, OPEN), (4, Level.TOTAL)])
@pytest.mark.parametrize("turned", [False, True], ids=["the northern edge", "the western edge"])
def test_the_outermost_ground_within_two_cells_of_a_front_is_its_own(
    turned: bool, beyond: int, level: int
) -> None:
    heights = np.zeros((65, 65))
    heights[:, 5 : 12 + beyond] = 1000
    place, spot = (8.0, 64.0), (40.0, 64.0)
    if turned:
        heights, place, spot = heights.T.copy(), (0.0, 64.0 - 8), (0.0, 64.0 - 40)

    assert settled(heights, place, spot) == {level}


@pytest.mark.parametrize("moved", [(0.0, 0.0), (-70.0, 0.0), (40.0, -90.0), (3.0, 200.0)])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_ground_settles_the_same_wherever_the_raster_lies(
    moved: tuple[float, float], reverse: bool
) -> None:
    """The post stands between centres of the raster; hills of up to 6 height units lie about it."""
    east, north = moved
    heights = 3 + 3 * np.sin(np.arange(65) / 5)[:, None] * np.cos(np.arange(65) / 7)[None, :]
    grid = np.stack(np.meshgrid(np.arange(65.0), 64 - np.arange(65.0)), axis=-1).reshape(-1, 2)
    man, nobody = Upright(radius=0.5, height=1.0), cast("Any", SimpleNamespace(outlines=()))

    def found(east: float, north: float) -> list[list[int]]:
        surface = Surface(heights=heights, cell=1.0, west=east, north=64.0 + north)
        place, spots = (20.25 + east, 30.625 + north), grid + np.array([east, north])
        post = PostStand(who=man, place=place, footing=float(surface.heights_at(*place)))
        wide = PostStand(who=Upright(radius=2.0, height=1.0), place=place, footing=post.footing)
        lines = levels_by_ground(
            surface, nobody, post, man, spots, heights.ravel(), reverse=reverse
        )
        front = hidden_from_front(surface, wide, man, spots, heights.ravel())
        return [lines.levels.tolist(), lines.clear.tolist(), front.levels.tolist()]

    here = found(0.0, 0.0)

    assert found(east, north) == here
    assert {*here[0]} == {OPEN, Level.NONE, Level.TOTAL}
    assert Level.TOTAL in here[2]


@pytest.mark.parametrize("turned", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize(("steep", "settles"), [(0.5, True), (4.0, False)])
def test_ground_that_may_rise_beside_a_post_above_its_eye_settles_nothing(
    turned: bool, steep: float, settles: bool
) -> None:
    """Half a GSU beside the post the ground may be half its steepness higher; the eye is at 1."""
    heights = np.zeros((65, 65))
    heights[30:36:2] = steep
    if turned:
        heights = heights.T.copy()
    surface = Surface(heights=heights, cell=1.0, west=0.0, north=64.0)
    place = (32.0, 64.0 - 31) if not turned else (31.0, 32.0)
    man, nobody = Upright(radius=0.5, height=1.0), cast("Any", SimpleNamespace(outlines=()))
    post = PostStand(who=man, place=place, footing=float(surface.heights_at(*place)))
    grid = np.stack(np.meshgrid(np.arange(65.0), 64 - np.arange(65.0)), axis=-1).reshape(-1, 2)

    found = levels_by_ground(surface, nobody, post, man, grid, heights.ravel(), reverse=False)

    assert ({*found.levels.tolist()} != {OPEN}) is settles
