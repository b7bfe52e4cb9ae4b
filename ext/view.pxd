"""One sight corridor laid out, and how much of it a single body covers."""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from frame cimport Corridor, Edges, add_body, comes_first, doubt_within, lay_out, reach_of
from marks cimport Scratch
from middle cimport Middle, find_middle
from outline cimport Outlines, touch
from sweep cimport greatest_share


cdef struct View:
    # One corridor and what is needed to measure in it.
    Py_ssize_t a        # the two bodies, in the order of the axis
    Py_ssize_t b
    Corridor c
    Middle m
    Edges e
    Scratch w
    bint touch          # true if the two bodies touch, and so have no corridor
    # Possible obstacles, and the fraction of each.
    int32_t *near
    double *found


cdef inline bint may_reach(const Corridor *c, const double *box, double doubt, double *south,
                           double *north) noexcept nogil:
    """Return whether a body's box, in the axis frame, meets the corridor's, and from where to
    where.

    Much tighter than the two boxes on the map where the axis runs aslant.
    """
    cdef double x = 0.5 * ((box[0] - c.ox) + (box[2] - c.ox))
    cdef double y = 0.5 * ((box[1] - c.oy) + (box[3] - c.oy))
    cdef double half_x = 0.5 * (box[2] - box[0])
    cdef double half_y = 0.5 * (box[3] - box[1])
    cdef double east = fabs(c.dx)
    cdef double ahead = fabs(c.dy)
    cdef double s = x * c.dx + y * c.dy
    cdef double t = y * c.dx - x * c.dy
    cdef double reach_s = half_x * east + half_y * ahead + doubt
    cdef double reach_t = half_x * ahead + half_y * east + doubt
    south[0] = s - reach_s
    north[0] = s + reach_s
    return (north[0] > c.low.south and south[0] < c.low.north
            and t + reach_t > c.low.west and t - reach_t < c.high.east)


cdef inline bint look_along(View *v, const Outlines *o, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    """Lay out the corridor between two bodies; False where there is none."""
    v.a, v.b = (i, j) if comes_first(o, i, j) else (j, i)
    v.touch = i != j and touch(o, v.a, v.b)
    if i == j or v.touch or not lay_out(&v.c, o, v.a, v.b):
        return False
    find_middle(&v.m, &v.c)
    return True


cdef inline double doubt_of(const Corridor *c, const double *box) noexcept nogil:
    """Return the error bound of an s or a t of a body, or of the corridor."""
    return max(c.doubt, doubt_within(c, reach_of(c, box)))


cdef inline double swept(View *v, const Outlines *o, Py_ssize_t body, double start,
                         double stop) noexcept nogil:
    """The fraction that a body covers from s = start to s = stop; -1 for no room."""
    cdef const double *box = o.boxes + 4 * body
    cdef double doubt = doubt_of(&v.c, box)
    cdef double south, north
    if not may_reach(&v.c, box, doubt, &south, &north):
        return 0
    add_body(&v.e, &v.c, o, body, doubt)
    return greatest_share(&v.c, &v.e, &v.w, doubt, start, stop, 1)
