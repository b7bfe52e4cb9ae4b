"""Concealment by one body in a sight corridor, and by all of them together.

Every comparison and every sum is in the order of the readable rules in ``emlia3d.rules.emlia``, so
that both come to the same bits.
"""

from shadow_rules cimport (
    FOOTING, FROM_SHADOW, HALF, HEIGHT, NONE, PARTIAL, REACH, SHADOW, SIZE, TALL, TOTAL, Heights,
    Thresholds, above,
)


cdef struct Facts:
    # Facts of a body in a corridor: its case by heights, its top, and its distance from
    # both ends, what must lie in its shadow, and what the observed stands on.
    int which
    double top
    bint solid
    double to_observer
    double to_observed
    double observer_depth
    double observed_depth
    double to_perch


cdef struct BlockedShare:
    # The shares of a corridor's width that are taken wholly, and at least in part.
    double total
    double partial


cdef struct Shadow:
    bint exists
    double length
    double depth        # to which the shorter is hidden wholly


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


cdef inline int level_behind(const Facts *f, const Heights *h, const double *observer,
                             const double *observed, bint crouched, bint perched,
                             const Thresholds *limit) noexcept nogil:
    """Return how much a body takes from sight where it stands."""
    cdef Shadow shadow
    cdef int level = NONE
    cdef double height = above(f.top, h.base)
    shadow.exists = True
    if f.which == TALL:
        level = TOTAL if f.solid else PARTIAL
    elif f.which == HALF:
        level = PARTIAL
        if (f.to_observer <= observer[REACH] + limit.slack
                and not f.to_observed <= observed[REACH] + limit.slack):
            level = NONE
    elif f.which == SHADOW:
        shadow = shadow_of(f.to_observer, h.eye, height, observed[SIZE])
        level = hidden_in(&shadow, f.observed_depth, f.solid)
    elif f.which == FROM_SHADOW:
        shadow = shadow_of(f.to_observed, h.mark, height, observer[SIZE])
        level = hidden_in(&shadow, f.observer_depth, f.solid)
        if level == PARTIAL and perched and not perch_is_hidden(
                above(observed[FOOTING], h.base), height, f.to_perch, f.observer_depth,
                observer[SIZE]):
            level = NONE
    if (level == NONE and crouched and shadow.exists and f.to_observed <= limit.crouch
            and 2 * (f.top - observed[FOOTING]) >= observed[HEIGHT]):
        level = PARTIAL
    return level


cdef inline void take(BlockedShare *taken, int level, double fraction) noexcept nogil:
    if level >= PARTIAL:
        taken.partial += fraction
    if level >= TOTAL:
        taken.total += fraction


cdef inline int level_of(
    const BlockedShare *taken, const double *ground, double half
) noexcept nogil:
    """Return the concealment by all, and the ground's shares above the lines to top and half."""
    cdef double total = taken.total + ground[0]
    cdef double partial = taken.partial + ground[0]
    partial += max(ground[1] - ground[0], 0.0)
    return TOTAL if total >= half else PARTIAL if partial >= half else NONE
