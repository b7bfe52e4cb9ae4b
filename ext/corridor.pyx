"""Sight corridors: how much of each is covered by what stands in it.

Callers go through ``emlia3d.geometry.corridor``, which checks what is assumed here: columns that
belong together (see `Outlines`), rows within range, scratch and output of the stated sizes.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t

from circles cimport Circles, near, take_circles
from frame cimport (
    Corridor, Edges, Line, add_body, comes_first, doubt_within, draw_line, lay_out, reach_of,
)
from middle cimport Middle, find_middle, share_in_middle
from outline cimport Outlines, touch
from sorting cimport shellsort
from sweep cimport Scratch, greatest_share, take_all


cdef struct View:
    # One corridor and what is needed to measure in it.
    Py_ssize_t a
    Py_ssize_t b
    Corridor c
    Middle m
    Edges e
    Scratch w


cdef bint may_reach(const Corridor *c, const double *box, double doubt, double *south,
                    double *north) noexcept nogil:
    """Whether a body's box, seen in the axis frame, comes into the corridor's, and from where to
    where.

    Much tighter than the two boxes on the map where the axis runs aslant.
    """
    cdef double x = 0.5 * ((box[0] - c.ox) + (box[2] - c.ox))
    cdef double y = 0.5 * ((box[1] - c.oy) + (box[3] - c.oy))
    cdef double half_x = 0.5 * (box[2] - box[0])
    cdef double half_y = 0.5 * (box[3] - box[1])
    cdef double east = fabs(c.dx)
    cdef double ahead = fabs(c.dy)
    cdef double s = x * c.dx + y * c.dy
    cdef double t = y * c.dx - x * c.dy
    cdef double reach_s = half_x * east + half_y * ahead + doubt
    cdef double reach_t = half_x * ahead + half_y * east + doubt
    south[0] = s - reach_s
    north[0] = s + reach_s
    return (north[0] > c.low.south and south[0] < c.low.north
            and t + reach_t > c.low.west and t - reach_t < c.high.east)


cdef bint look_along(View *v, const Outlines *o, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    """Lay out the corridor between two bodies; False where there is none."""
    v.a, v.b = (i, j) if comes_first(o, i, j) else (j, i)
    if i == j or touch(o, v.a, v.b) or not lay_out(&v.c, o, v.a, v.b):
        return False
    find_middle(&v.m, &v.c)
    return True


cdef double fraction_of(View *v, const Outlines *o, Py_ssize_t body, double start,
                        double stop) noexcept nogil:
    """The fraction that a body covers from s = start to s = stop; -1 for no room."""
    cdef const double *box = o.boxes + 4 * body
    cdef double doubt = max(v.c.doubt, doubt_within(&v.c, reach_of(&v.c, box)))
    cdef double south, north, found = -1
    if body == v.a or body == v.b or not may_reach(&v.c, box, doubt, &south, &north):
        return 0
    if north <= start or south >= stop:
        return 0
    if start <= south and north <= stop:
        found = share_in_middle(&v.m, &v.c, o, body, doubt)
    if found < 0:
        add_body(&v.e, &v.c, o, body, doubt)
        found = greatest_share(&v.c, &v.e, &v.w, doubt, start, stop)
    return found


cdef double fraction_above(View *v, const Outlines *o, Py_ssize_t body, const Line *line,
                           double top) noexcept nogil:
    """The fraction that a body covers where its top is above the sight line; -1 for no room."""
    if line.climb > 0:
        return fraction_of(v, o, body, -INFINITY, (top - line.at_0) / line.climb)
    if line.climb < 0:
        return fraction_of(v, o, body, (top - line.at_0) / line.climb, INFINITY)
    return fraction_of(v, o, body, -INFINITY, INFINITY) if top > line.at_0 else 0


def fractions(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const int32_t[::1] bodies, const double[:, ::1] boxes,
              const double[:, ::1] to_centroids, const double[::1] hull_x,
              const double[::1] hull_y, const int32_t[::1] hulls,
              const double[::1] origin, const float[:, ::1] blocks,
              const float[:, ::1] circles, const int32_t[::1] observers, const int32_t[::1] targets,
              const int32_t[::1] obstacles, bint paired,
              Py_ssize_t start, Py_ssize_t stop, Py_ssize_t widest,
              double[::1] numbers, int32_t[::1] places,
              int32_t[::1] out_pair, int32_t[::1] out_obstacle, double[::1] out_fraction):
    """Fractions above 0, pair after pair from *start* to *stop*, while *out* has room.

    paired : whether the pairs are each observer with its target, not each with all
    blocks, circles : x, y (from the origin) and radius; of each sixteen obstacles, and of each
    numbers : 48 * widest doubles, and the rest of it holds marks
    places : 2 * widest, and one for each circle
    out : room for at least one pair with every obstacle

    Returns the pair to go on from, the rows written, and whether the marks ran out of room, in
    which case nothing of the pair to go on from is written.
    """
    cdef Outlines o
    cdef Circles g, h
    cdef View v
    cdef Py_ssize_t pair = start, count = 0, begun, hits, k, body
    cdef double fraction
    cdef int32_t *reached
    cdef bint full = False
    if obstacles.shape[0] == 0:
        return stop, 0, False
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    take_circles(&h, blocks)
    take_circles(&g, circles)
    reached = &places[2 * widest]
    with nogil:
        take_all(&v.c, &v.w, &v.e, &numbers[0], <int *> &places[0], widest, widest,
                 numbers.shape[0] - 48 * widest)
        while pair < stop and out_pair.shape[0] - count >= obstacles.shape[0]:
            if not look_along(&v, &o, observers[pair if paired else pair // targets.shape[0]],
                              targets[pair if paired else pair % targets.shape[0]]):
                pair += 1
                continue
            hits = near(&h, &g, &v.c, &origin[0], &obstacles[0], reached)
            shellsort(reached, hits)
            begun = count
            for k in range(hits):
                body = reached[k]
                fraction = fraction_of(&v, &o, body, -INFINITY, INFINITY)
                if fraction < 0:
                    full = True
                    break
                if fraction > 0:
                    out_pair[count] = <int32_t> pair
                    out_obstacle[count] = <int32_t> body
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
             const double[::1] origin, const float[:, ::1] blocks,
             const float[:, ::1] circles, const int32_t[::1] observers, const int32_t[::1] targets,
             const int32_t[::1] obstacles, const double[::1] tops,
             Py_ssize_t start, Py_ssize_t stop, Py_ssize_t widest,
             double[::1] numbers, int32_t[::1] places, double[::1] out):
    """out[pair] = the greatest fraction of one obstacle where its top is above the sight line.

    tops : height of each body's top; the rest as in `fractions`, but out has a slot for each pair

    Returns the pair to go on from with more room for marks: *stop* when all is done.
    """
    cdef Outlines o
    cdef Circles g, h
    cdef View v
    cdef Line line
    cdef Py_ssize_t pair = start, hits, k, body
    cdef double fraction, most
    cdef int32_t *reached
    if obstacles.shape[0] == 0:
        out[start:stop] = 0
        return stop
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    take_circles(&h, blocks)
    take_circles(&g, circles)
    reached = &places[2 * widest]
    with nogil:
        take_all(&v.c, &v.w, &v.e, &numbers[0], <int *> &places[0], widest, widest,
                 numbers.shape[0] - 48 * widest)
        while pair < stop:
            out[pair] = most = 0
            if look_along(&v, &o, observers[pair // targets.shape[0]],
                          targets[pair % targets.shape[0]]):
                draw_line(&line, &v.c, &o, v.a, v.b, tops[v.a], tops[v.b])
                hits = near(&h, &g, &v.c, &origin[0], &obstacles[0], reached)
                for k in range(hits):
                    if most == 1:
                        break
                    body = reached[k]
                    fraction = fraction_above(&v, &o, body, &line, tops[body])
                    if fraction < 0:
                        most = -1
                        break
                    most = max(most, fraction)
            if most < 0:
                break
            out[pair] = most
            pair += 1
    return pair
