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
    enum { MOST_EDGES = 32, MOST_PLACES = 64, AT_ONCE = 4 };
    """
    enum:
        MOST_EDGES
        MOST_PLACES
        AT_ONCE


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


cdef struct Breaks:
    # What is looked at, a few places at once: where along the axis, how wide the corridor is
    # there, and how much of it is covered. One slot more, for edges that cross no side.
    Py_ssize_t count
    double places[MOST_PLACES + AT_ONCE]
    double widths[MOST_PLACES + AT_ONCE]
    double extents[MOST_PLACES + AT_ONCE]


cdef inline void fill_up(Breaks *p) noexcept nogil:
    """Repeat the last place until they are a multiple of those looked at at once."""
    while p.count % AT_ONCE:
        p.places[p.count] = p.places[p.count - 1]
        p.widths[p.count] = p.widths[p.count - 1]
        p.count += 1


cdef inline double way(double s0, double s1, double place) noexcept nogil:
    """1 where an edge runs north past a place, -1 where south, 0 where it does not come by."""
    return (1.0 if s0 <= place else 0.0) - (1.0 if s1 <= place else 0.0)


cdef inline void add_edge(Breaks *p, double s0, double above0, double s1,
                          double above1) noexcept nogil:
    """Add to all extents what is between the lower side and an edge, or take it off again."""
    cdef double slope = (above1 - above0) / (s1 - s0)
    cdef double up
    cdef Py_ssize_t first, i
    cdef double *place
    cdef double *width
    cdef double *extent
    for first in range(p.count // AT_ONCE):
        place = p.places + first * AT_ONCE
        width = p.widths + first * AT_ONCE
        extent = p.extents + first * AT_ONCE
        for i in range(AT_ONCE):
            up = above0 + (place[i] - s0) * slope
            up = up if up > 0 else 0
            up = up if up < width[i] else width[i]
            extent[i] += way(s0, s1, place[i]) * up


cdef inline double greatest(const Breaks *p, const Corridor *c, double doubt) noexcept nogil:
    cdef double found = 0
    cdef Py_ssize_t i
    for i in range(p.count):
        found = max(found, share(c, doubt, fabs(p.extents[i]), p.widths[i]))
    return found


cdef inline double crossing(double s0, double before, double s1, double after) noexcept nogil:
    return s0 + (s1 - s0) * (before / (before - after))


cdef inline double share_at_sides(const Middle *m, const Corridor *c, const double *s,
                                  const double *above, const double *below,
                                  Py_ssize_t edges, double doubt) noexcept nogil:
    """The greatest share where an edge crosses a side of the corridor."""
    cdef Breaks p
    cdef Py_ssize_t at_low[MOST_EDGES]
    cdef Py_ssize_t at_high[MOST_EDGES]
    cdef Py_ssize_t k, i
    cdef double at_the_low, at_the_high
    p.count = 0
    for k in range(edges):
        at_low[k] = at_high[k] = MOST_PLACES
        if (above[k] < 0) != (above[k + 1] < 0):
            at_low[k] = p.count
            p.places[p.count] = crossing(s[k], above[k], s[k + 1], above[k + 1])
            p.count += 1
        if (below[k] < 0) != (below[k + 1] < 0):
            at_high[k] = p.count
            p.places[p.count] = crossing(s[k], below[k], s[k + 1], below[k + 1])
            p.count += 1
    if p.count == 0:
        return 0
    for i in range(p.count):
        p.widths[i] = (m.high_t + (p.places[i] - m.high_s) * m.high_slope
                       - (m.low_t + (p.places[i] - m.low_s) * m.low_slope))
    fill_up(&p)
    p.places[MOST_PLACES] = p.widths[MOST_PLACES] = p.extents[MOST_PLACES] = 0
    for i in range(p.count):
        p.extents[i] = 0
    for k in range(edges):
        at_the_low = p.extents[at_low[k]]
        at_the_high = (p.extents[at_high[k]] + p.widths[at_high[k]]
                       * way(s[k], s[k + 1], p.places[at_high[k]]))
        add_edge(&p, s[k], above[k], s[k + 1], above[k + 1])
        # Where an edge crosses a side it is known to be, however steep it is.
        p.extents[at_low[k]] = at_the_low
        p.extents[at_high[k]] = at_the_high
    return greatest(&p, c, doubt)


cdef inline double share_at_corners(const Corridor *c, const double *s, const double *above,
                                    const double *below, Py_ssize_t edges,
                                    double doubt) noexcept nogil:
    """The greatest share at a corner in the corridor; beyond its sides none bends an extent."""
    cdef Breaks p
    cdef Py_ssize_t k, i
    p.count = 0
    for k in range(edges):
        p.places[p.count] = s[k]
        p.widths[p.count] = above[k] + below[k]
        p.count += (above[k] >= 0) & (below[k] >= 0)
    if p.count == 0:
        return 0
    fill_up(&p)
    for i in range(p.count):
        p.extents[i] = 0
    for k in range(edges):
        add_edge(&p, s[k], above[k], s[k + 1], above[k + 1])
    return greatest(&p, c, doubt)


cdef inline double share_in_middle(const Middle *m, const Corridor *c, const Outlines *o,
                                   Py_ssize_t body, double doubt) noexcept nogil:
    """The fraction of the corridor that a body covers; -1 where that wants a sweep."""
    cdef double s[MOST_EDGES + 1]
    cdef double above[MOST_EDGES + 1]   # the lower side
    cdef double below[MOST_EDGES + 1]   # the upper side
    cdef Py_ssize_t first = o.rings[o.bodies[body]]
    cdef Py_ssize_t edges = o.rings[o.bodies[body] + 1] - first - 1
    cdef Py_ssize_t k
    cdef double t, low, high, least, most, lowest, highest, shortest, found
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
    shortest = fabs(s[1] - s[0])
    for k in range(1, edges):
        least = min(least, s[k])
        most = max(most, s[k])
        lowest = max(lowest, above[k])
        highest = max(highest, below[k])
        shortest = min(shortest, fabs(s[k + 1] - s[k]))
    if least < m.south or most > m.north:
        return -1
    if lowest <= 0 or highest <= 0:
        return 0
    if shortest <= doubt:
        return -1
    found = share_at_sides(m, c, s, above, below, edges, doubt)
    if found < 1:
        found = max(found, share_at_corners(c, s, above, below, edges, doubt))
    return found if found > TOUCHING else 0
