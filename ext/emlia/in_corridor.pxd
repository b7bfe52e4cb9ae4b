"""Bodies in one sight corridor that can decide the answer, and bodies that hide by themselves.

A body that hides the observed wholly by itself is looked for first; if there is one, no others are
listed. Otherwise all bodies in the corridor are listed but those too low to count.
"""

from libc.math cimport INFINITY, isnan
from libc.stdint cimport int32_t, uint8_t, uint64_t

from circles cimport Search, near
from middle cimport shares_in_middle
from shadow_rules cimport HALF, NOTHING, TALL, Heights, case_under, heights_of
from solidity cimport NOT_SOLID, NOT_TESTED, SOLID, Bodies, solidity
from view cimport View, swept

# True if an obstacle counts at all.
cdef enum:
    ALWAYS = 0
    IF_SOLID = 1
    NEVER = 2

# Stands for the case of what does not count.
cdef enum:
    PASSED = 255

cdef extern from *:
    """
    /* Shares of a body that has not been measured, and of one that needs a sweep. */
    static const double UNMEASURED = -2;
    static const double UNSWEPT = -1;
    """
    const double UNMEASURED
    const double UNSWEPT


cdef struct Candidates:
    # Bodies near a corridor, rows rising, with each one's share of the width, its case and
    # true if it is solid; the shares hold both ways, the rest is one question's.
    Py_ssize_t count
    const int32_t *rows
    double *shares
    uint8_t *which
    uint8_t *is_solid
    # Room to measure some of them together.
    int32_t *places
    int32_t *together
    double *found


cdef struct Kinds:
    # The top of each obstacle, and ALWAYS, IF_SOLID or NEVER.
    const double *tops
    const uint8_t *counts


cdef struct Question:
    # One who looks at one: their rows, footing, height, size and reach of each, which obstacles
    # are solid to the observed, the row that never counts, whether the observed takes cover, and
    # if it is partly concealed for other reasons.
    int32_t ends[2]
    const double *observer
    const double *observed
    const uint8_t *camouflaged
    Py_ssize_t own
    bint crouched
    bint partly


cdef struct Between:
    # The bodies in one corridor: rows, shares of the width, cases by heights, solidity.
    int32_t *rows
    double *shares
    uint8_t *which
    uint8_t *is_solid


cdef inline void gather(Candidates *c, View *v, const Search *n) noexcept nogil:
    """List what comes near the corridor; of what is known to reach from side to side the share."""
    cdef Py_ssize_t k, row
    c.count = near(n, &v.c, &v.m, v.a, v.b, v.near)
    for k in range(c.count):
        row = c.rows[k]
        c.shares[k] = 1 if n.shut[row >> 6] >> (row & 63) & 1 else UNMEASURED


cdef inline bint may_hide_wholly(const Bodies *b, Py_ssize_t row, int which,
                                 bint camouflaged) noexcept nogil:
    """Return whether a body of that case by heights can hide totally: a sparse one never does."""
    return (which != HALF and which != NOTHING
            and (camouflaged or b.solid[row] or not isnan(b.thickness[row])))


cdef inline void tell_apart(Candidates *c, const Bodies *b, const Kinds *kinds,
                            const Heights *heights, const uint8_t *camouflaged, Py_ssize_t own,
                            bint wholly, bint every) noexcept nogil:
    """Find each body's case by heights for one question; PASSED if it does not count.

    wholly : whether only that counts which may hide wholly
    """
    cdef Py_ssize_t k
    for k in range(c.count):
        c.is_solid[k] = NOT_TESTED
        c.which[k] = PASSED
        if c.rows[k] != own and kinds.counts[c.rows[k]] != NEVER:
            c.which[k] = <uint8_t> case_under(heights, kinds.tops[c.rows[k]])
            if (c.which[k] == NOTHING and not every
                    or wholly and not may_hide_wholly(b, c.rows[k], c.which[k],
                                                      camouflaged[c.rows[k]])):
                c.which[k] = PASSED


