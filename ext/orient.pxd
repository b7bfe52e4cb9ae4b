"""Orientation of three points, and predicates built on it; inlined into every kernel."""

from libc.math cimport fabs

cdef extern from *:
    """
    /* (3 + 16e)e with e = 2**-53: the first error bound for the orientation of three points
       in Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic". */
    static const double TURN_DOUBT = 3.3306690738754716e-16;
    """
    const double TURN_DOUBT


cdef inline int turn(double ax, double ay, double bx, double by,
                     double px, double py) noexcept nogil:
    """+1 where a -> b -> p turns left, -1 where right, 0 where straight or too close to decide.

    What rounding could have decided counts as straight, so a sign that is given is true.
    On the grid of 1/1024 GSU below 2**15 GSU every answer is exact.
    """
    cdef double left = (bx - ax) * (py - ay)
    cdef double right = (by - ay) * (px - ax)
    cdef double doubt = TURN_DOUBT * (fabs(left) + fabs(right))
    return (left - right > doubt) - (right - left > doubt)


cdef inline bint meet(double ax, double ay, double bx, double by,
                      double cx, double cy, double dx, double dy) noexcept nogil:
    """Return whether closed segments a-b and c-d share a point; either may be a point."""
    if (max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx)
            or max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by)):
        return False
    return (turn(ax, ay, bx, by, cx, cy) * turn(ax, ay, bx, by, dx, dy) <= 0
            and turn(cx, cy, dx, dy, ax, ay) * turn(cx, cy, dx, dy, bx, by) <= 0)
