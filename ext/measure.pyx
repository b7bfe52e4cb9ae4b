"""Measures of outlines, taken once: boxes, area centroids, convex hulls.

Callers go through ``emlia3d.geometry.bodies``, which checks what is assumed here: rings closed,
offsets rising from 0 to the number of points and rings, every body with a point, finite numbers.
"""

from libc.stdint cimport int32_t, uint8_t

from measured cimport box_of, centroid_of, hull_of


def boxes(const double[::1] x, const double[::1] y, const int32_t[::1] starts,
          double[:, ::1] out):
    """out[i] = west, south, east, north of the points starts[i] to starts[i + 1]."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(starts.shape[0] - 1):
            box_of(&x[0], &y[0], starts[i], starts[i + 1], &out[i, 0])


def centroids(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const uint8_t[::1] holes, const int32_t[::1] bodies, double[:, ::1] out):
    """out[i] = area centroid of body i, as of `centroid_of`.

    As seen from the body's first point, so that a body far from the origin loses no digits.
    """
    cdef Py_ssize_t i
    with nogil:
        for i in range(bodies.shape[0] - 1):
            centroid_of(&x[0], &y[0], &rings[0], &holes[0], bodies[i], bodies[i + 1], &out[i, 0])


def hulls(const double[::1] x, const double[::1] y, const int32_t[::1] starts,
          double[::1] spare_x, double[::1] spare_y,
          double[::1] out_x, double[::1] out_y, int32_t[::1] out_starts):
    """Convex hulls of the points starts[i] to starts[i + 1], as of `hull_of`.

    spare : one slot for each point of the largest body; out : one for each point and one more.
    """
    cdef Py_ssize_t i
    with nogil:
        out_starts[0] = 0
        for i in range(starts.shape[0] - 1):
            out_starts[i + 1] = <int32_t> hull_of(
                &x[0], &y[0], starts[i], starts[i + 1], &spare_x[0], &spare_y[0],
                &out_x[0], &out_y[0], out_starts[i])
