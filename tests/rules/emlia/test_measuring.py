"""Chapter 1: distances on a board of cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import assume, given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.measuring import cells_apart
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]
places = st.tuples(st.integers(0, 60), st.integers(0, 60))


def cell(x: float, y: float) -> shapely.Polygon:
    """A body that fills little more than the middle of its cell."""
    return shapely.box(x - 0.01, y - 0.01, x + 0.01, y + 0.01)


def square(column: int, row: int) -> shapely.Polygon:
    return cell(column + 0.5, row + 0.5)


def hexagon(q: int, r: int) -> shapely.Polygon:
    return cell(q + r / 2, r * 3**0.5 / 2)


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize(
    ("other", "steps"), [((1, 0), 1), ((1, 1), 1), ((3, 1), 3), ((0, 7), 7), ((-4, 4), 4)]
)
def test_squares_are_counted_by_their_sides_and_corners(other: tuple[int, int], steps: int) -> None:
    assert cells_apart(square(10, 10), square(10 + other[0], 10 + other[1]), "squares") == steps


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize(
    ("other", "steps"), [((1, 0), 1), ((0, 1), 1), ((-1, 1), 1), ((1, 1), 2), ((-3, 5), 5)]
)
def test_hexagons_are_counted_by_their_six_sides(other: tuple[int, int], steps: int) -> None:
    assert cells_apart(hexagon(10, 10), hexagon(10 + other[0], 10 + other[1]), "hexes") == steps


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize("far", [1, 2, 5])
@pytest.mark.parametrize("east", [-1, 0, 1])
@pytest.mark.parametrize("north", [-1, 0, 1])
def test_bodies_that_fill_their_squares_are_as_far_apart_all_round(
    far: int, east: int, north: int
) -> None:
    def filled(column: int, row: int) -> shapely.Polygon:
        return shapely.box(column, row, column + 1, row + 1)

    one, other = filled(10, 25), filled(10 + far * east, 25 + far * north)

    steps = far if east or north else 0
    assert cells_apart(one, other, "squares") == steps
    assert cells_apart(other, one, "squares") == steps


@given(places, places)
def test_hexagons_are_as_many_steps_apart_as_a_walk_takes(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    q, r = other[0] - one[0], other[1] - one[1]
    walk = max(abs(q), abs(r), abs(q + r))

    assert cells_apart(hexagon(*one), hexagon(*other), "hexes") == walk


NEAR = 1 / 256
"""GSU from the border of a cell; the bodies here are far smaller."""


def speck(x: float, y: float) -> shapely.Polygon:
    """A body of 1/4096 GSU in a place."""
    return shapely.box(x - 2**-13, y - 2**-13, x + 2**-13, y + 2**-13)


def nearest_centre(x: float, y: float) -> tuple[int, int]:
    """The hexagon of a place: that of the nearest of all centres, tried one by one."""
    row = round(y * 2 / 3**0.5)
    column = round(x - row / 2)
    centres = [(q, r) for r in range(row - 3, row + 4) for q in range(column - 4, column + 5)]
    return min(centres, key=lambda at: (at[0] + at[1] / 2 - x) ** 2 + (at[1] * 3**0.5 / 2 - y) ** 2)


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize("along", [-0.28, -0.2, -0.1, 0.0, 0.1, 0.2, 0.28])
@pytest.mark.parametrize("side", range(6))
@pytest.mark.parametrize("other", [(4, 9), (17, 3), (10, 19), (3, 12)])
def test_a_body_by_the_border_of_a_hexagon_is_in_that_whose_centre_is_nearest(
    side: int, along: float, other: tuple[int, int]
) -> None:
    # Sides of a hexagon 1 GSU across are 1/2 from its centre, and 0.577 long.
    ahead = np.array([np.cos(side * np.pi / 3), np.sin(side * np.pi / 3)])
    beside = np.array([-ahead[1], ahead[0]])
    centre = np.array([10 + 10 / 2, 10 * 3**0.5 / 2])
    for off, steps_from in ((0.5 - NEAR, 0), (0.5 + NEAR, 1)):
        x, y = (centre + off * ahead + along * beside).tolist()
        q, r = nearest_centre(x, y)
        walk = max(abs(q - other[0]), abs(r - other[1]), abs(q + r - sum(other)))

        assert max(abs(q - 10), abs(r - 10), abs(q + r - 20)) == steps_from
        assert cells_apart(speck(x, y), hexagon(*other), "hexes") == walk
        assert cells_apart(hexagon(*other), speck(x, y), "hexes") == walk


@given(st.tuples(st.floats(0, 30), st.floats(0, 30)), st.tuples(st.floats(0, 30), st.floats(0, 30)))
def test_bodies_anywhere_are_as_far_apart_as_the_hexagons_of_the_nearest_centres(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    for x, y in (one, other):
        centre_q, centre_r = nearest_centre(x, y)
        middle = (centre_q + centre_r / 2, centre_r * 3**0.5 / 2)
        sides = [(x - middle[0]) * np.cos(a) + (y - middle[1]) * np.sin(a) for a in ANGLES]
        assume(max(sides) < 0.5 - NEAR)
    (aq, ar), (bq, br) = nearest_centre(*one), nearest_centre(*other)
    q, r = aq - bq, ar - br

    assert cells_apart(speck(*one), speck(*other), "hexes") == max(abs(q), abs(r), abs(q + r))


ANGLES = [side * np.pi / 3 for side in range(6)]


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize(
    ("x", "y", "cell_of"),
    [
        (NEAR, 0.5, (0, 0)), (1 - NEAR, 0.5, (0, 0)), (1 + NEAR, 0.5, (1, 0)),
        (-NEAR, 0.5, (-1, 0)), (0.5, -NEAR, (0, -1)), (0.5, 1 + NEAR, (0, 1)),
        (1 - NEAR, 1 - NEAR, (0, 0)), (1 + NEAR, 1 + NEAR, (1, 1)), (1 + NEAR, 1 - NEAR, (1, 0)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("other", [(8, 3), (-6, -2), (2, 9), (-3, 5)])
def test_a_body_by_the_border_of_a_square_is_on_its_own_side_of_it(
    x: float, y: float, cell_of: tuple[int, int], other: tuple[int, int]
) -> None:
    steps = max(abs(cell_of[0] - other[0]), abs(cell_of[1] - other[1]))

    assert cells_apart(speck(x, y), square(*other), "squares") == steps
    assert cells_apart(square(*other), speck(x, y), "squares") == steps


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize(("cells", "apart"), [("none", 13.14), ("squares", 10.0), ("hexes", 15.0)])
def test_a_scenario_may_be_played_on_a_board(
    field_of_battle: Build, cells: str, apart: float
) -> None:
    man = {"base": (2.0, 2.0), "formation": "close"}
    battle = field_of_battle(
        {**man, "at": (10.5, 10.5)},
        {**man, "at": (20.5, 20.5), "side": "Bob"},
        house={"cells": cells},
    )

    assert situation_of(battle).distance(0, 1) == pytest.approx(apart, abs=0.1)


@pytest.mark.rule("emlia.measure.cells")
def test_neighbours_that_fill_their_cells_are_one_step_apart_and_who_shares_one_none() -> None:
    one, next_to_it = shapely.box(3, 3, 4, 4), shapely.box(4, 3, 5, 4)

    assert cells_apart(one, next_to_it, "squares") == 1
    assert cells_apart(one, shapely.box(3.5, 3, 4.5, 4), "squares") == 0


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize("turned", [False, True])
def test_bodies_that_touch_within_one_cell_are_none_apart(turned: bool) -> None:
    def half(start: float) -> shapely.Polygon:
        return (
            shapely.box(start, 3, start + 0.5, 4)
            if turned
            else shapely.box(3, start, 4, start + 0.5)
        )

    assert cells_apart(half(3), half(3.5), "squares") == 0
    assert cells_apart(half(3.5), half(3), "squares") == 0
    assert cells_apart(half(3.5), half(4), "squares") == 1


@pytest.mark.rule("emlia.measure.cells")
def test_a_body_that_fills_its_cell_is_not_in_the_next() -> None:
    corners = [(np.sin(angle) / 3**0.5, np.cos(angle) / 3**0.5) for angle in ANGLES]
    one = shapely.affinity.translate(shapely.Polygon(corners), 15, 10 * 3**0.5 / 2)
    other = shapely.affinity.translate(one, 3, 0)

    assert cells_apart(shapely.box(3, 3, 4, 4), shapely.box(6, 3, 7, 4), "squares") == 3
    assert cells_apart(one, other, "hexes") == 3


@pytest.mark.rule("emlia.measure.cells")
@pytest.mark.parametrize(("over", "apart"), [(0, 7), (3.999, 7), (4, 6), (7, 6)])
def test_a_body_that_reaches_a_hair_over_a_border_is_not_in_the_next_cell(
    over: float, apart: int
) -> None:
    """A hair is less than 1/1024 GSU; *over* is in quarters of that."""
    one, other = shapely.box(3, 3, 4 + over / 4096, 4), square(10, 3)

    assert cells_apart(one, other, "squares") == apart
    assert cells_apart(other, one, "squares") == apart


@pytest.mark.rule("emlia.measure.cells")
def test_bodies_that_touch_around_one_middle_are_none_apart() -> None:
    inside = shapely.box(3.25, 3.25, 3.75, 3.75)
    around = shapely.box(3, 3, 4, 4) - inside

    assert cells_apart(inside, around, "squares") == 0
    assert cells_apart(around, inside, "hexes") == 0


def test_there_are_no_other_cells() -> None:
    with pytest.raises(ValueError, match="cells: expected none, squares, hexes, got 'triangles'"):
        HouseNumbers(cells="triangles")  # type: ignore[arg-type]
