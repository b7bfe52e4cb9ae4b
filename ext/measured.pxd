"""Measures of one outline: its box, its area centroid, its convex hull."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, uint8_t

from expansion cimport (
    Exact, add_double, add_exact, add_product, of_pair, sign_of, two_product, two_sum,
)
from orient cimport turn

cdef extern from *:
    """
    /* An area that is a smaller share of the products it is the difference of has lost 12 bits. */
    static const double CANCELLED = 0x1p-12;
    """
    const double CANCELLED


cdef inline void box_of(const double *x, const double *y, Py_ssize_t first, Py_ssize_t end,
                        double *out) noexcept nogil:
    """Write west, south, east, north of the points first to end."""
    cdef Py_ssize_t k
    out[0] = out[2] = x[first]
    out[1] = out[3] = y[first]
    for k in range(first + 1, end):
        out[0] = min(out[0], x[k])
        out[1] = min(out[1], y[k])
        out[2] = max(out[2], x[k])
        out[3] = max(out[3], y[k])


cdef inline double value_of(const Exact *e) noexcept nogil:
    """Return the double nearest to an expansion, but for its last bit."""
    cdef double total = 0
    cdef int k
    for k in range(e.count):
        total += e.part[k]
    return total


cdef inline bint is_sound(const double *x, const double *y, Py_ssize_t first, Py_ssize_t end,
                          double ox, double oy, double area) noexcept nogil:
    """Return whether doubles lose nothing of a ring's products, nor much of their sum, *area*."""
    cdef Py_ssize_t k
    cdef double ax, ay, bx, by, rest, spread = 0
    for k in range(first, end - 1):
        ax = two_sum(x[k], -ox, &rest)
        if rest != 0:
            return False
        ay = two_sum(y[k], -oy, &rest)
        if rest != 0:
            return False
        bx = two_sum(x[k + 1], -ox, &rest)
        if rest != 0:
            return False
        by = two_sum(y[k + 1], -oy, &rest)
        if rest != 0:
            return False
        spread += fabs(ax * by - bx * ay)
        two_product(ax, by, &rest)
        if rest != 0:
            return False
        two_product(bx, ay, &rest)
        if rest != 0:
            return False
    return fabs(area) > CANCELLED * spread


cdef inline void add_twice(Exact *total, const double *a, const double *b, const double *c,
                           const double *d) noexcept nogil:
    """Add a * d - c * b, of sums of two doubles."""
    cdef Exact e, f
    of_pair(&e, a)
    of_pair(&f, d)
    add_product(total, &e, &f, 1)
    of_pair(&e, c)
    of_pair(&f, b)
    add_product(total, &e, &f, -1)


cdef inline bint exact_centroid(const double *x, const double *y, const int32_t *rings,
                                const uint8_t *holes, Py_ssize_t first, Py_ssize_t end,
                                double *out) noexcept nogil:
    """Write the area centroid of rings first to end, from the first point, without cancellation.

    Return whether it was written: not without an area.
    """
    cdef Py_ssize_t r, k
    cdef double ox = x[rings[first]]
    cdef double oy = y[rings[first]]
    cdef double sign
    cdef double a[2]
    cdef double b[2]
    cdef double c[2]
    cdef double d[2]
    cdef Exact twice, both, ring, ring_x, ring_y, area, area_x, area_y
    area.count = area_x.count = area_y.count = 0
    for r in range(first, end):
        ring.count = ring_x.count = ring_y.count = 0
        for k in range(rings[r], rings[r + 1] - 1):
            a[1] = two_sum(x[k], -ox, &a[0])
            b[1] = two_sum(y[k], -oy, &b[0])
            c[1] = two_sum(x[k + 1], -ox, &c[0])
            d[1] = two_sum(y[k + 1], -oy, &d[0])
            twice.count = 0
            add_twice(&twice, a, b, c, d)
            add_exact(&ring, &twice, 1)
            of_pair(&both, a)
            add_double(&both, c[0])
            add_double(&both, c[1])
            add_product(&ring_x, &twice, &both, 1)
            of_pair(&both, b)
            add_double(&both, d[0])
            add_double(&both, d[1])
            add_product(&ring_y, &twice, &both, 1)
        sign = -1 if (sign_of(&ring) < 0) != (holes[r] != 0) else 1
        add_exact(&area, &ring, sign)
        add_exact(&area_x, &ring_x, sign)
        add_exact(&area_y, &ring_y, sign)
    if sign_of(&area) <= 0:
        return False
    out[0] = value_of(&area_x) / (3 * value_of(&area))
    out[1] = value_of(&area_y) / (3 * value_of(&area))
    return True


