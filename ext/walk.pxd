"""Many sight lines over the ground, tested in two alternating batches.

While the lines of one batch are tested against their slabs, the slabs of the other are on their way
from memory. A line that needs its mesh edges tested waits until a full batch does.
"""

from libc.math cimport isfinite

from line cimport PLACE_DOUBT, HEIGHT_DOUBT, SightLine, blocked_at_bends, lay_line, sees
from surface cimport End, FINEST, Ground, at_place

cdef extern from "line_batch.h" nogil:
    enum:
        BATCH_SIZE
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

    struct LineBatch:
        float *part
        float *end
        float *step
        int *level
        int *state

    void fetch(const void *place) noexcept
    void load_batch(const Slabs *slabs, const double *start, const double *stop,
                    const double *frame, LineBatch *batch) noexcept
    void aim_batch(const Slabs *slabs, LineBatch *batch) noexcept
    void descend_batch(const Slabs *slabs, LineBatch *batch) noexcept
    int start_after(const Slabs *slabs, const LineBatch *laid, int walked) noexcept
    int list_lanes(const LineBatch *batch, unsigned int states, int *lanes) noexcept
    void clear_batch(LineBatch *batch) noexcept
    void copy_line(LineBatch *batch, int lane, const LineBatch *laid, int which) noexcept

cdef extern from "tops.h" nogil:
    struct Tops:
        const float *highest
        float tiles

    int test_tops_batch(const Tops *tops, LineBatch *batch) noexcept

cdef extern from "mesh_edges.h" nogil:
    struct RasterMesh:
        pass

    void init_mesh(RasterMesh *mesh, const double *heights, double rows, double cols,
                   double steep) noexcept
    void test_batch(const RasterMesh *mesh, LineBatch *batch) noexcept

cdef enum:
    AHEAD = 64          # lines
    CACHED = 8          # doubles that come from memory together
    LANES = 32          # at least the SIMD width
    BATCHES = 2          # by turns
    # States, a bit each.
    UNSETTLED = 1 << OPEN | 1 << WALKING | 1 << DOUBTFUL | 1 << SOUNDED
    RESTING = 1 << OPEN | 1 << SEEN | 1 << HIDDEN
    START = 4           # the level of slabs of the first pieces, until it is known what serves
    MOST_PLACES = 0x7fffffff    # that mesh_edges.h counts


cdef struct LaneBatch:
    LineBatch lines
    Py_ssize_t who[LANES]


cdef struct LineOfSightJob:
    Ground ground
    Slabs slabs
    Tops tops
    RasterMesh mesh
    const double *frame
    # The lines, as rows of x, y and z of their ends, and what is known of them.
    const double *starts
    const double *stops
    unsigned char *out
    Py_ssize_t count
    bint wrong              # true if a number was met that is not finite
    # Lines that set out next, already tested against one slab, and lines after them.
    LineBatch laid[2]
    int walking[2]          # number of each not settled by the maximum
    int present             # index of the two that sets out
    Py_ssize_t first        # the first of these
    int waiting[LANES]      # lines not settled yet
    int wait                # their number
    int gone                # and how many have gone
    LaneBatch walkers[BATCHES]
    LaneBatch lookers       # lines that wait for bends until enough do
    int looking
    LaneBatch back          # lines past their bends, which walk on
    int returned


cdef inline void init_job(LineOfSightJob *w, const Py_ssize_t *levels) noexcept nogil:
    """Make ready all but the frame, the lines and what is known of them."""
    cdef const Ground *g = &w.ground
    cdef Slabs *s = &w.slabs
    cdef Py_ssize_t level
    cdef int batch, lane
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
    init_mesh(&w.mesh, g.heights, <double> g.rows, <double> g.cols, 2 * (g.high - g.low))
    clear_batch(&w.lookers.lines)
    for batch in range(BATCHES):
        clear_batch(&w.walkers[batch].lines)
        for lane in range(BATCH_SIZE):
            w.walkers[batch].who[lane] = -1
    w.wrong = False
    w.present = w.looking = w.returned = 0
    w.first = -BATCH_SIZE
    w.gone = w.wait = 0


