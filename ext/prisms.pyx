"""The least height that an eye sees over upright bodies, place by place.

Callers go through ``emlia3d.geometry.prisms``, which checks what is assumed here: finite numbers,
rows that are there, closed rings, and room in `parts` for twice as many numbers as the largest
body has points, on each side.

A body reaches from far below up to its top. A line of sight leads from the eye (part 0) to the
place (part 1). The line as it runs on the plan is looked at from a hair to its left and from a
hair to its right, and is in a body only where both are: so a line along an edge, or through a
corner, touches and no more.
"""

from libc.math cimport INFINITY, sqrt

from orient cimport turn

cdef enum:
    LEFT = 0
    RIGHT = 1


cdef struct GroundLine:
    double x
    double y
    double east
    double north
    double square       # of its length


cdef inline double part_of(const GroundLine *line, double x, double y) noexcept nogil:
    return ((x - line.x) * line.east + (y - line.y) * line.north) / line.square


cdef inline double crossing(const GroundLine *line, double px, double py, int p,
                            double qx, double qy, int q) noexcept nogil:
    """Return where an edge crosses the line; its ends lie on sides p and q of it, 0 for on it."""
    cdef double near, far, share
    if p == 0:
        return part_of(line, px, py)
    if q == 0:
        return part_of(line, qx, qy)
    near = line.east * (py - line.y) - line.north * (px - line.x)
    far = line.east * (qy - line.y) - line.north * (qx - line.x)
    share = near / (near - far)
    return part_of(line, px + share * (qx - px), py + share * (qy - py))


cdef inline void put_in_order(double *parts, Py_ssize_t count, double part) noexcept nogil:
    cdef Py_ssize_t at = count
    while at > 0 and parts[at - 1] > part:
        parts[at] = parts[at - 1]
        at -= 1
    parts[at] = part


cdef inline bint misses(const GroundLine *line, const double *box) noexcept nogil:
    """Return whether the line keeps clear of a box: west, south, east, north."""
    cdef double x = line.x + line.east
    cdef double y = line.y + line.north
    cdef double middle, reach
    if (max(line.x, x) < box[0] or min(line.x, x) > box[2]
            or max(line.y, y) < box[1] or min(line.y, y) > box[3]):
        return True
    middle = (line.east * ((box[1] + box[3]) / 2 - line.y)
              - line.north * ((box[0] + box[2]) / 2 - line.x))
    reach = (abs(line.east) * (box[3] - box[1]) + abs(line.north) * (box[2] - box[0])) / 2
    return abs(middle) > reach * (1 + 1e-9) + 1e-9


cdef inline double over(double eye, double top, double first, double last) noexcept nogil:
    """The least height at the line's end that clears a top between two parts of the line."""
    if top > eye:
        return eye + (top - eye) / first if first > 0 else INFINITY
    return top if last >= 1 else eye - (eye - top) / last


cdef double least_past(const GroundLine *line, double eye, double top, double touch,
                       const double[::1] x, const double[::1] y,
                       const int[::1] rings, int first_ring, int end_ring,
                       double *left, double *right) noexcept nogil:
    cdef Py_ssize_t counts[2]
    cdef Py_ssize_t ring, point, a, b
    cdef int p, q
    cdef double first, last, part
    cdef double least = -INFINITY
    counts[LEFT] = counts[RIGHT] = 0
    for ring in range(first_ring, end_ring):
        q = turn(line.x, line.y, line.x + line.east, line.y + line.north,
                 x[rings[ring]], y[rings[ring]])
        for point in range(rings[ring], rings[ring + 1] - 1):
            p = q
            q = turn(line.x, line.y, line.x + line.east, line.y + line.north,
                     x[point + 1], y[point + 1])
            if p == q:
                continue
            part = crossing(line, x[point], y[point], p, x[point + 1], y[point + 1], q)
            if (p > 0) != (q > 0):
                put_in_order(left, counts[LEFT], part)
                counts[LEFT] += 1
            if (p >= 0) != (q >= 0):
                put_in_order(right, counts[RIGHT], part)
                counts[RIGHT] += 1
    a = b = 0
    while a + 1 < counts[LEFT] and b + 1 < counts[RIGHT]:
        first = max(left[a], right[b], 0.0)
        last = min(left[a + 1], right[b + 1], 1.0)
        if last - first > touch:
            least = max(least, over(eye, top, first, last))
        if left[a + 1] < right[b + 1]:
            a += 2
        else:
            b += 2
    return least


def least(const double[::1] x, const double[::1] y, const int[::1] rings, const int[::1] bodies,
          const double[:, ::1] boxes, const double[::1] tops, const int[::1] rows,
          const double[:, ::1] around, const int[:, ::1] nodes, const double[::1] eye,
          const double[:, ::1] spots, double touch, double[:, ::1] parts,
          double[::1] out, int[::1] by):
    """out[k] = the least height at spots[k] seen past all rows, by[k] = the row that sets it.

    around : the boxes of nodes; nodes : the next node after each if the line misses its box, and
        the first and the end of its rows
    touch : GSU that a line may be in a body and yet only touch it
    by : -1, and out minus infinity, where no body is in the way
    """
    cdef GroundLine line
    cdef Py_ssize_t k, n, node
    cdef int body
    cdef double found
    with nogil:
        line.x, line.y = eye[0], eye[1]
        for k in range(spots.shape[0]):
            out[k], by[k] = -INFINITY, -1
            line.east, line.north = spots[k, 0] - line.x, spots[k, 1] - line.y
            line.square = line.east * line.east + line.north * line.north
            if line.square == 0:
                continue
            node = 0
            while node < around.shape[0]:
                if misses(&line, &around[node, 0]):
                    node = nodes[node, 0]
                    continue
                for n in range(nodes[node, 1], nodes[node, 2]):
                    body = rows[n]
                    if misses(&line, &boxes[body, 0]):
                        continue
                    found = least_past(&line, eye[2], tops[body], touch / sqrt(line.square),
                                       x, y, rings, bodies[body], bodies[body + 1],
                                       &parts[0, 0], &parts[1, 0])
                    if found > out[k]:
                        out[k], by[k] = found, body
                node += 1
