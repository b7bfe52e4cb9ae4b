"""Tiles of the ground that an eye can skip, because the horizon is above all of them.

Where even the highest ground of a tile is below the horizon as it stands at the tile's near row,
all of it is hidden, and hides nothing that is not hidden already.
"""

from libc.math cimport ceil, floor

from envelope cimport Horizon, Piece, append, steepness

cdef extern from *:
    """
    /* A part of the horizon has some width, even of a tile that only touches the quarter. */
    static const double LEAST_WIDTH = 0x1p-20;
    """
    const double LEAST_WIDTH


cdef struct Quarter:
    const double *heights
    const double *tops          # maximum of each tile's centres, borders included
    Py_ssize_t tile             # cells in a tile, both ways
    Py_ssize_t step_across      # in heights, from one centre to the next across
    Py_ssize_t step_away        # and to the next away
    Py_ssize_t step_tops        # and in tops, from one tile to the next
    Py_ssize_t count_across
    Py_ssize_t count_away
    Py_ssize_t before           # rows of the first tile that would be before the first row
    double west                 # the least direction across that is looked in, and the greatest
    double east
    double across               # of the eye, in cells
    double away
    double eye
    double nearest              # ground nearer than this cannot hide a centre
    double steepest             # no edge as steep as this in X is part of the horizon
    double doubt
    int lean                    # diagonals go one cell across for each cell away: +1 or -1


cdef struct Stretches:
    # Segments of a row: between two centres, both included, in order and apart.
    double *ends
    Py_ssize_t count


cdef inline Py_ssize_t end_of_tile(const Quarter *q, Py_ssize_t row) noexcept nogil:
    """The last row of the tiles that begin at a row, or before it and go on."""
    return min(((row + q.before) // q.tile + 1) * q.tile - q.before, q.count_away - 1)


cdef inline double first_direction(const Quarter *q, double col, double near,
                                   double far) noexcept nogil:
    """The least X of a column between two rows, but no less than is looked in."""
    return max((col - q.across) / (far if col > q.across else near), q.west)


cdef inline double last_direction(const Quarter *q, double col, double near,
                                  double far) noexcept nogil:
    return (col - q.across) / (near if col > q.across else far)


cdef inline double lowest(const Horizon *h, const Piece **old, double begin,
                          double end) noexcept nogil:
    """The lowest that the horizon is from begin to end; old is moved on to where that begins."""
    cdef const Piece *last = h.pieces + h.first + h.count - 1
    cdef const Piece *p
    cdef double least
    while old[0] < last and old[0][1].start <= begin:
        old[0] += 1
    p = old[0]
    least = steepness(p, begin)
    while p < last and p[1].start < end:
        least = min(least, min(steepness(p, p[1].start), steepness(p + 1, p[1].start)))
        p += 1
    return min(least, steepness(p, end))


cdef inline void choose(const Quarter *q, const Horizon *h, Py_ssize_t row, Py_ssize_t last_row,
                        double lift, Stretches *looked) noexcept nogil:
    """Find the tiles in some rows that ground before the first does not hide totally."""
    cdef double near = row - q.away
    cdef double far = last_row - q.away
    cdef Py_ssize_t last = q.count_across - 1
    cdef double first = floor(q.across + q.west * (near if q.west > 0 else far))
    cdef Py_ssize_t col = <Py_ssize_t> max(first, 0.0) // q.tile * q.tile
    cdef Py_ssize_t end = <Py_ssize_t> min(
        ceil(q.across + q.east * (near if q.east < 0 else far)), <double> last)
    cdef Py_ssize_t next
    cdef double begin_x, end_x, least
    cdef const double *tops = q.tops + (row + q.before) // q.tile * q.step_tops
    cdef const Piece *old = h.pieces + h.first
    looked.count = 0
    while col < end:
        next = min(col + q.tile, last)
        begin_x = first_direction(q, col, near, far)
        end_x = min(last_direction(q, next, near, far), h.stop)
        if begin_x <= end_x:
            least = lowest(h, &old, begin_x, end_x) - 4 * q.doubt
            if tops[col // q.tile] >= q.eye - lift + least * (near if least > 0 else far):
                if looked.count and looked.ends[2 * looked.count - 1] == col:
                    looked.count -= 1
                else:
                    looked.ends[2 * looked.count] = col
                looked.ends[2 * looked.count + 1] = next
                looked.count += 1
        col = next


cdef inline Py_ssize_t together(const Quarter *q, const Stretches *looked, double near, double far,
                                double *begin, double *end) noexcept nogil:
    """Return the number of segments that share directions, and their first and last."""
    cdef Py_ssize_t k = 0
    begin[0] = max(first_direction(q, looked.ends[0], near, far) - LEAST_WIDTH, q.west)
    while True:
        end[0] = last_direction(q, looked.ends[2 * k + 1], near, far) + LEAST_WIDTH
        k += 1
        if k == looked.count or end[0] < (
                first_direction(q, looked.ends[2 * k], near, far) - LEAST_WIDTH):
            return k


cdef inline const Piece *copy_part(const Horizon *h, const Piece *old, double begin, double end,
                                   Horizon *out) noexcept nogil:
    """Go on in out with what the horizon is from begin to end; the piece that holds the end.

    old : the piece that holds the beginning; there is room in out
    """
    cdef const Piece *last = h.pieces + h.first + h.count - 1
    while begin < end:
        append(out, begin, old.a, old.b)
        if old == last or old[1].start >= end:
            break
        old += 1
        begin = old.start
    while old < last and old[1].start <= end:
        old += 1
    return old
