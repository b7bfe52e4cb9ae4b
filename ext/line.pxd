"""The test whether a straight line passes above the ground.

The line is walked in pieces, longer ones after each that stays above the slab of the block that
it passes, shorter ones where it comes too near, until a piece is short enough to look at every
bend of the ground below it. Doubles decide wherever they can: what they find nearer than their
rounding goes on is asked again without rounding, so that the answer is true of the numbers given
and the same from both ends.
"""

from libc.math cimport INFINITY, fabs

from surface cimport (
    COLUMN, DIAGONAL, End, FINEST, Ground, ROW, Slab, buried_exactly, crossed_exactly,
    height_near, whole,
)

cdef extern from *:
    """
    /* Above what rounding does to a place (some ten roundings) and to a height, as a share of the
       largest number that went into it. */
    static const double PLACE_DOUBT = 0x1p-46;
    static const double HEIGHT_DOUBT = 0x1p-47;
    /* So that a piece of a line stays within its blocks whatever rounding does. */
    static const double LITTLE_MORE = 1.0 + 0x1p-18;
    """
    const double PLACE_DOUBT
    const double LITTLE_MORE
    const double HEIGHT_DOUBT

cdef enum:
    START = 2               # the level of slabs of the first piece
    LOOKED_UP_AT = 1        # and that of the places looked up
    LOOKED_UP_EVERY = 4     # blocks


cdef struct Bends:
    # One kind of line along which the ground bends, as the line of sight crosses it.
    double start        # the first end, counted across these
    double run          # and how far the line goes from there
    double inverse
    double near_start   # parts of the line so near its ends that a crossing may be beyond them
    double near_stop
    double along        # the first end, counted along these
    double along_run
    double doubt        # error bound of ground less line at a crossing
    double margin       # and to its place along the bend
    double skip_start   # a bend that an end lies on: the end itself is looked at elsewhere
    double skip_stop
    Py_ssize_t first
    Py_ssize_t last


cdef struct SightLine:
    double u
    double v
    double z
    double run_u
    double run_v
    double rise
    double lowest       # of the ends
    double slack        # error bound of a place, in cells
    double doubt        # and to a height
    bint laid           # true if the bends are
    Bends bends[3]


cdef inline void lay_bends(Bends *k, const SightLine *line, double start, double run, double along,
                           double along_run, double steep, Py_ssize_t first,
                           Py_ssize_t last) noexcept nogil:
    k.start, k.run = start, run
    k.along, k.along_run = along, along_run
    k.first, k.last = first, last
    k.inverse = k.margin = 0
    k.near_start, k.near_stop, k.doubt = 2, -1, INFINITY
    if line.slack * (fabs(run) + fabs(along_run)) >= 0.5 * fabs(run):
        # So nearly in line with the bends that doubles cannot say where one is crossed.
        return
    k.inverse = 1 / run
    k.near_start = line.slack * fabs(k.inverse)
    k.near_stop = 1 - k.near_start
    k.margin = line.slack * (1 + fabs(along_run * k.inverse))
    k.doubt = (line.doubt + k.margin * steep
               + line.slack * fabs(line.rise * k.inverse))


cdef inline void skip_end(Bends *bends, const Ground *g, const End *e,
                          bint start) noexcept nogil:
    cdef bint on_column = whole(e.u, g.cell, e.east)
    cdef bint on_row = whole(e.v, g.cell, e.south)
    cdef double skip[3]
    cdef int kind
    skip[COLUMN] = e.u if on_column else -1
    skip[ROW] = e.v if on_row else -1
    skip[DIAGONAL] = e.u + e.v if on_column and on_row else -1
    for kind in range(3):
        if start:
            bends[kind].skip_start = skip[kind]
        else:
            bends[kind].skip_stop = skip[kind]


