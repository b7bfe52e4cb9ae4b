"""Fixed-radius neighbour search: a grid of cells, searched cell by cell around each shape.

Everyone is a box with round corners: a disc has a box without extent, a box no radius. A grid
holds those who reach about equally far, so that one giant does not widen the search for all.
What rounding leaves open between discs is decided without rounding.

Callers go through ``emlia3d.geometry.neighbours``, which checks what is assumed here: coordinates
no farther than 2^16 and, unless they are 0, no less than 2^-300, so that no product leaves the
range of a double; cells enough for all centres; columns of one length.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t

from expansion cimport Exact, add_double, add_product, sign_of

cdef extern from "discs.h" nogil:
    struct Held:
        const float *x
        const float *y
        const float *half_width
        const float *half_depth
        const float *radius
        const int32_t *order
        const int32_t *starts

    struct Asked:
        float x
        float y
        float half_width
        float half_depth
        float radius
        float doubt
        int32_t row
        Py_ssize_t columns
        Py_ssize_t low
        Py_ssize_t high
        Py_ssize_t bottom
        Py_ssize_t top

    Py_ssize_t list_near(const Held *held, const Asked *asked, int boxes, int32_t *out,
                         int *doubtful) noexcept

cdef enum:
    X, Y, HALF_WIDTH, HALF_DEPTH, RADIUS, REACH
    MORE = 16       # room of a list beyond its greatest length; written in such steps

cdef extern from *:
    """
    /* Twenty times what a difference of squares may be rounded by. */
    static const double DOUBTFUL = 4.44e-15;
    /* What single precision does to a distance, as a share of all numbers that went into it. */
    static const double SINGLE = 0x1p-20;
    /* More than is lost of squares too small for single precision. */
    static const double TINY = 0x1p-60;
    """
    const double DOUBTFUL
    const double SINGLE
    const double TINY


def survey(double[:, ::1] shapes, double least):
    """Set lengths below *least* to 0, and find the minimum and maximum of every row.

    shapes : (6, n), n above 0

    Returns rows' least, rows' greatest (NaN both where a number is not finite), and the least and
    the greatest of radius, reach and half extent together.
    """
    cdef double low[6]
    cdef double high[6]
    cdef double value, finite, far, nearest = INFINITY, farthest = -INFINITY
    cdef Py_ssize_t row, i
    with nogil:
        for row in range(6):
            low[row], high[row], finite = INFINITY, -INFINITY, 0
            for i in range(shapes.shape[1]):
                value = shapes[row, i]
                value = 0 if fabs(value) < least else value
                shapes[row, i] = value
                low[row] = min(low[row], value)
                high[row] = max(high[row], value)
                finite += 0 * value
            low[row] += finite
            high[row] += finite
        for i in range(shapes.shape[1]):
            far = shapes[RADIUS, i] + shapes[REACH, i] + max(shapes[HALF_WIDTH, i],
                                                             shapes[HALF_DEPTH, i])
            nearest = min(nearest, far)
            farthest = max(farthest, far)
    return ([low[row] for row in range(6)], [high[row] for row in range(6)], nearest, farthest)


cdef inline int32_t cell_of(double place, double first, double scale,
                            int32_t last) noexcept nogil:
    """Return which cell a coordinate is in; that at the border for one beyond it."""
    cdef double steps = (place - first) * scale
    if steps <= 0:
        return 0
    return last if steps >= last else <int32_t>steps


def sort_into_cells(const double[:, ::1] shapes, const int32_t[::1] who, double west,
                    double south, double scale, int32_t columns, int32_t lines,
                    int32_t[::1] cells, int32_t[::1] starts, int32_t[::1] order,
                    float[:, ::1] held):
    """order = *who* cell by cell, each cell in the order given; starts[c] where c begins.

    scale : cells per GSU
    cells : (k,) scratch
    starts : (columns * lines + 1,), all 0
    held : (5, k or more) out, in that order: x and y from the corner, half extents, radius and
        reach together
    """
    cdef Py_ssize_t k, count = <Py_ssize_t>columns * lines
    cdef int32_t here, at, i, before = 0
    with nogil:
        for k in range(who.shape[0]):
            i = who[k]
            cells[k] = (cell_of(shapes[Y, i], south, scale, lines - 1) * columns
                        + cell_of(shapes[X, i], west, scale, columns - 1))
            starts[cells[k]] += 1
        for k in range(count):
            here = starts[k]
            starts[k] = before
            before += here
        for k in range(who.shape[0]):
            i = who[k]
            at = starts[cells[k]]
            starts[cells[k]] += 1
            order[at] = i
            held[X, at] = <float>(shapes[X, i] - west)
            held[Y, at] = <float>(shapes[Y, i] - south)
            held[HALF_WIDTH, at] = <float>shapes[HALF_WIDTH, i]
            held[HALF_DEPTH, at] = <float>shapes[HALF_DEPTH, i]
            held[RADIUS, at] = <float>(shapes[RADIUS, i] + shapes[REACH, i])
        for k in range(count, 0, -1):
            starts[k] = starts[k - 1]
        starts[0] = 0


cdef bint touches(const double[:, ::1] shapes, int32_t a, Py_ssize_t b) noexcept nogil:
    """Return whether disc b lies within the reach of disc a, without rounding."""
    cdef Exact east, north, far, total
    east.count = north.count = far.count = total.count = 0
    add_double(&east, shapes[X, a])
    add_double(&east, -shapes[X, b])
    add_double(&north, shapes[Y, a])
    add_double(&north, -shapes[Y, b])
    add_double(&far, shapes[RADIUS, a])
    add_double(&far, shapes[REACH, a])
    add_double(&far, shapes[RADIUS, b])
    add_product(&total, &east, &east, 1)
    add_product(&total, &north, &north, 1)
    add_product(&total, &far, &far, -1)
    return sign_of(&total) <= 0


cdef inline bint is_near(const double[:, ::1] shapes, int32_t a, Py_ssize_t b) noexcept nogil:
    """Decide exactly, but only where double precision could be wrong."""
    cdef double east = shapes[X, a] - shapes[X, b]
    cdef double north = shapes[Y, a] - shapes[Y, b]
    cdef double far = shapes[RADIUS, a] + shapes[REACH, a] + shapes[RADIUS, b]
    cdef double square = east * east + north * north
    far *= far
    if fabs(square - far) > (square + far) * DOUBTFUL:
        return square < far
    return touches(shapes, a, b)


def who_reaches(const double[:, ::1] shapes, bint boxes, const float[:, ::1] held,
                const int32_t[::1] order, const int32_t[::1] starts, double west, double south,
                double scale, int32_t columns, int32_t lines, double farthest, double extent,
                Py_ssize_t begin, Py_ssize_t end, Py_ssize_t written,
                int32_t[::1] found, int32_t[::1] counts):
    """For shapes begin to end, who of the grid has them in reach: found from *written* on.

    shapes : (6, n) x, y, half extents east and north, radius, reach
    boxes : whether half extents count; then whoever is doubtful is found
    held, order, starts : as `sort_into_cells` has left them, and sixteen more columns of held and
        order
    farthest : no less than radius, reach and half extent together of any whom the grid holds
    extent : no less than how far any of those lies from the corner, east or north
    counts : (n,) out, of each that was asked about
    Returns before which it stopped, for want of room, and how many have been found.
    """
    cdef Py_ssize_t i = begin, k, at, kept, wanted, line
    cdef double x, y, radius, wide = 0, deep = 0, window
    cdef int doubtful
    cdef Held h
    cdef Asked a
    h.x, h.y, h.radius = &held[X, 0], &held[Y, 0], &held[RADIUS, 0]
    h.half_width, h.half_depth = &held[HALF_WIDTH, 0], &held[HALF_DEPTH, 0]
    h.order, h.starts, a.columns = &order[0], &starts[0], columns
    with nogil:
        while i < end:
            x = shapes[X, i]
            y = shapes[Y, i]
            radius = shapes[RADIUS, i]
            if boxes:
                wide = shapes[HALF_WIDTH, i]
                deep = shapes[HALF_DEPTH, i]
            window = (farthest + radius + max(wide, deep)) * (1 + DOUBTFUL)
            a.low = cell_of(x - window, west, scale, columns - 1)
            a.high = cell_of(x + window, west, scale, columns - 1)
            a.bottom = cell_of(y - window, south, scale, lines - 1)
            a.top = cell_of(y + window, south, scale, lines - 1)
            wanted = MORE
            for line in range(a.bottom, a.top + 1):
                wanted += (starts[line * columns + a.high + 1]
                           - starts[line * columns + a.low])
            if written + wanted > found.shape[0]:
                break
            a.x, a.y, a.radius = <float>(x - west), <float>(y - south), <float>radius
            a.half_width, a.half_depth, a.row = <float>wide, <float>deep, <int32_t>i
            a.doubt = <float>(SINGLE * (fabs(x - west) + fabs(y - south) + extent + window)
                              + TINY)
            at = written + list_near(&h, &a, boxes, &found[written], &doubtful)
            if doubtful and not boxes:
                kept = written
                for k in range(written, at):
                    found[kept] = found[k]
                    kept += is_near(shapes, found[k], i)
                at = kept
            counts[i] = <int32_t>(at - written)
            written = at
            i += 1
    return i, written


def tally(const int32_t[::1] found, int64_t[::1] starts):
    """Count how often each is found, at starts[it + 1]."""
    cdef Py_ssize_t k
    with nogil:
        for k in range(found.shape[0]):
            starts[found[k] + 1] += 1


def turn(const int32_t[::1] found, const int32_t[::1] counts, Py_ssize_t begin, Py_ssize_t end,
         int64_t[::1] next_free, int32_t[::1] out):
    """Write the neighbours found for each of begin to end, in rising order."""
    cdef Py_ssize_t i, k, at = 0
    with nogil:
        for i in range(begin, end):
            for k in range(at, at + counts[i]):
                out[next_free[found[k]]] = <int32_t>i
                next_free[found[k]] += 1
            at += counts[i]
