"""Hit allocation as the book describes it, and in closed form by numpy and by numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.rules.emlia.tables.damage import casualties, damage_points, need

Army: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
"""Members and hits, with the offsets of each unit's first ones."""
Floats: TypeAlias = NDArray[np.float64]

_BLOCK = 4096
"""Number of units of one shape that are allocated together."""


def marker_by_marker(members: list[int], hits: list[int]) -> list[list[int]]:
    """Allocate hits literally as in the rulebook."""
    taken = [[0] * len(hits) for _ in members]
    rounds = sorted(range(len(members)), key=lambda row: -members[row])
    smallest = members[rounds[-1]]
    turns = [row for row in rounds for _ in range(-(-members[row] // smallest))]
    at = 0
    for group in sorted(range(len(hits)), key=lambda group: -hits[group]):
        for _ in range(hits[group]):
            taken[turns[at]][group] += 1
            at = (at + 1) % len(turns)
    return taken


def allocate_by_marker(army: Army, units: int) -> list[int]:
    """Return the matrices of the first units, marker by marker in plain Python."""
    members, rows, hits, groups = (column.tolist() for column in army)
    out: list[int] = []
    for unit in range(units):
        matrix = marker_by_marker(
            members[rows[unit] : rows[unit + 1]], hits[groups[unit] : groups[unit + 1]]
        )
        out += [cell for row in matrix for cell in row]
    return out


def harmed(
    found: Army, hits: NDArray[np.int32], damage: NDArray[np.int32], units: int
) -> list[tuple[int, int, int]]:
    """Return points, losses and remaining damage of each subunit, unit by unit.

    hits : hits attribute of each subunit; damage : base damage of each group; each point removes a
        member
    """
    members, rows, markers, groups = (column.tolist() for column in found)
    out = []
    for unit in range(units):
        own, kinds = range(rows[unit], rows[unit + 1]), range(groups[unit], groups[unit + 1])
        shares = marker_by_marker([members[row] for row in own], [markers[kind] for kind in kinds])
        for row, taken in zip(own, shares, strict=True):
            points = sum(
                damage_points(count, need(int(hits[row]), int(damage[kind])))
                for kind, count in zip(kinds, taken, strict=True)
            )
            lost = casualties(points, 0, 1, members[row])
            out.append((points, lost.lost, lost.carried))
    return out


def allocate_by_numpy(army: Army) -> NDArray[np.int32]:
    """Return the matrices of all units in closed form, one shape of unit at a time.

    Blocks of units are small enough that all their columns stay in the cache.
    """
    members, rows, hits, groups = army
    subunits, kinds = np.diff(rows), np.diff(groups)
    sizes = subunits.astype(np.int64) * kinds
    starts = np.cumsum(sizes) - sizes
    out = np.empty(int(sizes.sum()), np.int32)
    shape = subunits.astype(np.int64) << 32 | kinds
    if len(shape) and shape.max() < 4 << 32 | 256:
        shape = ((subunits << 8) | kinds).astype(np.int16)  # numpy sorts these with a radix sort
    order = np.argsort(shape, kind="stable")
    ends = np.flatnonzero(np.diff(shape[order])) + 1
    for alike in np.split(order, ends) if len(order) else []:
        n, g = int(subunits[alike[0]]), int(kinds[alike[0]])
        inside = np.arange(n * g)
        for first in range(0, len(alike), _BLOCK):
            units = alike[first : first + _BLOCK]
            strength = [members[rows[units] + i].astype(np.float64) for i in range(n)]
            markers = [hits[groups[units] + k].astype(np.float64) for k in range(g)]
            out[starts[units][:, None] + inside] = _shares(strength, markers)
    return out


def _shares(members: list[Floats], hits: list[Floats]) -> NDArray[np.int32]:
    """Return an array (units, subunits * groups) from columns of subunits and groups.

    All numbers are small integers, so quotients of doubles round correctly.
    """
    quotas = [np.ceil(own / np.minimum.reduce(members)) for own in members]
    turn = np.add.reduce(quotas)
    starts, totals = _sums_before(members, quotas), _sums_before(hits, hits)
    out = np.empty((len(turn), len(members) * len(hits)), np.int32)
    for group, before in enumerate(totals):
        after = before + hits[group]
        rounds, later = np.floor(before / turn), np.floor(after / turn)
        rest, last = before - rounds * turn, after - later * turn
        for row, (quota, start) in enumerate(zip(quotas, starts, strict=True)):
            taken = (later - rounds) * quota
            taken += np.minimum(np.maximum(last - start, 0), quota)
            taken -= np.minimum(np.maximum(rest - start, 0), quota)
            out[:, row * len(hits) + group] = taken
    return out


def _sums_before(sizes: list[Floats], values: list[Floats]) -> list[Floats]:
    """Return for each column the sum of larger values and of equal values before it."""
    sums = [np.zeros_like(value) for value in values]
    for i in range(len(sizes)):
        for j in range(i):
            earlier = sizes[j] >= sizes[i]
            sums[i] += earlier * values[j]
            sums[j] += ~earlier * values[i]
    return sums


def allocate_by_numba() -> Callable[..., NDArray[np.int32]]:
    """Return a compiled function with the same closed form, unit by unit.

    Its arguments are the army's columns, the offset of each unit's matrix, and the output.
    """
    import numba  # noqa: PLC0415  may be missing

    @numba.njit(cache=False)
    def allocate(members: Any, rows: Any, hits: Any, groups: Any, starts: Any, out: Any) -> Any:
        for unit in range(len(rows) - 1):
            first, last = rows[unit], rows[unit + 1]
            begin, end = groups[unit], groups[unit + 1]
            smallest = members[first]
            for row in range(first + 1, last):
                smallest = min(smallest, members[row])
            turn = 0
            for row in range(first, last):
                turn += -(-members[row] // smallest)
            at = starts[unit]
            for group in range(begin, end):
                before = 0
                for other in range(begin, end):
                    larger = hits[other] > hits[group]
                    if larger or (hits[other] == hits[group] and other < group):
                        before += hits[other]
                after = before + hits[group]
                rounds, later = before // turn, after // turn
                rest, end_rest = before - rounds * turn, after - later * turn
                for row in range(first, last):
                    own, start = members[row], 0
                    for other in range(first, last):
                        if members[other] > own or (members[other] == own and other < row):
                            start += -(-members[other] // smallest)
                    quota = -(-own // smallest)
                    taken = (later - rounds) * quota
                    taken += min(max(end_rest - start, 0), quota)
                    taken -= min(max(rest - start, 0), quota)
                    out[at + (row - first) * (end - begin) + group - begin] = taken
        return out

    return allocate
