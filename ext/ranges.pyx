"""Ranges of the heights of a raster.

Callers go through ``emlia3d.geometry.horizon``, which checks what is assumed here: finite heights.
"""

from libc.math cimport INFINITY, fabs


cdef void measure_row(const double *row, const double *below, Py_ssize_t cols,
                      double *out) noexcept nogil:
    """Widen ranges by a row's heights, and its steps to the east and to the row below."""
    cdef double low = out[0], high = out[1], east = out[2], south = out[3]
    cdef double rise
    cdef Py_ssize_t col
    for col in range(cols):
        low = row[col] if row[col] < low else low
        high = row[col] if row[col] > high else high
        rise = fabs(below[col] - row[col])
        south = rise if rise > south else south
    for col in range(cols - 1):
        rise = fabs(row[col + 1] - row[col])
        east = rise if rise > east else east
    out[0], out[1], out[2], out[3] = low, high, east, south


def ranges(const double[:, ::1] heights, Py_ssize_t begin, Py_ssize_t end, double[::1] out):
    """out = the least and the greatest height of some rows, and their greatest steps.

    begin, end : the rows; steps to row `end` count
    out : least height, greatest height, greatest step east, greatest step south
    """
    cdef Py_ssize_t row, last = heights.shape[0] - 1
    out[0], out[1], out[2], out[3] = INFINITY, -INFINITY, 0, 0
    with nogil:
        for row in range(begin, end):
            measure_row(&heights[row, 0], &heights[min(row + 1, last), 0], heights.shape[1],
                        &out[0])