cdef inline void measure_in_middle(Candidates *c, View *v, const Bodies *b, const uint64_t *shut,
                                   bint tall) noexcept nogil:
    """Measure the bodies that count, or only bodies as tall as both ends."""
    cdef Py_ssize_t k, count = 0
    for k in range(c.count):
        if c.shares[k] == UNMEASURED and c.which[k] != PASSED and (c.which[k] == TALL or not tall):
            c.places[count] = <int32_t> k
            c.together[count] = c.rows[k]
            count += 1
    shares_in_middle(&v.m, &b.o, c.together, count, shut, c.found)
    for k in range(count):
        c.shares[c.places[k]] = c.found[k]


cdef inline bint sweep(Candidates *c, View *v, const Bodies *b, bint tall) noexcept nogil:
    """Measure what is not in the middle; False for no room."""
    cdef Py_ssize_t k
    for k in range(c.count):
        if c.shares[k] == UNSWEPT and c.which[k] != PASSED and (c.which[k] == TALL or not tall):
            c.shares[k] = swept(v, &b.o, c.rows[k], -INFINITY, INFINITY)
            if c.shares[k] < 0:
                return False
    return True


cdef inline bint is_hidden(Candidates *c, const Bodies *b, const int32_t *ends,
                           const uint8_t *camouflaged, double half, int32_t *by) noexcept nogil:
    """Return whether a solid body as tall as both ends fills half the corridor, if measured.

    by : the row of the last such body that hides the observed; -1 for none
    """
    cdef Py_ssize_t k
    cdef bint hidden = False
    by[0] = -1
    for k in range(c.count):
        if c.which[k] == TALL and c.shares[k] >= half:
            if c.is_solid[k] == NOT_TESTED:
                c.is_solid[k] = <uint8_t> solidity(b, c.rows[k], ends[0], ends[1],
                                                   camouflaged[c.rows[k]])
            if c.is_solid[k] == SOLID:
                hidden = True
                if not camouflaged[c.rows[k]]:
                    by[0] = c.rows[k]
    return hidden


cdef inline bint settle(Candidates *c, View *v, const Bodies *b, const uint64_t *shut,
                        const int32_t *ends, const uint8_t *camouflaged, double half, bint every,
                        bint *hidden, int32_t *by) noexcept nogil:
    """Measure what counts; False for no room. What comes first is what may hide by itself.

    every : even if one that is hidden is found so
    """
    cdef int step
    if every:
        measure_in_middle(c, v, b, shut, False)
        if not sweep(c, v, b, False):
            return False
        hidden[0] = is_hidden(c, b, ends, camouflaged, half, by)
        return True
    for step in range(3):
        if step == 1:
            measure_in_middle(c, v, b, shut, True)
        elif step == 2 and not sweep(c, v, b, True):
            return False
        hidden[0] = is_hidden(c, b, ends, camouflaged, half, by)
        if hidden[0]:
            return True
    measure_in_middle(c, v, b, shut, False)
    return sweep(c, v, b, False)


cdef inline Py_ssize_t list_between(Candidates *c, View *v, const Bodies *b, const uint64_t *shut,
                                    const Kinds *kinds, const Question *q, double half, bint every,
                                    const Between *out, bint *hidden, int32_t *by) noexcept nogil:
    """List what counts of what is near; -1 for no room for marks.

    hidden, by : whether one body alone hides the observed, and its row, as of `is_hidden`
    """
    cdef Heights heights = heights_of(q.observer, q.observed)
    cdef Py_ssize_t k, row, count = 0
    tell_apart(c, b, kinds, &heights, q.camouflaged, q.own, q.partly and not every,
               every or q.crouched)
    hidden[0] = False
    by[0] = -1
    if not settle(c, v, b, shut, q.ends, q.camouflaged, half, every, hidden, by):
        return -1
    for k in range(0 if hidden[0] and not every else c.count):
        row = c.rows[k]
        if c.which[k] == PASSED or c.shares[k] <= 0:
            continue
        if kinds.counts[row] == IF_SOLID and c.is_solid[k] == NOT_TESTED:
            c.is_solid[k] = <uint8_t> solidity(b, row, q.ends[0], q.ends[1], q.camouflaged[row])
        if kinds.counts[row] == IF_SOLID and c.is_solid[k] == NOT_SOLID:
            continue
        out.rows[count], out.shares[count] = c.rows[k], c.shares[k]
        out.which[count], out.is_solid[count] = c.which[k], c.is_solid[k]
        count += 1
    return count
