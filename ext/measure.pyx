"""Measures of outlines, taken once: boxes, area centroids, convex hulls.

Callers go through ``emlia3d.geometry.bodies``, which checks what is assumed here: rings closed,
offsets rising from 0 to the number of points and rings, every body with a point, finite numbers.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, uint8_t

from orient cimport turn


def boxes(const double[::1] x, const double[::1] y, const int32_t[::1] starts,
          double[:, ::1] out):
    """out[i] = west, south, east, north of the points starts[i] to starts[i + 1]."""
    cdef Py_ssize_t i, k
    with nogil:
        for i in range(starts.shape[0] - 1):
            out[i, 0] = out[i, 2] = x[starts[i]]
            out[i, 1] = out[i, 3] = y[starts[i]]
            for k in range(starts[i] + 1, starts[i + 1]):
                out[i, 0] = min(out[i, 0], x[k])
                out[i, 1] = min(out[i, 1], y[k])
                out[i, 2] = max(out[i, 2], x[k])
                out[i, 3] = max(out[i, 3], y[k])


def centroids(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const uint8_t[::1] holes, const int32_t[::1] bodies, double[:, ::1] out):
    """out[i] = area centroid of body i; without area that of its length, without length its point.

    As seen from the body's first point, so that a body far from the origin loses no digits.
    """
    cdef Py_ssize_t i, r, k
    cdef double ox, oy, ax, ay, bx, by, twice, step
    cdef double area, area_x, area_y, ring, ring_x, ring_y, length, length_x, length_y, reach
    with nogil:
        for i in range(bodies.shape[0] - 1):
            ox = x[rings[bodies[i]]]
            oy = y[rings[bodies[i]]]
            area = area_x = area_y = length = length_x = length_y = reach = 0
            for r in range(bodies[i], bodies[i + 1]):
                ring = ring_x = ring_y = 0
                for k in range(rings[r], rings[r + 1] - 1):
                    ax = x[k] - ox
                    ay = y[k] - oy
                    bx = x[k + 1] - ox
                    by = y[k + 1] - oy
                    twice = ax * by - bx * ay
                    ring += twice
                    ring_x += twice * (ax + bx)
                    ring_y += twice * (ay + by)
                    step = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
                    length += step
                    length_x += step * (ax + bx)
                    length_y += step * (ay + by)
                    reach = max(reach, fabs(ax) + fabs(ay))
                # A ring may run either way; whether it bounds or pierces is given, not guessed.
                if (ring < 0) != (holes[r] != 0):
                    ring, ring_x, ring_y = -ring, -ring_x, -ring_y
                area += ring
                area_x += ring_x
                area_y += ring_y
            out[i, 0] = out[i, 1] = 0
            if area > 1e-12 * reach * reach:
                out[i, 0] = area_x / (3 * area)
                out[i, 1] = area_y / (3 * area)
            elif length > 0:
                out[i, 0] = length_x / (2 * length)
                out[i, 1] = length_y / (2 * length)


cdef inline bint before(double ax, double ay, double bx, double by) noexcept nogil:
    return ax < bx or (ax == bx and ay < by)


cdef void sort_points(double[::1] x, double[::1] y, Py_ssize_t count) noexcept nogil:
    """Shellsort by x, then y."""
    cdef Py_ssize_t gap = 1, i, j
    cdef double px, py
    while 9 * gap < 4 * count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            px = x[i]
            py = y[i]
            j = i
            while j >= gap and before(px, py, x[j - gap], y[j - gap]):
                x[j] = x[j - gap]
                y[j] = y[j - gap]
                j -= gap
            x[j] = px
            y[j] = py
        gap = gap * 4 // 9


def hulls(const double[::1] x, const double[::1] y, const int32_t[::1] starts,
          double[::1] spare_x, double[::1] spare_y,
          double[::1] out_x, double[::1] out_y, int32_t[::1] out_starts):
    """Convex hulls of the points starts[i] to starts[i + 1], anticlockwise, open, without repeats.

    spare : one slot for each point of the largest body; out : one for each point and one more.
    Andrew's monotone chain; a point too close to an edge to tell is left out.
    """
    cdef Py_ssize_t i, k, count, base, top, floor
    with nogil:
        out_starts[0] = 0
        for i in range(starts.shape[0] - 1):
            count = 0
            for k in range(starts[i], starts[i + 1]):
                spare_x[count] = x[k]
                spare_y[count] = y[k]
                count += 1
            sort_points(spare_x, spare_y, count)
            base = top = out_starts[i]
            for k in range(count):
                if k and spare_x[k] == spare_x[k - 1] and spare_y[k] == spare_y[k - 1]:
                    continue
                while top - base >= 2 and turn(out_x[top - 2], out_y[top - 2], out_x[top - 1],
                                               out_y[top - 1], spare_x[k], spare_y[k]) <= 0:
                    top -= 1
                out_x[top] = spare_x[k]
                out_y[top] = spare_y[k]
                top += 1
            floor = top
            for k in range(count - 2, -1, -1):
                if spare_x[k] == out_x[top - 1] and spare_y[k] == out_y[top - 1]:
                    continue
                while top - floor >= 1 and turn(out_x[top - 2], out_y[top - 2], out_x[top - 1],
                                                out_y[top - 1], spare_x[k], spare_y[k]) <= 0:
                    top -= 1
                out_x[top] = spare_x[k]
                out_y[top] = spare_y[k]
                top += 1
            # The way back ends where the way out began.
            out_starts[i + 1] = <int32_t> (top - 1 if top - base > 1 else top)
