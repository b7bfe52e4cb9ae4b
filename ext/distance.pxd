"""Distances between outlines and points, and the part of a straight segment inside an outline.

Distances are taken between edges, all of them, by the steps of GEOS: where both are exact they
are the same to the last bit. Whatever else is told here comes with what rounding may have done.
"""

from libc.math cimport INFINITY, fabs, sqrt

from outline cimport Outlines, contains, touch

cdef extern from *:
    """
    /* GSU within which a length leaves it open which of two is greater: far above what rounding
       does to places within the widest field. */
    static const double UNSURE = 1e-8;
    """
    const double UNSURE


cdef inline double to_segment(double px, double py, double ax, double ay,
                              double bx, double by) noexcept nogil:
    """From a point to a segment."""
    cdef double dx = bx - ax
    cdef double dy = by - ay
    cdef double square = dx * dx + dy * dy
    cdef double part
    if square == 0:
        return sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
    part = ((px - ax) * dx + (py - ay) * dy) / square
    if part <= 0:
        return sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
    if part >= 1:
        return sqrt((px - bx) * (px - bx) + (py - by) * (py - by))
    return fabs(((ay - py) * dx - (ax - px) * dy) / square) * sqrt(square)


cdef inline double beyond(double least, double most, double other_least,
                          double other_most) noexcept nogil:
    """Return how far two stretches of one direction are apart."""
    return max(max(other_least - most, least - other_most), 0.0)


cdef inline double between_boxes(const double *p, const double *q) noexcept nogil:
    """The square of how far two boxes are apart."""
    cdef double east = beyond(p[0], p[2], q[0], q[2])
    cdef double north = beyond(p[1], p[3], q[1], q[3])
    return east * east + north * north


cdef inline double to_outline(const Outlines *o, Py_ssize_t body, double px,
                              double py) noexcept nogil:
    """From a point to a body; 0 from within."""
    cdef Py_ssize_t ring, k
    cdef double least = INFINITY
    if contains(o, body, px, py):
        return 0
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        for k in range(o.rings[ring], max(o.rings[ring + 1] - 1, o.rings[ring] + 1)):
            if k + 1 < o.rings[ring + 1]:
                least = min(least, to_segment(px, py, o.x[k], o.y[k], o.x[k + 1], o.y[k + 1]))
            else:
                least = min(least, to_segment(px, py, o.x[k], o.y[k], o.x[k], o.y[k]))
    return least


cdef inline double from_edge(const Outlines *o, Py_ssize_t k, Py_ssize_t next_k, Py_ssize_t b,
                             double least) noexcept nogil:
    """From an edge to a body that it does not meet; *least* where it is no nearer."""
    cdef double ax = o.x[k]
    cdef double ay = o.y[k]
    cdef double bx = o.x[next_k]
    cdef double by = o.y[next_k]
    cdef double box[4]
    cdef double cx, cy, dx, dy, east, north
    cdef Py_ssize_t ring, m, next_m
    box[0], box[1], box[2], box[3] = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
    if between_boxes(box, o.boxes + 4 * b) > least * least * (1 + 1e-9):
        return least
    for ring in range(o.bodies[b], o.bodies[b + 1]):
        for m in range(o.rings[ring], max(o.rings[ring + 1] - 1, o.rings[ring] + 1)):
            next_m = min(m + 1, o.rings[ring + 1] - 1)
            cx, cy, dx, dy = o.x[m], o.y[m], o.x[next_m], o.y[next_m]
            east = beyond(box[0], box[2], min(cx, dx), max(cx, dx))
            north = beyond(box[1], box[3], min(cy, dy), max(cy, dy))
            if east * east + north * north > least * least * (1 + 1e-9):
                continue
            least = min(least, to_segment(ax, ay, cx, cy, dx, dy))
            least = min(least, to_segment(bx, by, cx, cy, dx, dy))
            least = min(least, to_segment(cx, cy, ax, ay, bx, by))
            least = min(least, to_segment(dx, dy, ax, ay, bx, by))
    return least


