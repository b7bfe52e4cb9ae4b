"""Obstacles before a segment of a body's silhouette: other bodies, and the ground.

All of it is raised into the horizon of a wedge, as far as it is nearer than the wedge's line.
"""

from libc.math cimport INFINITY, ceil, fabs, floor

from envelope cimport Horizon, Piece
from projection cimport (
    ALIKE, Chord, Wedge, between, cut, cut_nearer, lay, lift, turn, turn_back,
)
from surface cimport Ground, height_near


cdef struct Solids:
    const double *x
    const double *y
    const int *rings
    const int *bodies
    const double *boxes
    const double *base
    const double *height


cdef struct Eye:
    double x
    double y
    double z
    int quarter


cdef struct SilhouetteScratch:
    # Scratch: chords of the target and of an obstacle, breaks of either, lines of a wedge, and
    # the horizons: of the body itself, of all, and a spare one.
    Chord *target
    Py_ssize_t targets
    Chord *obstacle
    double *breaks
    double *marks
    Py_ssize_t *lines
    Horizon *own
    Horizon *all_
    Horizon *spare
    Horizon *ground     # horizon of the ground before all of the body


cdef inline void sort(double *values, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t i, k
    cdef double value
    for i in range(1, count):
        value = values[i]
        k = i
        while k > 0 and values[k - 1] > value:
            values[k] = values[k - 1]
            k -= 1
        values[k] = value


cdef inline Py_ssize_t chords_of(const Solids *s, Py_ssize_t body, const Eye *eye, double rise,
                                 Chord *out) noexcept nogil:
    """All edges of a body as the quarter sees them."""
    cdef Py_ssize_t ring, k, count = 0
    cdef double u0, v0, u1, v1
    for ring in range(s.bodies[body], s.bodies[body + 1]):
        turn(eye.quarter, s.x[s.rings[ring]] - eye.x, s.y[s.rings[ring]] - eye.y, &u0, &v0)
        for k in range(s.rings[ring] + 1, s.rings[ring + 1]):
            turn(eye.quarter, s.x[k] - eye.x, s.y[k] - eye.y, &u1, &v1)
            if lay(out + count, u0, v0, rise, u1, v1, rise):
                count += 1
            u0, v0 = u1, v1
    return count


cdef inline bint may_hide(const Solids *s, Py_ssize_t body, const Eye *eye, double xa, double xb,
                          double farthest) noexcept nogil:
    """Return whether a body's box reaches into a wedge."""
    cdef const double *box = s.boxes + 4 * body
    cdef double u0, v0, u1, v1, swap
    turn(eye.quarter, box[0] - eye.x, box[1] - eye.y, &u0, &v0)
    turn(eye.quarter, box[2] - eye.x, box[3] - eye.y, &u1, &v1)
    if u0 > u1:
        swap = u0
        u0, u1 = u1, swap
    if v0 > v1:
        swap = v0
        v0, v1 = v1, swap
    return (v1 > 0 and v0 <= farthest and u1 >= xa * (v0 if xa > 0 else v1)
            and u0 <= xb * (v1 if xb > 0 else v0))


cdef inline bint raise_by_presence(SilhouetteScratch *scratch, Py_ssize_t count, const Wedge *wedge,
                                   double rise) noexcept nogil:
    """Raise the horizon where a body below the eye reaches up to the wedge's line and over it."""
    cdef Chord *c
    cdef Chord top
    cdef double *marks = scratch.marks
    cdef Py_ssize_t k, i, beyond, breaks = 2
    cdef double middle, limit, before_0, before_1
    marks[0], marks[1] = wedge.xa, wedge.xb
    for k in range(count):
        c = scratch.obstacle + k
        if c.x0 >= wedge.xb or c.x1 <= wedge.xa:
            continue
        top = c[0]
        cut(&top, wedge.xa, wedge.xb)
        before_0 = top.w0 - between(top.x0, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
        before_1 = top.w1 - between(top.x1, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
        marks[breaks], marks[breaks + 1] = top.x0, top.x1
        breaks += 2
        if before_0 * before_1 < 0:
            marks[breaks] = top.x0 + (top.x1 - top.x0) * (before_0 / (before_0 - before_1))
            breaks += 1
    sort(marks, breaks)
    for i in range(breaks - 1):
        if not marks[i] < marks[i + 1]:
            continue
        middle = 0.5 * (marks[i] + marks[i + 1])
        limit = (1 + ALIKE) * between(middle, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
        beyond = 0
        for k in range(count):
            c = scratch.obstacle + k
            if c.x0 <= middle < c.x1 and between(middle, c.x0, c.x1, c.w0, c.w1) <= limit:
                beyond += 1
        if beyond % 2:
            top.x0, top.x1 = marks[i], marks[i + 1]
            top.s0 = rise * between(top.x0, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
            top.s1 = rise * between(top.x1, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
            if not lift(&scratch.all_, &scratch.spare, &top):
                return False
    return True


cdef inline bint raise_by_body(SilhouetteScratch *scratch, const Solids *s, Py_ssize_t body,
                               Py_ssize_t target, const Eye *eye,
                               const Wedge *wedge) noexcept nogil:
    """Raise the horizon by what of a body is nearer than the wedge's line; False for no room."""
    cdef double rise = s.base[body] + s.height[body] - eye.z
    cdef Py_ssize_t k, count = chords_of(s, body, eye, rise, scratch.obstacle)
    cdef Chord c
    cdef const double *box = s.boxes + 4 * body
    cdef const double *other = s.boxes + 4 * target
    for k in range(count):
        c = scratch.obstacle[k]
        if (cut_nearer(&c, wedge) and max(c.s0, c.s1) > wedge.least
                and not lift(&scratch.all_, &scratch.spare, &c)):
            return False
    if (rise < 0 and box[0] <= other[2] and box[2] >= other[0] and box[1] <= other[3]
            and box[3] >= other[1]):
        return raise_by_presence(scratch, count, wedge, rise)
    return True


cdef inline double east_of(const Ground *g, const double *rim, Py_ssize_t col) noexcept nogil:
    """Return where a column of centres lies; beyond the outermost there is one more, far off."""
    if col < 0:
        return rim[0]
    return rim[2] if col >= g.cols else g.west + col * g.cell


cdef inline double north_of(const Ground *g, const double *rim, Py_ssize_t row) noexcept nogil:
    if row < 0:
        return rim[3]
    return rim[1] if row >= g.rows else g.north - row * g.cell


cdef inline bint raise_by_edge(SilhouetteScratch *scratch, const Ground *g, const double *rim,
                               const Eye *eye,
                               const Wedge *wedge, Py_ssize_t row, Py_ssize_t col,
                               Py_ssize_t to_row, Py_ssize_t to_col) noexcept nogil:
    """Raise the horizon by the edge of the ground between two centres; False for no room."""
    cdef double u0, v0, u1, v1
    cdef Chord c
    cdef double from_z = g.heights[
        min(max(row, 0), g.rows - 1) * g.cols + min(max(col, 0), g.cols - 1)]
    cdef double to_z = g.heights[
        min(max(to_row, 0), g.rows - 1) * g.cols + min(max(to_col, 0), g.cols - 1)]
    turn(eye.quarter, east_of(g, rim, col) - eye.x, north_of(g, rim, row) - eye.y, &u0, &v0)
    turn(eye.quarter, east_of(g, rim, to_col) - eye.x, north_of(g, rim, to_row) - eye.y, &u1, &v1)
    from_z -= eye.z
    to_z -= eye.z
    # Most of the ground is far below; an edge before the eye is highest at one of its ends.
    if (v0 > 0 and v1 > 0 and from_z <= wedge.least * v0 and to_z <= wedge.least * v1):
        return True
    if not lay(&c, u0, v0, from_z, u1, v1, to_z):
        return True
    if max(c.s0, c.s1) <= wedge.least or not cut_nearer(&c, wedge):
        return True
    return lift(&scratch.all_, &scratch.spare, &c)


cdef inline Py_ssize_t step_of(double steps, Py_ssize_t count) noexcept nogil:
    """Return the cell along one direction: -1 before the first centre, count - 1 after the last."""
    if steps < 0:
        return -1
    if steps >= count - 1:
        return count - 1
    return <Py_ssize_t> steps


cdef inline bint raise_by_ground(SilhouetteScratch *scratch, const Ground *g, const double *rim,
                                 const Eye *eye, const Wedge *wedge,
                                 double nearest) noexcept nogil:
    """Raise the horizon by the ground before the wedge's line; False for no room.

    nearest : what is nearer than this is left out
    """
    cdef double u[5]
    cdef double v[5]
    cdef double w[4]
    cdef double east, north, low, high, top, bottom, start, stop, along, slack
    cdef Py_ssize_t row, col, k, last
    w[0], w[1], w[2], w[3] = nearest, wedge.wa, wedge.wb, nearest
    for k in range(4):
        turn_back(eye.quarter, (wedge.xa if k < 2 else wedge.xb) / w[k], 1 / w[k], &east, &north)
        u[k] = (eye.x - g.west + east) / g.cell
        v[k] = (g.north - eye.y - north) / g.cell
    u[4], v[4] = u[0], v[0]
    slack = ALIKE * (fabs(u[0]) + fabs(v[0]) + g.rows + g.cols)
    top, bottom = min(min(v[0], v[1]), min(v[2], v[3])), max(max(v[0], v[1]), max(v[2], v[3]))
    last = step_of(bottom + slack, g.rows)
    for row in range(step_of(top - slack, g.rows), last + 1):
        top = -INFINITY if row < 0 else row - slack
        bottom = INFINITY if row == g.rows - 1 else row + 1 + slack
        low, high = INFINITY, -INFINITY
        for k in range(4):
            if max(v[k], v[k + 1]) < top or min(v[k], v[k + 1]) > bottom:
                continue
            start, stop = u[k], u[k + 1]
            if v[k] != v[k + 1]:
                along = (u[k + 1] - u[k]) / (v[k + 1] - v[k])
                if not top <= v[k] <= bottom:
                    start += along * ((top if v[k] < top else bottom) - v[k])
                if not top <= v[k + 1] <= bottom:
                    stop += along * ((top if v[k + 1] < top else bottom) - v[k + 1])
            low, high = min(low, min(start, stop)), max(high, max(start, stop))
        for col in range(step_of(low - slack, g.cols), step_of(high + slack, g.cols) + 1):
            if not (raise_by_edge(scratch, g, rim, eye, wedge, row, col, row + 1, col)
                    and raise_by_edge(scratch, g, rim, eye, wedge, row, col, row, col + 1)
                    and raise_by_edge(scratch, g, rim, eye, wedge, row + 1, col, row, col + 1)):
                return False
    return True


cdef inline bint raise_by_horizon(SilhouetteScratch *scratch, const Horizon *h,
                                  const Wedge *wedge) noexcept nogil:
    """Raise the horizon by another one, as far as it is in the wedge; False for no room."""
    cdef Py_ssize_t k
    cdef const Piece *p
    cdef Chord c
    c.w0 = c.w1 = 0
    for k in range(h.first, h.first + h.count):
        p = h.pieces + k
        c.x0, c.x1 = p.start, h.stop if k + 1 == h.first + h.count else p[1].start
        c.s0, c.s1 = p.a + p.b * c.x0, p.a + p.b * c.x1
        if (c.x0 < c.x1 and cut(&c, wedge.xa, wedge.xb) and max(c.s0, c.s1) > wedge.least
                and not lift(&scratch.all_, &scratch.spare, &c)):
            return False
    return True


cdef inline bint bury(SilhouetteScratch *scratch, const Ground *g, const Eye *eye,
                      const Wedge *wedge) noexcept nogil:
    """Raise the body's own horizon by the ground along the wedge's line; False for no room."""
    cdef double u[2]
    cdef double v[2]
    cdef double east, north, start, run, first, last, part, across, away
    cdef double *marks = scratch.marks
    cdef Py_ssize_t k, kind, count = 2
    cdef Chord c
    for k in range(2):
        part = wedge.wb if k else wedge.wa
        turn_back(eye.quarter, (wedge.xb if k else wedge.xa) / part, 1 / part, &east, &north)
        u[k], v[k] = (eye.x + east - g.west) / g.cell, (g.north - eye.y - north) / g.cell
    marks[0], marks[1] = 0, 1
    for kind in range(3):
        start = u[0] if kind == 0 else v[0] if kind == 1 else u[0] + v[0]
        run = (u[1] if kind == 0 else v[1] if kind == 1 else u[1] + v[1]) - start
        last = <double> (g.cols - 1 if kind == 0 else g.rows - 1 if kind == 1
                         else g.rows + g.cols - 2)
        if fabs(run) < ALIKE:
            continue
        first = max(ceil(min(start, start + run)), 0.0)
        last = min(floor(max(start, start + run)), last)
        while first <= last:
            part = (first - start) / run
            first += 1
            if 0 < part < 1:
                marks[count] = part
                count += 1
    sort(marks, count)
    for k in range(count):
        part = marks[k]
        turn(eye.quarter, (u[0] + part * (u[1] - u[0])) * g.cell + g.west - eye.x,
             g.north - (v[0] + part * (v[1] - v[0])) * g.cell - eye.y, &across, &away)
        c.x1, c.w1 = across / away, 1 / away
        if k == 0:
            c.x1, c.w1 = wedge.xa, wedge.wa
        elif k == count - 1:
            c.x1, c.w1 = wedge.xb, wedge.wb
        c.s1 = c.w1 * (height_near(g, u[0] + part * (u[1] - u[0]), v[0] + part * (v[1] - v[0]))
                       - eye.z)
        if k and c.x0 < c.x1 and not lift(&scratch.own, &scratch.spare, &c):
            return False
        c.x0, c.w0, c.s0 = c.x1, c.w1, c.s1
    return True
