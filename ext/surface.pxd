"""The ground between its centres, places on it, and the two questions that must be exact.

Places are kept twice: as doubles counted in cells from the first centre, u east and v south, for
the quick test; and as unrounded sums in GSU for the slow one, which is asked only where rounding
could have decided. The lines along which the ground bends are of three kinds: columns (u whole),
rows (v whole) and the diagonals from south-west to north-east (u + v whole).
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t

from expansion cimport (
    Exact, add_double, add_exact, add_product, of_pair, scale, sign_of, two_product, two_sum,
)

cdef enum:
    COLUMN = 0
    ROW = 1
    DIAGONAL = 2
    MOST_STEPS = 1 << 30
    FINEST = 2          # cells in a block of the first level of slabs


cdef struct Slab:
    # Between two parallel planes: the ground is no further than `half` above or below
    # middle + east * (u - west border) + south * (v - north border).
    float middle
    float east
    float south
    float half


cdef struct Ground:
    const double *heights
    Py_ssize_t rows
    Py_ssize_t cols
    double cell
    double west
    double north
    double low      # of all heights
    double high
    # Bounds of the ground of each block of 2, 4, 8... cells, see slabs.pyx, level after level;
    # a level's first, rows and columns stand in `levels`. None of them if `coarsest` is -1.
    const Slab *slabs
    const Py_ssize_t *levels
    Py_ssize_t coarsest


cdef struct End:
    double east[2]      # GSU from the first column, the small part first
    double south[2]     # and from the first row
    double z
    double u
    double v


cdef inline bint whole(double steps, double cell, const double *gsu) noexcept nogil:
    """Return whether gsu is exactly *steps* cells, where steps is its rounded number."""
    cdef double rest
    return (fabs(steps) < MOST_STEPS and steps == <double> <int64_t> steps
            and two_product(steps, cell, &rest) == gsu[1] and rest == gsu[0])


cdef inline void at_place(End *e, const Ground *g, double x, double y, double z) noexcept nogil:
    e.east[1] = two_sum(x, -g.west, &e.east[0])
    e.south[1] = two_sum(g.north, -y, &e.south[0])
    e.z = z
    e.u = e.east[1] / g.cell
    e.v = e.south[1] / g.cell


cdef inline void at_centre(End *e, const Ground *g, Py_ssize_t row, Py_ssize_t col,
                           double z) noexcept nogil:
    e.east[1] = two_product(<double> col, g.cell, &e.east[0])
    e.south[1] = two_product(<double> row, g.cell, &e.south[0])
    e.z = z
    e.u = <double> col
    e.v = <double> row


cdef inline Py_ssize_t lane(double steps, Py_ssize_t last) noexcept nogil:
    """The whole number at or below steps, from 0 to last."""
    if not steps > 0:
        return 0
    if steps >= last:
        return last
    return <Py_ssize_t> steps


cdef inline double height_near(const Ground *g, double u, double v) noexcept nogil:
    """The ground's height but for rounding."""
    cdef Py_ssize_t col, row, right, down
    cdef const double *upper
    cdef const double *lower
    u = min(max(u, 0.0), <double> (g.cols - 1))
    v = min(max(v, 0.0), <double> (g.rows - 1))
    col = <Py_ssize_t> u
    row = <Py_ssize_t> v
    right = col + 1 if col + 1 < g.cols else col
    down = row + 1 if row + 1 < g.rows else row
    u -= col
    v -= row
    upper = g.heights + row * g.cols
    lower = g.heights + down * g.cols
    if u + v <= 1:
        return upper[col] + u * (upper[right] - upper[col]) + v * (lower[col] - upper[col])
    return (lower[right] + (1 - u) * (lower[col] - lower[right])
            + (1 - v) * (upper[right] - lower[right]))


cdef inline Py_ssize_t exact_lane(const Exact *gsu, const Exact *cell, Py_ssize_t guess,
                                  Py_ssize_t last) noexcept nogil:
    """The cell that gsu / cell lies in, 0 to last, where the guess may be beside it."""
    cdef Exact part
    cdef Exact rest
    cdef Py_ssize_t k = min(guess + 1, last)
    while k > 0:
        scale(&part, cell, <double> k)
        rest.count = 0
        add_exact(&rest, gsu, 1)
        add_exact(&rest, &part, -1)
        if sign_of(&rest) >= 0:
            break
        k -= 1
    return k


cdef inline void held_within(Exact *gsu, const Exact *far) noexcept nogil:
    """Bring gsu to between 0 and far: beyond the outermost centres the ground goes on level."""
    cdef Exact rest
    if sign_of(gsu) < 0:
        gsu.count = 0
        return
    rest.count = 0
    add_exact(&rest, gsu, 1)
    add_exact(&rest, far, -1)
    if sign_of(&rest) > 0:
        gsu.count = 0
        add_exact(gsu, far, 1)


cdef inline void add_rise(Exact *total, const Exact *run, double to, double origin) noexcept nogil:
    """Add run * (to - origin)."""
    cdef Exact part
    scale(&part, run, to)
    add_exact(total, &part, 1)
    scale(&part, run, origin)
    add_exact(total, &part, -1)


