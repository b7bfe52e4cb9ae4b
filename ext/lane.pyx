"""Straight ways before bodies: how far outlines reach along one, and where they stand in it.

In the frame of a way a point is so far across it, to its right, and so far along it. Callers go
through ``emlia3d.geometry.lane``, which checks what is assumed here: offsets rising from 0 to the
number of points, rings closed, scratch of the stated size.

Where rounding could decide whether a body stands in a lane the answer is NaN and the caller's to
find.
"""

from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int32_t

from distance cimport UNSURE


cdef struct Lane:
    double left
    double front
    double right
    double far


def extents(const double[:, ::1] points, const int32_t[::1] starts, double east, double north,
            double[:, ::1] out):
    """out[i] = left, rear, right, front of the points starts[i] to starts[i + 1]; NaN of none."""
    cdef Py_ssize_t i, k
    cdef double across, along
    with nogil:
        for i in range(starts.shape[0] - 1):
            out[i, 0] = out[i, 1] = out[i, 2] = out[i, 3] = NAN
            for k in range(starts[i], starts[i + 1]):
                across = points[k, 0] * north - points[k, 1] * east
                along = points[k, 0] * east + points[k, 1] * north
                if k == starts[i]:
                    out[i, 0] = out[i, 2] = across
                    out[i, 1] = out[i, 3] = along
                out[i, 0] = min(out[i, 0], across)
                out[i, 1] = min(out[i, 1], along)
                out[i, 2] = max(out[i, 2], across)
                out[i, 3] = max(out[i, 3], along)


cdef inline double along_at(double across, double u0, double v0, double u1,
                            double v1) noexcept nogil:
    """Return how far along an edge is so far across; of its ends, to the last bit what they are."""
    if across == u0 or v0 == v1:
        return v0
    if across == u1:
        return v1
    return v0 + (across - u0) / (u1 - u0) * (v1 - v0)


cdef double first_in(const Lane *lane, const double *points, Py_ssize_t first, Py_ssize_t last,
                     bint *unsure) noexcept nogil:
    """Return where a ring first lies in a lane, at least the lane's front; else infinite."""
    cdef Py_ssize_t k
    cdef double u0, v0, u1, v1, start, end, low, high
    cdef double middle = (lane.left + lane.right) / 2
    cdef double nearest = INFINITY
    cdef bint within = False, grazes = False
    for k in range(first, last - 1):
        u0, v0, u1, v1 = points[2 * k], points[2 * k + 1], points[2 * k + 2], points[2 * k + 3]
        if max(u0, u1) <= lane.left or min(u0, u1) >= lane.right:
            continue
        if (u0 <= middle) != (u1 <= middle) and along_at(middle, u0, v0, u1, v1) < lane.front:
            within = not within
        start, end = max(lane.left, min(lane.right, u0)), max(lane.left, min(lane.right, u1))
        low = v0 if start == u0 else along_at(start, u0, v0, u1, v1)
        high = v1 if end == u1 else along_at(end, u0, v0, u1, v1)
        low, high = min(low, high), max(low, high)
        if high <= lane.front + UNSURE:
            grazes = grazes or high >= lane.front - UNSURE
        else:
            nearest = min(nearest, max(low, lane.front))
    if nearest > lane.front and grazes:
        unsure[0] = True
    elif within:
        return lane.front
    return nearest


def contacts(double[:, ::1] points, const int32_t[::1] starts, double east, double north,
             const double[:, ::1] lanes, double[:, ::1] boxes, double[::1] out):
    """out[j] = how far along the first body stands in lane j, at least its front; infinite if none.

    points : of rings, each a body; turned into the frame
    lanes : left, front, right and far end of each; what only touches one is not in it
    boxes : scratch, a row for each body
    """
    cdef Py_ssize_t i, j, k
    cdef double across, nearest, found
    cdef Lane lane
    cdef bint unsure
    with nogil:
        for i in range(starts.shape[0] - 1):
            boxes[i, 0] = boxes[i, 1] = INFINITY
            boxes[i, 2] = boxes[i, 3] = -INFINITY
            for k in range(starts[i], starts[i + 1]):
                across = points[k, 0] * north - points[k, 1] * east
                points[k, 1] = points[k, 0] * east + points[k, 1] * north
                points[k, 0] = across
                boxes[i, 0] = min(boxes[i, 0], points[k, 0])
                boxes[i, 1] = min(boxes[i, 1], points[k, 1])
                boxes[i, 2] = max(boxes[i, 2], points[k, 0])
                boxes[i, 3] = max(boxes[i, 3], points[k, 1])
        for j in range(lanes.shape[0]):
            lane.left, lane.front = lanes[j, 0], lanes[j, 1]
            lane.right, lane.far = lanes[j, 2], lanes[j, 3]
            nearest, unsure = INFINITY, False
            for i in range(starts.shape[0] - 1):
                if (boxes[i, 0] >= lane.right + UNSURE or boxes[i, 2] <= lane.left - UNSURE
                        or boxes[i, 1] >= lane.far + UNSURE
                        or boxes[i, 3] <= lane.front - UNSURE):
                    continue
                if boxes[i, 0] > lane.right - UNSURE or boxes[i, 2] < lane.left + UNSURE:
                    unsure = True
                    continue
                found = first_in(&lane, &points[0, 0], starts[i], starts[i + 1], &unsure)
                unsure = unsure or fabs(found - lane.far) <= UNSURE
                if found < lane.far:
                    nearest = min(nearest, found)
            out[j] = NAN if unsure and nearest > lane.front else nearest