cdef inline void lay_line(SightLine *line, const Ground *g, const End *a,
                          const End *b) noexcept nogil:
    cdef double tallest = max(max(fabs(a.z), fabs(b.z)), max(fabs(g.low), fabs(g.high)))
    line.u, line.v, line.z = a.u, a.v, a.z
    line.run_u, line.run_v, line.rise = b.u - a.u, b.v - a.v, b.z - a.z
    line.lowest = min(a.z, b.z)
    line.slack = PLACE_DOUBT * max(max(max(fabs(a.u), fabs(b.u)), max(fabs(a.v), fabs(b.v))), 1.0)
    line.laid = False
    line.doubt = HEIGHT_DOUBT * tallest + line.slack * 2 * (g.high - g.low)


cdef inline void lay_all_bends(SightLine *line, const Ground *g, const End *a,
                               const End *b) noexcept nogil:
    cdef double steep = 2 * (g.high - g.low)
    lay_bends(&line.bends[COLUMN], line, a.u, line.run_u, a.v, line.run_v, steep, 0, g.cols - 1)
    lay_bends(&line.bends[ROW], line, a.v, line.run_v, a.u, line.run_u, steep, 0, g.rows - 1)
    lay_bends(&line.bends[DIAGONAL], line, a.u + a.v, line.run_u + line.run_v, a.u, line.run_u,
              steep, 1, g.rows + g.cols - 3)
    if g.rows == 1 or g.cols == 1:
        line.bends[DIAGONAL].last = 0
    line.laid = True
    skip_end(&line.bends[0], g, a, True)
    skip_end(&line.bends[0], g, b, False)


cdef inline bint buried(const Ground *g, const End *e, double doubt) noexcept nogil:
    """Return whether the ground is above this end of a line."""
    cdef double above
    if e.z >= g.high:
        return False
    if (0 <= e.u < g.cols and 0 <= e.v < g.rows and whole(e.u, g.cell, e.east)
            and whole(e.v, g.cell, e.south)):
        return g.heights[<Py_ssize_t> e.v * g.cols + <Py_ssize_t> e.u] > e.z
    above = height_near(g, e.u, e.v) - e.z
    if fabs(above) > doubt:
        return above > 0
    return buried_exactly(g, e)


cdef inline bint low_about(const Bends *k, const double *bottom, Py_ssize_t step,
                           Py_ssize_t cell, double share, Py_ssize_t low, Py_ssize_t high,
                           double lowest) noexcept nogil:
    """Return whether the crossing cannot lie in a cell beside this one with higher ground.

    The place of a crossing is rounded, so near a border of its cell it may belong to the next.
    """
    if k.inverse == 0:
        return False
    if share <= k.margin and cell > low and bottom[(cell - 1) * step] > lowest:
        return False
    return (share < 1 - k.margin or cell + 2 > high
            or bottom[(cell + 2) * step] <= lowest)


