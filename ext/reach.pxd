"""Cells of the ground that a sight corridor enters."""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from frame cimport ROUNDING, Corridor, Edges
from outline cimport Outlines
from raster cimport Raster, north_of, step_of

cdef extern from *:
    """
    /* A cell counts as entered from this part of a cell beside it, plus what rounding may
       have done. */
    static const double BESIDE = 0x1p-20;
    """
    const double BESIDE


cdef inline void reach_row(const Raster *g, Py_ssize_t row, double x, int32_t *first,
                           int32_t *last) noexcept nogil:
    """Have the hull come to x in one row of cells."""
    cdef double steps = (x - g.west) / g.cell
    first[row + 1] = min(first[row + 1], <int32_t> step_of(steps - g.doubt, g.cols))
    last[row + 1] = max(last[row + 1], <int32_t> step_of(steps + g.doubt, g.cols))


cdef inline void reach_edge(const Raster *g, const Corridor *c, double s0, double t0, double s1,
                            double t1, Py_ssize_t begin, Py_ssize_t stop, int32_t *first,
                            int32_t *last) noexcept nogil:
    """Note which cells of some rows an edge of the hull, given in the axis frame, enters."""
    cdef double square = c.dx * c.dx + c.dy * c.dy
    cdef double ax = c.ox + (s0 * c.dx - t0 * c.dy) / square
    cdef double ay = c.oy + (s0 * c.dy + t0 * c.dx) / square
    cdef double bx = c.ox + (s1 * c.dx - t1 * c.dy) / square
    cdef double by = c.oy + (s1 * c.dy + t1 * c.dx) / square
    cdef Py_ssize_t row, top, bottom
    cdef double upper, lower
    if ay < by:
        ax, ay, bx, by = bx, by, ax, ay
    top = max(begin, step_of((g.north - ay) / g.cell - g.doubt, g.rows))
    bottom = min(stop, step_of((g.north - by) / g.cell + g.doubt, g.rows))
    for row in range(top, bottom + 1):
        upper = max(min(ay, north_of(g, row)), by)
        lower = min(max(by, north_of(g, row + 1)), ay)
        if ay > by:
            reach_row(g, row, ax + (bx - ax) * ((ay - upper) / (ay - by)), first, last)
            reach_row(g, row, ax + (bx - ax) * ((ay - lower) / (ay - by)), first, last)
        else:
            reach_row(g, row, ax, first, last)
            reach_row(g, row, bx, first, last)


cdef inline void frame_ground(Raster *g, const Corridor *c, const Outlines *o, Py_ssize_t a,
                              Py_ssize_t b) noexcept nogil:
    """Set how far a raster goes on beyond its centres for a corridor, and how exact places are."""
    cdef const double *p = o.boxes + 4 * a
    cdef const double *q = o.boxes + 4 * b
    g.doubt = (BESIDE + 16 * ROUNDING * (c.reach + fabs(c.ox) + fabs(c.oy) + fabs(g.west)
                                         + fabs(g.north)) / g.cell)
    g.far_west = min(g.west, min(p[0], q[0])) - g.cell
    g.far_south = min(g.north - (g.rows - 1) * g.cell, min(p[1], q[1])) - g.cell
    g.far_east = max(g.west + (g.cols - 1) * g.cell, max(p[2], q[2])) + g.cell
    g.far_north = max(g.north, max(p[3], q[3])) + g.cell


cdef inline void reach(const Raster *g, const Corridor *c, Py_ssize_t begin, Py_ssize_t stop,
                       int32_t *first, int32_t *last) noexcept nogil:
    """Find the columns of cells that the corridor's hull enters in rows begin to stop.

    Row -1 and column -1 are the ground beyond the first centres. A row not entered has first
    above last.
    """
    cdef Py_ssize_t row, k, side
    cdef const Edges *chain
    for row in range(begin + 1, stop + 2):
        first[row] = <int32_t> g.cols
        last[row] = -2
    for side in range(2):
        chain = &c.high if side else &c.low
        for k in range(chain.count):
            reach_edge(g, c, chain.s0[k], chain.t0[k], chain.s1[k], chain.t1[k], begin, stop,
                       first, last)
    # The hull's ends, where they are perpendicular to the axis, are in neither chain.
    reach_edge(g, c, c.low.s0[0], c.low.t0[0], c.high.s0[0], c.high.t0[0], begin, stop, first,
               last)
    k = c.low.count - 1
    row = c.high.count - 1
    reach_edge(g, c, c.low.s1[k], c.low.t1[k], c.high.s1[row], c.high.t1[row], begin, stop, first,
               last)
