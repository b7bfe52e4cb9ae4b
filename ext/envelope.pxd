"""The horizon as seen from an eye: for every direction the steepest ground so far.

Directions are X = across / away, steepnesses S = (ground - eye) / away, both in a quarter of the
compass that opens along `away`. In these two an edge of the ground is a straight piece S = a + b X,
so the horizon is a row of such pieces, and what is steeper is the greater of two rows.
"""

cdef struct Piece:
    double start
    double a
    double b


cdef struct Horizon:
    # The pieces from `first` on; where one starts, that before it ends, and the last at `stop`.
    Piece *pieces
    Py_ssize_t first
    Py_ssize_t count
    Py_ssize_t room
    double stop


cdef inline double steepness(const Piece *p, double x) noexcept nogil:
    return p.a + p.b * x


cdef inline void append(Horizon *h, double start, double a, double b) noexcept nogil:
    """Go on from start with a + b X, unless the last piece does so already."""
    cdef Piece *last = h.pieces + h.first + h.count - 1
    if h.count and last.start >= start:
        h.count -= 1
        last -= 1
    if h.count and last.a == a and last.b == b:
        return
    last += 1
    last.start, last.a, last.b = start, a, b
    h.count += 1


cdef inline double meeting(double begin, double end, double above_begin,
                           double above_end) noexcept nogil:
    """Return where between begin and end two pieces meet, by how much one is above at either."""
    cdef double x = begin + (end - begin) * (above_begin / (above_begin - above_end))
    return min(max(x, begin), end)


cdef inline void append_steeper(Horizon *out, double begin, double end, const Piece *old,
                                const Piece *new) noexcept nogil:
    """Go on from begin to end with the steeper of two pieces."""
    cdef double above_begin = (new.a - old.a) + (new.b - old.b) * begin
    cdef double above_end = (new.a - old.a) + (new.b - old.b) * end
    cdef double x
    if above_begin <= 0 and above_end <= 0:
        append(out, begin, old.a, old.b)
    elif above_begin >= 0 and above_end >= 0:
        append(out, begin, new.a, new.b)
    else:
        x = meeting(begin, end, above_begin, above_end)
        if above_begin > 0:
            append(out, begin, new.a, new.b)
            append(out, x, old.a, old.b)
        else:
            append(out, begin, old.a, old.b)
            append(out, x, new.a, new.b)


cdef inline bint raise_piece(Horizon *h, Horizon *out, const Piece *new,
                             double end) noexcept nogil:
    """out = h with one more piece from new.start to end; False for no room."""
    cdef Py_ssize_t k
    cdef const Piece *old
    cdef double begin, stop
    out.first = out.count = 0
    out.stop = h.stop
    if 3 * h.count + 4 > out.room:
        return False
    for k in range(h.first, h.first + h.count):
        old = h.pieces + k
        stop = h.stop if k + 1 == h.first + h.count else h.pieces[k + 1].start
        begin = min(max(new.start, old.start), stop)
        if old.start < begin:
            append(out, old.start, old.a, old.b)
        if begin < min(end, stop):
            append_steeper(out, begin, min(end, stop), old, new)
        if max(min(end, stop), begin) < stop:
            append(out, max(min(end, stop), begin), old.a, old.b)
    return True


cdef inline void cut_left(Horizon *out, Piece *edge, double x) noexcept nogil:
    """Take from the end of out what is below the edge, and have the edge start there."""
    cdef Piece *last
    cdef double stop = x
    cdef double begin, above_begin, above_stop
    while out.count:
        last = out.pieces + out.first + out.count - 1
        if last.start >= stop:
            out.count -= 1
            continue
        begin = max(last.start, edge.start)
        if begin >= stop:
            edge.start = stop
            return
        above_begin = (edge.a - last.a) + (edge.b - last.b) * begin
        if above_begin <= 0:
            above_stop = (edge.a - last.a) + (edge.b - last.b) * stop
            edge.start = stop if above_stop <= 0 else meeting(begin, stop, above_begin, above_stop)
            return
        stop = begin
        if begin > last.start:
            edge.start = begin
            return
        out.count -= 1
    edge.start = stop


cdef inline void cut_right(Horizon *h, const Piece *edge, double x, double end) noexcept nogil:
    """Take from the beginning of h, that is from x on, what is below the edge."""
    cdef Piece *next
    cdef double stop, above_begin, above_stop
    end = min(end, h.stop)
    while h.count:
        next = h.pieces + h.first
        stop = min(next[1].start if h.count > 1 else h.stop, end)
        if stop > x:
            above_stop = (edge.a - next.a) + (edge.b - next.b) * stop
            if above_stop <= 0:
                above_begin = (edge.a - next.a) + (edge.b - next.b) * x
                next.start = x if above_begin <= 0 else meeting(x, stop, above_begin, above_stop)
                return
            x = stop
        if stop >= end:
            next.start = max(x, next.start)
            if h.count == 1 and next.start >= h.stop:
                h.count = 0
            return
        h.first += 1
        h.count -= 1
