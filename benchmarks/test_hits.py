"""Hit allocation beside plain Python, numpy and numba, the last two in closed form.

A hundred thousand units of two to four subunits and one to three groups, about three million hits.
All give the same allocation before they are timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.rules.emlia import allocate_hits
from emlia3d.studies.baselines.hits import (
    Army,
    allocate_by_marker,
    allocate_by_numba,
    allocate_by_numpy,
)

UNITS = 100_000
PLAIN = 2_000
"""Units that plain Python is timed on."""


def army() -> Army:
    rng = np.random.default_rng(1815)
    subunits, groups = rng.integers(2, 5, UNITS), rng.integers(1, 4, UNITS)
    members = rng.integers(1, 60, subunits.sum()).astype(np.int32)
    hits = rng.integers(1, 30, groups.sum()).astype(np.int32)
    offsets = [np.concatenate(([0], np.cumsum(n))).astype(np.int32) for n in (subunits, groups)]
    return members, offsets[0], hits, offsets[1]


def seconds(work: Callable[[], object], times: int = 5) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def test_hits_beside_baselines(one_core: None, ratio_lines: list[str]) -> None:
    found = army()
    members, rows, hits, groups = found
    damage = np.arange(len(hits))

    def ours() -> NDArray[np.int32]:
        return allocate_hits(members, rows, damage, hits, groups)

    out = ours()
    sizes = np.diff(rows).astype(np.int64) * np.diff(groups)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    pytest.importorskip("numba")
    allocate = allocate_by_numba()

    def by_numba() -> NDArray[np.int32]:
        return allocate(members, rows, hits, groups, starts, np.empty_like(out))

    assert out[: starts[PLAIN]].tolist() == allocate_by_marker(found, PLAIN)
    for work in (lambda: allocate_by_numpy(found), by_numba):
        assert np.array_equal(out, work())

    mine = seconds(ours) / UNITS
    baselines = {
        "plain Python, marker by marker": (
            seconds(lambda: allocate_by_marker(found, PLAIN), 3) / PLAIN
        ),
        "closed form in numpy": seconds(lambda: allocate_by_numpy(found), 3) / UNITS,
        "closed form in numba": seconds(by_numba, 3) / UNITS,
    }
    for name, theirs in baselines.items():
        ratio_lines.append(
            f"hits, {int(out.sum()):,} on {UNITS:,} units, {name}: {theirs / mine:.1f}"
            f" ({theirs * 1e6:.3f} us a unit)"
        )
