"""The rise of an eye's horizon by the ground between two rows of centres."""

from libc.math cimport ceil, fabs, floor

from envelope cimport (
    Horizon, Piece, append, append_steeper, cut_left, cut_right, raise_piece, steepness,
)
from tiles cimport Quarter, Stretches

cdef enum:
    SPARE = 64          # pieces that may be put before those not yet looked at

cdef extern from *:
    """
    /* An edge so nearly in line with the eye, in cells, shows nothing that its ends do not. */
    static const double END_ON = 0x1p-30;
    /* Above what rounding does to a direction. */
    static const double SAME_WAY = 0x1p-44;
    """
    const double END_ON
    const double SAME_WAY


cdef struct Strip:
    # The ground between two rows, heights above the eye, and how far away the rows are.
    const double *near_z
    const double *far_z
    double near
    double far


cdef inline bint column_edge(const Quarter *q, const Strip *s, Py_ssize_t i, double x,
                             double least, Piece *edge) noexcept nogil:
    """The edge of the ground at column i, if at x it is steeper than least."""
    cdef double side = i - q.across
    cdef double rise = s.far_z[i] - s.near_z[i]
    cdef double at_eye = s.near_z[i] - rise * s.near
    if fabs(side) < END_ON:
        return False
    if (at_eye * x - (least - rise) * side) * (1 if side > 0 else -1) <= 0:
        return False
    edge.b = at_eye / side
    edge.a = rise
    return fabs(edge.b) < q.steepest


cdef inline bint diagonal_edge(const Quarter *q, const Strip *s, Py_ssize_t i, double x,
                               double least, Piece *edge) noexcept nogil:
    """The diagonal from column i of the near row, if at x it is steeper than least."""
    cdef double side = (i - q.across) - q.lean * s.near
    cdef double rise = s.far_z[i + q.lean] - s.near_z[i]
    cdef double at_eye = s.near_z[i] - rise * s.near
    if fabs(side) < END_ON:
        return False
    if (at_eye * (x - q.lean) - (least - rise) * side) * (1 if side > 0 else -1) <= 0:
        return False
    edge.b = at_eye / side
    edge.a = rise - q.lean * edge.b
    return fabs(edge.b) < q.steepest


cdef inline void span_of(Piece *edge, double *end, double near_x, double far_x) noexcept nogil:
    edge.start = min(near_x, far_x)
    end[0] = max(near_x, far_x)


cdef inline bint edge_above(const Quarter *q, const Strip *s, double x, double least, Piece *edge,
                            double *end) noexcept nogil:
    """An edge between the two rows that is steeper than least where the direction x crosses it."""
    cdef Py_ssize_t last = q.count_across - 2
    cdef Py_ssize_t near = <Py_ssize_t> min(max(floor(x * s.near + q.across), 0.0), <double> last)
    cdef Py_ssize_t far = <Py_ssize_t> min(max(floor(x * s.far + q.across), 0.0), <double> last)
    cdef Py_ssize_t i, first, stop
    if near != far:
        i = max(near, far)
        if column_edge(q, s, i, x, least, edge):
            span_of(edge, end, (i - q.across) / s.near, (i - q.across) / s.far)
            return True
        if (far > near) == (q.lean > 0):
            return False
    # The diagonals of the cells from near to far, by their near ends.
    first = min(near, far) + (q.lean < 0)
    stop = max(near, far) + (q.lean < 0)
    for i in range(first, stop + 1):
        if diagonal_edge(q, s, i, x, least, edge):
            span_of(edge, end, (i - q.across) / s.near, (i + q.lean - q.across) / s.far)
            return True
    return False


cdef inline bint raise_row(const Quarter *q, const Horizon *h, Horizon *out,
                           const Stretches *looked, const double *z, double far) noexcept nogil:
    """out = the horizon raised by stretches of a row of ground; False for no room."""
    cdef double inverse = 1 / far
    cdef double begin = max(h.pieces[h.first].start, -q.across * inverse)
    cdef double stop = min(h.stop, (q.count_across - 1 - q.across) * inverse)
    cdef double end, from_x, to_x, old_end, new_end
    cdef const Piece *old = h.pieces + h.first
    cdef const Piece *last = old + h.count - 1
    cdef Piece new
    cdef Py_ssize_t k, i
    out.first, out.count, out.stop = SPARE, 0, stop
    while old < last and old[1].start <= begin:
        old += 1
    for k in range(looked.count):
        from_x = max((looked.ends[2 * k] - q.across) * inverse, begin)
        to_x = min((looked.ends[2 * k + 1] - q.across) * inverse, stop)
        # A stretch that ends where the horizon does must leave no part of it, however narrow: a
        # centre on the border would be compared with what was there before.
        if from_x - begin <= SAME_WAY:
            from_x = begin
        if stop - to_x <= SAME_WAY:
            to_x = stop
        if from_x >= to_x:
            continue
        # Between stretches the horizon stays as it is.
        while begin < from_x:
            if out.first + out.count + 4 > out.room:
                return False
            append(out, begin, old.a, old.b)
            begin = min(old[1].start if old < last else stop, from_x)
            if old < last and begin == old[1].start:
                old += 1
        i = <Py_ssize_t> min(max(floor(from_x * far + q.across), looked.ends[2 * k]),
                             looked.ends[2 * k + 1] - 1)
        while True:
            new.b = z[i + 1] - z[i]
            new.a = (z[i] - new.b * (i - q.across)) * inverse
            new_end = to_x if i + 1 >= looked.ends[2 * k + 1] else (i + 1 - q.across) * inverse
            i += 1
            while begin < min(new_end, to_x):
                old_end = old[1].start if old < last else stop
                end = min(min(old_end, new_end), to_x)
                if begin < end:
                    if out.first + out.count + 4 > out.room:
                        return False
                    append_steeper(out, begin, end, old, &new)
                    begin = end
                if end == old_end and old < last:
                    old += 1
            if new_end >= to_x:
                break
    while begin < stop:
        if out.first + out.count + 4 > out.room:
            return False
        append(out, begin, old.a, old.b)
        begin = old[1].start if old < last else stop
        old += 1
    return True


