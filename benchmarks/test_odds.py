"""Exact chances of many dice as fractions: milliseconds each, without anything kept before."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from emlia3d.rulekit import odds

FORTY: dict[str, Callable[[], object]] = {
    "successes": lambda: odds.successes(40, Fraction(7, 10)),
    "saves after hits": lambda: odds.then(
        odds.successes(40, Fraction(7, 10)), lambda hits: odds.successes(hits, Fraction(3, 10))
    ),
    "sum": lambda: odds.times(odds.die(10), 40),
    "highest": lambda: odds.highest(40, 10),
    "sum of the highest three": lambda: odds.highest(40, 6, 3),
    "two scores": lambda: odds.compared(
        odds.successes(40, Fraction(7, 10)), odds.successes(40, Fraction(3, 10))
    ),
}


@pytest.mark.parametrize("name", FORTY)
def test_forty_dice(ratio_lines: list[str], name: str) -> None:
    best = float("inf")
    for _ in range(10):
        odds._pool.cache_clear()
        start = time.perf_counter()
        FORTY[name]()
        best = min(best, time.perf_counter() - start)

    ratio_lines.append(f"40 dice, {name}: {best * 1e3:.2f} ms")
