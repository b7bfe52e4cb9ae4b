"""Chapter 1: distances on a board of cells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.measuring import cells_apart
from emlia3d.rules.emlia.numbers import Numbers
from emlia3d.rules.emlia.play.sight.lie import lie_of

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


@given(places, places)
def test_hexagons_are_as_many_steps_apart_as_a_walk_takes(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    q, r = other[0] - one[0], other[1] - one[1]
    walk = max(abs(q), abs(r), abs(q + r))

    assert cells_apart(hexagon(*one), hexagon(*other), "hexes") == walk


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

    assert lie_of(battle).distance(0, 1) == pytest.approx(apart, abs=0.1)


@pytest.mark.rule("emlia.measure.cells")
def test_neighbours_that_fill_their_cells_are_one_step_apart_and_who_shares_one_none() -> None:
    one, next_to_it = shapely.box(3, 3, 4, 4), shapely.box(4, 3, 5, 4)

    assert cells_apart(one, next_to_it, "squares") == 1
    assert cells_apart(one, shapely.box(3.5, 3, 4.5, 4), "squares") == 0


def test_there_are_no_other_cells() -> None:
    with pytest.raises(ValueError, match="cells are none, squares, hexes, not triangles"):
        Numbers(cells="triangles")  # type: ignore[arg-type]