cdef inline void come(LineOfSightJob *w, Py_ssize_t first, int which) noexcept nogil:
    """Make lines ready from the first on, and find their first slabs."""
    cdef LineBatch *laid = &w.laid[which]
    cdef double last_starts[3 * LANES]
    cdef double last_stops[3 * LANES]
    cdef const double *starts = w.starts + 3 * first
    cdef const double *stops = w.stops + 3 * first
    cdef Py_ssize_t k
    cdef int i
    if first + BATCH_SIZE > w.count:
        # Fill up with the last line again.
        for i in range(3 * BATCH_SIZE):
            k = 3 * min(first + i // 3, w.count - 1) + i % 3
            last_starts[i], last_stops[i] = w.starts[k], w.stops[k]
        starts, stops = last_starts, last_stops
    for i in range(3 * BATCH_SIZE // CACHED):
        k = min(3 * (first + AHEAD) + CACHED * i, 3 * w.count - 1)
        fetch(&w.starts[k])
        fetch(&w.stops[k])
    load_batch(&w.slabs, starts, stops, w.frame, laid)
    w.walking[which] = test_tops_batch(&w.tops, laid)
    aim_batch(&w.slabs, laid)


cdef inline bint is_finite(const double *place) noexcept nogil:
    return isfinite(place[0]) and isfinite(place[1]) and isfinite(place[2])


cdef inline void come_up(LineOfSightJob *w) noexcept nogil:
    """Let the next lines come, and settle those whose first look does."""
    cdef LineBatch *laid
    cdef Py_ssize_t k
    w.first += BATCH_SIZE
    if w.first == 0:
        come(w, 0, 0)
    else:
        w.present ^= 1
    laid = &w.laid[w.present]
    descend_batch(&w.slabs, laid)
    w.slabs.start = start_after(&w.slabs, laid, w.walking[w.present])
    come(w, w.first + BATCH_SIZE, w.present ^ 1)
    for k in range(min(<Py_ssize_t> BATCH_SIZE, w.count - w.first)):
        w.out[w.first + k] = laid.state[k] == SEEN
    w.wait = list_lanes(laid, UNSETTLED, w.waiting)
    w.gone = 0


cdef inline void settle_alone(LineOfSightJob *w, Py_ssize_t k) noexcept nogil:
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


cdef inline bint set_out(LineOfSightJob *w, LaneBatch *c, int lane) noexcept nogil:
    """Give a lane to the next line that is not settled yet; whether there is one."""
    cdef LineBatch *laid
    cdef int which
    if w.returned > 0:
        w.returned -= 1
        copy_line(&c.lines, lane, &w.back.lines, w.returned)
        c.who[lane] = w.back.who[w.returned]
        return True
    while True:
        while w.gone == w.wait:
            if w.first + BATCH_SIZE >= w.count:
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
        copy_line(&c.lines, lane, laid, which)
        c.who[lane] = w.first + which
        return True


cdef inline int relieve(LineOfSightJob *w, LaneBatch *c) noexcept nogil:
    """Replace settled lines by others; return the number of lanes with a line."""
    cdef int lanes[LANES]
    cdef int i, lane, state
    cdef int resting = list_lanes(&c.lines, RESTING, lanes)
    cdef int busy = BATCH_SIZE - resting
    for i in range(resting):
        lane = lanes[i]
        state = c.lines.state[lane]
        if state == OPEN and w.looking == BATCH_SIZE:
            busy += 1
            continue
        if state == OPEN:
            copy_line(&w.lookers.lines, w.looking, &c.lines, lane)
            w.lookers.who[w.looking] = c.who[lane]
            w.looking += 1
        elif c.who[lane] >= 0:
            w.out[c.who[lane]] = <unsigned char> state
        c.lines.state[lane] = SEEN
        c.who[lane] = -1
        busy += set_out(w, c, lane)
    return busy


cdef inline bint looks_again(LineOfSightJob *w, Py_ssize_t k, LineBatch *lines,
                             int lane) noexcept nogil:
    """Test without rounding the mesh edges that doubles left open; return whether it goes on."""
    cdef const double *a = w.starts + 3 * k
    cdef const double *b = w.stops + 3 * k
    cdef End start, stop
    cdef SightLine line
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


cdef inline void look(LineOfSightJob *w) noexcept nogil:
    """Look at the bends below all who wait for that."""
    cdef LineBatch *lines = &w.lookers.lines
    cdef int lane
    cdef Py_ssize_t k
    for lane in range(w.looking, BATCH_SIZE):
        lines.state[lane] = SEEN
    test_batch(&w.mesh, lines)
    for lane in range(w.looking):
        k = w.lookers.who[lane]
        if lines.state[lane] == WALKING or (
                lines.state[lane] == DOUBTFUL and looks_again(w, k, lines, lane)):
            copy_line(&w.back.lines, w.returned, lines, lane)
            w.back.who[w.returned] = k
            w.returned += 1
        else:
            w.out[k] = <unsigned char> lines.state[lane]
    w.looking = 0


cdef inline void run_job(LineOfSightJob *w) noexcept nogil:
    cdef int batch = 0
    cdef int busy[BATCHES]
    cdef LaneBatch *c
    busy[0] = busy[1] = 1
    while True:
        c = &w.walkers[batch]
        descend_batch(&w.slabs, &c.lines)
        busy[batch] = relieve(w, c)
        aim_batch(&w.slabs, &c.lines)
        if w.looking == BATCH_SIZE or (w.looking > 0 and busy[0] + busy[1] == 0):
            look(w)
            busy[batch] += w.returned
        elif busy[0] + busy[1] == 0:
            break
        batch ^= 1
