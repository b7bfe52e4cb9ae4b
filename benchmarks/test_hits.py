"""Hits shared out over mixed units, beside the rule itself, numpy in lock step, and numba.

A hundred thousand units of two to four subunits and one to three groups, about three million
hits, which all share out alike before they are timed. All rivals use arithmetic for runs of hits; a
step for each hit would take plain Python three times as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.rules.emlia import allocate_hits
from emlia3d.rules.emlia.damage import allocate

UNITS = 100_000
PLAIN = 2_000
"""Units that plain Python is timed on."""

Army = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]


def army() -> Army:
    rng = np.random.default_rng(1815)
    subunits, groups = rng.integers(2, 5, UNITS), rng.integers(1, 4, UNITS)
    members = rng.integers(1, 60, subunits.sum()).astype(np.int32)
    hits = rng.integers(1, 30, groups.sum()).astype(np.int32)
    offsets = [np.concatenate(([0], np.cumsum(n))).astype(np.int32) for n in (subunits, groups)]
    return members, offsets[0], hits, offsets[1]


def plainly(found: Army, units: int) -> list[int]:
    """The rule as it stands beside the book."""
    members, rows, hits, groups = found
    out: list[int] = []
    for unit in range(units):
        matrix = allocate(
            members[rows[unit] : rows[unit + 1]].tolist(),
            hits[groups[unit] : groups[unit + 1]].tolist(),
        )
        out += [cell for row in matrix for cell in row]
    return out


def in_lock_step(found: Army) -> NDArray[np.int32]:
    """All units at once in numpy: padded to the widest, a run of equal turns at a time."""
    members, rows, hits, groups = found
    count, wide = np.diff(rows), np.diff(groups)
    most, broad = int(count.max()), int(wide.max())
    padded = np.zeros((UNITS, most), dtype=np.int64)
    padded[np.repeat(np.arange(UNITS), count), _within(rows)] = members
    markers = np.zeros((UNITS, broad), dtype=np.int64)
    markers[np.repeat(np.arange(UNITS), wide), _within(groups)] = hits
    order = np.argsort(-padded, axis=1, kind="stable")
    ranked = np.take_along_axis(padded, order, 1)
    smallest = np.where(ranked > 0, ranked, 2**31).min(axis=1, keepdims=True)
    quotas = -(-ranked // smallest)
    starts = np.cumsum(quotas, axis=1) - quotas
    turn = quotas.sum(axis=1, keepdims=True)
    by_size = np.argsort(-markers, axis=1, kind="stable")
    totals = np.cumsum(np.take_along_axis(markers, by_size, 1), axis=1)
    taken = np.zeros((UNITS, most, broad + 1), dtype=np.int64)
    for group in range(broad):
        rounds, rest = np.divmod(totals[:, group : group + 1], turn)
        taken[:, :, group + 1] = rounds * quotas + np.clip(rest - starts, 0, quotas)
    shares = np.diff(taken, axis=2)
    out = np.zeros((UNITS, most, broad), dtype=np.int64)
    unit = np.arange(UNITS)[:, None, None]
    out[unit, order[:, :, None], by_size[:, None, :]] = shares
    inside = (np.arange(most)[None, :, None] < count[:, None, None]) & (
        np.arange(broad)[None, None, :] < wide[:, None, None]
    )
    return out[inside].astype(np.int32)


def _within(offsets: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def by_runs() -> Callable[..., NDArray[np.int32]]:
    """A numba kernel that walks through the rounds by runs, as one would write it at first."""
    numba = pytest.importorskip("numba")

    @numba.njit(cache=False)
    def share(members, rows, hits, groups, starts, out):  # type: ignore[no-untyped-def]
        for unit in range(len(rows) - 1):
            first, n = rows[unit], rows[unit + 1] - rows[unit]
            begin, g = groups[unit], groups[unit + 1] - groups[unit]
            order = np.argsort(-members[first : first + n], kind="mergesort")
            smallest = members[first : first + n].min()
            by_size = np.argsort(-hits[begin : begin + g], kind="mergesort")
            at, room = 0, -(-members[first + order[0]] // smallest)
            for group in by_size:
                left = hits[begin + group]
                while left > 0:
                    take = min(room, left)
                    out[starts[unit] + order[at] * g + group] += take
                    left -= take
                    room -= take
                    if room == 0:
                        at = (at + 1) % n
                        room = -(-members[first + order[at]] // smallest)
        return out

    return share


def seconds(work: Callable[[], object], times: int = 5) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def test_hits_beside_rivals(one_core: None, ratio_lines: list[str]) -> None:
    found = army()
    members, rows, hits, groups = found
    damage = np.arange(len(hits))

    def ours() -> NDArray[np.int32]:
        return allocate_hits(members, rows, damage, hits, groups)

    out = ours()
    sizes = np.diff(rows).astype(np.int64) * np.diff(groups)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    share = by_runs()

    def walked() -> NDArray[np.int32]:
        return share(members, rows, hits, groups, starts, np.zeros_like(out))

    assert out[: starts[PLAIN]].tolist() == plainly(found, PLAIN)
    assert np.array_equal(out, in_lock_step(found))
    assert np.array_equal(out, walked())

    mine = seconds(ours) / UNITS
    rivals = {
        "the rule in plain Python": seconds(lambda: plainly(found, PLAIN), 3) / PLAIN,
        "numpy in lock step": seconds(lambda: in_lock_step(found), 3) / UNITS,
        "numba by runs": seconds(walked, 3) / UNITS,
    }
    for name, theirs in rivals.items():
        ratio_lines.append(
            f"hits, {int(out.sum()):,} on {UNITS:,} units, {name}: {theirs / mine:.1f}"
        )
