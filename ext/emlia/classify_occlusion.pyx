"""Distances of bodies in sight corridors from their ends, and the sight that they take.

A question is one observer, one observed and the rows of what stands between them. Callers go
through ``emlia3d.rules.emlia.kernels.classify_occlusion``, which gives scratch of the stated size;
that columns belong together and rows are within range is assumed.

Where rounding could decide a yes or no, it is the caller's to find.
"""

from libc.stdint cimport int32_t, uint8_t

cimport cython
from in_corridor cimport Between, Question
from judged cimport Measures, Ranks, judge
from shadow_rules cimport Thresholds
from solidity cimport Bodies, point


# Only addresses are taken here, also of columns that are empty as there is no obstacle or unit.
@cython.boundscheck(False)
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
    cdef Question asked
    cdef Between between
    cdef Measures found
    cdef Py_ssize_t q, first, left = 0
    if stop <= begin:
        return 0
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, &spare[0])
    ranks.corners = &corners[0, 0] if corners.shape[0] else NULL
    ranks.starts, ranks.radii = &first_corner[0], &radii[0]
    limit.half, limit.slack, limit.crouch = limits[0], limits[1], limits[2]
    with nogil:
        for q in range(begin, stop):
            first = starts[q]
            asked.ends[0], asked.ends[1] = ends[q, 0], ends[q, 1]
            asked.observer, asked.observed = &observers[q, 0], &observed[q, 0]
            asked.camouflaged, asked.crouched = &camouflaged[units[q, 1], 0], crouched[q]
            # Read-only columns; only what is solid is written to.
            between.rows = <int32_t *> &rows[0] + first
            between.shares = <double *> &fractions[0] + first
            between.which, between.is_solid = <uint8_t *> &which[0] + first, &is_solid[0] + first
            found.to_observer = &measures[0, 0] + first
            found.to_observed = &measures[1, 0] + first
            found.observer_depth = &measures[2, 0] + first
            found.observed_depth = &measures[3, 0] + first
            found.to_perch, found.unsure = &measures[4, 0] + first, &unsure[0] + first
            left += judge(&b, &ranks, &limit, &tops[0], &convex[0], &asked, &units[q, 0],
                          &alone[q, 0], perched[q], &ground[q, 0], &between,
                          starts[q + 1] - first, hidden[q], every, &found, &out[q])
    return left
