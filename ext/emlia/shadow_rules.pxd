"""Cases of a body in a sight corridor by heights alone, and the columns of its ends."""

from libc.math cimport rint

# Case of a body in a corridor, by the three heights above the lower base.
cdef enum:
    NOTHING = 0
    TALL = 1            # at least as tall as both
    HALF = 2            # lower than both, and at least half as tall as the taller
    SHADOW = 3          # the observer alone is taller
    FROM_SHADOW = 4     # the observed alone is taller

# The level of concealment of the observed.
cdef enum:
    NONE = 0
    PARTIAL = 1
    TOTAL = 2


# The columns of an observer or observed.
cdef enum:
    FOOTING = 0
    HEIGHT = 1
    SIZE = 2
    REACH = 3


cdef struct Thresholds:
    double half         # the least share that is a half
    double slack        # GSU by which a distance may be over a reach
    double crouch       # GSU from an obstacle behind which one takes cover


cdef struct Heights:
    # The lower of the two footings, and the tops of both ends above it.
    double base
    double eye
    double mark


cdef inline double above(double height, double base) noexcept nogil:
    """To nine places, so that the rests of sums on high ground decide nothing."""
    return rint((height - base) * 1e9) / 1e9


cdef inline int case_of(double height, double eye, double mark) noexcept nogil:
    if height <= 0:
        return NOTHING
    if eye <= height and mark <= height:
        return TALL
    if eye > height and mark > height:
        return HALF if 2 * height >= max(eye, mark) else NOTHING
    return SHADOW if eye > mark else FROM_SHADOW


cdef inline Heights heights_of(const double *observer, const double *observed) noexcept nogil:
    cdef Heights h
    h.base = min(observer[FOOTING], observed[FOOTING])
    h.eye = above(observer[FOOTING] + observer[HEIGHT], h.base)
    h.mark = above(observed[FOOTING] + observed[HEIGHT], h.base)
    return h


cdef inline int case_under(const Heights *h, double top) noexcept nogil:
    """Return the case of a body, by its top and the heights of the corridor's ends."""
    return case_of(above(top, h.base), h.eye, h.mark)
