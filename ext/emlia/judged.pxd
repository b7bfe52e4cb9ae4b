"""Distances of the bodies in one sight corridor from its ends, and what they take from sight.

Where rounding could decide a yes or no, it is the caller's to find.
"""

from libc.math cimport NAN
from libc.stdint cimport int32_t, uint8_t

from distance cimport gap, to_outline
from before cimport is_before
from in_corridor cimport Between, Question
from occlusion cimport Facts, BlockedShare, level_behind, level_of, take
from shadow_rules cimport (
    FROM_SHADOW, HALF, NONE, NOTHING, SHADOW, TOTAL, Heights, Thresholds, heights_of,
)
from solidity cimport UNCERTAIN, NOT_TESTED, SOLID, Bodies, solidity

cdef extern from *:
    """
    /* Sums of shares in another order differ by less than this. */
    static const double SUMS = 1e-12;
    """
    const double SUMS


cdef struct Ranks:
    # Corners of the convex hull of each unit's members, one of which is the farthest member from
    # any convex body; where each unit's corners begin; and the radius of a member's footprint.
    const double *corners
    const int32_t *starts
    const double *radii


cdef inline double farthest(const Bodies *b, Py_ssize_t body, const Ranks *ranks,
                            Py_ssize_t unit) noexcept nogil:
    """From a body to the nearest edge of the farthest member of a unit."""
    cdef Py_ssize_t k
    cdef double most = 0
    for k in range(ranks.starts[unit], ranks.starts[unit + 1]):
        most = max(most, to_outline(&b.o, body, ranks.corners[2 * k], ranks.corners[2 * k + 1]))
    return max(most - ranks.radii[unit], 0.0)


cdef inline bint stand(Facts *f, Bodies *b, Py_ssize_t body, const int32_t *ends,
                       const int32_t *units, const uint8_t *alone, const Ranks *ranks,
                       bint convex, bint crouched, bint every) noexcept nogil:
    """Return how far a body is from the ends of its corridor, wherever it counts; elsewhere NaN.

    every : measure both distances in any case

    False where rounding could decide whether it is before the shorter, or where the farthest
    member cannot be told by the corners: then it has no depth.
    """
    cdef Py_ssize_t shorter, taller
    cdef double depth = NAN
    cdef bint open_ = False, behind
    f.to_observer = f.to_observed = f.observer_depth = f.observed_depth = NAN
    if f.which == HALF or f.which == SHADOW or every:
        f.to_observer = gap(&b.o, body, ends[0])
    if f.which == HALF or f.which == FROM_SHADOW or crouched or every:
        f.to_observed = gap(&b.o, body, ends[1])
    f.to_perch = f.to_observed
    if f.which != SHADOW and f.which != FROM_SHADOW:
        return True
    shorter, taller = (1, 0) if f.which == SHADOW else (0, 1)
    behind = is_before(&b.o, ends[shorter], ends[taller], body, b.spare, 2 * b.widest + 2, &open_)
    if open_ or not behind:
        return not open_
    if alone[shorter]:
        depth = gap(&b.o, body, ends[shorter])
    elif convex:
        depth = farthest(b, body, ranks, units[shorter])
    if f.which == SHADOW:
        f.observed_depth = depth
    else:
        f.observer_depth = depth
    return alone[shorter] or convex


cdef struct Measures:
    # The distances of each row between, as of `stand`, and whether its depth is left open.
    double *to_observer
    double *to_observed
    double *observer_depth
    double *observed_depth
    double *to_perch
    uint8_t *unsure


cdef inline Py_ssize_t judge(Bodies *b, const Ranks *ranks, const Thresholds *limit,
                             const double *tops, const uint8_t *convex, const Question *q,
                             const int32_t *units, const uint8_t *alone, bint perched,
                             const double *ground, const Between *between, Py_ssize_t count,
                             bint hidden, bint every, const Measures *out,
                             uint8_t *level) noexcept nogil:
    """Find how much of one observed is taken from sight.

    Return how many depths and solidities are left open.
    """
    cdef Heights heights = heights_of(q.observer, q.observed)
    cdef Facts facts
    cdef BlockedShare taken
    cdef Py_ssize_t k, row, left = 0
    cdef double weight = 0
    cdef bint bears
    for k in range(count):
        if between.which[k] != NOTHING or q.crouched:
            weight += between.shares[k]
    # Bodies that together do not fill half of the corridor take nothing from sight.
    bears = weight + max(ground[0], ground[1]) >= limit.half - SUMS
    taken.total = taken.partial = 0
    for k in range(count):
        row = between.rows[k]
        out.to_observer[k] = out.to_observed[k] = out.to_perch[k] = NAN
        out.observer_depth[k] = out.observed_depth[k] = NAN
        out.unsure[k] = False
        if not every and (hidden or not bears
                          or (between.which[k] == NOTHING and not q.crouched)):
            continue
        if between.is_solid[k] == NOT_TESTED and (every or (between.which[k] != HALF
                                                            and between.which[k] != NOTHING)):
            between.is_solid[k] = <uint8_t> solidity(b, row, q.ends[0], q.ends[1],
                                                     q.camouflaged[row])
        left += between.is_solid[k] == UNCERTAIN
        facts.which, facts.top = between.which[k], tops[row]
        facts.solid = between.is_solid[k] == SOLID
        if not stand(&facts, b, row, q.ends, units, alone, ranks, convex[row], q.crouched, every):
            out.unsure[k] = True
            left += 1
        out.to_observer[k], out.to_observed[k] = facts.to_observer, facts.to_observed
        out.observer_depth[k], out.observed_depth[k] = facts.observer_depth, facts.observed_depth
        out.to_perch[k] = facts.to_perch
        take(&taken, level_behind(&facts, &heights, q.observer, q.observed, q.crouched, perched,
                                  limit), between.shares[k])
    level[0] = <uint8_t> (TOTAL if hidden else NONE if not bears
                          else level_of(&taken, ground, limit.half))
    return left
