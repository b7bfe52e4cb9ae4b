"""The ground in a sight corridor: how much of it rises above the sight line; and its heights.

Callers go through ``emlia3d.geometry.ground_surface``, which checks what is assumed here: columns
that belong together, rows within range, a raster of at least one cell of finite heights, scratch
and output of the stated sizes.
"""

from libc.stdint cimport int32_t

from blocked cimport Look, look_along, look_once
from frame cimport comes_first, take
from marks cimport take_all
from outline cimport Outlines
from raster cimport Raster, raster_of
from risen cimport room_for_cells, take_cells


cdef inline double within(double place, Py_ssize_t last) noexcept nogil:
    """A place on the raster, 0 to last; 0 for none."""
    if not place > 0.0:
        return 0.0
    return place if place < last else <double> last


def heights_at(const double[:, ::1] heights, const double[::1] east, const double[::1] south,
               double[::1] out):
    """Write the height of the surface at places, in cells from the north-west centre."""
    cdef Py_ssize_t last_row = heights.shape[0] - 1, last_col = heights.shape[1] - 1
    cdef Py_ssize_t k, row, col, down, right
    cdef double u, v, west_side, east_side
    with nogil:
        for k in range(east.shape[0]):
            u, v = within(east[k], last_col), within(south[k], last_row)
            col = min(<Py_ssize_t> u, max(last_col - 1, <Py_ssize_t> 0))
            row = min(<Py_ssize_t> v, max(last_row - 1, <Py_ssize_t> 0))
            right, down = min(col + 1, last_col), min(row + 1, last_row)
            u, v = u - col, v - row
            west_side, east_side = heights[down, col], heights[row, right]
            if u + v <= 1.0:
                out[k] = (heights[row, col] + u * (east_side - heights[row, col])
                          + v * (west_side - heights[row, col]))
            else:
                out[k] = (heights[down, right] + (1.0 - u) * (west_side - heights[down, right])
                          + (1.0 - v) * (east_side - heights[down, right]))


def places_for(Py_ssize_t rows):
    """Return the number of places that `fractions` takes for *rows* rows, its room apart."""
    return room_for_cells(rows)


def fractions(const double[:, ::1] heights, double cell, double west, double north,
              double highest, const double[:, ::1] tops, const double[:, ::1] lows,
              const double[::1] x, const double[::1] y, const int32_t[::1] rings,
              const int32_t[::1] bodies, const double[:, ::1] boxes,
              const double[:, ::1] to_centroids, const double[::1] hull_x,
              const double[::1] hull_y, const int32_t[::1] hulls,
              const int32_t[:, ::1] pairs, const double[::1] eyes, const double[:, ::1] marks,
              double enough, Py_ssize_t widest, Py_ssize_t room,
              double[::1] numbers, int32_t[::1] places,
              double[:, ::1] out):
    """out[k, m] = the fraction of the corridor of pairs[k] where the ground is above the line.

    Lines of one pair that follow each other, either way, share what is found of its corridor.

    marks : (n, m), lines from the eye of each pair
    enough : a fraction of as much may be told as any from there on, and stands for those of all
        marks after it
    numbers : 40 * widest + 8 * room + 2 * (columns + 4) doubles, and the rest holds marks
    places : 2 * room, and `places_for` the rows
    tops, lows : by tiles and patches, as of `Raster`

    Returns how many pairs are done; there was no room for the next.
    """
    cdef Outlines o
    cdef Look v
    cdef Raster g
    cdef Py_ssize_t k, m, i, j, held
    cdef bint swapped
    cdef double *rest
    if pairs.shape[0] == 0:
        return 0
    o.x, o.y, o.rings, o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    o.boxes, o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    o.hull_x, o.hull_y, o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    g = raster_of(heights, cell, west, north, highest, tops, lows)
    with nogil:
        rest = &numbers[0]
        v.upper = take(&rest, g.cols + 4)
        v.lower = take(&rest, g.cols + 4)
        held = 40 * widest + 8 * room + 2 * (g.cols + 4)
        take_all(&v.c, &v.w, &v.e, rest, <int *> &places[0], widest, room,
                 numbers.shape[0] - held)
        take_cells(&v.cells, &places[2 * room], g.rows)
        v.a = v.b = -1
        v.enough = enough
        for k in range(pairs.shape[0]):
            i, j = pairs[k, 0], pairs[k, 1]
            swapped = not comes_first(&o, i, j)
            look_along(&v, &o, j if swapped else i, i if swapped else j)
            for m in range(marks.shape[1]):
                if m and out[k, m - 1] >= enough:
                    out[k, m] = out[k, m - 1]
                    continue
                out[k, m] = look_once(&v, &g, &o, room, marks[k, m] if swapped else eyes[k],
                                      eyes[k] if swapped else marks[k, m])
                if out[k, m] < 0:
                    break
            else:
                continue
            break
        else:
            k = pairs.shape[0]
    return k
