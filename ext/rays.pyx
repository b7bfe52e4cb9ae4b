"""Lines of sight over the ground, one for each pair of places.

Callers go through ``emlia3d.geometry.sightline``, which checks what is assumed here: finite
numbers, columns of one length, block maxima that belong to the heights.
"""

from line cimport sees
from surface cimport End, Ground, at_centre, at_place


cdef void lay_ground(Ground *g, const double[:, ::1] heights, const double[::1] frame,
                     const double[::1] tops, const Py_ssize_t[:, ::1] levels,
                     const double[:, ::1] bottoms):
    g.heights, g.rows, g.cols = &heights[0, 0], heights.shape[0], heights.shape[1]
    g.cell, g.west, g.north, g.low, g.high = frame[0], frame[1], frame[2], frame[3], frame[4]
    g.tops, g.levels, g.coarsest = &tops[0], &levels[0, 0], levels.shape[0] - 1
    g.bottoms = &bottoms[0, 0]
    g.bottom_rows, g.bottom_cols = bottoms.shape[0], bottoms.shape[1]


def lines(const double[:, ::1] heights, const double[::1] frame, const double[::1] tops,
          const Py_ssize_t[:, ::1] levels, const double[:, ::1] bottoms,
          const double[:, ::1] a, const double[:, ::1] b,
          unsigned char[::1] out):
    """out[k] = 1 where a[k] and b[k] see each other, else 0.

    frame : cell, west, north, least height, greatest height
    """
    cdef Ground g
    cdef End origin, end
    cdef Py_ssize_t k
    lay_ground(&g, heights, frame, tops, levels, bottoms)
    with nogil:
        for k in range(a.shape[0]):
            at_place(&origin, &g, a[k, 0], a[k, 1], a[k, 2])
            at_place(&end, &g, b[k, 0], b[k, 1], b[k, 2])
            out[k] = sees(&g, &origin, &end)


def centres(const double[:, ::1] heights, const double[::1] frame, const double[::1] tops,
            const Py_ssize_t[:, ::1] levels, const double[:, ::1] bottoms,
            const double[::1] eye, double target_height,
            const int[:, ::1] cells, unsigned char[::1] out):
    """out[k] = 1 where the eye sees a point target_height above the centre cells[k], else 0."""
    cdef Ground g
    cdef End origin, end
    cdef Py_ssize_t k, row, col
    lay_ground(&g, heights, frame, tops, levels, bottoms)
    with nogil:
        at_place(&origin, &g, eye[0], eye[1], eye[2])
        for k in range(cells.shape[0]):
            row, col = cells[k, 0], cells[k, 1]
            at_centre(&end, &g, row, col, heights[row, col] + target_height)
            out[k] = sees(&g, &origin, &end)
