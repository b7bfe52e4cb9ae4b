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
    double doubt        # what rounding may have done to a place of a corridor, in cells
    # Beyond the outermost centres, the next points of the triangulation.
    double far_west
    double far_east
    double far_north
    double far_south


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
    """Which cell along one direction: -1 before the first centre, count - 1 after the last."""
    if steps < 0:
        return -1
    if steps >= count - 1:
        return count - 1
    return <Py_ssize_t> steps
