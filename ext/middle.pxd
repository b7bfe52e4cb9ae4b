"""A shortcut for what stands in the middle of a sight corridor, as most of it does.

Between the two bodies, where both sides of the corridor are straight, and for an outline of one
ring without an edge perpendicular to the axis, the extent is continuous along the axis: the sum
of its edges' heights above the lower side, kept within the corridor, those that run one way less
those that run the other. So each breakpoint is looked at once, and nothing wants sorting. What is
not so simple is left to `sweep`.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint64_t

from frame cimport ROUNDING, Corridor
from outline cimport Outlines
from sweep cimport NARROW, TOUCHING

cdef extern from "middle.h" nogil:
    struct Middle:
        double from_point "from"[4]
        double south
        double north
        double low[3]
        double high[3]
        double narrow
        double doubt
        double blur

    struct Rings:
        const double *x
        const double *y
        const int32_t *rings
        const int32_t *bodies

    void measure_middle(const Middle *middle, const Rings *outlines, const int32_t *rows,
                        Py_ssize_t count, const uint64_t *shut, double touching,
                        double *found) noexcept


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
    m.from_point[0], m.from_point[1], m.from_point[2], m.from_point[3] = c.ox, c.oy, c.dx, c.dy
    m.low[0], m.low[1], m.low[2] = c.low.s0[low], c.low.t0[low], c.low.slope[low]
    m.high[0], m.high[1], m.high[2] = c.high.s0[high], c.high.t0[high], c.high.slope[high]
    m.narrow = NARROW * c.width
    m.doubt = c.doubt
    m.blur = ROUNDING * (fabs(c.dx) + fabs(c.dy))


cdef inline void shares_in_middle(const Middle *m, const Outlines *o, const int32_t *rows,
                                  Py_ssize_t count, const uint64_t *shut,
                                  double *found) noexcept nogil:
    """Find the fractions of the corridor that bodies cover; -1 if a sweep must find one.

    shut : a bit for each body that is known to cover all
    """
    cdef Rings rings
    rings.x, rings.y, rings.rings, rings.bodies = o.x, o.y, o.rings, o.bodies
    measure_middle(m, &rings, rows, count, shut, TOUCHING, found)
