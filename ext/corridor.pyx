"""Sight corridors: how much of each is covered by what stands in it.

Callers go through ``emlia3d.geometry.corridor``, which checks what is assumed here: columns that
belong together (see `Outlines`), rows within range, scratch and output of the stated sizes.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

from distance cimport to_segment
from circles cimport Search, near, take_search
from frame cimport SlopeLine, draw_line
from marks cimport take_all
from middle cimport shares_in_middle
from outline cimport Outlines, contains
from view cimport View, doubt_of, look_along, may_reach, swept


cdef void where_above(const SlopeLine *line, double top, double *start,
                      double *stop) noexcept nogil:
    """From where to where along the axis a top is above the sight line."""
    start[0], stop[0] = -INFINITY, INFINITY
    if line.climb > 0:
        stop[0] = (top - line.at_0) / line.climb
    elif line.climb < 0:
        start[0] = (top - line.at_0) / line.climb
    elif top <= line.at_0:
        stop[0] = -INFINITY


cdef double greatest_above(View *v, const Outlines *o, const SlopeLine *line, const double *tops,
                           Py_ssize_t hits, const uint64_t *shut) noexcept nogil:
    """The greatest fraction of one of what is near where its top is above the line; -1 for no room.

    shut : a bit for each body that covers all somewhere

    Those that are above it wherever they reach are brought to the front and measured first.
    """
    cdef const double *box
    cdef double south, north, start, stop, fraction, most = 0
    cdef Py_ssize_t k, body, whole = 0, above = 0
    for k in range(hits):
        body = v.near[k]
        box = o.boxes + 4 * body
        where_above(line, tops[body], &start, &stop)
        if (not may_reach(&v.c, box, doubt_of(&v.c, box), &south, &north)
                or north <= start or south >= stop):
            continue
        if start <= south and north <= stop:
            v.near[above], v.near[whole] = v.near[whole], <int32_t> body
            whole += 1
        else:
            v.near[above] = <int32_t> body
        above += 1
    shares_in_middle(&v.m, o, v.near, whole, shut, v.found)
    for k in range(whole):
        most = max(most, v.found[k])
    for k in range(above):
        if most == 1:
            break
        if k < whole and v.found[k] >= 0:
            continue
        where_above(line, tops[v.near[k]], &start, &stop)
        fraction = swept(v, o, v.near[k], start, stop)
        if fraction < 0:
            return -1
        most = max(most, fraction)
    return most


def fractions(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const int32_t[::1] bodies, const double[:, ::1] boxes,
              const double[:, ::1] to_centroids, const double[::1] hull_x,
              const double[::1] hull_y, const int32_t[::1] hulls,
              const double[::1] origin, double margin, const float[:, ::1] blocks,
              const float[:, ::1] circles, const int32_t[::1] observers, const int32_t[::1] targets,
              const int32_t[::1] obstacles,
              Py_ssize_t start, Py_ssize_t stop, Py_ssize_t widest,
              double[::1] numbers, int32_t[::1] places, uint64_t[:, ::1] marked,
              int32_t[::1] out_pair, int32_t[::1] out_obstacle, double[::1] out_fraction):
    """Fractions above 0, pair after pair from *start* to *stop*, while *out* has room.

    blocks, circles : x, y (from the origin) and radius of circles round sixteen obstacles each,
        and round one; and the radius of such as lie in it
    margin : by how much the circles may be off
    numbers : one for each circle, 48 * widest, and the rest of it holds marks
    places : 2 * widest, and one for each circle
    marked : two rows of zeros, a bit for each body
    out : room for at least one pair with every obstacle

    Returns the pair to go on from, the rows written, and whether the marks ran out of room, in
    which case nothing of the pair to go on from is written.
    """
    cdef Outlines o
    cdef Search n
    cdef View v
    cdef Py_ssize_t pair = start, count = 0, begun, hits, k
    cdef double fraction
    cdef bint full = False
    if obstacles.shape[0] == 0:
        return stop, 0, False
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    take_search(&n, blocks, circles, origin, margin, obstacles, marked)
    v.near, v.found = &places[2 * widest], &numbers[0]
    with nogil:
        take_all(&v.c, &v.w, &v.e, &numbers[n.circles.count], <int *> &places[0], widest, widest,
                 numbers.shape[0] - n.circles.count - 48 * widest)
        while pair < stop and out_pair.shape[0] - count >= obstacles.shape[0]:
            if not look_along(&v, &o, observers[pair // targets.shape[0]],
                              targets[pair % targets.shape[0]]):
                pair += 1
                continue
            hits = near(&n, &v.c, &v.m, v.a, v.b, v.near)
            shares_in_middle(&v.m, &o, v.near, hits, n.shut, v.found)
            begun = count
            for k in range(hits):
                fraction = v.found[k]
                if fraction < 0:
                    fraction = swept(&v, &o, v.near[k], -INFINITY, INFINITY)
                if fraction < 0:
                    full = True
                    break
                if fraction > 0:
                    out_pair[count] = <int32_t> pair
                    out_obstacle[count] = v.near[k]
                    out_fraction[count] = fraction
                    count += 1
            if full:
                count = begun
                break
            pair += 1
    return pair, count, full


def greatest(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
             const int32_t[::1] bodies, const double[:, ::1] boxes,
             const double[:, ::1] to_centroids, const double[::1] hull_x,
             const double[::1] hull_y, const int32_t[::1] hulls,
             const double[::1] origin, double margin, const float[:, ::1] blocks,
             const float[:, ::1] circles, const int32_t[::1] observers, const int32_t[::1] targets,
             const int32_t[::1] obstacles, const double[::1] tops,
             Py_ssize_t start, Py_ssize_t stop, Py_ssize_t widest,
             double[::1] numbers, int32_t[::1] places, uint64_t[:, ::1] marked, double[::1] out):
    """out[pair] = the greatest fraction of one obstacle where its top is above the sight line.

    tops : height of each body's top; the rest as in `fractions`, but out has a slot for each pair

    Returns the pair to go on from with more room for marks: *stop* when all is done.
    """
    cdef Outlines o
    cdef Search n
    cdef View v
    cdef SlopeLine line
    cdef Py_ssize_t pair = start, hits
    if obstacles.shape[0] == 0:
        out[start:stop] = 0
        return stop
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    take_search(&n, blocks, circles, origin, margin, obstacles, marked)
    v.near, v.found = &places[2 * widest], &numbers[0]
    with nogil:
        take_all(&v.c, &v.w, &v.e, &numbers[n.circles.count], <int *> &places[0], widest, widest,
                 numbers.shape[0] - n.circles.count - 48 * widest)
        while pair < stop:
            out[pair] = 0
            if look_along(&v, &o, observers[pair // targets.shape[0]],
                          targets[pair % targets.shape[0]]):
                draw_line(&line, &v.c, &o, v.a, v.b, tops[v.a], tops[v.b])
                hits = near(&n, &v.c, &v.m, v.a, v.b, v.near)
                out[pair] = greatest_above(&v, &o, &line, &tops[0], hits, n.shut)
            if out[pair] < 0:
                break
            pair += 1
    return pair


def inner_radii(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
                const int32_t[::1] bodies, const double[:, ::1] boxes,
                const int32_t[::1] rows, double[::1] out):
    """out[i] = radius of the greatest circle in a body round the middle of its box.

    rows : (n,) of bodies

    Minus infinity where the middle is not in the body.
    """
    cdef Outlines o
    cdef Py_ssize_t i, ring, k
    cdef double px, py, least
    if rows.shape[0] == 0:
        return
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    with nogil:
        for i in range(rows.shape[0]):
            px = 0.5 * (boxes[rows[i], 0] + boxes[rows[i], 2])
            py = 0.5 * (boxes[rows[i], 1] + boxes[rows[i], 3])
            least = INFINITY if contains(&o, rows[i], px, py) else -INFINITY
            for ring in range(o.bodies[rows[i]], o.bodies[rows[i] + 1]):
                for k in range(o.rings[ring], o.rings[ring + 1] - 1):
                    least = min(least, to_segment(px, py, o.x[k], o.y[k], o.x[k + 1], o.y[k + 1]))
            out[i] = least
