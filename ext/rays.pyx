"""Lines of sight over the ground, one for each pair of places.

Callers go through ``emlia3d.geometry.sightline``, which checks what is assumed here: finite
numbers, columns of one length, slabs that belong to the heights.
"""

from libc.math cimport INFINITY, ceil, fabs, floor
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from line cimport (
    HEIGHT_DOUBT, Line, PLACE_DOUBT, blocked_at_bends, lay_line, sees,
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
        OPEN
        WALKING
        DOUBTFUL
        HIDDEN
        SEEN
        SOUNDED

    struct Slabs:
        const float *planes
        Py_ssize_t *first
        Py_ssize_t *cols
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
        int *state

    void lay_abreast(const Slabs *slabs, const double *start, const double *stop,
                     const double *frame, Abreast *abreast) noexcept
    void step_abreast(const Slabs *slabs, Abreast *abreast) noexcept
    void clear_abreast(Abreast *abreast) noexcept
    void take_abreast(Abreast *abreast, int lane, const Abreast *laid, int which) noexcept

cdef extern from "bends.h" nogil:
    struct Bed:
        pass

    void lay_bed(Bed *bed, const double *heights, double rows, double cols, double steep) noexcept
    void look_abreast(const Bed *bed, Abreast *abreast) noexcept

cdef enum:
    AHEAD = 32          # lines
    LANES = 32          # no fewer than walk abreast
    FIRST_PIECES = 2    # walked before a line takes a lane, as many are settled by then
    MOST_PLACES = 0x7fffffff    # that bends.h counts


cdef void lay_ground(Ground *g, const double[:, ::1] heights, const double[::1] frame,
                     const float[:, ::1] slabs, const Py_ssize_t[:, ::1] levels):
    g.heights, g.rows, g.cols = &heights[0, 0], heights.shape[0], heights.shape[1]
    g.cell, g.west, g.north, g.low, g.high = frame[0], frame[1], frame[2], frame[3], frame[4]
    g.slabs, g.levels = <const Slab *> &slabs[0, 0], &levels[0, 0]
    g.coarsest = levels.shape[0] - 1


cdef void lay_slabs(Slabs *s, const Ground *g, const Py_ssize_t[:, ::1] levels):
    cdef Py_ssize_t level
    s.planes = &g.slabs[0].middle
    s.coarsest = <int> g.coarsest
    s.finest = FINEST
    s.last_u, s.last_v = <double> (g.cols - 1), <double> (g.rows - 1)
    if g.rows > MOST_PLACES // g.cols:
        # As ground without an area, which nobody walks abreast over.
        s.last_u = s.last_v = 0
    s.place_doubt, s.height_doubt = PLACE_DOUBT, HEIGHT_DOUBT
    for level in range(levels.shape[0]):
        s.first[level] = levels[level, 0]
        s.cols[level] = levels[level, 2]


cdef bint looks_again(const Ground *g, const double *place, const double *other,
                      Abreast *lanes, int lane) noexcept nogil:
    """Look without rounding at the bends that doubles left open; whether the line walks on."""
    cdef End start, stop
    cdef Line line
    cdef double end = min(lanes.part[lane] + lanes.step[lane], lanes.end[lane])
    at_place(&start, g, place[0], place[1], place[2])
    at_place(&stop, g, other[0], other[1], other[2])
    lay_line(&line, g, &start, &stop)
    if blocked_at_bends(g, &line, &start, &stop, lanes.part[lane], end):
        lanes.state[lane] = HIDDEN
    elif end >= lanes.end[lane]:
        lanes.state[lane] = SEEN
    else:
        lanes.part[lane] = <float> end
        lanes.state[lane] = WALKING
        return True
    return False


def lines(const double[:, ::1] heights, const double[::1] frame, const float[:, ::1] slabs,
          const Py_ssize_t[:, ::1] levels, const double[:, ::1] a, const double[:, ::1] b,
          unsigned char[::1] out):
    """out[k] = 1 where a[k] and b[k] see each other, else 0.

    frame : cell, west, north, least height, greatest height
    """
    cdef Ground g
    cdef Slabs planes
    cdef Bed bed
    # Those who walk, those who wait to look at bends until enough do, and those who have.
    cdef Abreast walkers, lookers, back, laid
    cdef Py_ssize_t who[LANES]
    cdef Py_ssize_t who_looks[LANES]
    cdef Py_ssize_t who_is_back[LANES]
    cdef double starts[3 * LANES]
    cdef double stops[3 * LANES]
    cdef Py_ssize_t k, i, _i, following = 0, count = a.shape[0]
    cdef int lane, which, state, looking = 0, returned = 0, walking
    cdef End start, stop
    lay_ground(&g, heights, frame, slabs, levels)
    lay_slabs(&planes, &g, levels)
    lay_bed(&bed, g.heights, <double> g.rows, <double> g.cols, 2 * (g.high - g.low))
    clear_abreast(&walkers)
    clear_abreast(&lookers)
    for lane in range(ABREAST):
        who[lane] = -1
    with nogil:
        while True:
            walking = 0
            for lane in range(ABREAST):
                while True:
                    k = who[lane]
                    if k >= 0:
                        state = walkers.state[lane]
                        if state == WALKING or state == SOUNDED:
                            walking += 1
                            break
                        if state == OPEN:
                            if looking == ABREAST:
                                break
                            take_abreast(&lookers, looking, &walkers, lane)
                            who_looks[looking] = k
                            looking += 1
                        else:
                            out[k] = <unsigned char> state
                        who[lane] = -1
                        walkers.state[lane] = SEEN
                    if returned > 0:
                        returned -= 1
                        take_abreast(&walkers, lane, &back, returned)
                        who[lane] = who_is_back[returned]
                        continue
                    if following == count:
                        break
                    which = <int> (following % ABREAST)
                    if which == 0:
                        for i in range(ABREAST):
                            # The last line once more for those that lack.
                            k = min(following + i, count - 1)
                            starts[3 * i], stops[3 * i] = b[k, 0], a[k, 0]
                            starts[3 * i + 1], stops[3 * i + 1] = b[k, 1], a[k, 1]
                            starts[3 * i + 2], stops[3 * i + 2] = b[k, 2], a[k, 2]
                            k = min(following + i + AHEAD, count - 1)
                            fetch(&a[k, 0])
                            fetch(&b[k, 0])
                        lay_abreast(&planes, starts, stops, &frame[0], &laid)
                        for _i in range(FIRST_PIECES):
                            step_abreast(&planes, &laid)
                    k = following
                    following += 1
                    if laid.state[which] == SEEN or laid.state[which] == HIDDEN:
                        out[k] = <unsigned char> laid.state[which]
                        continue
                    if laid.part[which] < 0:
                        at_place(&start, &g, b[k, 0], b[k, 1], b[k, 2])
                        at_place(&stop, &g, a[k, 0], a[k, 1], a[k, 2])
                        out[k] = sees(&g, &start, &stop)
                        continue
                    take_abreast(&walkers, lane, &laid, which)
                    who[lane] = k
            if looking == ABREAST or (looking > 0 and walking == 0):
                for lane in range(looking, ABREAST):
                    lookers.state[lane] = SEEN
                look_abreast(&bed, &lookers)
                for lane in range(looking):
                    k = who_looks[lane]
                    state = lookers.state[lane]
                    if state == WALKING or (state == DOUBTFUL and looks_again(
                            &g, &b[k, 0], &a[k, 0], &lookers, lane)):
                        take_abreast(&back, returned, &lookers, lane)
                        who_is_back[returned] = k
                        returned += 1
                    else:
                        out[k] = <unsigned char> lookers.state[lane]
                looking = 0
            elif walking == 0:
                break
            else:
                step_abreast(&planes, &walkers)


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
