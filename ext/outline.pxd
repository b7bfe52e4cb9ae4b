"""The columns of many outlines as the kernels see them, and whether two of them touch."""

from libc.stdint cimport int32_t

from orient cimport meet, turn

cdef struct Outlines:
    # Rings are closed: the first point comes again as the last.
    # Body i holds the rings bodies[i] to bodies[i + 1]; ring r the points rings[r] to rings[r + 1].
    const double *x
    const double *y
    const int32_t *rings
    const int32_t *bodies
    # Boxes, four numbers a body: west, south, east, north.
    const double *boxes
    # Centroids as seen from each body's first point, two numbers a body.
    const double *to_centroids
    # Convex hulls, anticlockwise and open: body i holds the points hulls[i] to hulls[i + 1].
    const double *hull_x
    const double *hull_y
    const int32_t *hulls


cdef inline bint contains(const Outlines *o, Py_ssize_t body, double px, double py) noexcept nogil:
    """Return whether the point is inside the body, even-odd; undefined on its edge."""
    cdef Py_ssize_t ring, k
    cdef bint inside = False
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        for k in range(o.rings[ring], o.rings[ring + 1] - 1):
            if (o.y[k] > py) != (o.y[k + 1] > py):
                if ((turn(o.x[k], o.y[k], o.x[k + 1], o.y[k + 1], px, py) > 0)
                        == (o.y[k + 1] > o.y[k])):
                    inside = not inside
    return inside


cdef inline bint edges_meet(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Return whether an edge of a shares a point with an edge of b."""
    cdef Py_ssize_t ring, other, k, m
    for ring in range(o.bodies[a], o.bodies[a + 1]):
        for k in range(o.rings[ring], o.rings[ring + 1] - 1):
            for other in range(o.bodies[b], o.bodies[b + 1]):
                for m in range(o.rings[other], o.rings[other + 1] - 1):
                    if meet(o.x[k], o.y[k], o.x[k + 1], o.y[k + 1],
                            o.x[m], o.y[m], o.x[m + 1], o.y[m + 1]):
                        return True
    return False


cdef inline bint touch(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Return whether the two bodies touch or overlap; standing free in a hole is neither."""
    cdef const double *p = o.boxes + 4 * a
    cdef const double *q = o.boxes + 4 * b
    cdef Py_ssize_t ring
    if p[0] > q[2] or q[0] > p[2] or p[1] > q[3] or q[1] > p[3]:
        return False
    if edges_meet(o, a, b):
        return True
    # No edges meet, so each ring is wholly inside the other body or wholly outside.
    for ring in range(o.bodies[a], o.bodies[a + 1]):
        if contains(o, b, o.x[o.rings[ring]], o.y[o.rings[ring]]):
            return True
    for ring in range(o.bodies[b], o.bodies[b + 1]):
        if contains(o, a, o.x[o.rings[ring]], o.y[o.rings[ring]]):
            return True
    return False
