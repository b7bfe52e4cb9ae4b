"""A shortcut for what stands in the middle of a sight corridor, as most of it does.

Between the two bodies, where both sides of the corridor are straight, and for an outline of one
ring without an edge perpendicular to the axis, the extent is continuous along the axis: the sum
of its edges' heights above the lower side, kept within the corridor, those that run one way less
those that run the other. So each breakpoint is looked at once, and nothing wants sorting. What is
not so simple is left to `sweep`.
"""

from libc.math cimport fabs

from frame cimport Corridor, across, along
from outline cimport Outlines
from sweep cimport TOUCHING, share

cdef extern from *:
    """
    enum { MOST_EDGES = 32, MOST_PLACES = 96 };
    """
    enum:
        MOST_EDGES
        MOST_PLACES


cdef struct Middle:
    # From south to north both sides are straight and neither body is near; none if they are not
    # in this order.
    double south
    double north
    # A point of each side, and its slope.
    double low_s
    double low_t
    double low_slope
    double high_s
    double high_t
    double high_slope


cdef inline void find_middle(Middle *m, const Corridor *c) noexcept nogil:
    """The longest straight stretch of both sides, less what is beside the two bodies."""
    cdef Py_ssize_t k, low = 0, high = 0
    for k in range(c.low.count):
        if c.low.s1[k] - c.low.s0[k] > c.low.s1[low] - c.low.s0[low]:
            low = k
    for k in range(c.high.count):
        if c.high.s1[k] - c.high.s0[k] > c.high.s1[high] - c.high.s0[high]:
            high = k
    m.south = max(max(c.low.s0[low], c.high.s0[high]), min(c.a.north, c.b.north))
    m.north = min(min(c.low.s1[low], c.high.s1[high]), max(c.a.south, c.b.south))
    m.low_s, m.low_t, m.low_slope = c.low.s0[low], c.low.t0[low], c.low.slope[low]
    m.high_s, m.high_t, m.high_slope = c.high.s0[high], c.high.t0[high], c.high.slope[high]


cdef inline double crossing(double s0, double before, double s1, double after) noexcept nogil:
    return s0 + (s1 - s0) * (before / (before - after))


cdef inline double share_in_middle(const Middle *m, const Corridor *c, const Outlines *o,
                                   Py_ssize_t body) noexcept nogil:
    """The fraction of the corridor that a body covers; -1 where that wants a sweep."""
    cdef double s[MOST_EDGES + 1]
    cdef double above[MOST_EDGES + 1]   # the lower side
    cdef double below[MOST_EDGES + 1]   # the upper side
    cdef double places[MOST_PLACES]
    # One slot more, for edges that cross no side.
    cdef double widths[MOST_PLACES + 1]
    cdef double extents[MOST_PLACES + 1]
    cdef Py_ssize_t at_low[MOST_EDGES]
    cdef Py_ssize_t at_high[MOST_EDGES]
    cdef Py_ssize_t first = o.rings[o.bodies[body]]
    cdef Py_ssize_t edges = o.rings[o.bodies[body] + 1] - first - 1
    cdef Py_ssize_t count, k, i
    cdef double t, low, high, least, most, lowest, highest, slope, s0, s1, up
    cdef double before_low, before_high, found = 0
    if o.bodies[body + 1] - o.bodies[body] != 1 or edges < 3 or edges > MOST_EDGES:
        return -1
    for k in range(edges + 1):
        s[k] = along(c, o.x[first + k], o.y[first + k])
        t = across(c, o.x[first + k], o.y[first + k])
        low = m.low_t + (s[k] - m.low_s) * m.low_slope
        high = m.high_t + (s[k] - m.high_s) * m.high_slope
        above[k] = t - low
        below[k] = high - t
    least = most = s[0]
    lowest = above[0]
    highest = below[0]
    for k in range(1, edges):
        least = min(least, s[k])
        most = max(most, s[k])
        lowest = max(lowest, above[k])
        highest = max(highest, below[k])
    if least < m.south or most > m.north:
        return -1
    if lowest <= 0 or highest <= 0:
        return 0
    for k in range(edges):
        places[k] = s[k]
        widths[k] = above[k] + below[k]
        extents[k] = 0
    widths[MOST_PLACES] = extents[MOST_PLACES] = 0
    count = edges
    for k in range(edges):
        at_low[k] = at_high[k] = MOST_PLACES
        if fabs(s[k + 1] - s[k]) <= c.doubt:
            return -1
        if (above[k] < 0) != (above[k + 1] < 0):
            at_low[k] = count
            places[count] = crossing(s[k], above[k], s[k + 1], above[k + 1])
            count += 1
        if (below[k] < 0) != (below[k + 1] < 0):
            at_high[k] = count
            places[count] = crossing(s[k], below[k], s[k + 1], below[k + 1])
            count += 1
    for i in range(edges, count):
        low = m.low_t + (places[i] - m.low_s) * m.low_slope
        high = m.high_t + (places[i] - m.high_s) * m.high_slope
        widths[i] = high - low
        extents[i] = 0
    for k in range(edges):
        s0 = s[k]
        s1 = s[k + 1]
        low = above[k]
        slope = (above[k + 1] - low) / (s1 - s0)
        before_low = extents[at_low[k]]
        before_high = extents[at_high[k]]
        for i in range(count):
            up = low + (places[i] - s0) * slope
            up = up if up > 0 else 0
            up = up if up < widths[i] else widths[i]
            extents[i] += (((1.0 if s0 <= places[i] else 0.0) - (1.0 if s1 <= places[i] else 0.0))
                           * up)
        # Where an edge crosses a side it is known to be, however steep it is.
        extents[at_low[k]] = before_low
        extents[at_high[k]] = before_high + (widths[at_high[k]] if s0 < s1 else -widths[at_high[k]])
    for i in range(count):
        found = max(found, share(c, fabs(extents[i]), widths[i]))
    return found if found > TOUCHING else 0
