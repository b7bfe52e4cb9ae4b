"""Many lines of sight over the ground, walked side by side in turns.

Two crowds walk by turns: while one is held against its slabs, those of the other are on their way
from memory. Whoever has come to bends waits until as many have as can be looked at together.
"""

from libc.math cimport isfinite

from line cimport PLACE_DOUBT, HEIGHT_DOUBT, Line, blocked_at_bends, lay_line, sees
from surface cimport End, FINEST, Ground, at_place

cdef extern from "abreast.h" nogil:
    enum:
        ABREAST
        OPEN
        WALKING
        DOUBTFUL
        HIDDEN
        SEEN
        SOUNDED

    struct Slabs:
        const float *planes
        int *first
        int *cols
        int start
        int coarsest
        int finest
        double last_u
        double last_v
        double place_doubt
        double height_doubt

    struct Abreast:
        float *part
        float *end
        float *step
        int *level
        int *state

    void fetch(const void *place) noexcept
    void lay_abreast(const Slabs *slabs, const double *start, const double *stop,
                     const double *frame, Abreast *abreast) noexcept
    void aim_abreast(const Slabs *slabs, Abreast *abreast) noexcept
    void hold_abreast(const Slabs *slabs, Abreast *abreast) noexcept
    void clear_abreast(Abreast *abreast) noexcept
    void take_abreast(Abreast *abreast, int lane, const Abreast *laid, int which) noexcept

cdef extern from "bends.h" nogil:
    struct Bed:
        pass

    void lay_bed(Bed *bed, const double *heights, double rows, double cols, double steep) noexcept
    void look_abreast(const Bed *bed, Abreast *abreast) noexcept

cdef enum:
    AHEAD = 64          # lines
    LANES = 32          # no fewer than walk abreast
    CROWDS = 2          # by turns
    START = 4           # the level of slabs of the first pieces, until it is known what serves
    MOST_PLACES = 0x7fffffff    # that bends.h counts


cdef struct Crowd:
    Abreast lines
    Py_ssize_t who[LANES]


cdef struct Walk:
    Ground ground
    Slabs slabs
    Bed bed
    const double *frame
    # The lines, as rows of x, y and z of their ends, and what is known of them.
    const double *starts
    const double *stops
    unsigned char *out
    Py_ssize_t count
    bint wrong              # whether a number was met that is not finite
    # Those who set out next, who have been held against one slab, and those who come after them.
    Abreast laid[2]
    int present             # which of the two set out
    Py_ssize_t first        # the first of these
    int gone                # and how many have gone
    Crowd walkers[CROWDS]
    Crowd lookers       # who wait to look at bends until enough do
    int looking
    Crowd back          # who have looked, and walk on
    int returned


cdef inline void lay_walk(Walk *w, const Py_ssize_t *levels) noexcept nogil:
    """Make ready all but the frame, the lines and what is known of them."""
    cdef const Ground *g = &w.ground
    cdef Slabs *s = &w.slabs
    cdef Py_ssize_t level
    cdef int crowd, lane
    s.planes = &g.slabs[0].middle
    s.coarsest = <int> g.coarsest
    s.start = min(<int> START, s.coarsest)
    s.finest = FINEST
    s.place_doubt, s.height_doubt = PLACE_DOUBT, HEIGHT_DOUBT
    if g.rows > MOST_PLACES // g.cols:
        # As ground without an area, which nobody walks abreast over.
        s.last_u = s.last_v = 0
        s.coarsest = s.start = 0
        s.first[0] = s.cols[0] = 0
    else:
        s.last_u, s.last_v = <double> (g.cols - 1), <double> (g.rows - 1)
        for level in range(g.coarsest + 1):
            s.first[level] = <int> levels[3 * level]
            s.cols[level] = <int> levels[3 * level + 2]
    lay_bed(&w.bed, g.heights, <double> g.rows, <double> g.cols, 2 * (g.high - g.low))
    clear_abreast(&w.lookers.lines)
    for crowd in range(CROWDS):
        clear_abreast(&w.walkers[crowd].lines)
        for lane in range(ABREAST):
            w.walkers[crowd].who[lane] = -1
    w.wrong = False
    w.present = w.looking = w.returned = 0
    w.first = -ABREAST
    w.gone = ABREAST


cdef inline void come(Walk *w, Py_ssize_t first, Abreast *laid) noexcept nogil:
    """Make lines ready from the first on, and find their first slabs."""
    cdef double starts[3 * LANES]
    cdef double stops[3 * LANES]
    cdef Py_ssize_t k
    cdef int i, axis
    for i in range(ABREAST):
        # The last line once more for those that lack.
        k = 3 * min(first + i, w.count - 1)
        for axis in range(3):
            starts[3 * i + axis], stops[3 * i + axis] = w.starts[k + axis], w.stops[k + axis]
        k = 3 * min(first + i + AHEAD, w.count - 1)
        fetch(&w.starts[k])
        fetch(&w.stops[k])
    lay_abreast(&w.slabs, starts, stops, w.frame, laid)
    aim_abreast(&w.slabs, laid)


cdef inline void choose_start(Walk *w, const Abreast *laid) noexcept nogil:
    """Begin with longer pieces from now on where most were clear of the ground, or shorter."""
    cdef int i, clear = 0, near = 0
    for i in range(ABREAST):
        clear += laid.state[i] == WALKING and laid.level[i] > w.slabs.start
        near += laid.state[i] == WALKING and laid.level[i] < w.slabs.start
    if 2 * clear > ABREAST:
        w.slabs.start = min(w.slabs.start + 1, w.slabs.coarsest)
    elif 2 * near > ABREAST:
        w.slabs.start = max(w.slabs.start - 1, 0)


