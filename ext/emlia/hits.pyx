"""Hit markers shared out over the subunits of many mixed units, and what they come to there.

A unit's subunits take their quotas in rounds, the largest first; its groups of markers are used
up one after another, the largest first. How many of the first x markers a subunit has taken is
plain arithmetic: its quota for each full round, and what is its own of the last one. What it
takes of a group is the difference between the group's end and its beginning. So there is no step
for each marker, nor for each round, and nothing is sorted: whoever comes before is added up. Units
of one small shape go into one batch, so that no loop has an end that branches cannot predict.

Callers go through ``emlia3d.rules.emlia.tables.allocation``, which checks what is assumed here: no
negative number, no unit with more than 2^31 - 1 markers, columns of one length, scratch rooms as
long as the longest unit.
"""

from libc.stdint cimport int32_t, int64_t

cdef extern from "allocation.h" nogil:
    enum:
        AT_ONCE

    cdef struct HitTables:
        const int32_t *members
        const int32_t *member_offsets
        const int32_t *hits
        const int32_t *hit_offsets
        const int64_t *starts
        int32_t *cells

    Py_ssize_t share_by_shape(const HitTables *army, Py_ssize_t begin, Py_ssize_t end,
                              int32_t *others)


def lay_out(const int32_t[::1] member_offsets, const int32_t[::1] hit_offsets,
            int64_t[::1] out_offsets):
    """Return where each unit's matrix begins; the most subunits or groups of a unit."""
    cdef Py_ssize_t unit
    cdef int32_t rows, groups, longest = 1
    with nogil:
        out_offsets[0] = 0
        for unit in range(member_offsets.shape[0] - 1):
            rows = member_offsets[unit + 1] - member_offsets[unit]
            groups = hit_offsets[unit + 1] - hit_offsets[unit]
            out_offsets[unit + 1] = out_offsets[unit] + <int64_t>rows * groups
            longest = max(longest, max(rows, groups))
    return longest


cdef inline int64_t taken_of(int64_t rounds, int64_t rest, int64_t ahead,
                             int64_t quota) noexcept nogil:
    """Return a subunit's markers after full rounds and the rest of one more."""
    return rounds * quota + min(max(rest - ahead, 0), quota)


cdef void share_alone(const HitTables *army, Py_ssize_t unit, int64_t *quotas,
                      int64_t *ahead) noexcept nogil:
    """Fill the matrix of one unit, of whatever shape; two rooms for as many as it has subunits."""
    cdef Py_ssize_t first = army.member_offsets[unit]
    cdef Py_ssize_t rows = army.member_offsets[unit + 1] - first
    cdef Py_ssize_t group = army.hit_offsets[unit]
    cdef Py_ssize_t groups = army.hit_offsets[unit + 1] - group
    cdef const int32_t *members = army.members + first
    cdef const int32_t *hits = army.hits + group
    cdef int32_t *cells = army.cells + army.starts[unit]
    cdef Py_ssize_t i, k
    cdef int32_t smallest = 0, size
    cdef int64_t turn = 0, before, after, full, rest, full_after, rest_after
    for i in range(rows):
        size = members[i]
        # A subunit without members does not count; as unsigned, 0 - 1 is more than any.
        if <unsigned int>(size - 1) < <unsigned int>(smallest - 1):
            smallest = size
    if smallest == 0:
        for k in range(rows * groups):
            cells[k] = 0
        return
    for i in range(rows):
        # Rounded up: one for each started number as large as the smallest.
        quotas[i] = <unsigned int>(members[i] + <unsigned int>smallest - 1) // (
            <unsigned int>smallest)
        turn += quotas[i]
    for i in range(rows):
        ahead[i] = 0
        size = members[i]
        for k in range(i):
            ahead[i] += quotas[k] * (members[k] >= size)
        for k in range(i + 1, rows):
            ahead[i] += quotas[k] * (members[k] > size)
    for k in range(groups):
        size = hits[k]
        before = 0
        for i in range(k):
            before += hits[i] * <int64_t>(hits[i] >= size)
        for i in range(k + 1, groups):
            before += hits[i] * <int64_t>(hits[i] > size)
        after = before + size
        full, full_after = before // turn, after // turn
        rest = before - full * turn
        rest_after = after - full_after * turn
        for i in range(rows):
            cells[i * groups + k] = <int32_t>(
                taken_of(full_after, rest_after, ahead[i], quotas[i])
                - taken_of(full, rest, ahead[i], quotas[i]))


def allocate(const int32_t[::1] members, const int32_t[::1] member_offsets,
             const int32_t[::1] hits, const int32_t[::1] hit_offsets,
             const int64_t[::1] out_offsets, int64_t[:, ::1] scratch, int32_t[::1] out,
             Py_ssize_t begin, Py_ssize_t end):
    """The matrices, subunits by groups, of units begin to end, each from out_offsets[unit] on.

    scratch : rooms for the quotas of the subunits, and for what those take who come before them
    """
    cdef Py_ssize_t k
    cdef int32_t others[AT_ONCE]
    cdef HitTables army
    if out.shape[0] == 0:
        return
    with nogil:
        army.members, army.member_offsets = &members[0], &member_offsets[0]
        army.hits, army.hit_offsets = &hits[0], &hit_offsets[0]
        army.starts, army.cells = &out_offsets[0], &out[0]
        while begin < end:
            for k in range(share_by_shape(&army, begin, min(begin + AT_ONCE, end), others)):
                share_alone(&army, others[k], &scratch[0, 0], &scratch[1, 0])
            begin += AT_ONCE


def suffer(const int32_t[::1] members, const int32_t[::1] member_offsets,
           const int32_t[::1] damage, const int32_t[::1] hit_offsets,
           const int64_t[::1] out_offsets, const int32_t[::1] taken, const int32_t[:, ::1] nature,
           const int32_t[::1] needs, Py_ssize_t begin, Py_ssize_t end, int64_t[:, ::1] out):
    """Compute the losses of the subunits of units begin to end from their markers.

    nature : (5, subunits) hits, damage limit and threshold (0 for none), damage kept, damage ever
    needs : of each cell of the matrices; empty where hits less base damage are needed
    out : (4, subunits) damage points, members lost, damage kept, rolls for thresholds
    """
    cdef Py_ssize_t unit, row, k, group, groups, cell
    cdef int32_t need
    cdef int64_t points, kept, lost, total
    cdef bint given = needs.shape[0] > 0
    with nogil:
        for unit in range(begin, end):
            group = hit_offsets[unit]
            groups = hit_offsets[unit + 1] - group
            cell = out_offsets[unit]
            for row in range(member_offsets[unit], member_offsets[unit + 1]):
                points = 0
                for k in range(groups):
                    need = needs[cell] if given else max(nature[0, row] - damage[group + k], 1)
                    points += taken[cell] // need
                    cell += 1
                kept = points + nature[3, row]
                lost = 0
                if nature[1, row]:
                    lost = kept // nature[1, row]
                    kept -= lost * nature[1, row]
                    if lost >= members[row]:
                        lost = members[row]
                        kept = 0
                out[0, row] = points
                out[1, row] = lost
                out[2, row] = kept
                out[3, row] = 0
                if nature[2, row]:
                    total = nature[4, row]
                    out[3, row] = ((total + points) // nature[2, row] - total // nature[2, row])
