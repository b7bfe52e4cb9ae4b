"""The frame in which a sight corridor is measured, and the corridor in it.

s runs along the axis, t across it. Both are stretched by the length of the axis vector, which is
left unnormalised so that points on a binary grid keep exact s and t wherever the axis is on the
grid too; a share is a ratio and does not notice. An outline is a heap of edges that run towards
greater s. Edges perpendicular to the axis are left out: they bound a region, but add nothing to
its extent on either side of them.

Everything is measured from a corner of one of the two bodies. So what lies far from the origin is
as exact as what lies near it: coordinates as they are given (on the grid, exactly) are taken from
one another before anything is rounded.

Nothing is allocated here: `take` cuts columns off the caller's scratch.
"""

from libc.math cimport fabs

from orient cimport turn
from outline cimport Outlines

cdef extern from *:
    """
    /* What double rounding may have done to a length in the axis frame, as a share of the largest
       number that went into it: some thirty roundings. */
    static const double ROUNDING = 0x1p-46;
    """
    const double ROUNDING


cdef struct Edges:
    Py_ssize_t count
    double *s0
    double *t0
    double *s1
    double *t1
    double *slope
    double south    # least s
    double north    # greatest s
    double west     # least t
    double east     # greatest t
    bint flat       # true if edges were left out, perpendicular to the axis


cdef struct Corridor:
    double ox
    double oy
    double dx
    double dy
    Edges low       # the hull's boundary at the lesser t
    Edges high      # and at the greater
    Edges a
    Edges b
    double reach    # greatest distance of the two bodies from (ox, oy), GSU
    double doubt    # error bound of their s and t
    double width    # greatest
    # Room for sorting the points of both hulls.
    double *spare_s
    double *spare_t


cdef struct SlopeLine:
    # Height of the sight line at a place of the axis: at_0 + s * climb.
    double at_0
    double climb
    double blur         # more than rounding has done to its heights


cdef inline double *take(double **rest, Py_ssize_t count) noexcept nogil:
    cdef double *column = rest[0]
    rest[0] += count
    return column


cdef inline void take_edges(Edges *e, double **rest, Py_ssize_t room) noexcept nogil:
    e.s0 = take(rest, room)
    e.t0 = take(rest, room)
    e.s1 = take(rest, room)
    e.t1 = take(rest, room)
    e.slope = take(rest, room)


cdef inline void clear(Edges *e) noexcept nogil:
    e.count = 0
    e.flat = False
    e.south = e.west = 1e300
    e.north = e.east = -1e300


cdef inline void add(Edges *e, double sa, double ta, double sb, double tb,
                     double doubt) noexcept nogil:
    """Enter the edge between two points, from the lesser s to the greater."""
    cdef Py_ssize_t k = e.count
    e.south = min(e.south, min(sa, sb))
    e.north = max(e.north, max(sa, sb))
    e.west = min(e.west, min(ta, tb))
    e.east = max(e.east, max(ta, tb))
    if fabs(sb - sa) <= doubt:
        e.flat = True
        return
    if sa < sb:
        e.s0[k], e.t0[k], e.s1[k], e.t1[k] = sa, ta, sb, tb
    else:
        e.s0[k], e.t0[k], e.s1[k], e.t1[k] = sb, tb, sa, ta
    e.slope[k] = (e.t1[k] - e.t0[k]) / (e.s1[k] - e.s0[k])
    e.count += 1


cdef inline double place(const Edges *e, Py_ssize_t k, double s) noexcept nogil:
    """The t of edge k at s; beyond its ends the t of the end, to the last bit."""
    if s <= e.s0[k]:
        return e.t0[k]
    if s >= e.s1[k]:
        return e.t1[k]
    return e.t0[k] + (s - e.s0[k]) * e.slope[k]


cdef inline double reach_of(const Corridor *c, const double *box) noexcept nogil:
    """Return how far a box comes from the point that everything is measured from."""
    return max(max(fabs(box[0] - c.ox), fabs(box[2] - c.ox)),
               max(fabs(box[1] - c.oy), fabs(box[3] - c.oy)))


cdef inline double doubt_within(const Corridor *c, double reach) noexcept nogil:
    """Return the error bound of an s or a t no further away than that."""
    return ROUNDING * reach * (fabs(c.dx) + fabs(c.dy))


cdef inline double along(const Corridor *c, double x, double y) noexcept nogil:
    return (x - c.ox) * c.dx + (y - c.oy) * c.dy


cdef inline double across(const Corridor *c, double x, double y) noexcept nogil:
    return (y - c.oy) * c.dx - (x - c.ox) * c.dy


cdef inline void add_body(Edges *e, const Corridor *c, const Outlines *o, Py_ssize_t body,
                          double doubt) noexcept nogil:
    """All edges of a body in the corridor's axis frame, instead of what was there."""
    cdef Py_ssize_t ring, k
    cdef double s, t, s_next, t_next
    clear(e)
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        k = o.rings[ring]
        s = along(c, o.x[k], o.y[k])
        t = across(c, o.x[k], o.y[k])
        for k in range(o.rings[ring] + 1, o.rings[ring + 1]):
            s_next = along(c, o.x[k], o.y[k])
            t_next = across(c, o.x[k], o.y[k])
            add(e, s, t, s_next, t_next, doubt)
            s = s_next
            t = t_next


