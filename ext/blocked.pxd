"""The share of a sight corridor that the ground blocks: one corridor, along one line at a time.

The surface is the triangulated raster: each cell between four neighbouring centres is split along
its diagonal from south-west to north-east; beyond the outermost centres the ground goes on as it
is there. Ground less sight line is linear on every triangle, so what rises above is bounded by
one straight piece in each triangle that it enters, and these pieces close into rings. The rings
are then an outline like any other, and `greatest_share` measures it.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t

from frame cimport Corridor, Edges, SlopeLine, across, add, along, clear, draw_line, lay_out
from marks cimport Scratch
from outline cimport Outlines, touch
from raster cimport Raster, east_of, north_of
from risen cimport Cells, cells_of, find_risen, is_shut, reach_tiles
from sweep cimport greatest_share

cdef extern from *:
    """
    /* Ground counts as above the line from this share of the heights involved: a line that lies
       on an even slope touches it, whatever rounding says. */
    static const double GRAZE = 0x1p-42;
    /* Heights that differ by a smaller share of themselves are measured from one of them, so that
       this share is one of their differences. */
    static const double ALIKE = 0x1p-10;
    """
    const double GRAZE
    const double ALIKE


cdef inline void cross(const Corridor *c, double ax, double ay, double above_a,
                       double bx, double by, double above_b,
                       double *s, double *t) noexcept nogil:
    """Return where the line from a to b leaves the ground; callers order the ends."""
    cdef double part = above_a / (above_a - above_b)
    s[0] = along(c, ax, ay)
    t[0] = across(c, ax, ay)
    s[0] += (along(c, bx, by) - s[0]) * part
    t[0] += (across(c, bx, by) - t[0]) * part


cdef inline bint outline_triangle(const Corridor *c, Edges *e, Py_ssize_t room,
                                  double ax, double ay, double above_a,
                                  double bx, double by, double above_b,
                                  double cx, double cy, double above_c) noexcept nogil:
    """Enter the piece of the outline that runs through a triangle; False if there is no room.

    The corners come in one order along every shared side, so that neighbours agree to the bit on
    where the outline passes from one to the other, and it closes.
    """
    cdef double s[2]
    cdef double t[2]
    cdef int found = 0
    if (above_a > 0) != (above_b > 0):
        cross(c, ax, ay, above_a, bx, by, above_b, &s[found], &t[found])
        found += 1
    if (above_a > 0) != (above_c > 0):
        cross(c, ax, ay, above_a, cx, cy, above_c, &s[found], &t[found])
        found += 1
    if found < 2 and (above_b > 0) != (above_c > 0):
        cross(c, bx, by, above_b, cx, cy, above_c, &s[found], &t[found])
        found += 1
    if found == 2:
        if e.count >= room:
            return False
        add(e, s[0], t[0], s[1], t[1], c.doubt)
    return True


cdef inline bint lift_row(const Raster *g, const Corridor *c, const SlopeLine *line, Py_ssize_t row,
                          Py_ssize_t first, Py_ssize_t last, Py_ssize_t begin, Py_ssize_t end,
                          double *above) noexcept nogil:
    """Ground less sight line at one row's points, begin to end; column -2 is above[0].

    Only points of cells that the hull enters, first to last, are looked up. All others lie
    outside it, and count as below: that is what closes the outline. Returns whether any is above.
    """
    cdef Py_ssize_t col, centre = max(0, min(row, g.rows - 1))
    cdef const double *heights = g.heights + centre * g.cols
    cdef double y = north_of(g, row)
    cdef double start = line.at_0 + along(c, c.ox, y) * line.climb
    cdef double slope = c.dx * line.climb
    cdef Py_ssize_t inner = max(first, <Py_ssize_t> 0), outer = min(last, g.cols - 1)
    cdef Py_ssize_t rise = 0
    cdef double west = g.west, cell = g.cell, ox = c.ox, datum = g.datum
    # Of 32 bits, as many of these at once become doubles; a raster has no more columns.
    cdef int32_t k
    for col in range(begin, end + 1):
        above[col + 2] = -1
    for col in range(first, last + 1):
        if col < inner or col > outer:
            above[col + 2] = (heights[0 if col < inner else g.cols - 1] - datum
                              - (start + (east_of(g, col) - c.ox) * slope))
            rise += above[col + 2] > 0
    for k in range(<int32_t> inner, <int32_t> outer + 1):
        above[k + 2] = heights[k] - datum - (start + (west + k * cell - ox) * slope)
        rise += above[k + 2] > 0
    return rise > 0


cdef inline bint outline_row(const Raster *g, const Corridor *c, Edges *e, Py_ssize_t room,
                             Py_ssize_t row, Py_ssize_t begin, Py_ssize_t end,
                             const double *upper, const double *lower) noexcept nogil:
    """The pieces of the outline in the cells begin to end of one row; False for no room."""
    cdef double north = north_of(g, row)
    cdef double south = north_of(g, row + 1)
    cdef double west, east
    cdef Py_ssize_t col, k
    cdef int above
    for col in range(begin, end + 1):
        k = col + 2
        above = (upper[k] > 0) + (upper[k + 1] > 0) + (lower[k] > 0) + (lower[k + 1] > 0)
        if above == 0 or above == 4:
            continue
        west = east_of(g, col)
        east = east_of(g, col + 1)
        if not (outline_triangle(c, e, room, west, north, upper[k], east, north, upper[k + 1],
                                 west, south, lower[k])
                and outline_triangle(c, e, room, east, north, upper[k + 1],
                                     west, south, lower[k], east, south, lower[k + 1])):
            return False
    return True


cdef inline void live_points(const int32_t *first, const int32_t *last, Py_ssize_t top,
                             Py_ssize_t bottom, Py_ssize_t row, Py_ssize_t *begin,
                             Py_ssize_t *end) noexcept nogil:
    """Widen begin to end by a row's points that belong to cells which the hull enters."""
    if top <= row - 1 <= bottom:
        begin[0] = min(begin[0], first[row])
        end[0] = max(end[0], last[row] + 1)
    if top <= row <= bottom:
        begin[0] = min(begin[0], first[row + 1])
        end[0] = max(end[0], last[row + 1] + 1)


