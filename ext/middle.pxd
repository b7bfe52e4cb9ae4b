"""A shortcut for what stands in the middle of a sight corridor, as most of it does.

Between the two bodies, where both sides of the corridor are straight, and for an outline of one
ring without an edge perpendicular to the axis, the extent is continuous along the axis: the sum
of its edges' heights above the lower side, kept within the corridor, those that run one way less
those that run the other. So each breakpoint is looked at once, and nothing wants sorting. What is
not so simple is left to `sweep`.
"""

from libc.math cimport fabs

from frame cimport Corridor
from outline cimport Outlines
from sweep cimport NARROW, TOUCHING

cdef extern from *:
    """
    enum { MOST_EDGES = 32, MOST_PLACES = 64 };
    """
    enum:
        MOST_EDGES
        MOST_PLACES

cdef extern from "lanes.h" nogil:
    enum:
        LANES
    void see_points(const double *x, const double *y, Py_ssize_t n, const double *from_point,
                    const double *low, const double *high, double *s, double *above,
                    double *below) noexcept
    void cross_sides(const double *s, const double *above, const double *below, Py_ssize_t n,
                     const double *low, const double *high, double *slope, double *places,
                     double *widths) noexcept
    double cover_places(const double *s, const double *above, const double *slope, Py_ssize_t n,
                        const double *places, const double *widths, const double *own,
                        const double *known, Py_ssize_t count, double narrow,
                        double touching) noexcept


cdef struct Middle:
    # From south to north both sides are straight and neither body is near; none if they are not
    # in this order.
    double south
    double north
    # s and t of a point of each side, and its slope.
    double low[3]
    double high[3]


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
    m.low[0], m.low[1], m.low[2] = c.low.s0[low], c.low.t0[low], c.low.slope[low]
    m.high[0], m.high[1], m.high[2] = c.high.s0[high], c.high.t0[high], c.high.slope[high]


cdef struct Sides:
    # The edges of an outline as seen from the two sides of the corridor, and the last one's end.
    Py_ssize_t edges
    double s[MOST_EDGES + 1]
    double above[MOST_EDGES + 1]    # the lower side
    double below[MOST_EDGES + 1]    # the upper side
    double slope[MOST_EDGES]        # of what is above the lower side


cdef struct Breaks:
    # What is looked at, LANES places at once: where along the axis, how wide the corridor is
    # there; and which edge crosses a side there, see `cover_places`.
    Py_ssize_t count
    double places[MOST_PLACES + LANES]
    double widths[MOST_PLACES + LANES]
    double own[MOST_PLACES + LANES]
    double known[MOST_PLACES + LANES]


cdef inline double greatest(Breaks *p, const Sides *e, const Corridor *c,
                            double doubt) noexcept nogil:
    """The greatest share at any of the places."""
    cdef Py_ssize_t i, count = (p.count + LANES - 1) // LANES * LANES
    if p.count == 0:
        return 0
    for i in range(p.count, count):
        p.places[i], p.widths[i], p.own[i], p.known[i] = p.places[0], 0, -1, 0
    return cover_places(e.s, e.above, e.slope, e.edges, p.places, p.widths, p.own, p.known, count,
                        NARROW * c.width, 4 * doubt)


cdef inline double share_at_sides(const Middle *m, const Corridor *c, Sides *e,
                                  double doubt) noexcept nogil:
    """The greatest share where an edge crosses a side of the corridor."""
    cdef Breaks p
    cdef double places[MOST_PLACES]
    cdef double widths[MOST_PLACES]
    cdef Py_ssize_t k, high
    cross_sides(e.s, e.above, e.below, e.edges, m.low, m.high, e.slope, places, widths)
    p.count = 0
    for k in range(e.edges):
        p.places[p.count], p.widths[p.count], p.own[p.count] = places[k], widths[k], k
        p.known[p.count] = 0
        p.count += (e.above[k] < 0) != (e.above[k + 1] < 0)
        high = e.edges + k
        p.places[p.count], p.widths[p.count], p.own[p.count] = places[high], widths[high], k
        p.known[p.count] = widths[high]
        p.count += (e.below[k] < 0) != (e.below[k + 1] < 0)
    return greatest(&p, e, c, doubt)


cdef inline double share_at_corners(const Corridor *c, const Sides *e,
                                    double doubt) noexcept nogil:
    """The greatest share at a corner in the corridor; beyond its sides none bends an extent."""
    cdef Breaks p
    cdef Py_ssize_t k
    p.count = 0
    for k in range(e.edges):
        p.places[p.count], p.widths[p.count] = e.s[k], e.above[k] + e.below[k]
        p.own[p.count], p.known[p.count] = -1, 0
        p.count += (e.above[k] >= 0) & (e.below[k] >= 0)
    return greatest(&p, e, c, doubt)


cdef inline double share_in_middle(const Middle *m, const Corridor *c, const Outlines *o,
                                   Py_ssize_t body, double doubt) noexcept nogil:
    """The fraction of the corridor that a body covers; -1 where that wants a sweep."""
    cdef Sides e
    cdef Py_ssize_t first = o.rings[o.bodies[body]]
    cdef Py_ssize_t k
    cdef double least, most, lowest, highest, shortest, found
    e.edges = o.rings[o.bodies[body] + 1] - first - 1
    if o.bodies[body + 1] - o.bodies[body] != 1 or e.edges < 3 or e.edges > MOST_EDGES:
        return -1
    see_points(o.x + first, o.y + first, e.edges + 1, &c.ox, m.low, m.high, e.s, e.above, e.below)
    least = most = e.s[0]
    lowest = e.above[0]
    highest = e.below[0]
    shortest = fabs(e.s[1] - e.s[0])
    for k in range(1, e.edges):
        least = min(least, e.s[k])
        most = max(most, e.s[k])
        lowest = max(lowest, e.above[k])
        highest = max(highest, e.below[k])
        shortest = min(shortest, fabs(e.s[k + 1] - e.s[k]))
    if least < m.south or most > m.north:
        return -1
    if lowest <= 0 or highest <= 0:
        return 0
    if shortest <= doubt:
        return -1
    found = share_at_sides(m, c, &e, doubt)
    if found < 1:
        found = max(found, share_at_corners(c, &e, doubt))
    return found if found > TOUCHING else 0
