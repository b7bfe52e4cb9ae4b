"""Where units fight hand to hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.contact_lines import not_striking, seam_of, seams_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import Stroke


def _block(x: float, y: float, wide: float, deep: float, turn_deg: float = 0.0):
    corners = np.array([(-wide, deep), (wide, deep), (wide, -deep), (-wide, -deep)]) / 2
    angle = np.radians(turn_deg)
    turned = corners @ np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return turned + np.array([x, y])


def test_of_two_lines_face_to_face_it_lies_half_way_along_the_shorter() -> None:
    seam = seam_of(_block(0, 0, 100, 4), _block(20, 8, 30, 4))

    assert np.sort(seam.ends, axis=0) == pytest.approx(np.array([(5.0, 4.0), (35.0, 4.0)]))
    assert seam.gap_m == pytest.approx(4.0)
    assert (abs(seam.along[0]), abs(seam.across[1])) == pytest.approx((1.0, 1.0))


def test_at_a_flank_it_lies_along_that_flank() -> None:
    seam = seam_of(_block(0, 0, 40, 10), _block(26, 0, 10, 40, 0))

    assert seam.ends[:, 0] == pytest.approx([20.5, 20.5])
    assert seam.length_m == pytest.approx(10.0)


def test_it_ends_where_two_lines_at_an_angle_have_run_apart() -> None:
    one, two = _block(0, 0, 100, 4), _block(0, 8.2, 70, 4, 5)

    seam = seam_of(one, two)

    nearest = Polygon(one).distance(Polygon(two))
    assert nearest < seam.gap_m < nearest + 4.5
    assert seam.length_m == pytest.approx(4.0 / np.sin(np.radians(5)), abs=0.5)


@given(
    x=st.floats(-60, 60), y=st.floats(30, 80), turn=st.floats(0, 360),
    wide=st.floats(1, 90), deep=st.floats(1, 20),
)  # fmt: skip
def test_it_lies_between_the_blocks_and_is_the_same_from_both(
    x: float, y: float, turn: float, wide: float, deep: float
) -> None:
    one, two = _block(0, 0, 60, 6), _block(x, y + deep + wide, wide, deep, turn)

    seam = seam_of(one, two)

    hull = Polygon(one).union(Polygon(two)).convex_hull.buffer(1e-6)
    assert all(hull.covers(Point(end)) for end in seam.ends)
    assert seam.gap_m >= Polygon(one).distance(Polygon(two)) - 1e-9
    assert seam.gap_m == pytest.approx(seam_of(two, one).gap_m)


def test_two_who_reach_each_other_have_one_line_with_two_ends(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start)

    marks = seams_of(setup, start, [(0, 1), (1, 0)], terrain)

    assert len(marks) == 3
    for mark in marks:
        assert isinstance(mark, Stroke)
        assert mark.drawn
        assert mark.start[2] > terrain.height(*mark.start[:2])
    assert seams_of(setup, start, [], terrain) == ()


def test_who_strikes_whom_is_not_joined_by_a_line_as_well(story: tuple[Event, ...]) -> None:
    struck = next(event for event in story if event.gesture == "strike")
    assert struck.unit is not None
    assert struck.target is not None
    pair, back = (struck.unit, struck.target), (struck.target, struck.unit)

    assert not_striking([pair, back, (7, 8)], story) == ((7, 8),)
    assert not_striking([pair], ()) == (pair,)
