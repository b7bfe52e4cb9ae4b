"""What a turn of two armies holds in memory grows little with their figures."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from emlia3d.scenario.synthetic_armies import armies

UNITS = 20


def held(figures: int) -> int:
    """Return the peak memory of a turn, bytes: on hills, with attacks rehearsed on copies."""
    gc.collect()
    tracemalloc.start()
    try:
        armies(figures, UNITS, ground=True, seed=0).battle(0, turns=1).run_to_end()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_a_figure_more_takes_less_than_seven_hundred_bytes() -> None:
    held(20 * UNITS)  # what is made once, whoever fights

    few, many = held(100 * UNITS), held(500 * UNITS)

    assert few < many < few + 700 * 400 * UNITS
