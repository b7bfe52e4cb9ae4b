"""Shapes of tables in the editor: outlines, handles and drags, of usable and unusable tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from emlia3d.view.editing.edit_drag import Dragged, EditDrag
from emlia3d.view.editing.edit_shapes import (
    bearing,
    handles_of,
    holds,
    moved,
    outline_of_table,
    reshaped,
    shape_key,
    turned,
)

SIZE = (100.0, 80.0)
NUMBERS = st.floats(-500, 500).map(lambda value: round(value, 2))
PLACES = st.tuples(NUMBERS, NUMBERS)
SQUARE = {"outline": [[0, 0], [10, 0], [10, 10], [0, 10]]}


@pytest.mark.parametrize(
    "values",
    [
        {}, {"outline": [[0, 0], [1, 1]]}, {"outline": "round"}, {"circle": [1, 2]},
        {"circle": [1, 2, -3]}, {"path": [[0, 0]]}, {"path": [[0, 0], [1, math.nan]]},
        {"outline": [[0, 0], [1, "a"], [2, 2]]}, {"edge": "up", "depth": 4}, {"edge": "north"},
        {"edge": ["north"], "depth": 4}, {"path": [[0, 0], [9, 9]], "width": 0},
        {"outline": [[0, 0], [1]]}, {"path": [[0, 0], [9, 9]], "width": "wide"},
    ],
)  # fmt: skip
def test_a_table_without_a_usable_shape_has_no_outline(values: dict[str, Any]) -> None:
    assert outline_of_table(values, SIZE) is None


def test_outlines_are_those_of_the_shapes() -> None:
    circle = outline_of_table({"circle": [50, 40, 10]}, SIZE)
    path = outline_of_table({"path": [[0, 0], [20, 0]], "width": 4}, SIZE)
    strip = outline_of_table({"edge": "east", "depth": 15}, SIZE)

    assert circle is not None
    assert path is not None
    assert strip is not None
    assert np.allclose(np.hypot(*(circle - [50, 40]).T), 10)
    assert Polygon(path).equals(LineString([[0, 0], [20, 0]]).buffer(2, cap_style="flat"))
    assert Polygon(strip).bounds == (85, 0, 100, 80)


@given(st.lists(PLACES, min_size=3, max_size=8), st.integers(0, 100), PLACES)
def test_a_dragged_corner_goes_there_and_the_others_stay(
    corners: list[tuple[float, float]], number: int, place: tuple[float, float]
) -> None:
    values = {"outline": [list(corner) for corner in corners]}
    handles = handles_of(values)
    handle = number % len(handles)

    after = reshaped(values, handle, place)["outline"]

    assert len(handles) == 2 * len(corners)
    before = [list(corner) for corner in corners]
    at = handle % len(corners)
    if handle >= len(corners):
        assert after == [*before[: at + 1], list(place), *before[at + 1 :]]
    elif len(after) == len(corners):
        assert after == [*before[:at], list(place), *before[at + 1 :]]
    else:
        assert len(corners) > 3
        assert list(place) in (before[at - 1], before[(at + 1) % len(corners)])
        assert after == [*before[:at], *before[at + 1 :]]


def test_a_middle_becomes_a_corner_between_its_neighbours() -> None:
    after = reshaped(SQUARE, 4, (5, -3))

    assert after == {"outline": [[0, 0], [5, -3], [10, 0], [10, 10], [0, 10]]}


def test_a_corner_on_its_neighbour_is_taken_away_but_never_below_a_triangle() -> None:
    triangle = reshaped(SQUARE, 2, (9.5, 0.5), slack=1)
    assert triangle == {"outline": [[0, 0], [10, 0], [0, 10]]}

    assert len(reshaped(triangle, 2, (9.5, 0.5), slack=1)["outline"]) == 3
    ends = {"path": [[0, 0], [10, 0]]}
    assert reshaped(ends, 1, (0.5, 0), slack=1) == {"path": [[0, 0], [0.5, 0]]}


def test_a_circle_is_moved_by_its_centre_and_sized_by_its_rim() -> None:
    circle = {"circle": [50, 40, 10]}

    assert handles_of(circle) == [(50, 40), (60, 40)]
    assert reshaped(circle, 0, (1, 2)) == {"circle": [1, 2, 10]}
    assert reshaped(circle, 1, (50, 44))["circle"] == pytest.approx([50, 40, 4])
    assert reshaped(circle, 1, (50, 40))["circle"][2] > 0


@given(st.sampled_from([SQUARE, {"circle": [5, 5, 5]}, {"path": [[0, 0], [9, 9]], "width": 3}]),
       PLACES)  # fmt: skip
def test_a_moved_shape_keeps_its_form(values: dict[str, Any], by: tuple[float, float]) -> None:
    before = outline_of_table(values, SIZE)
    after = outline_of_table({**values, **moved(values, *by)}, SIZE)

    assert before is not None
    assert after is not None
    assert np.allclose(after - before, by, atol=1e-6)


@given(PLACES, st.floats(0, 360), PLACES)
def test_a_turned_outline_faces_as_a_compass_says(
    about: tuple[float, float], degrees: float, to: tuple[float, float]
) -> None:
    ahead = np.array([[about[0], about[1] + 10.0]])

    ((x, y),) = turned(ahead, about, degrees, to).tolist()

    assert math.dist((x, y), to) == pytest.approx(10, abs=1e-6)
    difference = (bearing(to, (x, y)) - degrees + 180) % 360 - 180
    assert difference == pytest.approx(0, abs=1e-6)


def test_a_place_is_held_inside_and_as_near_as_the_slack() -> None:
    outline = np.array(SQUARE["outline"], np.float64)

    assert holds(outline, (5, 5), 0)
    assert holds(outline, (10, 5), 0)
    assert not holds(outline, (11, 5), 0.5)
    assert holds(outline, (11, 5), 1)
    crossed = np.array([[0, 0], [10, 10], [10, 0], [0, 10]], np.float64)
    assert holds(crossed, (5, 8), 0)


def test_a_unit_turns_about_its_place_in_steps() -> None:
    drag = EditDrag(
        kind="turn", start=(10, 14),
        things=(Dragged(
            table=("unit", 0), before={"at": [10, 10], "facing": 0},
            footprints=(np.array([[8.0, 10], [12, 10], [12, 9], [8, 9]]),),
        ),),
    )  # fmt: skip

    assert drag.changes((14, 10.1)) == {("unit", 0): {"facing": 90}}
    (ghost,) = drag.ghost((14, 10.1), SIZE)
    assert np.allclose(ghost, [[10, 12], [10, 8], [9, 8], [9, 12]])


def test_a_unit_without_a_place_is_not_moved() -> None:
    lost = Dragged(table=("unit", 0), before={"at": "here"})
    drag = EditDrag(kind="move", things=(lost,), start=(10, 14))

    assert drag.changes((20, 20)) == {("unit", 0): {}}
    assert drag.ghost((20, 20), SIZE) == []
    assert shape_key({"at": "here"}) is None