cdef inline bint crosses_ground(const Ground *g, const SightLine *line, const End *a, const End *b,
                                int kind, double begin, double end) noexcept nogil:
    """Return whether the ground is above a piece of the line at a bend of one kind."""
    cdef const Bends *k = &line.bends[kind]
    cdef double from_bend = k.start + begin * k.run
    cdef double to_bend = k.start + end * k.run
    cdef double part, place, above, share, ground_0, ground_1
    cdef Py_ssize_t first, last, bend, low, high, cell, step
    cdef const double *bottom
    if from_bend > to_bend:
        from_bend, to_bend = to_bend, from_bend
    from_bend -= line.slack
    to_bend += line.slack
    if not (from_bend <= k.last and to_bend >= k.first):
        return False
    first = k.first if from_bend <= k.first else <Py_ssize_t> from_bend
    first += first < from_bend
    last = k.last if to_bend >= k.last else <Py_ssize_t> to_bend
    low = 0
    high = (g.rows if kind == COLUMN else g.cols) - 1
    for bend in range(first, last + 1):
        if bend == k.skip_start or bend == k.skip_stop:
            continue
        part = (bend - k.start) * k.inverse
        place = k.along + part * k.along_run
        if kind == COLUMN:
            bottom = g.heights + bend
            step = g.cols
        elif kind == ROW:
            bottom = g.heights + bend * g.cols
            step = 1
        else:
            low = max(<Py_ssize_t> 0, bend - g.rows + 1)
            high = min(bend, g.cols - 1)
            # Beyond the outermost centres there are no diagonals.
            if place < low - k.margin or place > high + k.margin:
                continue
            bottom = g.heights + bend * g.cols
            step = 1 - g.cols
        place = min(max(place, <double> low), <double> high)
        cell = <Py_ssize_t> place
        if cell >= high:
            cell = max(high - 1, low)
        share = place - cell
        ground_0 = bottom[cell * step]
        ground_1 = bottom[cell * step + step] if cell < high else ground_0
        above = ground_0 + share * (ground_1 - ground_0) - (line.z + part * line.rise)
        if above >= -k.doubt:
            if above > k.doubt and k.near_start < part < k.near_stop and low < place < high:
                return True
            if (ground_0 <= line.lowest and ground_1 <= line.lowest
                    and low_about(k, bottom, step, cell, share, low, high, line.lowest)):
                continue
            if crossed_exactly(g, a, b, kind, bend, place if k.inverse != 0 else <double> high):
                return True
    return False


cdef inline const Slab *slab_at(const Ground *g, Py_ssize_t level, Py_ssize_t row,
                                Py_ssize_t col) noexcept nogil:
    return g.slabs + g.levels[3 * level] + row * g.levels[3 * level + 2] + col


cdef inline bint plainly_blocked(const Ground *g, const SightLine *line, double begin, double end,
                                 double span) noexcept nogil:
    """Return whether even the lowest ground about one of some places of a piece is above the line.

    The middle comes first, then what lies midway between those before. The blocks of this level
    fit into the cache.
    """
    cdef double share = 0.5, step = 0.5, part, u, v
    cdef Py_ssize_t level = min(<Py_ssize_t> LOOKED_UP_AT, g.coarsest)
    cdef double block = <double> (FINEST << level)
    cdef double inverse = 1 / block
    cdef double least = LOOKED_UP_EVERY * block / (span * (end - begin) + block)
    cdef Py_ssize_t row, col
    cdef const Slab *s
    while step > least:
        part = begin + share * (end - begin)
        u = line.u + part * line.run_u
        v = line.v + part * line.run_v
        col = <Py_ssize_t> ((u - line.slack) * inverse)
        row = <Py_ssize_t> ((v - line.slack) * inverse)
        s = slab_at(g, level, row, col)
        if (s.middle + s.east * (u - col * block) + s.south * (v - row * block)
                - (line.z + part * line.rise)) > s.half + line.doubt:
            return True
        share += 2 * step
        if share > 1:
            step /= 2
            share = step
    return False


cdef inline void keep_within(double *begin, double *end, double start, double run,
                             double last) noexcept nogil:
    """Shorten begin to end to where start + part * run is from 0 to last."""
    cdef double enter, leave
    if run == 0:
        if not 0 <= start <= last:
            end[0] = begin[0] - 1
        return
    enter = -start / run
    leave = (last - start) / run
    begin[0] = max(begin[0], min(enter, leave))
    end[0] = min(end[0], max(enter, leave))


cdef inline bint blocked_at_bends(const Ground *g, SightLine *line, const End *a, const End *b,
                                  double begin, double end) noexcept nogil:
    """Return whether the ground is above a piece of the line at a bend or an end."""
    if not line.laid:
        lay_all_bends(line, g, a, b)
    return ((begin <= 0 and buried(g, a, line.doubt)) or (end >= 1 and buried(g, b, line.doubt))
            or crosses_ground(g, line, a, b, COLUMN, begin, end)
            or crosses_ground(g, line, a, b, ROW, begin, end)
            or crosses_ground(g, line, a, b, DIAGONAL, begin, end))


