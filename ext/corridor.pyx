"""Sight corridors: how much of each is covered by what stands in it.

Callers go through ``emlia3d.geometry.corridor``, which checks what is assumed here: columns that
belong together (see `Outlines`), rows within range, scratch and output of the stated sizes.
"""

from libc.stdint cimport int32_t

from frame cimport Corridor, Edges, add_body, comes_first, lay_out
from outline cimport Outlines, touch
from sweep cimport Scratch, greatest_share, take_all


cdef bint may_reach(const Corridor *c, const double *box) noexcept nogil:
    """Whether a body's box, seen in the axis frame, comes into the corridor's.

    Much tighter than the two boxes on the map where the axis runs aslant.
    """
    cdef double x = 0.5 * (box[0] + box[2]) - c.ox
    cdef double y = 0.5 * (box[1] + box[3]) - c.oy
    cdef double half_x = 0.5 * (box[2] - box[0])
    cdef double half_y = 0.5 * (box[3] - box[1])
    cdef double east = abs(c.dx)
    cdef double north = abs(c.dy)
    cdef double s = x * c.dx + y * c.dy
    cdef double t = y * c.dx - x * c.dy
    cdef double reach_s = half_x * east + half_y * north + c.doubt
    cdef double reach_t = half_x * north + half_y * east + c.doubt
    return (s + reach_s > c.low.south and s - reach_s < c.low.north
            and t + reach_t > c.low.west and t - reach_t < c.high.east)


def fractions(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const int32_t[::1] bodies, const double[:, ::1] boxes,
              const double[:, ::1] centroids, const double[::1] hull_x,
              const double[::1] hull_y, const int32_t[::1] hulls,
              const int32_t[::1] observers, const int32_t[::1] targets,
              const int32_t[::1] obstacles, Py_ssize_t start, Py_ssize_t widest,
              double[::1] numbers, int32_t[::1] places,
              int32_t[::1] out_pair, int32_t[::1] out_obstacle, double[::1] out_fraction):
    """Fractions above 0, pair after pair from *start* on, while *out* has room.

    numbers : 48 * widest doubles, and the rest of it holds marks; places : 2 * widest
    out : room for at least one pair with every obstacle

    Returns the pair to go on from, the rows written, and whether the marks ran out of room, in
    which case nothing of the pair to go on from is written.
    """
    cdef Outlines o
    cdef Corridor c
    cdef Scratch w
    cdef Edges e
    cdef Py_ssize_t pairs = observers.shape[0] * targets.shape[0]
    cdef Py_ssize_t pair = start, count = 0, begun, i, j, k, obstacle
    cdef double fraction, west, south, east, north
    cdef const double *box
    cdef bint full = False
    if pairs == 0 or obstacles.shape[0] == 0:
        return pairs, 0, False
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.centroids = &boxes[0, 0], &centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    with nogil:
        take_all(&c, &w, &e, &numbers[0], <int *> &places[0], widest, widest,
                 numbers.shape[0] - 48 * widest)
        while pair < pairs and out_pair.shape[0] - count >= obstacles.shape[0]:
            i = observers[pair // targets.shape[0]]
            j = targets[pair % targets.shape[0]]
            if not comes_first(&o, i, j):
                i, j = j, i
            if i == j or touch(&o, i, j) or not lay_out(&c, &o, i, j):
                pair += 1
                continue
            west = min(boxes[i, 0], boxes[j, 0])
            south = min(boxes[i, 1], boxes[j, 1])
            east = max(boxes[i, 2], boxes[j, 2])
            north = max(boxes[i, 3], boxes[j, 3])
            begun = count
            for k in range(obstacles.shape[0]):
                obstacle = obstacles[k]
                box = o.boxes + 4 * obstacle
                if box[0] >= east or box[2] <= west or box[1] >= north or box[3] <= south:
                    continue
                if obstacle == i or obstacle == j or not may_reach(&c, box):
                    continue
                add_body(&e, &c, &o, obstacle)
                fraction = greatest_share(&c, &e, &w)
                if fraction < 0:
                    full = True
                    break
                if fraction > 0:
                    out_pair[count] = <int32_t> pair
                    out_obstacle[count] = <int32_t> obstacle
                    out_fraction[count] = fraction
                    count += 1
            if full:
                count = begun
                break
            pair += 1
    return pair, count, full
