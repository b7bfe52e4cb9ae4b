"""The grid of centres that the ground is measured at, and where its cells lie."""


cdef struct Raster:
    const double *heights
    Py_ssize_t rows
    Py_ssize_t cols
    double cell
    double west
    double north
    double highest
    double datum        # heights are taken from here while a sight line is compared with them
    double doubt        # error bound of a place of a corridor, in cells
    # Beyond the outermost centres, the next points of the triangulation.
    double far_west
    double far_east
    double far_north
    double far_south
    # The highest centre of each tile of 1 << TILE cells both ways, and the lowest of each patch
    # of 1 << PATCH cells and of adjacent patches; centres on borders count for both sides.
    const double *tops
    Py_ssize_t tile_rows
    Py_ssize_t tile_cols
    const double *lows
    Py_ssize_t patch_rows
    Py_ssize_t patch_cols


cdef enum:
    TILE = 4
    PATCH = 2


cdef inline double east_of(const Raster *g, Py_ssize_t col) noexcept nogil:
    if col < 0:
        return g.far_west + (col + 1) * g.cell
    if col >= g.cols:
        return g.far_east + (col - g.cols) * g.cell
    return g.west + col * g.cell


cdef inline double north_of(const Raster *g, Py_ssize_t row) noexcept nogil:
    if row < 0:
        return g.far_north - (row + 1) * g.cell
    if row >= g.rows:
        return g.far_south - (row - g.rows) * g.cell
    return g.north - row * g.cell


cdef inline Py_ssize_t step_of(double steps, Py_ssize_t count) noexcept nogil:
    """Return the cell along one direction: -1 before the first centre, count - 1 after the last."""
    if steps < 0:
        return -1
    if steps >= count - 1:
        return count - 1
    return <Py_ssize_t> steps


cdef inline Raster raster_of(const double[:, ::1] heights, double cell, double west, double north,
                             double highest, const double[:, ::1] tops,
                             const double[:, ::1] lows) noexcept nogil:
    """Return a raster with its bounds, all but what depends on a corridor."""
    cdef Raster g
    g.heights, g.rows, g.cols = &heights[0, 0], heights.shape[0], heights.shape[1]
    g.cell, g.west, g.north, g.highest = cell, west, north, highest
    g.tops, g.tile_rows, g.tile_cols = &tops[0, 0], tops.shape[0], tops.shape[1]
    g.lows, g.patch_rows, g.patch_cols = &lows[0, 0], lows.shape[0], lows.shape[1]
    return g


cdef inline Raster tiles_of(const Raster *g) noexcept nogil:
    """Return the tiles as the cells of a coarser raster."""
    cdef Raster coarse = g[0]
    coarse.cell = g.cell * (1 << TILE)
    coarse.rows = g.tile_rows + 1
    coarse.cols = g.tile_cols + 1
    return coarse


cdef inline double low_at(const Raster *g, double east, double north) noexcept nogil:
    """Return a height that no ground within a patch's length of a place is below."""
    cdef double col = min(max((east - g.west) / g.cell, 0.0), <double> (g.cols - 1))
    cdef double row = min(max((g.north - north) / g.cell, 0.0), <double> (g.rows - 1))
    cdef Py_ssize_t down = min(<Py_ssize_t> row >> PATCH, g.patch_rows - 1)
    return g.lows[down * g.patch_cols + min(<Py_ssize_t> col >> PATCH, g.patch_cols - 1)]
