"""What stands in sight corridors, as far as the answer can turn on it; and who is hidden by it.

A question is one observer and one observed. What hides by itself is looked for first: of those
whom it hides wholly nothing more is told. Of all others what stands in the corridor is told unless
it counts for nothing by its height. Callers go through
``emlia3d.rules.emlia.kernels.corridor_obstacles``, which gives scratch of the stated size; that
columns belong together and rows are within range is assumed.
"""

from libc.math cimport INFINITY, isnan
from libc.stdint cimport int32_t, uint8_t, uint64_t

from circles cimport Search, near, take_search
from marks cimport take_all
from middle cimport shares_in_middle
from shadow_rules cimport HALF, NOTHING, PARTIAL, TALL, Heights, case_under, heights_of
from solidity cimport NOT_SOLID, NOT_TESTED, SOLID, Bodies, point, solidity
from view cimport View, look_along, swept

# Whether an obstacle counts at all.
cdef enum:
    ALWAYS = 0
    IF_SOLID = 1
    NEVER = 2

# Stands for the case of what does not count.
cdef enum:
    PASSED = 255

cdef extern from *:
    """
    /* Stand for the share of a body that has not been measured, and of one that wants a sweep. */
    static const double UNMEASURED = -2;
    static const double UNSWEPT = -1;
    """
    const double UNMEASURED
    const double UNSWEPT


cdef struct Crowd:
    # What comes near a corridor, rows rising, and of each its share of the width, its case and
    # whether it is solid; the shares hold both ways, the rest is one question's.
    Py_ssize_t count
    const int32_t *rows
    double *shares
    uint8_t *which
    uint8_t *is_solid
    # Room to measure some of them together.
    int32_t *places
    int32_t *together
    double *found


cdef void gather(Crowd *c, View *v, const Search *n) noexcept nogil:
    """List what comes near the corridor; of what is known to reach from side to side the share."""
    cdef Py_ssize_t k, row
    c.count = near(n, &v.c, &v.m, v.a, v.b, v.near)
    for k in range(c.count):
        row = c.rows[k]
        c.shares[k] = 1 if n.shut[row >> 6] >> (row & 63) & 1 else UNMEASURED


cdef inline bint may_hide_wholly(const Bodies *b, Py_ssize_t row, int which,
                                 bint camouflaged) noexcept nogil:
    """Whether a body of that case by heights can hide anybody wholly: what is sparse never does."""
    return (which != HALF and which != NOTHING
            and (camouflaged or b.solid[row] or not isnan(b.thickness[row])))


cdef void tell_apart(Crowd *c, const Bodies *b, const Heights *heights, const double[::1] tops,
                     const uint8_t[::1] counts, const uint8_t *camouflaged, Py_ssize_t own,
                     bint wholly, bint every) noexcept nogil:
    """What each is by heights, for one question; PASSED what does not count, unless all do.

    wholly : whether only that counts which may hide wholly
    """
    cdef Py_ssize_t k
    for k in range(c.count):
        c.is_solid[k] = NOT_TESTED
        c.which[k] = PASSED
        if c.rows[k] != own and counts[c.rows[k]] != NEVER:
            c.which[k] = <uint8_t> case_under(heights, tops[c.rows[k]])
            if (c.which[k] == NOTHING and not every
                    or wholly and not may_hide_wholly(b, c.rows[k], c.which[k],
                                                      camouflaged[c.rows[k]])):
                c.which[k] = PASSED


cdef void measure_in_middle(Crowd *c, View *v, const Bodies *b, const uint64_t *shut,
                            bint tall) noexcept nogil:
    """Measure those that count, or of them those that are as tall as both ends alone."""
    cdef Py_ssize_t k, count = 0
    for k in range(c.count):
        if c.shares[k] == UNMEASURED and c.which[k] != PASSED and (c.which[k] == TALL or not tall):
            c.places[count] = <int32_t> k
            c.together[count] = c.rows[k]
            count += 1
    shares_in_middle(&v.m, &b.o, c.together, count, shut, c.found)
    for k in range(count):
        c.shares[c.places[k]] = c.found[k]


