"""Hits shared out as the book writes it down, by numpy in lock step, and by numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.rules.emlia.tables.damage import casualties, damage_points, need

Army: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
"""Members and where each unit's begin, hits and where each unit's begin."""


def marker_by_marker(members: list[int], hits: list[int]) -> list[list[int]]:
    """The rule as it stands in the book."""
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


def run_by_run(members: list[int], hits: list[int]) -> list[list[int]]:
    """The same, as many markers at once as a subunit's turn has left."""
    taken = [[0] * len(hits) for _ in members]
    rounds = sorted(range(len(members)), key=lambda row: -members[row])
    quotas = [-(-members[row] // members[rounds[-1]]) for row in rounds]
    turn, room = 0, quotas[0]
    for group in sorted(range(len(hits)), key=lambda group: -hits[group]):
        left = hits[group]
        while left:
            take = min(room, left)
            taken[rounds[turn]][group] += take
            left, room = left - take, room - take
            if not room:
                turn = (turn + 1) % len(rounds)
                room = quotas[turn]
    return taken


def plainly(
    share: Callable[[list[int], list[int]], list[list[int]]], found: Army, units: int
) -> list[int]:
    """All units, one after another."""
    members, rows, hits, groups = found
    out: list[int] = []
    for unit in range(units):
        matrix = share(
            members[rows[unit] : rows[unit + 1]].tolist(),
            hits[groups[unit] : groups[unit + 1]].tolist(),
        )
        out += [cell for row in matrix for cell in row]
    return out


def harmed(
    found: Army, hits: NDArray[np.int32], damage: NDArray[np.int32], units: int
) -> list[tuple[int, int, int]]:
    """Points, losses and what is kept of each subunit of all units, one after another.

    hits : the attribute of each subunit; damage : the base damage of each group; a member is lost
        for each point
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


def padded(found: Army) -> tuple[NDArray[np.int64], ...]:
    """Members and markers, largest first and padded to the widest, and where each stood."""
    members, rows, hits, groups = found
    out = []
    for numbers, offsets in ((members, rows), (hits, groups)):
        count = np.diff(offsets)
        table = np.zeros((len(count), int(count.max())), dtype=np.int64)
        table[np.repeat(np.arange(len(count)), count), _within(offsets)] = numbers
        order = np.argsort(-table, axis=1, kind="stable")
        out += [np.take_along_axis(table, order, 1), order]
    return tuple(out)


def laid_out(
    found: Army,
    shares: NDArray[np.int64],
    order: NDArray[np.int64],
    by_size: NDArray[np.int64],
) -> NDArray[np.int32]:
    """The matrices in the order given, without what was padded."""
    _, rows, _, groups = found
    out = np.zeros_like(shares)
    units = np.arange(len(shares))[:, None, None]
    out[units, order[:, :, None], by_size[:, None, :]] = shares
    inside = np.arange(shares.shape[1])[None, :, None] < np.diff(rows)[:, None, None]
    inside = inside & (np.arange(shares.shape[2])[None, None, :] < np.diff(groups)[:, None, None])
    return out[inside].astype(np.int32)


def in_lock_step(found: Army) -> NDArray[np.int32]:
    """All units at once in numpy, a turn of one subunit after another until nobody has markers."""
    ranked, order, markers, by_size = padded(found)
    smallest = np.where(ranked > 0, ranked, 2**31).min(axis=1, keepdims=True)
    quotas = -(-ranked // smallest)
    shares = np.zeros((len(ranked), ranked.shape[1], markers.shape[1]), dtype=np.int64)
    left, group = markers.copy(), np.zeros(len(ranked), dtype=np.int64)
    turn, room = np.zeros(len(ranked), dtype=np.int64), quotas[:, 0].copy()
    alive, last = (ranked > 0).sum(axis=1), markers.shape[1] - 1
    going = np.flatnonzero(left.any(axis=1))
    while len(going):
        kind, taker = group[going], turn[going]
        take = np.minimum(room[going], left[going, kind])
        shares[going, taker, kind] += take
        left[going, kind] -= take
        room[going] -= take
        done = going[room[going] == 0]
        turn[done] = (turn[done] + 1) % alive[done]
        room[done] = quotas[done, turn[done]]
        empty = left[going, kind] == 0
        group[going[empty]] += 1
        going = going[(group[going] <= last) & (left[going, np.minimum(group[going], last)] > 0)]
    return laid_out(found, shares, order, by_size)


def by_arithmetic(found: Army) -> NDArray[np.int32]:
    """All units at once in numpy, with the kernel's own arithmetic for full rounds and rests."""
    ranked, order, markers, by_size = padded(found)
    smallest = np.where(ranked > 0, ranked, 2**31).min(axis=1, keepdims=True)
    quotas = -(-ranked // smallest)
    starts = np.cumsum(quotas, axis=1) - quotas
    turn = quotas.sum(axis=1, keepdims=True)
    totals = np.cumsum(markers, axis=1)
    taken = np.zeros((len(ranked), ranked.shape[1], markers.shape[1] + 1), dtype=np.int64)
    for group in range(markers.shape[1]):
        rounds, rest = np.divmod(totals[:, group : group + 1], turn)
        taken[:, :, group + 1] = rounds * quotas + np.clip(rest - starts, 0, quotas)
    return laid_out(found, np.diff(taken, axis=2), order, by_size)


def _within(offsets: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def by_runs() -> Callable[..., NDArray[np.int32]]:
    """A numba kernel that walks through the rounds by runs, as one would write it at first."""
    import numba  # noqa: PLC0415  may be missing

    @numba.njit(cache=False)
    def share(members: Any, rows: Any, hits: Any, groups: Any, starts: Any, out: Any) -> Any:
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
