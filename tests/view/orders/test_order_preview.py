"""Orders on the ground, before they are given."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import Formation, facing_of_degrees
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Arrow, Ring, TintedArea
from emlia3d.view.orders.order_preview import ghost_m, sight_overlay_of

AHEAD = Leg(step="march", x=60.0, y=22.0, facing=0)
RIGHT = facing_of_degrees(90)


def test_a_move_shows_its_way_and_the_block_at_its_end(setup: Setup, start: State) -> None:
    """10 GSU of 2 m straight on."""
    order = Order(verb="move", unit=0, legs=(AHEAD,))

    marks = sight_overlay_of(setup, start, {0}, (), order, refused=False).marks

    (arrow,) = (mark for mark in marks if isinstance(mark, Arrow))
    (area,) = (mark for mark in marks if isinstance(mark, TintedArea))
    np.testing.assert_allclose(arrow.path_m, [[120.0, 24.0], [120.0, 44.0]])
    np.testing.assert_allclose(area.outline_m - block_m(setup, start, 0), [[0.0, 20.0]] * 4)


def test_a_unit_that_is_off_the_field_has_no_way_to_its_place(setup: Setup, start: State) -> None:
    order = Order(verb="place", unit=0, legs=(AHEAD,))
    state = start.copy()
    state.units.writable("present")[0] = 0

    marks = sight_overlay_of(setup, state, {0}, (), order, refused=False).marks

    assert [type(mark) for mark in marks] == [TintedArea]
    assert len(sight_overlay_of(setup, state, {0, 1}, (), None, refused=False).marks) == 1


def test_what_may_not_be_done_is_drawn_as_a_warning(setup: Setup, start: State) -> None:
    order = Order(verb="move", unit=0, legs=(AHEAD,))

    tones = [
        {
            mark.tone
            for mark in sight_overlay_of(setup, start, {0}, (), order, refused=refused).marks
        }
        for refused in (False, True)
    ]

    assert tones == [{"order"}, {"warning"}]


def test_ranks_are_files_after_a_quarter_turn(setup: Setup, start: State) -> None:
    """Twenty men in ten files and two ranks: seen from the side, two files of ten ranks."""
    turn = Leg(step="turn", x=61.0, y=10.0, facing=RIGHT)

    before, after = block_m(setup, start, 0), ghost_m(setup, start, 0, (turn,))

    def sides(corners: np.ndarray) -> list[float]:
        return sorted(np.round(np.ptp(corners, axis=0), 6).tolist())

    assert sides(before) == sides(after)
    front = float(np.hypot(*(after[1] - after[0])))
    assert front == pytest.approx(float(np.ptp(before[:, 1])))


def test_a_change_of_formation_shows_its_own_block(setup: Setup, start: State) -> None:
    leg = Leg(step="form", x=60.0, y=11.0, facing=0, formation=int(Formation.RANKED), files=5)

    half = ghost_m(setup, start, 0, (leg,))

    whole = block_m(setup, start, 0)
    assert np.ptp(half[:, 0]) < 0.6 * np.ptp(whole[:, 0])
    assert np.ptp(half[:, 1]) > 1.8 * np.ptp(whole[:, 1])


def test_an_attack_shows_whom_it_is_aimed_at(setup: Setup, start: State) -> None:
    sight_overlay = sight_overlay_of(
        setup, start, {0}, (), Order(verb="fire", unit=0, target=1), refused=False
    )

    (ring,) = (mark for mark in sight_overlay.marks if isinstance(mark, Ring))
    middle = block_m(setup, start, 1).mean(axis=0)
    assert (ring.x_m, ring.y_m) == pytest.approx(tuple(middle))
    assert sight_overlay.active == {0, 1}


def test_the_reach_is_a_piece_of_ground_and_a_point_a_ring(setup: Setup, start: State) -> None:
    reach = ((50.0, 10.0), (70.0, 10.0), (60.0, 30.0))
    order = Order(verb="volley", unit=0, point=(30.0, 40.0))

    marks = sight_overlay_of(setup, start, {0}, reach, order, refused=False).marks

    (area,) = (mark for mark in marks if isinstance(mark, TintedArea))
    (ring,) = (mark for mark in marks if isinstance(mark, Ring))
    np.testing.assert_allclose(area.outline_m, [[100, 20], [140, 20], [120, 60]])
    assert (ring.x_m, ring.y_m) == (60.0, 80.0)


def test_the_ground_of_those_who_may_be_chosen_is_shaded(setup: Setup, start: State) -> None:
    marks = sight_overlay_of(setup, start, {1, 2}, (), None, refused=False).marks

    outlines = [mark.outline_m for mark in marks if isinstance(mark, TintedArea)]
    np.testing.assert_allclose(outlines, [block_m(setup, start, row) for row in (1, 2)])


def test_each_unit_that_acts_together_has_an_arrow_to_the_target(
    setup: Setup, start: State
) -> None:
    order = Order(verb="fire", unit=1, units=(2,), target=0)

    shown = sight_overlay_of(setup, start, {1}, (), order, refused=False)

    arrows = [mark.path_m[0].tolist() for mark in shown.marks if isinstance(mark, Arrow)]
    assert arrows == [block_m(setup, start, unit).mean(axis=0).tolist() for unit in (1, 2)]
    assert shown.active == {0, 1, 2}
