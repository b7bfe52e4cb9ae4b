"""Order of bodies along an axis: whether a third body is before the second."""

from libc.math cimport INFINITY, fabs

from distance cimport UNSURE, Segment
from frame cimport east_to, north_to
from orient cimport turn
from outline cimport Outlines, contains


cdef inline double onward(const Segment *axis, double x, double y) noexcept nogil:
    return (x - axis.x) * axis.dx + (y - axis.y) * axis.dy


cdef inline void reach(const Outlines *o, Py_ssize_t body, const Segment *axis, double *least,
                       double *most) noexcept nogil:
    """Return how far along the axis a body begins and ends."""
    cdef Py_ssize_t k
    cdef double far
    least[0] = INFINITY
    most[0] = -INFINITY
    for k in range(o.hulls[body], o.hulls[body + 1]):
        far = onward(axis, o.hull_x[k], o.hull_y[k])
        least[0] = min(least[0], far)
        most[0] = max(most[0], far)


cdef inline Py_ssize_t hull_of_both(const Outlines *o, Py_ssize_t a, Py_ssize_t b, double *x,
                                    double *y, double *spare_x, double *spare_y) noexcept nogil:
    """The convex hull of two bodies, anticlockwise and open, by Andrew's monotone chain."""
    cdef Py_ssize_t count = 0, top = 0, floor, body, k, j, turn_of
    for turn_of in range(2):
        body = b if turn_of else a
        for k in range(o.hulls[body], o.hulls[body + 1]):
            j = count
            while j > 0 and (spare_x[j - 1] > o.hull_x[k]
                             or (spare_x[j - 1] == o.hull_x[k] and spare_y[j - 1] > o.hull_y[k])):
                spare_x[j] = spare_x[j - 1]
                spare_y[j] = spare_y[j - 1]
                j -= 1
            spare_x[j] = o.hull_x[k]
            spare_y[j] = o.hull_y[k]
            count += 1
    for turn_of in range(2):
        floor = top
        for j in range(count):
            k = count - 1 - j if turn_of else j
            while top >= floor + 2 and turn(x[top - 2], y[top - 2], x[top - 1], y[top - 1],
                                            spare_x[k], spare_y[k]) <= 0:
                top -= 1
            x[top] = spare_x[k]
            y[top] = spare_y[k]
            top += 1
        top -= 1
    return top


cdef inline double least_within(const Segment *axis, const double *x, const double *y,
                                Py_ssize_t corners, double ax, double ay, double bx,
                                double by, double wider) noexcept nogil:
    """Return how far along the axis the part of an edge begins that is in a convex outline.

    wider : GSU by which the outline counts as wider
    """
    cdef double start = 0, stop = 1, left, next_left, east, north, margin
    cdef Py_ssize_t k, m
    for k in range(corners):
        m = k + 1 if k + 1 < corners else 0
        east = x[m] - x[k]
        north = y[m] - y[k]
        margin = wider * (fabs(east) + fabs(north))
        left = east * (ay - y[k]) - north * (ax - x[k]) + margin
        next_left = east * (by - y[k]) - north * (bx - x[k]) + margin
        if left < 0 and next_left < 0:
            return INFINITY
        if left < 0:
            start = max(start, left / (left - next_left))
        elif next_left < 0:
            stop = min(stop, left / (left - next_left))
    if start > stop:
        return INFINITY
    return min(onward(axis, ax + (bx - ax) * start, ay + (by - ay) * start),
               onward(axis, ax + (bx - ax) * stop, ay + (by - ay) * stop))


cdef inline double least_of_both(const Outlines *o, const double *x, const double *y,
                                 Py_ssize_t corners, Py_ssize_t body, const Segment *axis,
                                 double wider) noexcept nogil:
    """Return how far along the axis a body begins within a convex outline."""
    cdef Py_ssize_t ring, k
    cdef double least = INFINITY
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        for k in range(o.rings[ring], o.rings[ring + 1] - 1):
            least = min(least, least_within(axis, x, y, corners, o.x[k], o.y[k], o.x[k + 1],
                                            o.y[k + 1], wider))
    for k in range(corners):
        if onward(axis, x[k], y[k]) < least and contains(o, body, x[k], y[k]):
            least = onward(axis, x[k], y[k])
    return least


cdef inline bint is_before(const Outlines *o, Py_ssize_t shorter, Py_ssize_t taller,
                           Py_ssize_t body, double *spare, Py_ssize_t room,
                           bint *unsure) noexcept nogil:
    """Return whether the corridor, from the taller on, comes to the body before the shorter.

    spare : four times *room*, which the two have fewer corners than
    """
    cdef Segment axis
    cdef Py_ssize_t corners
    cdef double front, least, most, narrow, unused
    axis.x = o.x[o.rings[o.bodies[taller]]]
    axis.y = o.y[o.rings[o.bodies[taller]]]
    axis.dx = east_to(o, taller, shorter)
    axis.dy = north_to(o, taller, shorter)
    narrow = UNSURE * (fabs(axis.dx) + fabs(axis.dy))
    reach(o, shorter, &axis, &front, &unused)
    reach(o, body, &axis, &least, &most)
    if fabs(least - front) <= narrow or fabs(most - front) <= narrow:
        unsure[0] = True
        return False
    if least < front and most > front:
        corners = hull_of_both(o, taller, shorter, spare, spare + room, spare + 2 * room,
                               spare + 3 * room)
        least = least_of_both(o, spare, spare + room, corners, body, &axis, -UNSURE)
        most = least_of_both(o, spare, spare + room, corners, body, &axis, UNSURE)
        if (least < front + narrow) != (most < front - narrow):
            unsure[0] = True
    return least < front
