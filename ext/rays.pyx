"""Lines of sight over the ground, one for each pair of places.

Callers go through ``emlia3d.geometry.sightline``, which checks what is assumed here: finite
numbers, columns of one length, slabs that belong to the heights.
"""

from libc.math cimport INFINITY, ceil, fabs, floor
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from line cimport (
    HEIGHT_DOUBT, LITTLE_MORE, Line, PLACE_DOUBT, START, blocked_at_bends, lay_line,
    plainly_blocked, sees,
)
from surface cimport End, FINEST, Ground, Slab, at_centre, at_place, height_near


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fetch(place) __builtin_prefetch(place)
    #else
    #define fetch(place)
    #endif
    """
    void fetch(const void *place) noexcept nogil

cdef extern from "abreast.h" nogil:
    enum:
        ABREAST
        HIDDEN
        SEEN
        OPEN
        WALKING

    struct Slabs:
        const float *planes
        double *first
        double *cols
        double coarsest
        double start
        double finest
        double last_u
        double last_v
        double place_doubt
        double height_doubt
        double beyond

    struct Abreast:
        double *part
        double *end
        double *state
        double *level
        double *block
        double *inverse
        double *step

    void lay_abreast(const Slabs *slabs, const double *start, const double *stop,
                     const double *frame, Abreast *abreast) noexcept
    void step_abreast(const Slabs *slabs, Abreast *abreast) noexcept
    void park_abreast(Abreast *abreast, int lane) noexcept
    void take_abreast(Abreast *abreast, int lane, const Abreast *laid, int which) noexcept

cdef enum:
    AHEAD = 16          # lines
    LANES = 16          # no fewer than walk abreast


cdef struct Walker:
    # Who walks in a lane; his line is laid when first his bends are looked at.
    Py_ssize_t who
    bint laid
    End start
    End stop
    Line line


cdef void lay_ground(Ground *g, const double[:, ::1] heights, const double[::1] frame,
                     const float[:, ::1] slabs, const Py_ssize_t[:, ::1] levels):
    g.heights, g.rows, g.cols = &heights[0, 0], heights.shape[0], heights.shape[1]
    g.cell, g.west, g.north, g.low, g.high = frame[0], frame[1], frame[2], frame[3], frame[4]
    g.slabs, g.levels = <const Slab *> &slabs[0, 0], &levels[0, 0]
    g.coarsest = levels.shape[0] - 1


cdef inline Py_ssize_t block_of(double steps, Py_ssize_t blocks, double side) noexcept nogil:
    return <Py_ssize_t> min(max(steps / side, 0.0), <double> (blocks - 1))


def by_block(const double[::1] frame, double side, const double[:, ::1] places,
             int[:, ::1] begins, Py_ssize_t[::1] order):
    """order = the places block by block of the ground, so that neighbours are asked together.

    side : of a block, in GSU
    begins : a zero for each row and column of blocks
    """
    cdef Py_ssize_t k, row, col, held, begin = 0
    cdef Py_ssize_t rows = begins.shape[0]
    cdef Py_ssize_t cols = begins.shape[1]
    with nogil:
        for k in range(places.shape[0]):
            begins[block_of(frame[2] - places[k, 1], rows, side),
                   block_of(places[k, 0] - frame[1], cols, side)] += 1
        for row in range(rows):
            for col in range(cols):
                held = begins[row, col]
                begins[row, col] = <int> begin
                begin += held
        for k in range(places.shape[0]):
            row = block_of(frame[2] - places[k, 1], rows, side)
            col = block_of(places[k, 0] - frame[1], cols, side)
            order[begins[row, col]] = k
            begins[row, col] += 1


cdef void lay_slabs(Slabs *s, const Ground *g, const Py_ssize_t[:, ::1] levels):
    cdef Py_ssize_t level
    s.planes = &g.slabs[0].middle
    s.coarsest = <double> g.coarsest
    s.start = <double> min(<Py_ssize_t> START, g.coarsest)
    s.finest = FINEST
    s.last_u, s.last_v = <double> (g.cols - 1), <double> (g.rows - 1)
    s.place_doubt, s.height_doubt, s.beyond = PLACE_DOUBT, HEIGHT_DOUBT, LITTLE_MORE - 1
    for level in range(levels.shape[0]):
        s.first[level] = <double> levels[level, 0]
        s.cols[level] = <double> levels[level, 2]


cdef inline bint looks_on(const Ground *g, Walker *w, Abreast *lanes, int lane) noexcept nogil:
    """Look at the bends below the piece that lane has come to; whether it walks on from there."""
    cdef double stop = min(lanes.part[lane] + lanes.step[lane], lanes.end[lane])
    if not w.laid:
        w.laid = True
        lay_line(&w.line, g, &w.start, &w.stop)
        if plainly_blocked(g, &w.line, lanes.part[lane], lanes.end[lane],
                           max(fabs(w.line.run_u), fabs(w.line.run_v))):
            lanes.state[lane] = HIDDEN
            return False
    if blocked_at_bends(g, &w.line, &w.start, &w.stop, lanes.part[lane], stop):
        lanes.state[lane] = HIDDEN
    elif stop >= lanes.end[lane]:
        lanes.state[lane] = SEEN
    else:
        lanes.part[lane] = stop
        lanes.state[lane] = WALKING
        return True
    return False


def lines(const double[:, ::1] heights, const double[::1] frame, const float[:, ::1] slabs,
          const Py_ssize_t[:, ::1] levels, const double[:, ::1] a, const double[:, ::1] b,
          const Py_ssize_t[::1] order, bint look, double[::1] part, unsigned char[::1] out):
    """out[k] = 1 where a[k] and b[k] see each other, else 0, for all k in order.

    frame : cell, west, north, least height, greatest height
    look : at the bends of the ground too. Without it out[k] is 2 where they would have to be
        looked at, and part[k] is how far on the way from b to a the line is clear of ground, or
        below 0 where that was not asked; with it, these are the lines to go on with.
    """
    cdef Ground g
    cdef Slabs planes
    cdef Abreast lanes, laid
    cdef Walker walkers[LANES]
    cdef double starts[3 * LANES]
    cdef double stops[3 * LANES]
    cdef Py_ssize_t k, i, following = 0, walking = 0, count = order.shape[0]
    cdef int lane, which
    lay_ground(&g, heights, frame, slabs, levels)
    lay_slabs(&planes, &g, levels)
    for lane in range(ABREAST):
        walkers[lane].who = -1
    with nogil:
        while count > 0:
            for lane in range(ABREAST):
                while True:
                    if walkers[lane].who >= 0:
                        if lanes.state[lane] == WALKING:
                            break
                        if (look and lanes.state[lane] == OPEN
                                and looks_on(&g, &walkers[lane], &lanes, lane)):
                            break
                        k = walkers[lane].who
                        out[k] = <unsigned char> lanes.state[lane]
                        part[k] = lanes.part[lane]
                        walkers[lane].who = -1
                        walking -= 1
                    if following == count:
                        park_abreast(&lanes, lane)
                        break
                    which = <int> (following % ABREAST)
                    if which == 0:
                        for i in range(ABREAST):
                            # The last line once more for those that lack.
                            k = order[min(following + i, count - 1)]
                            starts[3 * i], stops[3 * i] = b[k, 0], a[k, 0]
                            starts[3 * i + 1], stops[3 * i + 1] = b[k, 1], a[k, 1]
                            starts[3 * i + 2], stops[3 * i + 2] = b[k, 2], a[k, 2]
                            k = order[min(following + i + AHEAD, count - 1)]
                            fetch(&a[k, 0])
                            fetch(&b[k, 0])
                        lay_abreast(&planes, starts, stops, &frame[0], &laid)
                    k = order[following]
                    following += 1
                    take_abreast(&lanes, lane, &laid, which)
                    walkers[lane].who = k
                    walking += 1
                    if look:
                        at_place(&walkers[lane].start, &g, b[k, 0], b[k, 1], b[k, 2])
                        at_place(&walkers[lane].stop, &g, a[k, 0], a[k, 1], a[k, 2])
                        walkers[lane].laid = False
                        if part[k] < 0:
                            lanes.state[lane] = sees(&g, &walkers[lane].start,
                                                     &walkers[lane].stop)
                        else:
                            # Where slabs alone did not decide, the finest are those to go on with.
                            lanes.part[lane] = part[k]
                            lanes.state[lane] = OPEN
                            lanes.step[lane] *= FINEST / lanes.block[lane]
                            lanes.level[lane] = 0
                            lanes.block[lane] = FINEST
                            lanes.inverse[lane] = 1.0 / FINEST
            if walking == 0:
                break
            step_abreast(&planes, &lanes)


def centres(const double[:, ::1] heights, const double[::1] frame, const float[:, ::1] slabs,
            const Py_ssize_t[:, ::1] levels,
            const double[::1] eye, double target_height,
            const int[:, ::1] cells, unsigned char[::1] out):
    """out[k] = 1 where the eye sees a point target_height above the centre cells[k], else 0."""
    cdef Ground g
    cdef End origin, end
    cdef Py_ssize_t k, row, col
    lay_ground(&g, heights, frame, slabs, levels)
    with nogil:
        at_place(&origin, &g, eye[0], eye[1], eye[2])
        for k in range(cells.shape[0]):
            row, col = cells[k, 0], cells[k, 1]
            at_centre(&end, &g, row, col, heights[row, col] + target_height)
            out[k] = sees(&g, &end, &origin)


cdef inline int64_t rank_of(double z) noexcept nogil:
    """The place of a number among all doubles, 0 for 0."""
    cdef int64_t rank
    cdef double size = fabs(z)
    memcpy(&rank, &size, sizeof(double))
    return rank if z >= 0 else -rank


cdef inline double of_rank(int64_t rank) noexcept nogil:
    cdef double z
    cdef int64_t size = rank if rank >= 0 else -rank
    memcpy(&z, &size, sizeof(double))
    return z if rank >= 0 else -z


cdef double about_least(const Ground *g, const End *eye, const End *end) noexcept nogil:
    """The least height at which the end is seen, but for rounding."""
    cdef double least = height_near(g, end.u, end.v)
    cdef double run_u = end.u - eye.u
    cdef double run_v = end.v - eye.v
    cdef double start, run, first, last, part
    cdef int kind
    for kind in range(3):
        start = eye.u if kind == 0 else eye.v if kind == 1 else eye.u + eye.v
        run = run_u if kind == 0 else run_v if kind == 1 else run_u + run_v
        last = <double> (g.cols - 1 if kind == 0 else g.rows - 1 if kind == 1
                         else g.rows + g.cols - 2)
        if run == 0:
            continue
        first = max(ceil(min(start, start + run)), 0.0)
        last = min(floor(max(start, start + run)), last)
        while first <= last:
            part = (first - start) / run
            first += 1
            if 0 < part < 1:
                least = max(least, eye.z + (height_near(g, eye.u + part * run_u,
                                                        eye.v + part * run_v) - eye.z) / part)
    return least


cdef double least_seen(const Ground *g, const End *eye, double x, double y) noexcept nogil:
    """The least of all doubles that is seen as a height at x, y."""
    cdef End end
    cdef int64_t low, high, middle, step = 1
    cdef int64_t top = rank_of(INFINITY)
    end = eye[0]
    end.z = max(eye.z, g.high)
    if not sees(g, eye, &end):
        return INFINITY
    at_place(&end, g, x, y, eye.z)
    end.z = about_least(g, eye, &end)
    low = high = rank_of(end.z)
    if sees(g, eye, &end):
        while sees(g, eye, &end):
            high = low
            low -= step
            step *= 2
            end.z = of_rank(low)
    else:
        while not sees(g, eye, &end):
            low = high
            high += step
            step *= 2
            if high >= top:
                return INFINITY
            end.z = of_rank(high)
    while high - low > 1:
        middle = low + (high - low) // 2
        end.z = of_rank(middle)
        if sees(g, eye, &end):
            high = middle
        else:
            low = middle
    return of_rank(high)


def least(const double[:, ::1] heights, const double[::1] frame, const float[:, ::1] slabs,
          const Py_ssize_t[:, ::1] levels,
          const double[::1] eye, const double[:, ::1] spots, double[::1] out):
    """out[k] = the least height at spots[k] that the eye sees; infinite where it sees none."""
    cdef Ground g
    cdef End origin
    cdef Py_ssize_t k
    lay_ground(&g, heights, frame, slabs, levels)
    with nogil:
        at_place(&origin, &g, eye[0], eye[1], eye[2])
        for k in range(spots.shape[0]):
            out[k] = least_seen(&g, &origin, spots[k, 0], spots[k, 1])
