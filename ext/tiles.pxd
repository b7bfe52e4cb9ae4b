"""Which tiles of the ground an eye need not look at, as the horizon is above all of them already.

Where even the highest ground of a tile is below the horizon as it stands at the tile's near row,
all of it is hidden, and hides nothing that is not hidden already.
"""

from libc.math cimport ceil, floor

from envelope cimport Horizon, Piece, steepness

cdef enum:
    TILE = 16           # cells, both ways


cdef struct Quarter:
    const double *heights
    Py_ssize_t step_across      # in heights, from one centre to the next across
    Py_ssize_t step_away        # and away
    Py_ssize_t count_across
    double across               # of the eye, in cells
    double away
    double eye
    double nearest              # ground nearer than this cannot hide a centre
    double steepest             # no edge as steep as this in X is part of the horizon
    double doubt
    int lean                    # diagonals go one cell across for each cell away: +1 or -1


cdef struct Stretches:
    # Of a row: from one centre to another, both included, in order and apart.
    double *ends
    Py_ssize_t count


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


cdef inline bint all_below(const Quarter *q, Py_ssize_t row, Py_ssize_t last_row, Py_ssize_t col,
                           Py_ssize_t last_col, double height) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef const double *z
    for i in range(row, last_row + 1):
        z = q.heights + i * q.step_away
        for j in range(col, last_col + 1):
            if z[j * q.step_across] >= height:
                return False
    return True


cdef inline void choose(const Quarter *q, const Horizon *h, Py_ssize_t row, Py_ssize_t last_row,
                        double lift, Stretches *looked) noexcept nogil:
    """Which tiles from one row to another are not wholly hidden by ground before the first."""
    cdef double near = row - q.away
    cdef double far = last_row - q.away
    cdef Py_ssize_t last = q.count_across - 1
    cdef Py_ssize_t end = <Py_ssize_t> min(ceil(q.across + far), <double> last)
    cdef Py_ssize_t col = <Py_ssize_t> max(floor(q.across - far), 0.0) // TILE * TILE
    cdef Py_ssize_t next
    cdef double begin_x, end_x, least
    cdef const Piece *old = h.pieces + h.first
    looked.count = 0
    while col < end:
        next = min(col + <Py_ssize_t> TILE, last)
        begin_x = max((col - q.across) / (far if col > q.across else near), -1.0)
        end_x = min((next - q.across) / (near if next > q.across else far), h.stop)
        if begin_x <= end_x:
            least = lowest(h, &old, begin_x, end_x) - 4 * q.doubt
            if not all_below(q, row, last_row, col, next,
                             q.eye - lift + least * (near if least > 0 else far)):
                if looked.count and looked.ends[2 * looked.count - 1] == col:
                    looked.count -= 1
                else:
                    looked.ends[2 * looked.count] = col
                looked.ends[2 * looked.count + 1] = next
                looked.count += 1
        col = next
