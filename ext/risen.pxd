"""Ground that may rise above a sight line: all that `blocked` must examine.

The line is a plane over the corridor, so the highest centre of a tile and the plane's lowest
corner tell that nothing rises there. What rises over a whole cross-section is found by the lowest
centres of small patches in the same way.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from frame cimport Corridor, SlopeLine, chain_place
from outline cimport Outlines
from raster cimport PATCH, TILE, Raster, low_at, tiles_of
from reach cimport frame_ground, reach

cdef enum:
    MOST_SECTIONS = 64      # cross-sections that are looked at before anything else


cdef struct Cells:
    # Columns of cells that the hull enters, first to last, by rows of cells and row -1 before;
    # and of these the ones where the ground may rise above the line that is looked along.
    int32_t *first
    int32_t *last
    int32_t *risen_first
    int32_t *risen_last
    # Columns of tiles by rows of tiles: tiles that the hull enters, in cells where the ground may
    # rise, and whether the hull's cells have been found.
    int32_t *tile_first
    int32_t *tile_last
    int32_t *from_col
    int32_t *to_col
    int32_t *known
    # The rows of tiles that the hull enters.
    Py_ssize_t top
    Py_ssize_t bottom


cdef inline Py_ssize_t room_for_cells(Py_ssize_t rows) noexcept nogil:
    """Return the number of places that `take_cells` takes for a raster of *rows* rows."""
    return 4 * (rows + 1) + 5 * ((rows >> TILE) + 4)


cdef inline void take_cells(Cells *found, int32_t *places, Py_ssize_t rows) noexcept nogil:
    """Cut a piece of memory up."""
    cdef Py_ssize_t tiles = (rows >> TILE) + 4
    found.first, found.last = places, places + rows + 1
    found.risen_first, found.risen_last = places + 2 * (rows + 1), places + 3 * (rows + 1)
    places += 4 * (rows + 1)
    found.tile_first, found.tile_last = places, places + tiles
    found.from_col, found.to_col = places + 2 * tiles, places + 3 * tiles
    found.known = places + 4 * tiles


cdef inline void reach_tiles(Cells *found, Raster *g, const Corridor *c, const Outlines *o,
                             Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Find the tiles that a corridor's hull enters."""
    cdef Raster tiles = tiles_of(g)
    cdef Py_ssize_t row, last = g.tile_rows - 1
    frame_ground(g, c, o, a, b)
    frame_ground(&tiles, c, o, a, b)
    reach(&tiles, c, -1, g.tile_rows, found.tile_first, found.tile_last)
    # Ground beyond the last tiles continues as in them.
    found.tile_first[last + 1] = min(found.tile_first[last + 1], found.tile_first[last + 2])
    found.tile_last[last + 1] = max(found.tile_last[last + 1], found.tile_last[last + 2])
    found.top, found.bottom = -1, last
    while found.top < last and found.tile_first[found.top + 1] > found.tile_last[found.top + 1]:
        found.top += 1
    while found.bottom > found.top and (found.tile_first[found.bottom + 1]
                                        > found.tile_last[found.bottom + 1]):
        found.bottom -= 1
    for row in range(found.top, found.bottom + 1):
        found.known[row + 1] = False


cdef inline bint may_rise(const Raster *g, const Corridor *c, const SlopeLine *line, Py_ssize_t row,
                          Py_ssize_t col) noexcept nogil:
    """Return whether ground of a tile may be above the line; beyond the raster it always may."""
    cdef double half = 0.5 * (1 << TILE) * g.cell
    cdef double x, y, least
    if row < 0 or col < 0 or row >= g.tile_rows - 1 or col >= g.tile_cols - 1:
        return True
    x = g.west + (2 * col + 1) * half
    y = g.north - (2 * row + 1) * half
    least = line.at_0 + line.climb * ((x - c.ox) * c.dx + (y - c.oy) * c.dy)
    least -= fabs(line.climb) * half * (fabs(c.dx) + fabs(c.dy)) + line.blur
    return g.tops[row * g.tile_cols + col] - g.datum > least


cdef inline (Py_ssize_t, Py_ssize_t) cells_of(const Raster *g, Py_ssize_t row) noexcept nogil:
    """Return the first and the last row of cells in a row of tiles."""
    if row < 0:
        return -1, -1
    return row << TILE, min(((row + 1) << TILE) - 1, g.rows - 1)


cdef inline bint find_risen(Cells *found, const Raster *g, const Corridor *c,
                            const SlopeLine *line) noexcept nogil:
    """Find the cells of the hull where the ground may be above a line; False if it is nowhere."""
    cdef Py_ssize_t row, cell, begin, stop, last = g.tile_cols - 1
    cdef bint rises = False
    for row in range(found.top, found.bottom + 1):
        found.to_col[row + 1] = -2
        if found.tile_first[row + 1] > found.tile_last[row + 1]:
            continue
        begin = min(<Py_ssize_t> found.tile_first[row + 1], last)
        stop = min(<Py_ssize_t> found.tile_last[row + 1], last)
        while begin <= stop and not may_rise(g, c, line, row, begin):
            begin += 1
        while begin <= stop and not may_rise(g, c, line, row, stop):
            stop -= 1
        if begin > stop:
            continue
        rises = True
        found.from_col[row + 1] = <int32_t> (begin << TILE if begin >= 0 else -1)
        found.to_col[row + 1] = <int32_t> (g.cols - 1 if stop >= last
                                           else ((stop + 1) << TILE) - 1)
        begin, stop = cells_of(g, row)
        if not found.known[row + 1]:
            reach(g, c, begin, stop, found.first, found.last)
            found.known[row + 1] = True
        for cell in range(begin + 1, stop + 2):
            found.risen_first[cell] = max(found.first[cell], found.from_col[row + 1])
            found.risen_last[cell] = min(found.last[cell], found.to_col[row + 1])
            if found.risen_first[cell] > found.risen_last[cell]:
                found.risen_first[cell], found.risen_last[cell] = <int32_t> g.cols, -2
    return rises


cdef inline bint is_shut(const Raster *g, const Corridor *c, const SlopeLine *line) noexcept nogil:
    """Return whether the ground is above the line over a whole cross-section between the bodies.

    It may be so where this does not find it.
    """
    cdef double square = c.dx * c.dx + c.dy * c.dy
    cdef double begin = c.a.north, stop = c.b.south, step, s, t, low, high, least
    cdef double patch = (1 << PATCH) * g.cell
    cdef Py_ssize_t sections, section, places, k
    if not begin < stop:
        return False
    # Along the axis lengths are stretched by its own.
    step = 2 * patch * (fabs(c.dx) + fabs(c.dy))
    sections = <Py_ssize_t> min(max((stop - begin) / step, 1.0), <double> MOST_SECTIONS)
    for section in range(sections):
        s = begin + (stop - begin) * ((section + 0.5) / sections)
        least = line.at_0 + line.climb * s + line.blur
        low, high = chain_place(&c.low, s), chain_place(&c.high, s)
        t = 0.5 * (low + high)
        if low_at(g, c.ox + (s * c.dx - t * c.dy) / square,
                  c.oy + (s * c.dy + t * c.dx) / square) - g.datum <= least:
            continue
        # From one place to the next it is no more than a patch.
        places = 1 + <Py_ssize_t> ((high - low) / (patch * (fabs(c.dx) + fabs(c.dy)) / 2))
        for k in range(places + 1):
            t = low + (high - low) * k / places
            if low_at(g, c.ox + (s * c.dx - t * c.dy) / square,
                      c.oy + (s * c.dy + t * c.dx) / square) - g.datum <= least:
                break
        else:
            return True
    return False
