"""What the ground hides from a wide front: at any height above sea level, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.geometry import Surface
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.fronts import hidden_from_front
from emlia3d.rules.emlia.play.sight.ground_first import OPEN, ROUNDING, PostStand, Upright

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
