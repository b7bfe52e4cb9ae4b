"""What a body is to a sight corridor by heights alone, and the columns of its two ends."""

from libc.math cimport rint

# What a body is to a corridor, by the three heights above the lower of the two footings.
cdef enum:
    NOTHING = 0
    TALL = 1            # at least as tall as both
    HALF = 2            # lower than both, and at least half as tall as the taller
    SHADOW = 3          # the observer alone is taller
    FROM_SHADOW = 4     # the observed alone is taller

# How much it takes from the sight of the observed.
cdef enum:
    NONE = 0
    PARTIAL = 1
    TOTAL = 2


cdef struct Limits:
    double half         # the least share that is a half
    double slack        # GSU by which a distance may be over a reach
    double crouch       # GSU from an obstacle behind which one takes cover


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
