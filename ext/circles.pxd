"""Which of many circles come near a sight corridor: the broad phase.

In single precision, four and more circles at a time; the caller has made the circles wider by as
much as that may be wrong.
"""

from libc.math cimport fabsf, sqrt
from libc.stdint cimport int32_t

from frame cimport Corridor

cdef extern from *:
    """
    enum { BLOCK = 16 };
    """
    enum:
        BLOCK


cdef struct Circles:
    # Measured from (x0, y0); count is a multiple of BLOCK, filled up with circles of no size.
    Py_ssize_t count
    double x0
    double y0
    const float *x
    const float *y
    const float *radius


cdef inline Py_ssize_t near(const Circles *g, const Corridor *c, int32_t *out) noexcept nogil:
    """The circles that come into the corridor's box in the axis frame, in their order."""
    cdef double scale = 1 / sqrt(c.dx * c.dx + c.dy * c.dy)
    cdef float dx = <float> (c.dx * scale)
    cdef float dy = <float> (c.dy * scale)
    cdef double s_0 = (g.x0 - c.ox) * c.dx + (g.y0 - c.oy) * c.dy
    cdef double t_0 = (g.y0 - c.oy) * c.dx - (g.x0 - c.ox) * c.dy
    cdef double south = min(c.low.south, c.high.south)
    cdef double north = max(c.low.north, c.high.north)
    cdef float s_middle = <float> ((0.5 * (south + north) - s_0) * scale)
    cdef float t_middle = <float> ((0.5 * (c.low.west + c.high.east) - t_0) * scale)
    cdef float s_half = <float> (0.5 * (north - south) * scale)
    cdef float t_half = <float> (0.5 * (c.high.east - c.low.west) * scale)
    cdef Py_ssize_t count = 0, block, k
    cdef int any_hit
    cdef int hits[BLOCK]
    cdef const float *x
    cdef const float *y
    cdef const float *radius
    for block in range(g.count // BLOCK):
        x = g.x + block * BLOCK
        y = g.y + block * BLOCK
        radius = g.radius + block * BLOCK
        any_hit = 0
        for k in range(BLOCK):
            hits[k] = ((fabsf(x[k] * dx + y[k] * dy - s_middle) <= s_half + radius[k])
                       & (fabsf(y[k] * dx - x[k] * dy - t_middle) <= t_half + radius[k]))
            any_hit |= hits[k]
        if any_hit:
            for k in range(BLOCK):
                if hits[k]:
                    out[count] = <int32_t> (block * BLOCK + k)
                    count += 1
    return count