cdef inline Py_ssize_t hull_points(Corridor *c, const Outlines *o, Py_ssize_t a,
                                   Py_ssize_t b) noexcept nogil:
    """The points of both bodies' hulls in the axis frame, sorted by s, then t."""
    cdef Py_ssize_t count = 0, body, k, j, turn_of
    cdef double s, t
    for turn_of in range(2):
        body = b if turn_of else a
        for k in range(o.hulls[body], o.hulls[body + 1]):
            s = along(c, o.hull_x[k], o.hull_y[k])
            t = across(c, o.hull_x[k], o.hull_y[k])
            j = count
            while j > 0 and (c.spare_s[j - 1] > s
                             or (c.spare_s[j - 1] == s and c.spare_t[j - 1] > t)):
                c.spare_s[j] = c.spare_s[j - 1]
                c.spare_t[j] = c.spare_t[j - 1]
                j -= 1
            c.spare_s[j] = s
            c.spare_t[j] = t
            count += 1
    return count


cdef inline void add_chain(Edges *chain, const Corridor *c, Py_ssize_t count,
                           int side) noexcept nogil:
    """The hull's boundary on one side (+1: lesser t, -1: greater), by Andrew's monotone chain.

    The corners are stacked in the chain's own first columns, which the edges then overwrite
    from behind: edge k needs the corners k and k + 1 only.
    """
    cdef Py_ssize_t top = 0, k
    cdef double s, t
    for k in range(count):
        s = c.spare_s[k]
        t = c.spare_t[k]
        while top >= 2 and side * turn(chain.s0[top - 2], chain.t0[top - 2],
                                       chain.s0[top - 1], chain.t0[top - 1], s, t) <= 0:
            top -= 1
        chain.s0[top] = s
        chain.t0[top] = t
        top += 1
    clear(chain)
    for k in range(top - 1):
        add(chain, chain.s0[k], chain.t0[k], chain.s0[k + 1], chain.t0[k + 1], c.doubt)


cdef inline double chain_place(const Edges *chain, double s) noexcept nogil:
    cdef Py_ssize_t k = 0
    while k < chain.count - 1 and chain.s1[k] < s:
        k += 1
    return place(chain, k, s)


cdef inline double east_to(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Return how far east of centroid a centroid b is; antisymmetric in a and b."""
    return ((o.x[o.rings[o.bodies[b]]] - o.x[o.rings[o.bodies[a]]])
            + (o.to_centroids[2 * b] - o.to_centroids[2 * a]))


cdef inline double north_to(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Return how far north of centroid a centroid b lies."""
    return ((o.y[o.rings[o.bodies[b]]] - o.y[o.rings[o.bodies[a]]])
            + (o.to_centroids[2 * b + 1] - o.to_centroids[2 * a + 1]))


cdef inline bint lay_out(Corridor *c, const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """The corridor between two bodies that do not touch; False if it has no width.

    The caller gives a and b in one order whichever of them observes (see `comes_first`), so that
    both get the same bits. Where the centroids coincide the axis runs east.
    """
    cdef double s
    cdef Py_ssize_t k, count
    # A corner of the outline is on the grid where a centroid seldom is.
    c.ox = o.x[o.rings[o.bodies[a]]]
    c.oy = o.y[o.rings[o.bodies[a]]]
    c.dx = east_to(o, a, b)
    c.dy = north_to(o, a, b)
    c.reach = max(reach_of(c, o.boxes + 4 * a), reach_of(c, o.boxes + 4 * b))
    if fabs(c.dx) + fabs(c.dy) <= 16 * ROUNDING * c.reach:
        c.dx = 1
        c.dy = 0
    c.doubt = doubt_within(c, c.reach)
    count = hull_points(c, o, a, b)
    add_chain(&c.low, c, count, 1)
    add_chain(&c.high, c, count, -1)
    if c.low.count == 0 or c.high.count == 0:
        return False
    c.width = 0
    for k in range(count):
        s = c.spare_s[k]
        c.width = max(c.width, chain_place(&c.high, s) - chain_place(&c.low, s))
    if c.width <= 64 * c.doubt:
        return False
    add_body(&c.a, c, o, a, c.doubt)
    add_body(&c.b, c, o, b, c.doubt)
    return True


cdef inline bint comes_first(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Return the body that the axis starts from: the western, then southern, then lower row.

    By place and not by row, so that the order in which a scene was written down changes nothing.
    """
    cdef double east = east_to(o, a, b)
    cdef double north = north_to(o, a, b)
    if east != 0:
        return east > 0
    if north != 0:
        return north > 0
    return a < b


cdef inline void draw_line(SlopeLine *line, const Corridor *c, const Outlines *o, Py_ssize_t a,
                           Py_ssize_t b, double from_height, double to_height) noexcept nogil:
    """The sight line from a height over centroid a, the corridor's first, to one over centroid b.

    Level where the axis has no length.
    """
    cdef const double *lead = o.to_centroids + 2 * a
    cdef double start = lead[0] * c.dx + lead[1] * c.dy
    cdef double stop = start + east_to(o, a, b) * c.dx + north_to(o, a, b) * c.dy
    if stop - start <= c.doubt:
        line.climb = 0
        line.at_0 = 0.5 * (from_height + to_height)
    else:
        line.climb = (to_height - from_height) / (stop - start)
        line.at_0 = from_height - line.climb * start
