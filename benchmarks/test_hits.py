"""Hits shared out over mixed units, beside plain Python, numpy in lock step, and numba.

A hundred thousand units of two to four subunits and one to three groups, about three million
hits, which all share out alike before they are timed. Plain Python and numpy run twice: once as
the rule is written, a marker or a turn after another, and once by runs or by arithmetic, as one
who knows the trick would write it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.rules.emlia import allocate_hits
from emlia3d.study.baselines.hits import (
    Army,
    by_arithmetic,
    by_runs,
    in_lock_step,
    marker_by_marker,
    plainly,
    run_by_run,
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
    share = by_runs()

    def walked() -> NDArray[np.int32]:
        return share(members, rows, hits, groups, starts, np.zeros_like(out))

    for rule in (marker_by_marker, run_by_run):
        assert out[: starts[PLAIN]].tolist() == plainly(rule, found, PLAIN)
    for work in (lambda: in_lock_step(found), lambda: by_arithmetic(found), walked):
        assert np.array_equal(out, work())

    mine = seconds(ours) / UNITS
    baselines = {
        "plain Python, marker by marker": (
            seconds(lambda: plainly(marker_by_marker, found, PLAIN), 3) / PLAIN
        ),
        "plain Python by runs": seconds(lambda: plainly(run_by_run, found, PLAIN), 3) / PLAIN,
        "numpy in lock step": seconds(lambda: in_lock_step(found), 3) / UNITS,
        "numpy with the same arithmetic": seconds(lambda: by_arithmetic(found), 3) / UNITS,
        "numba by runs": seconds(walked, 3) / UNITS,
    }
    for name, theirs in baselines.items():
        ratio_lines.append(
            f"hits, {int(out.sum()):,} on {UNITS:,} units, {name}: {theirs / mine:.1f}"
            f" ({theirs * 1e6:.3f} us a unit)"
        )