cdef inline bint is_finite(const double *place) noexcept nogil:
    return isfinite(place[0]) and isfinite(place[1]) and isfinite(place[2])


cdef inline bint set_out(Walk *w, Crowd *c, int lane) noexcept nogil:
    """Give a lane to the next line that is not settled yet; whether there is one."""
    cdef Abreast *laid = &w.laid[w.present]
    cdef Py_ssize_t k
    cdef int which
    cdef End start, stop
    if w.returned > 0:
        w.returned -= 1
        take_abreast(&c.lines, lane, &w.back.lines, w.returned)
        c.who[lane] = w.back.who[w.returned]
        return True
    while True:
        if w.gone == ABREAST:
            if w.first + ABREAST >= w.count:
                return False
            w.first += ABREAST
            w.gone = 0
            if w.first == 0:
                come(w, 0, laid)
            else:
                w.present ^= 1
                laid = &w.laid[w.present]
            hold_abreast(&w.slabs, laid)
            choose_start(w, laid)
            come(w, w.first + ABREAST, &w.laid[w.present ^ 1])
        which = w.gone
        k = w.first + which
        w.gone += 1
        if k >= w.count:
            continue
        if laid.state[which] == SEEN or laid.state[which] == HIDDEN:
            w.out[k] = <unsigned char> laid.state[which]
        elif laid.part[which] < 0 and not (is_finite(w.starts + 3 * k)
                                           and is_finite(w.stops + 3 * k)):
            w.wrong = True
        elif laid.part[which] < 0:
            at_place(&start, &w.ground, w.starts[3 * k], w.starts[3 * k + 1], w.starts[3 * k + 2])
            at_place(&stop, &w.ground, w.stops[3 * k], w.stops[3 * k + 1], w.stops[3 * k + 2])
            w.out[k] = sees(&w.ground, &start, &stop)
        else:
            take_abreast(&c.lines, lane, laid, which)
            c.who[lane] = k
            return True


cdef inline int relieve(Walk *w, Crowd *c) noexcept nogil:
    """Let those who are settled make room for others; how many lanes have a line."""
    cdef int lane, state, busy = 0
    cdef Py_ssize_t k
    for lane in range(ABREAST):
        k = c.who[lane]
        if k >= 0:
            state = c.lines.state[lane]
            if state == WALKING or state == SOUNDED or (
                    state == OPEN and w.looking == ABREAST):
                busy += 1
                continue
            if state == OPEN:
                take_abreast(&w.lookers.lines, w.looking, &c.lines, lane)
                w.lookers.who[w.looking] = k
                w.looking += 1
            else:
                w.out[k] = <unsigned char> state
            c.lines.state[lane] = SEEN
            c.who[lane] = -1
        busy += set_out(w, c, lane)
    return busy


cdef inline bint looks_again(Walk *w, Py_ssize_t k, Abreast *lines, int lane) noexcept nogil:
    """Look without rounding at the bends that doubles left open; whether the line walks on."""
    cdef const double *a = w.starts + 3 * k
    cdef const double *b = w.stops + 3 * k
    cdef End start, stop
    cdef Line line
    cdef double end = min(lines.part[lane] + lines.step[lane], lines.end[lane])
    at_place(&start, &w.ground, a[0], a[1], a[2])
    at_place(&stop, &w.ground, b[0], b[1], b[2])
    lay_line(&line, &w.ground, &start, &stop)
    if blocked_at_bends(&w.ground, &line, &start, &stop, lines.part[lane], end):
        lines.state[lane] = HIDDEN
    elif end >= lines.end[lane]:
        lines.state[lane] = SEEN
    else:
        lines.part[lane] = <float> end
        lines.state[lane] = WALKING
        return True
    return False


cdef inline void look(Walk *w) noexcept nogil:
    """Look at the bends below all who wait for that."""
    cdef Abreast *lines = &w.lookers.lines
    cdef int lane
    cdef Py_ssize_t k
    for lane in range(w.looking, ABREAST):
        lines.state[lane] = SEEN
    look_abreast(&w.bed, lines)
    for lane in range(w.looking):
        k = w.lookers.who[lane]
        if lines.state[lane] == WALKING or (
                lines.state[lane] == DOUBTFUL and looks_again(w, k, lines, lane)):
            take_abreast(&w.back.lines, w.returned, lines, lane)
            w.back.who[w.returned] = k
            w.returned += 1
        else:
            w.out[k] = <unsigned char> lines.state[lane]
    w.looking = 0


cdef inline void walk_all(Walk *w) noexcept nogil:
    cdef int crowd = 0
    cdef int busy[CROWDS]
    cdef Crowd *c
    busy[0] = busy[1] = 1
    while True:
        c = &w.walkers[crowd]
        hold_abreast(&w.slabs, &c.lines)
        busy[crowd] = relieve(w, c)
        aim_abreast(&w.slabs, &c.lines)
        if w.looking == ABREAST or (w.looking > 0 and busy[0] + busy[1] == 0):
            look(w)
            busy[crowd] += w.returned
        elif busy[0] + busy[1] == 0:
            break
        crowd ^= 1
