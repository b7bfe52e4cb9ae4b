"""Ways over much slow terrain cost what they cost over little: as the plain reckoning has it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.rules.emlia.play.situation import march
from emlia3d.rules.emlia.play.situation.march import Interval, MarchWay, block_intervals, cost_of

CELLS = np.random.default_rng(5).random((40, 40)) < 0.4
ROWS, COLUMNS = np.nonzero(CELLS)
TERRAIN = shapely.coverage_union_all(shapely.box(COLUMNS, ROWS, COLUMNS + 1, ROWS + 1))


def by_hand(intervals: list[Interval], distance: float) -> float:
    """The cost of a way, each stretch between two borders at its worst factor."""
    ends = sorted(
        {0.0, distance} | {min(max(end, 0.0), distance) for one in intervals for end in one[:2]}
    )
    return sum(
        (high - low) * max((f for a, b, f in intervals if a < high and b > low), default=1.0)
        for low, high in pairwise(ends)
    )


@given(
    st.lists(
        st.tuples(st.integers(-5, 40), st.integers(1, 20), st.sampled_from([2.0, 4.0])),
        min_size=0,
        max_size=40,
    ),
    st.integers(1, 30),
)
def test_many_intervals_cost_as_much_as_one_by_one(
    found: list[tuple[int, int, float]], distance: int
) -> None:
    intervals = [(float(a), float(a + wide), factor) for a, wide, factor in found]

    assert cost_of(intervals, float(distance)) == by_hand(intervals, float(distance))


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 200, 333])
def test_only_the_terrain_round_a_lane_is_cut(
    degrees: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = MarchWay.towards(degrees * 64)
    block = shapely.affinity.rotate(shapely.box(17, 19, 23, 21), -degrees, (20, 20))

    near = block_intervals(way, block, [(2.0, TERRAIN)], 12.0)
    monkeypatch.setattr(march, "_MUCH", 10**9)
    whole = block_intervals(way, block, [(2.0, TERRAIN)], 12.0)

    assert len(whole) > 5
    assert np.array(sorted(near)) == pytest.approx(np.array(sorted(whole)), abs=1e-9)


@given(
    st.integers(0, 3),
    st.integers(0, 30 * 64),
    st.integers(0, 30 * 64),
    st.integers(1, 12),
    st.integers(0, 20),
)
def test_lanes_along_the_axes_are_cut_as_others_are(
    quarter: int, east: int, north: int, wide: int, distance: int
) -> None:
    way, (x, y) = MarchWay.towards(quarter * 90 * 64), (5 + east / 64, 5 + north / 64)
    block = shapely.box(x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2)

    near = block_intervals(way, block, [(2.0, TERRAIN)], float(distance))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(march, "_MUCH", 10**9)
        whole = block_intervals(way, block, [(2.0, TERRAIN)], float(distance))

    assert cost_of(near, 12.0) == pytest.approx(cost_of(whole, 12.0), abs=1e-9)