cdef inline void centroid_of(const double *x, const double *y, const int32_t *rings,
                             const uint8_t *holes, Py_ssize_t first, Py_ssize_t end,
                             double *out) noexcept nogil:
    """Write the area centroid of a body of the rings first to end, from its first point.

    Without area that of its length, without length its point. A body so thin that its area is
    nearly lost in rounding is measured again without rounding.
    """
    cdef Py_ssize_t r, k
    cdef double ox, oy, ax, ay, bx, by, twice, step
    cdef double area, area_x, area_y, ring, ring_x, ring_y, length, length_x, length_y, products
    ox = x[rings[first]]
    oy = y[rings[first]]
    area = area_x = area_y = length = length_x = length_y = products = 0
    for r in range(first, end):
        ring = ring_x = ring_y = 0
        for k in range(rings[r], rings[r + 1] - 1):
            ax = x[k] - ox
            ay = y[k] - oy
            bx = x[k + 1] - ox
            by = y[k + 1] - oy
            twice = ax * by - bx * ay
            ring += twice
            ring_x += twice * (ax + bx)
            ring_y += twice * (ay + by)
            step = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
            length += step
            length_x += step * (ax + bx)
            length_y += step * (ay + by)
            products += fabs(ax * by) + fabs(bx * ay)
        # A ring may run either way; whether it bounds or pierces is given, not guessed.
        if (ring < 0) != (holes[r] != 0):
            ring, ring_x, ring_y = -ring, -ring_x, -ring_y
        area += ring
        area_x += ring_x
        area_y += ring_y
    out[0] = out[1] = 0
    if area <= CANCELLED * products and products > 0 and (
            end - first > 1
            or not is_sound(x, y, rings[first], rings[first + 1],
                            ox, oy, area)):
        if exact_centroid(x, y, rings, holes, first,
                          end, out):
            return
        area = 0
    if area > 0:
        out[0] = area_x / (3 * area)
        out[1] = area_y / (3 * area)
    elif length > 0:
        out[0] = length_x / (2 * length)
        out[1] = length_y / (2 * length)


cdef inline bint before(double ax, double ay, double bx, double by) noexcept nogil:
    return ax < bx or (ax == bx and ay < by)


cdef inline void sort_points(double *x, double *y, Py_ssize_t count) noexcept nogil:
    """Shellsort by x, then y."""
    cdef Py_ssize_t gap = 1, i, j
    cdef double px, py
    while 9 * gap < 4 * count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            px = x[i]
            py = y[i]
            j = i
            while j >= gap and before(px, py, x[j - gap], y[j - gap]):
                x[j] = x[j - gap]
                y[j] = y[j - gap]
                j -= gap
            x[j] = px
            y[j] = py
        gap = gap * 4 // 9


cdef inline Py_ssize_t hull_of(const double *x, const double *y, Py_ssize_t first, Py_ssize_t end,
                               double *spare_x, double *spare_y, double *out_x, double *out_y,
                               Py_ssize_t start) noexcept nogil:
    """Write the convex hull of the points first to end from *start* on; return where it ends.

    Anticlockwise, open, without repeats. spare : one slot for each point; out : one more.
    Andrew's monotone chain; a point too close to an edge to tell is left out.
    """
    cdef Py_ssize_t k, count, base, top, floor
    count = 0
    for k in range(first, end):
        spare_x[count] = x[k]
        spare_y[count] = y[k]
        count += 1
    sort_points(spare_x, spare_y, count)
    base = top = start
    for k in range(count):
        if k and spare_x[k] == spare_x[k - 1] and spare_y[k] == spare_y[k - 1]:
            continue
        while top - base >= 2 and turn(out_x[top - 2], out_y[top - 2], out_x[top - 1],
                                       out_y[top - 1], spare_x[k], spare_y[k]) <= 0:
            top -= 1
        out_x[top] = spare_x[k]
        out_y[top] = spare_y[k]
        top += 1
    floor = top
    for k in range(count - 2, -1, -1):
        if spare_x[k] == out_x[top - 1] and spare_y[k] == out_y[top - 1]:
            continue
        while top - floor >= 1 and turn(out_x[top - 2], out_y[top - 2], out_x[top - 1],
                                        out_y[top - 1], spare_x[k], spare_y[k]) <= 0:
            top -= 1
        out_x[top] = spare_x[k]
        out_y[top] = spare_y[k]
        top += 1
    # The way back ends where the way out began.
    return top - 1 if top - base > 1 else top