cdef bint sweep(Crowd *c, View *v, const Bodies *b, bint tall) noexcept nogil:
    """Measure what is not in the middle; False for no room."""
    cdef Py_ssize_t k
    for k in range(c.count):
        if c.shares[k] == UNSWEPT and c.which[k] != PASSED and (c.which[k] == TALL or not tall):
            c.shares[k] = swept(v, &b.o, c.rows[k], -INFINITY, INFINITY)
            if c.shares[k] < 0:
                return False
    return True


cdef bint is_hidden(Crowd *c, const Bodies *b, const int32_t *ends, const uint8_t *camouflaged,
                    double half, int32_t *by) noexcept nogil:
    """Whether a solid body as tall as both ends fills half of the corridor, as far as measured.

    by : the row of the last that does for whoever is observed; -1 where there is none
    """
    cdef Py_ssize_t k
    cdef bint hidden = False
    by[0] = -1
    for k in range(c.count):
        if c.which[k] == TALL and c.shares[k] >= half:
            if c.is_solid[k] == NOT_TESTED:
                c.is_solid[k] = <uint8_t> solidity(b, c.rows[k], ends[0], ends[1],
                                                   camouflaged[c.rows[k]])
            if c.is_solid[k] == SOLID:
                hidden = True
                if not camouflaged[c.rows[k]]:
                    by[0] = c.rows[k]
    return hidden


cdef bint settle(Crowd *c, View *v, const Bodies *b, const uint64_t *shut, const int32_t *ends,
                 const uint8_t *camouflaged, double half, bint every, bint *hidden,
                 int32_t *by) noexcept nogil:
    """Measure what counts; False for no room. What comes first is what may hide by itself.

    every : even if one that is hidden is found so
    """
    cdef int step
    if every:
        measure_in_middle(c, v, b, shut, False)
        if not sweep(c, v, b, False):
            return False
        hidden[0] = is_hidden(c, b, ends, camouflaged, half, by)
        return True
    for step in range(3):
        if step == 1:
            measure_in_middle(c, v, b, shut, True)
        elif step == 2 and not sweep(c, v, b, True):
            return False
        hidden[0] = is_hidden(c, b, ends, camouflaged, half, by)
        if hidden[0]:
            return True
    measure_in_middle(c, v, b, shut, False)
    return sweep(c, v, b, False)


cdef inline bint look_back(const int32_t[:, ::1] ends, Py_ssize_t q) noexcept nogil:
    """Whether a question is asked of the same two as the one before it."""
    return (ends[q, 0] == ends[q - 1, 1] and ends[q, 1] == ends[q - 1, 0]
            or ends[q, 0] == ends[q - 1, 0] and ends[q, 1] == ends[q - 1, 1])