cdef inline bint outline_rows(const Raster *g, const Corridor *c, const SlopeLine *line, Edges *e,
                              Py_ssize_t room, const int32_t *first, const int32_t *last,
                              Py_ssize_t top, Py_ssize_t bottom, double *upper,
                              double *lower) noexcept nogil:
    """The outline of what rises above the sight line in rows of cells; False for no room."""
    cdef Py_ssize_t row, other
    cdef Py_ssize_t begin, end, live_begin, live_end, wide_begin, wide_end
    cdef bint rose = False, rises
    while top <= bottom and first[top + 1] > last[top + 1]:
        top += 1
    while bottom > top and first[bottom + 1] > last[bottom + 1]:
        bottom -= 1
    if top > bottom:
        return True
    for row in range(top - 1, bottom + 3):
        live_begin = wide_begin = g.cols
        live_end = wide_end = -2
        live_points(first, last, top, bottom, row, &live_begin, &live_end)
        for other in range(row - 1, row + 2):
            live_points(first, last, top, bottom, other, &wide_begin, &wide_end)
        rises = lift_row(g, c, line, row, live_begin, live_end, wide_begin - 1, wide_end + 1,
                         lower)
        if row >= top and (rose or rises):
            # Points of both rows were looked up at least as far as either is live.
            begin = live_begin
            end = live_end
            live_points(first, last, top, bottom, row - 1, &begin, &end)
            if not outline_row(g, c, e, room, row - 1, begin - 1, end, upper, lower):
                return False
        upper, lower, rose = lower, upper, rises
    return True


cdef inline bint outline_ground(const Raster *g, const Corridor *c, const SlopeLine *line, Edges *e,
                                Py_ssize_t room, const Cells *found, double *upper,
                                double *lower) noexcept nogil:
    """The outline of what rises above the sight line in and about the hull; False for no room.

    Where a row of tiles has nothing that rises the outline does not pass, so what lies between
    two such rows closes by itself.
    """
    cdef Py_ssize_t row, top, bottom, stop = found.top - 1
    clear(e)
    for row in range(found.top, found.bottom + 1):
        if row <= stop or found.to_col[row + 1] < -1:
            continue
        stop = row
        while stop < found.bottom and found.to_col[stop + 2] >= -1:
            stop += 1
        top, bottom = cells_of(g, row)[0], cells_of(g, stop)[1]
        if not outline_rows(g, c, line, e, room, found.risen_first, found.risen_last, top, bottom,
                            upper, lower):
            return False
    return True


