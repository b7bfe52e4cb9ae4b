"""Emlia, chapter 21.3, for whole armies: hit markers shared out over the subunits of mixed units.

The rule itself is `emlia3d.rules.emlia.damage.allocate`, one unit at a time and to be read beside
the book; here any number of units are shared out in one call, with the same result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import hits as _hits
from emlia3d.geometry.threads import in_chunks

_CHUNK = 8192
_MOST = 2**31 - 1


def allocate_hits(
    members: ArrayLike,
    member_offsets: ArrayLike,
    damage: ArrayLike,
    hits: ArrayLike,
    hit_offsets: ArrayLike,
) -> NDArray[np.int32]:
    """Who takes which markers: for each unit a matrix of subunits by groups, one after another.

    A unit's matrix is laid out row by row. Subunits take their quotas in rounds, the largest
    first; groups of markers are used up in turn, the largest first; ties go in the order given.
    A subunit without members takes none, and where nobody is left the markers are lost.

    members : (subunits of all units,) of each subunit, before any damage of this phase
    member_offsets : (units + 1,) where each unit's subunits begin; the last is their number
    damage : (groups of all units,) base damage of each group of markers
    hits : (groups of all units,) markers of each group
    hit_offsets : (units + 1,) where each unit's groups begin; the last is their number

    Source: emlia.hits.allocate.

    Raises
    ------
    ValueError
        Numbers that are no whole numbers from 0 to 2^31 - 1, offsets that do not rise from 0 to the
        number of what they divide, or columns of different lengths.
    """
    rows = _whole("members", members)
    groups = _whole("hits", hits)
    row_offsets = _offsets("member_offsets", member_offsets, len(rows))
    group_offsets = _offsets("hit_offsets", hit_offsets, len(groups))
    if np.shape(damage) != groups.shape:
        raise ValueError("damage and hits are of the same groups, and so of one length")
    if len(row_offsets) != len(group_offsets):
        raise ValueError("member_offsets and hit_offsets are of the same units")
    widths, depths = np.diff(group_offsets), np.diff(row_offsets)
    if (
        widths.size
        and np.add.reduceat(np.append(groups, 0).astype(np.int64), group_offsets[:-1])[
            widths > 0
        ].max(initial=0)
        > _MOST
    ):
        raise ValueError("the hits of one unit are at most 2^31 - 1")
    sizes = depths.astype(np.int64) * widths
    starts = np.concatenate(([0], np.cumsum(sizes)))
    out = np.empty(int(starts[-1]), dtype=np.int32)
    longest = int(max(depths.max(initial=0), widths.max(initial=0), 1))

    def work(begin: int, end: int) -> None:
        scratch = np.empty((4, longest), dtype=np.int32)
        before = np.empty(longest, dtype=np.int64)
        _hits.allocate(
            rows, row_offsets, groups, group_offsets, starts, scratch, before, out, begin, end
        )

    in_chunks(work, len(sizes), _CHUNK)
    return out


def _whole(name: str, numbers: ArrayLike) -> NDArray[np.int32]:
    given = np.asarray(numbers)
    if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
        raise ValueError(f"{name} want one row of whole numbers")
    if given.size and not (given.min() >= 0 and given.max() <= _MOST):
        raise ValueError(f"{name} are whole numbers from 0 to 2^31 - 1")
    return np.ascontiguousarray(given, dtype=np.int32)


def _offsets(name: str, numbers: ArrayLike, count: int) -> NDArray[np.int32]:
    found = _whole(name, numbers)
    if not len(found) or found[0] or found[-1] != count or (np.diff(found) < 0).any():
        raise ValueError(f"{name} rise from 0 to {count}, the number of what they divide")
    return found
