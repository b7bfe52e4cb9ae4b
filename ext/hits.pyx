"""Hit markers shared out over the subunits of many mixed units, without a step for each marker.

A unit's subunits take their quotas in rounds, the largest first; its groups of markers are used
up one after another, the largest first. How many of the first x markers a subunit has taken is
plain arithmetic: its quota for each full round, and what is its own of the last one. What it
takes of a group is the difference between the group's end and its beginning.

Callers go through ``emlia3d.rules.emlia.allocation``, which checks what is assumed here: offsets
rising from 0, no negative number, scratch rooms as long as the longest unit.
"""

from libc.stdint cimport int32_t, int64_t


cdef inline void by_size(const int32_t[::1] sizes, Py_ssize_t first, Py_ssize_t count,
                         int32_t[::1] order) noexcept nogil:
    """order[:count] = 0 .. count - 1 by size, the largest first; equals as they are given."""
    cdef Py_ssize_t i, k
    cdef int32_t size
    for i in range(count):
        size = sizes[first + i]
        k = i
        while k > 0 and sizes[first + order[k - 1]] < size:
            order[k] = order[k - 1]
            k -= 1
        order[k] = <int32_t>i


def allocate(const int32_t[::1] members, const int32_t[::1] member_offsets,
             const int32_t[::1] hits, const int32_t[::1] hit_offsets,
             const int64_t[::1] out_offsets, int32_t[:, ::1] scratch, int64_t[::1] before,
             int32_t[::1] out, Py_ssize_t begin, Py_ssize_t end):
    """The matrices, subunits by groups, of units begin to end, each from out_offsets[unit] on.

    scratch : rooms for the subunits in their order, their places in a round, their quotas and the
        groups in their order
    before : room for what each subunit has taken of the groups before
    """
    cdef Py_ssize_t unit, first, count, groups, i, k, place
    cdef int32_t smallest, alive, quota
    cdef int64_t turn, total, rounds, rest, own
    with nogil:
        for unit in range(begin, end):
            first = member_offsets[unit]
            count = member_offsets[unit + 1] - first
            groups = hit_offsets[unit + 1] - hit_offsets[unit]
            by_size(members, first, count, scratch[0])
            by_size(hits, hit_offsets[unit], groups, scratch[3])
            alive = 0
            while alive < count and members[first + scratch[0, alive]] > 0:
                alive += 1
            if alive == 0:
                for k in range(count * groups):
                    out[out_offsets[unit] + k] = 0
                continue
            smallest = members[first + scratch[0, alive - 1]]
            turn = 0
            for i in range(alive):
                # Rounded up; members are at least 1, and at most 2^31 - 1.
                quota = (members[first + scratch[0, i]] - 1) // smallest + 1
                scratch[1, i] = <int32_t>turn
                scratch[2, i] = quota
                turn += quota
                before[i] = 0
            for i in range(alive, count):
                for k in range(groups):
                    out[out_offsets[unit] + scratch[0, i] * groups + k] = 0
            total = 0
            for k in range(groups):
                total += hits[hit_offsets[unit] + scratch[3, k]]
                rounds = total // turn
                rest = total - rounds * turn
                for i in range(alive):
                    own = min(max(rest - scratch[1, i], 0), scratch[2, i])
                    own += rounds * scratch[2, i]
                    place = out_offsets[unit] + scratch[0, i] * groups + scratch[3, k]
                    out[place] = <int32_t>(own - before[i])
                    before[i] = own
