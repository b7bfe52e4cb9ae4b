"""A policy learns from what the environment shows it."""

from __future__ import annotations

import pytest

from benchmarks.learning import learn


@pytest.mark.slow
def test_a_linear_policy_learns_to_beat_random_orders() -> None:
    first, *_, last = learn("kings-road", 180)

    assert first[2] <= 0.35
    assert last[0] == "new seeds"
    assert last[2] >= 0.8