cdef inline bint raise_strip(const Quarter *q, const Strip *s, Horizon *h,
                             Horizon *out) noexcept nogil:
    """out = the horizon raised by the edges between two rows; False for no room.

    Both rows are part of h, so an edge's ends are below it: the edge can only stand out where h
    has a bend to the hollow side, or ends. Each such place is asked; where an edge is put in, its
    own two ends are asked in turn.
    """
    cdef Piece edge
    cdef const Piece *next
    cdef const Piece *last
    cdef double x, least, end
    cdef double more = 0.125 * q.doubt
    out.first, out.count, out.stop = SPARE, 0, h.stop
    while True:
        next = h.pieces + h.first
        x = next.start if h.count else h.stop
        while out.count and out.pieces[out.first + out.count - 1].start >= x:
            out.count -= 1
        last = out.pieces + out.first + out.count - 1
        least = steepness(next if h.count else last, x)
        if ((h.count == 0 or out.count == 0 or next.b > last.b)
                and edge_above(q, s, x, least + more, &edge, &end)
                and edge.start <= x <= end):
            if h.first < 2:
                return False
            cut_left(out, &edge, x)
            cut_right(h, &edge, x, end)
            end = h.pieces[h.first].start if h.count else h.stop
            if edge.start < end:
                h.first -= 1
                h.count += 1
                h.pieces[h.first] = edge
                continue
        if h.count == 0:
            return True
        if out.first + out.count + 2 > out.room:
            return False
        next = h.pieces + h.first
        append(out, next.start, next.a, next.b)
        h.first += 1
        h.count -= 1


cdef inline bint put_in(const Quarter *q, Horizon **h, Horizon **spare,
                        double x0, double z0, double y0,
                        double x1, double z1, double y1) noexcept nogil:
    """Raise the horizon by one edge of the ground near the eye; False for no room."""
    cdef Piece edge
    cdef Horizon *held = h[0]
    cdef double det = x0 * y1 - x1 * y0
    cdef double least = max(y0, q.nearest)
    cdef double near_x, far_x
    if fabs(det) < END_ON:
        return True
    edge.b = (z0 * y1 - z1 * y0) / det
    edge.a = (x0 * z1 - x1 * z0) / det
    if fabs(edge.b) >= q.steepest:
        return True
    if y1 > y0:
        if least >= y1:
            return True
        near_x = (x0 + (x1 - x0) * ((least - y0) / (y1 - y0))) / least
    else:
        if y1 < q.nearest:
            return True
        near_x = x0 / y0
    far_x = x1 / y1
    edge.start = min(near_x, far_x)
    if not raise_piece(held, spare[0], &edge, max(near_x, far_x)):
        return False
    h[0] = spare[0]
    spare[0] = held
    return True


cdef inline bint raise_near(const Quarter *q, const Strip *s, Horizon **h,
                            Horizon **spare) noexcept nogil:
    """Raise the horizon by the strip about the eye or next to it, edge by edge."""
    cdef Py_ssize_t i, last = q.count_across - 1
    cdef Py_ssize_t first = <Py_ssize_t> max(floor(q.across - s.far) - 1, 0.0)
    cdef double x
    last = <Py_ssize_t> min(ceil(q.across + s.far) + 1, <double> last)
    for i in range(first, last + 1):
        x = i - q.across
        if not put_in(q, h, spare, x, s.near_z[i], s.near, x, s.far_z[i], s.far):
            return False
        if 0 <= i + q.lean < q.count_across and not put_in(
                q, h, spare, x, s.near_z[i], s.near, x + q.lean, s.far_z[i + q.lean], s.far):
            return False
        if i < last and not put_in(q, h, spare, x, s.far_z[i], s.far,
                                   x + 1, s.far_z[i + 1], s.far):
            return False
    return True


cdef inline void keep_within(const Quarter *q, Horizon *h, double far) noexcept nogil:
    """End the horizon where the row this far away ends, so that its last centre has a piece."""
    h.stop = min(h.stop, (q.count_across - 1 - q.across) / far)
    while h.count > 1 and h.pieces[h.first + h.count - 1].start >= h.stop:
        h.count -= 1
