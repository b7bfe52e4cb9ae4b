"""Bounds of the ground of blocks of cells: two parallel planes about each, a slab.

A block's slab holds the block itself and the two next to it each way, so that a piece of a line
no longer than two blocks lies in one slab wherever it begins. Planes that lean with the ground
are far nearer to it than its highest and lowest points are.

Callers go through ``emlia3d.geometry.sightline``, which checks what is assumed here: finite
heights, and levels that belong to them.
"""

from libc.math cimport INFINITY, fabs, isfinite

from surface cimport FINEST, Slab

cdef enum:
    WIDE = 3            # blocks in a slab, each way

cdef extern from *:
    """
    /* Above what rounding does to a plane's height, as a share of the numbers that went into it. */
    static const double PLANE_DOUBT = 0x1p-46;
    /* Above what rounding does to a place, in cells: what line.pxd leaves to exact arithmetic. */
    static const double PLACE_LOST = 0x1p-17;
    /* So that a float is no less than the double that it is of. */
    static const double LITTLE_MORE = 1.0 + 0x1p-20;
    static const double LEAST = 0x1p-100;
    """
    const double PLANE_DOUBT
    const double PLACE_LOST
    const double LITTLE_MORE
    const double LEAST


cdef struct Bounds:
    # Ground less plane, and the greatest number used for it.
    double least
    double most
    double size


cdef inline void bound(Bounds *b, const Slab *s, double along, double down, double low,
                       double high) noexcept nogil:
    """Widen the bounds by ground from low to high, so far east and south of the block's corner."""
    cdef double plane = s.east * along + s.south * down
    b.least = min(b.least, low - plane)
    b.most = max(b.most, high - plane)
    b.size = max(b.size, fabs(low) + fabs(high) + fabs(s.east * along) + fabs(s.south * down))


cdef inline void close(Slab *s, const Bounds *b) noexcept nogil:
    """Lay the planes midway between the bounds, and so far apart that rounding cannot matter."""
    cdef double doubt, half
    s.middle = <float> (0.5 * (b.least + b.most))
    doubt = PLANE_DOUBT * (b.size + fabs(s.middle)) + PLACE_LOST * (fabs(s.east) + fabs(s.south))
    half = max(b.most - s.middle, s.middle - b.least)
    if half > 0 or s.east != 0 or s.south != 0:
        half = half * LITTLE_MORE + doubt + LEAST
    s.half = <float> half
    if not (isfinite(s.middle) and isfinite(s.half)):
        s.middle = s.east = s.south = 0
        s.half = INFINITY


cdef void lean(Slab *s, const double *heights, Py_ssize_t stride, Py_ssize_t down,
               Py_ssize_t along) noexcept nogil:
    """Lean the planes as the ground about a block does, by least squares."""
    cdef double east = 0, south = 0, squares
    cdef Py_ssize_t i, j
    for i in range(down + 1):
        for j in range(along + 1):
            east += heights[i * stride + j] * (j - 0.5 * along)
            south += heights[i * stride + j] * (i - 0.5 * down)
    squares = along * (along + 1.0) * (along + 2.0) / 12 * (down + 1)
    s.east = <float> (east / squares) if along else 0
    squares = down * (down + 1.0) * (down + 2.0) / 12 * (along + 1)
    s.south = <float> (south / squares) if down else 0
    if not (isfinite(s.east) and isfinite(s.south)):
        s.east = s.south = 0


cdef void lay_finest(Slab *slabs, const double *heights, Py_ssize_t rows, Py_ssize_t cols,
                     Py_ssize_t slab_rows, Py_ssize_t slab_cols) noexcept nogil:
    cdef Py_ssize_t row, col, i, j, down, along
    cdef const double *corner
    cdef Bounds b
    cdef Slab *s
    for row in range(slab_rows):
        down = min(WIDE * FINEST, rows - 1 - FINEST * row)
        for col in range(slab_cols):
            along = min(WIDE * FINEST, cols - 1 - FINEST * col)
            corner = heights + FINEST * (row * cols + col)
            s = slabs + row * slab_cols + col
            lean(s, corner, cols, down, along)
            b.least, b.most, b.size = INFINITY, -INFINITY, 0
            for i in range(down + 1):
                for j in range(along + 1):
                    bound(&b, s, j, i, corner[i * cols + j], corner[i * cols + j])
            close(s, &b)


cdef inline double middle_of(const Slab *s, double half_width) noexcept nogil:
    return s.middle + (s.east + s.south) * half_width


cdef void join(Slab *s, const Slab *finer, Py_ssize_t row, Py_ssize_t col, Py_ssize_t finer_rows,
               Py_ssize_t finer_cols, double block, double down, double along) noexcept nogil:
    """Lay a slab about the four that make up its ground, each `WIDE * block` wide.

    down, along : how far the raster goes on from the block's corner, in cells
    """
    cdef Py_ssize_t tall = 2 if row + WIDE < finer_rows else 1
    cdef Py_ssize_t wide = 2 if col + WIDE < finer_cols else 1
    cdef Py_ssize_t i, j, k
    cdef double width = WIDE * block
    cdef double east = 0, south = 0, top, x, y
    cdef const Slab *part
    cdef Bounds b
    finer += row * finer_cols + col
    for i in range(tall):
        for j in range(wide):
            part = finer + WIDE * (i * finer_cols + j)
            top = middle_of(part, 0.5 * width)
            east += part.east if wide == 1 else 0.25 * part.east + (3 * j - 1.5) * top / width
            south += part.south if tall == 1 else 0.25 * part.south + (3 * i - 1.5) * top / width
    s.east = <float> (east / (tall * wide))
    s.south = <float> (south / (tall * wide))
    if not (isfinite(s.east) and isfinite(s.south)):
        s.east = s.south = 0
    b.least, b.most, b.size = INFINITY, -INFINITY, 0
    for i in range(tall):
        for j in range(wide):
            part = finer + WIDE * (i * finer_cols + j)
            for k in range(4):
                x = min(width * (j + (k & 1)), along)
                y = min(width * (i + (k >> 1)), down)
                top = part.middle + part.east * (x - width * j) + part.south * (y - width * i)
                bound(&b, s, x, y, top - part.half, top + part.half)
    close(s, &b)


def lay(const double[:, ::1] heights, const Py_ssize_t[:, ::1] levels, float[:, ::1] out):
    """out = the slabs of all levels, one after another: middle, east, south, half of each.

    levels : for each, finest first, its first in out, and how many rows and columns of blocks
    """
    cdef Py_ssize_t rows = heights.shape[0]
    cdef Py_ssize_t cols = heights.shape[1]
    cdef Py_ssize_t level, row, col
    cdef double block = FINEST
    cdef Slab *slabs = <Slab *> &out[0, 0]
    with nogil:
        lay_finest(slabs, &heights[0, 0], rows, cols, levels[0, 1], levels[0, 2])
        for level in range(1, levels.shape[0]):
            for row in range(levels[level, 1]):
                for col in range(levels[level, 2]):
                    join(slabs + levels[level, 0] + row * levels[level, 2] + col,
                         slabs + levels[level - 1, 0], 2 * row, 2 * col, levels[level - 1, 1],
                         levels[level - 1, 2], block, rows - 1 - 2 * block * row,
                         cols - 1 - 2 * block * col)
            block *= 2
