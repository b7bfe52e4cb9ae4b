"""The broad phase: circles that come near a sight corridor.

Circles that lie together are in one block, and a wider circle goes round each block; so most are
passed over sixteen at a time. In single precision, as many at once as a vector holds; the caller
has made the circles wider by as much as that may be wrong.
"""

from libc.math cimport INFINITY, fabs, sqrt
from libc.stdint cimport int32_t, uint64_t

from frame cimport Corridor
from middle cimport Middle

cdef extern from *:
    """
    /* Sides that rise more than this are not looked at in single precision. */
    static const double STEEP = 0.5;
    """
    const double STEEP

cdef extern from "circles.h" nogil:
    struct Window:
        float dx
        float dy
        float s_middle
        float t_middle
        float s_half
        float t_half
        float low
        float low_slope
        float low_stretch
        float high
        float high_slope
        float high_stretch
        float clear_middle
        float clear_half

    struct Circles:
        Py_ssize_t count
        const float *x
        const float *y
        const float *radius
        const float *inner

    void mark_near(const Window *window, const Circles *blocks, const Circles *circles,
                   const int32_t *rows, uint64_t *marked, uint64_t *shut) noexcept

cdef extern from "bits.h" nogil:
    Py_ssize_t list_bits(uint64_t *words, Py_ssize_t count, int32_t *out) noexcept


cdef inline void take_circles(Circles *g, const float[:, ::1] columns) noexcept nogil:
    g.count = columns.shape[1]
    g.x, g.y, g.radius = &columns[0, 0], &columns[1, 0], &columns[2, 0]
    g.inner = &columns[3, 0]


cdef inline void frame_side(float *at, float *slope, float *stretch, const double *side, double s_0,
                            double t_0, double scale, int way) noexcept nogil:
    """One side of a corridor (-1: the lower, +1: the upper); out of the way where it is steep."""
    if fabs(side[2]) > STEEP:
        at[0], slope[0], stretch[0] = <float> (way * INFINITY), 0, 1
        return
    at[0] = <float> ((side[1] - t_0 - (side[0] - s_0) * side[2]) * scale)
    slope[0] = <float> side[2]
    stretch[0] = <float> sqrt(1 + side[2] * side[2])


cdef inline void frame_window(Window *w, const Corridor *c, const Middle *m, double x0, double y0,
                              double margin) noexcept nogil:
    """A corridor as seen from (x0, y0)."""
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
    frame_side(&w.low, &w.low_slope, &w.low_stretch, m.low, s_0, t_0, scale, -1)
    frame_side(&w.high, &w.high_slope, &w.high_stretch, m.high, s_0, t_0, scale, 1)
    w.clear_middle = <float> ((0.5 * (m.south + m.north) - s_0) * scale)
    w.clear_half = <float> (0.5 * (m.north - m.south) * scale - margin)
    if c.width * scale <= margin:
        w.clear_half = -1


cdef struct Search:
    # The circles in blocks, the circles round these, where both are measured from and how far off
    # they may be, and the row that each stands for.
    Circles blocks
    Circles circles
    const double *origin
    double margin
    const int32_t *rows
    # A bit for each row there may be: none of the first set but while it is searched, of the second
    # results of the last search.
    uint64_t *marked
    uint64_t *shut
    Py_ssize_t words


cdef inline void take_search(Search *n, const float[:, ::1] blocks, const float[:, ::1] circles,
                             const double[::1] origin, double margin, const int32_t[::1] rows,
                             uint64_t[:, ::1] marked) noexcept nogil:
    """Point a search at its columns; see `corridor.fractions`."""
    take_circles(&n.blocks, blocks)
    take_circles(&n.circles, circles)
    n.origin, n.margin, n.rows = &origin[0], margin, &rows[0]
    n.marked, n.shut, n.words = &marked[0, 0], &marked[1, 0], marked.shape[1]


cdef inline Py_ssize_t near(const Search *n, const Corridor *c, const Middle *m, Py_ssize_t a,
                            Py_ssize_t b, int32_t *out) noexcept nogil:
    """The rows of the circles that come into a corridor's box, the least first, without a and b."""
    cdef Window w
    cdef Py_ssize_t k
    frame_window(&w, c, m, n.origin[0], n.origin[1], n.margin)
    for k in range(n.words):
        n.shut[k] = 0
    mark_near(&w, &n.blocks, &n.circles, n.rows, n.marked, n.shut)
    n.marked[a >> 6] &= ~(<uint64_t> 1 << (a & 63))
    n.marked[b >> 6] &= ~(<uint64_t> 1 << (b & 63))
    return list_bits(n.marked, n.words, out)
