"""Levels behind what stands in sight corridors: from heights, sizes, distances and fractions.

A question is one observer, one observed and the rows of what stands between them. Callers go
through ``emlia3d.geometry.shadow``, which checks what is assumed here: columns of one length,
rows of a question together. Every comparison and every sum is in the order of the readable rules
in ``emlia3d.rules.emlia``, so that both come to the same bits.
"""

from libc.stdint cimport uint8_t

from shade cimport (
    FROM_SHADOW, HALF, NONE, PARTIAL, SHADOW, TALL, TOTAL, Limits, above, case_of,
)

# The columns of an observer or observed.
cdef enum:
    FOOTING = 0
    HEIGHT = 1
    SIZE = 2
    REACH = 3


cdef struct Shadow:
    bint exists
    double length
    double depth        # to which the shorter is hidden wholly


cdef inline double datum(const double *near, const double *far) noexcept nogil:
    return min(near[FOOTING], far[FOOTING])


cdef inline Shadow shadow_of(double distance, double taller, double height,
                             double size) noexcept nogil:
    cdef Shadow shadow
    cdef double times = 2
    shadow.exists = distance >= taller - height
    shadow.length = distance
    while taller > times * height:
        shadow.length /= 2
        times *= 2
    shadow.depth = shadow.length * (1 - size / height)
    return shadow


cdef inline bint is_deep(const Shadow *shadow, double depth) noexcept nogil:
    return shadow.depth > 0 and depth <= shadow.depth


cdef inline int hidden_in(const Shadow *shadow, double depth, bint solid) noexcept nogil:
    if not shadow.exists:
        return NONE
    if is_deep(shadow, depth):
        return TOTAL if solid else PARTIAL
    return PARTIAL if solid and depth <= shadow.length else NONE


cdef inline bint perch_is_hidden(double perch, double height, double distance, double depth,
                                 double size) noexcept nogil:
    cdef Shadow shadow
    if perch <= height:
        return True
    shadow = shadow_of(distance, perch, height, size)
    return shadow.exists and is_deep(&shadow, depth)


def cases(const Py_ssize_t[::1] starts, const double[:, ::1] observers,
          const double[:, ::1] observed, const double[::1] tops, uint8_t[::1] out):
    """out[k] = what row k is to its corridor."""
    cdef Py_ssize_t q, k
    cdef double base, eye, mark
    with nogil:
        for q in range(observers.shape[0]):
            base = datum(&observers[q, 0], &observed[q, 0])
            eye = above(observers[q, FOOTING] + observers[q, HEIGHT], base)
            mark = above(observed[q, FOOTING] + observed[q, HEIGHT], base)
            for k in range(starts[q], starts[q + 1]):
                out[k] = case_of(above(tops[k], base), eye, mark)


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
    limits : as in Limits
    """
    cdef Limits limit
    cdef Shadow shadow
    cdef Py_ssize_t q, k
    cdef int which, level
    cdef double base, eye, mark, height, total, partial, size, reach
    limit.half, limit.slack, limit.crouch = limits[0], limits[1], limits[2]
    with nogil:
        for q in range(begin, end):
            base = datum(&observers[q, 0], &observed[q, 0])
            eye = above(observers[q, FOOTING] + observers[q, HEIGHT], base)
            mark = above(observed[q, FOOTING] + observed[q, HEIGHT], base)
            total = partial = 0
            for k in range(starts[q], starts[q + 1]):
                height = above(tops[k], base)
                which = case_of(height, eye, mark)
                level = NONE
                shadow.exists = True
                if which == TALL:
                    level = TOTAL if solid[k] else PARTIAL
                elif which == HALF:
                    reach = observers[q, REACH] + limit.slack
                    level = PARTIAL
                    if to_observer[k] <= reach:
                        reach = observed[q, REACH] + limit.slack
                        level = PARTIAL if to_observed[k] <= reach else NONE
                elif which == SHADOW:
                    shadow = shadow_of(to_observer[k], eye, height, observed[q, SIZE])
                    level = hidden_in(&shadow, observed_depth[k], solid[k])
                elif which == FROM_SHADOW:
                    size = observers[q, SIZE]
                    shadow = shadow_of(to_observed[k], mark, height, size)
                    level = hidden_in(&shadow, observer_depth[k], solid[k])
                    if level == PARTIAL and perched[q] and not perch_is_hidden(
                            above(observed[q, FOOTING], base), height, to_perch[k],
                            observer_depth[k], size):
                        level = NONE
                if (level == NONE and crouched[q] and shadow.exists
                        and to_observed[k] <= limit.crouch
                        and 2 * (tops[k] - observed[q, FOOTING]) >= observed[q, HEIGHT]):
                    level = PARTIAL
                if level >= PARTIAL:
                    partial += fractions[k]
                if level >= TOTAL:
                    total += fractions[k]
            total += ground[q, 0]
            partial += ground[q, 0]
            partial += max(ground[q, 1] - ground[q, 0], 0.0)
            out[q] = TOTAL if total >= limit.half else PARTIAL if partial >= limit.half else NONE
