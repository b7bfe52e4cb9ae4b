"""Bodies in sight corridors that can decide the answers, and bodies that hide by themselves.

A question is one observer and one observed. A body that hides the observed wholly by itself is
looked for first; if there is one, no others are listed. Otherwise all bodies in the corridor are
listed but those too low to count. Callers go through
``emlia3d.rules.emlia.kernels.corridor_obstacles``, which gives scratch of the stated size; that
columns belong together and rows are within range is assumed.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from circles cimport Search, take_search
from in_corridor cimport Between, Candidates, Kinds, Question, gather, list_between
from marks cimport take_all
from shadow_rules cimport PARTIAL
from solidity cimport Bodies, point
from view cimport View, look_along


cdef inline bint look_back(const int32_t[:, ::1] ends, Py_ssize_t q) noexcept nogil:
    """Return whether a question is asked of the same two as the one before it."""
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
    """Find the bodies that count in each corridor while *out* has room.

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
    cdef Candidates c
    cdef Kinds kinds
    cdef Question asked
    cdef Between out
    cdef Py_ssize_t q = begin, k, listed, count = 0, circle_count = circles.shape[1]
    cdef bint is_found, full = False
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, &numbers[2 * circle_count])
    take_search(&n, blocks, circles, origin, margin, obstacles, marked)
    kinds.tops, kinds.counts = &tops[0], &counts[0]
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
            asked.ends[0], asked.ends[1] = ends[q, 0], ends[q, 1]
            asked.observer, asked.observed = &observers[q, 0], &observed[q, 0]
            asked.camouflaged, asked.own = &camouflaged[units[q, 1], 0], own[q]
            asked.crouched, asked.partly = crouched[q], floors[q] >= PARTIAL
            out.rows, out.shares = &out_rows[0] + count, &out_shares[0] + count
            out.which, out.is_solid = &out_which[0] + count, &out_solid[0] + count
            is_found = False
            listed = list_between(&c, &v, &b, n.shut, &kinds, &asked, half, every, &out, &is_found,
                                  &by[q])
            if listed < 0:
                full = True
                break
            hidden[q] = is_found
            out_counts[q] = listed
            count += listed
            q += 1
    return q, count, full
