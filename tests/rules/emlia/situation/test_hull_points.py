"""The outermost members of all units in one column, put in anew where they changed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.rules.emlia.play.situation.hull_points import HullPoints

ROUNDS = st.lists(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4), min_size=1, max_size=5
)


def test_units_start_without_corners() -> None:
    rims = HullPoints(3)

    corners, starts = rims.together()

    assert [rims[unit].shape for unit in range(3)] == [(0, 2)] * 3
    assert corners.shape == (0, 2)
    assert starts.tolist() == [0, 0, 0, 0]


@given(rounds=ROUNDS)
def test_what_is_told_of_all_is_what_each_has_whatever_was_told_before(
    rounds: list[list[tuple[int, int]]],
) -> None:
    rims, told = HullPoints(4), []
    own = [np.empty((0, 2))] * 4

    for number, changed in enumerate(rounds):
        for unit, count in changed:
            own[unit] = rims[unit] = np.full((count, 2), 10.0 * number + unit)
        corners, starts = rims.together()
        told.append((corners, np.concatenate(own)))
        assert np.diff(starts).tolist() == [len(each) for each in own]

    for corners, each in told:
        assert np.array_equal(corners, each)
