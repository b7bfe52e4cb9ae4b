"""Where the pointer was when something was pressed, however late that is heard of."""

from __future__ import annotations

from emlia3d.view.panda.controls import places_of

CLICK = ["mouse1", "mouse1-up"]
KEY = ["raw-n", "letter n", "n", "raw-n-up", "n-up"]
AWAY, BUTTON, FIELD = (5.0, 5.0), (300.0, 40.0), (100.0, 90.0)


def test_a_click_is_where_it_was_although_the_pointer_has_gone_on() -> None:
    trail = [AWAY, (200.0, 30.0), BUTTON, BUTTON, BUTTON, (250.0, 60.0), FIELD]

    assert places_of(CLICK, trail) == [BUTTON, BUTTON]


def test_a_drag_in_one_frame_has_two_ends() -> None:
    assert places_of(CLICK, [BUTTON, BUTTON, FIELD, FIELD]) == [BUTTON, FIELD]


def test_a_click_where_the_pointer_was_before_needs_no_move() -> None:
    assert places_of(CLICK, [BUTTON, BUTTON, BUTTON, FIELD]) == [BUTTON, BUTTON]


def test_keys_between_two_clicks_are_told_from_them() -> None:
    trail = [AWAY, BUTTON, BUTTON, BUTTON, *[AWAY] * 4, FIELD, FIELD, FIELD]

    found = places_of([*CLICK, *KEY, *CLICK], trail)

    assert found == [BUTTON, BUTTON, *[AWAY] * len(KEY), FIELD, FIELD]


def test_each_notch_of_the_wheel_has_its_place() -> None:
    names = ["wheel_up", "wheel_up-up", "wheel_down", "wheel_down-up"]

    found = places_of(names, [AWAY, AWAY, AWAY, FIELD, FIELD, FIELD])

    assert found == [AWAY, AWAY, FIELD, FIELD]


def test_of_a_window_that_tells_otherwise_nothing_is_guessed() -> None:
    assert places_of(CLICK, []) == [None, None]
    assert places_of(CLICK, [AWAY, BUTTON, BUTTON, FIELD]) == [None, None]
    assert places_of(CLICK, [AWAY, AWAY, BUTTON, BUTTON, FIELD, FIELD]) == [None, None]
