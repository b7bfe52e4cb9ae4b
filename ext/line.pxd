"""Whether a straight line passes above the ground.

The line is halved until a piece either stays above the highest ground of the blocks that it
passes, or is short enough to look at every bend of the ground below it. Doubles decide wherever
they can: what they find nearer than their rounding goes on is asked again without rounding, so
that the answer is true of the numbers given and the same from both ends.
"""

from libc.math cimport INFINITY, ceil, fabs, floor

from surface cimport (
    COLUMN, DIAGONAL, End, Ground, ROW, buried_exactly, crossed_exactly, height_near,
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
    FINEST = 2          # cells in a block of the first level
    DEEPEST = 72        # halvings: a double has not room for more
    LOOKED_UP = 31


cdef struct Bends:
    # One kind of line along which the ground bends, as the line of sight crosses it.
    double start        # the first end, counted across these
    double run          # and how far the line goes from there
    double inverse
    double near_start   # parts of the line so near its ends that a crossing may be beyond them
    double near_stop
    double along        # the first end, counted along these
    double along_run
    double doubt        # what rounding may have done to ground less line at a crossing
    double margin       # and to its place along the bend
    double skip_start   # a bend that an end lies on: the end itself is looked at elsewhere
    double skip_stop
    Py_ssize_t first
    Py_ssize_t last


cdef struct Line:
    double u
    double v
    double z
    double run_u
    double run_v
    double rise
    double lowest       # of the ends
    double slack        # what rounding may have done to a place, in cells
    double doubt        # and to a height
    Bends bends[3]


cdef inline void lay_bends(Bends *k, const Line *line, double start, double run, double along,
                           double along_run, double steep, Py_ssize_t first,
                           Py_ssize_t last) noexcept nogil:
    k.start, k.run = start, run
    k.along, k.along_run = along, along_run
    k.first, k.last = first, last
    k.skip_start = k.skip_stop = -1
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


cdef inline void lay_line(Line *line, const Ground *g, const End *a, const End *b) noexcept nogil:
    cdef double steep = 2 * (g.high - g.low)
    cdef double tallest = max(max(fabs(a.z), fabs(b.z)), max(fabs(g.low), fabs(g.high)))
    line.u, line.v, line.z = a.u, a.v, a.z
    line.run_u, line.run_v, line.rise = b.u - a.u, b.v - a.v, b.z - a.z
    line.lowest = min(a.z, b.z)
    line.slack = PLACE_DOUBT * max(max(max(fabs(a.u), fabs(b.u)), max(fabs(a.v), fabs(b.v))), 1.0)
    line.doubt = HEIGHT_DOUBT * tallest + line.slack * steep
    lay_bends(&line.bends[COLUMN], line, a.u, line.run_u, a.v, line.run_v, steep, 0, g.cols - 1)
    lay_bends(&line.bends[ROW], line, a.v, line.run_v, a.u, line.run_u, steep, 0, g.rows - 1)
    lay_bends(&line.bends[DIAGONAL], line, a.u + a.v, line.run_u + line.run_v, a.u, line.run_u,
              steep, 1, g.rows + g.cols - 3)
    if g.rows == 1 or g.cols == 1:
        line.bends[DIAGONAL].last = 0
    if a.on_column:
        line.bends[COLUMN].skip_start = a.u
    if b.on_column:
        line.bends[COLUMN].skip_stop = b.u
    if a.on_row:
        line.bends[ROW].skip_start = a.v
    if b.on_row:
        line.bends[ROW].skip_stop = b.v
    if a.on_row and a.on_column:
        line.bends[DIAGONAL].skip_start = a.u + a.v
    if b.on_row and b.on_column:
        line.bends[DIAGONAL].skip_stop = b.u + b.v


cdef inline bint buried(const Ground *g, const End *e, double doubt) noexcept nogil:
    """Whether the ground is above this end of a line."""
    cdef double above
    if e.z >= g.high:
        return False
    if e.on_column and e.on_row and 0 <= e.u < g.cols and 0 <= e.v < g.rows:
        return g.heights[<Py_ssize_t> e.v * g.cols + <Py_ssize_t> e.u] > e.z
    above = height_near(g, e.u, e.v) - e.z
    if fabs(above) > doubt:
        return above > 0
    return buried_exactly(g, e)


cdef inline bint crosses_ground(const Ground *g, const Line *line, const End *a, const End *b,
                                int kind, double begin, double end) noexcept nogil:
    """Whether the ground is above a piece of the line at a bend of one kind."""
    cdef const Bends *k = &line.bends[kind]
    cdef double from_bend = k.start + begin * k.run
    cdef double to_bend = k.start + end * k.run
    cdef double part, place, above, share, ground_0, ground_1
    cdef Py_ssize_t first, last, bend, low, high, cell, step
    cdef const double *bottom
    if from_bend > to_bend:
        from_bend, to_bend = to_bend, from_bend
    from_bend = ceil(from_bend - line.slack)
    to_bend = floor(to_bend + line.slack)
    if not (from_bend <= k.last and to_bend >= k.first):
        return False
    first = <Py_ssize_t> max(from_bend, <double> k.first)
    last = <Py_ssize_t> min(to_bend, <double> k.last)
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
            if crossed_exactly(g, a, b, kind, bend, place if k.inverse != 0 else <double> high):
                return True
    return False


cdef inline double highest_below(const Ground *g, const Line *line, double begin, double end,
                                 Py_ssize_t level) noexcept nogil:
    """The highest ground about a piece of the line that goes no more than two blocks each way."""
    cdef const Py_ssize_t *size = g.levels + 3 * level
    cdef double inverse = 1.0 / (FINEST << level)
    cdef double u = line.u + (begin if line.run_u >= 0 else end) * line.run_u - line.slack
    cdef double v = line.v + (begin if line.run_v >= 0 else end) * line.run_v - line.slack
    cdef Py_ssize_t row = <Py_ssize_t> min(max(v * inverse, 0.0), <double> (size[1] - 1))
    cdef Py_ssize_t col = <Py_ssize_t> min(max(u * inverse, 0.0), <double> (size[2] - 1))
    return g.tops[size[0] + row * size[2] + col]


cdef inline bint plainly_blocked(const Ground *g, const Line *line, double begin,
                                 double end) noexcept nogil:
    """Whether even the lowest ground about one of a few places of a piece is above the line.

    These few blocks fit into the cache; the middle comes first.
    """
    cdef int _k
    cdef double share = 0.5, step = 0.5, part
    cdef double last_row = <double> (g.bottom_rows - 1)
    cdef double last_col = <double> (g.bottom_cols - 1)
    cdef Py_ssize_t row, col
    for _k in range(LOOKED_UP):
        part = begin + share * (end - begin)
        row = <Py_ssize_t> min(max((line.v + part * line.run_v) * 0.125, 0.0), last_row)
        col = <Py_ssize_t> min(max((line.u + part * line.run_u) * 0.125, 0.0), last_col)
        if g.bottoms[row * g.bottom_cols + col] - (line.z + part * line.rise) > line.doubt:
            return True
        share += 2 * step
        if share > 1:
            step /= 2
            share = step
    return False


cdef inline bint sees(const Ground *g, const End *a, const End *b) noexcept nogil:
    """Whether no ground is above the straight line from a to b, its ends included."""
    cdef Line line
    cdef double begins[DEEPEST]
    cdef double ends[DEEPEST]
    cdef Py_ssize_t levels[DEEPEST]
    cdef Py_ssize_t level
    cdef int held = 1
    cdef bint within
    cdef double begin = 0, end = 1
    cdef double middle, highest, lowest, span, above
    if min(a.z, b.z) >= g.high:
        return True
    lay_line(&line, g, a, b)
    # Only where the line is not above all ground.
    above = g.high + line.doubt
    if a.z > above:
        begin = max(0.0, (above - a.z) / line.rise)
    if b.z > above:
        end = min(1.0, (above - a.z) / line.rise)
    if (plainly_blocked(g, &line, begin, end) or buried(g, a, line.doubt)
            or buried(g, b, line.doubt)):
        return False
    span = max(fabs(line.run_u), fabs(line.run_v)) * (end - begin) * LITTLE_MORE
    level = 0
    while 2 * FINEST << level < span and level < 56:
        level += 1
    within = line.slack < LITTLE_MORE - 1
    if not within:
        level = 0
    begins[0], ends[0], levels[0] = begin, end, level
    while held:
        held -= 1
        begin, end, level = begins[held], ends[held], levels[held]
        highest = highest_below(g, &line, begin, end, min(level, g.coarsest))
        lowest = line.z + min(begin * line.rise, end * line.rise) - line.doubt
        if within and (highest <= lowest or highest <= line.lowest):
            continue
        if level == 0:
            if (crosses_ground(g, &line, a, b, COLUMN, begin, end)
                    or crosses_ground(g, &line, a, b, ROW, begin, end)
                    or crosses_ground(g, &line, a, b, DIAGONAL, begin, end)):
                return False
            continue
        middle = 0.5 * (begin + end)
        begins[held], ends[held], levels[held] = middle, end, level - 1
        begins[held + 1], ends[held + 1], levels[held + 1] = begin, middle, level - 1
        held += 2
    return True
