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
    int start_after(const Slabs *slabs, const Abreast *laid, int walked) noexcept
    int list_lanes(const Abreast *abreast, unsigned int states, int *lanes) noexcept
    void clear_abreast(Abreast *abreast) noexcept
    void take_abreast(Abreast *abreast, int lane, const Abreast *laid, int which) noexcept

cdef extern from "tops.h" nogil:
    struct Tops:
        const float *highest
        float tiles

    int overlook_abreast(const Tops *tops, Abreast *abreast) noexcept

cdef extern from "bends.h" nogil:
    struct Bed:
        pass

    void lay_bed(Bed *bed, const double *heights, double rows, double cols, double steep) noexcept
    void look_abreast(const Bed *bed, Abreast *abreast) noexcept

cdef enum:
    AHEAD = 64          # lines
    CACHED = 8          # doubles that come from memory together
    LANES = 32          # at least the SIMD width
    CROWDS = 2          # by turns
    # States, a bit each.
    UNSETTLED = 1 << OPEN | 1 << WALKING | 1 << DOUBTFUL | 1 << SOUNDED
    RESTING = 1 << OPEN | 1 << SEEN | 1 << HIDDEN
    START = 4           # the level of slabs of the first pieces, until it is known what serves
    MOST_PLACES = 0x7fffffff    # that bends.h counts


cdef struct Crowd:
    Abreast lines
    Py_ssize_t who[LANES]


cdef struct Walk:
    Ground ground
    Slabs slabs
    Tops tops
    Bed bed
    const double *frame
    # The lines, as rows of x, y and z of their ends, and what is known of them.
    const double *starts
    const double *stops
    unsigned char *out
    Py_ssize_t count
    bint wrong              # true if a number was met that is not finite
    # Lines that set out next, already tested against one slab, and lines after them.
    Abreast laid[2]
    int walking[2]          # number of each not settled by the maximum
    int present             # index of the two that sets out
    Py_ssize_t first        # the first of these
    int waiting[LANES]      # lines not settled yet
    int wait                # their number
    int gone                # and how many have gone
    Crowd walkers[CROWDS]
    Crowd lookers       # lines that wait for bends until enough do
    int looking
    Crowd back          # lines past their bends, which walk on
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
        # As ground without an area, which no lanes walk over.
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
    w.gone = w.wait = 0


cdef inline void come(Walk *w, Py_ssize_t first, int which) noexcept nogil:
    """Make lines ready from the first on, and find their first slabs."""
    cdef Abreast *laid = &w.laid[which]
    cdef double last_starts[3 * LANES]
    cdef double last_stops[3 * LANES]
    cdef const double *starts = w.starts + 3 * first
    cdef const double *stops = w.stops + 3 * first
    cdef Py_ssize_t k
    cdef int i
    if first + ABREAST > w.count:
        # Fill up with the last line again.
        for i in range(3 * ABREAST):
            k = 3 * min(first + i // 3, w.count - 1) + i % 3
            last_starts[i], last_stops[i] = w.starts[k], w.stops[k]
        starts, stops = last_starts, last_stops
    for i in range(3 * ABREAST // CACHED):
        k = min(3 * (first + AHEAD) + CACHED * i, 3 * w.count - 1)
        fetch(&w.starts[k])
        fetch(&w.stops[k])
    lay_abreast(&w.slabs, starts, stops, w.frame, laid)
    w.walking[which] = overlook_abreast(&w.tops, laid)
    aim_abreast(&w.slabs, laid)


cdef inline bint is_finite(const double *place) noexcept nogil:
    return isfinite(place[0]) and isfinite(place[1]) and isfinite(place[2])


cdef inline void come_up(Walk *w) noexcept nogil:
    """Let the next lines come, and settle those whose first look does."""
    cdef Abreast *laid
    cdef Py_ssize_t k
    w.first += ABREAST
    if w.first == 0:
        come(w, 0, 0)
    else:
        w.present ^= 1
    laid = &w.laid[w.present]
    hold_abreast(&w.slabs, laid)
    w.slabs.start = start_after(&w.slabs, laid, w.walking[w.present])
    come(w, w.first + ABREAST, w.present ^ 1)
    for k in range(min(<Py_ssize_t> ABREAST, w.count - w.first)):
        w.out[w.first + k] = laid.state[k] == SEEN
    w.wait = list_lanes(laid, UNSETTLED, w.waiting)
    w.gone = 0


cdef inline void settle_alone(Walk *w, Py_ssize_t k) noexcept nogil:
    """Settle a line that walks alone."""
    cdef const double *a = w.starts + 3 * k
    cdef const double *b = w.stops + 3 * k
    cdef End start, stop
    if not (is_finite(a) and is_finite(b)):
        w.wrong = True
        return
    at_place(&start, &w.ground, a[0], a[1], a[2])
    at_place(&stop, &w.ground, b[0], b[1], b[2])
    w.out[k] = sees(&w.ground, &start, &stop)


cdef inline bint set_out(Walk *w, Crowd *c, int lane) noexcept nogil:
    """Give a lane to the next line that is not settled yet; whether there is one."""
    cdef Abreast *laid
    cdef int which
    if w.returned > 0:
        w.returned -= 1
        take_abreast(&c.lines, lane, &w.back.lines, w.returned)
        c.who[lane] = w.back.who[w.returned]
        return True
    while True:
        while w.gone == w.wait:
            if w.first + ABREAST >= w.count:
                return False
            come_up(w)
        laid = &w.laid[w.present]
        which = w.waiting[w.gone]
        w.gone += 1
        if w.first + which >= w.count:
            continue
        if laid.part[which] < 0:
            settle_alone(w, w.first + which)
            continue
        take_abreast(&c.lines, lane, laid, which)
        c.who[lane] = w.first + which
        return True


cdef inline int relieve(Walk *w, Crowd *c) noexcept nogil:
    """Replace settled lines by others; return the number of lanes with a line."""
    cdef int lanes[LANES]
    cdef int i, lane, state
    cdef int resting = list_lanes(&c.lines, RESTING, lanes)
    cdef int busy = ABREAST - resting
    for i in range(resting):
        lane = lanes[i]
        state = c.lines.state[lane]
        if state == OPEN and w.looking == ABREAST:
            busy += 1
            continue
        if state == OPEN:
            take_abreast(&w.lookers.lines, w.looking, &c.lines, lane)
            w.lookers.who[w.looking] = c.who[lane]
            w.looking += 1
        elif c.who[lane] >= 0:
            w.out[c.who[lane]] = <unsigned char> state
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