cdef inline void lift(SlopeLine *line, const Raster *g, const Corridor *c, double from_height,
                      double to_height) noexcept nogil:
    """Raise the sight line by as much as rounding may have lowered it."""
    cdef double far = max(fabs(c.low.south), fabs(c.low.north))
    line.blur = GRAZE * (fabs(from_height) + fabs(to_height) + fabs(g.highest - g.datum)
                         + fabs(line.climb) * far)
    line.at_0 += line.blur


cdef inline bint stays_below(const Raster *g, const Corridor *c,
                             const SlopeLine *line) noexcept nogil:
    """Return whether the highest ground of all is below the line over the whole corridor."""
    cdef double at_south = line.at_0 + line.climb * min(c.low.south, c.high.south)
    cdef double at_north = line.at_0 + line.climb * max(c.low.north, c.high.north)
    return g.highest - g.datum <= min(at_south, at_north)


cdef struct Look:
    # The pair that is looked at: what its corridor is, and which cells of the ground it enters.
    Py_ssize_t a
    Py_ssize_t b
    bint open           # true if there is a corridor at all
    bint reached        # true if the tiles have been found
    double enough       # fractions from here on may be reported as equal
    # The first line along it that was looked along, and its fraction; -1 where there is none yet.
    double first_from
    double first_to
    double first_found
    Corridor c
    Edges e
    Scratch w
    Cells cells
    double *upper
    double *lower


cdef inline void look_along(Look *v, const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Lay out the corridor between two bodies, unless it is the one that was looked along last."""
    if a == v.a and b == v.b:
        return
    v.a, v.b = a, b
    v.open = a != b and not touch(o, a, b) and lay_out(&v.c, o, a, b)
    v.reached = False
    v.first_found = -1


cdef inline void look_through(Look *v, const Corridor *c, Py_ssize_t a, Py_ssize_t b,
                              bint is_open) noexcept nogil:
    """Look along a corridor that has been laid out between two bodies, in the order of its axis."""
    v.a, v.b, v.open, v.reached, v.first_found = a, b, is_open, False, -1
    if is_open:
        v.c = c[0]


cdef inline double datum_of(const Raster *g, double from_height, double to_height) noexcept nogil:
    """Return the height from which a sight line and the ground below it lose no digits."""
    cdef double apart = fabs(g.highest - from_height) + fabs(to_height - from_height)
    return from_height if apart < ALIKE * fabs(from_height) else 0.0


cdef inline double blocked(Look *v, Raster *g, const Outlines *o, Py_ssize_t room,
                           double from_height, double to_height) noexcept nogil:
    """The fraction in which the ground is above a line between these heights; -1 for no room."""
    cdef SlopeLine line
    if not v.open:
        return 0
    g.datum = datum_of(g, from_height, to_height)
    from_height -= g.datum
    to_height -= g.datum
    draw_line(&line, &v.c, o, v.a, v.b, from_height, to_height)
    lift(&line, g, &v.c, from_height, to_height)
    if stays_below(g, &v.c, &line):
        return 0
    if v.enough <= 1 and is_shut(g, &v.c, &line):
        return 1
    if not v.reached:
        reach_tiles(&v.cells, g, &v.c, o, v.a, v.b)
        v.reached = True
    if not find_risen(&v.cells, g, &v.c, &line):
        return 0
    if not outline_ground(g, &v.c, &line, &v.e, room, &v.cells, v.upper, v.lower):
        return -1
    if not v.e.count:
        return 0
    return greatest_share(&v.c, &v.e, &v.w, v.c.doubt, -INFINITY, INFINITY, v.enough)


cdef inline double look_once(Look *v, Raster *g, const Outlines *o, Py_ssize_t room,
                             double from_height, double to_height) noexcept nogil:
    """Return the share as `blocked` does; the first line of a corridor is measured only once.

    From top to top there is one line for both directions.
    """
    cdef double found
    if v.first_found >= 0 and from_height == v.first_from and to_height == v.first_to:
        return v.first_found
    found = blocked(v, g, o, room, from_height, to_height)
    if v.first_found < 0:
        v.first_from, v.first_to, v.first_found = from_height, to_height, found
    return found