cdef inline bint blocked_over_raster(const Ground *g, SightLine *line, const End *a, const End *b,
                                     double begin, double end, double span) noexcept nogil:
    """Return whether the ground is above a piece of the line within the outermost centres.

    span : the greater of the cells that the whole line goes east or south, or a little more
    """
    cdef bint looked = False
    cdef Py_ssize_t row, col, level = min(<Py_ssize_t> START, g.coarsest)
    cdef double block = <double> (FINEST << level)
    cdef double inverse = 1 / block
    cdef double step = 2 * block / span if span > 0 else 2.0
    cdef double part = begin
    cdef double u = line.u + part * line.run_u
    cdef double v = line.v + part * line.run_v
    cdef double stop, to_u, to_v, above, least, doubt
    cdef const Slab *s
    while True:
        stop = min(part + step, end)
        to_u = line.u + stop * line.run_u
        to_v = line.v + stop * line.run_v
        col = <Py_ssize_t> ((min(u, to_u) - line.slack) * inverse)
        row = <Py_ssize_t> ((min(v, to_v) - line.slack) * inverse)
        s = slab_at(g, level, row, col)
        above = line.z - s.middle + s.east * (col * block) + s.south * (row * block)
        least = min(above + part * line.rise - s.east * u - s.south * v,
                    above + stop * line.rise - s.east * to_u - s.south * to_v)
        doubt = s.half + line.doubt
        if least < -doubt:
            return True
        # A slab that is level is compared as it is, so that a line may lie on flat ground.
        if least > doubt or (
                s.east == 0 and s.south == 0
                and <double> s.middle + <double> s.half <= line.lowest):
            if stop >= end:
                return False
            if level < g.coarsest:
                level += 1
                block *= 2
                inverse *= 0.5
                step *= 2
        elif level > 0:
            level -= 1
            block *= 0.5
            inverse *= 2
            step *= 0.5
            continue
        else:
            if not looked and plainly_blocked(g, line, part, end, span):
                return True
            looked = True
            if blocked_at_bends(g, line, a, b, part, stop):
                return True
            if stop >= end:
                return False
        part, u, v = stop, to_u, to_v


cdef inline bint sees(const Ground *g, const End *a, const End *b) noexcept nogil:
    """Return whether no ground is above the straight line from a to b, its ends included.

    It is walked from a, so that it is quicker where a is the end nearer its ground.
    """
    cdef SightLine line
    cdef double begin = 0, end = 1, enter, leave, above
    cdef double last_u = <double> (g.cols - 1)
    cdef double last_v = <double> (g.rows - 1)
    if min(a.z, b.z) >= g.high:
        return True
    lay_line(&line, g, a, b)
    if not line.slack < LITTLE_MORE - 1:
        return not blocked_at_bends(g, &line, a, b, 0, 1)
    # Only where the line is not above all ground.
    above = g.high + line.doubt
    if a.z > above:
        begin = max(0.0, (above - a.z) / line.rise)
    if b.z > above:
        end = min(1.0, (above - a.z) / line.rise)
    if not (0 <= a.u <= last_u and 0 <= a.v <= last_v
            and 0 <= b.u <= last_u and 0 <= b.v <= last_v):
        enter, leave = begin, end
        keep_within(&enter, &leave, a.u, line.run_u, last_u)
        keep_within(&enter, &leave, a.v, line.run_v, last_v)
        if enter > leave:
            return not blocked_at_bends(g, &line, a, b, begin, end)
        if ((begin < enter and blocked_at_bends(g, &line, a, b, begin, enter))
                or (leave < end and blocked_at_bends(g, &line, a, b, leave, end))):
            return False
        begin, end = enter, leave
    if g.coarsest < 0:
        return not blocked_at_bends(g, &line, a, b, begin, end)
    return not blocked_over_raster(
        g, &line, a, b, begin, end,
        max(fabs(line.run_u), fabs(line.run_v)) * LITTLE_MORE)
