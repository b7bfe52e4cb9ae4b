"""Solid or sparse bodies in a sight corridor, and the columns that decide it."""

from libc.math cimport isnan
from libc.stdint cimport int32_t, uint8_t

from distance cimport Segment, chord
from frame cimport east_to, north_to
from outline cimport Outlines

cdef enum:
    NOT_SOLID = 0
    SOLID = 1
    UNCERTAIN = 2            # rounding could decide
    NOT_TESTED = 3

cdef extern from *:
    """
    /* Lengths nearer to a border than this, GSU, are left open. */
    static const double CLOSE_TO = 1e-8;
    """
    const double CLOSE_TO


cdef struct Bodies:
    Outlines o
    const uint8_t *solid
    # GSU of a chord above which it is solid; NaN where it is as it is.
    const double *thickness
    Py_ssize_t widest
    double *spare


cdef inline int is_thick(const Bodies *b, Py_ssize_t body, Py_ssize_t near,
                         Py_ssize_t far) noexcept nogil:
    """Return whether enough of a body lies on the axis, outside of the two ends."""
    cdef Segment segment
    cdef bint unsure = False
    cdef double length, limit = b.thickness[body]
    segment.x = b.o.x[b.o.rings[b.o.bodies[near]]] + b.o.to_centroids[2 * near]
    segment.y = b.o.y[b.o.rings[b.o.bodies[near]]] + b.o.to_centroids[2 * near + 1]
    segment.dx = east_to(&b.o, near, far)
    segment.dy = north_to(&b.o, near, far)
    length = chord(&b.o, body, near, far, &segment, b.spare, b.widest, &unsure)
    if unsure or limit - CLOSE_TO * (1 + limit) <= length <= limit + CLOSE_TO * (1 + limit):
        return UNCERTAIN
    return SOLID if length > limit else NOT_SOLID


cdef inline int solidity(const Bodies *b, Py_ssize_t body, Py_ssize_t near, Py_ssize_t far,
                         bint camouflaged) noexcept nogil:
    if camouflaged:
        return SOLID
    if isnan(b.thickness[body]):
        return b.solid[body]
    return is_thick(b, body, near, far)


cdef inline void point(Bodies *b, const double[::1] x, const double[::1] y,
                       const int32_t[::1] rings, const int32_t[::1] bodies,
                       const double[:, ::1] boxes, const double[:, ::1] to_centroids,
                       const double[::1] hull_x, const double[::1] hull_y,
                       const int32_t[::1] hulls, const uint8_t[::1] solid,
                       const double[::1] thickness, Py_ssize_t widest,
                       double *spare) noexcept:
    """Point them at their columns; spare : 8 * widest + 8."""
    b.o.x, b.o.y, b.o.rings, b.o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    b.o.boxes, b.o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    b.o.hull_x, b.o.hull_y, b.o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    b.solid = &solid[0]
    b.thickness = &thickness[0] if thickness.shape[0] else NULL
    b.widest = widest
    b.spare = spare
