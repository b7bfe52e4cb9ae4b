"""The measuring tape: how far, how high and how steep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Scale
from emlia3d.geometry import Surface
from emlia3d.view.moment.scene import Stroke
from emlia3d.view.sight.tape import Tape, measured
from emlia3d.view.window.viewer import Viewer

SLOPE = Surface(
    heights=np.repeat(np.arange(10.0)[::-1, None], 10, axis=1), cell=10.0, west=5.0, north=95.0
)
"""One height unit up for every ten GSU north."""

SCALE = Scale(metres_per_gsu=2.0, metres_per_height=1.5)


def test_a_tape_says_distance_rise_and_slope_in_both_measures() -> None:
    found = measured(SLOPE, SCALE, (20.0, 15.0), (50.0, 55.0))

    assert found.distance == 50.0
    assert found.distance_m == 100.0
    assert found.rise == pytest.approx(4.0)
    assert found.rise_m == pytest.approx(6.0)
    assert found.slope == pytest.approx(0.06)
    assert found.along_m == pytest.approx(math.hypot(100.0, 6.0))


def test_a_tape_down_a_slope_is_the_same_with_another_sign() -> None:
    up = measured(SLOPE, SCALE, (20.0, 15.0), (50.0, 55.0))
    down = measured(SLOPE, SCALE, (50.0, 55.0), (20.0, 15.0))

    assert (down.distance, down.along_m) == pytest.approx((up.distance, up.along_m))
    assert down.rise_m == pytest.approx(-up.rise_m)


def test_a_way_over_a_ridge_is_longer_than_the_distance() -> None:
    heights = np.zeros((3, 21))
    heights[:, 10] = 4.0
    ridge = Surface(heights=heights, cell=1.0, west=0.0, north=2.0)
    found = measured(ridge, Scale(1.0, 0.75), (0.0, 1.0), (20.0, 1.0))

    assert found.rise == 0.0
    assert found.along_m == pytest.approx(18 + 2 * math.hypot(1.0, 3.0))


def test_a_place_by_itself_has_no_slope() -> None:
    assert measured(SLOPE, SCALE, (20.0, 15.0), (20.0, 15.0)).slope is None


@pytest.fixture
def tape(setup: Setup) -> Tape:
    tape = Tape(setup)
    tape.toggle()
    return tape


def test_a_tape_that_has_begun_reaches_to_the_pointer(tape: Tape) -> None:
    tape.put((10.0, 20.0))
    rows = []
    for x in (40.0, 50.0):
        tape.point((x, 20.0))
        rows.append(dict(tape.card().rows)["distance"])

    assert rows == ["30 GSU, 60 m", "40 GSU, 80 m"]


def test_the_second_end_stays_when_the_pointer_moves_on(tape: Tape) -> None:
    tape.put((10.0, 20.0))
    tape.put((40.0, 20.0))
    tape.point((90.0, 20.0))

    assert dict(tape.card().rows)["distance"] == "30 GSU, 60 m"
    assert [tag.text for tag in tape.sight_overlay().tags] == ["30 GSU, 60 m"]


def test_a_third_place_begins_anew(tape: Tape) -> None:
    for x in (10.0, 40.0, 70.0):
        tape.put((x, 20.0))
    tape.point(None)

    assert tape.card().rows == (("next", "click the end"),)


def test_the_tape_lies_on_the_ground_from_end_to_end(tape: Tape, setup: Setup) -> None:
    tape.put((10.0, 10.0))
    tape.put((100.0, 70.0))
    lines = [mark for mark in tape.sight_overlay().marks if isinstance(mark, Stroke)]

    for line in lines[:-2]:
        x, y, z = line.start
        ground = float(setup.field.ground.elevations_m(x / 2, y / 2))
        assert z - ground == pytest.approx(0.35, abs=1e-9)
    assert lines[0].start[:2] == pytest.approx((20.0, 20.0))
    assert lines[-3].end[:2] == pytest.approx((200.0, 140.0))


def test_one_tool_is_put_away_for_another(setup: Setup, start: State) -> None:
    viewer = Viewer(setup, start, ())
    viewer.toggle_tape()
    viewer.toggle_tool()
    assert (viewer.tape.active, viewer.tool.active) == (False, True)
    viewer.toggle_tape()
    assert (viewer.tape.active, viewer.tool.active) == (True, False)
    viewer.dismiss()
    assert not viewer.tape.active
