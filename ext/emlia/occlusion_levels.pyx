"""Levels behind what stands in sight corridors: from heights, sizes, distances and fractions.

A question is one observer, one observed and the rows of what stands between them. Callers go
through ``emlia3d.rules.emlia.kernels.occlusion_levels``, which checks what is assumed here: columns
of one length, rows of a question together.
"""

from libc.stdint cimport uint8_t

from occlusion cimport Facts, BlockedShare, level_behind, level_of, take
from shadow_rules cimport Heights, Thresholds, case_under, heights_of


def cases(const Py_ssize_t[::1] starts, const double[:, ::1] observers,
          const double[:, ::1] observed, const double[::1] tops, uint8_t[::1] out):
    """out[k] = what row k is to its corridor."""
    cdef Py_ssize_t q, k
    cdef Heights heights
    with nogil:
        for q in range(observers.shape[0]):
            heights = heights_of(&observers[q, 0], &observed[q, 0])
            for k in range(starts[q], starts[q + 1]):
                out[k] = case_under(&heights, tops[k])


def levels(const Py_ssize_t[::1] starts, const double[:, ::1] observers,
           const double[:, ::1] observed, const uint8_t[::1] crouched,
           const uint8_t[::1] perched, const double[:, ::1] ground,
           const double[::1] tops, const uint8_t[::1] solid, const double[::1] fractions,
           const double[::1] to_observer, const double[::1] to_observed,
           const double[::1] observer_depth, const double[::1] observed_depth,
           const double[::1] to_perch, const double[::1] limits,
           Py_ssize_t begin, Py_ssize_t end, uint8_t[::1] out):
    """out[q] = the level for the questions *begin* to *end*.

    starts : question q has the rows starts[q] to starts[q + 1]
    ground : shares of the corridor above the line to the top of the observed, and to its half
    limits : as in Thresholds
    """
    cdef Thresholds limit
    cdef Heights heights
    cdef Facts facts
    cdef BlockedShare taken
    cdef Py_ssize_t q, k
    limit.half, limit.slack, limit.crouch = limits[0], limits[1], limits[2]
    with nogil:
        for q in range(begin, end):
            heights = heights_of(&observers[q, 0], &observed[q, 0])
            taken.total = taken.partial = 0
            for k in range(starts[q], starts[q + 1]):
                facts.which = case_under(&heights, tops[k])
                facts.top, facts.solid = tops[k], solid[k]
                facts.to_observer, facts.to_observed = to_observer[k], to_observed[k]
                facts.observer_depth = observer_depth[k]
                facts.observed_depth, facts.to_perch = observed_depth[k], to_perch[k]
                take(&taken, level_behind(&facts, &heights, &observers[q, 0], &observed[q, 0],
                                          crouched[q], perched[q], &limit), fractions[k])
            out[q] = level_of(&taken, &ground[q, 0], limit.half)