cdef inline double gap(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Between the nearest edges of two bodies; 0 where they touch or overlap."""
    cdef Py_ssize_t ring, k
    cdef double least = INFINITY
    if touch(o, a, b):
        return 0
    for ring in range(o.bodies[a], o.bodies[a + 1]):
        for k in range(o.rings[ring], max(o.rings[ring + 1] - 1, o.rings[ring] + 1)):
            least = from_edge(o, k, min(k + 1, o.rings[ring + 1] - 1), b, least)
    return least


cdef struct Segment:
    # From one place to another.
    double x
    double y
    double dx
    double dy


cdef inline double aside(const Segment *segment, double x, double y) noexcept nogil:
    """Return how far a point is to the left of a segment, times its length."""
    return segment.dx * (y - segment.y) - segment.dy * (x - segment.x)


cdef inline Py_ssize_t crossings(const Outlines *o, Py_ssize_t body, const Segment *segment,
                                 double *places, Py_ssize_t count, bint *unsure) noexcept nogil:
    """Return where a segment, extended in both directions, crosses the edges of a body.

    As shares of the segment, entered among the *count* that are there, rising; tells how many there
    are then. Unsure where an edge lies along the segment.
    """
    cdef Py_ssize_t ring, k, j
    cdef double left, next_left, place
    cdef double narrow = UNSURE * (fabs(segment.dx) + fabs(segment.dy))
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        next_left = aside(segment, o.x[o.rings[ring]], o.y[o.rings[ring]])
        for k in range(o.rings[ring], o.rings[ring + 1] - 1):
            left = next_left
            next_left = aside(segment, o.x[k + 1], o.y[k + 1])
            if fabs(left) <= narrow and fabs(next_left) <= narrow:
                unsure[0] = True
            if (left > 0) == (next_left > 0):
                continue
            place = left / (left - next_left)
            place = (((o.x[k] - segment.x) + (o.x[k + 1] - o.x[k]) * place) * segment.dx
                     + ((o.y[k] - segment.y) + (o.y[k + 1] - o.y[k]) * place) * segment.dy)
            place /= segment.dx * segment.dx + segment.dy * segment.dy
            j = count
            while j > 0 and places[j - 1] > place:
                places[j] = places[j - 1]
                j -= 1
            places[j] = place
            count += 1
    return count


cdef inline double within_ends(double place) noexcept nogil:
    return max(0.0, min(1.0, place))


cdef inline double chord(const Outlines *o, Py_ssize_t body, Py_ssize_t a, Py_ssize_t b,
                         const Segment *segment, double *spare, Py_ssize_t room,
                         bint *unsure) noexcept nogil:
    """Return how much of a segment lies in a body and in neither of two others.

    spare : three times *room*, which no body has more edges than
    """
    cdef double *marks[3]
    cdef Py_ssize_t counts[3]
    cdef Py_ssize_t next_mark[3]
    cdef Py_ssize_t which, nearest
    cdef double start = -INFINITY, length = 0, end
    cdef bint inside
    marks[0], marks[1], marks[2] = spare, spare + room, spare + 2 * room
    counts[0] = crossings(o, body, segment, marks[0], 0, unsure)
    if counts[0] == 0:
        return 0
    counts[1] = crossings(o, a, segment, marks[1], 0, unsure)
    counts[2] = crossings(o, b, segment, marks[2], 0, unsure)
    next_mark[0] = next_mark[1] = next_mark[2] = 0
    while next_mark[0] < counts[0]:
        nearest = 0
        for which in range(1, 3):
            if (next_mark[which] < counts[which]
                    and marks[which][next_mark[which]] < marks[nearest][next_mark[nearest]]):
                nearest = which
        end = marks[nearest][next_mark[nearest]]
        inside = next_mark[0] & 1 and not next_mark[1] & 1 and not next_mark[2] & 1
        if inside:
            length += within_ends(end) - within_ends(start)
        start = end
        next_mark[nearest] += 1
    return length * sqrt(segment.dx * segment.dx + segment.dy * segment.dy)
