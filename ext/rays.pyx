"""Lines of sight over the ground, one for each pair of places.

Callers go through ``emlia3d.geometry.sightline``, which checks what is assumed here: finite
numbers (but for the places of ``lines``), columns of one length, slabs that belong to the heights.
"""

from libc.math cimport INFINITY, ceil, fabs, floor
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from line cimport sees
from surface cimport End, Ground, Slab, at_centre, at_place, height_near
from walk cimport LineOfSightJob, init_job, run_job


cdef void lay_ground(Ground *g, const double[:, ::1] heights, const double[::1] frame,
                     const float[:, ::1] slabs, const Py_ssize_t[:, ::1] levels):
    g.heights, g.rows, g.cols = &heights[0, 0], heights.shape[0], heights.shape[1]
    g.cell, g.west, g.north, g.low, g.high = frame[0], frame[1], frame[2], frame[3], frame[4]
    g.slabs = <const Slab *> &slabs[0, 0]
    g.levels = &levels[0, 0] if levels.shape[0] else NULL
    g.coarsest = levels.shape[0] - 1


def lines(const double[:, ::1] heights, const double[::1] frame, const float[:, ::1] slabs,
          const Py_ssize_t[:, ::1] levels, const float[::1] tops, float tiles,
          const double[:, ::1] a, const double[:, ::1] b, unsigned char[::1] out):
    """out[k] = 1 where a[k] and b[k] see each other, else 0; whether all numbers are finite.

    Places that are not finite need not be kept from it, as it looks at each anyway; they have no
    answer.

    frame : cell, west, north, least height, greatest height
    tops, tiles : the highest ground of rectangles, as tops.h has them
    """
    cdef LineOfSightJob walk
    lay_ground(&walk.ground, heights, frame, slabs, levels)
    walk.frame, walk.count = &frame[0], a.shape[0]
    walk.tops.highest, walk.tops.tiles = &tops[0], tiles
    walk.starts, walk.stops, walk.out = &b[0, 0], &a[0, 0], &out[0]
    with nogil:
        init_job(&walk, &levels[0, 0])
        run_job(&walk)
    return not walk.wrong


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


cdef double least_seen(const Ground *g, const End *eye, const End *place) noexcept nogil:
    """Return the smallest double that is visible as a height at a place."""
    cdef End end
    cdef int64_t low, high, middle, step = 1
    cdef int64_t top = rank_of(INFINITY)
    end = eye[0]
    end.z = max(eye.z, g.high)
    if not sees(g, eye, &end):
        return INFINITY
    end = place[0]
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
    cdef End origin, place
    cdef Py_ssize_t k
    lay_ground(&g, heights, frame, slabs, levels)
    with nogil:
        at_place(&origin, &g, eye[0], eye[1], eye[2])
        for k in range(spots.shape[0]):
            at_place(&place, &g, spots[k, 0], spots[k, 1], 0)
            out[k] = least_seen(&g, &origin, &place)


def least_at_centres(const double[:, ::1] heights, const double[::1] frame,
                     const float[:, ::1] slabs, const Py_ssize_t[:, ::1] levels,
                     const double[::1] eye, double target_height, const int[:, ::1] cells,
                     double[::1] out):
    """out[k] = the least height above the centre cells[k] that the eye sees.

    0 where it sees the ground, and no more than target_height exactly where it sees a point so
    far above the ground.
    """
    cdef Ground g
    cdef End origin, place
    cdef Py_ssize_t k, row, col
    cdef double ground, z
    lay_ground(&g, heights, frame, slabs, levels)
    with nogil:
        at_place(&origin, &g, eye[0], eye[1], eye[2])
        for k in range(cells.shape[0]):
            row, col = cells[k, 0], cells[k, 1]
            ground = heights[row, col]
            at_centre(&place, &g, row, col, ground)
            z = least_seen(&g, &origin, &place)
            out[k] = max(z - ground, 0.0)
            # The difference is rounded, and must not change the answer for the target.
            if z <= ground + target_height:
                out[k] = min(out[k], target_height)
            elif out[k] <= target_height:
                out[k] = of_rank(rank_of(target_height) + 1)