cdef inline bint buried_exactly(const Ground *g, const End *e) noexcept nogil:
    """Return whether the ground is above this place, without rounding."""
    cdef Exact cell, east, south, far, total, rest
    cdef Py_ssize_t col, row, right, down
    cell.count = 0
    add_double(&cell, g.cell)
    of_pair(&east, e.east)
    of_pair(&south, e.south)
    scale(&far, &cell, <double> (g.cols - 1))
    held_within(&east, &far)
    scale(&far, &cell, <double> (g.rows - 1))
    held_within(&south, &far)
    col = exact_lane(&east, &cell, lane(e.u, g.cols - 1), max(g.cols - 2, 0))
    row = exact_lane(&south, &cell, lane(e.v, g.rows - 1), max(g.rows - 2, 0))
    right = min(col + 1, g.cols - 1)
    down = min(row + 1, g.rows - 1)
    scale(&rest, &cell, <double> col)
    add_exact(&east, &rest, -1)
    scale(&rest, &cell, <double> row)
    add_exact(&south, &rest, -1)
    rest.count = 0
    add_exact(&rest, &east, 1)
    add_exact(&rest, &south, 1)
    add_exact(&rest, &cell, -1)
    cdef double north_east = g.heights[row * g.cols + right]
    cdef double south_west = g.heights[down * g.cols + col]
    cdef double corner = g.heights[row * g.cols + col]
    if sign_of(&rest) > 0:
        # The other triangle, seen from its own corner.
        corner = g.heights[down * g.cols + right]
        north_east, south_west = south_west, north_east
        add_exact(&east, &cell, -1)
        add_exact(&south, &cell, -1)
        scale(&rest, &east, -1)
        east.count = 0
        add_exact(&east, &rest, 1)
        scale(&rest, &south, -1)
        south.count = 0
        add_exact(&south, &rest, 1)
    total.count = 0
    add_rise(&total, &cell, corner, e.z)
    add_rise(&total, &east, north_east, corner)
    add_rise(&total, &south, south_west, corner)
    return sign_of(&total) > 0


cdef inline void add_difference(Exact *total, const double *to,
                                const double *origin) noexcept nogil:
    add_double(total, to[0])
    add_double(total, to[1])
    add_double(total, -origin[0])
    add_double(total, -origin[1])


cdef inline bint crossed_exactly(const Ground *g, const End *a, const End *b, int kind,
                                 Py_ssize_t index, double guess) noexcept nogil:
    """Return whether the line crosses this column, row or diagonal below the ground.

    Without rounding. All is multiplied by how far the line goes across (`run`, above 0) and by
    the cell, so that nothing is divided. guess : where along the bend, in cells, or beside it.
    """
    cdef Exact run, part, cell, reach, rise, place, rest, total
    cdef Py_ssize_t first, last, k
    cdef double height_0, height_1
    cdef const double *start = &a.east[0]
    cdef const double *stop = &b.east[0]
    if kind == COLUMN:
        start = &a.south[0]
        stop = &b.south[0]
    if kind == DIAGONAL:
        first = max(<Py_ssize_t> 0, index - g.rows + 1)
        last = min(index, g.cols - 1)
    else:
        first = 0
        last = (g.rows if kind == COLUMN else g.cols) - 1
    # run = how far the whole line goes, part = how far it has gone at the crossing.
    run.count = 0
    part.count = 0
    add_double(&part, g.cell)
    scale(&rest, &part, <double> index)
    part.count = 0
    add_exact(&part, &rest, 1)
    if kind != ROW:
        add_difference(&run, b.east, a.east)
        add_double(&part, -a.east[0])
        add_double(&part, -a.east[1])
    if kind != COLUMN:
        add_difference(&run, b.south, a.south)
        add_double(&part, -a.south[0])
        add_double(&part, -a.south[1])
    if sign_of(&run) < 0:
        for k in range(run.count):
            run.part[k] = -run.part[k]
        for k in range(part.count):
            part.part[k] = -part.part[k]
    rest.count = 0
    add_exact(&rest, &run, 1)
    add_exact(&rest, &part, -1)
    if sign_of(&run) == 0 or sign_of(&part) < 0 or sign_of(&rest) < 0:
        return False
    # place = where along the bend, rise = the line's height; cell * run is one cell there.
    of_pair(&rest, start)
    place.count = 0
    add_product(&place, &run, &rest, 1)
    rest.count = 0
    add_difference(&rest, stop, start)
    add_product(&place, &part, &rest, 1)
    scale(&rise, &run, a.z)
    scale(&rest, &part, b.z)
    add_exact(&rise, &rest, 1)
    scale(&rest, &part, a.z)
    add_exact(&rise, &rest, -1)
    scale(&cell, &run, g.cell)
    scale(&reach, &cell, <double> last)
    if kind == DIAGONAL:
        rest.count = 0
        add_exact(&rest, &reach, 1)
        add_exact(&rest, &place, -1)
        if sign_of(&rest) < 0:
            return False
        scale(&total, &cell, <double> first)
        rest.count = 0
        add_exact(&rest, &place, 1)
        add_exact(&rest, &total, -1)
        if sign_of(&rest) < 0:
            return False
    held_within(&place, &reach)
    k = max(first, exact_lane(&place, &cell, lane(guess, last), max(last - 1, <Py_ssize_t> 0)))
    if kind == COLUMN:
        height_0 = g.heights[k * g.cols + index]
        height_1 = g.heights[min(k + 1, last) * g.cols + index]
    elif kind == ROW:
        height_0 = g.heights[index * g.cols + k]
        height_1 = g.heights[index * g.cols + min(k + 1, last)]
    else:
        height_0 = g.heights[(index - k) * g.cols + k]
        height_1 = g.heights[(index - min(k + 1, last)) * g.cols + min(k + 1, last)]
    # total = cell * run * (ground - line)
    scale(&rest, &cell, <double> k)
    add_exact(&place, &rest, -1)
    total.count = 0
    scale(&rest, &cell, height_0)
    add_exact(&total, &rest, 1)
    add_rise(&total, &place, height_1, height_0)
    scale(&rest, &rise, g.cell)
    add_exact(&total, &rest, -1)
    return sign_of(&total) > 0
