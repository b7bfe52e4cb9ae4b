"""How far what stands in sight corridors is from their ends, and what it takes from sight.

A question is one observer, one observed and the rows of what stands between them. Callers go
through ``emlia3d.rules.emlia.kernels.classify_occlusion``, which gives scratch of the stated size;
that columns belong together and rows are within range is assumed.

Where rounding could decide a yes or no, it is the caller's to find.
"""

from libc.math cimport NAN
from libc.stdint cimport int32_t, uint8_t

from apart cimport gap, to_outline
from before cimport is_before
from occlusion cimport Facts, BlockedShare, level_behind, level_of, take
from shadow_rules cimport (
    FROM_SHADOW, HALF, NONE, NOTHING, SHADOW, TOTAL, Heights, Thresholds, heights_of,
)
from solidity cimport UNCERTAIN, NOT_TESTED, SOLID, Bodies, point, solidity

cdef extern from *:
    """
    /* Sums of shares in another order differ by less than this. */
    static const double SUMS = 1e-12;
    """
    const double SUMS


cdef struct Ranks:
    # Places of the members of whom one is the farthest from any convex body, where those of each
    # unit begin, and how far it is from a member's middle to the edge of its footprint.
    const double *corners
    const int32_t *starts
    const double *radii


cdef double farthest(const Bodies *b, Py_ssize_t body, const Ranks *ranks,
                     Py_ssize_t unit) noexcept nogil:
    """From a body to the nearest edge of the farthest member of a unit."""
    cdef Py_ssize_t k
    cdef double most = 0
    for k in range(ranks.starts[unit], ranks.starts[unit + 1]):
        most = max(most, to_outline(&b.o, body, ranks.corners[2 * k], ranks.corners[2 * k + 1]))
    return max(most - ranks.radii[unit], 0.0)


cdef bint stand(Facts *f, Bodies *b, Py_ssize_t body, const int32_t *ends, const int32_t *units,
                const uint8_t *alone, const Ranks *ranks, bint convex, bint crouched,
                bint every) noexcept nogil:
    """How far a body is from the ends of its corridor, wherever it counts; elsewhere NaN.

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


def levels(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
           const int32_t[::1] bodies, const double[:, ::1] boxes,
           const double[:, ::1] to_centroids, const double[::1] hull_x,
           const double[::1] hull_y, const int32_t[::1] hulls, const uint8_t[::1] solid,
           const double[::1] thickness, const double[::1] tops,
           const uint8_t[:, ::1] camouflaged, Py_ssize_t widest, double[::1] spare,
           const uint8_t[::1] convex,
           const int32_t[:, ::1] ends, const double[:, ::1] observers,
           const double[:, ::1] observed, const int32_t[:, ::1] units,
           const uint8_t[:, ::1] alone, const uint8_t[::1] crouched, const uint8_t[::1] perched,
           const double[:, ::1] corners, const int32_t[::1] first_corner, const double[::1] radii,
           const double[:, ::1] ground, double[::1] limits,
           const Py_ssize_t[::1] starts, const int32_t[::1] rows, const double[::1] fractions,
           const uint8_t[::1] which, const uint8_t[::1] hidden, uint8_t[::1] is_solid, bint every,
           Py_ssize_t begin, Py_ssize_t stop,
           double[:, ::1] measures, uint8_t[::1] unsure, uint8_t[::1] out):
    """out[q] = how much is taken from sight, for the questions *begin* to *stop*.

    units, alone : (n, 2) to which units the observer and the observed belong, by whose *corners* it
        is told how far their members are, and whether it is one member alone
    limits : as in Thresholds
    measures : (5, k) to_observer, to_observed, observer_depth, observed_depth and to_perch of each
        row wherever they count, and elsewhere NaN
    every : measure the rows that the level does not depend on too
    unsure : (k,) whether the depth of a row is left to the caller; here it has none

    The rest as in `between.between`. Returns how many depths and solidities are left to the caller.
    """
    cdef Bodies b
    cdef Ranks ranks
    cdef Thresholds limit
    cdef Heights heights
    cdef Facts facts
    cdef BlockedShare taken
    cdef Py_ssize_t q, k, left = 0
    cdef double weight
    cdef bint bears
    if stop <= begin:
        return 0
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, &spare[0])
    ranks.corners = &corners[0, 0] if corners.shape[0] else NULL
    ranks.starts, ranks.radii = &first_corner[0], &radii[0]
    limit.half, limit.slack, limit.crouch = limits[0], limits[1], limits[2]
    with nogil:
        for q in range(begin, stop):
            heights = heights_of(&observers[q, 0], &observed[q, 0])
            weight = 0
            for k in range(starts[q], starts[q + 1]):
                if which[k] != NOTHING or crouched[q]:
                    weight += fractions[k]
            # What all together does not fill half of the corridor takes nothing from sight.
            bears = weight + max(ground[q, 0], ground[q, 1]) >= limit.half - SUMS
            taken.total = taken.partial = 0
            for k in range(starts[q], starts[q + 1]):
                measures[0, k] = measures[1, k] = measures[2, k] = measures[3, k] = NAN
                measures[4, k] = NAN
                unsure[k] = False
                if not every and (hidden[q] or not bears
                                  or (which[k] == NOTHING and not crouched[q])):
                    continue
                if is_solid[k] == NOT_TESTED and (every or (which[k] != HALF
                                                            and which[k] != NOTHING)):
                    is_solid[k] = solidity(&b, rows[k], ends[q, 0], ends[q, 1],
                                           camouflaged[units[q, 1], rows[k]])
                left += is_solid[k] == UNCERTAIN
                facts.which, facts.top = which[k], tops[rows[k]]
                facts.solid = is_solid[k] == SOLID
                if not stand(&facts, &b, rows[k], &ends[q, 0], &units[q, 0], &alone[q, 0],
                             &ranks, convex[rows[k]], crouched[q], every):
                    unsure[k] = True
                    left += 1
                measures[0, k], measures[1, k] = facts.to_observer, facts.to_observed
                measures[2, k], measures[3, k] = facts.observer_depth, facts.observed_depth
                measures[4, k] = facts.to_perch
                take(&taken, level_behind(&facts, &heights, &observers[q, 0], &observed[q, 0],
                                          crouched[q], perched[q], &limit), fractions[k])
            out[q] = (TOTAL if hidden[q] else NONE if not bears
                      else level_of(&taken, &ground[q, 0], limit.half))
    return left
