"""Which of many circles come near a sight corridor: the broad phase.

Circles that lie together are in one block, and a wider circle goes round each block; so most are
passed over sixteen at a time. In single precision, four and more at once; the caller has made the
circles wider by as much as that may be wrong.
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
    # Measured from the caller's origin. Whole blocks, filled up with circles of no size.
    Py_ssize_t count
    const float *x
    const float *y
    const float *radius


cdef struct Window:
    # A corridor's box in its axis frame, the axis of length 1.
    float dx
    float dy
    float s_middle
    float t_middle
    float s_half
    float t_half


cdef inline void take_circles(Circles *g, const float[:, ::1] columns) noexcept nogil:
    g.count = columns.shape[1]
    g.x, g.y, g.radius = &columns[0, 0], &columns[1, 0], &columns[2, 0]


cdef inline void frame_window(Window *w, const Corridor *c, double x0, double y0) noexcept nogil:
    """The box of a corridor, as seen from (x0, y0)."""
    cdef double scale = 1 / sqrt(c.dx * c.dx + c.dy * c.dy)
    cdef double s_0 = (x0 - c.ox) * c.dx + (y0 - c.oy) * c.dy
    cdef double t_0 = (y0 - c.oy) * c.dx - (x0 - c.ox) * c.dy
    cdef double south = min(c.low.south, c.high.south)
    cdef double north = max(c.low.north, c.high.north)
    w.dx = <float> (c.dx * scale)
    w.dy = <float> (c.dy * scale)
    w.s_middle = <float> ((0.5 * (south + north) - s_0) * scale)
    w.t_middle = <float> ((0.5 * (c.low.west + c.high.east) - t_0) * scale)
    w.s_half = <float> (0.5 * (north - south) * scale)
    w.t_half = <float> (0.5 * (c.high.east - c.low.west) * scale)


cdef inline int reach_into(const Window *w, const Circles *g, Py_ssize_t block,
                           int *hits) noexcept nogil:
    """Which circles of a block come into the window; 0 where none does."""
    cdef const float *x = g.x + block * BLOCK
    cdef const float *y = g.y + block * BLOCK
    cdef const float *radius = g.radius + block * BLOCK
    cdef float dx = w.dx
    cdef float dy = w.dy
    cdef int any_hit = 0
    cdef Py_ssize_t k
    for k in range(BLOCK):
        hits[k] = ((fabsf(x[k] * dx + y[k] * dy - w.s_middle) <= w.s_half + radius[k])
                   & (fabsf(y[k] * dx - x[k] * dy - w.t_middle) <= w.t_half + radius[k]))
        any_hit |= hits[k]
    return any_hit


cdef inline Py_ssize_t near(const Circles *blocks, const Circles *g, const Corridor *c,
                            const double *origin, const int32_t *rows,
                            int32_t *out) noexcept nogil:
    """The rows of the circles that come into a corridor's box, in no order."""
    cdef Window w
    cdef Py_ssize_t count = 0, first, block, k
    cdef int hit_blocks[BLOCK]
    cdef int hits[BLOCK]
    frame_window(&w, c, origin[0], origin[1])
    for first in range(blocks.count // BLOCK):
        if not reach_into(&w, blocks, first, hit_blocks):
            continue
        for block in range(BLOCK):
            if hit_blocks[block] and reach_into(&w, g, first * BLOCK + block, hits):
                for k in range(BLOCK):
                    if hits[k]:
                        out[count] = rows[(first * BLOCK + block) * BLOCK + k]
                        count += 1
    return count
