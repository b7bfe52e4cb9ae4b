"""Emlia, chapters 21.3 and 21.4, for any number of units at once: hits, damage and losses.

Holds `emlia.hits.groups`, `emlia.hits.subunit-quota` and `emlia.hits.allocate`. Module
`emlia3d.rules.emlia.tables.damage` has the rules for one unit; here one call resolves whole
armies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext.emlia import hits as _hits
from emlia3d.geometry.threads import in_chunks
from emlia3d.rules.rulebook import rule

_CHUNK = 8192
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The units that are hit: the subunits of all units, one after another.

    members : (subunits,) int, of each subunit, before any damage of this phase
    offsets : (units + 1,) int, where each unit's subunits begin; the last is their number
    hits : () or (subunits,) int, their attribute, with what their equipment adds
    limit : () or (subunits,) int, damage limit of one member; 0 for none
    threshold : () or (subunits,) int, of the vital table; 0 for none
    carried : () or (subunits,) int, damage that was kept before
    suffered : () or (subunits,) int, all damage so far, dead members included
    """

    members: ArrayLike
    offsets: ArrayLike
    hits: ArrayLike = 1
    limit: ArrayLike = 1
    threshold: ArrayLike = 0
    carried: ArrayLike = 0
    suffered: ArrayLike = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Hit markers on units: groups of equal base damage, one after another.

    damage : (groups,) int, base damage of each group
    hits : (groups,) int, markers of each group
    offsets : (units + 1,) int, where each unit's groups begin; the last is their number
    needs : (cells,) int, 1 or more, the hits that make a point for each subunit and group, laid
        out as the result of `allocate_hits`; None means hits less base damage
    """

    damage: ArrayLike
    hits: ArrayLike
    offsets: ArrayLike
    needs: ArrayLike | None = None


@dataclass(frozen=True, slots=True)
class DamageResult:
    """The result of the markers.

    taken : (cells,) int32, as `allocate_hits` has it
    points : (subunits,) int64, damage points
    lost : (subunits,) int64, members lost by the damage limit
    carried : (subunits,) int64, damage that is kept
    rolls : (subunits,) int64, multiples of the threshold that the total reached
    """

    taken: NDArray[np.int32]
    points: NDArray[np.int64]
    lost: NDArray[np.int64]
    carried: NDArray[np.int64]
    rolls: NDArray[np.int64]


@rule("emlia.hits.allocate", "emlia.hits.groups")
def allocate_hits(
    members: ArrayLike,
    member_offsets: ArrayLike,
    damage: ArrayLike,
    hits: ArrayLike,
    hit_offsets: ArrayLike,
) -> NDArray[np.int32]:
    """Return the markers that each subunit takes: a matrix of subunits by groups for each unit.

    A unit's matrix is laid out row by row. Subunits take their quotas in rounds, one marker for
    each started number of members as large as the smallest subunit, the largest first; groups of
    markers are used up in turn, the largest first; ties go in the order given, which is the
    controller's choice. A subunit without members takes none; without any members left the
    markers are lost.

    members : (subunits of all units,) of each subunit, before any damage of this phase
    member_offsets : (units + 1,) where each unit's subunits begin; the last is their number
    damage : (groups of all units,) base damage of each group of markers
    hits : (groups of all units,) markers of each group
    hit_offsets : (units + 1,) where each unit's groups begin; the last is their number

    Raises
    ------
    ValueError
        Values other than whole numbers from 0 to 2^31 - 1, offsets that do not rise from 0 to the
        number of the rows that they divide, or columns of different lengths.
    """
    army = _army(members, member_offsets, damage, hits, hit_offsets)
    in_chunks(army.share, army.units, _CHUNK)
    return army.taken


def resolve_hits(targets: Targets, markers: Markers) -> DamageResult:
    """Return the markers that each subunit takes, their damage, and the losses.

    Equals `allocate_hits`, followed by `damage_points`, `casualties` and `threshold_rolls` for
    every subunit by itself; a subunit takes no more than it has members to lose.

    Raises
    ------
    ValueError
        As `allocate_hits`; a need of 0.
    """
    army = _army(targets.members, targets.offsets, markers.damage, markers.hits, markers.offsets)
    count = len(army.members)
    nature = np.empty((5, count), dtype=np.int32)
    for row, name in enumerate(("hits", "limit", "threshold", "carried", "suffered")):
        nature[row] = _column(name, getattr(targets, name), count)
    needs = _whole("needs", [] if markers.needs is None else markers.needs)
    if markers.needs is not None and len(needs) != len(army.taken):
        raise ValueError(f"needs: expected {len(army.taken)}, one for each subunit and group")
    if not needs.all():
        raise ValueError("needs are whole numbers from 1 on")
    out = np.empty((4, count), dtype=np.int64)

    def work(begin: int, end: int) -> None:
        army.share(begin, end)
        _hits.suffer(
            army.members, army.member_offsets, army.damage, army.hit_offsets, army.starts,
            army.taken, nature, needs, begin, end, out,
        )  # fmt: skip

    in_chunks(work, army.units, _CHUNK)
    return DamageResult(army.taken, *out)


@dataclass(frozen=True, slots=True)
class _Army:
    """Checked columns and buffers for results; starts : where each matrix begins."""

    members: NDArray[np.int32]
    member_offsets: NDArray[np.int32]
    damage: NDArray[np.int32]
    hits: NDArray[np.int32]
    hit_offsets: NDArray[np.int32]
    starts: NDArray[np.int64]
    taken: NDArray[np.int32]
    longest: int

    @property
    def units(self) -> int:
        return len(self.starts) - 1

    @rule("emlia.hits.subunit-quota", "emlia.hits.example-three", "emlia.hits.example-two")
    def share(self, begin: int, end: int) -> None:
        """Fill in the markers that the subunits of units *begin* to *end* take."""
        scratch = np.empty((2, self.longest), dtype=np.int64)
        _hits.allocate(
            self.members, self.member_offsets, self.hits, self.hit_offsets,
            self.starts, scratch, self.taken, begin, end,
        )  # fmt: skip


def _army(
    members: ArrayLike,
    member_offsets: ArrayLike,
    damage: ArrayLike,
    hits: ArrayLike,
    hit_offsets: ArrayLike,
) -> _Army:
    rows, groups = _whole("members", members), _whole("hits", hits)
    if np.shape(damage) != groups.shape:
        raise ValueError("damage and hits are of the same groups, and so of one length")
    row_offsets = _offsets("member_offsets", member_offsets, len(rows))
    group_offsets = _offsets("hit_offsets", hit_offsets, len(groups))
    if len(row_offsets) != len(group_offsets):
        raise ValueError("member_offsets and hit_offsets are of the same units")
    starts = np.empty(len(row_offsets), dtype=np.int64)
    longest = _hits.lay_out(row_offsets, group_offsets, starts)
    # One unit can exceed the limit only if all units together do.
    if groups.sum(dtype=np.int64) > _MOST:
        before = np.append(0, np.cumsum(groups, dtype=np.int64))[group_offsets]
        if np.diff(before).max() > _MOST:
            raise ValueError("the hits of one unit are at most 2^31 - 1")
    taken = np.empty(int(starts[-1]), dtype=np.int32)
    kinds = _whole("damage", damage)
    return _Army(rows, row_offsets, kinds, groups, group_offsets, starts, taken, longest)


def _whole(name: str, numbers: ArrayLike) -> NDArray[np.int32]:
    given = np.asarray(numbers)
    if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
        raise ValueError(f"{name} need one row of whole numbers")
    if given.size and not (given.min() >= 0 and given.max() <= _MOST):
        raise ValueError(f"{name} are whole numbers from 0 to 2^31 - 1")
    return np.ascontiguousarray(given, dtype=np.int32)


def _column(name: str, numbers: ArrayLike, count: int) -> NDArray[np.int32]:
    """Return a column of *count* values, from one value for all or one for each."""
    found = _whole(name, np.atleast_1d(numbers))
    if np.ndim(numbers) and len(found) != count:
        raise ValueError(f"{name}: expected one number, or {count}")
    return found


def _offsets(name: str, numbers: ArrayLike, count: int) -> NDArray[np.int32]:
    found = _whole(name, numbers)
    if not len(found) or found[0] or found[-1] != count or (found[1:] < found[:-1]).any():
        raise ValueError(f"{name} rise from 0 to {count}, the number of what they divide")
    return found