def between(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
            const int32_t[::1] bodies, const double[:, ::1] boxes,
            const double[:, ::1] to_centroids, const double[::1] hull_x,
            const double[::1] hull_y, const int32_t[::1] hulls, const uint8_t[::1] solid,
            const double[::1] thickness, const double[::1] tops,
            const uint8_t[:, ::1] camouflaged, Py_ssize_t widest,
            const uint8_t[::1] counts, const double[::1] origin, double margin,
            const float[:, ::1] blocks, const float[:, ::1] circles, const int32_t[::1] obstacles,
            const int32_t[:, ::1] ends, const double[:, ::1] observers,
            const double[:, ::1] observed, const int32_t[:, ::1] units, const int32_t[::1] own,
            const uint8_t[::1] crouched, const uint8_t[::1] floors,
            const Py_ssize_t[::1] area_starts,
            const int32_t[::1] areas, double half, bint every, Py_ssize_t begin, Py_ssize_t stop,
            double[::1] numbers, int32_t[::1] places, uint8_t[:, ::1] cases,
            uint64_t[:, ::1] marked,
            int32_t[::1] out_rows, double[::1] out_shares, uint8_t[::1] out_which,
            uint8_t[::1] out_solid, Py_ssize_t[::1] out_counts, uint8_t[::1] hidden,
            int32_t[::1] by, uint8_t[::1] touching):
    """What counts in each corridor, question after question while *out* has room.

    tops, counts : (h,) of the obstacles, the first bodies: height, and ALWAYS, IF_SOLID or NEVER
    camouflaged : (u, h) whether each is solid to those who belong to a unit
    origin, margin, blocks, circles, obstacles : as in `corridor.fractions`
    ends : (n, 2) rows of the observer and the observed; one after another, two who look at each
        other have their corridor measured once
    observers, observed : (n, 4) footing, height, size and reach
    units, own : to which units the two belong, and the row of one that never counts
    floors : (n,) how much the observed is concealed anyhow
    area_starts, areas : what stands in corridors of those who touch, question q having the rows
        area_starts[q] to area_starts[q + 1] of areas; or both are empty
    every : whether all that stands there is told, whoever is hidden and however low it is
    numbers, places, cases, marked : two numbers, three places and two cases for each circle; 56
        * widest + 8 numbers, and the rest for marks; 2 * widest places; two rows of zeros, a bit
        for each body
    out_rows, out_shares, out_which, out_solid : room for one question with every obstacle at least;
        the row, the share of the width, the case by heights, and NOT_SOLID, SOLID, UNCERTAIN or
        NOT_TESTED
    out_counts : (n,) how many rows each question has
    hidden, by : (n,) whether a solid body as tall as both ends fills half of the corridor, and
        the row of one that does for whoever is observed; -1 where there is none
    touching : (n,) whether the two touch

    Returns the question to go on from, the rows written, and whether the marks ran out of room, in
    which case nothing of the question to go on from is written.
    """
    cdef Bodies b
    cdef Search n
    cdef View v
    cdef Crowd c
    cdef Heights heights
    cdef Py_ssize_t q = begin, k, first, count = 0, circle_count = circles.shape[1]
    cdef bint is_found, all_count, wholly, full = False
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, &numbers[2 * circle_count])
    take_search(&n, blocks, circles, origin, margin, obstacles, marked)
    v.near = &places[2 * widest]
    c.rows, c.places, c.together = v.near, v.near + circle_count, v.near + 2 * circle_count
    c.shares, c.found = &numbers[0], &numbers[circle_count]
    c.which, c.is_solid = &cases[0, 0], &cases[1, 0]
    with nogil:
        take_all(&v.c, &v.w, &v.e, &numbers[2 * circle_count + 8 * widest + 8], <int *> &places[0],
                 widest, widest, numbers.shape[0] - 2 * circle_count - 56 * widest - 8)
        while q < stop and out_rows.shape[0] - count >= obstacles.shape[0]:
            if q == begin or not look_back(ends, q):
                c.count = 0
                if look_along(&v, &b.o, ends[q, 0], ends[q, 1]):
                    gather(&c, &v, &n)
                elif v.touch and area_starts.shape[0]:
                    for k in range(area_starts[q], area_starts[q + 1]):
                        v.near[c.count] = areas[k]
                        c.shares[c.count] = 1
                        c.count += 1
            touching[q] = v.touch
            heights = heights_of(&observers[q, 0], &observed[q, 0])
            wholly = floors[q] >= PARTIAL and not every
            all_count = every or crouched[q]
            tell_apart(&c, &b, &heights, tops, counts, &camouflaged[units[q, 1], 0], own[q],
                       wholly, all_count)
            is_found = False
            by[q] = -1
            if not settle(&c, &v, &b, n.shut, &ends[q, 0], &camouflaged[units[q, 1], 0], half,
                          every, &is_found, &by[q]):
                full = True
                break
            hidden[q] = is_found
            first = count
            for k in range(0 if is_found and not every else c.count):
                if c.which[k] == PASSED or c.shares[k] <= 0:
                    continue
                if counts[c.rows[k]] == IF_SOLID and c.is_solid[k] == NOT_TESTED:
                    c.is_solid[k] = <uint8_t> solidity(&b, c.rows[k], ends[q, 0], ends[q, 1],
                                                       camouflaged[units[q, 1], c.rows[k]])
                if counts[c.rows[k]] == IF_SOLID and c.is_solid[k] == NOT_SOLID:
                    continue
                out_rows[count], out_shares[count] = c.rows[k], c.shares[k]
                out_which[count], out_solid[count] = c.which[k], c.is_solid[k]
                count += 1
            out_counts[q] = count - first
            q += 1
    return q, count, full
