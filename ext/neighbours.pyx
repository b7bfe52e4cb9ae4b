"""Who lies near whom: a grid of cells, and what is near sought in the cells around.

Everyone is a box with round corners: a disc has a box without extent, a box no radius. A grid
holds those who reach about equally far, so that one giant does not widen the search for all.
What rounding leaves open between discs is decided without rounding.

Callers go through ``emlia3d.geometry.neighbours``, which checks what is assumed here: coordinates
no farther than 2^16 and, unless they are 0, no less than 2^-300, so that no product leaves the
range of a double; cells enough for all centres; columns of one length.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t

from expansion cimport Exact, add_double, add_product, sign_of

cdef enum:
    X, Y, HALF_WIDTH, HALF_DEPTH, RADIUS, REACH

cdef extern from *:
    """
    /* Twenty times what a difference of squares may be rounded by. */
    static const double DOUBTFUL = 4.44e-15;
    """
    const double DOUBTFUL


cdef inline int32_t cell_of(double place, double first, double cell, int32_t last) noexcept nogil:
    """Which cell a coordinate is in; that at the border for one beyond it."""
    cdef double steps = (place - first) / cell
    if steps <= 0:
        return 0
    return last if steps >= last else <int32_t>steps


cdef inline int32_t cell_at(const double[:, ::1] shapes, int32_t i, double west, double south,
                            double cell, int32_t columns, int32_t lines) noexcept nogil:
    return (cell_of(shapes[Y, i], south, cell, lines - 1) * columns
            + cell_of(shapes[X, i], west, cell, columns - 1))


def sort_into_cells(const double[:, ::1] shapes, const int32_t[::1] who, double west,
                    double south, double cell, int32_t columns, int32_t lines,
                    int32_t[::1] starts, int32_t[::1] order, double[:, ::1] held):
    """order = those of *who* cell by cell, each cell in the order given; starts[c] where c begins.

    starts : (columns * lines + 1,), all 0
    held : (5, k) out, in that order: x, y, half extents, radius and reach together
    """
    cdef Py_ssize_t k, cells = <Py_ssize_t>columns * lines
    cdef int32_t count, place, at, i, before = 0
    with nogil:
        for k in range(who.shape[0]):
            starts[cell_at(shapes, who[k], west, south, cell, columns, lines)] += 1
        for k in range(cells):
            count = starts[k]
            starts[k] = before
            before += count
        for k in range(who.shape[0]):
            i = who[k]
            place = cell_at(shapes, i, west, south, cell, columns, lines)
            at = starts[place]
            starts[place] += 1
            order[at] = i
            held[X, at] = shapes[X, i]
            held[Y, at] = shapes[Y, i]
            held[HALF_WIDTH, at] = shapes[HALF_WIDTH, i]
            held[HALF_DEPTH, at] = shapes[HALF_DEPTH, i]
            held[RADIUS, at] = shapes[RADIUS, i] + shapes[REACH, i]
        for k in range(cells, 0, -1):
            starts[k] = starts[k - 1]
        starts[0] = 0


cdef bint touches(const double[:, ::1] shapes, int32_t a, Py_ssize_t b) noexcept nogil:
    """Whether disc b lies within the reach of disc a, without rounding."""
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
    """The same of a pair that the sieve let through."""
    cdef double east = shapes[X, a] - shapes[X, b]
    cdef double north = shapes[Y, a] - shapes[Y, b]
    cdef double far = shapes[RADIUS, a] + shapes[REACH, a] + shapes[RADIUS, b]
    cdef double square = east * east + north * north
    far *= far
    return fabs(square - far) > (square + far) * DOUBTFUL or touches(shapes, a, b)


cdef inline Py_ssize_t sift(const double *x, const double *y, const double *reach,
                            Py_ssize_t first, Py_ssize_t last, double east, double north,
                            double radius, int32_t *found, bint *doubt) noexcept nogil:
    """Whoever of these discs may have the one at (east, north) in reach, and whether one is
    doubtful; without a branch that half of the time would be guessed wrong."""
    cdef Py_ssize_t k, at = 0
    cdef double across, along, far, square
    cdef bint unsure = False
    for k in range(first, last):
        across = x[k] - east
        along = y[k] - north
        far = reach[k] + radius
        far *= far
        square = across * across + along * along
        found[at] = <int32_t>k
        at += square - far <= (square + far) * DOUBTFUL
        unsure |= fabs(square - far) <= (square + far) * DOUBTFUL
    doubt[0] |= unsure
    return at


cdef inline Py_ssize_t sift_boxes(const double[:, ::1] held, Py_ssize_t first, Py_ssize_t last,
                                  double east, double north, double wide, double deep,
                                  double radius, int32_t *found) noexcept nogil:
    """The same of boxes, of whom all are kept about whom there is a doubt."""
    cdef Py_ssize_t k, at = 0
    cdef double across, along, far, square
    for k in range(first, last):
        across = max(fabs(held[X, k] - east) - held[HALF_WIDTH, k] - wide, 0.0)
        along = max(fabs(held[Y, k] - north) - held[HALF_DEPTH, k] - deep, 0.0)
        far = held[RADIUS, k] + radius
        far *= far
        square = across * across + along * along
        found[at] = <int32_t>k
        at += square - far <= (square + far) * DOUBTFUL
    return at


def who_reaches(const double[:, ::1] shapes, bint boxes, const double[:, ::1] held,
                const int32_t[::1] order, const int32_t[::1] starts, double west, double south,
                double cell, int32_t columns, int32_t lines, double farthest,
                Py_ssize_t begin, Py_ssize_t end, Py_ssize_t written,
                int32_t[::1] found, int32_t[::1] counts):
    """For shapes begin to end, who of the grid has them in reach: found from *written* on.

    shapes : (6, n) x, y, half extents east and north, radius, reach
    boxes : whether half extents count; then whoever is doubtful is found
    held, order, starts : as `sort_into_cells` has left them
    farthest : no less than radius, reach and half extent together of any whom the grid holds
    counts : (n,) out, of each that was asked about
    Returns before which it stopped, for want of room, and how many have been found.
    """
    cdef Py_ssize_t i = begin, k, at, kept, wanted, first, last
    cdef Py_ssize_t low, high, line, bottom, top
    cdef int32_t other
    cdef double x, y, radius, wide = 0, deep = 0, window
    cdef bint doubt
    with nogil:
        while i < end:
            x = shapes[X, i]
            y = shapes[Y, i]
            radius = shapes[RADIUS, i]
            if boxes:
                wide = shapes[HALF_WIDTH, i]
                deep = shapes[HALF_DEPTH, i]
            window = (farthest + radius + max(wide, deep)) * (1 + DOUBTFUL)
            low = cell_of(x - window, west, cell, columns - 1)
            high = cell_of(x + window, west, cell, columns - 1)
            bottom = cell_of(y - window, south, cell, lines - 1)
            top = cell_of(y + window, south, cell, lines - 1)
            wanted = 0
            for line in range(bottom, top + 1):
                wanted += starts[line * columns + high + 1] - starts[line * columns + low]
            if written + wanted > found.shape[0]:
                break
            at = written
            doubt = False
            for line in range(bottom, top + 1):
                first = starts[line * columns + low]
                last = starts[line * columns + high + 1]
                if first == last:
                    continue
                if boxes:
                    at += sift_boxes(held, first, last, x, y, wide, deep, radius, &found[at])
                else:
                    at += sift(&held[X, 0], &held[Y, 0], &held[RADIUS, 0], first, last, x, y,
                               radius, &found[at], &doubt)
            kept = written
            for k in range(written, at):
                other = order[found[k]]
                found[kept] = other
                kept += other != i
            if doubt:
                at = kept
                kept = written
                for k in range(written, at):
                    other = found[k]
                    if is_near(shapes, other, i):
                        found[kept] = other
                        kept += 1
            counts[i] = <int32_t>(kept - written)
            written = kept
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
    """Write each of begin to end down with those who were found for it, and so in rising order."""
    cdef Py_ssize_t i, k, at = 0
    with nogil:
        for i in range(begin, end):
            for k in range(at, at + counts[i]):
                out[next_free[found[k]]] = <int32_t>i
                next_free[found[k]] += 1
            at += counts[i]
